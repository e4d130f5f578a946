/** The hyperboloid of a figure, seen from the side and a little from above. */

import { Plot } from "geometry/plot";

const TILT = 0.36; // radians
const SIZE = 3.75; // length from the middle to each side
const MIDDLE = 1.93; // height in the middle
const RADII = [0.5, 1, 1.5, 2];
const MERIDIANS = 16;
const PARTS = 60;

export class Sheet extends Plot {
  paint(context, { screen, inks, scene }) {
    const curve = (points, ink, { width = 1, dash = [] } = {}) => {
      context.strokeStyle = inks[ink];
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      for (const point of points) context.lineTo(...screen(projected(point)));
      context.stroke();
      context.setLineDash([]);
    };
    const turns = shares(PARTS).map((share) => 2 * Math.PI * share);
    context.lineCap = "round";
    context.lineJoin = "round";
    curve(turns.map((turn) => [Math.cos(turn), Math.sin(turn), 0]), "rim");
    for (const radius of RADII) curve(turns.map((turn) => at(radius, turn)), "faint");
    for (let i = 0; i < MERIDIANS; i++) {
      const turn = (2 * Math.PI * i) / MERIDIANS;
      curve(shares(PARTS).map((share) => at(share * RADII.at(-1), turn)), "ring");
    }
    for (const { points, ink, ...look } of scene.curves) curve(points, ink, look);
  }
}

/** Where the plot shows a point of space: two spatial coordinates, then time. */
export function projected([x, y, time]) {
  const height = time * Math.cos(TILT) + y * Math.sin(TILT);
  return [x / SIZE, (height - MIDDLE) / SIZE];
}

/** Numbers from 0 to 1 at equal distances. */
export function shares(parts) {
  return Array.from({ length: parts + 1 }, (_, i) => i / parts);
}

function at(radius, turn) {
  return [Math.sinh(radius) * Math.cos(turn), Math.sinh(radius) * Math.sin(turn), Math.cosh(radius)];
}
