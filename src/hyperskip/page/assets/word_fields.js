/** Fields that together ask one question: an analogy's three words, or the two ends of a path. */

import { element } from "hyperskip/dom";
import { SearchBox } from "hyperskip/search_box";

export class WordFields {
  /**
   * @param {HTMLElement} host
   * @param {string[]} labels
   * @param {Function} suggest
   * @param {(words: string[]) => void} whenFull
   */
  constructor(host, labels, suggest, whenFull) {
    this.whenFull = whenFull;
    const form = element("div", { className: `fields fields-${labels.length}` });
    this.boxes = labels.map((label) => new SearchBox(form, {
      label, visibleLabel: true, suggest, choose: () => this.#chosen(),
    }));
    host.append(form);
  }

  get words() {
    return this.boxes.map((box) => box.value);
  }

  set words(words) {
    this.boxes.forEach((box, at) => { box.value = words[at]; });
  }

  get full() {
    return this.words.every((word) => word !== "");
  }

  /** Put a word into the first empty field; false where there is none. */
  take(word) {
    const empty = this.boxes.find((box) => box.value === "");
    if (empty === undefined) return false;
    empty.value = word;
    this.#chosen();
    return true;
  }

  /** Put a suggestion in the place of an unknown word; nothing is done where that is gone. */
  correct(unknown, word) {
    const wrong = this.boxes.find((box) => box.value === unknown);
    if (wrong === undefined) return;
    wrong.value = word;
    this.#chosen();
  }

  #chosen() {
    const empty = this.boxes.find((box) => box.value === "");
    if (empty === undefined) this.whenFull(this.words);
    else empty.input.focus();
  }
}
