// Where latents fall on the canvas: a window of a plane, or three dimensions seen from a direction.
import {padded, scale} from "./axes.js";
import {rangeOf} from "./data.js";

/** A camera that sees all points. `axes` are two or three arrays of coordinates. */
export function cameraFor(axes) {
  const ranges = axes.map(values => padded(rangeOf(values), 0.06));
  return axes.length === 3 ? {ranges, yaw: 0.6, pitch: 0.45, zoom: 1} : {x: ranges[0], y: ranges[1]};
}

export function isSpace(camera) {
  return camera.ranges !== undefined;
}

/** Pixels of all points. `box`: {left, top, width, height} of the part of the canvas that is drawn on. */
export function project(camera, axes, box) {
  const count = axes[0].length, px = new Float32Array(count), py = new Float32Array(count);
  if (!isSpace(camera)) {
    const x = scale(camera.x, [box.left, box.left + box.width]), y = scale(camera.y, [box.top + box.height, box.top]);
    for (let i = 0; i < count; ++i) [px[i], py[i]] = [x(axes[0][i]), y(axes[1][i])];
    return {px, py};
  }
  const turn = turned(camera), size = 0.48 * camera.zoom * Math.min(box.width, box.height);
  const unit = camera.ranges.map(range => scale(range, [-1, 1]));
  for (let i = 0; i < count; ++i) {
    const [u, v] = turn(unit[0](axes[0][i]), unit[1](axes[1][i]), unit[2](axes[2][i]));
    px[i] = box.left + box.width / 2 + size * u;
    py[i] = box.top + box.height / 2 - size * v;
  }
  return {px, py};
}

/** Coordinates in [-1, 1] to the plane of the screen: right and up. */
export function turned({yaw, pitch}) {
  const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch), shrink = 0.72;
  return (a, b, c) => [shrink * (cy * a + sy * b), shrink * (cp * c + sp * (cy * b - sy * a))];
}

/** Moved by pixels: a plane is shifted, a space is turned. */
export function moved(camera, dx, dy, box) {
  if (isSpace(camera)) {
    const pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, camera.pitch + dy * 0.008));
    return {...camera, yaw: camera.yaw + dx * 0.008, pitch};
  }
  const sx = (camera.x[1] - camera.x[0]) * dx / box.width, sy = (camera.y[1] - camera.y[0]) * dy / box.height;
  return {x: camera.x.map(v => v - sx), y: camera.y.map(v => v + sy)};
}

/** Nearer by a factor; the place under (px, py) stays where it is. */
export function zoomed(camera, factor, px, py, box) {
  if (isSpace(camera)) return {...camera, zoom: Math.min(40, Math.max(0.3, camera.zoom * factor))};
  const about = ([low, high], share) => {
    const at = low + share * (high - low);
    return [at - (at - low) / factor, at + (high - at) / factor];
  };
  return {x: about(camera.x, (px - box.left) / box.width), y: about(camera.y, 1 - (py - box.top) / box.height)};
}
