// How rules are written, in short: examples to click.

import { button, h } from './dom.js';

/** @type {[string, string][]} */
export const EXAMPLES = [
  ['3d6 + 2', 'dice, numbers and + − * / ( )'],
  ['4d6kh3', 'keep the highest three; kl, dh and dl keep and drop the others'],
  ['1d20 adv + 5', 'advantage, as 2d20kh1 + 5; dis is disadvantage'],
  ['3d6!', 'a highest face explodes: one more die'],
  ['2d6ro<=2', 'roll ones and twos again, once; r until they are gone'],
  ['8d10 count>=7', 'count the dice that show 7 or more'],
  ['4dF + 2', 'Fate dice: each is −1, 0 or 1'],
  ['2d{0, 0, 1, 1, 2, 3}', 'dice with faces of their own'],
  ['d{hit: 3, miss: 2, fumble}', 'faces with words, some of them several times'],
  ['{2d6, 1d12}kh1', 'the better of two rolls'],
  ['1d20 + 7 >= 15', 'a check: how often it succeeds'],
  ['1d20 + 9 vs 20', 'degrees of success'],
  ['1d100 under 45', 'a test against a target'],
  ['2d6[fire] + 1d8[cold]', 'labels, with a subtotal each'],
  ['1d20 + [Attack] >= [Target AC]', 'names in brackets become fields'],
  ['let a = 1d6; let b = 1d6; a = b ? 2 * a : a + b', 'name a roll, and use it more than once'],
  ['match (2d6 + 1) { ..6: "miss", 7-9: "weak hit", 10+: "hit" }', 'a table of results'],
  ['dnd.attack(5, 15, 1d8 + 3)', 'an attack of +5 against AC 15 and its damage, with critical hits'],
];

/** @param {(rule: string, name: string) => void} take */
export function notationHelp(take) {
  return h(
    'details',
    { class: 'panel notation' },
    h('summary', {}, 'How rules are written'),
    h(
      'ul',
      {},
      EXAMPLES.map(([rule, meaning]) =>
        h(
          'li',
          {},
          button(rule, () => take(rule, rule), { class: 'chip' }),
          h('span', {}, meaning),
        ),
      ),
    ),
  );
}
