/**
 * What a frame of the disc shows: which labels, names and marks, and where.
 *
 * This is decided once, and painted by the same functions on the canvases of the page, on one large
 * canvas, or as SVG.
 */

import { drawGround } from "hyperskip/ground";
import {
  LINE_HEIGHT, drawLines, drawMarks, drawWords, overlap, placeMarkWords,
} from "hyperskip/overlay";
import { drawNames, isOnScreen, placeNames } from "hyperskip/region_labels";
import { enlargement } from "hyperskip/regions";
import { drawRingTexts, placeRingTexts } from "hyperskip/rings";

const DIMMED = 0.38; // opacity of the points while lines are drawn on top of them

/**
 * @typedef {{view: import("hyperskip/view").View, words: import("hyperskip/words").Words,
 *   visible: (i: number) => boolean, hovered: number, chosen: Set<number>,
 *   edges: import("hyperskip/edges").Edges, scene: import("hyperskip/overlay").Scene,
 *   screen: (seen: number[]) => number[], home: import("hyperskip/view").View,
 *   regions: {named: import("hyperskip/regions").Regions, theme: string}|null, width: number,
 *   height: number, radius: number, frameRadius: number, pointSize: number, inks: Object,
 *   rings?: import("hyperskip/lens").Ring[]}} Frame
 *   chosen: words that have labels in every view, where there is room; other words have none then
 */

/**
 * @param {Frame} frame
 * @param {{context: CanvasRenderingContext2D, labels: import("hyperskip/labels").Labels,
 *   light: import("hyperskip/light").Light, widthOf: (text: string) => number,
 *   obstructed: number[][]}} tools context: measures text
 */
export function compose(frame, { context, labels, light, widthOf, obstructed }) {
  const { view, home, words, visible, hovered, chosen, scene, regions } = frame;
  const opacity = scene.lines.length > 0 && frame.rings === undefined ? DIMMED : 1;
  const above = obstructed.map(([left, top, width, height]) => ({ left, top, width, height }));
  const markWords = placeMarkWords(frame, scene.marks, widthOf, above);
  const named = scene.marks.length === 0 ? regions?.named : undefined; // a scene has its own labels
  const inView = named?.inView(view, home, (place) => isOnScreen(frame, place));
  const names = placeNames(context, frame, inView?.names ?? [], frame.frameRadius, obstructed);
  const isLarge = (i) => inView === undefined
    || enlargement(view, home, words.x[i], words.y[i]) >= inView.wordsFrom;
  const isWritten = chosen.size > 0 ? (i) => chosen.has(i) : isLarge;
  const ringTexts = placeRingTexts(context, frame);
  const placed = labels.place({
    ...frame, visible: (i) => visible(i) && isWritten(i), line: LINE_HEIGHT,
    taken: new Set(scene.marks.map((mark) => mark.index)),
    boxes: [
      ...obstructed,
      ...ringTexts.map(({ box }) => box),
      ...names.map(({ left, top, width, height }) => [left, top, width, height]),
      ...markWords.map((word) => [word.left - 4, word.top, word.width + 8, LINE_HEIGHT]),
    ],
  });
  // The hovered word does not move other labels, so that they do not run away from the pointer.
  const hasLabel = [...placed, ...markWords].some(({ index }) => index === hovered);
  const hoverMarks = hoverMarksOf(words, scene, hovered, hasLabel);
  const unlabeled = hasLabel ? [] : hoverMarks.map((mark) => ({ ...mark, strong: true }));
  const hoverWords = placeMarkWords(frame, unlabeled, widthOf, [...above, ...markWords]);
  return { frame, opacity, light, markWords, names, placed, ringTexts, hoverMarks, hoverWords };
}

/** Paint the background of the points. */
export function paintGround(context, { frame, opacity, light }) {
  drawGround(context, frame, opacity, () => {
    if (frame.regions !== null) light.draw(context, frame, frame.regions, opacity);
  });
}

/** Paint what is above the points. */
export function paintOverlay(context, composition) {
  const { frame, opacity, markWords, names, placed, ringTexts, hoverMarks, hoverWords } = composition;
  drawLines(context, frame);
  drawRingTexts(context, frame, ringTexts);
  if (names.length > 0) drawNames(context, frame, names, frame.regions.theme);
  drawMarks(context, frame, new Set([...frame.scene.marks, ...hoverMarks]));
  drawWords(context, frame, {
    labels: placed.filter((label) => !hoverWords.some((word) => overlap(label, word, 6))),
    hovered: frame.hovered, markWords: [...markWords, ...hoverWords], behind: opacity < 1,
  });
}

/** The mark of the hovered word, that of the scene if it has one; none for -1. */
function hoverMarksOf(words, scene, index, hasLabel) {
  if (index < 0) return [];
  const marked = scene.marks.find((mark) => mark.index === index);
  const look = { shape: hasLabel ? "dot" : "ring", ink: "accent" }; // a ring would cross the label
  return [marked ?? { at: words.placeOf(index), word: words.names[index], index, ...look }];
}
