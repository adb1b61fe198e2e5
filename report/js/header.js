// The top of the page: what the run is, whether to trust it, what to do next.
import {element} from "./dom.js";

const verdictMarks = {good: "\u2713", doubtful: "!", linear: "\u2248", unjudged: "?"};

function listOf(title, items, kind) {
  return items.length === 0 ? null : element("div", {class: kind}, element("h3", {}, title), element("ul", {}, ...items.map(item => element("li", {}, item))));
}

export function verdictBox(verdict) {
  const kind = verdict.kind in verdictMarks ? verdict.kind : "unjudged";
  // A warning that the sentence already holds is not repeated.
  const warnings = verdict.warnings.filter(warning => !verdict.text.includes(warning));
  return element("section", {class: `verdict ${kind}`, "aria-label": "Verdict"},
    element("p", {class: "sentence"}, element("span", {class: "badge", "aria-hidden": "true"}, verdictMarks[kind]), element("span", {}, verdict.text)),
    listOf("Warnings", warnings, "warnings"), listOf("What to do next", verdict.next, "next"));
}

function themeButton() {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const button = element("button", {type: "button", class: "theme", onclick: () => {
    root.dataset.theme = dark() ? "light" : "dark";
    button.textContent = dark() ? "Light" : "Dark";
    window.dispatchEvent(new Event("themechange"));
  }}, dark() ? "Light" : "Dark");
  button.setAttribute("aria-label", "Change between light and dark");
  return button;
}

export function fillHeader(page, header) {
  header.append(element("div", {class: "headline"}, element("div", {}, element("p", {class: "family"}, page.family), element("h1", {}, page.title)), themeButton()));
  if (page.verdict) header.append(verdictBox(page.verdict));
  if (page.facts?.length) header.append(element("dl", {class: "facts"}, ...page.facts.map(([value, name]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
}

export function fillFooter(page, footer) {
  if (page.notes?.length) footer.append(element("h2", {}, "Notes"), element("ul", {}, ...page.notes.map(note => element("li", {}, note))));
  footer.append(element("p", {}, `Written by bochner${page.version ? ` ${page.version}` : ""}. This file needs no network and sends nothing.`));
}
