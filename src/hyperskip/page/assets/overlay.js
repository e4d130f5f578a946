/** The layer above the points: geodesics, marks and all labels. */

import { pointWidth } from "hyperskip/canvas_points";
import { shown } from "hyperskip/dom";
import { geodesic } from "hyperskip/geometry";
import { drawArrowHead, traceGeodesic } from "hyperskip/strokes";

export const LINE_HEIGHT = 15;
export const FAMILY = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';
export const LABEL_FONT = `13px ${FAMILY}`;
const STRONG_FONT = `600 14px ${FAMILY}`;
const HALO = 3.5;
const ARROW = 10;
const MARK = { dot: 3.75, ring: 8, target: 7 };
const MARK_GAP = 12; // pixels from the center of a mark to its label
const POINT_GAP = 4; // pixels from the edge of a point to its label

/**
 * What a mode draws. `ink` is the name of a color; `index` is the index of the word on the map, or -1.
 * @typedef {{at: number[], word: string, index: number, shape: "dot"|"ring"|"target", ink: string,
 *   strong?: boolean}} Mark
 * @typedef {{from: number[], to: number[], ink: string, width?: number, dash?: number[],
 *   arrow?: boolean}} Line
 * @typedef {{lines: Line[], marks: Mark[]}} Scene
 */

/** @type {Scene} */
export const EMPTY_SCENE = { lines: [], marks: [] };

export function drawLines(context, { view, screen, inks, scene }) {
  context.lineCap = "round";
  for (const line of scene.lines) {
    const from = view.of(line.from);
    const to = view.of(line.to);
    context.strokeStyle = inks[line.ink];
    context.fillStyle = inks[line.ink];
    context.lineWidth = line.width ?? 1.5;
    context.setLineDash(line.dash ?? []);
    context.beginPath();
    traceGeodesic(context, screen, from, to);
    context.stroke();
    if (line.arrow) drawArrowHead(context, screen, geodesic(from, to, 0.97), to, ARROW);
  }
  context.setLineDash([]);
}

/** @param {Iterable<Mark>} marks */
export function drawMarks(context, { view, screen, inks }, marks) {
  for (const mark of marks) {
    const [x, y] = screen(view.of(mark.at));
    const size = MARK[mark.shape];
    context.strokeStyle = inks[mark.ink];
    context.fillStyle = inks[mark.ink];
    context.lineWidth = 2;
    context.beginPath();
    if (mark.shape === "target") {
      context.moveTo(x, y - size);
      context.lineTo(x + size, y);
      context.lineTo(x, y + size);
      context.lineTo(x - size, y);
      context.closePath();
      context.save();
      context.fillStyle = inks.plate;
      context.fill();
      context.restore();
      context.stroke();
    } else {
      context.arc(x, y, size, 0, 2 * Math.PI);
      if (mark.shape === "dot") context.fill();
      else context.stroke();
    }
  }
}

/**
 * Place the labels of marks: strong ones first, each as close to its mark as possible. If there is no
 * room, only a strong one is drawn.
 * @param {Mark[]} marks
 * @param {(text: string) => number} widthOf
 * @param {Array<{left: number, top: number, width: number, height?: number}>} others occupied areas
 */
export function placeMarkWords({ view, screen, words, pointSize, ...frame }, marks, widthOf, others = []) {
  const placed = [];
  const ordered = [...marks].sort((a, b) => Number(b.strong ?? false) - Number(a.strong ?? false));
  for (const mark of ordered) {
    if (!mark.word) continue;
    const text = mark.index < 0 ? shown(mark.word) : words.text(mark.index);
    const width = widthOf(text) * (mark.strong ? 1.16 : 1);
    const seen = view.of(mark.at);
    const point = screen(seen);
    const room = 1 - seen[0] * seen[0] - seen[1] * seen[1];
    const pointed = mark.index < 0 ? 0 : pointWidth(pointSize, words.importance[mark.index], room);
    const gap = Math.max(MARK_GAP, pointed / 2 + POINT_GAP);
    const spots = spotsAround(point, width, gap).map(([left, top]) => ({ left, top, width }));
    const free = spots.find((spot) => isFree(spot, [...others, ...placed], frame));
    if (free === undefined && !mark.strong) continue;
    placed.push({ mark, index: mark.index, text, point, gap, ...(free ?? spots[0]) });
  }
  return placed;
}

/** Positions of a box around a point: right, left, above, below, and then farther away. */
function spotsAround([x, y], size, gap) {
  const spots = [];
  for (const away of [0, 0.7, 1.4, 2.1, 2.8]) {
    const shift = away * LINE_HEIGHT;
    for (const left of [x + gap, x - gap - size]) {
      spots.push([left, y - LINE_HEIGHT / 2 - shift]);
      if (shift > 0) spots.push([left, y - LINE_HEIGHT / 2 + shift]);
    }
    spots.push([x - size / 2, y - gap - LINE_HEIGHT - shift], [x - size / 2, y + gap + shift]);
  }
  return spots;
}

function isFree(spot, placed, frame) {
  const inside = spot.left >= 2 && spot.left + spot.width <= frame.width - 2
    && spot.top >= 2 && spot.top + LINE_HEIGHT <= frame.height - 2;
  return inside && !placed.some((box) => overlap(spot, box));
}

/** Whether two labels overlap, or are too close to each other. */
export function overlap(one, other, gap = 0) {
  return one.left <= other.left + other.width + gap && other.left <= one.left + one.width + gap
    && one.top < bottomOf(other) && other.top < bottomOf(one);
}

function bottomOf({ top, height = LINE_HEIGHT }) {
  return top + height;
}

/** Draw a thin line from a mark to its label if that is not next to it. */
function drawLeader(context, inks, { left, top, width, gap, point: [x, y] }) {
  const nearX = Math.min(Math.max(x, left), left + width);
  const nearY = Math.min(Math.max(y, top + 2), top + LINE_HEIGHT - 2);
  if (Math.hypot(nearX - x, nearY - y) < 1.3 * gap) return;
  context.strokeStyle = inks.muted;
  context.lineWidth = 0.6;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(nearX, nearY);
  context.stroke();
}

/** Draw labels, with an outline in the color of the disc that keeps them readable. */
export function drawWords(context, { inks }, { labels, hovered, markWords, behind }) {
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = inks.plate;
  context.lineWidth = HALO;
  context.font = LABEL_FONT;
  for (const label of labels) {
    const isHovered = label.index === hovered;
    context.fillStyle = isHovered ? inks.accent : inks.ink;
    if (isHovered) context.globalAlpha = 1;
    else context.globalAlpha = behind ? 0.62 : 0.5 + 0.5 * label.strength;
    const middle = label.top + LINE_HEIGHT / 2;
    context.strokeText(label.text, label.left, middle);
    context.fillText(label.text, label.left, middle);
  }
  context.globalAlpha = 1;
  for (const word of markWords) drawLeader(context, inks, word);
  context.strokeStyle = inks.plate;
  context.lineWidth = HALO;
  for (const { mark, text, left, top } of markWords) {
    context.font = mark.strong ? STRONG_FONT : LABEL_FONT;
    context.fillStyle = mark.strong ? inks[mark.ink] : inks.ink;
    context.strokeText(text, left, top + LINE_HEIGHT / 2);
    context.fillText(text, left, top + LINE_HEIGHT / 2);
  }
}
