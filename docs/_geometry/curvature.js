/** What the curvature changes: the length and area of a circle, and the room of a tree. */

import { ORIGIN, circle, distance } from "hyperskip/geometry";
import { View } from "hyperskip/view";
import { circleArea, circumference } from "geometry/formulas";
import { number, times } from "geometry/numbers";
import { drawTree } from "geometry/shapes";
import { closestLeaves, discTree } from "geometry/trees";

const FILLED = 0.88; // share of the plot that the circle fills
const LARGEST_BEAD = 3.5; // pixels
const BRANCHES = 2;
const DEPTH = 5;

export function buildCurvature(figure) {
  const disc = figure.disc("Circle with beads at equal distances", "Beads 1 apart");
  const wood = figure.disc("Tree with edges of length 1", "Edges of length 1");
  const curvature = figure.slider("Curvature c", {
    min: 0.02, max: 2, step: 0.02, value: 1, text: (value) => number(value),
  });
  const radius = figure.slider("Radius of the circle", {
    min: 0.5, max: 4, step: 0.1, value: 3, text: (value) => number(value, 1),
  });
  const around = figure.number("Around the circle", "accent");
  const flatAround = figure.number("Around a flat circle");
  const inside = figure.number("Area of the circle", "accent");
  const flatInside = figure.number("Area of a flat circle");
  const leaves = figure.number("Closest leaves of the tree");

  figure.start(() => {
    const c = curvature.valueAsNumber;
    const size = radius.valueAsNumber;
    const unit = Math.sqrt(c); // a length of 1 on the unit hyperboloid, where the disc is drawn
    const length = circumference(size, c);
    const area = circleArea(size, c);
    const nodes = discTree(BRANCHES, DEPTH, unit);
    const closest = closestLeaves(nodes, distance) / unit;
    showScale(disc, unit, size);
    showScale(wood, unit, DEPTH);
    disc.scene = {
      lines: [], marks: [], below: (context, frame) => drawBeads(context, frame, size * unit, length),
    };
    wood.scene = { lines: [], marks: [], below: (context, frame) => drawTree(context, frame, nodes) };
    around.textContent = `${number(length, 1)} (${times(length / (2 * Math.PI * size))})`;
    flatAround.textContent = number(2 * Math.PI * size, 1);
    inside.textContent = `${number(area, 1)} (${times(area / (Math.PI * size ** 2))})`;
    flatInside.textContent = number(Math.PI * size ** 2, 1);
    leaves.textContent = number(closest);
    return `Circumference ${number(length, 1)}, area ${number(area, 1)}, `
      + `closest leaves ${number(closest)}.`;
  });
}

/** Let the circle of a radius fill the plot, with rings at whole distances inside of it. */
function showScale(disc, unit, size) {
  disc.view = View.at(ORIGIN, 0, FILLED / Math.tanh((unit * size) / 2));
  disc.rings = Array.from({ length: Math.ceil(size) }, (_, i) => ({ radius: (i + 1) * unit, text: "" }));
}

/** Draw a circle around the middle, and beads on it that are a length of 1 apart. */
function drawBeads(context, { screen, radius, inks }, size, length) {
  const [x, y] = screen(ORIGIN);
  const wide = circle(ORIGIN, size).radius * radius;
  context.strokeStyle = inks.accent;
  context.fillStyle = inks.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, wide, 0, 2 * Math.PI);
  context.stroke();
  const bead = Math.min(LARGEST_BEAD, Math.max(1, (0.36 * 2 * Math.PI * wide) / length));
  for (let i = 0; i < Math.floor(length); i++) {
    const turn = Math.PI / 2 - (2 * Math.PI * i) / length;
    context.beginPath();
    context.arc(x + wide * Math.cos(turn), y - wide * Math.sin(turn), bead, 0, 2 * Math.PI);
    context.fill();
  }
}
