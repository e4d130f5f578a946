/** Answers of the server. An exported page has `stored_api.js` in its place. */

import { ApiError, Latest } from "hyperskip/requests";

export { Latest };

let servedModel = null; // of the first answer

/** Check that the server was not restarted with another model. */
function checkModel(response) {
  const model = response.headers.get("Hyperskip-Model");
  servedModel ??= model;
  if (model === null || model === servedModel) return;
  throw new ApiError("The server now shows another model.", {
    status: response.status, hint: "Reload the page to see it.", reload: true,
  });
}

/**
 * @param {string} name of an endpoint, such as "neighbors"
 * @param {Object<string, string|number>} [parameters]
 * @param {AbortSignal} [signal]
 */
export async function ask(name, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  let response;
  try {
    response = await fetch(`/api/${name}${query ? `?${query}` : ""}`, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer.", {
      status: 0, hint: "It may have been stopped. Start it again, then retry.",
    });
  }
  checkModel(response);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new ApiError(answer.error ?? `The server answered with ${response.status}.`, {
    status: response.status, hint: answer.hint, suggestions: answer.suggestions, word: answer.word,
  });
}

/** Whether a question can be asked: the server answers all. */
export function canAsk() {
  return true;
}
