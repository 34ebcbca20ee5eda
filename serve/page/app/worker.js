// The compiler itself, in a worker: one question after the other. The page ends a question by
// ending the worker. Only the page without a server has the module ../engine/engine.js.

import start, * as engine from '../engine/engine.js';

/** How often progress is told at most, in milliseconds; and results that are not final. */
const TICK = 100;
const PARTIAL = 250;

/** What is done, of how much, when that was told, and when a result was. */
const seen = { done: 0, of: 0, told: 0, partial: 0 };

/** @param {any} partial */
function tell(partial) {
  postMessage({ progress: { done: seen.done, of: seen.of || null, partial } });
}

// The module calls these while it answers.
Object.assign(globalThis, {
  dicecProgress(/** @type {number} */ done, /** @type {number} */ of) {
    Object.assign(seen, { done, of });
    if (performance.now() - seen.told < TICK) return;
    seen.told = performance.now();
    tell(null);
  },
  dicecIsDue() {
    const isDue = performance.now() - seen.partial >= PARTIAL;
    if (isDue) seen.partial = performance.now();
    return isDue;
  },
  dicecPartial: (/** @type {string} */ text) => tell(JSON.parse(text)),
  dicecNote: (/** @type {string} */ text) => postMessage({ note: JSON.parse(text).note }),
});

/** @param {WebAssembly.Module} module */
async function begin(module) {
  await start({ module_or_path: module });
  postMessage({ ready: true });
}

/** @param {{endpoint: string, body: any}} question */
function take({ endpoint, body }) {
  seen.partial = performance.now();
  try {
    postMessage({ document: answer(endpoint, body) });
  } catch (thrown) {
    // What the module throws besides documents is a crash: this worker is of no use any more.
    if (typeof thrown !== 'string') throw thrown;
    postMessage({ refused: JSON.parse(thrown) });
  }
}

/** @param {string} endpoint @param {any} body */
function answer(endpoint, body) {
  if (endpoint === 'creatures') return JSON.parse(engine.creatures(body.q ?? ''));
  if (body.sweep) return swept(body);
  return JSON.parse(engine.ask(endpoint, JSON.stringify(body)));
}

/**
 * The odds for each value of a range, as the server's rows: tables are not part of the module.
 * @param {any} body whose sweep is `{name: 'low..high'}`
 */
function swept({ sweep, set, ...question }) {
  const [[name, range]] = Object.entries(sweep);
  const [low, high] = range.split('..').map(Number);
  const values = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return values.map((value) => ({
    [name]: value,
    odds: answer('odds', { ...question, set: { ...set, [name]: value } }),
  }));
}

// A crash while a question is answered has to leave this function, so that the page hears of it: it
// does not hear of promises that nobody catches.
addEventListener('message', ({ data }) => {
  if (data.module) begin(data.module).catch((why) => setTimeout(() => reportError(why)));
  else take(data);
});
