// The latent space on a canvas: points by colour, ellipses of uncertainty, axes, the lasso.
import {ticks} from "./axes.js";
import {isSpace, project, turned} from "./camera.js";
import {shown} from "./data.js";
import {shortText} from "./dom.js";

const z90 = 1.6449;                      // of the normal distribution, in one dimension
const ellipse90 = Math.sqrt(4.60517);    // sqrt of the 90 % quantile of chi^2 with two degrees of freedom

export function boxOf(width, height, camera) {
  return isSpace(camera) ? {left: 0, top: 0, width, height} : {left: 52, top: 10, width: width - 64, height: height - 52};
}

function css(canvas, name) {
  return getComputedStyle(canvas).getPropertyValue(name).trim();
}

function drawPlaneAxes(context, canvas, camera, box, names) {
  context.strokeStyle = css(canvas, "--grid");
  context.fillStyle = css(canvas, "--soft");
  context.lineWidth = 1;
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  for (const t of ticks(...camera.x, box.width / 90)) {
    const x = box.left + (t - camera.x[0]) / (camera.x[1] - camera.x[0]) * box.width;
    context.strokeRect(x, box.top, 0, box.height);
    context.fillText(shown(Number(t.toPrecision(6))), x, box.top + box.height + 15);
  }
  context.textAlign = "right";
  for (const t of ticks(...camera.y, box.height / 60)) {
    const y = box.top + box.height - (t - camera.y[0]) / (camera.y[1] - camera.y[0]) * box.height;
    context.strokeRect(box.left, y, box.width, 0);
    context.fillText(shown(Number(t.toPrecision(6))), box.left - 6, y + 4);
  }
  context.fillStyle = css(canvas, "--text");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillText(shortText(names[0], 60), box.left + box.width / 2, box.top + box.height + 34);
  context.save();
  context.translate(13, box.top + box.height / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(shortText(names[1], 40), 0, 0);
  context.restore();
}

/** The edges of the cube that holds all points. */
function drawSpaceAxes(context, canvas, camera, box, names) {
  const turn = turned(camera), size = 0.48 * camera.zoom * Math.min(box.width, box.height);
  const at = (a, b, c) => {
    const [u, v] = turn(a, b, c);
    return [box.width / 2 + size * u, box.height / 2 - size * v];
  };
  context.strokeStyle = css(canvas, "--grid");
  context.lineWidth = 1;
  context.beginPath();
  for (const a of [-1, 1])
    for (const b of [-1, 1])
      for (const [from, to] of [[[-1, a, b], [1, a, b]], [[a, -1, b], [a, 1, b]], [[a, b, -1], [a, b, 1]]]) {
        context.moveTo(...at(...from));
        context.lineTo(...at(...to));
      }
  context.stroke();
  context.fillStyle = css(canvas, "--text");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  [[0, -1.15, -1.15], [-1.15, 0, -1.15], [-1.15, -1.15, 0]].forEach((corner, d) => context.fillText(shortText(names[d], 30), ...at(...corner)));
}

/** Opacity of ellipses that together cover the picture `layers` times: many large ones must not hide the points. */
export function hazeOf(layers) {
  return Math.min(0.12, Math.max(0.004, 0.6 / Math.max(1, layers)));
}

function drawEllipses(context, scene, groups, px, py, box) {
  const sx = box.width / (scene.camera.x[1] - scene.camera.x[0]), sy = box.height / (scene.camera.y[1] - scene.camera.y[0]);
  context.globalAlpha = hazeOf(groups.reduce((sum, {members}) =>
    sum + members.reduce((area, n) => area + Math.PI * ellipse90 ** 2 * scene.sd[0][n] * sx * scene.sd[1][n] * sy, 0), 0) / (box.width * box.height));
  for (const {colour, members} of groups) {
    context.fillStyle = colour;
    for (const n of members) {
      context.beginPath();
      context.ellipse(px[n], py[n], Math.max(0.5, ellipse90 * scene.sd[0][n] * sx), Math.max(0.5, ellipse90 * scene.sd[1][n] * sy), 0, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

/** The samples of each path in the order of time; a ring where it begins. */
function drawPaths(context, canvas, paths, px, py) {
  context.strokeStyle = css(canvas, "--soft");
  context.lineJoin = "round";
  for (const rows of paths) {
    if (rows.length === 0) continue;
    context.lineWidth = 1.2;
    context.beginPath();
    rows.forEach((n, i) => (i ? context.lineTo(px[n], py[n]) : context.moveTo(px[n], py[n])));
    context.stroke();
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px[rows[0]], py[rows[0]], 7, 0, 2 * Math.PI);
    context.stroke();
  }
}

function drawGroup(context, members, px, py, radius, square) {
  context.beginPath();
  for (const n of members) {
    if (square) context.rect(px[n] - radius, py[n] - radius, 2 * radius, 2 * radius);
    else {
      context.moveTo(px[n] + radius, py[n]);
      context.arc(px[n], py[n], radius, 0, 2 * Math.PI);
    }
  }
  context.fill();
}

/** Draws the scene {axes, sd, names, groups, camera, selected, found, lasso, ellipses} and returns the pixels of its points. */
export function drawScene(canvas, scene, width, height) {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d"), box = boxOf(width, height, scene.camera), count = scene.axes[0].length;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const {px, py} = project(scene.camera, scene.axes, box);
  (isSpace(scene.camera) ? drawSpaceAxes : drawPlaneAxes)(context, canvas, scene.camera, box, scene.names);
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  if (scene.ellipses && scene.sd && !isSpace(scene.camera)) drawEllipses(context, scene, scene.groups, px, py, box);
  if (scene.paths) drawPaths(context, canvas, scene.paths, px, py);
  const radius = count <= 300 ? 4 : count <= 3000 ? 3 : count <= 20000 ? 1.8 : 1;
  for (const {colour, members} of scene.groups) {
    context.fillStyle = colour;
    context.globalAlpha = scene.selected ? 0.15 : count > 3000 ? 0.7 : 0.9;
    drawGroup(context, members, px, py, radius, count > 20000);
    if (!scene.selected) continue;
    context.globalAlpha = 1;
    drawGroup(context, members.filter(n => scene.selected[n]), px, py, radius, count > 20000);
  }
  context.globalAlpha = 1;
  context.strokeStyle = css(canvas, "--text");
  context.lineWidth = 2;
  for (const n of scene.found) context.strokeRect(px[n] - 7, py[n] - 7, 14, 14);
  if (scene.lasso.length > 1) {
    context.setLineDash([5, 4]);
    context.beginPath();
    scene.lasso.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.stroke();
    context.setLineDash([]);
  }
  context.restore();
  return {px, py};
}

export function intervalText(mean, sd) {
  return sd === undefined ? shown(mean) : `${shown(mean)} (${shown(mean - z90 * sd)} to ${shown(mean + z90 * sd)})`;
}
