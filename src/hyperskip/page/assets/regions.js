/**
 * The named regions of the map, in levels from large to small.
 *
 * A part of the map shows a level when it is enlarged enough for as many names. The enlargement of a
 * place is 1 in the first view. It grows with the scale, and near the rim by moving there.
 */

import { shown } from "hyperskip/dom";
import { distance } from "hyperskip/geometry";
import { HUES } from "hyperskip/hues";

const NAMES_AT_FIRST = 12;
const WORDS_AT_FIRST = 300;
const FEWEST_NAMES = 6; // on the screen; for fewer, smaller regions are named
const EARLIER = [1, 0.7, 0.5, 0.35, 0.25, 0.15]; // of the enlargement that is needed
const LONGER = 1.5; // the last names stay at least until the map is enlarged by this much
const SEEN = new Float64Array(3); // scratch space
const HUE_STEP = 5; // so that the hues of neighboring regions differ

/**
 * @typedef {{level: number, index: number, lines: string[], name: string, place: number[],
 *   size: number, hue: number, parent: Region|null, children: Region[]}} Region
 */

export class Regions {
  /**
   * @param {object[][]} levels as in the API
   * @param {number[]} ofWords the region of the last level of each word
   */
  constructor(levels, ofWords) {
    /** @type {Region[][]} */
    this.levels = [];
    levels.forEach((described, level) => {
      this.levels.push(described.map((one, index) => this.#region(one, level, index)));
    });
    this.#chooseHues();
    this.ofWords = ofWords;
    const needed = (count, first) => Math.max(1, Math.sqrt(count / first));
    this.wordsFrom = needed(ofWords.length, WORDS_AT_FIRST);
    const last = Math.max(this.wordsFrom, LONGER * needed(this.finest.length, NAMES_AT_FIRST));
    this.opensAt = [...this.levels.slice(1).map(({ length }) => needed(length, NAMES_AT_FIRST)), last];
  }

  #region({ words, size, x, y, parent }, level, index) {
    const lines = words.map(shown);
    const above = level === 0 ? null : this.levels[level - 1][parent];
    const region = {
      level, index, lines, name: lines.join(", "), place: [x, y], size, hue: 0, parent: above, children: [],
    };
    above?.children.push(region);
    return region;
  }

  /** Give hues to the largest regions by their direction from the center, and to all parts of them. */
  #chooseHues() {
    const angle = ({ place: [x, y] }) => Math.atan2(y, x);
    const around = [...this.levels[0]].sort((one, other) => angle(one) - angle(other));
    around.forEach((region, rank) => { region.hue = (rank * HUE_STEP) % HUES; });
    for (const level of this.levels.slice(1)) {
      for (const region of level) region.hue = region.parent.hue;
    }
  }

  get finest() {
    return this.levels[this.levels.length - 1];
  }

  /** The hue of a word, and a shade by its region of the second level. */
  colorOf(index) {
    let region = this.finest[this.ofWords[index]];
    while (region.level > 1) region = region.parent;
    return [region.hue, region.index];
  }

  /**
   * The regions whose names a view shows, the largest first, and the enlargement at which words have
   * labels. Where there are few words, names and words appear earlier.
   * @param {(place: number[]) => boolean} isSeen whether a place is on the screen
   */
  inView(view, home, isSeen) {
    for (const [step, early] of EARLIER.entries()) {
      const names = this.#opened(view, home, early).filter(({ place }) => isSeen(place));
      if (names.length >= FEWEST_NAMES || step === EARLIER.length - 1) {
        return { names, wordsFrom: Math.max(1, early * this.wordsFrom) };
      }
    }
  }

  #opened(view, home, early) {
    const named = [];
    const add = (region) => {
      const isLast = region.children.length === 0;
      const opensAt = this.opensAt[region.level] * (isLast ? 1 : early);
      if (enlargement(view, home, ...region.place) < opensAt) named.push(region);
      else region.children.forEach(add);
    };
    this.levels[0].forEach(add);
    const order = (one, other) => one.level - other.level || other.size - one.size;
    return named.filter(({ name }) => name !== "").sort(order);
  }

  /** The named regions that contain a place, the largest first. */
  around(place) {
    let nearest = null;
    let least = Infinity;
    for (const region of this.finest) {
      const away = distance(place, region.place);
      if (away < least) [nearest, least] = [region, away];
    }
    return pathTo(nearest);
  }

  /** The names of the regions of a word, the largest first. */
  namesOf(index) {
    return pathTo(this.finest[this.ofWords[index]]).map(({ name }) => name);
  }
}

/** A region and those that contain it, the largest first; those without a name are left out. */
function pathTo(region) {
  const path = [];
  for (let one = region; one !== null; one = one.parent) path.unshift(one);
  return path.filter(({ name }) => name !== "");
}

/** How much larger a view shows the surroundings of a place than the first view does. */
export function enlargement(view, home, x, y) {
  home.write(x, y, SEEN);
  const first = SEEN[2];
  view.write(x, y, SEEN);
  return ((view.scale / home.scale) * first) / SEEN[2];
}
