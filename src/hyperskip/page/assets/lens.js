/**
 * The lens: some words laid out around one of them, in place of the whole map.
 *
 * While it opens or closes, only its own words move: the picture of all others fades away. So frames are
 * as fast with many words as with few.
 */

import { Edges } from "hyperskip/edges";
import { appear, leaveGhost } from "hyperskip/fading";
import { ORIGIN, geodesic } from "hyperskip/geometry";
import { Motion } from "hyperskip/motion";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { View } from "hyperskip/view";
import { Words } from "hyperskip/words";

const DURATION = 800; // milliseconds
const LEAST_IMPORTANCE = 0.4; // points of few words can be larger
const GRAY = [128, 128, 128, 255]; // of words that are not on the map

/**
 * @typedef {{word: string, place: number[], at: number[]}} LensWord place: on the map; at: on the lens
 * @typedef {{radius: number, text: string}} Ring radius: hyperbolic distance from the middle
 */

export class Lens {
  /** @param {import("hyperskip/disc").Disc} disc */
  constructor(disc) {
    this.disc = disc;
    this.motion = new Motion();
    this.map = null; // what the disc showed before; null: the lens is closed
    this.words = []; // the one in the middle first
  }

  get isOpen() {
    return this.map !== null;
  }

  /**
   * Move words to their places on the lens, from where they are seen now. New words appear.
   * @param {{words: LensWord[], rings: Ring[]}} content the word in the middle first
   * @param {{view?: View|null, animated?: boolean, then?: () => void}} [how] view: of the lens
   */
  open({ words, rings }, { view = null, animated = true, then = () => {} } = {}) {
    const { disc } = this;
    const from = this.#seenNow(words);
    const scale = disc.view.scale;
    this.#begin(animated);
    this.map ??= { words: disc.words, home: disc.home, edges: disc.edges, view: disc.view };
    this.words = words;
    const indices = words.map(({ word }) => this.map.words.indexOf(word));
    const importance = indices.map((i) => (
      i < 0 ? LEAST_IMPORTANCE : LEAST_IMPORTANCE + (1 - LEAST_IMPORTANCE) * this.map.words.importance[i]
    ));
    const shown = new Words(
      words.map(({ word }) => word), words.map(({ at }) => at[0]), words.map(({ at }) => at[1]),
      Float32Array.from(importance), words.map((one, i) => this.map.words.labels[indices[i]] ?? one.word),
    );
    const home = View.at();
    let appeared = 0; // share of the way: new words become visible
    disc.lens = {
      middle: words[0].place, rings: [],
      colorsOf: (rgba) => subset(rgba, indices, (i) => (from[i] === null ? appeared : 1)),
    };
    disc.setShown(shown, { home, edges: new Edges(shown, []) });
    disc.view = View.at(ORIGIN, 0, scale);
    const target = view ?? home;
    this.#move(animated, from.map((start, i) => [start ?? words[i].at, words[i].at]), target, (share) => {
      appeared = share;
      disc.setColors(disc.colors);
      if (share < 1) return;
      disc.lens.rings = rings;
      disc.show(target);
      then();
    });
  }

  /**
   * Move the words back to the map, with the word of the lens in the center.
   * @param {{animated?: boolean, then?: () => void}} [how]
   */
  close({ animated = true, then = () => {} } = {}) {
    if (!this.isOpen) {
      then();
      return;
    }
    const { disc, map } = this;
    const from = this.#seenNow(this.words);
    this.#begin(animated);
    disc.lens.rings = [];
    const target = map.view.carrying(map.view.of(disc.lens.middle), ORIGIN);
    disc.view = View.at(ORIGIN, 0, disc.view.scale);
    const ways = this.words.map(({ place }, i) => [from[i], target.of(place)]);
    this.#move(animated, ways, target, (share) => {
      if (share < 1) return;
      this.map = null;
      this.words = [];
      disc.lens = null;
      disc.setShown(map.words, map);
      disc.show(target);
      if (animated) appear(disc.painter.layers[1]);
      then();
    });
  }

  #begin(animated) {
    const { disc } = this;
    this.motion.stop();
    disc.motion.stop();
    if (animated) leaveGhost(disc);
    disc.setScene(EMPTY_SCENE);
  }

  /** Where the view shows each of some words now, if it does. */
  #seenNow(words) {
    const { disc } = this;
    if (!this.isOpen) return words.map(({ place }) => disc.view.of(place));
    return words.map(({ word }) => {
      const index = disc.words.indexOf(word);
      return index < 0 ? null : disc.view.of(disc.words.placeOf(index));
    });
  }

  /** Move the shown words along geodesics, and change the scale of the view. */
  #move(animated, ways, target, pass) {
    const { disc } = this;
    const { words } = disc;
    const scale = disc.view.scale;
    const show = (share) => {
      ways.forEach(([from, to], i) => {
        [words.x[i], words.y[i]] = share === 1 ? to : geodesic(from, to, share);
      });
      disc.painter.points.setWords(words);
      const { alpha, beta } = disc.view;
      disc.show(new View(alpha, beta, scale * (target.scale / scale) ** share));
      pass(share);
    };
    if (animated) this.motion.run(DURATION, show);
    else show(1);
  }
}

/** Colors of some words of the map; their opacity times a share. */
function subset(rgba, indices, shareOf) {
  const colors = new Uint8Array(4 * indices.length);
  indices.forEach((index, i) => {
    colors.set(index < 0 ? GRAY : rgba.subarray(4 * index, 4 * index + 4), 4 * i);
    colors[4 * i + 3] *= shareOf(i);
  });
  return colors;
}
