/** Shapes that several figures draw: triangles, angles and trees. */

import { geodesic } from "hyperskip/geometry";
import { traceGeodesic } from "hyperskip/strokes";
import { between, exponential, logarithm } from "geometry/formulas";

const PARTS = 32; // straight pieces that stand for a geodesic in an outline
const ANGLE_SIZE = 42; // pixels
const BRANCHES = ["accent", "second", "third", "fourth", "muted"];
const LARGEST_NODE = 3.5; // pixels
const MANY = 300; // nodes: their edges are thinner

export function fillTriangle(context, { screen, inks }, corners) {
  context.beginPath();
  corners.forEach((corner, i) => {
    for (let part = 0; part < PARTS; part++) {
      context.lineTo(...screen(geodesic(corner, corners[(i + 1) % 3], part / PARTS)));
    }
  });
  context.globalAlpha = 0.13;
  context.fillStyle = inks.accent;
  context.fill();
  context.globalAlpha = 1;
}

/** Draw the angle at a point between two directions on the disc. */
export function drawAngle(context, { screen, inks }, at, from, to, ink, size = ANGLE_SIZE) {
  const [x, y] = screen(at);
  const sweep = between(to - from);
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, size, -from, -from - sweep, sweep > 0); // the y-axis of the screen points down
  context.closePath();
  context.globalAlpha = 0.35;
  context.fillStyle = inks[ink];
  context.fill();
  context.globalAlpha = 1;
}

/** The line of an arrow at a point. @param {import("geometry/formulas").Arrow} arrow */
export function arrowLine(at, arrow, ink, width = 2.5) {
  return { from: at, to: exponential(at, arrow), ink, width, arrow: true };
}

/** The three angles of a triangle. */
export function drawAngles(context, frame, corners, inks) {
  corners.forEach((corner, i) => {
    const [next, last] = [corners[(i + 1) % 3], corners[(i + 2) % 3]];
    const [from, to] = [logarithm(corner, next).angle, logarithm(corner, last).angle];
    drawAngle(context, frame, corner, from, to, inks[i]);
  });
}

export function traceStraight(context, screen, a, b) {
  context.moveTo(...screen(a));
  context.lineTo(...screen(b));
}

/** Draw a tree, each branch of the root in its own color. @param {typeof traceGeodesic} trace */
export function drawTree(context, { screen, view, inks }, nodes, trace = traceGeodesic) {
  const branchOf = new Map(); // of nodes; parents come before their children
  const edges = new Map(BRANCHES.map((ink) => [ink, []]));
  for (const node of nodes.slice(1)) {
    const branch = branchOf.get(node.parent) ?? BRANCHES[branchOf.size % BRANCHES.length];
    branchOf.set(node, branch);
    edges.get(branch).push([view.of(node.parent.place), view.of(node.place)]);
  }
  context.lineCap = "round";
  context.lineWidth = nodes.length < MANY ? 1.5 : 1;
  for (const [ink, pairs] of edges) {
    context.strokeStyle = inks[ink];
    context.fillStyle = inks[ink];
    context.beginPath();
    for (const [from, to] of pairs) trace(context, screen, from, to);
    context.stroke();
    context.beginPath();
    for (const [from, to] of pairs) {
      const [x, y] = screen(to);
      const [fromX, fromY] = screen(from);
      const size = Math.min(LARGEST_NODE, 0.6 + 0.08 * Math.hypot(x - fromX, y - fromY));
      context.moveTo(x + size, y);
      context.arc(x, y, size, 0, 2 * Math.PI);
    }
    context.fill();
  }
  context.fillStyle = inks.ink;
  context.beginPath();
  context.arc(...screen(view.of(nodes[0].place)), LARGEST_NODE + 1, 0, 2 * Math.PI);
  context.fill();
}
