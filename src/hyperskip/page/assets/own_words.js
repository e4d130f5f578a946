/** Words of the user on the map: pasted, or from a file. Nothing of them leaves the page. */

import { element, fill, grouped, wordText } from "hyperskip/dom";
import { textOf } from "hyperskip/file_text";
import { numberOf, ownGroups } from "hyperskip/own_groups";
import { readTable } from "hyperskip/table";
import { WordFinder } from "hyperskip/word_finder";

const LISTED = 30; // words that are not on the map
const SAMPLE = 300; // rows that decide which columns are used
const MOST_CATEGORIES = 30; // of a column that is used without being chosen

export class OwnWords {
  /**
   * @param {HTMLElement} host
   * @param {{disc: import("hyperskip/disc").Disc, coloring: import("hyperskip/coloring").Coloring,
   *   announce: (text: string) => void, changed: () => void}} page
   */
  constructor(host, page) {
    this.page = page;
    this.table = null;
    this.field = element("textarea", {
      className: "field", id: "own-text", rows: 3, spellcheck: false, dir: "auto",
      placeholder: "dog, cat, New York …",
    });
    this.file = element("input", {
      type: "file", hidden: true, accept: ".csv,.tsv,.txt,.tab,text/*",
      on: { change: () => this.#readFile(this.file.files[0]) },
    });
    const button = (textContent, className, click) => (
      element("button", { type: "button", className, textContent, on: { click } })
    );
    this.clearButton = button("Clear", "button second", () => this.clear());
    this.columns = element("div", { className: "choice" });
    this.result = element("div", { className: "own-result", role: "status" });
    this.details = element(
      "details", { className: "own" },
      element("summary", { textContent: "Your words" }),
      element("label", {
        for: this.field.id, className: "quiet",
        textContent: "Words, or a table with a header (CSV, TSV). You can also drop a file on the page.",
      }),
      this.field,
      element(
        "div", { className: "actions" },
        button("Show words", "button", () => this.#read(this.field.value)),
        button("Open a file …", "button second", () => this.file.click()),
        this.clearButton,
      ),
      this.file, this.columns, this.result,
    );
    host.append(this.details);
    this.clearButton.hidden = true;
    this.#acceptDrops();
  }

  clear() {
    this.table = null;
    this.field.value = "";
    this.file.value = "";
    this.columns.replaceChildren();
    this.result.replaceChildren();
    this.clearButton.hidden = true;
    this.page.coloring.setOwn(null);
    this.page.changed();
    this.field.focus();
  }

  // -- input

  #acceptDrops() {
    const hasFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
    const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
    document.addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      mark(true);
    });
    document.addEventListener("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) mark(false); // it has left the page
    });
    document.addEventListener("drop", (event) => {
      mark(false);
      if (!hasFile(event)) return;
      event.preventDefault();
      this.#readFile(event.dataTransfer.files[0]);
    });
  }

  async #readFile(file) {
    if (file === undefined) return; // no file was chosen
    this.details.open = true;
    try {
      this.#read(await textOf(file));
    } catch (error) {
      this.#say(error.message);
    }
    this.file.value = ""; // so that the same file can be chosen again
  }

  #read(text) {
    const table = readTable(text.replace(/^\ufeff/, ""));
    if (table.rows.length === 0) {
      this.#say("There are no words. Paste some, or open a file.");
      return;
    }
    this.finder = new WordFinder(this.page.disc.mapped);
    this.table = table;
    this.#offerColumns();
    this.#show();
  }

  // -- columns

  /** The column with the words is the one that has the most different words of the map. */
  #offerColumns() {
    const { header, rows } = this.table;
    this.columns.replaceChildren();
    if (header === null) return;
    const sample = rows.slice(0, SAMPLE);
    const found = header.map((_, at) => {
      const words = [...new Set(sample.map((row) => row[at]))];
      return words.filter((word) => word !== "" && this.finder.indexOf(word) >= 0).length;
    });
    const words = found.indexOf(Math.max(...found));
    const color = header.findIndex((_, at) => at !== words && isColorful(sample.map((row) => row[at])));
    const choice = (text, id, options, value) => {
      const select = element("select", { id, on: { change: () => this.#show() } }, ...options);
      select.value = String(value);
      return [element("label", {}, `${text} `, select), select];
    };
    const names = header.map((name, at) => optionOf(name, at));
    const [wordsLabel, wordsSelect] = choice("Words in", "own-column", names, words);
    const others = [optionOf("nothing", -1), ...names.map((option) => option.cloneNode(true))];
    const [colorLabel, colorSelect] = choice("Color by", "own-color", others, color);
    Object.assign(this, { wordsSelect, colorSelect });
    this.columns.replaceChildren(wordsLabel, colorLabel);
  }

  /** Find the words, color them, and say which ones are not on the map. */
  #show() {
    const { header, rows } = this.table;
    const wordsAt = header === null ? 0 : Number(this.wordsSelect.value);
    const colorAt = header === null ? -1 : Number(this.colorSelect.value);
    const values = new Map(); // by index on the map
    const missing = new Set();
    const asked = new Set();
    for (const row of rows) {
      const word = row[wordsAt];
      if (word === "" || asked.has(word)) continue;
      asked.add(word);
      const index = this.finder.indexOf(word);
      if (index < 0) missing.add(word);
      else if (!values.has(index)) values.set(index, colorAt < 0 ? "" : row[colorAt]);
    }
    const { disc, coloring } = this.page;
    const isEmpty = values.size === 0;
    const title = colorAt < 0 ? null : header[colorAt];
    coloring.setOwn(isEmpty ? null : ownGroups(disc.mapped.names.length, values, title));
    this.#say(
      `${grouped(asked.size - missing.size)} of ${counted(asked.size)} ${
        asked.size - missing.size === 1 ? "is" : "are"} on the map.`,
      [...missing],
    );
    this.page.changed();
  }

  #say(message, missing = []) {
    const listed = missing.slice(0, LISTED).flatMap((word) => [", ", wordText(word)]).slice(1);
    const more = missing.length - LISTED;
    fill(
      this.result,
      element("p", { textContent: message }),
      missing.length > 0 && element(
        "p", { className: "quiet missing" }, "Not on the map: ", ...listed,
        more > 0 && ` and ${grouped(more)} more`, ".",
      ),
    );
    this.clearButton.hidden = false;
    this.page.announce(message);
  }
}

function optionOf(name, at) {
  return element("option", { value: String(at), textContent: name });
}

/** Whether a column is fit to color by: numbers, or a few categories. */
function isColorful(values) {
  const distinct = new Set(values.filter((value) => value !== ""));
  const areNumbers = [...distinct].every((value) => numberOf(value) !== null);
  return distinct.size > 1 && (areNumbers || distinct.size <= MOST_CATEGORIES);
}

function counted(count) {
  return `${grouped(count)} ${count === 1 ? "word" : "words"}`;
}
