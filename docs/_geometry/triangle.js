/** A triangle: the sum of its angles says how large it is. */

import { triangle } from "geometry/formulas";
import { degrees, number } from "geometry/numbers";
import { drawAngles, fillTriangle } from "geometry/shapes";

const INKS = ["accent", "second", "third"];

export function buildTriangle(figure) {
  const disc = figure.disc("Disc with a triangle");
  const points = [
    disc.point("A", [-0.6, -0.45], INKS[0]),
    disc.point("B", [0.7, -0.25], INKS[1]),
    disc.point("C", [-0.05, 0.72], INKS[2]),
  ];
  const angles = INKS.map((ink, i) => figure.number(`Angle at ${"ABC"[i]}`, ink));
  const sum = figure.number("Sum of the angles (flat: 180°)");
  const size = figure.number("Area = π − sum, in radians");

  figure.start(() => {
    const corners = points.map(({ place }) => place);
    const found = triangle(corners);
    disc.scene = {
      lines: corners.map((from, i) => ({ from, to: corners[(i + 1) % 3], ink: "ink", width: 2 })),
      marks: [],
      below: (context, frame) => {
        fillTriangle(context, frame, corners);
        drawAngles(context, frame, corners, INKS);
      },
    };
    found.angles.forEach((angle, i) => { angles[i].textContent = degrees(angle); });
    sum.textContent = degrees(Math.PI - found.area);
    size.textContent = number(found.area, 3);
    return `The angles add up to ${degrees(Math.PI - found.area)}. The area is ${number(found.area, 3)}.`;
  });
}
