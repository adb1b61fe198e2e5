// Matrices that are too large for cells with numbers: what was measured, and Gram matrices.
import {shareColour, viridisOf} from "./colour.js";
import {numbersOf, shown} from "./data.js";
import {element, shortText, showTip} from "./dom.js";

/** A canvas of `cols` x `rows` pixels, drawn larger without smoothing. */
function raster(rows, cols, colourOf, width, height, label) {
  const small = element("canvas", {width: cols, height: rows});
  const context = small.getContext("2d"), image = context.createImageData(cols, rows);
  for (let i = 0; i < rows; ++i)
    for (let j = 0; j < cols; ++j) image.data.set([...colourOf(i, j), 255], 4 * (i * cols + j));
  context.putImageData(image, 0, 0);
  const ratio = 2, canvas = element("canvas", {width: width * ratio, height: height * ratio, class: "chart raster", role: "img", "aria-label": label});
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const large = canvas.getContext("2d");
  large.imageSmoothingEnabled = false;
  large.drawImage(small, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function rgbOf(colour) {
  return colour.match(/\d+/g).map(Number);
}

export function drawMap(panel, body, width) {
  const share = numbersOf(panel.share), rows = panel.rows.length, bins = panel.bins, high = 26;
  const left = Math.min(width * 0.3, 14 + 6.8 * Math.max(...panel.rows.map(r => r.length)));
  const names = element("div", {class: "map-names"}, ...panel.rows.map(name => element("div", {title: name}, shortText(name, Math.floor(left / 6.6)))));
  names.style.width = `${left}px`;
  const canvas = raster(rows, bins, (v, b) => rgbOf(shareColour(share[v * bins + b])), Math.max(60, width - left - 12), rows * high,
    `Share of measured entries of ${rows} views and ${panel.samples} samples`);
  canvas.addEventListener("pointermove", event => {
    const box = canvas.getBoundingClientRect();
    const v = Math.min(rows - 1, Math.floor((event.clientY - box.top) / box.height * rows));
    const b = Math.min(bins - 1, Math.floor((event.clientX - box.left) / box.width * bins));
    if (v >= 0 && b >= 0) showTip(event, `${panel.rows[v]}\n${(100 * share[v * bins + b]).toFixed(0)} % of the entries measured`);
  });
  canvas.addEventListener("pointerleave", event => showTip(event, ""));
  body.append(element("div", {class: "map"}, names, canvas), element("p", {class: "axis-note"}, `${shown(panel.samples)} samples, left to right`));
}

export function drawGram(panel, body, width) {
  const columns = Math.max(1, Math.min(panel.charts.length, Math.floor(width / 260)));
  const size = Math.min(360, Math.floor((width - 12 * (columns - 1)) / columns));
  body.append(element("div", {class: "charts"}, ...panel.charts.map(chart => {
    const values = numbersOf(chart.values), n = chart.size, {low, high} = chart.values;
    const canvas = raster(n, n, (i, j) => viridisOf((values[i * n + j] - low) / (high - low || 1)), size, size, `Gram matrix of ${chart.title}`);
    canvas.addEventListener("pointermove", event => {
      const box = canvas.getBoundingClientRect(), at = (p, from, extent) => Math.max(0, Math.min(n - 1, Math.floor((p - from) / extent * n)));
      const i = at(event.clientY, box.top, box.height), j = at(event.clientX, box.left, box.width);
      showTip(event, `samples ${i + 1} and ${j + 1} of ${n}\n${shown(values[i * n + j])}`);
    });
    canvas.addEventListener("pointerleave", event => showTip(event, ""));
    return element("figure", {}, element("figcaption", {}, chart.title), canvas,
      element("p", {class: "scale"}, shown(low), element("span", {class: "viridis"}), shown(high)));
  })));
}

export function gramTable(panel) {
  const rows = panel.charts.flatMap(chart => {
    const values = numbersOf(chart.values), n = chart.size;
    return Array.from({length: n * n}, (_, k) => [chart.title, Math.floor(k / n) + 1, k % n + 1, values[k]]);
  });
  return {columns: ["view", "row", "column", "similarity"], rows};
}

export function mapTable(panel) {
  return panel.table;
}
