/** Lists of two models in the panel: neighbors side by side, and words that moved. */

import { element, grouped, shown, wordButton, wordText } from "hyperskip/dom";

const BOTH = "=";
const MISSING = "∅";

/**
 * The nearest words of a word in both models: those of both, and those of one.
 * @param {string[]} names of the models
 * @param {Array<object|null>} models as in the API; null for one without the word
 * @param {(word: string) => void} goTo
 */
export function compareLists(names, word, models, goTo) {
  const listed = models.flatMap((one) => one?.neighbors ?? []);
  const shared = listed.filter((one) => one.shared).length / 2;
  const isMissing = listed.some((one) => !one.in_other);
  const count = Math.max(...models.map((one) => one?.neighbors.length ?? 0));
  return [
    element("h2", { className: "card-word", tabIndex: -1 }, wordText(word)),
    element("p", {
      className: "quiet",
      textContent: `${shared} of the ${count} nearest words are in both lists (${BOTH}).`
        + (isMissing ? ` ${MISSING} marks words that the other model does not have.` : ""),
    }),
    element(
      "div", { className: "side-by-side" },
      ...models.map((one, at) => column(names, at, one, goTo)),
    ),
  ];
}

function column(names, at, model, goTo) {
  const title = element("h3", {}, element("bdi", { textContent: names[at] }));
  if (model === null) {
    return element("div", {}, title, element("p", {
      className: "quiet", textContent: "This model does not have the word.",
    }));
  }
  const label = `Nearest words in ${names[at]}`;
  return element("div", {}, title, element(
    "ul", { className: "near", "aria-label": label },
    ...model.neighbors.map((one) => element("li", {}, entry(one, names[1 - at], goTo))),
  ));
}

function entry({ word, shared, in_other: isInOther }, otherName, goTo) {
  const button = wordButton(word, () => goTo(word), `near-word ${shared ? "shared" : ""}`);
  const [sign, meaning] = shared ? [BOTH, "in both lists"]
    : isInOther ? ["", ""] : [MISSING, `not a word of ${otherName}`];
  if (sign !== "") {
    button.append(
      element("span", { className: "number", textContent: sign, title: meaning, "aria-hidden": "true" }),
      element("span", { className: "unseen", textContent: `, ${meaning}` }),
    );
  }
  return button;
}

/** Frequent words that moved most. @param {Array<{word: string, shared: number}>} moved */
export function movedList(moved, goTo) {
  if (moved.length === 0) return [];
  const title = "Words that moved most";
  return [
    element("h3", { textContent: title }),
    element("p", {
      className: "quiet",
      textContent: "Frequent words whose neighbors in one model are still close to each other in the "
        + "other model, but not to the word.",
    }),
    element(
      "p", { className: "chips", role: "group", "aria-label": title },
      ...moved.map(({ word, shared }) => {
        const button = wordButton(word, () => goTo(word), "chip");
        button.title = `${shown(word)}: ${grouped(shared)} of 25 nearest words are the same`;
        return button;
      }),
    ),
  ];
}
