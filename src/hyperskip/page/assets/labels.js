/**
 * Placement of labels: the most frequent words that have room next to their points.
 *
 * A grid of small cells records the occupied area. A label of the previous frame is placed as if its
 * word had a quarter of its frequency rank, so that labels persist while the view moves.
 */

import { pointWidth } from "hyperskip/canvas_points";

const CELL = 6;
const GAP = 3; // pixels between a point and its label
const NARROWEST = 12;
const MOST = 150;
const MOST_TRIED = 6000;
const PREVIOUS_RANK = 0.25; // factor for labels of the previous frame
const LEAST_ROOM = 17; // pixels: words closer to the rim have no label

/**
 * @typedef {{index: number, text: string, left: number, top: number, width: number,
 *   strength: number}} Label
 */

export class Labels {
  constructor(measure) {
    this.measure = measure; // text -> pixels
    this.widths = []; // by index, measured once
    this.previous = new Map(); // index -> side of the label
    this.seen = new Float64Array(3); // scratch space
  }

  forget() {
    this.widths = [];
    this.previous.clear();
  }

  /**
   * @param {{words: {x: Float64Array, y: Float64Array, importance: Float32Array, text: (i: number) => string},
   *   visible: (i: number) => boolean, taken: Set<number>, boxes: number[][],
   *   view: import("hyperskip/view").View, width: number, height: number, radius: number,
   *   pointSize: number, line: number}} frame taken: words with a label; boxes: occupied areas
   * @returns {Label[]}
   */
  place(frame) {
    const grid = new Grid(frame.width, frame.height);
    for (const box of frame.boxes) grid.take(...box);
    const labels = [];
    const sides = new Map();
    let tried = 0;
    for (const index of this.#order(frame.words.x.length)) {
      if (labels.length >= MOST || tried >= MOST_TRIED) break;
      if (frame.taken.has(index) || sides.has(index) || !frame.visible(index)) continue;
      const spot = this.#spot(frame, index);
      if (spot === null) continue;
      tried += 1;
      const label = this.#fitted(frame, grid, index, spot);
      if (label === null) continue;
      sides.set(index, label.side);
      labels.push(label);
    }
    this.previous = sides;
    return labels;
  }

  /** Indices by frequency; labels of the previous frame come earlier. */
  *#order(count) {
    const before = [...this.previous.keys()].sort((a, b) => a - b);
    let next = 0;
    for (let index = 0; index < count; index++) {
      while (next < before.length && before[next] * PREVIOUS_RANK <= index) yield before[next++];
      yield index;
    }
  }

  #spot({ words, view, width, height, radius, pointSize }, index) {
    const { seen } = this;
    const x = words.x[index];
    const y = words.y[index];
    view.write(x, y, seen);
    const scaled = (radius * (1 - x * x - y * y)) / seen[2]; // radius times 1 - |seen|²
    if (scaled < LEAST_ROOM && words.importance[index] <= 1) return null;
    const left = width / 2 + radius * seen[0];
    const top = height / 2 - radius * seen[1];
    if (left < 0 || top < 0 || left > width || top > height) return null;
    const gap = GAP + pointWidth(pointSize, words.importance[index], scaled / radius) / 2;
    return { left, top, scaled, gap };
  }

  #fitted(frame, grid, index, spot) {
    const first = this.previous.get(index) ?? 0;
    const top = spot.top - frame.line / 2;
    const right = grid.free(spot.left + spot.gap, top, NARROWEST, frame.line);
    const left = grid.free(spot.left - spot.gap - NARROWEST, top, NARROWEST, frame.line);
    if (!right && !left) return null;
    const text = frame.words.text(index);
    this.widths[index] ??= this.measure(text);
    const width = this.widths[index];
    for (const side of [first, 1 - first]) {
      const left = side === 0 ? spot.left + spot.gap : spot.left - spot.gap - width;
      if (left < 0 || left + width > frame.width) continue;
      if (!grid.free(left - 2, top, width + 4, frame.line)) continue;
      grid.take(left - 2, top, width + 4, frame.line);
      const isPinned = frame.words.importance[index] > 1;
      const strength = isPinned ? 1 : Math.min(1, spot.scaled / (0.35 * frame.radius));
      return { index, text, left, top, width, strength, side };
    }
    return null;
  }
}

/** The occupied area of the disc, in small cells. */
export class Grid {
  constructor(width, height) {
    this.columns = Math.ceil(width / CELL) + 1;
    this.rows = Math.ceil(height / CELL) + 1;
    this.cells = new Uint8Array(this.columns * this.rows);
  }

  #span(left, top, width, height) {
    return [
      Math.max(0, Math.floor(left / CELL)),
      Math.max(0, Math.floor(top / CELL)),
      Math.min(this.columns - 1, Math.floor((left + width) / CELL)),
      Math.min(this.rows - 1, Math.floor((top + height) / CELL)),
    ];
  }

  free(...box) {
    const [left, top, right, bottom] = this.#span(...box);
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        if (this.cells[row * this.columns + column]) return false;
      }
    }
    return true;
  }

  take(...box) {
    const [left, top, right, bottom] = this.#span(...box);
    for (let row = top; row <= bottom; row++) {
      this.cells.fill(1, row * this.columns + left, row * this.columns + right + 1);
    }
  }
}
