/** The words of a selected area: a list in the panel that can be copied or saved, and dimmed others. */

import { csvOf } from "hyperskip/csv";
import { element, fill, grouped, wordButton } from "hyperskip/dom";
import { download, fileName } from "hyperskip/download";

const LISTED = 200; // words in the panel; copies and files contain all

export class AreaList {
  /**
   * @param {HTMLElement} host
   * @param {import("hyperskip/disc").Disc} disc
   * @param {{choose: (index: number) => void, title: () => string, 
   *   columns: () => Object<string, (index: number) => string|number>}} page
   *   columns: of a saved file, besides the word and its place
   */
  constructor(host, disc, page) {
    this.host = host;
    this.disc = disc;
    this.page = page;
    this.words = []; // indices, the most important first
  }

  /** @param {number[]} words indices */
  show(words) {
    this.words = words;
    this.disc.emphasize(new Set(words));
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
    const { names } = this.disc.words;
    const more = this.words.length - LISTED;
    return element(
      "ul", { className: "near area-words", "aria-label": "Words in the area" },
      ...this.words.slice(0, LISTED).map((index) => element(
        "li", {}, wordButton(names[index], () => this.page.choose(index), "near-word"),
      )),
      more > 0 && element("li", { className: "quiet", textContent: `and ${grouped(more)} more` }),
    );
  }

  /** Put one word in each line on the clipboard. */
  async #copy() {
    const { words, status } = this;
    const lines = words.map((index) => this.disc.words.names[index].replace(/[\r\n]+/g, " "));
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      status.textContent = `Copied ${counted(words.length)}.`;
    } catch {
      status.textContent = "The browser does not allow copying here. Save the list instead.";
    }
  }

  #save() {
    const { names, x, y } = this.disc.words;
    const { count, ...others } = this.page.columns();
    const columns = {
      word: (i) => names[i], ...(count && { count }), x: (i) => x[i], y: (i) => y[i], ...others,
    };
    const values = Object.values(columns);
    const rows = this.words.map((index) => values.map((valueOf) => valueOf(index)));
    const text = csvOf(Object.keys(columns), rows);
    const type = "text/csv;charset=utf-8";
    download(new Blob([text], { type }), fileName(`${this.page.title()}-area`, "csv"));
    this.status.textContent = `Saved ${counted(this.words.length)}.`;
  }
}

function counted(words) {
  return `${grouped(words)} ${words === 1 ? "word" : "words"}`;
}
