/** The way from one word to another: the geodesic between them, and the words along it. */

import { Latest, ask } from "hyperskip/api";
import { decimals, element, shown, wordText } from "hyperskip/dom";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { WordFields } from "hyperskip/word_fields";

const STEPS = 12;
const WALK = 6000; // milliseconds from end to end
const EXAMPLES = [["dog", "city"], ["music", "war"], ["king", "computer"], ["river", "science"]];

export class PathMode {
  /** @param {HTMLElement} host @param {object} page as for analogies, and `disc` */
  constructor(host, page) {
    this.page = page;
    this.latest = new Latest();
    this.answer = null;
    this.isAsking = false;
    this.current = -1;
    this.examples = element("p", { className: "chips" });
    this.play = element("button", {
      type: "button", className: "button", textContent: "Walk along", hidden: true,
      on: { click: () => this.#walk() },
    });
    this.result = element("ol", { className: "steps" });
    const lead = "The straight way between two words.";
    host.append(element("p", { className: "lead", textContent: lead }));
    this.fields = new WordFields(host, ["from", "to"], page.suggest, () => this.solve());
    host.append(this.examples, this.play, this.result);
  }

  offer() {
    const known = EXAMPLES.filter((words) => words.every((word) => this.page.indexOf(word) >= 0));
    this.examples.replaceChildren(...known.slice(0, 3).map((words) => element("button", {
      type: "button", className: "chip", textContent: words.join(" → "),
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
    this.current = -1;
    this.play.hidden = true;
    this.result.replaceChildren();
    this.page.show(this, EMPTY_SCENE, []);
  }

  async solve({ move = true } = {}) {
    const { page } = this;
    const [a, b] = this.fields.words;
    page.notice.clear();
    page.changed();
    this.isAsking = true;
    try {
      const answer = await this.latest.run((signal) => ask("path", { a, b, steps: STEPS }, signal));
      if (answer === null) return;
      this.answer = answer;
      this.isAsking = false;
    } catch (error) {
      this.isAsking = false;
      const choose = (word) => this.fields.correct(error.word, word);
      page.notice.show(error, { retry: () => this.solve(), choose });
      return;
    }
    this.current = -1;
    this.#list();
    this.draw(move);
    page.answered(this);
    page.announce(`${this.answer.steps.length} steps from ${shown(a)} to ${shown(b)}`);
  }

  #list() {
    const { steps, distance } = this.answer;
    this.play.hidden = steps.length < 2;
    this.result.replaceChildren(...steps.map((step, at) => {
      const words = step.nearest.flatMap(({ word }) => [", ", wordText(word)]).slice(1);
      const gone = decimals(distance === null ? null : step.t * distance, 2);
      const show = () => this.#focusStep(at);
      const goThere = () => {
        show();
        this.page.disc.moveTo([step.x, step.y]);
      };
      return element("li", {}, element(
        "button",
        {
          type: "button", className: "step",
          on: { pointerenter: show, focus: show, click: goThere },
        },
        element("span", { className: "number", textContent: gone }),
        element("span", { className: "step-words" }, ...words),
      ));
    }));
  }

  #focusStep(at) {
    if (at === this.current) return;
    this.current = at;
    [...this.result.children].forEach((item, i) => item.classList.toggle("current", i === at));
    this.draw();
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { a, b, steps } = this.answer;
    const places = steps.map((step) => [step.x, step.y]);
    const lines = places.slice(1).map((to, at) => (
      { from: places[at], to, ink: "accent", width: 2.5 }
    ));
    const marks = [a, b].map((word) => ({
      at: [word.x, word.y], word: word.word, index: this.page.indexOf(word.word),
      shape: "dot", ink: "accent", strong: true,
    }));
    steps.forEach(({ nearest }, at) => {
      const name = nearest[0]?.word ?? "";
      const word = marks.some((mark) => mark.word === name) ? "" : name; // written once
      const look = at === this.current
        ? { shape: "target", ink: "second", strong: true }
        : { shape: "dot", ink: "accent" };
      marks.push({ at: places[at], word, index: -1, ...look });
    });
    this.page.show(this, { lines, marks }, move ? places : []);
  }

  #walk() {
    const places = this.answer.steps.map((step) => [step.x, step.y]);
    this.page.disc.walk(places, WALK, (at) => this.#focusStep(at));
  }
}
