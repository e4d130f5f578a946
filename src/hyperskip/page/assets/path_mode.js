/** The mode for paths: the geodesic between two words, and the words along it. */

import { ask } from "hyperskip/api";
import { QueryMode } from "hyperskip/query_mode";
import { decimals, element, shown, wordText } from "hyperskip/dom";

const STEPS = 12;
const WALK = 6000; // milliseconds from end to end
const EXAMPLES = [["dog", "city"], ["music", "war"], ["king", "computer"], ["river", "science"]];

export class PathMode extends QueryMode {
  /** @param {object} page as in the base class, and `disc` */
  constructor(host, page) {
    const play = element("button", {
      type: "button", className: "button second", textContent: "Play", hidden: true,
      on: { click: () => this.#walk() },
    });
    super(host, page, {
      lead: "The shortest path between two words.",
      labels: ["from", "to"],
      action: "Show path",
      result: element("ol", { className: "steps" }),
      more: [play],
    });
    this.play = play;
    this.current = -1;
  }

  offer() {
    this.offerOf(EXAMPLES, (words) => words.join(" → "));
  }

  ask([a, b], signal) {
    return ask("path", { a, b, steps: STEPS }, signal);
  }

  clear() {
    this.current = -1;
    this.play.hidden = true;
    super.clear();
  }

  spoken([a, b]) {
    return `${this.answer.steps.length} steps from ${shown(a)} to ${shown(b)}`;
  }

  list() {
    const { steps, distance } = this.answer;
    this.current = -1;
    this.play.hidden = steps.length < 2;
    this.result.replaceChildren(...steps.map((step, at) => {
      const length = decimals(distance === null ? null : step.t * distance, 2);
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
        element("span", { className: "number", textContent: length }),
        element("span", { className: "step-word" }, step.word && wordText(step.word.word)),
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
    steps.forEach(({ word }, at) => {
      const isBetween = at > 0 && at < steps.length - 1; // the ends are labeled already
      const look = at === this.current
        ? { shape: "target", ink: "second", strong: true }
        : { shape: "dot", ink: "accent" };
      marks.push({ at: places[at], word: (isBetween && word?.word) || "", index: -1, ...look });
    });
    this.page.show(this, { lines, marks }, move ? places : []);
  }

  #walk() {
    const places = this.answer.steps.map((step) => [step.x, step.y]);
    this.page.disc.walk(places, WALK, (at) => this.#focusStep(at));
  }
}
