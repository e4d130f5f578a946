/** The coordinates that hyperskip stores, and the distance that follows from them. */

import { geodesic } from "hyperskip/geometry";
import { minkowskiDot, onHyperboloid } from "geometry/formulas";
import { number } from "geometry/numbers";
import { mark } from "geometry/plot";
import { Sheet, projected, shares } from "geometry/sheet";

const FARTHEST = Math.tanh(1); // a distance of 2: the edge of the sheet
const EYE = [0, 0, -1]; // from here, the disc looks like the sheet

export function buildHyperboloid(figure) {
  const disc = figure.disc("Disc with two points and the geodesic between them", "The disc");
  const sheet = figure.add(new Sheet("Hyperboloid above the disc, with the same two points"), "The hyperboloid above it");
  const a = disc.point("A", [-0.55, -0.2], "accent", { farthest: FARTHEST });
  const b = disc.point("B", [0.5, 0.3], "second", { farthest: FARTHEST });
  const names = [["A", "accent"], ["B", "second"]];
  const coordinates = names.map(([name, ink]) => figure.number(`${name}: x₁, x₂, time`, ink));
  const product = figure.number("⟨A, B⟩");
  const length = figure.number("arccosh(−⟨A, B⟩), the distance");

  figure.start(() => {
    const places = [a.place, b.place];
    const [p, q] = places.map(onHyperboloid);
    const dot = minkowskiDot(p, q);
    const far = Math.acosh(Math.max(1, -dot));
    disc.scene = { lines: [{ from: a.place, to: b.place, ink: "ink", width: 3 }], marks: [] };
    const between = shares(40).map((share) => geodesic(a.place, b.place, share));
    sheet.scene = {
      lines: [],
      curves: [
        { points: between.map(([x, y]) => [x, y, 0]), ink: "ink", width: 1.5 },
        ...[p, q].map((point, i) => ({ points: [EYE, point], ink: names[i][1], dash: [3, 4] })),
        { points: between.map(onHyperboloid), ink: "ink", width: 3 },
      ],
      marks: [
        ...[p, q].map((point, i) => mark(projected(point), names[i][0], names[i][1], "dot")),
        mark(projected(EYE), "time −1", "muted", "dot"),
        ...places.map(([x, y], i) => mark(projected([x, y, 0]), "", names[i][1], "dot")),
      ],
    };
    [p, q].forEach((point, i) => {
      coordinates[i].textContent = point.map((each) => number(each)).join(", ");
    });
    product.textContent = number(dot, 3);
    length.textContent = number(far, 3);
    return `Minkowski product ${number(dot, 3)}, distance ${number(far, 3)}.`;
  });
}
