/** Geodesics on a canvas: circular arcs perpendicular to the rim. */

import { geodesicCircle } from "hyperskip/geometry";

/** Add the geodesic between two points of the unit disc to the path. */
export function traceGeodesic(context, screen, a, b) {
  const [startX, startY] = screen(a);
  const [endX, endY] = screen(b);
  context.moveTo(startX, startY);
  const round = geodesicCircle(a, b);
  if (round === null) {
    context.lineTo(endX, endY);
    return;
  }
  const [x, y] = screen(round.center);
  const first = Math.atan2(startY - y, startX - x);
  const last = Math.atan2(endY - y, endX - x);
  const sweep = Math.atan2(Math.sin(last - first), Math.cos(last - first));
  context.arc(x, y, Math.hypot(startX - x, startY - y), first, last, sweep < 0);
}

/** Draw the head of an arrow at b that comes from a, both on the geodesic. */
export function drawArrowHead(context, screen, a, b, size) {
  const [x, y] = screen(b);
  const [fromX, fromY] = screen(a);
  const angle = Math.atan2(y - fromY, x - fromX);
  context.beginPath();
  context.moveTo(x, y);
  for (const turn of [2.7, -2.7]) {
    context.lineTo(x + size * Math.cos(angle + turn), y + size * Math.sin(angle + turn));
  }
  context.closePath();
  context.fill();
}
