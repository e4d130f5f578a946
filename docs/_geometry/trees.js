/** Trees in which every node has the same number of branches and every edge the same length. */

import { ORIGIN } from "hyperskip/geometry";
import { exponential, logarithm } from "geometry/formulas";

/** @typedef {{place: number[], parent: Node|null, depth: number, sector?: number[]}} Node */

/**
 * A tree on the disc. All edges of a node are at equal angles, so every node looks like the root.
 * @returns {Node[]}
 */
export function discTree(branches, depth, edge) {
  return grow(branches, depth, { place: ORIGIN }, (parent, i) => {
    const first = parent.parent ? logarithm(parent.place, parent.parent.place).angle : Math.PI / 2;
    const share = parent.parent ? i + 1 : i; // the first edge of other nodes leads to the parent
    const angle = first + (2 * Math.PI * share) / (branches + 1);
    return { place: exponential(parent.place, { angle, length: edge }) };
  });
}

/**
 * A tree on the flat plane. Every subtree has its own sector of directions, so no edges cross.
 * @returns {Node[]}
 */
export function flatTree(branches, depth, edge) {
  const sector = [Math.PI / 2 - Math.PI / (branches + 1), 2 * Math.PI]; // start and width
  return grow(branches, depth, { place: ORIGIN, sector }, (parent, i) => {
    const width = parent.sector[1] / childrenOf(parent, branches);
    const start = parent.sector[0] + i * width;
    const [x, y] = parent.place;
    const angle = start + width / 2;
    return { place: [x + edge * Math.cos(angle), y + edge * Math.sin(angle)], sector: [start, width] };
  });
}

/** The nodes of a tree, level by level. */
function grow(branches, depth, root, child) {
  const nodes = [{ ...root, parent: null, depth: 0 }];
  for (const parent of nodes) { // also visits the nodes that are added meanwhile
    if (parent.depth === depth) break;
    for (let i = 0; i < childrenOf(parent, branches); i++) {
      nodes.push({ ...child(parent, i), parent, depth: parent.depth + 1 });
    }
  }
  return nodes;
}

/** The root has one branch more than the others, which have a parent instead. */
function childrenOf(node, branches) {
  return node.parent ? branches : branches + 1;
}

export function leavesOf(nodes) {
  const depth = nodes.at(-1).depth;
  return nodes.filter((node) => node.depth === depth);
}

/** The smallest distance of two leaves. @param {(p: number[], q: number[]) => number} measure */
export function closestLeaves(nodes, measure) {
  const places = leavesOf(nodes).map(({ place }) => place);
  let closest = Infinity;
  for (let i = 1; i < places.length; i++) {
    for (let j = 0; j < i; j++) closest = Math.min(closest, measure(places[i], places[j]));
  }
  return closest;
}

/** The shortest edge with which a tree on the disc never meets itself, however deep it is. */
export function shortestEdge(branches) {
  return 2 * Math.acosh(1 / Math.sin(Math.PI / (branches + 1)));
}
