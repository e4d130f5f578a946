/** The state of the page in the fragment of its URL: a link that opens the same view. */

import { COUNTS, MEASURES } from "hyperskip/neighbor_choice";
import { GREATEST_SCALE, SMALLEST_SCALE, View } from "hyperskip/view";

export const MODES = ["explore", "analogy", "path", "compare"];
export const COLORINGS = ["own", "branch", "depth", "cluster", "frequency", "radius"];
const THEMES = ["light", "dark"];
const PAUSE = 250; // milliseconds between updates of the URL

/**
 * @typedef {{view: View, mode: string, word: string, analogy: string[], path: string[],
 *   compare: string, coloring: string|null, theme: "light"|"dark"|null, measure: string|null,
 *   count: number|null, lens: boolean|null}} State lens: null if there is none
 */

/** The fragment that stands for a state. @param {State} state */
export function hashOf(state) {
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
  if (state.measure !== null) values.set("measure", state.measure);
  if (state.count !== null) values.set("count", String(state.count));
  if (state.lens !== null && state.mode === "explore" && state.word !== "") {
    values.set("lens", state.lens ? "on" : "off");
  }
  return `#${values}`;
}

function wordsOf(state) {
  const { word, analogy, path, compare } = state;
  return { explore: [word], analogy, path, compare: [compare] }[state.mode];
}

/** The complete query of a state: a new query adds an entry to the history. */
function queryOf(state) {
  const words = wordsOf(state);
  return JSON.stringify([state.mode, words.includes("") ? [] : words]);
}

/** The state that a fragment stands for; missing and invalid values get their defaults. */
export function stateOf(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const mode = oneOf(MODES, values.get("mode")) ?? "explore";
  const words = values.getAll("word");
  return {
    view: readView(values),
    mode,
    word: mode === "explore" ? (words[0] ?? "") : "",
    analogy: filled(mode === "analogy" ? words : [], 3),
    path: filled(mode === "path" ? words : [], 2),
    compare: mode === "compare" ? (words[0] ?? "") : "",
    coloring: oneOf(COLORINGS, values.get("color") ?? values.get("colour")), // in older links
    theme: oneOf(THEMES, values.get("theme")),
    measure: oneOf(MEASURES, values.get("measure")),
    count: oneOf(COUNTS, Number(values.get("count"))),
    lens: readLens(values),
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

/** Whether a word opens the lens; older links with a view of a word show it on the map. */
function readLens(values) {
  const isOfMap = values.has("at") && values.has("word");
  return (oneOf(["on", "off"], values.get("lens")) ?? (isOfMap ? "off" : "on")) === "on";
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
 * Updates the URL, but not in every frame, which browsers refuse. The Back button returns to the
 * previous query; other changes of the view add no entries to the history.
 */
export class LinkUpdater {
  /** @param {() => State} state @param {(state: object) => Promise<void>} whenOpened */
  constructor(state, whenOpened) {
    this.state = state;
    this.whenOpened = whenOpened;
    this.waiting = 0;
    this.opening = 0;
    this.query = null; // of the URL; null before the first link is opened
    this.hash = null; // that was opened or written last
    window.addEventListener("hashchange", () => this.open());
  }

  /** Show the state of the URL. */
  async open() {
    this.opening += 1;
    this.hash = location.hash;
    try {
      await this.whenOpened(stateOf(location.hash));
    } finally {
      this.opening -= 1;
      this.query = queryOf(this.state());
      this.changed();
    }
  }

  changed() {
    if (this.waiting === 0) this.waiting = setTimeout(() => this.write(), PAUSE);
  }

  write() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (this.opening > 0 || this.query === null) return;
    if (location.hash !== this.hash) return; // a new link, whose event is still to come
    const state = this.state();
    const query = queryOf(state);
    const isSame = query === this.query;
    this.query = query;
    if (isSame) history.replaceState(null, "", hashOf(state));
    else history.pushState(null, "", hashOf(state));
    this.hash = location.hash;
  }
}
