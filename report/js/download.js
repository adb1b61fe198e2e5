// Panels as files: CSV of their numbers, SVG and PNG of their pictures.
import {svgElement} from "./dom.js";

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function cell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvText({columns, rows}) {
  return [columns, ...rows].map(row => row.map(cell).join(",")).join("\n") + "\n";
}

export function saveCsv(name, table) {
  save(`${name}.csv`, new Blob([csvText(table)], {type: "text/csv"}));
}

const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "opacity", "font-size", "font-family", "font-weight"];

/** A copy that looks the same without the style of the page. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const key of kept) to[i].setAttribute(key, style.getPropertyValue(key));
  });
  return copy;
}

/** All pictures of a panel in one SVG, one below the other; canvases become images. */
export function panelSvg(body) {
  const pictures = [...body.querySelectorAll("svg.chart, canvas.chart")];
  let width = 0, height = 0;
  const parts = pictures.map(picture => {
    const w = picture.clientWidth || picture.width?.baseVal?.value || 600, h = picture.clientHeight || picture.height?.baseVal?.value || 300;
    let part;
    if (picture.tagName === "CANVAS") part = svgElement("image", {href: picture.toDataURL("image/png"), width: w, height: h});
    else {
      part = standalone(picture);
      part.setAttribute("width", w);
      part.setAttribute("height", h);
    }
    part.setAttribute("y", height);
    width = Math.max(width, w);
    height += h + 8;
    return part;
  });
  const page = svgElement("svg", {xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height});
  page.append(svgElement("rect", {width, height, fill: getComputedStyle(body).getPropertyValue("--panel").trim() || "#fff"}), ...parts);
  return {text: new XMLSerializer().serializeToString(page), width, height};
}

export function saveSvg(name, body) {
  save(`${name}.svg`, new Blob([panelSvg(body).text], {type: "image/svg+xml"}));
}

export function savePng(name, body) {
  const {text, width, height} = panelSvg(body);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(`${name}.png`, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
