// Curves with bands: one chart for each entry of `charts`.
import {domainOf, frame, padded, path} from "./axes.js";
import {classColour} from "./colour.js";
import {rangeOf, shown} from "./data.js";
import {element, showTip, svgElement} from "./dom.js";

function yDomain(chart) {
  const lists = chart.curves.flatMap(c => [c.y, c.lo ?? [], c.hi ?? []]);
  if (chart.diagonal) return [0, 1.02];
  if (chart.step) return padded([0, rangeOf(...lists)[1]]);
  if (!chart.clip) return domainOf(lists);
  // The first steps of an optimiser would flatten the rest.
  const sorted = chart.curves.flatMap(c => c.y).filter(v => Number.isFinite(v) && v !== null).sort((a, b) => a - b);
  const low = sorted[Math.floor(sorted.length * 0.04)] ?? 0, high = sorted[sorted.length - 1] ?? 1;
  return padded(low < high ? [low, high] : [low - 1, high + 1]);
}

function steps(x, y, px, py) {
  const half = x.length > 1 ? (x[1] - x[0]) / 2 : 0.5;
  return x.flatMap((v, i) => [[px(v - half), py(y[i])], [px(v + half), py(y[i])]]);
}

function nearest(chart, f, at) {
  let best = null, distance = 24 ** 2;
  chart.curves.forEach(c => c.x.forEach((v, i) => {
    const d = (f.x(v) - at[0]) ** 2 + (f.y(c.y[i]) - at[1]) ** 2;
    if (d < distance) [best, distance] = [[c, i], d];
  }));
  return best;
}

function drawChart(chart, width, height) {
  const xs = chart.diagonal ? [0, 1.02] : padded(rangeOf(...chart.curves.map(c => c.x)), chart.step ? 0.03 : 0.01);
  const whole = chart.dots && chart.curves.every(c => c.x.every(Number.isInteger));
  const f = frame(width, height, xs, yDomain(chart), {...chart, whole});
  const clip = `clip-${Math.random().toString(36).slice(2)}`;
  f.svg.append(svgElement("clipPath", {id: clip}, svgElement("rect", {x: f.left, y: f.top, width: width - f.left - f.right, height: height - f.top - f.bottom})));
  const inner = svgElement("g", {"clip-path": `url(#${clip})`});
  if (chart.diagonal) inner.append(svgElement("line", {x1: f.x(0), y1: f.y(0), x2: f.x(1), y2: f.y(1), class: "reference"}));
  if (chart.level !== undefined) inner.append(svgElement("line", {x1: f.left, x2: width - f.right, y1: f.y(chart.level), y2: f.y(chart.level), class: "reference"}));
  chart.curves.forEach((c, k) => {
    const colour = c.name === "past" ? classColour(7) : classColour(k);
    if (c.lo && c.hi) {
      const edge = c.x.map((v, i) => [f.x(v), f.y(c.hi[i])]), back = c.x.map((v, i) => [f.x(v), f.y(c.lo[i])]).reverse();
      inner.append(svgElement("path", {d: `${path([...edge, ...back])}Z`, fill: colour, class: "band"}));
    }
    const points = chart.step ? steps(c.x, c.y, f.x, f.y) : c.x.map((v, i) => [f.x(v), c.y[i] === null ? NaN : f.y(c.y[i])]);
    inner.append(svgElement("path", {d: path(points), stroke: colour, class: "curve", "stroke-dasharray": c.name.startsWith("RBF") ? "4 3" : "none"}));
    if (chart.dots) for (const [px, py] of points) inner.append(svgElement("circle", {cx: px, cy: py, r: 3.5, fill: colour}));
  });
  f.svg.append(inner);
  f.svg.addEventListener("pointermove", event => {
    const box = f.svg.getBoundingClientRect();
    const hit = nearest(chart, f, [(event.clientX - box.left) * width / box.width, (event.clientY - box.top) * height / box.height]);
    showTip(event, hit ? `${hit[0].name}\n${chart.x}: ${shown(hit[0].x[hit[1]])}\n${chart.y || "value"}: ${shown(hit[0].y[hit[1]])}` : "");
  });
  f.svg.addEventListener("pointerleave", event => showTip(event, ""));
  return f.svg;
}

export function legendOf(names) {
  return element("ul", {class: "legend"}, ...names.map(([name, colour]) => {
    const mark = element("span", {class: "mark"});
    mark.style.background = colour;
    return element("li", {}, mark, name);
  }));
}

export function drawLines(panel, body, width) {
  const small = panel.small || panel.charts.length > 2;
  const columns = Math.max(1, Math.min(panel.charts.length, Math.floor(width / (small ? 220 : 380))));
  const w = Math.floor((width - 12 * (columns - 1)) / columns), h = small ? 200 : 290;
  const names = new Map();
  for (const chart of panel.charts)
    chart.curves.forEach((c, k) => names.set(c.name, c.name === "past" ? classColour(7) : classColour(k)));
  if (names.size > 1) body.append(legendOf([...names].slice(0, 12)));
  body.append(element("div", {class: "charts"}, ...panel.charts.map(chart => drawChart(chart, w, h))));
}

export function linesTable(panel) {
  const rows = [];
  for (const chart of panel.charts)
    for (const c of chart.curves)
      c.x.forEach((v, i) => rows.push([chart.title, c.name, v, c.y[i], c.lo?.[i], c.hi?.[i]]));
  return {columns: ["chart", "curve", panel.charts[0]?.x || "x", panel.charts[0]?.y || "y", "low", "high"], rows};
}
