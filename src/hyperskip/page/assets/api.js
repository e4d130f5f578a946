/** Requests to the server, and their errors. */

export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {{status: number, hint?: string, suggestions?: string[], word?: string,
   *   reload?: boolean}} more
   */
  constructor(message, { status, hint = "", suggestions = [], word = "", reload = false }) {
    super(message);
    this.status = status; // 0: no answer
    this.hint = hint;
    this.suggestions = suggestions;
    this.word = word; // the unknown word
    this.reload = reload; // whether the page must be reloaded
  }

  /** Whether there is no answer, as opposed to one that did not arrive. */
  get isUnknownWord() {
    return this.status === 404 && this.word !== "";
  }
}

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

/** Runs one request at a time: a new request cancels the previous one. */
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
   * @returns {Promise<T|null>} null if another request was started meanwhile
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
