// Colours that readers with any kind of colour vision can tell apart: the palette of Okabe and Ito for classes, darkened where a
// colour would be hard to see on white; viridis for numbers.

export const classColours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B8860B", "#3A9BDC", "#6B4C9A", "#7F7F7F"];
export const noColour = "#9AA3AD";

function mixed(hex, towards, share) {
  const parts = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  return `#${parts.map(c => Math.round(c + share * (towards - c)).toString(16).padStart(2, "0")).join("")}`;
}

/** The palette, then lighter, then darker; more classes than three palettes begin again. */
export function classColour(k) {
  if (k < 0) return noColour;
  const colour = classColours[k % classColours.length], round = Math.floor(k / classColours.length) % 3;
  return round === 0 ? colour : mixed(colour, round === 1 ? 255 : 0, round === 1 ? 0.45 : 0.4);
}

const viridis = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]];

/** The colour of t in [0, 1] as [r, g, b]. */
export function viridisOf(t) {
  const at = Math.min(1, Math.max(0, t)) * (viridis.length - 1);
  const i = Math.min(viridis.length - 2, Math.floor(at)), f = at - i;
  return viridis[i].map((c, k) => Math.round(c + f * (viridis[i + 1][k] - c)));
}

export function numberColour(t) {
  return Number.isNaN(t) ? noColour : `rgb(${viridisOf(t).join(",")})`;
}

/** White to blue for shares: t in [0, 1]. */
export function shareColour(t) {
  const s = Math.min(1, Math.max(0, t));
  return `rgb(${[247, 251, 255].map((c, k) => Math.round(c + s * ([8, 69, 148][k] - c))).join(",")})`;
}
