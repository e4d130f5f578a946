/** The words of an exported page: their facts, and search for them. */

import { ApiError } from "hyperskip/requests";
import { similarlySpelled } from "hyperskip/spelling";

const COLUMNS = ["x", "y", "counts", "radii", "clusters", "regions"];
const SUGGESTIONS = 5;
const PATTERN_TIME = 1000; // milliseconds for a regular expression
const LONGEST_PATTERN = 200; // letters

export class StoredWords {
  /** @param {import("hyperskip/stored_data").StoredData} data */
  static async of(data) {
    const known = COLUMNS.filter((name) => name in data.values.arrays);
    const arrays = await Promise.all(known.map((name) => data.array(name)));
    const columns = Object.fromEntries(known.map((name, at) => [name, Array.from(arrays[at])]));
    return new StoredWords(data.values.words, columns);
  }

  constructor(names, columns) {
    const counts = names.map(() => null); // unknown
    this.columns = { rows: names.map((_, row) => row), words: names, counts, ...columns };
    this.folded = names.map((name) => name.toLowerCase());
    this.indices = new Map(names.map((name, index) => [name, index]));
    this.isLower = this.folded.every((name, index) => name === names[index]);
    const order = names.map((_, index) => index).sort((a, b) => columns.radii[a] - columns.radii[b]);
    this.ranks = new Uint32Array(names.length);
    order.forEach((index, at) => { this.ranks[index] = at + 1; });
  }

  /** The index of a word or phrase; in any case if all words are lower-case. */
  find(word) {
    const cases = this.isLower ? [word, word.toLowerCase()] : [word];
    const spellings = cases.flatMap((one) => [one, one.replaceAll(" ", "_")]);
    const found = spellings.find((one) => this.indices.has(one));
    if (found !== undefined) return this.indices.get(found);
    const importance = this.folded.map((_, at) => -at);
    const similar = similarlySpelled(word, this.columns.words, importance).slice(0, SUGGESTIONS);
    throw new ApiError(`${JSON.stringify(word.slice(0, 60))} is not a word of this page`, {
      status: 404, word, hint: "Search for another word.",
      suggestions: similar.map((one) => this.columns.words[one]),
    });
  }

  describe(index) {
    const { words, counts, radii, x, y, clusters } = this.columns;
    return {
      word: words[index], row: index, count: counts[index], radius: radii[index],
      rank: this.ranks[index], x: x[index], y: y[index], mapped: true, cluster: clusters[index],
      ngrams: null,
    };
  }

  /** Words that contain a text, or match a regular expression between slashes. */
  search(text, limit) {
    const isPattern = text.length > 2 && text.startsWith("/") && text.endsWith("/");
    const { found, searched } = isPattern
      ? this.#matching(text.slice(1, -1), limit) : this.#containing(text.toLowerCase(), limit);
    return { words: found.map((index) => this.describe(index)), searched };
  }

  #containing(text, limit) {
    const spellings = [text, text.replaceAll(" ", "_")];
    const starting = [];
    const inside = [];
    this.folded.forEach((name, index) => {
      if (spellings.some((one) => name.startsWith(one))) starting.push(index);
      else if (spellings.some((one) => name.includes(one))) inside.push(index);
    });
    return { found: [...starting, ...inside].slice(0, limit), searched: this.folded.length };
  }

  #matching(pattern, limit) {
    const expression = expressionOf(pattern);
    const found = [];
    const end = performance.now() + PATTERN_TIME;
    for (const [index, name] of this.columns.words.entries()) {
      if (expression.test(name)) found.push(index);
      if (found.length === limit) break;
      if (performance.now() > end) return { found, searched: index + 1 };
    }
    return { found, searched: this.folded.length };
  }
}

function expressionOf(pattern) {
  const refused = (reason) => new ApiError("the regular expression cannot be used", {
    status: 400, hint: reason,
  });
  if (pattern.length > LONGEST_PATTERN) throw refused(`it has more than ${LONGEST_PATTERN} letters`);
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    throw refused(error.message);
  }
}
