// What sets some samples apart from the others.

function moments(values, within, which) {
  let n = 0, sum = 0, squares = 0;
  for (let i = 0; i < values.length; ++i)
    if (within[i] === which && !Number.isNaN(values[i])) {
      n += 1;
      sum += values[i];
    }
  const mean = sum / n;
  for (let i = 0; i < values.length; ++i)
    if (within[i] === which && !Number.isNaN(values[i])) squares += (values[i] - mean) ** 2;
  return {n, mean, variance: n > 1 ? squares / (n - 1) : NaN};
}

/** Difference of the means in units of the pooled standard deviation (Cohen's d); NaN where it has none. */
export function numberDifference(values, within) {
  const a = moments(values, within, 1), b = moments(values, within, 0);
  const pooled = ((a.n - 1) * (a.n > 1 ? a.variance : 0) + (b.n - 1) * (b.n > 1 ? b.variance : 0)) / (a.n + b.n - 2);
  return {inside: a.mean, outside: b.mean, effect: pooled > 0 ? (a.mean - b.mean) / Math.sqrt(pooled) : NaN};
}

/** The class whose share differs most, with its share in both groups. */
export function classDifference(codes, classes, within) {
  const counts = [new Float64Array(classes.length), new Float64Array(classes.length)], total = [0, 0];
  for (let i = 0; i < codes.length; ++i)
    if (codes[i] >= 0) {
      counts[within[i]][codes[i]] += 1;
      total[within[i]] += 1;
    }
  let out = {name: "", inside: NaN, outside: NaN, effect: NaN};
  if (!total[0] || !total[1]) return out;
  for (let k = 0; k < classes.length; ++k) {
    const inside = counts[1][k] / total[1], outside = counts[0][k] / total[0];
    if (!(Math.abs(inside - outside) <= Math.abs(out.effect))) out = {name: classes[k], inside, outside, effect: inside - outside};
  }
  return out;
}

/** Fields by how much they differ: {numbers, classes}, the largest difference first. */
export function differences(fields, within) {
  const bySize = (a, b) => Math.abs(b.effect) - Math.abs(a.effect);
  const numbers = [], classes = [];
  for (const field of fields) {
    const found = field.kind === "class" ? classDifference(field.data, field.classes, within) : numberDifference(field.data, within);
    if (!Number.isNaN(found.effect)) (field.kind === "class" ? classes : numbers).push({field, ...found});
  }
  return {numbers: numbers.sort(bySize), classes: classes.sort(bySize)};
}
