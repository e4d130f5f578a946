/** The light or dark theme: that of the system, unless the user has chosen one. */

const DARK = matchMedia("(prefers-color-scheme: dark)");

export class Theme {
  /** @param {HTMLButtonElement} button @param {(name: "light"|"dark") => void} whenChanged */
  constructor(button, whenChanged) {
    this.button = button;
    this.whenChanged = whenChanged;
    this.chosen = null;
    button.addEventListener("click", () => {
      this.chosen = this.name === "dark" ? "light" : "dark";
      this.#apply();
    });
    DARK.addEventListener("change", () => this.#apply());
    this.#label();
  }

  get name() {
    return this.chosen ?? (DARK.matches ? "dark" : "light");
  }

  /** @param {"light"|"dark"|null} name null: the theme of the system */
  choose(name) {
    this.chosen = name;
    this.#apply();
  }

  #apply() {
    const root = document.documentElement;
    if (this.chosen === null) delete root.dataset.theme;
    else root.dataset.theme = this.chosen;
    this.#label();
    this.whenChanged(this.name);
  }

  #label() {
    const other = this.name === "dark" ? "light" : "dark";
    this.button.setAttribute("aria-label", `Use ${other} colors`);
    this.button.title = `Use ${other} colors`;
  }
}
