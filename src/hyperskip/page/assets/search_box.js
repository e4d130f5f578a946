/**
 * A text field with suggestions: the combobox pattern of ARIA.
 *
 * Suggestions are requested when the user pauses; outdated answers are dropped.
 */

import { element, grouped, shown } from "hyperskip/dom";

const PAUSE = 120; // milliseconds
let boxes = 0;

export class SearchBox {
  /**
   * @param {HTMLElement} host
   * @param {{label: string, placeholder?: string, visibleLabel?: boolean,
   *   suggest: (text: string, signal: AbortSignal) =>
   *     Promise<{words: Array<{word: string, count?: number}>, note?: string}>,
   *   choose: (entry: {word: string}) => void}} options choose: called with a suggestion or the text
   */
  constructor(host, { label, placeholder = "", visibleLabel = false, suggest, choose }) {
    this.suggest = suggest;
    this.choose = choose;
    this.id = `words-${++boxes}`;
    this.found = [];
    this.active = -1;
    this.waiting = 0;
    this.isByMouse = true; // whether the last click on a suggestion was by mouse
    this.request = new AbortController();
    this.list = element("ul", {
      id: this.id, className: "suggestions", role: "listbox", "aria-label": label, hidden: true,
    });
    this.input = element("input", {
      type: "text", className: "field", id: `${this.id}-field`, placeholder, autocomplete: "off",
      autocapitalize: "none", spellcheck: false, enterKeyHint: "search", maxLength: 1000, dir: "auto",
      role: "combobox", "aria-expanded": "false", "aria-controls": this.id, "aria-autocomplete": "list",
    });
    const name = element("label", {
      for: this.input.id, className: visibleLabel ? "field-label" : "unseen", textContent: label,
    });
    this.note = element("p", { className: "search-note", role: "status", hidden: true });
    host.append(element("div", { className: "search-box" }, name, this.input, this.list, this.note));
    this.#listen();
  }

  get value() {
    return this.input.value.trim();
  }

  set value(word) {
    this.input.value = word;
    this.close();
  }

  #listen() {
    this.input.addEventListener("input", () => this.#ask());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // keeps the focus
      this.isByMouse = event.pointerType === "mouse";
    });
  }

  #ask() {
    clearTimeout(this.waiting);
    this.request.abort();
    if (this.value === "") {
      this.close();
      return;
    }
    this.waiting = setTimeout(async () => {
      this.request = new AbortController();
      const { signal } = this.request;
      const found = await this.suggest(this.value, signal);
      if (!signal.aborted) this.#open(found);
    }, PAUSE);
  }

  #open({ words: found, note = "" }) {
    this.found = found;
    this.active = -1;
    this.list.replaceChildren(...found.map((entry, at) => element(
      "li",
      {
        id: `${this.id}-${at}`, role: "option", "aria-selected": "false",
        on: { click: () => this.#press(entry) },
      },
      element("bdi", { className: "word", textContent: shown(entry.word) }),
      entry.count > 0 && element("span", { className: "count", textContent: grouped(entry.count) }),
    )));
    this.#expand(found.length > 0);
    this.note.textContent = note;
    this.note.hidden = note === "";
  }

  close() {
    this.note.hidden = true;
    clearTimeout(this.waiting);
    this.request.abort();
    this.#expand(false);
  }

  #expand(open) {
    this.list.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
    if (!open) {
      this.active = -1;
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  #activate(at) {
    this.list.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = at;
    const option = this.list.children[at];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  /** After touch or pen input, hide the on-screen keyboard, which would cover the answer. */
  #press(entry) {
    if (!this.isByMouse) this.input.blur();
    this.#take(entry);
  }

  #take(entry) {
    this.value = entry.word;
    this.choose(entry);
  }

  /** The marked suggestion or the text; for a regular expression, the first suggestion. */
  #entered(open) {
    if (this.active >= 0) return this.found[this.active];
    if (isPattern(this.value)) return open ? this.found[0] : undefined;
    return this.value === "" ? undefined : { word: this.value };
  }

  #key(event) {
    const open = !this.list.hidden;
    const count = this.found.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) this.#ask();
      else if (event.key === "ArrowDown") this.#activate((this.active + 1) % count);
      else this.#activate((Math.max(this.active, 0) + count - 1) % count);
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      const entry = this.#entered(open);
      if (entry !== undefined) this.#take(entry);
    } else if (event.key === "Tab" && !event.shiftKey && this.active >= 0) {
      this.#take(this.found[this.active]);
      if (document.activeElement !== this.input) event.preventDefault(); // the focus has moved already
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (open) {
        this.close();
      } else {
        this.input.value = "";
        this.input.blur();
      }
    }
  }
}

/** Whether a text is a regular expression between slashes. */
function isPattern(text) {
  return text.length > 2 && text.startsWith("/") && text.endsWith("/");
}
