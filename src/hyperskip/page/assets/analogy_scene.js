/** Drawing and listing an analogy, with both routes of the paper, Z and Z'. */

import { element, wordText } from "hyperskip/dom";
import { nearList } from "hyperskip/panel";

const ROUTES = [
  ["Z", "Z", "accent", "Transports the relation of a and b to c."],
  ["Z'", "Z′", "second", "Transports the relation of a and c to b."],
];

/**
 * The lines and marks of an analogy.
 * @param {(word: object) => number} indexOf index of a word on the map, or -1
 * @returns {import("hyperskip/overlay").Scene}
 */
export function analogyScene({ a, b, c, routes }, indexOf) {
  const place = (word) => [word.x, word.y];
  const mark = (word, ink) => ({
    at: place(word), word: word.word, index: indexOf(word), shape: "dot", ink, strong: true,
  });
  const lines = [
    { from: place(a), to: place(b), ink: "accent", width: 2 },
    { from: place(a), to: place(c), ink: "second", width: 2 },
    { from: place(c), to: place(routes.Z), ink: "accent", width: 2.5, arrow: true, dash: [7, 5] },
    { from: place(b), to: place(routes["Z'"]), ink: "second", width: 2.5, arrow: true, dash: [7, 5] },
  ];
  const marks = [mark(a, "ink"), mark(b, "accent"), mark(c, "second")];
  for (const [name, title, ink] of ROUTES) {
    const route = routes[name];
    marks.push({ at: place(route), word: title, index: -1, shape: "target", ink, strong: true });
    const answer = route.answers[0];
    if (answer && !marks.some((other) => other.word === answer.word)) {
      marks.push({ ...mark(answer, ink), shape: "ring", strong: false });
    }
  }
  return { lines, marks };
}

/** The answers of both routes. */
export function analogyAnswers(routes, goTo) {
  return ROUTES.map(([name, title, ink, description]) => element(
    "section", { className: `route route-${ink}` },
    element(
      "h3", {},
      element("span", { className: "route-mark", "aria-hidden": "true" }), `Route ${title}`,
    ),
    element("p", { className: "quiet", textContent: description }),
    nearList(`Route ${title}`, routes[name].answers, goTo, { numbered: true }),
  ));
}

/** The heading `france : paris = italy : ?`. */
export function analogyTitle(words) {
  const [a, b, c] = words.map(wordText);
  return element("p", { className: "lead" }, a, " : ", b, " = ", c, " : ?");
}
