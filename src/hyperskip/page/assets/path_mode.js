/** The mode for paths: the geodesic between two words, and the words along it. */

import { ask } from "hyperskip/api";
import { QueryMode } from "hyperskip/query_mode";
import { decimals, element, shown, wordText } from "hyperskip/dom";
import { straightPath, straightPlaces } from "hyperskip/straight_path";

const STEPS = 12;
const WALK = 6000; // milliseconds from end to end
const EXAMPLES = [["dog", "city"], ["music", "war"], ["king", "computer"], ["river", "science"]];

export class PathMode extends QueryMode {
  /** @param {object} page as in the base class, and `disc`, `lens` and `lensChoice` */
  constructor(host, page) {
    const button = (textContent, click) => element("button", {
      type: "button", className: "button second", textContent, hidden: true, on: { click },
    });
    const play = button("Play", () => this.#walk());
    const straight = button("Straighten", () => this.#straighten());
    straight.setAttribute("aria-pressed", "false");
    super(host, page, {
      lead: "The shortest path between two words.",
      labels: ["from", "to"],
      action: "Show path",
      result: element("ol", { className: "steps" }),
      more: [play, straight],
    });
    this.play = play;
    this.straight = straight;
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
    this.straight.hidden = true;
    this.page.lens.close({ animated: false });
    super.clear();
  }

  spoken([a, b]) {
    return `${this.answer.steps.length} steps from ${shown(a)} to ${shown(b)}`;
  }

  list() {
    const { steps, distance } = this.answer;
    this.current = -1;
    this.play.hidden = steps.length < 2;
    this.page.lens.close({ animated: false }); // of an earlier path
    this.straight.hidden = this.play.hidden || distance === 0 || !this.page.lensChoice.isOffered;
    this.result.replaceChildren(...steps.map((step, at) => {
      const length = decimals(distance === null ? null : step.t * distance, 2);
      const show = () => this.#focusStep(at);
      const goThere = () => {
        show();
        this.page.disc.moveTo(this.#places[at]);
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
    const places = this.#places;
    const isStraight = this.page.lens.isOpen;
    this.straight.setAttribute("aria-pressed", String(isStraight));
    const lines = places.slice(1).map((to, at) => (
      { from: places[at], to, ink: "accent", width: 2.5 }
    ));
    const marks = [[a, places[0]], [b, places.at(-1)]].map(([word, place]) => ({
      at: isStraight ? place : [word.x, word.y], word: word.word, index: this.page.indexOf(word.word),
      shape: "dot", ink: "accent", strong: true,
    }));
    steps.forEach(({ word }, at) => {
      const isBetween = at > 0 && at < steps.length - 1; // the ends are labeled already
      const look = at === this.current
        ? { shape: "target", ink: "second", strong: true }
        : { shape: "dot", ink: "accent" };
      // On the map, the step is not where the word is.
      const index = isStraight && isBetween && word ? this.page.indexOf(word.word) : -1;
      marks.push({ at: places[at], word: (isBetween && word?.word) || "", index, ...look });
    });
    this.page.show(this, { lines, marks }, move ? places : []);
  }

  /** Places of the steps: on the map, or on a straight line in the lens. */
  get #places() {
    const { steps } = this.answer;
    return this.page.lens.isOpen ? straightPlaces(steps) : steps.map(({ x, y }) => [x, y]);
  }

  /** Show the path as a straight line in the lens, or on the map again. */
  #straighten() {
    if (this.page.lens.isOpen) this.leaveLens({ animated: true });
    else this.page.lens.open(straightPath(this.answer.steps), { then: () => this.draw() });
  }

  leaveLens({ animated = false } = {}) {
    this.page.lens.close({ animated, then: () => this.draw(true) });
  }

  #walk() {
    this.page.disc.walk(this.#places, WALK, (at) => this.#focusStep(at));
  }
}
