/** An arrow is carried around a triangle and comes back turned by the area. */

import { geodesic } from "hyperskip/geometry";
import { Motion } from "hyperskip/motion";
import { between, transport, triangle } from "geometry/formulas";
import { degrees, number } from "geometry/numbers";
import { arrowLine, drawAngle, fillTriangle } from "geometry/shapes";

const FARTHEST = 0.85;
const START = { angle: 2.2, length: 0.7 };
const LEGS = 3;
const STOP = 1 / 3; // of a leg, between two arrows
const DURATION = 4500; // milliseconds

export function buildRoundTrip(figure) {
  const disc = figure.disc("Disc with an arrow that is carried around a triangle");
  const motion = new Motion();
  const points = [
    disc.point("A", [-0.5, -0.4], "accent", { farthest: FARTHEST }),
    disc.point("B", [0.6, -0.35], "ink", { farthest: FARTHEST }),
    disc.point("C", [0.1, 0.6], "ink", { farthest: FARTHEST }),
  ];
  const way = figure.slider("Way around the triangle", {
    min: 0, max: LEGS, step: 0.01, value: LEGS, text: (value) => `${Math.round((100 * value) / LEGS)} %`,
  });
  way.addEventListener("pointerdown", () => motion.stop());
  figure.button("Carry the arrow around", () => {
    motion.run(DURATION, (share) => {
      way.value = LEGS * share;
      figure.change();
    }, { even: true });
  });
  const turned = figure.number("Turned after the whole way", "second");
  const size = figure.number("Area of the triangle", "accent");

  figure.start(() => {
    const corners = points.map(({ place }) => place);
    const done = way.valueAsNumber;
    const stops = [];
    for (let stop = 0; stop < done; stop += STOP) stops.push(stop);
    const [last, ...others] = [done, ...stops.slice(1).reverse()].map((at) => carried(corners, at));
    const back = carried(corners, LEGS);
    const turn = between(back.arrow.angle - START.angle);
    const { area } = triangle(corners);
    disc.scene = {
      lines: [
        ...corners.map((from, i) => ({ from, to: corners[(i + 1) % 3], ink: "muted", width: 1.5 })),
        ...others.map(({ at, arrow }) => arrowLine(at, arrow, "faint", 2)),
        arrowLine(corners[0], START, "accent", 3),
        arrowLine(last.at, last.arrow, "second", 3),
      ],
      marks: [],
      below: (context, frame) => {
        fillTriangle(context, frame, corners);
        if (done === LEGS) {
          drawAngle(context, frame, corners[0], START.angle, START.angle + turn, "second", 40);
        }
      },
    };
    turned.textContent = degrees(Math.abs(turn));
    size.textContent = `${number(area, 3)} (${degrees(area)})`;
    return `The arrow comes back turned by ${degrees(Math.abs(turn))}. The area is ${degrees(area)}.`;
  });
}

/** Where the arrow is after some legs, and how it points there. */
function carried(corners, done) {
  let arrow = START;
  let at = corners[0];
  for (let leg = 0; leg < done; leg++) {
    const next = geodesic(at, corners[(leg + 1) % LEGS], Math.min(1, done - leg));
    arrow = transport(at, next, arrow);
    at = next;
  }
  return { at, arrow };
}
