/** The legend of colors: a color scale for numbers, or a button for each group that hides it. */

import { cssColor, groupColor, rampColor } from "hyperskip/colors";
import { element, grouped, shown } from "hyperskip/dom";

const STRIP = 24;
const SMALL_SCREEN = "(max-height: 519px), (max-width: 900px)";

export class Legend {
  /** @param {HTMLElement} host @param {(hidden: Set<number>) => void} whenToggled */
  constructor(host, whenToggled) {
    this.host = host;
    this.whenToggled = whenToggled;
    this.hidden = new Set();
    this.title = element("button", {
      type: "button", className: "legend-title",
      on: { click: () => this.#open(!this.isOpen) },
    });
    const small = window.matchMedia(SMALL_SCREEN);
    small.addEventListener("change", () => this.#open(!small.matches));
    this.#open(!small.matches);
  }

  #open(isOpen) {
    this.isOpen = isOpen;
    this.title.setAttribute("aria-expanded", String(isOpen));
  }

  /** Close the legend if it covers a part of the disc. */
  closeIfCovering(disc) {
    const { left, top, right, bottom } = this.host.getBoundingClientRect();
    const [x, y] = disc.clientOf(disc.view.center);
    const nearX = Math.min(Math.max(x, left), right);
    const nearY = Math.min(Math.max(y, top), bottom);
    if (Math.hypot(nearX - x, nearY - y) < disc.radius) this.#open(false);
  }

  #fill(title, body) {
    this.title.textContent = title;
    body.classList.add("legend-body");
    this.host.replaceChildren(this.title, body);
  }

  /** Show something else in its place. */
  showInstead(other) {
    this.hidden.clear();
    this.host.replaceChildren(other);
  }

  showNumbers(theme, title, low, high) {
    this.hidden.clear();
    const strip = element("canvas", { className: "strip", "aria-hidden": "true" });
    Object.assign(strip, { width: STRIP, height: 1 });
    const context = strip.getContext("2d");
    for (let step = 0; step < STRIP; step++) {
      context.fillStyle = cssColor(rampColor(theme, step / (STRIP - 1)));
      context.fillRect(step, 0, 1, 1);
    }
    this.#fill(title, element(
      "div", { className: "legend-ends" },
      element("span", { textContent: low }), strip, element("span", { textContent: high }),
    ));
  }

  /**
   * @param {string[]} names
   * @param {number[]} [sizes]
   * @param {(theme: string, group: number) => number[]} [colorOf]
   */
  showGroups(theme, title, names, sizes = [], colorOf = groupColor) {
    const entries = names.map((name, group) => {
      const swatch = element("span", { className: "swatch", "aria-hidden": "true" });
      swatch.style.backgroundColor = cssColor(colorOf(theme, group));
      const size = sizes[group] === undefined ? "" : `: ${grouped(sizes[group])} words`;
      const button = element(
        "button",
        {
          type: "button", className: "legend-entry", title: `${shown(name)}${size}; click to hide or show`,
          "aria-pressed": String(!this.hidden.has(group)),
        },
        swatch, element("bdi", { textContent: shown(name) }),
      );
      button.addEventListener("click", () => {
        if (!this.hidden.delete(group)) this.hidden.add(group);
        button.setAttribute("aria-pressed", String(!this.hidden.has(group)));
        this.whenToggled(this.hidden);
      });
      return element("li", {}, button);
    });
    this.#fill(title, element("ul", { className: "legend-groups" }, ...entries));
  }
}
