/**
 * The Poincaré disc of words: canvases, the view, and what the user does with them.
 *
 * The explorer and the self-contained picture share it. It draws only when something has changed,
 * and says what happens by events: `choose` and `hover` (detail: the word's index, or -1), `view`.
 */

import { CanvasPoints } from "hyperskip/canvas_points";
import { element, shown } from "hyperskip/dom";
import { listen } from "hyperskip/gestures";
import { ORIGIN, distance } from "hyperskip/geometry";
import { drawGround } from "hyperskip/ground";
import { inksOf } from "hyperskip/inks";
import { Labels } from "hyperskip/labels";
import { Motion } from "hyperskip/motion";
import {
  EMPTY_SCENE, LABEL_FONT, LINE_HEIGHT, drawLines, drawMarks, drawWords, placeMarkWords,
} from "hyperskip/overlay";
import { Points } from "hyperskip/points";
import { View } from "hyperskip/view";

const MARGIN = 14; // pixels around the disc
const MOUSE_REACH = 12;
const FINGER_REACH = 26;
const RIM = 0.9995; // where a place that was dragged beyond the disc is held
const FILLED = 0.94; // of the frame, by the words of a map that keeps to the middle ...
const MOST_ENLARGED = 1.7; // ... unless that takes more than this
const BEHIND = 0.38; // opacity of the points while lines are drawn over them
const JOURNEY = 650; // milliseconds to a word

export class Disc extends EventTarget {
  /** @param {HTMLElement} host an element that the disc fills */
  constructor(host) {
    super();
    this.host = host;
    const layer = (name) => element("canvas", { className: `layer ${name}`, "aria-hidden": "true" });
    this.ground = layer("ground");
    this.middle = layer("points");
    this.overlay = layer("overlay");
    host.prepend(this.ground, this.middle, this.overlay);
    this.groundContext = this.ground.getContext("2d");
    this.context = this.overlay.getContext("2d");
    this.#choosePoints();
    this.home = View.at();
    this.view = this.home;
    this.motion = new Motion();
    this.scene = EMPTY_SCENE;
    this.edges = [];
    this.hovered = -1;
    this.words = { x: new Float64Array(), y: new Float64Array(), names: [], text: () => "" };
    this.visible = () => true;
    this.labels = new Labels((text) => {
      this.context.font = LABEL_FONT;
      return this.context.measureText(text).width;
    });
    this.placed = [];
    this.frame = 0;
    this.frameTimes = []; // milliseconds of our own in the last frames
    this.inks = inksOf(host);
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
    this.#listen();
  }

  #choosePoints() {
    this.points = Points.on(this.middle);
    if (this.points === null) {
      this.points = new CanvasPoints(this.middle);
    } else {
      this.points.whenRestored = () => {
        this.points.setWords(this.words);
        this.points.setColours(this.colours);
        this.redraw();
      };
    }
  }

  /**
   * @param {string[]} names by importance
   * @param {ArrayLike<number>} x
   * @param {ArrayLike<number>} y
   * @param {Float32Array} importance 0 to 1: the size of the point
   */
  setWords(names, x, y, importance) {
    this.words = {
      names, importance, x: Float64Array.from(x), y: Float64Array.from(y),
      text: (index) => shown(names[index]),
    };
    this.indices = new Map(names.map((name, index) => [name, index]));
    this.pointSize = Math.min(11, Math.max(6.5, 15 - 0.9 * Math.log2(names.length + 1)));
    this.home = View.at(ORIGIN, 0, fittingScale(this.words));
    this.view = this.home;
    this.points.setWords(this.words);
    this.setColours(new Uint8Array(4 * names.length).fill(128));
    this.labels.forget();
    this.redraw();
  }

  /** @param {Uint8Array} rgba four numbers a word; a word whose alpha is 0 is not there */
  setColours(rgba) {
    this.colours = rgba;
    this.points.setColours(rgba);
    this.visible = (index) => rgba[4 * index + 3] > 60;
    this.redraw();
  }

  /** @param {import("hyperskip/overlay").Scene} scene */
  setScene(scene) {
    this.scene = scene;
    this.redraw();
  }

  setEdges(edges) {
    this.edges = edges;
    this.redraw();
  }

  /** Read the colours of the style sheet again. */
  refreshInks() {
    this.inks = inksOf(this.host);
    this.redraw();
  }

  // -- places

  /** The index of a word of the map, or -1. */
  indexOf(name) {
    return this.indices?.get(name) ?? -1;
  }

  placeOf(index) {
    return [this.words.x[index], this.words.y[index]];
  }

  /** Where a place is on the page: [clientX, clientY]. */
  clientOf(place) {
    const box = this.host.getBoundingClientRect();
    const [x, y] = this.#screen(this.view.of(place));
    return [box.left + x, box.top + y];
  }

  /** A position on the page as a point of the unit disc as it is seen; its length may be above 1. */
  seenAt([clientX, clientY]) {
    const box = this.host.getBoundingClientRect();
    return [
      (clientX - box.left - this.width / 2) / this.radius,
      -(clientY - box.top - this.height / 2) / this.radius,
    ];
  }

  /** The place under a position on the page; null outside the disc. */
  placeAt(client) {
    const seen = this.seenAt(client);
    return Math.hypot(seen[0], seen[1]) < 1 ? this.view.placeAt(seen) : null;
  }

  /** The word at a position on the page: the one written there, or the nearest point in reach. */
  wordAt(client, reach = MOUSE_REACH) {
    const box = this.host.getBoundingClientRect();
    const x = client[0] - box.left;
    const y = client[1] - box.top;
    const label = this.placed.find(({ left, top, width }) =>
      x >= left && x <= left + width && y >= top && y <= top + LINE_HEIGHT);
    return label ? label.index : this.#nearest(this.seenAt(client), reach / this.radius);
  }

  #nearest(seen, reach) {
    const { x, y } = this.words;
    const { alpha, beta } = this.view;
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
      if (apart < least && this.visible(i)) {
        least = apart;
        nearest = i;
      }
    }
    return nearest;
  }

  #screen([x, y]) {
    return [this.width / 2 + x * this.radius, this.height / 2 - y * this.radius];
  }

  get radius() {
    return Math.max(1, Math.min(this.width, this.height) / 2 - MARGIN) * this.view.scale;
  }

  // -- movements

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.redraw();
    this.dispatchEvent(new CustomEvent("view"));
  }

  /** Move a place to the middle, along the geodesic. */
  moveTo(place, milliseconds = JOURNEY) {
    const begin = this.view;
    const seen = begin.of(place);
    const length = distance(seen, ORIGIN);
    if (length < 1e-9) return;
    const size = Math.hypot(seen[0], seen[1]);
    this.motion.run(milliseconds, (share) => {
      const left = Math.tanh(((1 - share) * length) / 2) / size;
      const target = share === 1 ? ORIGIN : [seen[0] * left, seen[1] * left];
      this.show(begin.carrying(seen, target));
    });
  }

  /** Walk the middle along places, from one to the next on geodesics. */
  walk(places, milliseconds, { pass = () => {}, whenDone = () => {} } = {}) {
    const parts = places.length - 1;
    const along = (share) => {
      const part = Math.min(parts - 1, Math.floor(share * parts));
      const begin = View.at(places[part]);
      const view = begin.towards(View.at(places[part + 1]), share * parts - part);
      pass(Math.round(share * parts));
      this.show(this.view.carrying(this.view.of(view.centre), ORIGIN));
    };
    this.motion.run(milliseconds, along, { even: true, whenDone });
  }

  reset() {
    const begin = this.view;
    this.motion.run(JOURNEY, (share) => {
      this.show(share === 1 ? this.home : begin.towards(this.home, share));
    });
  }

  zoom(factor, client = null) {
    this.motion.stop();
    const seen = client === null ? ORIGIN : this.seenAt(client);
    this.show(this.view.zoomed(factor, seen));
  }

  #listen() {
    let grabbed = null;
    const choose = (index) => this.dispatchEvent(new CustomEvent("choose", { detail: index }));
    listen(this.host, {
      grab: (at) => {
        this.motion.stop();
        grabbed = this.placeAt(at);
      },
      drag: (at) => {
        if (grabbed === null) return;
        this.#hover(-1);
        this.show(this.view.carrying(this.view.of(grabbed), held(this.seenAt(at))));
      },
      pinch: (factor, at) => this.zoom(factor, at),
      zoom: (factor, at) => this.zoom(factor, at),
      tap: (at, kind) => choose(this.wordAt(at, kind === "touch" ? FINGER_REACH : MOUSE_REACH)),
      hover: (at) => this.#hover(this.wordAt(at)),
      leave: () => this.#hover(-1),
      reset: () => this.reset(),
      step: ([x, y], length) => {
        this.motion.stop();
        const reach = Math.tanh(length / 2);
        this.show(this.view.carrying([x * reach, y * reach], ORIGIN));
      },
      choose: () => choose(this.#nearest(ORIGIN, 2)),
    });
  }

  #hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.host.classList.toggle("pointing", index >= 0);
    this.redraw();
    this.dispatchEvent(new CustomEvent("hover", { detail: index }));
  }

  // -- drawing

  #resize() {
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.ground, this.middle, this.overlay]) {
      canvas.width = Math.max(1, Math.round(this.width * this.ratio));
      canvas.height = Math.max(1, Math.round(this.height * this.ratio));
    }
    this.#draw();
  }

  /** Draw before the next frame is shown. */
  redraw() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const begin = performance.now();
    const { view, width, height, radius, ratio, inks, edges } = this;
    const scene = this.#sceneWithHover();
    const screen = (seen) => this.#screen(seen);
    const frame = { view, width, height, radius, ratio, inks, edges, scene, screen };
    for (const context of [this.groundContext, this.context]) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
    }
    drawGround(this.groundContext, frame);
    const pointSize = (this.pointSize ?? 8) * Math.min(2.5, view.scale ** 0.5);
    const opacity = scene.lines.length > 0 ? BEHIND : 1;
    this.points.draw({ view, radius, ratio, pointSize, opacity });
    drawLines(this.context, frame);
    drawMarks(this.context, frame);
    const markWords = placeMarkWords(frame, (text) => this.labels.width(text));
    this.placed = this.labels.place({
      ...frame, words: this.words, visible: this.visible, line: LINE_HEIGHT,
      taken: new Set(scene.marks.map((mark) => mark.index)),
      boxes: markWords.map(({ left, top, size }) => [left - 4, top, size + 8]),
    });
    drawWords(this.context, frame, this.placed, markWords, opacity < 1);
    this.frameTimes.push(performance.now() - begin);
    if (this.frameTimes.length > 2000) this.frameTimes.splice(0, 1000);
  }

  #sceneWithHover() {
    const index = this.hovered;
    if (index < 0 || this.scene.marks.some((mark) => mark.index === index)) return this.scene;
    const mark = {
      at: this.placeOf(index), word: this.words.names[index], index, shape: "ring", ink: "ink", strong: true,
    };
    return { ...this.scene, marks: [...this.scene.marks, mark] };
  }
}

/** A point as it is, or drawn back inside the rim. */
function held(seen) {
  const length = Math.hypot(seen[0], seen[1]);
  return length < RIM ? seen : [(seen[0] * RIM) / length, (seen[1] * RIM) / length];
}

/** The scale at which nearly all words fill the disc's frame, in reason. */
function fittingScale({ x, y }) {
  const lengths = x.map((_, i) => Math.hypot(x[i], y[i])).sort();
  const far = lengths[Math.floor(0.995 * (lengths.length - 1))] ?? 1;
  return Math.min(MOST_ENLARGED, Math.max(1, FILLED / far));
}
