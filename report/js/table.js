// Tables of text and numbers.
import {shown} from "./data.js";
import {element} from "./dom.js";

const mostRows = 200;

export function tableElement(table, caption) {
  const numeric = table.columns.map((_, j) => table.rows.some(row => typeof row[j] === "number") && table.rows.every(row => row[j] === null || typeof row[j] === "number"));
  const head = element("tr", {}, ...table.columns.map((name, j) => element("th", {scope: "col", class: numeric[j] ? "number" : null}, name)));
  const rows = table.rows.slice(0, mostRows).map(row => element("tr", {}, ...row.map((value, j) =>
    element(j === 0 ? "th" : "td", {scope: j === 0 ? "row" : null, class: numeric[j] ? "number" : null}, shown(value)))));
  const out = element("div", {class: "table", tabindex: "0", role: "region", "aria-label": caption},
    element("table", {}, element("caption", {class: "unseen"}, caption), element("thead", {}, head), element("tbody", {}, ...rows)));
  if (table.rows.length > mostRows) out.append(element("p", {class: "axis-note"}, `The first ${mostRows} of ${shown(table.rows.length)} rows; the CSV file has all.`));
  return out;
}

export function drawTable(panel, body) {
  body.append(tableElement(panel.table, panel.title));
}
