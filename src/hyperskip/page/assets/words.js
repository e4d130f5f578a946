/** The words of a map, the most important first: their names, places and sizes. */

import { shown } from "hyperskip/dom";

const FILLED = 0.94; // of the frame, by the words of a map that keeps to the middle ...
const MOST_ENLARGED = 1.7; // ... unless that takes more than this
const LEAST_ENLARGED = 1.25; // less is not worth losing the rim

export class Words {
  /**
   * @param {string[]} names
   * @param {ArrayLike<number>} x
   * @param {ArrayLike<number>} y
   * @param {Float32Array} importance 0 to 1: the size of the point
   */
  constructor(names, x, y, importance) {
    this.names = names;
    this.x = Float64Array.from(x);
    this.y = Float64Array.from(y);
    this.importance = importance;
    this.texts = new Array(names.length);
    this.indices = new Map(names.map((name, index) => [name, index]));
  }

  static none() {
    return new Words([], [], [], new Float32Array());
  }

  /** The word as it is written; made once, when it is first needed. */
  text(index) {
    this.texts[index] ??= shown(this.names[index]);
    return this.texts[index];
  }

  /** The index of a word, or -1. */
  indexOf(name) {
    return this.indices.get(name) ?? -1;
  }

  placeOf(index) {
    return [this.x[index], this.y[index]];
  }

  /** The index of the word that is seen nearest to a point of the unit disc, in reach, or -1. */
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

  /** The scale at which nearly all words fill the disc's frame, in reason. */
  get fittingScale() {
    const lengths = this.x.map((x, i) => Math.hypot(x, this.y[i])).sort();
    const far = lengths[Math.floor(0.995 * (lengths.length - 1))] ?? 1;
    const scale = Math.min(MOST_ENLARGED, FILLED / far);
    return scale < LEAST_ENLARGED ? 1 : scale;
  }
}
