// Predictions between the knots of a grid over a latent plane.
import {numbersOf} from "./data.js";

/** The four knots around a place and their weights; places outside of the grid are moved to its edge. */
export function cornersOf(plane, knots, a, b) {
  const at = (v, k) => Math.min(knots - 1, Math.max(0, (v - plane.low[k]) / (plane.high[k] - plane.low[k] || 1) * (knots - 1)));
  const x = at(a, 0), y = at(b, 1), i = Math.min(knots - 2, Math.floor(x)), j = Math.min(knots - 2, Math.floor(y)), u = x - i, v = y - j;
  return [[j * knots + i, (1 - u) * (1 - v)], [j * knots + i + 1, u * (1 - v)], [(j + 1) * knots + i, (1 - u) * v], [(j + 1) * knots + i + 1, u * v]];
}

/** Numbers of a plane: of each column at each knot, column after column. */
export function planeNumbers(plane) {
  const columns = encoded => {
    const each = encoded.map(numbersOf), knots = each[0]?.length ?? 0, out = new Float32Array(each.length * knots);
    each.forEach((values, k) => out.set(values, k * knots));
    return out;
  };
  plane.numbers ??= {
    mean: columns(plane.mean), sd: plane.sd ? columns(plane.sd) : null,
    pictures: (plane.pictures ?? []).map(picture => numbersOf(picture.values))};
  return plane.numbers;
}

export function columnAt(values, k, knots, corners) {
  return corners.reduce((sum, [at, weight]) => sum + weight * values[k * knots * knots + at], 0);
}

/** The pixels of a picture there, row after row. */
export function pictureAt(values, pixels, corners) {
  const out = new Float32Array(pixels);
  for (const [at, weight] of corners)
    for (let p = 0; p < pixels; ++p) out[p] += weight * values[at * pixels + p];
  return out;
}

/** What a column can be over the plane, with 90 % intervals where there are some. */
export function columnRange(numbers, k, knots) {
  let low = Infinity, high = -Infinity;
  for (let at = k * knots * knots; at < (k + 1) * knots * knots; ++at) {
    const half = numbers.sd ? 1.6449 * numbers.sd[at] : 0;
    low = Math.min(low, numbers.mean[at] - half);
    high = Math.max(high, numbers.mean[at] + half);
  }
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}
