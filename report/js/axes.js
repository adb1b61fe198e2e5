// Scales, ticks and the frame of a chart.
import {rangeOf, shown} from "./data.js";
import {fitText, shortText, svgElement} from "./dom.js";

export function scale(domain, range) {
  const [d0, d1] = domain, [r0, r1] = range;
  return v => r0 + (v - d0) / (d1 - d0) * (r1 - r0);
}

/** Round numbers between low and high, about `count` of them and at least three. */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find(m => m * power >= rough) ?? 10);
  const out = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + step * 1e-9; t += step) out.push(Math.abs(t) < step * 1e-9 ? 0 : Number(t.toPrecision(12)));
  return out.length < 3 && count < 12 ? ticks(low, high, 2 * Math.max(1, count)) : out;
}

/** A domain a little wider than the numbers. */
export function padded([low, high], share = 0.04) {
  const pad = (high - low) * share;
  return [low - pad, high + pad];
}

/** An SVG of this size with grid, axes and labels, and the scales of its inner part. */
export function frame(width, height, xDomain, yDomain, labels) {
  const rows = ticks(...yDomain, Math.max(2, height / 60));
  const left = Math.max(44, 26 + 6.2 * Math.max(1, ...rows.map(t => shown(t).length))), right = 12, top = labels.title ? 26 : 10, bottom = 40;
  const x = scale(xDomain, [left, width - right]), y = scale(yDomain, [height - bottom, top]);
  const svg = svgElement("svg", {viewBox: `0 0 ${width} ${height}`, width, height, class: "chart", role: "img"});
  const describe = [labels.title, labels.y && `${labels.y} against ${labels.x}`].filter(Boolean).join(": ");
  svg.setAttribute("aria-label", describe || labels.x || "chart");
  if (labels.title) {
    svg.append(svgElement("text", {x: left, y: 15, class: "chart-title"}, fitText(labels.title, width - left - 4)));
  }
  const grid = svgElement("g", {class: "grid"}), axis = svgElement("g", {class: "axis"});
  for (const t of ticks(...xDomain, Math.max(3, width / 90)).filter(t => !labels.whole || Number.isInteger(t))) {
    grid.append(svgElement("line", {x1: x(t), x2: x(t), y1: top, y2: height - bottom}));
    axis.append(svgElement("text", {x: x(t), y: height - bottom + 15, "text-anchor": "middle"}, shown(t)));
  }
  for (const t of rows) {
    grid.append(svgElement("line", {x1: left, x2: width - right, y1: y(t), y2: y(t)}));
    axis.append(svgElement("text", {x: left - 6, y: y(t) + 4, "text-anchor": "end"}, shown(t)));
  }
  axis.append(svgElement("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle", class: "label"}, shortText(labels.x ?? "", Math.floor(width / 6.4))));
  if (labels.y) {
    const middle = (top + height - bottom) / 2;
    axis.append(svgElement("text", {x: 12, y: middle, "text-anchor": "middle", class: "label", transform: `rotate(-90 12 ${middle})`}, shortText(labels.y, Math.floor(height / 6.4))));
  }
  svg.append(grid, axis);
  return {svg, x, y, left, right, top, bottom};
}

export function path(points) {
  let out = "", pen = false;
  for (const [px, py] of points) {
    const good = Number.isFinite(px) && Number.isFinite(py);
    if (good) out += `${pen ? "L" : "M"}${px.toFixed(1)},${py.toFixed(1)}`;
    pen = good;
  }
  return out;
}

export function domainOf(lists) {
  return padded(rangeOf(...lists));
}
