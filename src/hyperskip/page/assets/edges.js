/**
 * The edges of a graph, as geodesics behind the points: those of the most important words first.
 *
 * The number of edges in a frame is limited. Edges that are too short to be seen, or outside the
 * window, are skipped, so that other edges appear when the view moves.
 */

import { traceGeodesic } from "hyperskip/strokes";

const MOST = 2500; // edges in a frame
const SHORTEST = 2.5; // pixels
const OPACITY = 0.45;
const LEAST_OPACITY = 0.6; // relative to OPACITY, while lines are drawn on top

export class Edges {
  /**
   * @param {import("hyperskip/words").Words} words
   * @param {number[][]} pairs indices of two words; an edge has the color of the first
   */
  constructor(words, pairs) {
    const sorted = [...pairs].sort((a, b) => Math.max(...a) - Math.max(...b));
    this.words = words;
    this.first = Int32Array.from(sorted, ([first]) => first);
    this.second = Int32Array.from(sorted, ([, second]) => second);
    this.seen = new Float64Array(2 * words.names.length);
    this.colorOf = () => "gray";
    this.isShown = () => true;
    this.drawn = 0; // in the last frame
  }

  get count() {
    return this.first.length;
  }

  /** @param {(index: number) => string} colorOf @param {(index: number) => boolean} isShown */
  setColors(colorOf, isShown) {
    this.colorOf = colorOf;
    this.isShown = isShown;
  }

  /** @param {number} opacity of the points */
  draw(context, frame, opacity) {
    this.drawn = 0;
    if (this.count === 0) return;
    this.#look(frame.view);
    const edges = new Map(); // by color
    for (let edge = 0; edge < this.count && this.drawn < MOST; edge++) {
      const [a, b] = [this.first[edge], this.second[edge]];
      if (!this.#isVisible(a, b, frame) || !this.isShown(a) || !this.isShown(b)) continue;
      const color = this.colorOf(a);
      if (!edges.has(color)) edges.set(color, []);
      edges.get(color).push([a, b]);
      this.drawn += 1;
    }
    context.globalAlpha = OPACITY * Math.max(LEAST_OPACITY, opacity);
    context.lineWidth = 1;
    for (const [color, pairs] of edges) {
      context.strokeStyle = color;
      context.beginPath();
      for (const [a, b] of pairs) traceGeodesic(context, frame.screen, this.#seenAt(a), this.#seenAt(b));
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Compute where the view shows each word. */
  #look(view) {
    const { x, y } = this.words;
    const seen = new Float64Array(3);
    for (let i = 0; i < x.length; i++) {
      view.write(x[i], y[i], seen);
      this.seen[2 * i] = seen[0];
      this.seen[2 * i + 1] = seen[1];
    }
  }

  #seenAt(index) {
    return [this.seen[2 * index], this.seen[2 * index + 1]];
  }

  #isVisible(a, b, { radius, width, height }) {
    const { seen } = this;
    const [x, y, otherX, otherY] = [seen[2 * a], seen[2 * a + 1], seen[2 * b], seen[2 * b + 1]];
    if (Math.hypot(x - otherX, y - otherY) * radius < SHORTEST) return false;
    const right = width / 2 / radius;
    const top = height / 2 / radius;
    return Math.min(x, otherX) < right && Math.max(x, otherX) > -right
      && Math.min(y, otherY) < top && Math.max(y, otherY) > -top;
  }
}
