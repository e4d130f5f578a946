/** What the lens shows of an answer of the server. */

/**
 * @param {object} lens the answer of /api/lens
 * @returns {{words: import("hyperskip/lens").LensWord[], rings: import("hyperskip/lens").Ring[]}}
 */
export function lensContent({ word, neighbors, x, y, rings }) {
  return {
    words: [word, ...neighbors].map((one, i) => (
      { word: one.word, place: [one.x, one.y], at: [x[i], y[i]] }
    )),
    rings: rings.map(({ value, radius }) => ({ radius, text: String(Number(value.toFixed(6))) })),
  };
}

/**
 * The answer about a word with places on the lens; words that are not on it are left out.
 * @param {{word: object, neighbors: object[], relatives: object|null, hierarchy: object|null}} answer
 * @param {import("hyperskip/lens").LensWord[]} words
 */
export function placedInLens({ word, neighbors, relatives, hierarchy }, words) {
  const places = new Map(words.map((one) => [one.word, one.at]));
  const placed = (list) => list.filter((one) => places.has(one.word)).map((one) => {
    const [x, y] = places.get(one.word);
    return { ...one, x, y };
  });
  const upToMissing = (list) => {
    const missing = list.findIndex((one) => !places.has(one.word));
    return placed(missing < 0 ? list : list.slice(0, missing));
  };
  const isWhole = relatives?.path.every((one) => places.has(one.word)); // no lines past missing words
  return {
    word: placed([word])[0],
    neighbors: placed(neighbors),
    relatives: relatives && {
      ...relatives, path: isWhole ? placed(relatives.path) : [],
      parents: placed(relatives.parents), children: placed(relatives.children),
    },
    hierarchy: hierarchy && {
      ...hierarchy, chain: upToMissing(hierarchy.chain), hyponyms: placed(hierarchy.hyponyms),
    },
  };
}
