/** The distance of two points of the disc, beside that on the screen. */

import { distance, geodesic } from "hyperskip/geometry";
import { number } from "geometry/numbers";
import { traceStraight } from "geometry/shapes";

const STEP = 0.5;

export function buildTwoPoints(figure) {
  const disc = figure.disc("Disc with two points, the geodesic between them and a straight line");
  const a = disc.point("A", [-0.45, 0.1], "accent");
  const b = disc.point("B", [0.78, 0.42], "second");
  const hyperbolic = figure.number("Hyperbolic distance", "accent");
  const ruler = figure.number("On the screen, with a ruler");
  const [atA, atB] = ["A", "B"].map((end) => figure.number(`A step of ${STEP} at ${end}, on the ruler`));

  figure.start(() => {
    const [from, to] = [a.place, b.place];
    const length = distance(from, to);
    const onScreen = apart(from, to);
    const count = Math.floor(length / STEP);
    const stops = Array.from({ length: count + 1 }, (_, i) => geodesic(from, to, (i * STEP) / length || 0));
    const pieces = [...stops, to];
    disc.scene = {
      lines: pieces.slice(1).map((stop, i) => ({
        from: pieces[i], to: stop, ink: i % 2 ? "faint" : "accent", width: 5,
      })),
      marks: stops.slice(1).map((at) => ({ at, word: "", index: -1, shape: "dot", ink: "accent" })),
      below: (context, { screen, inks }) => {
        context.strokeStyle = inks.muted;
        context.lineWidth = 1.5;
        context.setLineDash([3, 5]);
        context.beginPath();
        traceStraight(context, screen, from, to);
        context.stroke();
        context.setLineDash([]);
      },
    };
    hyperbolic.textContent = number(length);
    ruler.textContent = number(onScreen);
    const share = STEP / length;
    atA.textContent = count > 0 ? number(apart(from, geodesic(from, to, share)), 3) : "–";
    atB.textContent = count > 0 ? number(apart(to, geodesic(to, from, share)), 3) : "–";
    return `Hyperbolic distance ${number(length)}, with a ruler ${number(onScreen)}.`;
  });
}

function apart(p, q) {
  return Math.hypot(p[0] - q[0], p[1] - q[1]);
}
