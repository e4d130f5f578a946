/** The words of a selected area: a list in the panel that can be copied or saved, and dimmed others. */

import { csvOf } from "hyperskip/csv";
import { element, fill, grouped, wordButton } from "hyperskip/dom";
import { download, fileName } from "hyperskip/download";

const LISTED = 200; // words in the panel; copies and files contain all

export class AreaList {
  /**
   * @param {HTMLElement} host
   * @param {import("hyperskip/disc").Disc} disc
   * @param {{choose: (word: {word: string, index: number}) => void, title: () => string,
   *   columns: () => Object<string, (index: number) => string|number>}} page
   *   choose: with the index on the map, -1 for a word that only the lens has; columns: of a saved file,
   *   besides the word and its place, by index on the map
   */
  constructor(host, disc, page) {
    this.host = host;
    this.disc = disc;
    this.page = page;
    this.words = []; // with their indices on the map, the most important first
    disc.addEventListener("shown", () => {
      const shown = this.words.map(({ word }) => disc.words.indexOf(word));
      if (shown.length > 0) disc.emphasize(new Set(shown.filter((index) => index >= 0)));
    });
  }

  /** @param {number[]} indices of shown words: those of the map, or of the lens */
  show(indices) {
    const { mapped, words: { names } } = this.disc;
    const indexOf = (i) => (mapped.names === names ? i : mapped.indexOf(names[i]));
    const words = indices.map((i) => ({ word: names[i], index: indexOf(i) }));
    this.words = words;
    this.disc.emphasize(new Set(indices));
    const heading = element("h2", {
      className: "area-title", tabIndex: -1, textContent: `${counted(words.length)} in the area`,
    });
    this.status = element("span", { className: "quiet", role: "status" });
    const button = (textContent, press, look = "button second") => element(
      "button", { type: "button", className: look, textContent, on: { click: press } },
    );
    fill(
      this.host,
      heading,
      element(
        "div", { className: "actions" },
        button("Copy", () => this.#copy(), "button"),
        button("Save as CSV", () => this.#save(), "button"),
        button("Clear", () => this.clear()),
        this.status,
      ),
      this.#list(),
    );
    this.host.hidden = false;
    heading.focus();
  }

  clear() {
    this.words = [];
    this.host.hidden = true;
    this.host.replaceChildren();
    this.disc.emphasize(new Set());
    this.disc.host.focus();
  }

  #list() {
    const more = this.words.length - LISTED;
    return element(
      "ul", { className: "near area-words", "aria-label": "Words in the area" },
      ...this.words.slice(0, LISTED).map((one) => element(
        "li", {}, wordButton(one.word, () => this.page.choose(one), "near-word"),
      )),
      more > 0 && element("li", { className: "quiet", textContent: `and ${grouped(more)} more` }),
    );
  }

  /** Put one word in each line on the clipboard. */
  async #copy() {
    const { words, status } = this;
    const lines = words.map(({ word }) => word.replace(/[\r\n]+/g, " "));
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      status.textContent = `Copied ${counted(words.length)}.`;
    } catch {
      status.textContent = "The browser does not allow copying here. Save the list instead.";
    }
  }

  #save() {
    const { x, y } = this.disc.mapped;
    const { count, ...others } = this.page.columns();
    const columns = { ...(count && { count }), x: (i) => x[i], y: (i) => y[i], ...others };
    const values = Object.values(columns);
    const rows = this.words.map(({ word, index }) => (
      [word, ...values.map((valueOf) => (index < 0 ? "" : valueOf(index)))]
    ));
    const text = csvOf(["word", ...Object.keys(columns)], rows);
    const type = "text/csv;charset=utf-8";
    download(new Blob([text], { type }), fileName(`${this.page.title()}-area`, "csv"));
    this.status.textContent = `Saved ${counted(this.words.length)}.`;
  }
}

function counted(words) {
  return `${grouped(words)} ${words === 1 ? "word" : "words"}`;
}
