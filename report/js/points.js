// Scatter plots of rows: predicted against observed, residuals, diagnostics of chains.
import {frame, padded} from "./axes.js";
import {classColour} from "./colour.js";
import {numbersOf, rangeOf, shown} from "./data.js";
import {element, showTip, svgElement} from "./dom.js";

/** All points as one path: dots are round caps of lines without length. */
function dots(px, py) {
  let out = "";
  for (let i = 0; i < px.length; ++i)
    if (Number.isFinite(px[i]) && Number.isFinite(py[i])) out += `M${px[i].toFixed(1)},${py[i].toFixed(1)}h0`;
  return out;
}

/** The point nearest to a place, within a radius; -1 if there is none. */
export function nearestPoint(px, py, x, y, radius) {
  let best = -1, distance = radius * radius;
  for (let i = 0; i < px.length; ++i) {
    const d = (px[i] - x) ** 2 + (py[i] - y) ** 2;
    if (d < distance) [best, distance] = [i, d];
  }
  return best;
}

function references(chart, f, width) {
  const out = [], line = (x1, y1, x2, y2) => out.push(svgElement("line", {x1, y1, x2, y2, class: "reference"}));
  if (chart.diagonal) line(f.x(f.low), f.y(f.low), f.x(f.high), f.y(f.high));
  for (const level of chart.band ?? []) line(f.left, f.y(level), width - f.right, f.y(level));
  if (chart.vertical !== undefined) line(f.x(chart.vertical), f.top, f.x(chart.vertical), f.bottomAt);
  return out;
}

function drawPoints(chart, width, height) {
  const xs = numbersOf(chart.xs), ys = numbersOf(chart.ys);
  let xDomain = padded(rangeOf(xs, chart.vertical === undefined ? [] : [chart.vertical])), yDomain = padded(rangeOf(ys, chart.band ?? []));
  if (chart.diagonal) xDomain = yDomain = padded(rangeOf(xs, ys));
  const f = frame(width, height, xDomain, yDomain, chart);
  Object.assign(f, {low: xDomain[0], high: xDomain[1], bottomAt: height - f.bottom});
  const px = xs.map(f.x), py = ys.map(f.y);
  const size = xs.length < 500 ? 5 : xs.length < 5000 ? 3.5 : 2;
  f.svg.append(svgElement("path", {d: dots(px, py), stroke: classColour(0), "stroke-width": size, class: "dots"}), ...references(chart, f, width));
  const mark = svgElement("circle", {r: 6, class: "hit", cx: -20, cy: -20});
  f.svg.append(mark);
  f.svg.addEventListener("pointermove", event => {
    const box = f.svg.getBoundingClientRect();
    const i = nearestPoint(px, py, (event.clientX - box.left) * width / box.width, (event.clientY - box.top) * height / box.height, 14);
    mark.setAttribute("cx", i < 0 ? -20 : px[i]);
    mark.setAttribute("cy", i < 0 ? -20 : py[i]);
    showTip(event, i < 0 ? "" : `${chart.names[i]}\n${chart.x}: ${shown(xs[i])}\n${chart.y}: ${shown(ys[i])}`);
  });
  f.svg.addEventListener("pointerleave", event => showTip(event, ""));
  return f.svg;
}

export function drawPointsPanel(panel, body, width) {
  const columns = Math.max(1, Math.min(panel.charts.length, Math.floor(width / 330)));
  const w = Math.floor((width - 12 * (columns - 1)) / columns);
  body.append(element("div", {class: "charts"}, ...panel.charts.map(chart => drawPoints(chart, w, Math.min(340, Math.max(240, w * 0.75))))));
}

export function pointsTable(panel) {
  const rows = panel.charts.flatMap(chart => {
    const xs = numbersOf(chart.xs), ys = numbersOf(chart.ys);
    return chart.names.map((name, i) => [chart.title, name, xs[i], ys[i]]);
  });
  return {columns: ["chart", "name", panel.charts[0].x, panel.charts[0].y], rows};
}
