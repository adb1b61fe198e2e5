// The answer to a lasso: which samples lie in it, and what sets them apart.
import {drawBars} from "./bars.js";
import {differences} from "./differ.js";
import {shown} from "./data.js";
import {element} from "./dom.js";
import {saveCsv} from "./download.js";
import {fieldLabel} from "./fields.js";
import {tableElement} from "./table.js";

const mostShown = 12;

function percentText(share) {
  return `${(100 * share).toFixed(0)} %`;
}

function differenceTable({numbers, classes}) {
  return {
    columns: ["column", "class", "selected", "others", "difference"],
    rows: [...numbers.map(d => [fieldLabel(d.field), "", d.inside, d.outside, d.effect]),
      ...classes.map(d => [fieldLabel(d.field), d.name, d.inside, d.outside, d.effect])]};
}

/** Replaces what `target` shows. `within` is 1 for selected samples, or null. */
export function showSelection(target, samples, fields, within, width, onClear) {
  target.replaceChildren();
  if (!within) return;
  const members = samples.ids.filter((_, n) => within[n]);
  const clear = element("button", {type: "button", onclick: onClear}, "Clear the selection");
  if (members.length === 0 || members.length === samples.ids.length) {
    target.append(element("p", {role: "status"}, members.length ? "All samples are selected; select some of them to compare." : "No samples there."), clear);
    return;
  }
  const found = differences(fields, within);
  target.append(element("h3", {role: "status"}, `${shown(members.length)} of ${shown(samples.ids.length)} samples selected`));
  if (found.numbers.length > 0) {
    const rows = found.numbers.slice(0, mostShown).map(d => ({name: fieldLabel(d.field), values: [d.effect]}));
    target.append(element("p", {class: "how"}, "Columns that differ most from those of the other samples, in units of their standard deviation; to the right the selected samples have more."),
      element("div", {class: "charts"}, drawBars({title: "", axis: "difference of means / sd", series: ["difference"], rows}, Math.min(width, 640))));
  }
  for (const d of found.classes.slice(0, 5).filter(c => Math.abs(c.effect) > 0.05))
    target.append(element("p", {}, `${fieldLabel(d.field)} = ${d.name}: ${percentText(d.inside)} of the selected, ${percentText(d.outside)} of the others.`));
  target.append(
    element("details", {}, element("summary", {}, "The samples"), tableElement({columns: ["sample"], rows: members.map(id => [id])}, "Selected samples")),
    element("p", {class: "tools"},
      element("button", {type: "button", onclick: () => saveCsv("selected_samples", {columns: ["id"], rows: members.map(id => [id])})}, "Samples as CSV"),
      element("button", {type: "button", onclick: () => saveCsv("differences", differenceTable(found))}, "Differences as CSV"), clear));
}
