// The panel of the latent space: dimensions, colours, zoom, lasso.
import {boxOf, drawScene, intervalText} from "./scatter.js";
import {cameraFor, isSpace, moved, zoomed} from "./camera.js";
import {classColour, noColour} from "./colour.js";
import {numbersOf, rangeOf, shown} from "./data.js";
import {choice, element, showTip, uniqueId} from "./dom.js";
import {colourGroups, fieldLabel, fieldValue, fieldsOf} from "./fields.js";
import {gridOf, nearestInGrid, pointsWithin} from "./geometry.js";
import {showSelection} from "./selection.js";

const mostEllipses = 3000, mostLegend = 24;

function columnsOf(encoded, count) {
  const all = numbersOf(encoded), rows = all.length / count;
  return Array.from({length: count}, (_, d) => all.subarray(d * rows, (d + 1) * rows));
}

/** What the panel knows and what its reader has chosen. */
function stateOf(panel, samples) {
  const count = panel.dims.length, fields = fieldsOf(samples);
  const classes = fields.findIndex(f => f.kind === "class" && !f.column);
  return {
    samples, fields, dims: panel.dims, mean: columnsOf(panel.mean, count), sd: panel.sd ? columnsOf(panel.sd, count) : null,
    chosen: count > 1 ? [0, 1] : [0, 0], field: classes >= 0 ? classes : fields.length > 0 ? 0 : -1, hidden: new Set(), lassoing: false,
    ellipses: Boolean(panel.sd) && samples.ids.length <= mostEllipses, paths: panel.paths ?? null, path: Boolean(panel.paths), selected: null, found: [], lasso: [], camera: null};
}

function sceneOf(state) {
  const pick = columns => columns && state.chosen.map(d => columns[d]);
  const axes = pick(state.mean), names = state.chosen.map(d => state.dims[d]);
  if (state.dims.length === 1) {  // one dimension: samples side by side in the order of the table
    axes[1] = Float32Array.from(axes[0], (_, n) => n + 1);
    names[1] = "sample";
  }
  state.camera ??= cameraFor(axes);
  state.groups ??= colourGroups(state.fields[state.field], state.samples.ids.length, state.hidden);
  const sd = state.dims.length === 1 ? null : pick(state.sd);
  return {axes, names, sd, groups: state.groups, camera: state.camera, ellipses: state.ellipses, paths: state.path ? state.paths : null, selected: state.selected, found: state.found, lasso: state.lasso};
}

function legend(state, redraw) {
  const field = state.fields[state.field];
  if (!field) return element("div", {});
  if (field.kind === "number") {
    const [low, high] = rangeOf(field.data);
    return element("p", {class: "scale"}, shown(low), element("span", {class: "viridis"}), shown(high));
  }
  const item = (name, key) => {
    const mark = element("span", {class: "mark"});
    mark.style.background = key < 0 ? noColour : classColour(key);
    return element("li", {}, element("button", {type: "button", "aria-pressed": String(!state.hidden.has(key)), title: "Show or hide", onclick: () => {
      if (!state.hidden.delete(key)) state.hidden.add(key);
      state.groups = null;
      redraw(true);
    }}, mark, name));
  };
  const items = field.classes.slice(0, mostLegend).map(item);
  if (field.data.includes(-1)) items.push(item("none", -1));
  if (field.classes.length > mostLegend) items.push(element("li", {}, `and ${field.classes.length - mostLegend} more`));
  return element("ul", {class: "legend"}, ...items);
}

function tipOf(state, n) {
  const lines = [state.samples.ids[n]];
  const field = state.fields[state.field];
  if (field) lines.push(`${fieldLabel(field)}: ${fieldValue(field, n)}`);
  for (const d of new Set(state.chosen)) lines.push(`${state.dims[d]}: ${intervalText(state.mean[d][n], state.sd?.[d][n])}`);
  return lines.join("\n");
}

function controls(state, redraw) {
  const all = state.dims.map((name, d) => ({value: String(d), text: name}));
  const dimension = place => value => {
    if (value === "") state.chosen.length = 2;
    else state.chosen[place] = Number(value);
    state.camera = null;
    redraw();
  };
  const out = [];
  if (all.length > 1) out.push(choice("Across", all, String(state.chosen[0]), dimension(0)), choice("Up", all, String(state.chosen[1]), dimension(1)));
  if (all.length > 2) out.push(choice("Deep", [{value: "", text: "none"}, ...all], "", dimension(2)));
  out.push(choice("Colour", [{value: "-1", text: "none"}, ...state.fields.map(f => ({value: String(f.index), text: f.name, group: f.group || "annotations"}))], String(state.field), value => {
    state.field = Number(value);
    state.hidden.clear();
    state.groups = null;
    redraw(true);
  }));
  const tick = (key, text) => {
    const id = uniqueId(key), box = element("input", {type: "checkbox", id, onchange: () => {
      state[key] = box.checked;
      redraw();
    }});
    box.checked = state[key];
    out.push(element("span", {class: "choice"}, box, element("label", {for: id}, text)));
  };
  if (state.sd && all.length > 1) tick("ellipses", "90 % ellipses");
  if (state.paths) tick("path", "Path over time");
  const find = uniqueId("find"), input = element("input", {type: "search", id: find, size: 12, oninput: () => {
    const text = input.value.trim().toLowerCase();
    state.found = text ? state.samples.ids.flatMap((name, n) => (name.toLowerCase().includes(text) ? [n] : [])).slice(0, 200) : [];
    redraw();
  }});
  out.push(element("span", {class: "choice"}, element("label", {for: find}, "Find sample"), input));
  const lasso = element("button", {type: "button", class: "lasso", "aria-pressed": "false", onclick: () => {
    state.lassoing = !state.lassoing;
    lasso.setAttribute("aria-pressed", String(state.lassoing));
    redraw();
  }}, "Lasso");
  const reset = element("button", {type: "button", onclick: () => {
    state.camera = null;
    redraw();
  }}, "Reset view");
  return element("div", {class: "controls"}, ...out, lasso, reset);
}

/** Pointer, wheel and keys move the camera or draw the lasso. */
function listen(canvas, state, view) {
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let last = null;
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    last = place(event);
    if (state.lassoing || event.shiftKey) state.lasso = [last];
  });
  canvas.addEventListener("pointermove", event => {
    const [x, y] = place(event);
    if (!last) {
      const n = view.nearest(x, y);
      showTip(event, n < 0 ? "" : tipOf(state, n));
      return;
    }
    if (state.lasso.length > 0) state.lasso.push([x, y]);
    else state.camera = moved(state.camera, x - last[0], y - last[1], view.box());
    last = [x, y];
    view.redraw();
  });
  const end = () => {
    if (state.lasso.length > 2) view.select(pointsWithin(view.pixels.px, view.pixels.py, state.lasso));
    state.lasso = [];
    last = null;
    view.redraw();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", event => showTip(event, ""));
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    state.camera = zoomed(state.camera, Math.exp(-event.deltaY * 0.0015), ...place(event), view.box());
    view.redraw();
  }, {passive: false});
  canvas.addEventListener("keydown", event => {
    const box = view.box(), step = {ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40]}[event.key];
    const near = {"+": 1.25, "=": 1.25, "-": 0.8}[event.key], middle = [box.left + box.width / 2, box.top + box.height / 2];
    if (step) state.camera = moved(state.camera, ...step, box);
    else if (near) state.camera = zoomed(state.camera, near, ...middle, box);
    else if (event.key === "0") state.camera = null;
    else if (event.key === "Enter") view.select(view.visible());
    else if (event.key === "Escape") view.select(null);
    else return;
    event.preventDefault();
    view.redraw();
  });
}

export function drawLatent(panel, body, width, page) {
  const samples = panel.samples ?? page.samples;
  const state = (panel.state ??= stateOf(panel, samples));
  const height = Math.min(560, Math.max(320, Math.round(width * 0.58)));
  const canvas = element("canvas", {class: "chart latent", tabindex: "0", role: "img",
    "aria-label": `${panel.title}: ${samples.ids.length} samples. Arrow keys move, plus and minus zoom, 0 resets, Enter selects what is in view, Escape clears.`});
  const legendPlace = element("div", {}), answer = element("div", {class: "selection"});
  const view = {
    pixels: null, grid: null, pending: false,
    box: () => boxOf(width, height, state.camera),
    nearest: (x, y) => nearestInGrid((view.grid ??= gridOf(view.pixels.px, view.pixels.py)), x, y, 12),
    visible() {
      const {left, top, width: w, height: h} = view.box(), {px, py} = view.pixels;
      return Uint8Array.from(px, (x, n) => (x >= left && x <= left + w && py[n] >= top && py[n] <= top + h ? 1 : 0));
    },
    select(within) {
      state.selected = within;
      showSelection(answer, samples, state.fields, within, width, () => view.select(null));
      view.redraw();
    },
    draw(legendToo) {
      view.pending = false;
      view.pixels = drawScene(canvas, sceneOf(state), width, height);
      view.grid = null;
      canvas.classList.toggle("lassoing", state.lassoing);
      canvas.classList.toggle("turning", isSpace(state.camera));
      if (legendToo) legendPlace.replaceChildren(legend(state, view.redraw));
    },
    redraw(legendToo = false) {
      if (legendToo) view.draw(true);
      else if (!view.pending) {
        view.pending = true;
        requestAnimationFrame(() => view.draw(false));
      }
    }};
  body.append(controls(state, view.redraw), legendPlace, canvas, answer);
  view.draw(true);
  if (state.selected) view.select(state.selected);
  listen(canvas, state, view);
}

export function latentTable(panel, page) {
  const samples = panel.samples ?? page.samples, state = (panel.state ??= stateOf(panel, samples));
  const annotations = state.fields.filter(f => !f.column);
  return {
    columns: ["id", ...state.dims, ...(state.sd ? state.dims.map(d => `${d}_sd`) : []), ...annotations.map(fieldLabel)],
    rows: samples.ids.map((id, n) => [id, ...state.mean.map(c => c[n]), ...(state.sd ?? []).map(c => c[n]), ...annotations.map(f => (f.kind === "class" ? f.classes[f.data[n]] : f.data[n]))])};
}
