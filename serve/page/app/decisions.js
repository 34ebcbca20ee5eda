// How the simulated players of a script decide about its options.

import { field, fill, h, select } from './dom.js';

/**
 * @param {Record<string, string>} decisions by the texts of options; changed in place,
 *   and what is usual is left out
 * @param {() => void} changed
 */
export function createDecisions(decisions, changed) {
  const list = h('div', { class: 'form' });
  const element = h(
    'fieldset',
    { class: 'form-group', hidden: true },
    h('legend', {}, 'Players decide'),
    list,
  );
  return {
    element,
    /** @param {{options: string[], answers: Record<string, any>}} roll as it is described */
    show({ options, answers }) {
      for (const text of Object.keys(decisions))
        if (!options.includes(text)) delete decisions[text];
      element.hidden = options.length === 0;
      fill(
        list,
        options.map((text) => {
          const asked = Object.hasOwn(answers, text);
          const usual = asked ? 'first' : 'never';
          const all = ways(answers[text], asked);
          if (!all.some(([way]) => way === decisions[text])) delete decisions[text];
          return field(
            text,
            select(all, decisions[text] ?? usual, (how) => {
              if (how === usual) delete decisions[text];
              else decisions[text] = how;
              changed();
            }),
          );
        }),
      );
    },
  };
}

/** @param {any} answers @param {boolean} hasAnswers @returns {[string, string][]} */
function ways(answers, hasAnswers) {
  if (!hasAnswers)
    return [
      ['never', 'never'],
      ['0.25', '1 in 4 times'],
      ['0.5', 'half of the time'],
      ['0.75', '3 in 4 times'],
      ['always', 'always'],
    ];
  const named = answers.one_of ?? (answers.numbers ? span(answers.numbers) : []);
  return [
    ['first', 'the first answer'],
    ...named.map((/** @type {any} */ one) => [String(one), String(one)]),
    ['random', 'at random'],
  ];
}

/** @param {[number, number]} numbers */
function span([low, high]) {
  return Array.from({ length: Math.min(high - low + 1, 40) }, (_, i) => low + i);
}
