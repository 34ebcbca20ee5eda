// What is on the page as entries of the browser's history, so that Back and Forward work within it.
// While somebody types, an entry changes; after a pause, or when something replaces what is there,
// the next one begins.

import { debounce } from './dom.js';
import { write } from './fragment.js';

/** After this many milliseconds without a change, the next one begins an entry. */
const PAUSE = 2000;
/** How long changes have to cease before they are written. */
const QUIET = 400;

/**
 * @param {{now: () => {view: string, state: any} | null,
 *   tooLong: (isTooLong: boolean) => void}} page
 *   `now` is what is on the page at present
 */
export function createAddress({ now, tooLong }) {
  /** The address of what is on the page. */
  let written = '';
  /** When the last change was written. */
  let last = -Infinity;
  /** Whether the next change begins an entry, even without a pause. */
  let begins = false;
  /** Whether somebody has done something since the page shows this address. */
  let touched = false;
  /** Whether a change is not written yet. */
  let waiting = false;
  // Fragments are made one after the other, in the order of the changes.
  let queue = Promise.resolve();

  /** Writes what is on the page. @param {boolean} isEntry whether it is an entry of its own */
  function put(isEntry) {
    const shown = now();
    if (!shown) return queue;
    const { view, state } = structuredClone(shown);
    queue = queue.then(async () => {
      const fragment = await write(view, state);
      tooLong(fragment === null);
      // Somebody may have followed a link in the meantime.
      if (fragment === null || location.hash !== written || fragment === written) return;
      written = fragment;
      if (isEntry) history.pushState(null, '', fragment);
      else history.replaceState(null, '', fragment);
    });
    return queue;
  }
  function flush() {
    const time = performance.now();
    // What a view works out by itself is no change of anybody.
    const isEntry = touched && (begins || time - last > PAUSE);
    last = touched ? time : -Infinity;
    begins = waiting = false;
    return put(isEntry);
  }
  const soon = debounce(() => waiting && flush(), QUIET);

  for (const doing of ['pointerdown', 'keydown', 'input', 'drop']) {
    addEventListener(doing, () => (touched = true), { capture: true, passive: true });
  }
  function changed() {
    waiting = true;
    soon();
  }

  return {
    /** Something on the page has changed. */
    changed,
    /**
     * The page shows an address; if not all of it, it is to be written as the page has it.
     * @param {boolean} isAll
     */
    shown(isAll) {
      written = location.hash;
      last = -Infinity;
      begins = touched = waiting = false;
      if (!isAll) changed();
    },
    /** Whether the address is that of what is on the page. */
    isOwn: () => location.hash === written,
    /** The address is that of what is on the page again. */
    keep: () => history.replaceState(null, '', written || '#/'),
    /**
     * What is on the page is about to be replaced: it stays in an entry. Gives what brings it back.
     * @returns {() => Promise<void>}
     */
    replacing() {
      const shown = now();
      const before = shown && structuredClone(shown);
      if (waiting) flush();
      begins = true;
      return async () => {
        if (waiting) await flush();
        const fragment = before && (await write(before.view, before.state));
        if (fragment) location.assign(fragment);
      };
    },
  };
}
