/** Parallel transport: an arrow is carried along a geodesic. */

import { geodesic } from "hyperskip/geometry";
import { between, exponential, logarithm, transport } from "geometry/formulas";
import { degrees, number } from "geometry/numbers";
import { arrowLine, drawAngle } from "geometry/shapes";

const FARTHEST = 0.85; // arrows farther out would be too small to see
const STOPS = [1, 2, 3, 4, 5].map((stop) => stop / 6);
const [SHORTEST, LONGEST] = [0.3, 1.5]; // of the arrow

export function buildTransport(figure) {
  const disc = figure.disc("Disc with an arrow that is carried along a geodesic");
  let arrow = { angle: 2.2, length: 1.1 };
  const a = disc.point("A", [-0.48, -0.36], "accent", { farthest: FARTHEST });
  const b = disc.point("B", [0.5, -0.42], "second", { farthest: FARTHEST });
  const tip = disc.point("", a.place, "accent", {
    name: "Tip of the arrow",
    moved: (place) => {
      const { angle, length } = logarithm(a.place, place);
      arrow = { angle, length: Math.min(LONGEST, Math.max(SHORTEST, length)) };
    },
  });
  const angleA = figure.number("Angle with the geodesic at A", "accent");
  const angleB = figure.number("Angle with the geodesic at B", "second");
  const lengths = figure.number("Length at A and at B");
  const turned = figure.number("Turned on the screen");

  figure.start(() => {
    const [from, to] = [a.place, b.place];
    const carried = transport(from, to, arrow);
    const ahead = [logarithm(from, to).angle, logarithm(to, from).angle + Math.PI];
    const angles = [between(arrow.angle - ahead[0]), between(carried.angle - ahead[1])];
    tip.place = exponential(from, arrow);
    disc.scene = {
      lines: [
        { from, to, ink: "muted", width: 2 },
        ...STOPS.map((share) => {
          const at = geodesic(from, to, share);
          return arrowLine(at, transport(from, at, arrow), "faint", 2);
        }),
        arrowLine(from, arrow, "accent", 3),
        arrowLine(to, carried, "second", 3),
      ],
      marks: [],
      below: (context, frame) => {
        drawAngle(context, frame, from, ahead[0], arrow.angle, "accent");
        drawAngle(context, frame, to, ahead[1], carried.angle, "second");
      },
    };
    angleA.textContent = degrees(Math.abs(angles[0]));
    angleB.textContent = degrees(Math.abs(angles[1]));
    lengths.textContent = `${number(arrow.length)} and ${number(carried.length)}`;
    turned.textContent = degrees(between(carried.angle - arrow.angle));
    return `The arrow keeps its angle of ${degrees(Math.abs(angles[1]))} with the geodesic.`;
  });
}
