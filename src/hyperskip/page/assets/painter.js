/** The three canvases of the disc: background, points, and an overlay of lines, marks and labels. */

import { CanvasPoints } from "hyperskip/canvas_points";
import { element } from "hyperskip/dom";
import { drawGround } from "hyperskip/ground";
import { Labels } from "hyperskip/labels";
import {
  LABEL_FONT, LINE_HEIGHT, drawLines, drawMarks, drawWords, overlap, placeMarkWords,
} from "hyperskip/overlay";
import { Points } from "hyperskip/points";
import { drawNames, isOnScreen, placeNames } from "hyperskip/region_labels";
import { enlargement } from "hyperskip/regions";

const DIMMED = 0.38; // opacity of the points while lines are drawn on top of them
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

  /** Size of points on this screen, relative to a large one. */
  get #fitting() {
    return Math.min(1.2, Math.max(0.6, this.frame / 400));
  }

  /**
   * @param {{view: import("hyperskip/view").View, words: object, visible: (i: number) => boolean,
   *   hovered: number, edges: import("hyperskip/edges").Edges, scene: import("hyperskip/overlay").Scene,
   *   screen: (seen: number[]) => number[], home: import("hyperskip/view").View,
   *   regions: {named: import("hyperskip/regions").Regions, theme: string}|null}} seen
   */
  draw({ words, visible, hovered, home, regions, ...seen }) {
    const { width, height, ratio, inks } = this;
    const { view, scene } = seen;
    const radius = this.frame * view.scale;
    const pointSize = this.pointSize * this.#fitting * Math.min(2.5, view.scale ** 0.5);
    const frame = { ...seen, words, pointSize, width, height, radius, ratio, inks };
    for (const context of [this.ground, this.context]) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
    }
    const opacity = scene.lines.length > 0 ? DIMMED : 1;
    drawGround(this.ground, frame, opacity);
    this.points.draw({ view, radius, ratio, pointSize, opacity });
    drawLines(this.context, frame);
    const widthOf = (text) => this.#width(text);
    const above = this.obstructed.map(([left, top, ...size]) => (
      { left, top, width: size[0], height: size[1] }
    ));
    this.markWords = placeMarkWords(frame, scene.marks, widthOf, above);
    const named = scene.marks.length === 0 ? regions?.named : undefined; // a scene has its own labels
    const inView = named?.inView(view, home, (place) => isOnScreen(frame, place));
    this.names = placeNames(this.context, frame, inView?.names ?? [], this.frame, this.obstructed);
    const hasRoom = (i) => inView === undefined
      || enlargement(view, home, words.x[i], words.y[i]) >= inView.wordsFrom;
    this.placed = this.labels.place({
      ...frame, visible: (i) => visible(i) && hasRoom(i), line: LINE_HEIGHT,
      taken: new Set(scene.marks.map((mark) => mark.index)),
      boxes: [
        ...this.obstructed,
        ...this.names.map(({ left, top, width: wide, height: high }) => [left, top, wide, high]),
        ...this.markWords.map((word) => [word.left - 4, word.top, word.width + 8, LINE_HEIGHT]),
      ],
    });
    if (named !== undefined) drawNames(this.context, frame, this.names, regions.theme);
    // The hovered word does not move other labels, so that they do not run away from the pointer.
    const hasLabel = [...this.placed, ...this.markWords].some(({ index }) => index === hovered);
    const hoverMarks = hoverMarksOf(words, scene, hovered, hasLabel);
    drawMarks(this.context, frame, new Set([...scene.marks, ...hoverMarks]));
    const unlabeled = hasLabel ? [] : hoverMarks.map((mark) => ({ ...mark, strong: true }));
    const hoverLabels = placeMarkWords(frame, unlabeled, widthOf, [...above, ...this.markWords]);
    const labels = this.placed.filter((label) => !hoverLabels.some((word) => overlap(label, word, 6)));
    drawWords(this.context, frame, {
      labels, hovered, markWords: [...this.markWords, ...hoverLabels], behind: opacity < 1,
    });
  }

  /** The index of the word whose label is at a point of the host, or -1. */
  writtenAt(x, y) {
    const written = [...this.markWords, ...this.placed].find(({ index, left, top, width }) => (
      index >= 0 && x >= left && x <= left + width && y >= top && y <= top + LINE_HEIGHT
    ));
    return written?.index ?? -1;
  }
}

/** The mark of the hovered word, that of the scene if it has one; none for -1. */
function hoverMarksOf(words, scene, index, hasLabel) {
  if (index < 0) return [];
  const marked = scene.marks.find((mark) => mark.index === index);
  const look = { shape: hasLabel ? "dot" : "ring", ink: "accent" }; // a ring would cross the label
  return [marked ?? { at: words.placeOf(index), word: words.names[index], index, ...look }];
}
