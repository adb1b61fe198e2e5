// Horizontal bars: a group of bars for each row, a bar for each series.
import {scale, ticks} from "./axes.js";
import {classColour} from "./colour.js";
import {shown} from "./data.js";
import {element, fitText, shortText, showTip, svgElement, textWidth} from "./dom.js";
import {legendOf} from "./lines.js";

const nameFont = "12px system-ui, sans-serif";

export function drawBars(chart, width) {
  const series = chart.series.length, bar = series > 1 ? 11 : 15, group = series * bar + 9;
  const longest = Math.max(...chart.rows.map(r => textWidth(shortText(r.name, 80), nameFont)), 30);
  const left = Math.min(width * 0.42, longest + 14), right = 52, top = chart.title ? 26 : 6, bottom = 36;
  const height = top + chart.rows.length * group + bottom;
  const values = chart.rows.flatMap(r => r.values).filter(v => v !== null);
  const low = Math.min(0, ...values), high = Math.max(0, ...values);
  const x = scale([low, high > low ? high : low + 1], [left, width - right]);
  const svg = svgElement("svg", {viewBox: `0 0 ${width} ${height}`, width, height, class: "chart", role: "img", "aria-label": `${chart.title || ""} ${chart.axis}`.trim()});
  if (chart.title) svg.append(svgElement("text", {x: left, y: 15, class: "chart-title"}, fitText(chart.title, width - left - 4)));
  const axis = svgElement("g", {class: "axis"}), grid = svgElement("g", {class: "grid"});
  for (const t of ticks(low, high > low ? high : low + 1, Math.max(2, (width - left) / 90))) {
    grid.append(svgElement("line", {x1: x(t), x2: x(t), y1: top, y2: height - bottom}));
    axis.append(svgElement("text", {x: x(t), y: height - bottom + 14, "text-anchor": "middle"}, shown(t)));
  }
  axis.append(svgElement("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle", class: "label"}, chart.axis));
  svg.append(grid, axis);
  chart.rows.forEach((row, i) => {
    const y0 = top + i * group + 4;
    svg.append(svgElement("text", {x: left - 8, y: y0 + series * bar / 2 + 4, "text-anchor": "end", class: "row-name"}, fitText(row.name, left - 12, nameFont)));
    row.values.forEach((v, k) => {
      if (v === null) return;
      const rect = svgElement("rect", {x: Math.min(x(0), x(v)), y: y0 + k * bar, width: Math.max(1, Math.abs(x(v) - x(0))), height: bar - 2, rx: 2, fill: classColour(k), class: "bar"});
      rect.addEventListener("pointermove", event => showTip(event, `${row.name}\n${chart.series[k]}: ${shown(v)}`));
      rect.addEventListener("pointerleave", event => showTip(event, ""));
      svg.append(rect);
      svg.append(svgElement("text", {x: Math.max(x(0), x(v)) + 4, y: y0 + k * bar + bar - 4, class: "value"}, shown(Number(v.toPrecision(3)))));
    });
  });
  return svg;
}

export function drawBarPanel(panel, body, width) {
  const series = panel.charts[0].series;
  const columns = Math.max(1, Math.min(panel.charts.length, Math.floor(width / 360)));
  const w = Math.floor((width - 12 * (columns - 1)) / columns);
  if (series.length > 1) body.append(legendOf(series.map((name, k) => [name, classColour(k)])));
  body.append(element("div", {class: "charts"}, ...panel.charts.map(chart => drawBars(chart, w))));
}

export function barsTable(panel) {
  const rows = panel.charts.flatMap(chart => chart.rows.map(row => [chart.title || chart.axis, row.name, ...row.values]));
  return {columns: ["chart", "row", ...panel.charts[0].series], rows};
}
