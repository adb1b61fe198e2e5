// node --test report/tests
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {Script} from "node:vm";
import {cameraFor, moved, project, zoomed} from "../js/camera.js";
import {codesOf, numbersOf, shown} from "../js/data.js";
import {columnAt, cornersOf, planeNumbers} from "../js/decoded.js";
import {chosenRows, estimateText} from "../js/decoder.js";
import {classDifference, differences, numberDifference} from "../js/differ.js";
import {gridOf, nearestInGrid, pointsWithin} from "../js/geometry.js";
import {csvText} from "../js/download.js";
import {hazeOf} from "../js/scatter.js";
import {ticks} from "../js/axes.js";

const base64 = array => Buffer.from(array.buffer).toString("base64");
const read = name => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("modules joined into one script, as the build joins them, are one without a name twice", () => {
  const joined = read("modules.txt").trim().split("\n").map(file => read(`js/${file}`).replace(/^import [^\n]*/gm, "").replace(/^export /gm, "")).join("\n");
  assert.ok(joined.length > 20000);
  new Script(`"use strict";\n${joined}`);  // a name that is declared twice is a SyntaxError
});

test("a module imports only from modules before it, in one line", () => {
  const files = read("modules.txt").trim().split("\n");
  files.forEach((file, i) => {
    for (const [, from] of read(`js/${file}`).matchAll(/^import .* from "\.\/(.*)";$/gm)) assert.ok(files.indexOf(from) >= 0 && files.indexOf(from) < i, `${file} imports ${from}`);
    assert.doesNotMatch(read(`js/${file}`), /^import [^;]*$/m);
  });
});

test("no module parses text as HTML or asks the network", () => {
  for (const file of read("modules.txt").trim().split("\n"))
    assert.doesNotMatch(read(`js/${file}`), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|XMLHttpRequest|https?:\/\/(?!www\.w3\.org)/, file);
});

test("encoded numbers come back; what is missing is NaN or -1", () => {
  assert.deepEqual([...numbersOf({type: "f32", data: base64(Float32Array.of(1, NaN, -2.5))})], [1, NaN, -2.5]);
  assert.deepEqual([...numbersOf({type: "u16", low: -1, high: 1, data: base64(Uint16Array.of(0, 32767, 65534, 65535))})], [-1, 0, 1, NaN]);
  assert.deepEqual([...codesOf({data: base64(Uint16Array.of(0, 7, 65535))})], [0, 7, -1]);
});

test("numbers as a person reads them", () => {
  assert.deepEqual([1234567, 0.123456, 1e-9, null, 0].map(shown), ["1,234,567", "0.1235", "1.00e-9", "", "0"]);
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.ok(ticks(-0.9, 0.9, 2).length >= 3);
});

test("a cell of a CSV file with quotes, commas and line ends", () => {
  assert.equal(csvText({columns: ["a", 'b"c'], rows: [["x,y", null], ["l\nm", NaN]]}), 'a,"b""c"\n"x,y",\n"l\nm",\n');
});

test("the lasso holds what is within it, also where it is concave", () => {
  const within = pointsWithin([1, 5, 5, 20], [1, 1, 8, 1], [[0, 0], [10, 0], [10, 10], [5, 4], [0, 10]]);
  assert.deepEqual([...within], [1, 1, 0, 0]);
});

test("the nearest point of the grid is that of a search over all", () => {
  const px = Float32Array.from({length: 500}, (_, i) => (i * 37) % 301), py = Float32Array.from({length: 500}, (_, i) => (i * 53) % 203);
  const grid = gridOf(px, py);
  for (let k = 0; k < 50; ++k) {
    const x = (k * 17) % 301 + 0.3, y = (k * 29) % 203 + 0.2;
    let best = -1, distance = 144;
    px.forEach((_, i) => {
      const d = (px[i] - x) ** 2 + (py[i] - y) ** 2;
      if (d < distance) [best, distance] = [i, d];
    });
    assert.equal(nearestInGrid(grid, x, y, 12), best);
  }
});

test("differences: Cohen's d of two groups, and the class whose share differs most", () => {
  const d = numberDifference([1, 3, 5, 7, NaN], [1, 1, 0, 0, 0]);
  assert.deepEqual([d.inside, d.outside], [2, 6]);
  assert.ok(Math.abs(d.effect + 4 / Math.SQRT2) < 1e-12);  // both variances are 2
  assert.deepEqual(classDifference([0, 0, 1, 1, 2], ["a", "b", "c"], [1, 1, 1, 0, 0]), {name: "a", inside: 2 / 3, outside: 0, effect: 2 / 3});
  const fields = [{kind: "number", data: [0, 1, 0, 1]}, {kind: "number", data: [0, 1, 9, 8]}, {kind: "number", data: [2, 2, 2, 2]}];
  assert.deepEqual(differences(fields, [1, 1, 0, 0]).numbers.map(n => fields.indexOf(n.field)), [1, 0]);
});

test("zoom keeps the place under the pointer, and moving moves by as many pixels", () => {
  const axes = [[0, 1, 2], [5, 3, 4]], box = {left: 10, top: 20, width: 200, height: 100}, camera = cameraFor(axes);
  const {px, py} = project(camera, axes, box);
  const near = project(zoomed(camera, 2, px[1], py[1], box), axes, box);
  assert.ok(Math.abs(near.px[1] - px[1]) < 1e-3 && Math.abs(near.py[1] - py[1]) < 1e-3);
  assert.ok(Math.abs(near.px[2] - near.px[0] - 2 * (px[2] - px[0])) < 1e-3);
  const far = project(moved(camera, 7, -5, box), axes, box);
  assert.ok(Math.abs(far.px[0] - px[0] - 7) < 1e-3 && Math.abs(far.py[0] - py[0] + 5) < 1e-3);
});

test("between knots the decoder is bilinear, outside it stays at the edge", () => {
  const plane = {low: [0, 0], high: [2, 2]}, values = Float32Array.from({length: 9}, (_, at) => at % 3 + 10 * Math.floor(at / 3));
  const at = (a, b) => columnAt(values, 0, 3, cornersOf(plane, 3, a, b));
  assert.ok(Math.abs(at(0.5, 1.25) - 13) < 1e-6);
  assert.equal(at(9, -9), 2);
});

test("an estimate has the decimals of its interval", () => {
  assert.equal(estimateText(-0.02115, 0.3249), "-0.02 \u00b1 0.32");
  assert.equal(estimateText(1234.56, 45.6), "1235 \u00b1 46");
});

test("many large ellipses are paler than few small ones", () => {
  assert.equal(hazeOf(0.5), 0.12);
  assert.ok(hazeOf(60) <= 0.01 && hazeOf(60) > 0);
});

test("columns of a plane are decoded one by one, each in steps of its own range", () => {
  const steps = (low, high, ...at) => ({type: "u16", low, high, data: base64(Uint16Array.from(at))});
  const {mean, sd} = planeNumbers({mean: [steps(0, 1, 0, 65534), steps(-1000, 1000, 32767, 65535)]});
  assert.deepEqual([...mean], [0, 1, 0, NaN]);
  assert.equal(sd, null);
});

test("a search for columns takes the text as it is, else all words in any order", () => {
  const rows = ["rna cd3e", "rna cd4", "protein cd4"].map(words => ({words}));
  assert.deepEqual(chosenRows(rows, " CD4  rna ", 24), {found: 1, shown: [rows[1]]});
  assert.deepEqual(chosenRows([{words: "rna gene 17"}, {words: "rna gene 7"}], "gene 7", 24), {found: 1, shown: [{words: "rna gene 7"}]});
  assert.deepEqual(chosenRows(rows, "", 2), {found: 3, shown: rows.slice(0, 2)});
});
