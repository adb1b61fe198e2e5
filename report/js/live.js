// The page of `bochner serve`: asks the server how the run is going, and draws what has changed.
import {decoderSection} from "./live_decoder.js";
import {element} from "./dom.js";
import {fillHeader, verdictBox} from "./header.js";
import {liveLatents} from "./live_latents.js";
import {newsOf, statusOf} from "./live_status.js";
import {panelSection} from "./panel.js";

const often = 2000, seldom = 10000;  // milliseconds between two questions
const ended = state => state.phase === "finished" || state.phase === "interrupted";

async function ask(path) {
  const response = await fetch(path, {cache: "no-store"});
  return response.json();
}

function objectivePanel(state) {
  const trace = state.trace ?? {}, name = state.objective || "objective";
  return {id: "objective", kind: "lines", title: "Objective", wide: true, how: "What the fit maximises, or samples from, step by step; the first steps are cut off where they would flatten the rest.",
    charts: [{title: "", x: "step", y: name, clip: true, curves: [{name, x: trace.steps ?? [], y: trace.values ?? []}]}]};
}

function progressBox() {
  const doing = element("p", {class: "doing"}), bar = element("progress", {max: "1", "aria-label": "Share of the steps"});
  const box = element("div", {class: "progress"}, doing, bar);
  return {box, show({text, share}, lost = false) {
    doing.textContent = text;
    bar.hidden = share === null;
    if (share !== null) bar.value = share;
    box.classList.toggle("lost", lost);
  }};
}

function livePage() {
  const header = document.getElementById("top"), main = document.getElementById("panels"), news = document.getElementById("news");
  const progress = progressBox(), head = element("div", {}), result = element("div", {}), objectivePlace = element("div", {}), decoderPlace = element("div", {});
  for (const place of [objectivePlace, decoderPlace]) place.style.gridColumn = "1 / -1";
  const latents = liveLatents();
  let state = null, title = "", objective = null, objectiveText = "", latentsVersion = null, shownLatents = null, decoder = null, decodedVersion = null;
  header.append(head, progress.box, result);
  main.replaceChildren(latents.section, objectivePlace, decoderPlace);

  const showHead = now => {
    const text = JSON.stringify([now.family, now.title]);
    if (text === title) return;
    title = text;
    document.title = `${now.title} - bochner serve`;
    head.replaceChildren();
    fillHeader({family: now.family, title: now.title}, head);
  };
  const showResult = now => {
    const old = state ? JSON.stringify([state.verdict, state.report]) : "";
    if (JSON.stringify([now.verdict, now.report]) === old) return;
    result.replaceChildren(...[now.verdict ? verdictBox(now.verdict) : null,
      now.report ? element("p", {class: "to-report"}, element("a", {href: "report.html"}, "Open the report of this run")) : null].filter(Boolean));
  };
  const showObjective = now => {
    const panel = now.objective_panel ?? objectivePanel(now), text = JSON.stringify(panel);
    const any = panel.charts.some(chart => chart.curves.some(curve => curve.x.length > 1));
    if (text === objectiveText || !any) return;  // the last picture stays until there is another one
    objectiveText = text;
    objective = panelSection(panel, {});
    objectivePlace.replaceChildren(objective.section);
    objective.draw();
  };
  const showLatents = async now => {
    if (now.latents === latentsVersion) return;
    latentsVersion = now.latents;
    if (now.latents === null) return;
    shownLatents = await ask("latents.json");
    if (shownLatents.ids) latents.show(shownLatents, ended(now));
  };
  const showDecoder = async now => {
    const version = ended(now) ? now.latents : null;
    if (version === decodedVersion) return;
    decodedVersion = version;
    decoder = null;
    decoderPlace.replaceChildren();
    if (version === null) return;
    const model = await ask("decode.json");
    if (!model.dims) return;
    decoder = decoderSection(model, shownLatents, at => ask(`decode.json?x=${at.map(v => Number(v.toPrecision(8))).join(",")}`));
    decoderPlace.replaceChildren(decoder.section);
    decoder.draw();
  };
  const look = async () => {
    const now = await ask("state.json");
    if (!now.phase) throw new Error(now.error ?? "the server gives no state");
    showHead(now);
    progress.show(statusOf(now));
    const said = newsOf(state, now);
    if (said) news.textContent = said;
    showResult(now);
    showObjective(now);
    state = now;
    await showLatents(now);
    await showDecoder(now);
  };
  const follow = async () => {
    try {
      if (!document.hidden) await look();
    } catch (error) {
      progress.show({text: "The server does not answer: it has ended, or the connection is lost. This page tries again.", share: null}, true);
    }
    setTimeout(follow, state && ended(state) && state.report ? seldom : often);
  };
  let timer = 0;
  const redraw = fresh => {
    latents.redraw(fresh);
    if (objective) fresh ? objective.again() : objective.draw();
    if (decoder) decoder.redraw();
  };
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => redraw(false), 120);
  });
  window.addEventListener("themechange", () => redraw(true));
  follow();
}

livePage();
