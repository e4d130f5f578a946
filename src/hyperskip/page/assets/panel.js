/** Parts of the side panel: a word and what is known of it, lists of words, and the map's fidelity. */

import { decimals, element, grouped, shown, wordButton, wordText } from "hyperskip/dom";

/** A list of near words; `goTo` is told which one is pressed. */
export function nearList(near, goTo, { numbered = false } = {}) {
  return element(numbered ? "ol" : "ul", { className: "near" }, ...near.map((entry) => {
    const button = wordButton(entry.word, () => goTo(entry), "near-word");
    const textContent = decimals(entry.distance, 3);
    button.append(element("span", { className: "number", textContent }));
    return element("li", {}, button);
  }));
}

/** The word's name and facts. */
export function wordCard(word, { words, countsKnown, groupName, mapped = null }) {
  return element(
    "div", { className: "card" },
    element("h2", { className: "card-word" }, wordText(word.word)),
    generality(word, words),
    element(
      "dl", { className: "facts" },
      ...fact("Radius", decimals(word.radius, 3)),
      ...fact("Generality", placeOf(word.rank, words)),
      ...(countsKnown ? fact("Occurs", times(word.count)) : []),
      ...(countsKnown && word.row !== undefined
        ? fact("Frequency", placeOf(word.row + 1, words)) : []),
      ...(groupName ? fact("Group", shown(groupName)) : []),
    ),
    mapped !== null && word.mapped === false && element("p", {
      className: "quiet",
      textContent: `Not among the ${grouped(mapped)} most frequent words that the map has: `
        + "it is shown between its neighbors.",
    }),
  );
}

/** A scale from general to special, with the word's place on it. */
function generality(word, words) {
  const dot = element("span", { className: "scale-dot" });
  dot.style.setProperty("--share", String(words > 1 ? (word.rank - 1) / (words - 1) : 0));
  return element(
    "div", { className: "scale", "aria-hidden": "true" },
    element("span", { className: "scale-line" }, dot),
    element("span", { textContent: "general" }),
    element("span", { textContent: "special" }),
  );
}

function fact(name, value) {
  const described = element("bdi", { textContent: value });
  return [element("dt", { textContent: name }), element("dd", {}, described)];
}

/** What the map keeps of the space, in words. */
export function fidelityText(map) {
  if (map.method === "exact") return "This is the space itself: the map is exact.";
  if (!map.fidelity) return `Made by: ${map.method}.`;
  const kept = Math.round(100 * map.fidelity.neighbors);
  return `On this map, ${kept} of 100 nearest neighbors are still nearest. Made by: ${map.method}.`;
}

/** Every way that was measured, the best first. */
export function triedText(map) {
  const tried = Object.entries(map.tried ?? {}).filter(([name]) => name !== map.method);
  if (tried.length === 0) return "";
  tried.sort(([, a], [, b]) => b.neighbors - a.neighbors);
  const parts = tried.map(([name, fidelity]) => `${name} ${Math.round(100 * fidelity.neighbors)}`);
  return `Also tried: ${parts.join(", ")} of 100.`;
}

/** About the model and its map, at the foot of the panel. */
export function aboutModel(model) {
  const space = model.geometry === "euclidean" ? "Euclidean" : "hyperbolic";
  const product = model.factors > 1 ? `, a product of ${model.factors}` : "";
  const lines = [
    `${grouped(model.words)} words in ${space} space of ${model.dimension} dimensions${product}.`,
    `${fidelityText(model.map)} ${triedText(model.map)} `
      + "Neighbors and distances in lists are those of the whole space.",
  ];
  return lines.map((textContent) => element("p", { textContent }));
}

/** A word and the nearest ones, for a reader of the screen. */
export function spokenNeighbors(word, near) {
  return `${shown(word)}: nearest are ${near.slice(0, 5).map((one) => shown(one.word)).join(", ")}`;
}

function times(count) {
  return `${grouped(count)} ${count === 1 ? "time" : "times"}`;
}

/** 3rd of 297. */
function placeOf(number, all) {
  const last = number % 100 >= 11 && number % 100 <= 13 ? 0 : number % 10;
  return `${grouped(number)}${["th", "st", "nd", "rd"][last] ?? "th"} of ${grouped(all)}`;
}
