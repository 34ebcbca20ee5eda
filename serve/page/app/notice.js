// A note above a view: what of the address could not be read, or what was replaced.

import { button, fill, h } from './dom.js';

/** Parts that are named, and how much of the name of each. */
const NAMED = 4;
const LONGEST = 40;

export function createNotice() {
  const text = h('p', { role: 'status' });
  const close = button('×', hide, { class: 'quiet', 'aria-label': 'Close this note' });
  const element = h('div', { class: 'notice', hidden: true }, text, close);

  /** @param {...any} words */
  function show(...words) {
    element.hidden = false;
    fill(text, words);
  }
  function hide() {
    element.hidden = true;
    fill(text);
  }
  return {
    element,
    hide,
    show,
    /**
     * A note with something to do about it.
     * @param {string} said
     * @param {string} text
     * @param {() => void} action
     */
    offer(said, text, action) {
      show(said, ' ', button(text, action, { class: 'fix' }));
    },
    /** Names parts of a link that were left out. @param {string[]} parts */
    leftOut(parts) {
      const more = parts.length - NAMED;
      show(
        parts.length === 1
          ? 'The link has a part that this page does not know, and leaves out: '
          : 'The link has parts that this page does not know, and leaves out: ',
        parts
          .slice(0, NAMED)
          .map((part, i) => [i > 0 ? ', ' : '', h('code', {}, shortened(inWords(part)))]),
        more > 0 ? ` and ${more} more.` : '.',
      );
    },
  };
}

/** A place in a link as people count: `rules[0]` is `rules › 1`. @param {string} part */
function inWords(part) {
  return part
    .replaceAll(/\[(\d+)\]/g, (_, index) => `.${Number(index) + 1}`)
    .replaceAll('.', ' › ');
}

/** @param {string} name */
function shortened(name) {
  const characters = [...name];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : name;
}
