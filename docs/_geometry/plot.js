/** A square canvas of a figure. Subclasses say what is painted. */

import { element } from "hyperskip/dom";
import { LABEL_FONT, drawMarks, drawWords, placeMarkWords } from "hyperskip/overlay";
import { View } from "hyperskip/view";

const MARGIN = 2; // pixels around the unit circle

/**
 * What a plot shows: lines and marks as in the explorer, and what is drawn below them.
 * @typedef {import("hyperskip/overlay").Scene & {below?: Function}} Scene
 */
export class Plot {
  /** @param {string} description for screen readers */
  constructor(description) {
    this.canvas = element("canvas", { role: "img", "aria-label": description });
    this.host = element("div", { className: "plot" }, this.canvas);
    this.view = View.at();
    this.radius = 1; // pixels of the unit circle
    /** @type {Scene} */
    this.scene = { lines: [], marks: [] };
  }

  /** Draw the scene in the size that the plot has now. */
  draw(inks) {
    const width = this.host.clientWidth;
    const ratio = devicePixelRatio;
    if (width === 0) return;
    const pixels = Math.round(width * ratio);
    if (this.canvas.width !== pixels) Object.assign(this.canvas, { width: pixels, height: pixels });
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, width);
    this.radius = (width / 2 - MARGIN) * this.view.scale;
    const { view, scene, radius } = this;
    const screen = ([x, y]) => [width / 2 + x * radius, width / 2 - y * radius];
    const frame = { view, scene, radius, screen, inks, width, height: width };
    this.paint(context, frame);
    drawMarks(context, frame, scene.marks);
    this.#drawWords(context, frame);
  }

  #drawWords(context, frame) {
    context.font = LABEL_FONT;
    const widthOf = (text) => context.measureText(text).width;
    const markWords = placeMarkWords(frame, frame.scene.marks, widthOf, this.obstacles);
    drawWords(context, frame, { labels: [], hovered: -1, markWords, behind: false });
  }

  /** Boxes that labels must not cover. */
  get obstacles() {
    return [];
  }
}

/** A mark with a label. */
export function mark(at, word, ink, shape = "target") {
  return { at, word, index: -1, shape, ink, strong: true };
}
