/** A message in the panel: the error, what to do, and buttons for it. */

import { element, fill, sentence, wordButton } from "hyperskip/dom";

export class Notice {
  constructor(host) {
    this.host = host;
    host.classList.add("notice");
    this.clear();
  }

  /** Clear a message about a word, as another one is being typed. */
  forgetWord() {
    if (this.isAboutWord) this.clear();
  }

  clear() {
    this.isAboutWord = false;
    this.host.hidden = true;
    this.host.replaceChildren();
  }

  /**
   * @param {Error & {hint?: string, suggestions?: string[], status?: number, reload?: boolean}} error
   * @param {{retry?: () => void, choose?: (word: string) => void}} [then]
   */
  show(error, { retry = null, choose = null } = {}) {
    this.isAboutWord = choose !== null && !error.reload;
    const suggestions = choose === null ? [] : (error.suggestions ?? []);
    const mayRetry = retry !== null && !error.reload && (error.status === 0 || error.status >= 500);
    fill(
      this.host,
      element("p", { className: "notice-title", textContent: sentence(error.message) }),
      suggestions.length > 0
        ? element(
          "p", { className: "chips" }, "Did you mean ",
          ...suggestions.map((word) => wordButton(word, () => { this.clear(); choose(word); }, "chip")),
        )
        : error.hint && element("p", { textContent: error.hint }),
      mayRetry && element("button", {
        type: "button", className: "button", textContent: "Retry",
        on: { click: () => { this.clear(); retry(); } },
      }),
      error.reload && element("button", {
        type: "button", className: "button", textContent: "Reload",
        on: { click: () => location.reload() },
      }),
    );
    this.host.hidden = false;
  }
}
