/** A path as a straight line: what the lens shows of it. */

const LENGTH = 4.4; // hyperbolic distance of the ends on the lens

/** Where the steps are: on the vertical diameter, the first on top, at equal distances. */
export function straightPlaces(steps) {
  return steps.map(({ t }) => [0, Math.tanh((LENGTH * (0.5 - t)) / 2)]);
}

/**
 * @param {{t: number, word: object|null}[]} steps of /api/path
 * @returns {{words: import("hyperskip/lens").LensWord[], rings: import("hyperskip/lens").Ring[]}}
 */
export function straightPath(steps) {
  const places = straightPlaces(steps);
  const words = steps.map(({ word }, i) => (
    word && { word: word.word, place: [word.x, word.y], at: places[i] }
  ));
  return { words: words.filter(Boolean), rings: [] };
}
