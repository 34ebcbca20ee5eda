// The palette: mechanics of many games, to be found by their words, each with a rule that fills the
// one that is being written.

import { button, fill, h } from './dom.js';
import { MECHANICS } from './mechanics.js';

/** @param {(rule: string, name: string) => void} take */
export function palette(take) {
  const wanted = h('input', {
    type: 'text',
    placeholder: 'such as Blades, advantage, pool',
    'aria-label': 'Find a game or a mechanic',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => draw(),
  });
  const list = h('div', { class: 'mechanics' });
  const element = h(
    'details',
    { class: 'panel notation palette' },
    h('summary', {}, 'Mechanics by game'),
    wanted,
    list,
  );

  function draw() {
    const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = MECHANICS.map(({ title, rows }) => ({
      title,
      rows: rows.filter((row) => {
        const text = [title, ...row].join(' ').toLowerCase();
        return words.every((/** @type {string} */ word) => text.includes(word));
      }),
    })).filter(({ rows }) => rows.length > 0);
    fill(
      list,
      groups.map(({ title, rows }) => [
        h('h3', {}, title),
        h(
          'ul',
          {},
          rows.map(([game, question, rule]) =>
            h(
              'li',
              {},
              h('span', {}, h('strong', {}, game), `: ${question}`),
              button(rule, () => take(rule, `${game}: ${question}`), { class: 'chip' }),
            ),
          ),
        ),
      ]),
      groups.length === 0 && h('p', { class: 'remark' }, 'No game or mechanic has these words.'),
    );
  }
  draw();
  return {
    element,
    /** Opens it where somebody asks for it. */
    open() {
      element.open = true;
      element.scrollIntoView({ block: 'start' });
      wanted.focus({ preventScroll: true });
    },
  };
}
