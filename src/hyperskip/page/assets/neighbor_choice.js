/** The choice of neighbors: the measure that ranks words, and how many are listed. */

import { decimals, element } from "hyperskip/dom";

export const MEASURES = ["product", "distance", "angle"];
export const COUNTS = [6, 12, 25, 50, 100];
const USUAL_COUNT = 12;

export class NeighborChoice {
  /** @param {() => void} whenChosen */
  constructor(whenChosen) {
    this.chosenMeasure = null; // null: the first one
    this.chosenCount = null; // null: the usual one
    this.measures = element("select", { id: "measure" });
    this.counts = element("select", { id: "count" }, ...COUNTS.map(optionOf));
    this.shownNumber = element("span", { className: "shown-number" });
    this.host = element(
      "div", { className: "choice" },
      element("label", {}, "by ", this.measures),
      element("label", {}, "show ", this.counts),
      this.shownNumber,
    );
    this.host.addEventListener("change", () => {
      this.choose(this.measures.value, Number(this.counts.value));
      whenChosen();
    });
  }

  /** @param {string[]} measures of the model, the first by default */
  begin(measures) {
    this.measures.replaceChildren(...measures.map(optionOf));
    this.#show();
  }

  /** @param {string|null} measure @param {number|null} count */
  choose(measure, count) {
    this.chosenMeasure = measure;
    this.chosenCount = count;
    this.#show();
  }

  /** The chosen measure; the first one if a link names one that the model does not have. */
  get measure() {
    const known = [...this.measures.options].map(({ value }) => value);
    return known.includes(this.chosenMeasure) ? this.chosenMeasure : known[0];
  }

  get count() {
    return this.chosenCount ?? USUAL_COUNT;
  }

  /** The number next to a neighbor: by the angle, the cosine, and otherwise the distance. */
  get numberOf() {
    const isCosine = this.measure === "angle";
    return ({ distance, similarity }) => decimals(isCosine ? similarity : distance, 3);
  }

  #show() {
    this.measures.value = this.measure;
    this.counts.value = String(this.count);
    this.shownNumber.textContent = this.measure === "angle" ? "cosine" : "distance";
  }
}

function optionOf(value) {
  return element("option", { value: String(value), textContent: String(value) });
}
