/** What a word is a kind of, and its kinds, in the panel and on the disc. */

import { element } from "hyperskip/dom";
import { nearList } from "hyperskip/panel";

const HYPERNYMS = 6; // in the panel
const HYPONYMS = 8;
const LEAST = 0.5; // probability: more likely than not
const MARKED = 3; // hypernyms on the disc

/**
 * @typedef {{evidence: number, hypernyms: object[], hyponyms: object[]}} Hierarchy
 *   words with scores, the best first; evidence: number of relations that the text states
 */

/** Both lists, with the probability of each word; `goTo` is called with the one that is clicked. */
export function kindLists({ evidence, hypernyms, hyponyms }, goTo) {
  const broader = likely(hypernyms).slice(0, HYPERNYMS);
  const inferred = evidence === 0 && broader.length > 0;
  return [
    ...list("A kind of", broader, goTo),
    inferred && element("p", {
      className: "quiet", textContent: "Inferred from similar words: the text does not state it.",
    }),
    ...list("Kinds", likely(hyponyms).slice(0, HYPONYMS), goTo),
  ];
}

function likely(words) {
  return words.filter(({ score }) => score >= LEAST);
}

function list(title, words, goTo) {
  if (words.length === 0) return [];
  return [element("h3", { textContent: title }), nearList(title, words, goTo, { numberOf: percent })];
}

/** A probability; none is shown as certain. */
function percent({ score }) {
  return score > 0.99 ? ">99%" : `${Math.round(100 * score)}%`;
}

/**
 * The scene of a word with lines to the best of its hypernyms.
 * @param {import("hyperskip/overlay").Scene} scene
 * @param {(word: object) => number} indexOf index of a word on the map, or -1
 */
export function withHypernyms(scene, word, { hypernyms }, indexOf) {
  const marked = likely(hypernyms).slice(0, MARKED);
  const at = (one) => [one.x, one.y];
  return {
    lines: [
      ...scene.lines,
      ...marked.map((one) => ({ from: at(word), to: at(one), ink: "accent", width: 2.25 })),
    ],
    marks: [
      ...scene.marks,
      ...marked.map((one) => ({
        at: at(one), word: one.word, index: indexOf(one), shape: "dot", ink: "accent", strong: true,
      })),
    ],
  };
}
