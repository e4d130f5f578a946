/** The names of regions on the disc: where they have room, and how they are drawn. */

import { nameColor } from "hyperskip/hues";
import { Grid } from "hyperskip/labels";
import { FAMILY } from "hyperskip/overlay";

const SIZES = [1, 0.82, 0.7]; // of the letters of each level, relative to the first
const LARGEST = 22; // pixels
const SMALLEST = 12;
const LETTERS_IN_RADIUS = 17; // the radius of the disc in letters of the first level
const LINE = 1.15; // height of a line, relative to its letters
const SHIFTS = [0, -0.5, 0.5, -1, 1, -1.6, 1.6]; // tried places, relative to the height
const MARGIN = 5;
const LEAST_ROOM = 12; // pixels: names closer to the rim are left out
const HALO = 4.5;

/** @typedef {{region: object, left: number, top: number, width: number, height: number, size: number}} Name */

/** Whether a name at a place would be on the screen, and not too close to the rim. */
export function isOnScreen({ view, screen, width, height, radius }, place) {
  const seen = view.of(place);
  const [x, y] = screen(seen);
  const isInside = x >= 0 && y >= 0 && x <= width && y <= height;
  return isInside && radius * (1 - seen[0] * seen[0] - seen[1] * seen[1]) >= LEAST_ROOM;
}

/**
 * Place names without overlaps, the largest regions first.
 * @param {CanvasRenderingContext2D} context
 * @returns {Name[]}
 */
export function placeNames(context, { view, screen, width, height }, regions, frameRadius, boxes) {
  const grid = new Grid(width, height);
  for (const box of boxes) grid.take(...box);
  const names = [];
  for (const region of regions) {
    const [x, y] = screen(view.of(region.place));
    const size = sizeOf(region.level, frameRadius);
    context.font = fontOf(size);
    const wide = Math.max(...region.lines.map((line) => context.measureText(line).width));
    const high = LINE * size * region.lines.length;
    if (wide > width - 2 * MARGIN) continue;
    const left = Math.min(Math.max(x - wide / 2, MARGIN), width - wide - MARGIN);
    for (const shift of SHIFTS) {
      const top = y - high / 2 + shift * high;
      if (top < MARGIN || top + high > height - MARGIN) continue;
      if (!grid.free(left - MARGIN, top, wide + 2 * MARGIN, high)) continue;
      grid.take(left - MARGIN, top, wide + 2 * MARGIN, high);
      names.push({ region, left, top, width: wide, height: high, size });
      break;
    }
  }
  return names;
}

/** Draw names in the hues of their regions, with an outline in the color of the disc. */
export function drawNames(context, { inks }, names, theme) {
  context.save();
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = HALO;
  context.strokeStyle = inks.plate;
  for (const { region, left, top, width, size } of names) {
    context.font = fontOf(size);
    context.fillStyle = nameColor(theme, region.hue);
    region.lines.forEach((line, number) => {
      const middle = top + LINE * size * (number + 0.5);
      context.strokeText(line, left + width / 2, middle);
      context.fillText(line, left + width / 2, middle);
    });
  }
  context.restore();
}

function sizeOf(level, frameRadius) {
  const first = Math.min(LARGEST, frameRadius / LETTERS_IN_RADIUS);
  return Math.max(SMALLEST, Math.round(first * SIZES[level]));
}

function fontOf(size) {
  return `650 ${size}px ${FAMILY}`;
}
