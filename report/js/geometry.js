// Points in polygons, and the grid that finds the nearest of many points.

/** Which points lie within the polygon [[x, y], ..]: 1 or 0 for each (even-odd rule). */
export function pointsWithin(px, py, polygon) {
  const out = new Uint8Array(px.length);
  const xs = polygon.map(p => p[0]), ys = polygon.map(p => p[1]);
  const left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), bottom = Math.max(...ys);
  for (let n = 0; n < px.length; ++n) {
    const x = px[n], y = py[n];
    if (!(x >= left && x <= right && y >= top && y <= bottom)) continue;
    let within = false;
    for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++)
      if ((ys[i] > y) !== (ys[j] > y) && x < (xs[j] - xs[i]) * (y - ys[i]) / (ys[j] - ys[i]) + xs[i]) within = !within;
    out[n] = within ? 1 : 0;
  }
  return out;
}

/** Points sorted into squares of `cell` pixels. */
export function gridOf(px, py, cell = 24) {
  const squares = new Map();
  for (let i = 0; i < px.length; ++i) {
    const key = `${Math.floor(px[i] / cell)},${Math.floor(py[i] / cell)}`;
    const list = squares.get(key);
    if (list) list.push(i);
    else squares.set(key, [i]);
  }
  return {px, py, cell, squares};
}

/** The point nearest to (x, y) within a cell of it, -1 if there is none. */
export function nearestInGrid({px, py, cell, squares}, x, y, radius) {
  const cx = Math.floor(x / cell), cy = Math.floor(y / cell);
  let best = -1, distance = radius * radius;
  for (let i = cx - 1; i <= cx + 1; ++i)
    for (let j = cy - 1; j <= cy + 1; ++j)
      for (const n of squares.get(`${i},${j}`) ?? []) {
        const d = (px[n] - x) ** 2 + (py[n] - y) ** 2;
        if (d < distance) [best, distance] = [n, d];
      }
  return best;
}
