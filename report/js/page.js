// Builds the page from its document; panels are drawn when they come near the window.
import {element} from "./dom.js";
import {fillFooter, fillHeader} from "./header.js";
import {panelSection} from "./panel.js";
import {readDocument} from "./data.js";

function missingText(panel, error) {
  return element("p", {class: "missing"}, `${panel.title} cannot be drawn: ${error.message}`);
}

export function buildPage(page) {
  const main = document.getElementById("panels"), contents = document.getElementById("contents");
  fillHeader(page, document.getElementById("top"));
  const panels = page.panels.map(panel => ({panel, ...panelSection(panel, page)}));
  main.replaceChildren(...panels.map(p => p.section));
  contents.append(element("ul", {}, ...panels.map(p => element("li", {}, element("a", {href: `#${p.panel.id}`}, p.panel.title)))));
  fillFooter(page, document.getElementById("end"));

  const attempt = (p, draw) => {
    try {
      draw();
    } catch (error) {  // the others are drawn
      p.section.append(missingText(p.panel, error));
      console.error(error);
    }
  };
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const p = panels.find(q => q.section === entry.target);
      if (entry.isIntersecting) attempt(p, p.draw);
    }
  }, {rootMargin: "800px"});
  for (const p of panels) near.observe(p.section);
  const drawn = () => panels.filter(p => p.wasDrawn());
  let timer = 0;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => drawn().forEach(p => attempt(p, p.draw)), 120);
  });
  window.addEventListener("themechange", () => drawn().forEach(p => attempt(p, p.again)));
  window.addEventListener("beforeprint", () => panels.forEach(p => attempt(p, p.draw)));
}

buildPage(readDocument(document.getElementById("document").textContent));
