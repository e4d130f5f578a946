/** The three canvases of the disc: background, points, and an overlay of lines, marks and labels. */

import { CanvasPoints } from "hyperskip/canvas_points";
import { compose, paintGround, paintOverlay } from "hyperskip/composition";
import { element } from "hyperskip/dom";
import { Labels } from "hyperskip/labels";
import { Light } from "hyperskip/light";
import { LABEL_FONT, LINE_HEIGHT } from "hyperskip/overlay";
import { Points } from "hyperskip/points";

const MARGIN = 14; // pixels around the disc
const INKS = ["ink", "muted", "paper", "plate", "rim", "ring", "accent", "second", "third"];

export class Painter {
  /** @param {HTMLElement} host @param {HTMLElement[]} obstacles elements that labels avoid */
  constructor(host, obstacles) {
    this.host = host;
    this.obstacles = obstacles;
    const layer = (name) => element("canvas", { className: `layer ${name}`, "aria-hidden": "true" });
    this.layers = ["ground", "points", "overlay"].map(layer);
    host.prepend(...this.layers);
    const [ground, middle, overlay] = this.layers;
    this.ground = ground.getContext("2d");
    this.points = Points.on(middle) ?? new CanvasPoints(middle);
    this.context = overlay.getContext("2d");
    this.light = new Light();
    this.labels = new Labels((text) => this.#width(text));
    this.placed = []; // labels of the last frame
    this.markWords = []; // words of its marks
    this.names = []; // names of regions
    this.pointSize = 8;
    this.refreshInks();
    this.#resize();
  }

  /**
   * Follow the sizes of the host and of the obstacles.
   * @param {{whenEmpty: () => void, whenMoved: () => void}} then whenEmpty: the canvases are blank
   */
  watch({ whenEmpty, whenMoved }) {
    new ResizeObserver(() => { this.#resize(); whenEmpty(); }).observe(this.host);
    const moved = new ResizeObserver(() => { this.#findObstacles(); whenMoved(); });
    for (const obstacle of this.obstacles) moved.observe(obstacle);
  }

  #width(text) {
    this.context.font = LABEL_FONT;
    return this.context.measureText(text).width;
  }

  /** Read the current colors of the style sheet. */
  refreshInks() {
    const style = getComputedStyle(this.host);
    const color = (name) => [name, style.getPropertyValue(`--${name}`).trim()];
    this.inks = Object.fromEntries(INKS.map(color));
  }

  #resize() {
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of this.layers) {
      canvas.width = Math.max(1, Math.round(this.width * this.ratio));
      canvas.height = Math.max(1, Math.round(this.height * this.ratio));
    }
    this.#findObstacles();
  }

  /** Measure the obstacles: left, top, width and height of each. */
  #findObstacles() {
    const { left, top } = this.host.getBoundingClientRect();
    this.obstructed = this.obstacles.map((obstacle) => {
      const box = obstacle.getBoundingClientRect();
      return [box.left - left, box.top - top, box.width, box.height];
    });
  }

  setWords(words) {
    const count = words.names.length;
    this.pointSize = Math.min(14, Math.max(6.5, 19 - 1.05 * Math.log2(count + 1)));
    this.points.setWords(words);
    this.labels.forget();
  }

  /** The disc's radius in pixels at scale 1. */
  get frame() {
    return Math.max(1, Math.min(this.width, this.height) / 2 - MARGIN);
  }

  /** The disc's radius in pixels in a view. */
  radius(view) {
    return this.frame * view.scale;
  }

  /** Where a view shows a point of the unit disc, in pixels. */
  screen(view) {
    const radius = this.radius(view);
    return ([x, y]) => [this.width / 2 + x * radius, this.height / 2 - y * radius];
  }

  /** Size of points on this screen, relative to a large one. */
  get #fitting() {
    return Math.min(1.2, Math.max(0.6, this.frame / 400));
  }

  /**
   * Decide what a view of the disc shows.
   * @param {object} seen the part of a `Frame` that does not depend on the size of the screen
   */
  compose(seen) {
    const { width, height, inks, context, labels, light, obstructed } = this;
    const { view } = seen;
    const frame = {
      ...seen, width, height, inks, radius: this.radius(view), frameRadius: this.frame,
      pointSize: this.pointSize * this.#fitting * Math.min(2.5, view.scale ** 0.5),
      screen: this.screen(view),
    };
    const widthOf = (text) => this.#width(text);
    return compose(frame, { context, labels, light, widthOf, obstructed });
  }

  draw(seen) {
    const { width, height, ratio } = this;
    const composition = this.compose(seen);
    for (const context of [this.ground, this.context]) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
    }
    const { frame: { view, radius, pointSize }, opacity } = composition;
    paintGround(this.ground, composition);
    this.points.draw({ view, radius, ratio, pointSize, opacity });
    paintOverlay(this.context, composition);
    ({ placed: this.placed, markWords: this.markWords, names: this.names } = composition);
  }

  /** The index of the word whose label is at a point of the host, or -1. */
  writtenAt(x, y) {
    const written = [...this.markWords, ...this.placed].find(({ index, left, top, width }) => (
      index >= 0 && x >= left && x <= left + width && y >= top && y <= top + LINE_HEIGHT
    ));
    return written?.index ?? -1;
  }
}
