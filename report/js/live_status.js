// What the page of a run under way says about it.
import {shown} from "./data.js";

/** "0:07", "12:30", "3:05:00" */
export function clockTime(seconds) {
  const s = Math.round(Math.min(3.6e6, Math.max(0, seconds))), two = n => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

const parts = {fit: "Fit", start: "Start of the chains", dims: "Choice of dimensions", "cross-view": "Predictors of absent views",
  regress: "Regression", classify: "Classification", kpca: "Kernel PCA"};

const phases = {
  waiting: "Waiting for the run to begin.",
  assessing: "The model is learned; scores, intervals and the verdict are being computed.",
  finished: "The run has ended.",
  interrupted: "The run was interrupted and has kept its best state; --resume continues it.",
  killed: "The run has not ended, and no process is working on it; --resume continues it from its checkpoint, if it has one."};

const silence = 30;  // seconds without a step that are worth a word

/** What a state is in words, and the share of the work that is done (null if that is unknown). */
export function statusOf(state) {
  if (state.phase !== "fitting") return {text: phases[state.phase] ?? state.phase, share: null};
  if (!state.what) return {text: "The run is under way and has not reported a step yet.", share: null};
  const age = state.age ?? 0, times = [];
  if (state.seconds !== null) times.push(`${clockTime(state.seconds + age)} so far`);
  if (state.left !== null) times.push(`at most ${clockTime(state.left - age)} left in this part`);
  let text = `${parts[state.what] ?? state.what}: step ${shown(state.step)} of at most ${shown(state.of)}`;
  if (times.length > 0) text += `; ${times.join(", ")}`;
  text += ".";
  if (age > silence) text += ` The last report was ${clockTime(age)} ago.`;
  return {text, share: state.of > 0 ? Math.min(1, state.step / state.of) : null};
}

/** What somebody who cannot see the page should hear: changes of phase, not every step. */
export function newsOf(before, state) {
  if (before?.phase === state.phase) return null;
  return state.phase === "fitting" ? "The fit is under way." : `${phases[state.phase] ?? state.phase}${state.verdict ? ` ${state.verdict.text}` : ""}`;
}
