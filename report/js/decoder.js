// The panel of the decoder: a cross in the latent plane, and what the model predicts there.
import {columnAt, columnRange, cornersOf, pictureAt, planeNumbers} from "./decoded.js";
import {frame, scale} from "./axes.js";
import {numbersOf, shown} from "./data.js";
import {choice, element, shortText, svgElement, uniqueId} from "./dom.js";
import {pictureFigure} from "./picture.js";

const mostDots = 4000, mostFound = 24;

function backdrop(plane, page, f) {
  const latent = page.panels.find(p => p.id === "latent");
  if (!latent) return "";
  const all = numbersOf(latent.mean), rows = all.length / latent.dims.length, stride = Math.max(1, Math.ceil(rows / mostDots));
  let out = "";
  for (let n = 0; n < rows; n += stride) {
    const x = f.x(all[plane.dims[0] * rows + n]), y = plane.dims[0] === plane.dims[1] ? f.y(0.5) : f.y(all[plane.dims[1] * rows + n]);
    out += `M${x.toFixed(1)},${y.toFixed(1)}h0`;
  }
  return out;
}

/** The estimate with as many decimals as two digits of its interval have. */
export function estimateText(mean, half) {
  if (!(half > 1e-6 && half < 1e6)) return `${shown(mean)} \u00b1 ${shown(half)}`;
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(half)));
  return `${mean.toFixed(decimals)} \u00b1 ${half.toFixed(decimals)}`;
}

/** The line of a column: name, track with interval and dot, number. `half` of its interval is null where there is none. */
export function columnRow(column, range, track) {
  const height = 20, x = scale(range, [6, track - 6]);
  const svg = svgElement("svg", {width: track, height, viewBox: `0 0 ${track} ${height}`, "aria-hidden": "true"});
  const bar = svgElement("line", {y1: height / 2, y2: height / 2, class: "interval"}), dot = svgElement("circle", {cy: height / 2, r: 4.5, class: "estimate"});
  svg.append(svgElement("line", {x1: 2, x2: track - 2, y1: height / 2, y2: height / 2, class: "track"}), bar, dot);
  const value = element("td", {class: "number"});
  const row = element("tr", {}, element("th", {scope: "row", title: `${column.view} / ${column.name}`}, element("bdi", {}, shortText(column.name, 26)), element("small", {}, shortText(column.view, 20))), element("td", {}, svg), value);
  const update = (mean, half) => {
    bar.setAttribute("x1", x(mean - (half ?? 0)));
    bar.setAttribute("x2", x(mean + (half ?? 0)));
    dot.setAttribute("cx", x(mean));
    value.textContent = half === null ? shown(mean) : estimateText(mean, half);
  };
  return {row, update};
}

function columnRows(panel, numbers, plane, width) {
  const track = Math.max(90, Math.min(260, width - 260));
  return panel.columns.map((column, k) => {
    const {row, update} = columnRow(column, columnRange(numbers, k, plane.knots), track);
    const words = `${column.view} ${column.name}`.toLowerCase();
    return {row, words, update: corners => update(columnAt(numbers.mean, k, plane.knots, corners), numbers.sd ? 1.6449 * columnAt(numbers.sd, k, plane.knots, corners) : null)};
  });
}

/** The first rows whose names have the text in them or, if there are none, all of its words in any order; and how many there are. */
export function chosenRows(rows, text, most) {
  const wanted = text.trim().toLowerCase(), words = wanted.split(/\s+/).filter(Boolean);
  const whole = rows.filter(r => r.words.includes(wanted));
  const found = whole.length > 0 ? whole : rows.filter(r => words.every(word => r.words.includes(word)));
  return {found: found.length, shown: found.slice(0, most)};
}

function columnSearch(panel, rows, onChange) {
  const id = uniqueId("columns"), status = element("span", {class: "axis-note", role: "status"});
  const input = element("input", {type: "search", id, size: 14});
  const choose = () => {
    const {found, shown: visible} = chosenRows(rows, input.value, mostFound);
    for (const row of rows) row.row.hidden = !visible.includes(row);
    const beyond = panel.all > rows.length ? `; the ${rows.length} of ${shown(panel.all)} columns that vary most are in this page` : "";
    status.textContent = `${visible.length} of ${found} columns${beyond}`;
    onChange(visible);
  };
  input.addEventListener("input", choose);
  return {choose, row: element("div", {class: "controls"}, element("span", {class: "choice"}, element("label", {for: id}, "Find column"), input), status)};
}

function pictureCanvases(plane, numbers) {
  return (plane.pictures ?? []).map((picture, i) => {
    const {figure, draw} = pictureFigure({...picture, low: picture.values.low, high: picture.values.high});
    const update = (a, b) => draw(pictureAt(numbers.pictures[i], picture.rows * picture.cols, cornersOf(plane, plane.picture_knots, a, b)));
    return {figure, update};
  });
}

export function slider(label, low, high, onInput) {
  const id = uniqueId("slider"), input = element("input", {type: "range", id, min: low, max: high, step: (high - low) / 200, oninput: () => onInput(Number(input.value))});
  return {input, row: element("span", {class: "choice"}, element("label", {for: id}, label), input)};
}

function drawPlane(panel, place, plane, width, page) {
  const numbers = planeNumbers(plane), one = plane.dims[0] === plane.dims[1];
  const side = Math.min(width, width > 760 ? Math.round(width * 0.46) : 520), high = one ? 150 : Math.round(side * 0.8);
  const f = frame(side, high, [plane.low[0], plane.high[0]], one ? [0, 1] : [plane.low[1], plane.high[1]], {x: panel.dims[plane.dims[0]], y: one ? "" : panel.dims[plane.dims[1]]});
  const cross = svgElement("g", {class: "cross"}, svgElement("line", {x1: -14, x2: 14}), svgElement("line", {y1: -14, y2: 14}), svgElement("circle", {r: 7}));
  f.svg.append(svgElement("path", {d: backdrop(plane, page, f), class: "dots pale"}), cross);
  f.svg.classList.add("plane");
  const rows = columnRows(panel, numbers, plane, width > 760 ? width - side - 20 : width), pictures = pictureCanvases(plane, numbers);
  const at = [0, 1].map(k => (plane.low[k] + plane.high[k]) / 2);
  let visible = rows;
  const move = () => {
    cross.setAttribute("transform", `translate(${f.x(at[0])} ${one ? f.y(0.5) : f.y(at[1])})`);
    const corners = cornersOf(plane, plane.knots, ...at);
    for (const row of visible) row.update(corners);
    for (const picture of pictures) picture.update(...at);
    sliders.forEach((s, k) => (s.input.value = at[k]));
  };
  const sliders = (one ? [0] : [0, 1]).map(k => slider(panel.dims[plane.dims[k]], plane.low[k], plane.high[k], value => {
    at[k] = value;
    move();
  }));
  const drag = event => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = f.svg.getBoundingClientRect(), inside = (v, k) => Math.min(plane.high[k], Math.max(plane.low[k], v));
    const x = (event.clientX - box.left) / box.width * side, y = (event.clientY - box.top) / box.height * high;
    at[0] = inside(plane.low[0] + (x - f.left) / (side - f.left - f.right) * (plane.high[0] - plane.low[0]), 0);
    if (!one) at[1] = inside(plane.high[1] - (y - f.top) / (high - f.top - f.bottom) * (plane.high[1] - plane.low[1]), 1);
    move();
  };
  f.svg.addEventListener("pointerdown", event => {
    f.svg.setPointerCapture(event.pointerId);
    drag(event);
  });
  f.svg.addEventListener("pointermove", drag);
  const search = rows.length > mostFound ? columnSearch(panel, rows, chosen => {
    visible = chosen;
    move();
  }) : null;
  place.replaceChildren(element("div", {class: "decoder"},
    element("div", {}, f.svg, element("div", {class: "controls"}, ...sliders.map(s => s.row))),
    element("div", {class: "predicted"}, ...pictures.map(p => p.figure), search?.row ?? "",
      element("table", {}, element("caption", {class: "unseen"}, "Predicted columns at the cross"), element("tbody", {}, ...rows.map(r => r.row))))));
  if (search) search.choose();
  else move();
}

export function drawDecoder(panel, body, width, page) {
  const place = element("div", {});
  if (panel.planes.length > 1)
    body.append(element("div", {class: "controls"}, choice("Plane", panel.planes.map((p, i) => ({value: String(i), text: p.dims.map(d => panel.dims[d]).join(" and ")})), "0",
      value => drawPlane(panel, place, panel.planes[Number(value)], width, page))));
  body.append(place);
  drawPlane(panel, place, panel.planes[0], width, page);
}

export function decoderTable(panel) {
  const rows = panel.planes.flatMap(plane => {
    const numbers = planeNumbers(plane), K = plane.knots, step = k => (plane.high[k] - plane.low[k]) / (K - 1);
    const names = plane.dims.map(d => panel.dims[d]).join(" and ");
    return panel.columns.flatMap((column, k) => Array.from({length: K * K}, (_, at) => [
      names, column.view, column.name, plane.low[0] + step(0) * (at % K), plane.low[1] + step(1) * Math.floor(at / K),
      numbers.mean[k * K * K + at], numbers.sd?.[k * K * K + at]]));
  });
  return {columns: ["plane", "view", "column", "first", "second", "mean", "sd"], rows};
}
