/** Parts of the side panel: facts about a word, lists of words, and the fidelity of the map. */

import { decimals, element, grouped, shown, wordButton, wordText } from "hyperskip/dom";

/**
 * A list of words with a name, each with a number: its distance, or what `numberOf` returns. `goTo` is
 * called with the one that is clicked.
 */
export function nearList(name, near, goTo, { numbered = false, numberOf = distanceOf } = {}) {
  const properties = { className: "near", "aria-label": name };
  return element(numbered ? "ol" : "ul", properties, ...near.map((entry) => {
    const button = wordButton(entry.word, () => goTo(entry), "near-word");
    const textContent = numberOf(entry);
    button.append(element("span", { className: "number", textContent }));
    return element("li", {}, button);
  }));
}

function distanceOf({ distance }) {
  return decimals(distance, 3);
}

/**
 * A word and its facts. If the model has a hierarchy, the radius is that in the hierarchy, which means
 * generality. A word of a tree has no radius, and a word outside the vocabulary has no ranks.
 */
export function wordCard(
  word,
  {
    words, countsKnown, groupName, mapped = null, facts = null, hasHierarchy = false,
    groupKind = facts === null ? "Group" : "Branch",
  },
) {
  const isInVocabulary = !word.ngrams;
  const hasRadius = word.radius !== undefined && (isInVocabulary || word.radius !== null);
  return element(
    "div", { className: "card" },
    element("h2", { className: "card-word", tabIndex: -1 }, wordText(word.word)),
    hasRadius && isInVocabulary && radiusScale(word, words, hasHierarchy ? ["general", "specific"] : ["center", "rim"]),
    element(
      "dl", { className: "facts" },
      ...(hasRadius ? radiusFacts(word, words, hasHierarchy) : []),
      ...(countsKnown && isInVocabulary ? fact("Occurs", times(word.count)) : []),
      ...(countsKnown && typeof word.row === "number"
        ? fact("By frequency", rankOf(word.row + 1, words)) : []),
      ...(facts ?? []).flatMap(([name, value]) => fact(name, value)),
      ...(groupName ? fact(groupKind, shown(groupName)) : []),
    ),
    ...composedNotes([word]),
    mapped !== null && word.mapped === false && isInVocabulary && element("p", {
      className: "quiet",
      textContent: `Not one of the ${grouped(mapped)} most frequent words, which are on the map. `
        + "It is shown between its neighbors.",
    }),
  );
}

/** A note for each of some words that are not in the vocabulary. */
export function composedNotes(words) {
  return words.filter((word) => word.ngrams).map(({ word, ngrams }) => element(
    "p", { className: "composed", role: "note" },
    wordText(word), " is not in the vocabulary. ",
    ngrams === 1 ? "Its vector is that of one of its character n-grams."
      : `Its vector is the mean of ${grouped(ngrams)} vectors of its character n-grams.`,
  ));
}

function radiusFacts({ radius, rank }, words, hasHierarchy) {
  const [name, order] = hasHierarchy
    ? ["Hierarchy radius", "By generality"] : ["Radius", "By radius"];
  const ranked = typeof rank === "number" ? fact(order, rankOf(rank, words)) : [];
  return [...fact(name, decimals(radius, 3)), ...ranked];
}

/** A scale between two ends, with the rank of the word by its radius. */
function radiusScale(word, words, [low, high]) {
  const dot = element("span", { className: "scale-dot" });
  dot.style.setProperty("--share", String(words > 1 ? (word.rank - 1) / (words - 1) : 0));
  return element(
    "div", { className: "scale", "aria-hidden": "true" },
    element("span", { className: "scale-line" }, dot),
    element("span", { textContent: low }),
    element("span", { textContent: high }),
  );
}

function fact(name, value) {
  const described = element("bdi", { textContent: value });
  return [element("dt", { textContent: name }), element("dd", {}, described)];
}

/** How faithful the map is, in words. */
export function fidelityText(map) {
  if ((map.scale ?? 1) < 1) {
    const share = `${Math.round(100 * map.scale)}%`;
    const scaled = `Distances from the center are drawn at ${share} of their length.`;
    return map.method === "exact" ? scaled : `${fidelityText({ ...map, scale: 1 })} ${scaled}`;
  }
  if (map.method === "exact") return "The map is exact: its distances are those of the space.";
  if (!map.fidelity) return `Projection: ${map.method}.`;
  const kept = Math.round(100 * map.fidelity.neighbors);
  const text = `This map keeps ${kept}% of the nearest neighbors. Projection: ${map.method}.`;
  if (!map.by_hierarchy) return text;
  return `${text} General words are in the middle, by their radius in the hierarchy.`;
}

/** The other projections that were tried, the best first. */
export function triedText(map) {
  const tried = Object.entries(map.tried ?? {}).filter(([name]) => name !== map.method);
  if (tried.length === 0) return "";
  tried.sort(([, a], [, b]) => b.neighbors - a.neighbors);
  const parts = tried.map(([name, fidelity]) => `${name} ${Math.round(100 * fidelity.neighbors)}%`);
  return `Also tried: ${parts.join(", ")}.`;
}

/** Facts about the model and its map, at the bottom of the panel. */
export function aboutModel(model) {
  const space = model.is_curved ? "hyperbolic" : "Euclidean";
  const product = model.factors > 1 ? `, a product of ${model.factors} hyperboloids` : "";
  const words = `${grouped(model.words)} words in ${space} space of ${model.dimension} dimensions${product}.`;
  return [
    element("p", { textContent: words }),
    aboutMap([
      fidelityText(model.map), triedText(model.map),
      "Lists show the neighbors and distances in the full space.",
    ]),
    model.exported && element("p", { className: "exported", textContent: exportedText(model) }),
  ].filter(Boolean);
}

/** What an exported page does not have. */
function exportedText({ words, limits, exported }) {
  const all = exported.of_words > words
    ? `the ${grouped(words)} most frequent of ${grouped(exported.of_words)} words` : "all words";
  return `This page is a copy without the model. It has ${all}, with up to ${limits.count} neighbors `
    + "each. For analogies, paths and other measures, run hyperskip explore with the model.";
}

/** Measurements of the map, which are shown on request. @param {string[]} texts empty ones are left out */
export function aboutMap(texts) {
  return element(
    "details", {},
    element("summary", { textContent: "About this map" }),
    ...texts.filter(Boolean).map((textContent) => element("p", { textContent })),
  );
}

/** A word and its nearest words, for screen readers. */
export function spokenNeighbors({ word, ngrams }, near) {
  const note = ngrams ? ", not in the vocabulary" : "";
  const names = near.slice(0, 5).map((one) => shown(one.word)).join(", ");
  return `${shown(word)}${note}: nearest are ${names}`;
}

function times(count) {
  return `${grouped(count)} ${count === 1 ? "time" : "times"}`;
}

function rankOf(rank, all) {
  return `rank ${grouped(rank)} of ${grouped(all)}`;
}
