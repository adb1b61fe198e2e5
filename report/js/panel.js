// A panel: title, how to read it, the picture, its numbers, its files.
import {barsTable, drawBarPanel} from "./bars.js";
import {decoderTable, drawDecoder} from "./decoder.js";
import {drawGram, drawMap, gramTable, mapTable} from "./raster.js";
import {drawHeatmap, heatmapTable} from "./heatmap.js";
import {drawLatent, latentTable} from "./latent.js";
import {drawLines, linesTable} from "./lines.js";
import {drawPointsPanel, pointsTable} from "./points.js";
import {drawTable, tableElement} from "./table.js";
import {element} from "./dom.js";
import {saveCsv, savePng, saveSvg} from "./download.js";

const kinds = {
  bars: [drawBarPanel, barsTable], decoder: [drawDecoder, decoderTable], gram: [drawGram, gramTable], heatmap: [drawHeatmap, heatmapTable],
  latent: [drawLatent, latentTable], lines: [drawLines, linesTable], map: [drawMap, mapTable], points: [drawPointsPanel, pointsTable],
  table: [drawTable, panel => panel.table]};

function tools(panel, body, page) {
  const csv = () => saveCsv(panel.id, kinds[panel.kind][1](panel, page));
  const button = (text, onclick) => element("button", {type: "button", onclick, "aria-label": `${panel.title} as ${text}`}, text);
  const out = [button("CSV", csv)];
  if (panel.kind !== "table") out.push(button("SVG", () => saveSvg(panel.id, body)), button("PNG", () => savePng(panel.id, body)));
  return element("div", {class: "tools"}, ...out);
}

/** The section of a panel, empty; draw() fills it, and fills it again where its width has changed. */
export function panelSection(panel, page) {
  const title = `title-${panel.id}`, body = element("div", {class: "body"});
  const section = element("section", {id: panel.id, class: panel.wide ? "panel wide" : "panel", "aria-labelledby": title},
    element("div", {class: "panel-head"}, element("h2", {id: title}, panel.title), tools(panel, body, page)),
    element("p", {class: "how"}, panel.how), body);
  if (panel.table && panel.kind !== "table")
    section.append(element("details", {}, element("summary", {}, "Numbers"), tableElement(panel.table, `${panel.title}: numbers`)));
  let drawn = 0;
  const draw = () => {
    const width = Math.floor(body.clientWidth);
    if (width === drawn || width === 0) return;
    drawn = width;
    body.replaceChildren();
    kinds[panel.kind][0](panel, body, width, page);
  };
  const again = () => {
    drawn = 0;
    draw();
  };
  return {section, draw, again, wasDrawn: () => drawn > 0};
}
