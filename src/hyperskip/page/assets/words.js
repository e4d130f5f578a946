/** The words of a map, the most important first: names, places and sizes. */

import { shown } from "hyperskip/dom";

const FILLED = 0.94; // share of the frame that words fill if they are all near the center
const LARGEST_SCALE = 1.7;
const SMALLEST_SCALE = 1.25; // for less, keep the rim visible

export class Words {
  /**
   * @param {string[]} names
   * @param {ArrayLike<number>} x
   * @param {ArrayLike<number>} y
   * @param {Float32Array} importance 0 to 1: the size of the point; more for one that is never small
   * @param {string[]|null} labels written on the disc instead of the names
   */
  constructor(names, x, y, importance, labels = null) {
    this.names = names;
    this.labels = labels ?? names;
    this.x = Float64Array.from(x);
    this.y = Float64Array.from(y);
    this.importance = importance;
    this.texts = new Array(names.length);
    this.indices = new Map(names.map((name, index) => [name, index]));
  }

  static none() {
    return new Words([], [], [], new Float32Array());
  }

  /** The label of a word, made when it is first needed. */
  text(index) {
    this.texts[index] ??= shown(this.labels[index]);
    return this.texts[index];
  }

  /** The index of a word, or -1. */
  indexOf(name) {
    return this.indices.get(name) ?? -1;
  }

  placeOf(index) {
    return [this.x[index], this.y[index]];
  }

  /** The index of the word shown nearest to a point of the unit disc, within reach, or -1. */
  nearest(view, [wantedX, wantedY], reach, visible) {
    const { x, y } = this;
    const seen = new Float64Array(3);
    let nearest = -1;
    let least = reach * reach;
    for (let i = 0; i < x.length; i++) {
      view.write(x[i], y[i], seen);
      const apart = (seen[0] - wantedX) ** 2 + (seen[1] - wantedY) ** 2;
      if (apart < least && visible(i)) {
        least = apart;
        nearest = i;
      }
    }
    return nearest;
  }

  /** The scale at which nearly all words fill the frame, within limits. */
  get fittingScale() {
    const lengths = this.x.map((x, i) => Math.hypot(x, this.y[i])).sort();
    const far = lengths[Math.floor(0.995 * (lengths.length - 1))] ?? 1;
    const scale = Math.min(LARGEST_SCALE, FILLED / far);
    return scale < SMALLEST_SCALE ? 1 : scale;
  }
}
