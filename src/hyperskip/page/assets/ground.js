/** The background of the points: the disc, its rim, rings at whole distances, and edges. */

import { ORIGIN, circle } from "hyperskip/geometry";

const RINGS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12];
const SMALLEST_RING = 6; // pixels: smallest radius, and smallest distance from the rim

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{view: import("hyperskip/view").View, screen: Function, radius: number, inks: Object,
 *   edges: import("hyperskip/edges").Edges}} frame
 * @param {number} opacity of the edges
 * @param {() => void} drawLight draws what is below the rings
 */
export function drawGround(context, frame, opacity, drawLight) {
  const { view, screen, radius, inks } = frame;
  const [x, y] = screen(ORIGIN);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = inks.plate;
  context.fill();
  context.save();
  context.clip();
  drawLight();
  drawRings(context, view, screen, radius, inks);
  frame.edges.draw(context, frame, opacity);
  context.restore();
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = inks.rim;
  context.lineWidth = 1.25;
  context.stroke();
}

function drawRings(context, view, screen, radius, inks) {
  const middle = view.of(ORIGIN);
  context.strokeStyle = inks.ring;
  context.lineWidth = 1;
  for (const ring of RINGS) {
    const round = circle(middle, ring);
    const gap = 1 - Math.hypot(...round.center) - round.radius;
    if (round.radius * radius < SMALLEST_RING || (ring > 2 && gap * radius < SMALLEST_RING)) continue;
    const [x, y] = screen(round.center);
    context.beginPath();
    context.arc(x, y, round.radius * radius, 0, 2 * Math.PI);
    context.stroke();
  }
}
