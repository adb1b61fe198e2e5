// A picture of predicted pixels.
import {element} from "./dom.js";

/** A figure, and a function that draws numbers from `low` (black) to `high` (white) in it, row after row. */
export function pictureFigure({view, rows, cols, low, high}) {
  const canvas = element("canvas", {width: cols, height: rows, class: "picture", role: "img", "aria-label": `Predicted picture of ${view}`});
  const context = canvas.getContext("2d"), image = context.createImageData(cols, rows);
  const draw = pixels => {
    for (let p = 0; p < rows * cols; ++p) image.data.set([...Array(3).fill(255 * (pixels[p] - low) / (high - low || 1)), 255], 4 * p);
    context.putImageData(image, 0, 0);
  };
  return {figure: element("figure", {}, element("figcaption", {}, view), canvas), draw};
}
