// The engine in the browser: the compiler as a WebAssembly module in a few workers, for a page
// without a server. It has no native code, and no tables.

import { Refused } from './engine.js';

const MODULE = new URL('../engine/engine_bg.wasm', import.meta.url);
const WORKER = new URL('./worker.js', import.meta.url);
/** Questions that are answered at the same time. */
const WORKERS = Math.min(4, navigator.hardwareConcurrency || 2);
/** What simulations roll with if nobody says with which seed: a whole number that floats have. */
const SEEDS = 2 ** 53;
const SAMPLED = ['roll', 'sim', 'encounter', 'day'];
/** How well odds of fights are known: the usual 1 point would take some ten seconds here. */
const FIGHTS_PRECISION = 0.025;

/**
 * @typedef {{endpoint: string, body: any, asking: import('./engine.js').Asking,
 *   resolve: (document: any) => void, reject: (why: any) => void}} Question
 */

/** @type {Promise<WebAssembly.Module> | undefined} */
let module;
/** Workers without a question. @type {Worker[]} */
const idle = [];
let started = 0;
/** @type {Question[]} */
const waiting = [];

/**
 * @param {string} endpoint @param {any} body @param {import('./engine.js').Asking} asking
 * @returns {Promise<any>}
 */
export function ask(endpoint, body, asking) {
  if (endpoint === 'batch') return Promise.reject(needsCommand('Tables'));
  if (SAMPLED.includes(endpoint) && body.seed == null) {
    body = { ...body, seed: Math.floor(Math.random() * SEEDS) };
  }
  if (['encounter', 'day'].includes(endpoint) && !isSettled(body)) {
    body = { ...body, precision: FIGHTS_PRECISION };
    asking.onNote?.(ROUGHLY);
  }
  return new Promise((resolve, reject) => {
    waiting.push({ endpoint, body, asking, resolve, reject });
    next();
  });
}

const ROUGHLY = {
  code: 'browser',
  message:
    'this page has no native code, so odds of fights are known to 2.5 percentage points here, and ' +
    'to 1 with `dicec serve`',
};

/** Whether it is said how many fights there are. @param {any} body */
function isSettled(body) {
  return body.tell || body.exact || body.trials != null || body.precision != null;
}

/** @param {string} what */
function needsCommand(what) {
  return new Refused({
    error: {
      code: 'browser',
      message: `${what} need dicec on your machine`,
      help: 'install it, and start this page with `dicec serve`',
      start: null,
      end: null,
    },
  });
}

/** Gives the first question to a worker without one. */
async function next() {
  if (waiting.length === 0) return;
  if (idle.length === 0) {
    if (started === WORKERS) return;
    started += 1;
    try {
      idle.push(await begun());
    } catch (why) {
      started -= 1;
      return waiting.shift()?.reject(why);
    }
    return next();
  }
  const worker = /** @type {Worker} */ (idle.pop());
  answer(worker, /** @type {Question} */ (waiting.shift()));
}

/** A worker that is ready. @returns {Promise<Worker>} */
async function begun() {
  module ??= WebAssembly.compileStreaming(fetch(MODULE));
  const compiled = await module.catch((why) => {
    // The next question looks again.
    module = undefined;
    throw why;
  });
  const worker = new Worker(WORKER, { type: 'module' });
  worker.postMessage({ module: compiled });
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

/** @param {Worker} worker @param {Question} question */
function answer(worker, { endpoint, body, asking, resolve, reject }) {
  const { signal, onProgress, onNote } = asking;
  if (signal?.aborted) {
    reject(signal.reason);
    idle.push(worker);
    return next();
  }
  const stop = () => over(worker, () => reject(signal?.reason));
  signal?.addEventListener('abort', stop, { once: true });
  worker.onmessage = ({ data }) => {
    if (data.progress) return onProgress?.(data.progress);
    if (data.note) return onNote?.(data.note);
    signal?.removeEventListener('abort', stop);
    data.refused ? reject(new Refused(data.refused)) : resolve(data.document);
    idle.push(worker);
    return next();
  };
  worker.onerror = (event) => {
    signal?.removeEventListener('abort', stop);
    over(worker, () => reject(new Error(event.message)));
  };
  worker.postMessage({ endpoint, body });
}

/** A worker ends with its question. @param {Worker} worker @param {() => void} tell */
function over(worker, tell) {
  worker.terminate();
  started -= 1;
  tell();
  next();
}
