/** What is seen, as the part of the address behind `#`: a link that opens the same view. */

import { GREATEST_SCALE, SMALLEST_SCALE, View } from "hyperskip/view";

export const MODES = ["explore", "analogy", "path"];
export const COLORINGS = ["cluster", "frequency", "radius"];
const THEMES = ["light", "dark"];
const PAUSE = 250; // milliseconds between changes of the address

/**
 * @typedef {{view: View, mode: string, word: string, analogy: string[], path: string[],
 *   coloring: string|null, theme: "light"|"dark"|null}} State
 */

/** @param {State} state */
export function written(state) {
  const { view } = state;
  const values = new URLSearchParams();
  const [x, y] = view.center;
  values.set("at", `${rounded(x)},${rounded(y)}`);
  if (rounded(view.turn) !== 0) values.set("turn", String(rounded(view.turn)));
  if (rounded(view.scale) !== 1) values.set("zoom", String(rounded(view.scale)));
  if (state.mode !== "explore") values.set("mode", state.mode);
  const words = wordsOf(state);
  if (words.some((word) => word !== "")) for (const word of words) values.append("word", word);
  if (state.coloring !== null) values.set("color", state.coloring);
  if (state.theme !== null) values.set("theme", state.theme);
  return `#${values}`;
}

function wordsOf(state) {
  return { explore: [state.word], analogy: state.analogy, path: state.path }[state.mode];
}

/** What is asked for, whole questions only: a state with another one is gone back from. */
function questionOf(state) {
  const words = wordsOf(state);
  return JSON.stringify([state.mode, words.includes("") ? [] : words]);
}

/** The state of a link; what it does not say, or says wrongly, is as in a new page. */
export function read(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const mode = oneOf(MODES, values.get("mode")) ?? "explore";
  const words = values.getAll("word");
  return {
    view: readView(values),
    mode,
    word: mode === "explore" ? (words[0] ?? "") : "",
    analogy: filled(mode === "analogy" ? words : [], 3),
    path: filled(mode === "path" ? words : [], 2),
    coloring: oneOf(COLORINGS, values.get("color")),
    theme: oneOf(THEMES, values.get("theme")),
  };
}

function readView(values) {
  if (!values.has("at")) return null;
  const [x, y] = values.get("at").split(",").map(Number);
  const turn = Number(values.get("turn") ?? 0);
  const zoom = Number(values.get("zoom") ?? 1);
  const sane = Math.hypot(x, y) < 1 - 1e-8 && Number.isFinite(turn) && zoom > 0;
  return sane ? View.at([x, y], turn, Math.min(Math.max(zoom, SMALLEST_SCALE), GREATEST_SCALE)) : null;
}

function oneOf(allowed, value) {
  return allowed.includes(value) ? value : null;
}

function filled(words, count) {
  return Array.from({ length: count }, (_, at) => words[at] ?? "");
}

function rounded(value) {
  return Number(value.toFixed(12));
}

/**
 * Keeps the address true, but does not write it at every frame: browsers refuse that. The button Back
 * leads to the last question; other changes of the view are no steps of their own.
 */
export class LinkKeeper {
  /** @param {() => State} state @param {(state: object) => Promise<void>} whenOpened */
  constructor(state, whenOpened) {
    this.state = state;
    this.whenOpened = whenOpened;
    this.waiting = 0;
    this.opening = 0;
    this.question = null; // of the address; null: none was opened
    window.addEventListener("hashchange", () => this.open());
  }

  /** Show what the address says. */
  async open() {
    this.opening += 1;
    try {
      await this.whenOpened(read(location.hash));
    } finally {
      this.opening -= 1;
      this.question = questionOf(this.state());
      this.changed();
    }
  }

  changed() {
    if (this.waiting === 0) this.waiting = setTimeout(() => this.write(), PAUSE);
  }

  write() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (this.opening > 0 || this.question === null) return;
    const state = this.state();
    const question = questionOf(state);
    const isSame = question === this.question;
    this.question = question;
    if (isSame) history.replaceState(null, "", written(state));
    else history.pushState(null, "", written(state));
  }
}
