/** An analogy a : b = c : ? and its two answers, beside the flat plane, where they are the same. */

import { distance, geodesic } from "hyperskip/geometry";
import { analogy, logarithm, transport } from "geometry/formulas";
import { number } from "geometry/numbers";
import { mark } from "geometry/plot";
import { arrowLine } from "geometry/shapes";

const FARTHEST = 0.8;
const STOPS = [1 / 3, 2 / 3];
const DASH = [7, 5];

export function buildAnalogies(figure) {
  const disc = figure.disc("Disc with an analogy and its two answers Z and Z′", "Hyperbolic");
  const paper = figure.paper("Flat plane with the same three points, where Z and Z′ are one point", "Flat");
  const points = [
    disc.point("A", [-0.36, -0.3], "ink", { farthest: FARTHEST }),
    disc.point("B", [-0.34, 0.16], "accent", { farthest: FARTHEST }),
    disc.point("C", [0.18, -0.36], "second", { farthest: FARTHEST }),
  ];
  const gap = figure.number("Distance of Z and Z′");
  const flatGap = figure.number("Distance on the flat plane");
  const relation = figure.number("A to B, and C to Z", "accent");
  const other = figure.number("A to C, and B to Z′", "second");

  figure.start(() => {
    const [a, b, c] = points.map(({ place }) => place);
    const [z, z2] = [analogy(a, b, c), analogy(a, c, b)];
    const flat = [b[0] + c[0] - a[0], b[1] + c[1] - a[1]];
    const apart = distance(z, z2);
    const lines = (toZ, toZ2) => [
      { from: a, to: b, ink: "accent", width: 2.5, arrow: true },
      { from: a, to: c, ink: "second", width: 2.5, arrow: true },
      { from: c, to: toZ, ink: "accent", width: 2.5, arrow: true, dash: DASH },
      { from: b, to: toZ2, ink: "second", width: 2.5, arrow: true, dash: DASH },
    ];
    disc.scene = {
      lines: [...ghosts(a, c, b, "accent"), ...ghosts(a, b, c, "second"), ...lines(z, z2)],
      marks: [mark(z, "Z", "accent"), mark(z2, "Z′", "second")],
    };
    paper.extent = Math.max(0.5, 1.3 * Math.max(...[a, b, c, flat].flat().map(Math.abs)));
    paper.scene = {
      lines: lines(flat, flat),
      marks: [
        mark(a, "A", "ink", "dot"), mark(b, "B", "accent", "dot"), mark(c, "C", "second", "dot"),
        mark(flat, "Z = Z′", "ink"),
      ],
    };
    gap.textContent = number(apart);
    flatGap.textContent = number(0);
    relation.textContent = `${number(distance(a, b))} and ${number(distance(c, z))}`;
    other.textContent = `${number(distance(a, c))} and ${number(distance(b, z2))}`;
    return `Z and Z′ are ${number(apart)} apart.`;
  });
}

/** The arrow from a to b on its way to another point. */
function ghosts(a, to, b, ink) {
  const arrow = logarithm(a, b);
  return STOPS.map((share) => {
    const at = geodesic(a, to, share);
    return { ...arrowLine(at, transport(a, at, arrow), ink, 0.8), arrow: false };
  });
}
