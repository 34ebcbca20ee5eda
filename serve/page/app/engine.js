// Who answers questions. The page asks here and nowhere else, so that it does not know whether a
// server or a worker in the browser computes.

import { isAnswer, isFinding } from './answers.js';
import * as here from './engine_here.js';

const UNREADABLE = {
  code: 'unreadable',
  message: 'the answer cannot be read',
  help: 'ask again, and load the page again if that does not help',
};

/**
 * What an engine refused, with the documents of its mistakes.
 */
export class Refused extends Error {
  /**
   * @param {any} document an object with `error`, and with `errors` if there are several
   * @param {string} [otherwise] what is said if it is nothing of that kind
   */
  constructor(document, otherwise = 'the engine did not say what is wrong') {
    const given = Array.isArray(document?.errors) ? document.errors : [document?.error];
    const known = given.filter(isFinding);
    const findings = known.length > 0 ? known : [{ code: 'unknown', message: otherwise }];
    super(findings[0].message);
    this.code = /** @type {string} */ (findings[0].code);
    this.findings = /** @type {import('./editor.js').Finding[]} */ (findings);
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
 * Asks a question, and gives the document that the command would print for it. This is the one
 * place where answers are read: whatever an engine does, what comes of it is an answer as views
 * know it, a refusal, or what the question was stopped with.
 * @param {string} endpoint `odds`, `roll`, `sim`, `encounter`, `day`, `describe`, `check`,
 *   `batch` or `creatures`
 * @param {any} body
 * @param {Asking} [asking]
 * @returns {Promise<any>}
 */
export async function ask(endpoint, body, { signal, onProgress, onNote } = {}) {
  const unreadable = () => new Refused({ error: UNREADABLE });
  try {
    const answer = await here.ask(endpoint, body, {
      signal,
      onNote: (note) => {
        if (typeof note?.message === 'string') onNote?.(note);
      },
      onProgress:
        onProgress &&
        (({ done, of, partial }) => {
          if (partial && !isAnswer(endpoint, body, partial)) throw unreadable();
          onProgress({ done, of, partial });
        }),
    });
    if (!isAnswer(endpoint, body, answer)) throw unreadable();
    return answer;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error instanceof Refused ? error : unreadable();
  }
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
