/** A node of a hierarchy: its path to the root, parents and children, in the panel and on the disc. */

import { element, grouped, wordButton } from "hyperskip/dom";
import { ladder } from "hyperskip/ladder";

const LADDER = "Parents and children";
const LISTED = 12; // parents or children in the panel
const MARKED = 30; // children on the disc

/**
 * @typedef {{depth: number|null, below: number, path: object[], parents: object[], children: object[],
 *   parentCount: number, childCount: number}} Relatives path: from the root to the parent of the word
 */

/** The facts of a node for the card of its word. @param {Relatives} relatives */
export function hierarchyFacts({ depth, below }) {
  return depth === null ? [] : [["Depth", grouped(depth)], ["Words below", grouped(below)]];
}

/** The ladder of a node, from the root to its children, and its other parents. @param {Relatives} relatives */
export function relativesList(word, relatives, goTo) {
  const { depth, path, parents, children, parentCount, childCount } = relatives;
  if (depth === null) return list("Connected words", children, childCount, goTo);
  if (parentCount + childCount === 0) return [];
  const below = children.slice(0, LISTED);
  const others = otherParents(relatives);
  return [
    element("h3", { textContent: LADDER }),
    ladder(LADDER, { above: path, word, below, more: childCount - below.length }, goTo),
    ...list("Other parents", others, parentCount - (parents.length - others.length), goTo),
  ];
}

/** The parents that are not on the path from the root. */
function otherParents({ path, parents }) {
  return parents.filter((parent) => parent.word !== path.at(-1)?.word);
}

function list(title, words, count, goTo) {
  if (count === 0) return [];
  const shown = words.slice(0, LISTED);
  const more = count - shown.length;
  return [
    element("h3", {}, `${title} `, element("span", { className: "count", textContent: grouped(count) })),
    element(
      "p", { className: "chips" },
      ...shown.map((word) => wordButton(word.word, () => goTo(word), "chip")),
      more > 0 && element("span", { className: "quiet", textContent: `and ${grouped(more)} more` }),
    ),
  ];
}

/**
 * A node with lines along its path to the root, to its other parents and to its children.
 * @param {Relatives} relatives
 * @param {(word: object) => number} indexOf index of a word on the map, or -1
 * @returns {import("hyperskip/overlay").Scene}
 */
export function relativesScene(word, relatives, indexOf) {
  const { path, children } = relatives;
  const at = (one) => [one.x, one.y];
  const onPath = [...path, word];
  const others = otherParents(relatives);
  const line = (from, to, look) => ({ from: at(from), to: at(to), ...look });
  const mark = (one, look) => ({ at: at(one), word: one.word, index: indexOf(one), ...look });
  const below = children.slice(0, MARKED);
  return {
    lines: [
      ...below.map((child) => line(word, child, { ink: "second", width: 1.25 })),
      ...others.map((parent) => line(word, parent, { ink: "accent", width: 1.5, dash: [6, 4] })),
      ...onPath.slice(1).map((to, i) => line(onPath[i], to, { ink: "accent", width: 2.25 })),
    ],
    marks: [
      mark(word, { shape: "ring", ink: "accent", strong: true }),
      ...[...path, ...others].map((one) => mark(one, { shape: "dot", ink: "accent" })),
      ...below.map((one) => mark(one, { shape: "dot", ink: "second" })),
    ],
  };
}
