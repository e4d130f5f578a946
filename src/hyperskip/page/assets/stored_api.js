/** Answers of an exported page, from the data in it or next to it. It takes the place of `api.js`. */

import { ApiError, Latest } from "hyperskip/requests";
import { StoredData } from "hyperskip/stored_data";
import { relativesOf } from "hyperskip/stored_graph";
import { kindsOf } from "hyperskip/stored_kinds";
import { StoredWords } from "hyperskip/stored_words";

export { Latest };

const ANSWERS = {
  model: ({ data }) => data.values.model,
  examples: ({ data }) => data.values.examples,
  edges: ({ data }) => data.values.edges,
  points: ({ words }) => words.columns,
  search: ({ words }, { text, limit }) => words.search(text, limit),
  word: ({ words }, { word }) => words.describe(words.find(word)),
  async neighbors({ data, words }, { word, count }) {
    const index = words.find(word);
    const { members, numbers } = await data.listOf("neighbors", index, count);
    const [measure] = data.values.model.measures;
    const name = measure === "angle" ? "similarity" : "distance";
    const neighbors = members.map((one, at) => ({ ...words.describe(one), [name]: numbers[at] }));
    return { word: words.describe(index), measure, neighbors };
  },
  hierarchy: ({ data, words }, { word, count }) => kindsOf(data, words, words.find(word), count),
  relatives: ({ data, words }, { word, count }) => relativesOf(data, words, words.find(word), count),
};

/** Whether a question can be asked without the model. */
export function canAsk(name) {
  return name in ANSWERS;
}

let loading = null; // the data, or a promise of it

async function load() {
  const data = await StoredData.load();
  return { data, words: await StoredWords.of(data) };
}

/**
 * @param {string} name of an endpoint, such as "neighbors"
 * @param {Object<string, string|number>} [parameters]
 * @param {AbortSignal} [signal]
 */
export async function ask(name, parameters = {}, signal = undefined) {
  loading ??= load();
  try {
    const answer = await ANSWERS[name](await loading, parameters);
    signal?.throwIfAborted();
    return answer;
  } catch (error) {
    if (error.name === "AbortError" || error instanceof ApiError) throw error;
    loading = null;
    throw new ApiError("The data of this page cannot be loaded.", {
      status: 0, hint: "Check the connection, then retry.",
    });
  }
}
