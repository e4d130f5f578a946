/**
 * The tool that selects an area of the map: a line drawn freehand by a mouse, pen or finger, or a
 * rectangle around the middle of the view that keys enlarge and shrink.
 */

import { element, grouped } from "hyperskip/dom";
import { bounds, rectangle, wordsInside } from "hyperskip/polygon";

const NAMESPACE = "http://www.w3.org/2000/svg";
const STEP = 3; // pixels between corners of the line
const SMALLEST = 8; // pixels: a smaller line is a slip
const FIRST_SHARE = 0.4; // of the rectangle, relative to the smaller side of the map
const GROWTH = 1.15;
const LEAST = 12; // pixels of a side of the rectangle
const GROWS = {
  ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
  "+": [1, 1], "=": [1, 1], "-": [-1, -1], _: [-1, -1],
};
const HINT = "Draw around words";
const LABEL = "Select an area. Arrows, plus and minus change the rectangle in the middle, "
  + "Enter selects the words in it, Escape cancels.";

export class Lasso {
  /**
   * @param {import("hyperskip/disc").Disc} disc
   * @param {HTMLButtonElement} button that starts and stops it; the key A on the map starts it
   * @param {{take: (words: number[]) => void, announce: (text: string) => void}} page take: selected words
   */
  constructor(disc, button, page) {
    this.disc = disc;
    this.button = button;
    this.page = page;
    this.line = []; // corners on the page
    this.sides = null; // of the rectangle
    this.pointer = null;
    this.outline = document.createElementNS(NAMESPACE, "polygon");
    this.surface = document.createElementNS(NAMESPACE, "svg");
    this.surface.append(this.outline);
    for (const [name, value] of [["class", "lasso"], ["tabindex", "0"], ["role", "application"]]) {
      this.surface.setAttribute(name, value);
    }
    this.surface.setAttribute("aria-label", LABEL);
    this.hint = element("p", { className: "lasso-hint", "aria-hidden": "true" });
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", ({ detail }) => {
      if (this.active) this.stop();
      else this.start(detail === 0); // pressed by a key
    });
    disc.host.addEventListener("keydown", (event) => {
      if (button.offsetParent === null || event.key.toLowerCase() !== "a") return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.start(true);
    });
    this.#listen();
  }

  get active() {
    return this.surface.isConnected;
  }

  /** @param {boolean} byKey begin with the rectangle */
  start(byKey) {
    this.returnTo = byKey ? document.activeElement : null;
    this.disc.motion.stop();
    this.disc.host.after(this.surface, this.hint);
    this.button.setAttribute("aria-pressed", "true");
    this.#forget();
    this.#say(HINT);
    if (byKey) this.#resize(0, 0);
    this.surface.focus();
  }

  stop() {
    this.surface.remove();
    this.hint.remove();
    this.button.setAttribute("aria-pressed", "false");
    this.returnTo?.focus();
  }

  #forget() {
    this.line = [];
    this.sides = null;
    this.pointer = null;
    this.#trace([]);
  }

  #say(text) {
    this.hint.textContent = text;
  }

  /** Select the words inside; without any, go on. */
  #finish(polygon) {
    const found = wordsInside(this.disc, polygon);
    if (found.length === 0) {
      this.#say("No words there. Draw around some points.");
      this.page.announce("No words in the area.");
      return;
    }
    this.returnTo = null; // the list takes the focus
    this.stop();
    this.page.take(found);
  }

  #trace(polygon) {
    const { left, top } = this.disc.host.getBoundingClientRect();
    this.outline.setAttribute("points", polygon.map(([x, y]) => `${x - left},${y - top}`).join(" "));
  }

  // -- by pointer

  #listen() {
    const { surface } = this;
    surface.addEventListener("pointerdown", (event) => this.#press(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#release(event));
    surface.addEventListener("pointercancel", (event) => {
      if (event.pointerId === this.pointer) this.#forget();
    });
    surface.addEventListener("keydown", (event) => this.#key(event));
  }

  #press(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (this.pointer !== null) { // a second finger
      this.#forget();
      return;
    }
    this.#forget();
    this.surface.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.line = [this.#cornerOf(event)];
  }

  #move(event) {
    if (event.pointerId !== this.pointer) return;
    const [x, y] = this.#cornerOf(event);
    const [lastX, lastY] = this.line.at(-1);
    if (Math.hypot(x - lastX, y - lastY) < STEP) return;
    this.line.push([x, y]);
    this.#trace(this.line);
  }

  #release(event) {
    if (event.pointerId !== this.pointer) return;
    const { line } = this;
    const { left, top, right, bottom } = bounds(line);
    this.#forget();
    if (Math.min(right - left, bottom - top) >= SMALLEST) this.#finish(line);
  }

  /** The position of a pointer on the map, or on its edge. */
  #cornerOf({ clientX, clientY }) {
    const { left, top, right, bottom } = this.disc.host.getBoundingClientRect();
    return [Math.min(Math.max(clientX, left), right), Math.min(Math.max(clientY, top), bottom)];
  }

  // -- by key

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in GROWS) this.#resize(...GROWS[event.key]);
    else if (event.key === "Enter" && this.sides !== null) this.#finish(this.#rectangle);
    else if (event.key === "Escape") this.stop();
    else return;
    event.preventDefault();
  }

  /** Change the sides of the rectangle by steps. */
  #resize(wider, higher) {
    const { width, height } = this.disc.painter;
    const first = FIRST_SHARE * Math.min(width, height);
    const [across, along] = this.sides ?? [first, first];
    const side = (length, steps, most) => Math.min(most, Math.max(LEAST, length * GROWTH ** steps));
    this.sides = [side(across, wider, width), side(along, higher, height)];
    this.#trace(this.#rectangle);
    const count = wordsInside(this.disc, this.#rectangle).length;
    const text = `${grouped(count)} ${count === 1 ? "word" : "words"}`;
    this.#say(`${text}: change with arrows, select with Enter`);
    this.page.announce(text);
  }

  get #rectangle() {
    return rectangle(this.disc.clientOf(this.disc.view.center), ...this.sides);
  }
}
