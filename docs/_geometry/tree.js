/** The same tree on the disc and on the flat plane. */

import { grouped } from "hyperskip/dom";
import { distance } from "hyperskip/geometry";
import { circumference } from "geometry/formulas";
import { number } from "geometry/numbers";
import { drawTree, traceStraight } from "geometry/shapes";
import { closestLeaves, discTree, flatTree, leavesOf, shortestEdge } from "geometry/trees";

const DEEPEST = { 2: 8, 3: 6, 4: 5 }; // by branches: at most about two thousand nodes

export function buildTree(figure) {
  const disc = figure.disc("Tree on the disc", "Hyperbolic");
  const paper = figure.paper("The same tree on the flat plane", "Flat");
  disc.allowMoves("Tree on the disc. The arrow keys move it.");
  const branches = figure.slider("Branches of a node", { min: 2, max: 4, step: 1, value: 2 });
  const depth = figure.slider("Depth", { min: 1, max: 8, step: 1, value: 6 });
  const edge = figure.slider("Length of an edge", {
    min: 0.3, max: 3, step: 0.05, value: 1.2, text: (value) => number(value),
  });
  const count = figure.number("Leaves");
  const enough = figure.number("Shortest edge that always fits");
  const room = figure.number("Room for a leaf, hyperbolic", "accent");
  const flatRoom = figure.number("Room for a leaf, flat", "second");
  const closest = figure.number("Closest leaves, hyperbolic", "accent");
  const flatClosest = figure.number("Closest leaves, flat", "second");
  let shown = "";
  let trees = null;

  figure.start(() => {
    const many = branches.valueAsNumber;
    depth.max = DEEPEST[many];
    const levels = depth.valueAsNumber;
    const length = edge.valueAsNumber;
    const wanted = [many, levels, length].join();
    if (wanted !== shown) {
      shown = wanted;
      trees = measured(many, levels, length);
    }
    const { nodes, flat, leaves, apart, flatApart } = trees;
    disc.scene = { lines: [], marks: [], below: (context, frame) => drawTree(context, frame, nodes) };
    paper.extent = 1.05 * levels;
    paper.scene = {
      lines: [], marks: [],
      below: (context, frame) => drawTree(context, frame, flat, traceStraight),
    };
    count.textContent = grouped(leaves);
    enough.textContent = number(shortestEdge(many));
    room.textContent = edges(circumference(levels * length, 1) / length / leaves);
    flatRoom.textContent = edges((2 * Math.PI * levels) / leaves);
    closest.textContent = edges(apart);
    flatClosest.textContent = edges(flatApart);
    return `${grouped(leaves)} leaves. The closest two are ${number(apart)} edges apart on the disc `
      + `and ${number(flatApart)} on the flat plane.`;
  });
}

function edges(value) {
  return `${value < 1000 ? number(value) : grouped(value)} edges`;
}

/** Both trees, and the smallest distance of two leaves of each in edges. */
function measured(branches, depth, edge) {
  const nodes = discTree(branches, depth, edge);
  const flat = flatTree(branches, depth, 1);
  const straight = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  return {
    nodes, flat, leaves: leavesOf(nodes).length,
    apart: closestLeaves(nodes, distance) / edge, flatApart: closestLeaves(flat, straight),
  };
}
