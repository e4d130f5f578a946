/**
 * The Poincaré disc with its words: the view, drawing and user input.
 *
 * The explorer and the self-contained picture share it. It draws only when something has changed, and
 * dispatches events: `choose` and `hover` (detail: the index of a word, or -1), `view`, and `shown` when
 * it shows other words.
 */

import { emphasized } from "hyperskip/colors";
import { Edges } from "hyperskip/edges";
import { ORIGIN, geodesic } from "hyperskip/geometry";
import { Motion } from "hyperskip/motion";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { Painter } from "hyperskip/painter";
import { steer } from "hyperskip/steering";
import { View } from "hyperskip/view";
import { Words } from "hyperskip/words";

const REACH = 12; // pixels
const JOURNEY = 650; // milliseconds of a movement to a word

export class Disc extends EventTarget {
  /**
   * @param {HTMLElement} host the element that contains the disc
   * @param {HTMLElement[]} obstacles elements on top of it
   */
  constructor(host, obstacles) {
    super();
    this.host = host;
    this.painter = new Painter(host, obstacles);
    this.home = View.at();
    this.view = this.home;
    this.motion = new Motion();
    this.scene = EMPTY_SCENE;
    this.lens = null; // {middle, rings, colorsOf}: set by the lens while it is open
    this.regions = null; // {named, theme}: those that have names; call `redraw` after a change
    this.hovered = -1; // call `redraw` after a change
    this.chosen = new Set(); // indices of emphasized words
    this.words = Words.none();
    this.mapped = this.words; // words of the map, also while the lens shows others
    this.edges = new Edges(this.words, []);
    this.visible = () => true;
    this.frame = 0;
    this.frameTimes = []; // milliseconds spent on each of the last frames
    this.painter.points.whenRestored = () => this.#paintAgain();
    this.painter.watch({ whenEmpty: () => this.draw(), whenMoved: () => this.redraw() });
    steer(this);
  }

  /** @param {Words} words */
  setWords(words) {
    this.mapped = words;
    this.colors = new Uint8Array(4 * words.names.length).fill(128);
    this.setShown(words, { home: View.at(ORIGIN, 0, words.fittingScale), edges: this.edges });
    this.view = this.home;
  }

  /** Show other words: those of the lens, or of the map again. */
  setShown(words, { home, edges }) {
    Object.assign(this, { words, home, edges, hovered: -1, chosen: new Set() });
    this.painter.setWords(words);
    this.setColors(this.colors);
    this.dispatchEvent(new CustomEvent("shown"));
  }

  /** @param {Uint8Array} rgba four bytes for each word of the map; a word with alpha 0 is hidden */
  setColors(rgba) {
    this.colors = rgba;
    this.#color();
  }

  /** Emphasize some words; the other points are drawn faintly. @param {Set<number>} chosen */
  emphasize(chosen) {
    this.chosen = chosen;
    this.#color();
  }

  #color() {
    const shown = this.lens?.colorsOf(this.colors) ?? this.colors;
    this.visible = (index) => shown[4 * index + 3] > 60;
    this.shownColors = emphasized(shown, this.chosen);
    this.painter.points.setColors(this.shownColors);
    this.redraw();
  }

  /** @param {import("hyperskip/overlay").Scene} scene */
  setScene(scene) {
    this.scene = scene;
    this.redraw();
  }

  /** @param {import("hyperskip/edges").Edges} edges */
  setEdges(edges) {
    this.edges = edges;
    this.redraw();
  }

  /** Read the colors of the style sheet again. */
  refreshInks() {
    this.painter.refreshInks();
    this.redraw();
  }

  // -- places

  /** The place on the map in the middle of the view. */
  get center() {
    return this.lens?.middle ?? this.view.center;
  }

  /** Where a place is on the page: [clientX, clientY]. */
  clientOf(place) {
    const box = this.host.getBoundingClientRect();
    const [x, y] = this.painter.screen(this.view)(this.view.of(place));
    return [box.left + x, box.top + y];
  }

  /** A position on the page as a point of the displayed unit disc; may be outside of it. */
  seenAt([clientX, clientY]) {
    const box = this.host.getBoundingClientRect();
    return [
      (clientX - box.left - this.painter.width / 2) / this.radius,
      -(clientY - box.top - this.painter.height / 2) / this.radius,
    ];
  }

  /** The place at a position on the page; null outside the disc. */
  placeAt(client) {
    const seen = this.seenAt(client);
    return Math.hypot(seen[0], seen[1]) < 1 ? this.view.placeAt(seen) : null;
  }

  /** The word at a position on the page: the label there, or the nearest point within reach. */
  wordAt(client, reach = REACH) {
    const box = this.host.getBoundingClientRect();
    const written = this.painter.writtenAt(client[0] - box.left, client[1] - box.top);
    return written >= 0 ? written : this.nearest(this.seenAt(client), reach / this.radius);
  }

  /** The word nearest to a point of the displayed disc within reach, or -1. */
  nearest(seen, reach) {
    return this.words.nearest(this.view, seen, reach, this.visible);
  }

  get radius() {
    return this.painter.radius(this.view);
  }

  // -- movements

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.redraw();
    this.dispatchEvent(new CustomEvent("view"));
  }

  /** Move a place to the center, along the geodesic. */
  moveTo(place) {
    const journey = this.view.journeyTo(place);
    if (journey !== null) this.motion.run(JOURNEY, (share) => this.show(journey(share)));
  }

  /** Move the center along places, on geodesics; `pass` is called with the index of the nearest. */
  walk(places, milliseconds, pass) {
    const parts = places.length - 1;
    this.motion.run(milliseconds, (share) => {
      const part = Math.min(parts - 1, Math.floor(share * parts));
      const place = geodesic(places[part], places[part + 1], share * parts - part);
      pass(Math.round(share * parts));
      this.show(this.view.carrying(this.view.of(place), ORIGIN));
    }, { even: true });
  }

  reset() {
    const { view, home } = this;
    this.motion.run(JOURNEY, (share) => this.show(share === 1 ? home : view.towards(home, share)));
  }

  zoom(factor, client = null) {
    this.motion.stop();
    const seen = client === null ? ORIGIN : this.seenAt(client);
    this.show(this.view.zoomed(factor, seen));
  }

  /** @param {number} index of the word under the pointer, or -1 */
  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.host.classList.toggle("pointing", index >= 0);
    this.dispatchEvent(new CustomEvent("hover", { detail: index }));
    this.redraw();
  }

  // -- drawing

  /** What the painter draws. */
  get seen() {
    const { view, home, words, visible, hovered, chosen, edges, scene } = this;
    const layer = this.lens === null ? { regions: this.regions } : { regions: null, rings: this.lens.rings };
    return { view, home, words, visible, hovered, chosen, edges, scene, ...layer };
  }

  #paintAgain() {
    this.painter.points.setWords(this.words);
    this.#color();
  }

  /** Mark the document as ready, which scripts and tests wait for. */
  markReady() {
    const mark = () => { document.documentElement.dataset.ready = "true"; };
    requestAnimationFrame(() => requestAnimationFrame(mark));
  }

  /** Draw before the next frame is shown. */
  redraw() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const begin = performance.now();
    this.painter.draw(this.seen);
    if (this.frameTimes.push(performance.now() - begin) > 2000) this.frameTimes.splice(0, 1000);
  }
}
