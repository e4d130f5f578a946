/** Rings around the middle of the disc: at whole distances, or those of the lens with their labels. */

import { ORIGIN, circle } from "hyperskip/geometry";
import { FAMILY, LINE_HEIGHT } from "hyperskip/overlay";

const WHOLE = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12].map((radius) => ({ radius, text: "" }));
const SMALLEST = 6; // pixels: smallest radius, and smallest distance from the rim
const ALWAYS = 2; // rings up to this radius are drawn next to the rim, too
const FONT = `11px ${FAMILY}`;
const HALO = 3;

/** The rings that a frame shows: a circle on the screen for each. */
function circlesOf({ view, screen, radius, rings }) {
  const middle = view.of(ORIGIN);
  return (rings ?? WHOLE).map((ring) => ({ ...ring, round: circle(middle, ring.radius) })).filter(
    (ring) => {
      const gap = 1 - Math.hypot(...ring.round.center) - ring.round.radius;
      const isLarge = ring.round.radius * radius >= SMALLEST;
      return isLarge && (ring.radius <= ALWAYS || gap * radius >= SMALLEST);
    },
  ).map(({ text, round }) => ({ text, at: screen(round.center), size: round.radius * radius }));
}

export function drawRings(context, frame) {
  context.strokeStyle = frame.rings === undefined ? frame.inks.ring : frame.inks.rim;
  context.lineWidth = 1;
  for (const { at: [x, y], size } of circlesOf(frame)) {
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** The labels of rings, at their tops: [left, top, width, height] of each, with its text. */
export function placeRingTexts(context, frame) {
  context.font = FONT;
  return circlesOf(frame).filter(({ text }) => text !== "").map(({ text, at: [x, y], size }) => {
    const width = context.measureText(text).width;
    return { text, box: [x - width / 2 - 2, y - size - LINE_HEIGHT / 2, width + 4, LINE_HEIGHT] };
  });
}

export function drawRingTexts(context, { inks }, texts) {
  context.save();
  context.font = FONT;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = HALO;
  context.strokeStyle = inks.plate;
  context.fillStyle = inks.muted;
  for (const { text, box: [left, top, width, height] } of texts) {
    context.strokeText(text, left + width / 2, top + height / 2);
    context.fillText(text, left + width / 2, top + height / 2);
  }
  context.restore();
}
