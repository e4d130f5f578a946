/** Drawing a selected word and its neighbors. */

/**
 * A word with lines to its neighbors.
 * @param {(word: object) => number} indexOf index of a word on the map, or -1
 * @returns {import("hyperskip/overlay").Scene}
 */
export function neighborScene(word, neighbors, indexOf) {
  const at = [word.x, word.y];
  const near = neighbors.map((neighbor) => ({ ...neighbor, at: [neighbor.x, neighbor.y] }));
  return {
    lines: near.map((neighbor) => ({ from: at, to: neighbor.at, ink: "third", width: 1.25 })),
    marks: [
      { at, word: word.word, index: indexOf(word), shape: "ring", ink: "accent", strong: true },
      ...near.map((neighbor) => ({
        at: neighbor.at, word: neighbor.word, index: indexOf(neighbor),
        shape: "dot", ink: "accent",
      })),
    ],
  };
}
