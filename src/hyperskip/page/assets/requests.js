/** Requests for answers: their errors, and one request at a time. */

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
