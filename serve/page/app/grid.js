// Tables of an answer: a heading for each column and each row, numbers to the right, words to the
// left.

import { h } from './dom.js';

/**
 * @param {string} caption
 * @param {string[]} head
 * @param {any[][]} body cells are texts or elements
 */
export function grid(caption, head, body) {
  const looks = head.map((_, i) => (body.some((row) => isWord(row[i])) ? 'words' : null));
  return h(
    'table',
    {},
    h('caption', { class: 'unseen' }, caption),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head.map((text, i) =>
          text === '' ? h('td', {}) : h('th', { scope: 'col', class: looks[i] }, text),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      body.map(([first, ...cells]) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, first),
          cells.map((cell, i) => h('td', { class: looks[i + 1] }, cell)),
        ),
      ),
    ),
  );
}

/**
 * What a wide or long table scrolls in, also with the keyboard.
 * @param {string} label
 * @param {...any} children
 */
export function scroller(label, ...children) {
  return h(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label },
    children,
  );
}

/** @param {any} cell */
function isWord(cell) {
  return typeof cell === 'string' && cell !== '' && !/^[-−+±<>≈– ]*[\d.]|^–$/.test(cell);
}
