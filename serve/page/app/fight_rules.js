// The rules of a fight that are not those of a side, as fields.

import { field, freshId, h, select } from './dom.js';
import { RULES } from './encounter_ask.js';

/**
 * @param {import('./encounter_ask.js').Rules} rules only what is not usual is in them; they are
 *   changed in place
 * @param {() => void} changed
 */
export function fightRules(rules, changed) {
  /** @param {keyof import('./encounter_ask.js').Rules} name @param {any} value */
  const set = (name, value) => {
    if (value === null) delete rules[name];
    else Object.assign(rules, { [name]: value });
    changed();
  };
  /** @param {'distance' | 'rounds'} name @param {string} placeholder @param {number} least */
  const number = (name, placeholder, least) => {
    const input = h('input', {
      type: 'number',
      min: String(least),
      placeholder,
      value: String(rules[name] ?? ''),
      oninput: () => {
        if (input.value === '') set(name, null);
        else if (input.valueAsNumber >= least) set(name, Math.round(input.valueAsNumber));
      },
    });
    return input;
  };
  const plain = h('input', {
    type: 'checkbox',
    id: freshId('plain'),
    checked: rules.plain === true,
    onchange: () => set('plain', plain.checked || null),
  });
  return [
    field('Feet between the sides', number('distance', 'in reach', 0)),
    field('Rounds until a draw', number('rounds', '100', 1)),
    ...RULES.map(([name, text, choices]) => {
      const usual = choices[0][0];
      const chosen = String(rules[name] ?? usual);
      return field(
        text,
        select(choices, chosen, (value) => set(name, value === usual ? null : value)),
      );
    }),
    h('div', { class: 'check' }, plain, h('label', { for: plain.id }, 'attacks only')),
  ];
}
