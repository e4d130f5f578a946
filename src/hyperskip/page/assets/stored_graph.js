/** The parents and children of a word in an exported page, and its path from the root. */

const LONGEST_PATH = 100;

/**
 * @param {import("hyperskip/stored_data").StoredData} data
 * @param {import("hyperskip/stored_words").StoredWords} words
 * @param {number} index of the word
 * @param {number} count of parents and of children
 */
export async function relativesOf(data, words, index, count) {
  const [parents, children, mainParents, below] = await Promise.all([
    data.listOf("parents", index, count), data.listOf("children", index, count),
    data.array("main_parents"), data.array("below"),
  ]);
  const { model, edges } = data.values;
  const path = [];
  for (let at = mainParents[index]; at >= 0 && path.length < LONGEST_PATH; at = mainParents[at]) {
    path.unshift(at);
  }
  const described = (indices) => indices.map((one) => words.describe(one));
  return {
    word: words.describe(index),
    depth: edges.depths?.[index] ?? null,
    below: below[index],
    branch: model.graph.branches[edges.branches?.[index]]?.name ?? null,
    parent_count: parents.total,
    child_count: children.total,
    path: described(path),
    parents: described(parents.members),
    children: described(children.members),
  };
}
