// Elements. Text only ever becomes text: no string of the document is parsed as HTML.

export function element(name, attributes = {}, ...children) {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) out.addEventListener(key.slice(2), value);
    else if (value === true) out.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) out.setAttribute(key, value);
  }
  for (const child of children) if (child !== null && child !== undefined) out.append(child);
  return out;
}

export function svgElement(name, attributes = {}, ...children) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
  for (const child of children) out.append(child);
  return out;
}

/** The box that names what is under the pointer. */
export function showTip(event, text) {
  let tip = document.getElementById("tip");
  if (!tip) {
    tip = element("div", {id: "tip", role: "status"});
    document.body.append(tip);
  }
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const y = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8);
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${Math.max(4, y)}px`;
}

/** Cut to a number of characters, whole ones; the end becomes an ellipsis. */
export function shortText(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, Math.max(1, most - 1)).join("")}\u2026` : text;
}

let ruler = null;
/** Width in pixels. */
export function textWidth(text, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** Cut to a width in pixels; letters of other scripts are wider than the average. */
export function fitText(text, pixels, font = "600 12.5px system-ui, sans-serif") {
  let out = shortText(text, Math.max(2, Math.floor(pixels / 3)));
  while (out.length > 2 && textWidth(out, font) > pixels) out = shortText(out, [...out].length - 1);
  return out;
}

let names = 0;
export function uniqueId(stem) {
  names += 1;
  return `${stem}-${names}`;
}

/** A select with its label; groups become optgroups. `options` are {value, text, group}. */
export function choice(label, options, value, onChange) {
  const id = uniqueId("choice");
  const select = element("select", {id, onchange: () => onChange(select.value)});
  const groups = new Map();
  for (const option of options) {
    const item = element("option", {value: option.value}, option.text);
    item.selected = option.value === value;
    if (!option.group) {
      select.append(item);
      continue;
    }
    if (!groups.has(option.group)) {
      const group = element("optgroup", {label: option.group});
      groups.set(option.group, group);
      select.append(group);
    }
    groups.get(option.group).append(item);
  }
  return element("span", {class: "choice"}, element("label", {for: id}, label), select);
}
