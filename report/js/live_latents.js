// The latent space of a run under way: the panel of the report, whose points move to where they are now.
import {element} from "./dom.js";
import {panelSection} from "./panel.js";

const moving = 600;  // milliseconds

/** Lists of numbers as the report has them (data.js). */
export function encodedFloats(lists) {
  const bytes = new Uint8Array(Float32Array.from(lists.flat(), v => v ?? NaN).buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return {type: "f32", data: btoa(text)};
}

/** Positions between those before and those after; `t` in [0, 1]. */
export function between(before, after, t) {
  const ease = t * t * (3 - 2 * t);
  return after.map((column, d) => column.map((v, n) => (Number.isFinite(before[d][n]) ? before[d][n] + ease * (v - before[d][n]) : v)));
}

function howText(latents, ended) {
  const some = latents.ids.length < latents.samples ? ` ${latents.ids.length} of ${latents.samples} samples are shown.` : "";
  return ended ? `Samples that are near each other are alike.${some}` : `Where samples are now; those near each other are alike. They move while the model learns.${some}`;
}

/** {section, show(latents, ended)}: one panel for all latents of the page. */
export function liveLatents() {
  const place = element("div", {class: "wide live-latents"});
  place.style.gridColumn = "1 / -1";
  let panel = null, names = "", automatic = null, frame = 0;

  const build = (latents, ended) => {
    panel = {id: "latent", kind: "latent", title: "Latent space", how: howText(latents, ended), dims: latents.dims, wide: true,
      mean: encodedFloats(latents.mean), samples: {ids: latents.ids, fields: []}};
    const made = panelSection(panel, panel);
    panel.section = made;
    place.replaceChildren(made.section);
    made.draw();
    automatic = panel.state?.camera ?? null;
  };
  const move = target => {
    cancelAnimationFrame(frame);
    const before = panel.state.mean.map(column => column.slice()), begin = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = now => {
      const t = still ? 1 : Math.min(1, Math.max(0, now - begin) / moving);
      panel.state.mean = between(before, target, t);
      const follow = panel.state.camera === automatic;  // until somebody chooses another view
      if (follow) panel.state.camera = null;
      panel.refresh();
      if (follow) automatic = panel.state.camera;
      if (t < 1) frame = requestAnimationFrame(step);
    };
    step(begin);
  };
  return {
    section: place,
    redraw: fresh => panel && (fresh ? panel.section.again() : panel.section.draw()),
    show(latents, ended) {
      const target = latents.mean.map(column => Float32Array.from(column, v => v ?? NaN));
      const now = JSON.stringify([latents.dims.length, latents.ids]);
      if (!panel?.state || now !== names) {
        names = now;
        build(latents, ended);
        return;
      }
      panel.state.dims = latents.dims;
      panel.section.section.querySelector(".how").textContent = howText(latents, ended);
      move(target);
    }};
}
