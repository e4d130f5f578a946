/** Questions to the server, and what can go wrong with them. */

export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {{status: number, hint?: string, suggestions?: string[], word?: string,
   *   reload?: boolean}} more
   */
  constructor(message, { status, hint = "", suggestions = [], word = "", reload = false }) {
    super(message);
    this.status = status; // 0: there was no answer
    this.hint = hint;
    this.suggestions = suggestions;
    this.word = word; // the one that is not known
    this.reload = reload; // whether nothing helps but to load the page again
  }
}

let explored = null; // the model of the first answer

/** A server may be started again with another model, of which this page knows nothing. */
function checkModel(response) {
  const model = response.headers.get("Hyperskip-Model");
  explored ??= model;
  if (model === null || model === explored) return;
  throw new ApiError("Another model is explored here now.", {
    status: response.status, hint: "This page still shows the last one.", reload: true,
  });
}

/**
 * @param {string} name of a question, such as "neighbors"
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
      status: 0, hint: "It may have been stopped: start it again, then retry.",
    });
  }
  checkModel(response);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new ApiError(answer.error ?? `The server answered with ${response.status}.`, {
    status: response.status, hint: answer.hint, suggestions: answer.suggestions, word: answer.word,
  });
}

/** One question at a time: a new one makes the answer to the last one void. */
export class Latest {
  constructor() {
    this.controller = new AbortController();
  }

  stop() {
    this.controller.abort();
  }

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} request
   * @returns {Promise<T|null>} null where another request has come in between
   */
  async run(request) {
    this.controller.abort();
    this.controller = new AbortController();
    const { signal } = this.controller;
    try {
      const answer = await request(signal);
      return signal.aborted ? null : answer;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }
}
