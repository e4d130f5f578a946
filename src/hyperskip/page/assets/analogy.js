/** Analogies a : b = c : ?, asked of the server. */

import { analogyAnswers, analogyScene } from "hyperskip/analogy_scene";
import { Latest, ask } from "hyperskip/api";
import { element, shown } from "hyperskip/dom";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { WordFields } from "hyperskip/word_fields";

const EXAMPLES = [
  ["france", "paris", "italy"], ["man", "woman", "king"], ["dog", "dogs", "cat"],
  ["big", "bigger", "small"], ["japan", "tokyo", "germany"], ["walk", "walked", "play"],
];
const SHOWN_EXAMPLES = 3;
const ANSWERS = 8;

export class AnalogyMode {
  /**
   * @param {HTMLElement} host
   * @param {{suggest: Function, goTo: (word: string) => void, notice: object, changed: Function,
   *   show: (mode: object, scene: object, places: number[][]) => void, announce: (text: string) => void,
   *   indexOf: (word: string) => number}} page
   */
  constructor(host, page) {
    this.page = page;
    this.latest = new Latest();
    this.answer = null;
    this.isAsking = false;
    this.examples = element("p", { className: "chips" });
    this.result = element("div", {});
    host.append(element("p", { className: "lead", textContent: "a is to b as c is to …" }));
    this.fields = new WordFields(host, ["a", "b", "c"], page.suggest, () => this.solve());
    host.append(this.examples, this.result);
  }

  /** Examples whose words the map has. */
  offer() {
    const known = EXAMPLES.filter((words) => words.every((word) => this.page.indexOf(word) >= 0));
    this.examples.replaceChildren(...known.slice(0, SHOWN_EXAMPLES).map((words) => element("button", {
      type: "button", className: "chip", textContent: `${words[0]} : ${words[1]} = ${words[2]} : ?`,
      on: { click: () => { this.fields.words = words; this.solve(); } },
    })));
  }

  /** The mode is shown again: a question that was left without its answer is asked again. */
  resume() {
    if (this.isAsking && this.fields.full) this.solve();
    else this.draw();
  }

  clear() {
    this.latest.stop();
    this.answer = null;
    this.isAsking = false;
    this.result.replaceChildren();
    this.page.show(this, EMPTY_SCENE, []);
  }

  async solve({ move = true } = {}) {
    const { page } = this;
    const [a, b, c] = this.fields.words;
    page.notice.clear();
    page.changed();
    this.isAsking = true;
    try {
      const answer = await this.latest.run(
        (signal) => ask("analogy", { a, b, c, count: ANSWERS }, signal),
      );
      if (answer === null) return;
      this.answer = answer;
      this.isAsking = false;
    } catch (error) {
      this.isAsking = false;
      const choose = (word) => this.fields.correct(error.word, word);
      page.notice.show(error, { retry: () => this.solve(), choose });
      return;
    }
    const { routes } = this.answer;
    this.result.replaceChildren(...analogyAnswers(routes, ({ word }) => page.goTo(word)));
    this.draw(move);
    page.answered(this);
    const best = routes.Z.answers[0];
    if (best) page.announce(`${shown(a)} is to ${shown(b)} as ${shown(c)} is to ${shown(best.word)}`);
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { a, b, c, routes } = this.answer;
    const scene = analogyScene(this.answer, ({ word }) => this.page.indexOf(word));
    const places = [a, b, c, routes.Z, routes["Z'"]].map((word) => [word.x, word.y]);
    this.page.show(this, scene, move ? places : []);
  }
}
