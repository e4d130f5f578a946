/** Base class of modes that ask the server about several words: analogies and paths. */

import { Latest } from "hyperskip/api";
import { element } from "hyperskip/dom";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { composedNotes } from "hyperskip/panel";
import { WordFields } from "hyperskip/word_fields";

const SHOWN_EXAMPLES = 3;

/**
 * A subclass has `ask(words, signal)`, which asks the server; `list()`, which shows the answer in the
 * panel; `draw(move)`, which draws it on the disc; and `spoken(words)`, the text for screen readers.
 */
export class QueryMode {
  /**
   * @param {HTMLElement} host
   * @param {{suggest: Function, goTo: (word: string, how: object) => void, notice: object, changed: Function,
   *   show: (mode: object, scene: object, places: number[][]) => void, announce: (text: string) => void,
   *   indexOf: (word: string) => number, answered: (mode: object) => void}} page
   * @param {{lead: string, labels: string[], action: string, result: HTMLElement,
   *   more?: HTMLElement[]}} parts action: text of the button that asks; more: buttons next to it
   */
  constructor(host, page, { lead, labels, action, result, more = [] }) {
    this.page = page;
    this.latest = new Latest();
    this.answer = null;
    this.isAsking = false;
    this.examples = element("p", { className: "chips" });
    this.notes = element("div", {}); // about words that are not in the vocabulary
    this.result = result;
    const query = element(
      "div", { className: "query" }, element("h2", { className: "lead", textContent: lead }),
    );
    this.fields = new WordFields(query, labels, page.suggest, () => this.solve());
    this.button = element("button", {
      type: "button", className: "button", textContent: action,
      on: { click: () => this.fields.submit() },
    });
    query.append(element("div", { className: "actions" }, this.button, ...more), this.examples);
    host.append(query, this.notes, this.result);
  }

  /** Show examples whose words are on the map. */
  offerOf(examples, textOf) {
    const known = examples.filter((words) => words.every((word) => this.page.indexOf(word) >= 0));
    this.examples.replaceChildren(...known.slice(0, SHOWN_EXAMPLES).map((words) => element("button", {
      type: "button", className: "chip", textContent: textOf(words),
      on: { click: () => { this.fields.words = words; this.solve(); } },
    })));
  }

  /** Show the mode again; a request that was canceled is repeated. */
  resume() {
    if (this.isAsking && this.fields.full) this.solve();
    else this.draw();
  }

  clear() {
    this.latest.stop();
    this.answer = null;
    this.isAsking = false;
    this.notes.replaceChildren();
    this.result.replaceChildren();
    this.page.show(this, EMPTY_SCENE, []);
  }

  async solve({ move = true } = {}) {
    const { page } = this;
    const { words } = this.fields;
    page.notice.clear();
    page.changed();
    this.isAsking = true;
    try {
      const answer = await this.latest.run((signal) => this.ask(words, signal));
      if (answer === null) return;
      this.answer = answer;
      this.isAsking = false;
    } catch (error) {
      this.isAsking = false;
      if (error.isUnknownWord) this.clear();
      const choose = (word) => this.#again(() => this.fields.correct(error.word, word));
      page.notice.show(error, { retry: () => this.#again(() => this.solve()), choose });
      return;
    }
    const asked = ["a", "b", "c"].map((name) => this.answer[name]).filter(Boolean);
    this.notes.replaceChildren(...composedNotes(asked));
    this.list();
    this.draw(move);
    page.answered(this);
    const said = this.spoken(words);
    if (said) page.announce(said);
  }

  /** A button of the notice was pressed, which disappears: move the focus to one that stays. */
  #again(solve) {
    this.button.focus();
    solve();
  }
}
