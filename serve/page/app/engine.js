// Who answers questions. The page asks here and nowhere else, so that it does not know whether a
// server or a worker in the browser computes.

import * as here from './engine_here.js';

/**
 * What an engine refused, with the documents of its mistakes.
 */
export class Refused extends Error {
  /** @param {any} document an object with `error`, and with `errors` if there are several */
  constructor(document) {
    const first = document?.error ??
      document?.errors?.[0] ?? { code: 'unknown', message: 'the engine did not say what is wrong' };
    super(first.message);
    this.code = /** @type {string} */ (first.code);
    /** @type {import('./editor.js').Finding[]} */
    this.findings = document?.errors ?? [first];
  }
}

/**
 * The refusal that an error is, or null if somebody has stopped the question. All others are
 * mistakes of the page.
 * @param {unknown} error
 */
export function refusal(error) {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  if (error instanceof Refused) return error;
  throw error;
}

/**
 * @typedef {{done: number, of: number | null, partial: any}} Progress
 * @typedef {{signal?: AbortSignal, onProgress?: (progress: Progress) => void,
 *   onNote?: (note: {code: string, message: string}) => void}} Asking
 */

/**
 * Asks a question, and gives the document that the command would print for it.
 * @param {string} endpoint `odds`, `roll`, `sim`, `encounter`, `describe`, `check`,
 *   `batch` or `creatures`
 * @param {any} body
 * @param {Asking} [asking]
 * @returns {Promise<any>}
 */
export function ask(endpoint, body, asking = {}) {
  return here.ask(endpoint, body, asking);
}

/**
 * Questions of which only the latest matters: beginning another one stops the one before.
 */
export function latest() {
  /** @type {AbortController | null} */
  let current = null;
  return {
    /** A signal for one question, or for several that follow each other. */
    begin() {
      current?.abort();
      current = new AbortController();
      return current.signal;
    },
    stop() {
      current?.abort();
    },
    /** Whether no other question has begun since this one. @param {AbortSignal} signal */
    isLatest: (signal) => current?.signal === signal,
  };
}
