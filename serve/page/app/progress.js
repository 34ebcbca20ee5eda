// How far long work is, and the button that stops it.

import { button, h } from './dom.js';
import { whole } from './numbers.js';

/** @param {() => void} cancel */
export function progressBar(cancel) {
  const text = h('span', { role: 'status' });
  const bar = h('progress', { 'aria-label': 'Progress' });
  const element = h(
    'div',
    { class: 'progress', hidden: true },
    text,
    bar,
    button('Cancel', cancel, { class: 'quiet' }),
  );
  let what = '';
  return {
    element,
    /** @param {string} doing */
    begin(doing) {
      what = doing;
      text.textContent = `${doing} …`;
      bar.removeAttribute('value');
      element.hidden = false;
    },
    /** @param {number} done @param {number | null} of */
    at(done, of) {
      // A reader of the screen is told that work goes on, not each of its steps.
      bar.setAttribute('aria-valuetext', `${what}: ${whole(done)}`);
      if (of) {
        bar.max = of;
        bar.value = done;
      }
      element.hidden = false;
    },
    hide() {
      element.hidden = true;
    },
  };
}
