/** The place of a word in the hierarchy of an exported page. */

const MOST_STEPS = 6; // of a chain, as in broader_chain.py

/**
 * @param {import("hyperskip/stored_data").StoredData} data
 * @param {import("hyperskip/stored_words").StoredWords} words
 * @returns {Promise<import("hyperskip/kinds").Hierarchy>}
 */
export async function kindsOf(data, words, index, count) {
  const kinds = async (name, one, most) => {
    const { members, numbers } = await data.listOf(name, one, most);
    return members.map((row, at) => ({ ...words.describe(row), score: numbers[at] }));
  };
  const [evidence, hypernyms, hyponyms] = await Promise.all([
    data.array("evidence"), kinds("hypernyms", index, count), kinds("hyponyms", index, count),
  ]);
  const chain = hypernyms.slice(0, 1);
  while (chain.length > 0 && chain.length < MOST_STEPS) {
    const [above] = await kinds("hypernyms", chain.at(-1).row, 1);
    if (above === undefined) break;
    chain.push(above);
  }
  return { word: words.describe(index), evidence: evidence[index], chain, hypernyms, hyponyms };
}
