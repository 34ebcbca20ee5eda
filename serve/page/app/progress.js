// How far long work is, and the button that stops it. Stopped work says what is known, and goes on
// if somebody wants that.

import { button, h } from './dom.js';
import { whole } from './numbers.js';

/**
 * @param {() => void} cancel
 * @param {() => void} again asks the question anew
 */
export function progressBar(cancel, again) {
  const text = h('span', { role: 'status' });
  const bar = h('progress', { 'aria-label': 'Progress' });
  const stop = button('Cancel', () => stopped(), { class: 'quiet' });
  const onward = button('Go on', () => again());
  const element = h('div', { class: 'progress', hidden: true }, text, bar, stop, onward);
  let what = '';
  /** What the work counts, if a part of it is an answer: `rolls`. @type {string | null} */
  let counted = null;
  let [done, of] = [0, /** @type {number | null} */ (null)];
  let isStopped = false;

  /** @param {boolean} stops */
  function show(stops) {
    isStopped = stops;
    bar.hidden = stop.hidden = stops;
    onward.hidden = !stops;
    element.hidden = false;
  }
  function stopped() {
    cancel();
    const all = of ? ` of ${whole(of)}` : '';
    text.textContent =
      counted && done > 0
        ? `Stopped: the answer so far is that of ${whole(done)}${all} ${counted}.`
        : 'Stopped before there was an answer.';
    show(true);
    onward.focus();
  }
  return {
    element,
    /** @param {string} doing @param {string | null} [counts] what it counts, if it shows a part */
    begin(doing, counts = null) {
      [what, counted, done, of] = [doing, counts, 0, null];
      text.textContent = `${doing} …`;
      bar.removeAttribute('value');
      show(false);
    },
    /** @param {number} now @param {number | null} most */
    at(now, most) {
      if (isStopped) return;
      [done, of] = [now, most];
      // A reader of the screen is told that work goes on, not each of its steps.
      bar.setAttribute('aria-valuetext', `${what}: ${whole(now)}`);
      if (most) {
        bar.max = most;
        bar.value = now;
      }
      element.hidden = false;
    },
    /** The work has ended. What was stopped stays, until another question begins. */
    hide() {
      if (!isStopped) element.hidden = true;
    },
    /** There is another question. */
    reset() {
      isStopped = false;
      element.hidden = true;
    },
  };
}
