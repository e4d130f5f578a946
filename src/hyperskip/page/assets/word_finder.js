/** Finds words on the map as people write them: in any case, phrases with blanks, or by their labels. */

export class WordFinder {
  /** @param {import("hyperskip/words").Words} words */
  constructor(words) {
    this.words = words;
    this.lowered = new Map(); // the most important word of each spelling
    const add = (name, index) => {
      const key = keyOf(name);
      if (!this.lowered.has(key)) this.lowered.set(key, index);
    };
    words.names.forEach(add);
    if (words.labels !== words.names) words.labels.forEach(add);
  }

  /** The index of a word, or -1. */
  indexOf(text) {
    const exact = this.words.indexOf(text);
    return exact >= 0 ? exact : (this.lowered.get(keyOf(text)) ?? -1);
  }
}

function keyOf(text) {
  return text.normalize("NFC").toLowerCase().trim().replace(/\s+/g, "_");
}
