/** What a word is a kind of, up to the broadest word, and its kinds, in the panel and on the disc. */

import { element, wordButton } from "hyperskip/dom";
import { ladder } from "hyperskip/ladder";

const LADDER = "Broader and narrower words";
const OTHERS = 5; // hypernyms beside the ladder
const HYPONYMS = 8;
const LEAST = 0.5; // probability: more likely than not

/**
 * @typedef {{evidence: number, chain: object[], hypernyms: object[], hyponyms: object[]}} Hierarchy
 *   words with scores, the best first; chain: from the hypernym of the word to the broadest word;
 *   evidence: number of relations that the text states
 */

/**
 * The ladder of a word, with the probability of each step, and its other hypernyms.
 * @param {Hierarchy} hierarchy
 * @param {(word: object) => void} goTo
 */
export function kindLadder(word, { evidence, chain, hypernyms, hyponyms }, goTo) {
  const below = kindsBelow(hyponyms);
  if (chain.length + below.length === 0) return [];
  const climbed = new Set(chain.map((one) => one.word));
  const others = likely(hypernyms).filter((one) => !climbed.has(one.word)).slice(0, OTHERS);
  return [
    element("h3", { textContent: LADDER }),
    ladder(LADDER, { above: [...chain].reverse(), word, below }, goTo, percent),
    evidence === 0 && chain.length > 0 && element("p", {
      className: "quiet", textContent: "Inferred from similar words: the text does not state it.",
    }),
    others.length > 0 && element(
      "p", { className: "chips" },
      element("span", { className: "quiet", textContent: "Also a kind of" }),
      ...others.map((one) => wordButton(one.word, () => goTo(one), "chip")),
    ),
  ];
}

function kindsBelow(hyponyms) {
  return likely(hyponyms).slice(0, HYPONYMS);
}

function likely(words) {
  return words.filter(({ score }) => score >= LEAST);
}

/** A probability; none is shown as certain. */
function percent({ score }) {
  return score > 0.99 ? ">99%" : `${Math.round(100 * score)}%`;
}

/**
 * The scene of a word with lines up to the broadest word, and to its kinds.
 * @param {import("hyperskip/overlay").Scene} scene
 * @param {Hierarchy} hierarchy
 * @param {(word: object) => number} indexOf index of a word on the map, or -1
 */
export function withKinds(scene, word, { chain, hyponyms }, indexOf) {
  const below = kindsBelow(hyponyms);
  const marked = new Set([...chain, ...below].map((one) => one.word)); // each word has one label
  const line = (from, to, look) => ({ from: [from.x, from.y], to: [to.x, to.y], ...look });
  const mark = (one, look) => (
    { at: [one.x, one.y], word: one.word, index: indexOf(one), shape: "dot", ...look }
  );
  return {
    lines: [
      ...scene.lines,
      ...below.map((one) => line(word, one, { ink: "second", width: 1.25 })),
      ...chain.map((one, i) => line(chain[i - 1] ?? word, one, { ink: "accent", width: 2.25 })),
    ],
    marks: [
      ...scene.marks.filter((one) => !marked.has(one.word)),
      ...chain.map((one) => mark(one, { ink: "accent", strong: true })),
      ...below.map((one) => mark(one, { ink: "second" })),
    ],
  };
}
