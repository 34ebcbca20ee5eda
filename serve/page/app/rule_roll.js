// The rules, rolled: each with its dice and its result, and what it has rolled before.

import { button, fill, h } from './dom.js';
import { ask, latest, refusal } from './engine.js';
import { faultList } from './findings.js';
import { outcome } from './numbers.js';

/** @typedef {import('./rule_row.js').RuleRow} RuleRow */

/** How many results of a rule are kept in sight. */
const KEPT = 12;
const MAX_SEED = 2 ** 48;

/**
 * @param {() => RuleRow[]} rows those that can be rolled
 * @param {{dialect: string, values: (names: string[]) => Record<string, any>}} around
 */
export function createRuleRoll(rows, around) {
  const question = latest();
  /** What each rule has rolled, the latest first, by its text. @type {Map<string, string[]>} */
  const before = new Map();
  const list = h('ol', { class: 'rolled', 'aria-live': 'polite' });
  const element = h(
    'section',
    { class: 'panel rule-roll', hidden: true, 'aria-label': 'Rolls' },
    h(
      'div',
      { class: 'tools' },
      h('h2', {}, 'Rolled'),
      button('Close', close, { class: 'quiet' }),
    ),
    list,
  );

  async function roll() {
    const signal = question.begin();
    element.hidden = false;
    const asked = rows();
    try {
      const rolls = await Promise.all(asked.map((row) => rolled(row, signal)));
      fill(
        list,
        asked.map((row, i) => shown(row, rolls[i])),
      );
    } catch (error) {
      const refused = refusal(error);
      if (refused) fill(list, h('li', {}, faultList(refused.findings)));
    }
  }
  /** @param {RuleRow} row @param {AbortSignal} signal */
  function rolled(row, signal) {
    const set = around.values(row.resources.map(({ name }) => name));
    const seed = Math.floor(Math.random() * MAX_SEED);
    return ask('roll', { rule: row.answered, dialect: around.dialect, set, seed }, { signal });
  }
  /** @param {RuleRow} row @param {any} made */
  function shown(row, made) {
    const earlier = before.get(row.answered) ?? [];
    before.set(row.answered, [result(made), ...earlier].slice(0, KEPT));
    return h(
      'li',
      { class: `series series-${row.colour}` },
      h('span', { class: 'swatch' }, row.letter),
      h('strong', { class: 'rolled-result' }, result(made)),
      h(
        'span',
        { class: 'rolled-dice' },
        row.name && h('span', {}, `${row.name} `),
        h('code', {}, marked(dice(made))),
        earlier.length > 0 && h('small', {}, `before: ${earlier.join(', ')}`),
      ),
    );
  }
  /** Nobody looks any more. */
  function close() {
    question.stop();
    element.hidden = true;
  }
  return { element, roll, close };
}

/** What a roll has come to, as people say it. @param {any} made */
function result(made) {
  if (made.steps) return outcome(made.result);
  if (typeof made.check === 'boolean') return outcome(made.check);
  return made.rendered.split(' = ').at(-1);
}

/**
 * A roll as it is printed, with its marks as looks: dice that count, that do not, that went wrong.
 * @param {string} text
 */
function marked(text) {
  return text.split(/(\*\*[^*]+\*\*|~~[^~]+~~|__[^_]+__)/).map((part) => {
    const [, mark, inner] = /^(\*\*|~~|__)(.+)\1$/.exec(part) ?? [];
    return mark === undefined ? part : h({ '**': 'strong', '~~': 's', __: 'u' }[mark] ?? 'span', {}, inner);
  });
}

/** Its dice: a compound rule has several rolls. @param {any} made */
function dice(made) {
  if (!made.steps) return made.rendered;
  return made.rolls.map((/** @type {any} */ { rendered }) => rendered).join('; ');
}
