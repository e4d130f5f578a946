/** The background of the points: the disc, its rim, rings, and edges. */

import { ORIGIN } from "hyperskip/geometry";
import { drawRings } from "hyperskip/rings";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{view: import("hyperskip/view").View, screen: Function, radius: number, inks: Object,
 *   edges: import("hyperskip/edges").Edges}} frame
 * @param {number} opacity of the edges
 * @param {() => void} drawLight draws what is below the rings
 */
export function drawGround(context, frame, opacity, drawLight) {
  const { screen, radius, inks } = frame;
  const [x, y] = screen(ORIGIN);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = inks.plate;
  context.fill();
  context.save();
  context.clip();
  drawLight();
  drawRings(context, frame);
  frame.edges.draw(context, frame, opacity);
  context.restore();
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = inks.rim;
  context.lineWidth = 1.25;
  context.stroke();
}
