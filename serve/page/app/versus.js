// How rules compare when each is rolled once: which one is greater, how often.

import { fill, h } from './dom.js';
import { ask, latest, refusal } from './engine.js';
import { faultList } from './findings.js';
import { grid, scroller } from './grid.js';
import { percent } from './numbers.js';

/** @typedef {import('./rule_row.js').RuleRow} RuleRow */

/** As many rules are compared, and as many have a bar for each pair of them. */
const MOST = 20;
const MOST_DUELS = 4;

/** @param {{dialect: string, values: (names: string[]) => Record<string, any>}} around */
export function createVersus(around) {
  const question = latest();
  const list = h('div', { class: 'versus-list' });
  const element = h(
    'section',
    { class: 'panel versus', hidden: true, 'aria-label': 'Rules against each other' },
    h('h2', {}, 'Against each other'),
    list,
  );

  return {
    element,
    /** @param {RuleRow[]} rows */
    async show(rows) {
      const signal = question.begin();
      const whole = rows.filter((row) => row.odds && !row.stale && !row.sampled);
      const comparable = whole.slice(0, MOST).filter(
        (row) => row.odds.kind === whole[0].odds.kind && row.odds.kind !== 'label',
      );
      element.hidden = comparable.length < 2;
      if (comparable.length < 2) return;
      const [first, ...others] = comparable.map((row) => row.answered);
      const set = around.values([
        ...new Set(comparable.flatMap((row) => row.resources.map(({ name }) => name))),
      ]);
      try {
        const answer = await ask(
          'odds',
          { rule: first, dialect: around.dialect, set, compare: others, summary: true },
          { signal },
        );
        const pairs =
          answer.pairs ??
          [{ first: 0, second: 1, ...answer }].map(({ greater, equal, less }) => ({
            first: 0,
            second: 1,
            greater,
            equal,
            less,
          }));
        fill(
          list,
          whole.length > MOST &&
            h('p', { class: 'remark' }, `The first ${MOST} rules are compared.`),
          comparable.length > MOST_DUELS
            ? matrix(comparable, pairs)
            : pairs.map((/** @type {any} */ pair) =>
                duel(comparable[pair.first], comparable[pair.second], pair),
              ),
        );
      } catch (error) {
        const refused = refusal(error);
        if (refused) fill(list, faultList(refused.findings));
      }
    },
  };
}

/**
 * How often the rule of a row is greater than that of a column.
 * @param {RuleRow[]} rows @param {any[]} pairs
 */
function matrix(rows, pairs) {
  const chances = rows.map(() => rows.map(() => ''));
  for (const { first, second, greater, less } of pairs) {
    chances[first][second] = percent(greater);
    chances[second][first] = percent(less);
  }
  const [wins] = WORDS[rows[0].odds.kind] ?? ['is better'];
  const head = rows.map(({ letter }) => `… ${letter}`);
  return scroller(
    'Rules against each other',
    grid(
      'Rules against each other',
      [wins, ...head],
      rows.map((row, i) => [`${row.letter} ${row.title}`, ...chances[i]]),
    ),
  );
}

/**
 * What it means that one is greater, and that both are equal.
 * @type {Record<string, [string, string]>}
 */
const WORDS = { check: ['alone succeeds', 'both or neither'], number: ['is greater', 'equal'] };

/**
 * @param {RuleRow} a
 * @param {RuleRow} b
 * @param {{greater: number, equal: number, less: number}} odds
 */
function duel(a, b, { greater, equal, less }) {
  const [wins, ties] = WORDS[a.odds.kind] ?? ['is better', 'equal'];
  const parts = [
    [`series series-${a.colour}`, greater],
    ['equal', equal],
    [`series series-${b.colour}`, less],
  ];
  const bar = h(
    'div',
    { class: 'split', 'aria-hidden': 'true' },
    parts.map(([name, p]) => {
      const part = h('span', { class: name });
      part.style.flexGrow = String(p);
      return part;
    }),
  );
  return h(
    'div',
    { class: 'duel' },
    h(
      'p',
      {},
      h('span', { class: `swatch series series-${a.colour}` }, a.letter),
      ` ${wins} `,
      h('strong', {}, percent(greater)),
    ),
    bar,
    h('p', { class: 'duel-middle' }, `${ties} `, h('strong', {}, percent(equal))),
    h(
      'p',
      {},
      h('span', { class: `swatch series series-${b.colour}` }, b.letter),
      ` ${wins} `,
      h('strong', {}, percent(less)),
    ),
  );
}
