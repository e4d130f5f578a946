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
    this.most = COUNTS.at(-1); // neighbors
    this.measures = element("select", { id: "measure" });
    this.counts = element("select", { id: "count" });
    this.measureLabel = element("label", {}, "by ", this.measures);
    this.shownNumber = element("span", { className: "shown-number" });
    this.host = element(
      "div", { className: "choice" },
      this.measureLabel,
      element("label", {}, "show ", this.counts),
      this.shownNumber,
    );
    this.host.addEventListener("change", () => {
      this.choose(this.measures.value, Number(this.counts.value));
      whenChosen();
    });
  }

  /**
   * @param {{measures: string[], limits: {count?: number}}} model measures: the first by default;
   *   count: the largest number of neighbors
   */
  begin({ measures, limits }) {
    this.most = limits.count ?? this.most;
    this.measures.replaceChildren(...measures.map(optionOf));
    this.measureLabel.hidden = measures.length < 2;
    const counts = COUNTS.filter((count) => count < this.most);
    this.counts.replaceChildren(...[...counts, this.most].map(optionOf));
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
    return Math.min(this.chosenCount ?? USUAL_COUNT, this.most);
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
