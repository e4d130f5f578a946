/** The fields of one query: the three words of an analogy, or the two ends of a path. */

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
      label, visibleLabel: true, suggest, choose: () => this.submit(),
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

  /** Put a word into the first empty field; return false if there is none. */
  take(word) {
    const empty = this.boxes.find((box) => box.value === "");
    if (empty === undefined) return false;
    empty.value = word;
    this.submit();
    return true;
  }

  /** Replace an unknown word by a suggestion, if it is still in a field. */
  correct(unknown, word) {
    const wrong = this.boxes.find((box) => box.value === unknown);
    if (wrong === undefined) return;
    wrong.value = word;
    this.submit();
  }

  /** Ask if all fields are full; otherwise, go to the first empty one. */
  submit() {
    const empty = this.boxes.find((box) => box.value === "");
    if (empty === undefined) this.whenFull(this.words);
    else empty.input.focus();
  }
}
