// What samples can be coloured by: columns of tables, annotations, labels.
import {classColour, noColour, numberColour} from "./colour.js";
import {codesOf, numbersOf, rangeOf, shown} from "./data.js";

const shades = 48;

/** Fields with their values decoded when they are first asked for. */
export function fieldsOf(samples) {
  return samples.fields.map((field, index) => {
    let data = null;
    return {...field, index, get data() {
      data ??= field.kind === "class" ? codesOf(field.values) : numbersOf(field.values);
      return data;
    }};
  });
}

export function fieldLabel(field) {
  return field.group && field.group !== "meta" ? `${field.group} / ${field.name}` : field.name;
}

export function fieldValue(field, n) {
  if (field.kind === "class") return field.classes[field.data[n]] ?? "none";
  return Number.isNaN(field.data[n]) ? "missing" : shown(field.data[n]);
}

/** Samples of the same colour together: [{colour, members, name}]; hidden classes are left out. */
export function colourGroups(field, count, hidden) {
  if (!field) return [{colour: classColour(0), members: Array.from({length: count}, (_, n) => n)}];
  const groups = new Map(), [low, high] = field.kind === "class" ? [0, 1] : rangeOf(field.data);
  for (let n = 0; n < count; ++n) {
    const v = field.data[n];
    const key = field.kind === "class" ? v : Number.isNaN(v) ? -1 : Math.min(shades - 1, Math.floor((v - low) / (high - low) * shades));
    if (hidden?.has(key)) continue;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(n);
  }
  const colour = key => (key < 0 ? noColour : field.kind === "class" ? classColour(key) : numberColour((key + 0.5) / shades));
  return [...groups].sort((a, b) => a[0] - b[0]).map(([key, members]) => ({colour: colour(key), members, key}));
}
