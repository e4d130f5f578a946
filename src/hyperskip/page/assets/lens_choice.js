/** The choice between the lens and the whole map, and a note on what the rings of the lens mean. */

import { canAsk } from "hyperskip/api";
import { element, wordText } from "hyperskip/dom";

const NAMES = {
  distance: "distance from", cosine: "cosine with", dissimilarity: "sum of cosh(distance) − 1 from",
};

export class LensChoice {
  /** @param {HTMLElement} host @param {() => void} whenToggled */
  constructor(host, whenToggled) {
    this.host = host;
    this.whenToggled = whenToggled;
    this.isOffered = false;
    this.isWanted = true;
    this.button = element("button", {
      type: "button", className: "button second lens-button", on: { click: () => this.toggle() },
    });
    this.note = element("p", { className: "lens-note" });
    host.replaceChildren(this.button, this.note);
    this.hide();
  }

  /**
   * On an exact map, the distances from a word in the center are true without a lens. An exported page
   * cannot ask for one.
   */
  begin(model) {
    this.isOffered = model.map.method !== "exact" && canAsk("lens");
  }

  /** Whether a selected word opens the lens. */
  get isOn() {
    return this.isOffered && this.isWanted;
  }

  toggle() {
    if (this.host.hidden) return;
    this.isWanted = !this.isWanted;
    this.whenToggled();
  }

  hide() {
    this.host.hidden = true;
  }

  /** A word is selected. @param {{word: object, shown: string, kept: number}|null} lens of the API */
  show(lens) {
    this.host.hidden = !this.isOffered;
    this.button.textContent = lens === null ? "Lens" : "Whole map";
    this.button.title = `Show the ${this.button.textContent.toLowerCase()} (L)`;
    this.note.hidden = lens === null;
    if (lens === null) return;
    this.note.replaceChildren(
      `Rings: true ${NAMES[lens.shown]} `, wordText(lens.word.word), ". ",
      element("span", {
        className: "lens-details",
        textContent: "The scale begins at the nearest word. "
          + `The lens keeps ${Math.round(100 * lens.kept)}% of the nearest neighbors.`,
      }),
    );
  }
}
