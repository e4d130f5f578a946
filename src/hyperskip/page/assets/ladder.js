/** A ladder of words in the panel: broader words above a word, narrower ones below. */

import { element, grouped, wordButton } from "hyperskip/dom";

const MOST_ABOVE = 12; // rungs
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * The rungs are buttons. The up and down keys move between them.
 * @param {string} name of the ladder
 * @param {{above: object[], word: object, below: object[], more?: number}} rungs words, the broadest first;
 *   more: number of narrower words that are not listed
 * @param {(word: object) => void} goTo
 * @param {(word: object) => string} [numberOf] text next to a word, but not next to that of the ladder
 */
export function ladder(name, { above, word, below, more = 0 }, goTo, numberOf = () => "") {
  const rung = (one, place, number = "") => {
    const button = wordButton(one.word, () => goTo(one), "rung");
    if (number !== "") button.append(element("span", { className: "number", textContent: number }));
    if (place === "here") button.setAttribute("aria-current", "true");
    return element("li", { className: place }, button);
  };
  const rest = (count, where) => count > 0 && element("li", {
    className: `${where} quiet`, textContent: `and ${grouped(count)} more`,
  });
  return element(
    "ol", { className: "ladder", "aria-label": name, on: { keydown: climb } },
    rest(above.length - MOST_ABOVE, "above"),
    ...above.slice(-MOST_ABOVE).map((one) => rung(one, "above", numberOf(one))),
    rung(word, "here"),
    ...below.map((one) => rung(one, "below", numberOf(one))),
    rest(more, "below"),
  );
}

/** Move the focus one rung up or down. */
function climb(event) {
  const step = STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const rungs = [...event.currentTarget.querySelectorAll(".rung")];
  rungs[rungs.indexOf(event.target) + step]?.focus();
}
