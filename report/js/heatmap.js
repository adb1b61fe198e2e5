// Small matrices with names on both sides and their numbers in the cells.
import {shareColour} from "./colour.js";
import {rangeOf, shown} from "./data.js";
import {element, shortText, showTip, svgElement} from "./dom.js";

function cellText(panel, value) {
  if (value === null) return "";
  return panel.percent ? `${(100 * value).toFixed(Math.abs(value) < 0.0995 ? 1 : 0)} %` : shown(value);
}

function addCell(svg, panel, i, j, box, share) {
  const value = panel.values[i][j], text = cellText(panel, value);
  const rect = svgElement("rect", {x: box.x, y: box.y, width: box.w - 2, height: box.h - 2, rx: 3, class: value === null ? "empty-cell" : "cell"});
  if (value !== null) rect.setAttribute("fill", shareColour(share));
  const name = `${panel.rows[i]}\n${panel.columns[j]}: ${text || "none"}`;
  rect.addEventListener("pointermove", event => showTip(event, name));
  rect.addEventListener("pointerleave", event => showTip(event, ""));
  svg.append(rect);
  if (box.w > 6.5 * text.length && box.h > 14)
    svg.append(svgElement("text", {x: box.x + box.w / 2 - 1, y: box.y + box.h / 2 + 4, "text-anchor": "middle", class: share > 0.5 ? "cell-text light" : "cell-text dark"}, text));
}

export function drawHeatmap(panel, body, width) {
  const R = panel.rows.length, C = panel.columns.length;
  const left = Math.min(width * 0.35, 18 + 6.8 * Math.max(...panel.rows.map(r => r.length)) + (panel.row_label ? 18 : 0));
  const w = Math.min(110, (width - left - 4) / C), h = Math.min(40, Math.max(R > 30 ? 6 : 24, w));
  const longest = Math.max(...panel.columns.map(c => c.length)), slanted = 6.8 * longest > w;
  const top = (slanted ? Math.min(110, 5 * longest + 14) : 22) + (panel.column_label ? 18 : 0);
  const total = left + C * w + (slanted ? Math.min(40, 3 * longest) : 4), height = top + R * h + 4;
  const svg = svgElement("svg", {viewBox: `0 0 ${total} ${height}`, width: Math.min(width, total), class: "chart", role: "img", "aria-label": `${panel.title}: ${R} rows and ${C} columns; the numbers are in the CSV file`});
  if (panel.column_label) svg.append(svgElement("text", {x: left + C * w / 2, y: 12, "text-anchor": "middle", class: "label"}, panel.column_label));
  if (panel.row_label) svg.append(svgElement("text", {x: 12, y: top + R * h / 2, "text-anchor": "middle", class: "label", transform: `rotate(-90 12 ${top + R * h / 2})`}, panel.row_label));
  const high = panel.percent ? 1 : Math.max(1e-300, rangeOf(...panel.values)[1]);
  panel.columns.forEach((name, j) => {
    const x = left + (j + 0.5) * w, y = top - 7;
    if (w < 9 && j % Math.ceil(9 / w)) return;
    const text = svgElement("text", {x, y, class: "row-name", "text-anchor": slanted ? "start" : "middle"}, shortText(name, slanted ? 26 : Math.floor(w / 6)));
    if (slanted) text.setAttribute("transform", `rotate(-40 ${x} ${y})`);
    svg.append(text);
  });
  panel.rows.forEach((name, i) => {
    if (h < 10 && i % Math.ceil(10 / h)) return;
    svg.append(svgElement("text", {x: left - 8, y: top + (i + 0.5) * h + 3, "text-anchor": "end", class: "row-name"}, shortText(name, Math.floor((left - 10) / 6.4))));
  });
  panel.values.forEach((row, i) => row.forEach((v, j) => addCell(svg, panel, i, j, {x: left + j * w, y: top + i * h, w, h}, v === null ? 0 : Math.max(0, v) / high)));
  body.append(element("div", {class: "charts"}, svg));
}

export function heatmapTable(panel) {
  return {columns: ["", ...panel.columns], rows: panel.values.map((row, i) => [panel.rows[i], ...row])};
}
