// The compiler itself, in a worker: one question after the other. The page ends a question by
// ending the worker. Only the page without a server has the module ../engine/engine.js.

import start, * as engine from '../engine/engine.js';

// The module calls these while it answers.
Object.assign(globalThis, {
  dicecProgress: (/** @type {number} */ done, /** @type {number} */ of) =>
    postMessage({ progress: { done, of: of || null, partial: null } }),
  dicecNote: (/** @type {string} */ text) => postMessage({ note: JSON.parse(text).note }),
});

/** @param {{module: WebAssembly.Module} | {endpoint: string, body: any}} told */
async function take(told) {
  if ('module' in told) {
    await start({ module_or_path: told.module });
    return postMessage({ ready: true });
  }
  try {
    const text =
      told.endpoint === 'creatures'
        ? engine.creatures(told.body.q ?? '')
        : engine.ask(told.endpoint, JSON.stringify(told.body));
    postMessage({ document: JSON.parse(text) });
  } catch (thrown) {
    // What the module throws besides documents is a crash: this worker is of no use any more.
    if (typeof thrown !== 'string') throw thrown;
    postMessage({ refused: JSON.parse(thrown) });
  }
}

addEventListener('message', (event) => take(event.data));
