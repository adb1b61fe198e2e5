// node --test report/tests
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {numbersOf} from "../js/data.js";
import {newestOnly} from "../js/live_decoder.js";
import {between, encodedFloats} from "../js/live_latents.js";
import {clockTime, newsOf, statusOf} from "../js/live_status.js";

const read = name => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const modules = read("live_modules.txt").trim().split("\n");

test("the live page is the report's modules without its page, then its own", () => {
  const report = read("modules.txt").trim().split("\n").filter(file => file !== "page.js");
  assert.deepEqual(modules.slice(0, report.length), report);
  const names = modules.flatMap(file => [...read(`js/${file}`).matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)].map(match => match[1]));
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
  modules.forEach((file, i) => {
    for (const [, from] of read(`js/${file}`).matchAll(/^import .* from "\.\/(.*)";$/gm)) assert.ok(modules.indexOf(from) >= 0 && modules.indexOf(from) < i, `${file} imports ${from}`);
  });
});

test("only live.js asks, and only the server that the page came from", () => {
  for (const file of modules.filter(name => name.startsWith("live"))) {
    const text = read(`js/${file}`);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|XMLHttpRequest|https?:\/\//, file);
    assert.equal([...text.matchAll(/fetch\(/g)].length, file === "live.js" ? 1 : 0, file);
  }
});

test("times are read like clocks", () => {
  assert.deepEqual([-5, 0, 7.4, 59.6, 750, 11100].map(clockTime), ["0:00", "0:00", "0:07", "1:00", "12:30", "3:05:00"]);
});

test("the status says step, time and time left, and how old it is", () => {
  const state = {phase: "fitting", what: "fit", step: 1200, of: 4000, seconds: 60, left: 140, age: 2};
  assert.deepEqual(statusOf(state), {text: "Fit: step 1,200 of at most 4,000; 1:02 so far, at most 2:18 left in this part.", share: 0.3});
  assert.match(statusOf({...state, age: 90}).text, /The last report was 1:30 ago\.$/);
  assert.equal(statusOf({...state, left: null, seconds: null}).text, "Fit: step 1,200 of at most 4,000.");
  assert.equal(statusOf({phase: "fitting"}).share, null);
  for (const phase of ["waiting", "assessing", "finished", "interrupted", "killed"]) assert.match(statusOf({phase}).text, /^[A-Z].*\.$/);
});

test("news are changes of phase", () => {
  assert.equal(newsOf(null, {phase: "fitting"}), "The fit is under way.");
  assert.equal(newsOf({phase: "fitting"}, {phase: "fitting", step: 9}), null);
  assert.equal(newsOf({phase: "assessing"}, {phase: "finished", verdict: {text: "trust this fit"}}), "The run has ended. trust this fit");
});

test("latents are encoded as the report has them, and move from where they were", () => {
  assert.deepEqual([...numbersOf(encodedFloats([[1, -2.5], [null, 4]]))], [1, -2.5, NaN, 4]);
  assert.equal(numbersOf(encodedFloats([Array(100000).fill(0.5)])).length, 100000);
  const before = [Float32Array.of(0, NaN)], after = [Float32Array.of(2, 5)];
  assert.deepEqual([0, 0.5, 1].map(t => [...between(before, after, t)[0]]), [[0, 5], [1, 5], [2, 5]]);
});

test("while an answer is under way only the newest question is kept", async () => {
  const asked = [], shown = [], waiting = [];
  const ask = newestOnly(q => {
    asked.push(q);
    return new Promise((done, fail) => waiting.push(q === "bad" ? () => fail(new Error("lost")) : () => done(q)));
  }, (answer, error) => shown.push(answer ?? error.message));
  const settle = () => new Promise(done => setTimeout(done, 0));
  ask(1);
  ask(2);
  ask("bad");
  waiting.shift()();
  await settle();
  assert.deepEqual(asked, [1, "bad"]);
  waiting.shift()();
  await settle();
  ask(4);
  waiting.shift()();
  await settle();
  assert.deepEqual(shown, [1, "lost", 4]);
});
