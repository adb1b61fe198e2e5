// The decoder of a run that has ended: any latent, decoded by the model itself.
import {frame} from "./axes.js";
import {shown} from "./data.js";
import {columnRow} from "./decoder.js";
import {choice, element, svgElement, uniqueId} from "./dom.js";
import {pictureFigure} from "./picture.js";

const mostDotsLive = 4000;

/** Asks for the newest only: while an answer is under way, later questions replace each other. */
export function newestOnly(ask, show) {
  let asking = false, next = null;
  const run = async question => {
    asking = true;
    try {
      show(await ask(question));
    } catch (error) {
      show(null, error);
    }
    asking = false;
    if (next) {
      const later = next;
      next = null;
      run(later);
    }
  };
  return question => (asking ? (next = question) : run(question));
}

function backdropOf(latents, plane, f) {
  if (!latents) return "";
  const stride = Math.max(1, Math.ceil(latents.ids.length / mostDotsLive));
  let out = "";
  for (let n = 0; n < latents.ids.length; n += stride) {
    const [x, y] = [latents.mean[plane[0]][n], latents.mean[plane[1]][n]];
    if (x !== null && y !== null) out += `M${f.x(x).toFixed(1)},${(plane[0] === plane[1] ? f.y(0.5) : f.y(y)).toFixed(1)}h0`;
  }
  return out;
}

/** A slider and a number for a dimension; the number may lie outside of the slider. */
function dimensionInput(dim, onInput) {
  const id = uniqueId("latent"), step = (dim.high - dim.low) / 200;
  const range = element("input", {type: "range", id, min: dim.low, max: dim.high, step: "any", oninput: () => onInput(Number(range.value))});
  const number = element("input", {type: "number", step: Number(step.toPrecision(1)), "aria-label": `${dim.name} as a number`, oninput: () => {
    if (number.value !== "" && Number.isFinite(Number(number.value))) onInput(Number(number.value));
  }});
  range.addEventListener("keydown", event => {
    const by = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
    if (!by) return;
    event.preventDefault();
    onInput(Number(range.value) + by * step);
  });
  return {row: element("span", {class: "choice"}, element("label", {for: id}, dim.name), range, number), set: value => {
    range.value = value;
    if (document.activeElement !== number) number.value = Number(value.toPrecision(4));
  }};
}

function drawLivePlane(place, model, latents, plane, width, at, moved) {
  const one = plane[0] === plane[1], high = one ? 150 : Math.round(width * 0.8), dims = plane.map(d => model.dims[d]);
  const f = frame(width, high, [dims[0].low, dims[0].high], one ? [0, 1] : [dims[1].low, dims[1].high], {x: dims[0].name, y: one ? "" : dims[1].name});
  const cross = svgElement("g", {class: "cross"}, svgElement("line", {x1: -14, x2: 14}), svgElement("line", {y1: -14, y2: 14}), svgElement("circle", {r: 7}));
  f.svg.append(svgElement("path", {d: backdropOf(latents, plane, f), class: "dots pale"}), cross);
  f.svg.classList.add("plane");
  const drag = event => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = f.svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * width, y = (event.clientY - box.top) / box.height * high;
    at[plane[0]] = dims[0].low + (x - f.left) / (width - f.left - f.right) * (dims[0].high - dims[0].low);
    if (!one) at[plane[1]] = dims[1].high - (y - f.top) / (high - f.top - f.bottom) * (dims[1].high - dims[1].low);
    moved();
  };
  f.svg.addEventListener("pointerdown", event => {
    f.svg.setPointerCapture(event.pointerId);
    drag(event);
  });
  f.svg.addEventListener("pointermove", drag);
  place.replaceChildren(f.svg);
  return () => cross.setAttribute("transform", `translate(${f.x(at[plane[0]])} ${one ? f.y(0.5) : f.y(at[plane[1]])})`);
}

/** The panel, filled. `model` is what decode.json says of itself; `decode` asks it for a latent. */
export function decoderSection(model, latents, decode) {
  const title = uniqueId("title"), body = element("div", {class: "body decoder"}), count = model.dims.length;
  const how = model.intervals ? "Drag the cross, or set any latent by its numbers: each line shows what the model predicts for a column there, the dot its mean and the line its 90 % interval."
    : "Drag the cross, or set any latent by its numbers: each dot is what the model predicts for a column there.";
  const section = element("section", {id: "decoder", class: "panel wide", "aria-labelledby": title},
    element("div", {class: "panel-head"}, element("h2", {id: title}, "Decoder")), element("p", {class: "how"}, how), body);
  const at = model.dims.map(d => d.mean), plane = count > 1 ? [0, 1] : [0, 0], picture = element("div", {});
  const rows = model.columns.map(column => ({column, ...columnRow(column, [column.low, column.high], window.innerWidth < 600 ? 100 : 200)}));
  const pictures = (model.pictures ?? []).map(pictureFigure);
  const complaint = element("p", {class: "missing", role: "alert"});
  const ask = newestOnly(decode, (answer, error) => {
    complaint.textContent = answer?.mean ? "" : `This latent cannot be decoded: ${answer?.error ?? error?.message ?? "no answer"}`;
    if (!answer?.mean) return;
    rows.forEach((row, k) => row.update(answer.mean[k], answer.half[k]));
    pictures.forEach((own, k) => own.draw(answer.pictures[k]));
  });
  let moveCross = () => {};
  const moved = () => {
    moveCross();
    inputs.forEach((input, d) => input.set(at[d]));
    ask([...at]);
  };
  const inputs = model.dims.map((dim, d) => dimensionInput(dim, value => {
    at[d] = value;
    moved();
  }));
  const redraw = () => {
    const width = Math.min(480, Math.max(220, Math.floor(body.clientWidth > 760 ? body.clientWidth * 0.42 : body.clientWidth)));
    moveCross = drawLivePlane(picture, model, latents, plane, width, at, moved);
    moveCross();
  };
  const names = model.dims.map((d, i) => ({value: String(i), text: d.name})), choose = (label, k) => choice(label, names, String(plane[k]), value => {
    plane[k] = Number(value);
    redraw();
  });
  const find = uniqueId("find"), search = element("input", {type: "search", id: find, size: 14, oninput: () => {
    const text = search.value.trim().toLowerCase();
    for (const {column, row} of rows) row.hidden = text !== "" && !`${column.view} / ${column.name}`.toLowerCase().includes(text);
  }});
  body.append(
    element("div", {}, element("div", {class: "controls"}, ...(count > 2 ? [choose("Across", 0), choose("Up", 1)] : [])), picture,
      element("div", {class: "point"}, ...inputs.map(i => i.row)), complaint),
    element("div", {class: "predicted"}, ...pictures.map(own => own.figure), element("div", {class: "controls"}, element("span", {class: "choice"}, element("label", {for: find}, "Find column"), search),
      element("span", {class: "axis-note"}, `${shown(rows.length)} columns, those that vary most first`)),
      element("div", {class: "found-columns", tabindex: "0", role: "group", "aria-label": "Predicted columns"},
        element("table", {}, element("caption", {class: "unseen"}, "Predicted columns at the cross"), element("tbody", {}, ...rows.map(r => r.row))))));
  return {section, draw() {
    redraw();
    moved();
  }, redraw};
}
