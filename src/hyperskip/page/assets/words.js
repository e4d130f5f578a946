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
  nearest({ alpha, beta }, seen, reach, visible) {
    const { x, y } = this;
    let nearest = -1;
    let least = reach * reach;
    for (let i = 0; i < x.length; i++) {
      // The same as view.of, without arrays: this runs for every word at every move of the mouse.
      const underX = beta[0] * x[i] + beta[1] * y[i] + alpha[0];
      const underY = beta[0] * y[i] - beta[1] * x[i] - alpha[1];
      const overX = alpha[0] * x[i] - alpha[1] * y[i] + beta[0];
      const overY = alpha[0] * y[i] + alpha[1] * x[i] + beta[1];
      const square = underX * underX + underY * underY;
      const right = (overX * underX + overY * underY) / square - seen[0];
      const up = (overY * underX - overX * underY) / square - seen[1];
      const apart = right * right + up * up;
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
