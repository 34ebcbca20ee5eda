// A roll of a script, step by step: dice on the table, lines, and choices to click. After a choice,
// dice at the same paths keep their faces; the page shows which ones stayed and which are new.

import { button, h } from './dom.js';
import { dieTile } from './dice.js';
import { outcome } from './numbers.js';

/**
 * @typedef {{roll?: number, option?: number, line?: string, group?: Step[]}} Step
 * @typedef {{played: any, before: any, choices: Record<string, any>, stepping: boolean,
 *   seen: number}} Table
 *   `seen` is how many steps somebody has seen who goes step by step
 */

/**
 * @param {Table} table
 * @param {{choose: (path: string, answer: any) => void, next: () => void}} on
 */
export function playDrawing(table, on) {
  const { played, before, choices } = table;
  const flat = leaves(played.steps);
  const open = flat.findIndex(
    (step) =>
      step.option !== undefined && !Object.hasOwn(choices, played.options[step.option].path),
  );
  const end = Math.min(
    open < 0 ? flat.length : open + 1,
    table.stepping ? table.seen : flat.length,
  );
  const visible = new Set(flat.slice(0, end));
  const stays = before
    ? new Map(before.rolls.map((/** @type {any} */ roll) => [roll.path, roll]))
    : null;
  const steps = drawn(played.steps);
  const complete = end === flat.length;

  /** @param {Step[]} list @returns {HTMLElement[]} */
  function drawn(list) {
    return list.flatMap((step) => {
      if (step.group) {
        const inside = drawn(step.group);
        return inside.length > 0
          ? [h('li', { class: 'step-group' }, h('ol', { class: 'steps' }, inside))]
          : [];
      }
      if (!visible.has(step)) return [];
      if (step.roll !== undefined) return [rollStep(played.rolls[step.roll], stays)];
      if (step.option !== undefined)
        return [optionStep(played.options[step.option], choices, on.choose)];
      return [h('li', { class: 'step step-line' }, step.line)];
    });
  }
  return {
    element: h(
      'div',
      { class: 'play' },
      h('ol', { class: 'steps' }, steps),
      complete && end > 0 && result(played),
      !complete &&
        table.stepping &&
        end < (open < 0 ? flat.length : open + 1) &&
        button('Next step', on.next, { class: 'main next' }),
      !complete &&
        end === open + 1 &&
        h('p', { class: 'remark' }, 'The roll goes on once this is decided.'),
    ),
    /** What has changed since the last choice, in words. */
    said: stays
      ? counted(played, stays)
      : `${played.label}: ${complete ? finished(played) : 'rolled'}`,
    last: end,
  };
}

/** The steps that are not groups, in order. @param {Step[]} steps @returns {Step[]} */
export function leaves(steps) {
  return steps.flatMap((step) => (step.group ? leaves(step.group) : [step]));
}

/** @param {any} roll @param {Map<string, any> | null} stays */
function rollStep(roll, stays) {
  const old = stays?.get(roll.path);
  const states = roll.dice.map((/** @type {any} */ die, /** @type {number} */ i) =>
    !stays
      ? ''
      : old?.dice[i]?.face === die.face && old.dice[i].sides === die.sides
        ? 'stays'
        : 'fresh',
  );
  return h(
    'li',
    { class: 'step step-roll', 'data-path': roll.path },
    h(
      'div',
      { class: 'step-what' },
      h('span', { class: 'step-purpose' }, roll.purpose || 'roll'),
      h('code', {}, roll.expression),
    ),
    roll.dice.length > 0 &&
      h(
        'ul',
        { class: 'dice' },
        roll.dice.map((/** @type {any} */ die, /** @type {number} */ i) =>
          dieTile(die, face(roll, die), states[i]),
        ),
      ),
    h(
      'strong',
      { class: 'step-total' },
      roll.total === null ? roll.rendered.split(' = ').at(-1) : total(roll),
    ),
  );
}

/**
 * A die with words shows a word, which only the text of the roll has.
 * @param {any} roll
 * @param {any} die
 */
function face(roll, die) {
  return roll.total === null && roll.dice.length === 1
    ? roll.rendered.split(' = ').at(-1)
    : String(die.face);
}

/** @param {any} roll */
function total(roll) {
  if (roll.success === undefined || roll.success === null) return outcome(roll.total);
  return `${roll.success ? 'success' : 'failure'}, ${roll.degrees}`;
}

/**
 * @param {any} option
 * @param {Record<string, any>} choices
 * @param {(path: string, answer: any) => void} choose
 */
function optionStep(option, choices, choose) {
  const decided = Object.hasOwn(choices, option.path);
  const chosen = option.taken ?? option.answer;
  const answers = option.numbers
    ? Array.from(
        { length: Math.min(option.numbers[1] - option.numbers[0] + 1, 40) },
        (_, i) => option.numbers[0] + i,
      )
    : (option.answers ?? [true, false]);
  const text = (/** @type {any} */ answer) =>
    answer === true ? 'Yes' : answer === false ? 'No' : String(answer);
  return h(
    'li',
    { class: `step step-option${decided ? '' : ' open'}` },
    h(
      'div',
      { class: 'step-what' },
      option.who && h('span', { class: 'step-purpose' }, option.who),
      h('span', { class: 'question' }, option.text),
    ),
    h(
      'div',
      { class: 'answers', role: 'group', 'aria-label': option.text },
      answers.map((/** @type {any} */ answer) =>
        button(text(answer), () => choose(option.path, answer), {
          'aria-pressed': String(decided && answer === chosen),
        }),
      ),
    ),
  );
}

/** @param {any} played */
function result(played) {
  const stats = Object.entries(played.stats).filter(
    ([, values]) => /** @type {any[]} */ (values).length > 0,
  );
  return h(
    'dl',
    { class: 'play-result' },
    played.result !== null &&
      h('div', {}, h('dt', {}, 'Result'), h('dd', { class: 'result' }, finished(played))),
    stats.map(([name, values]) =>
      h(
        'div',
        {},
        h('dt', {}, name),
        h('dd', {}, /** @type {any[]} */ (values).map(outcome).join(', ')),
      ),
    ),
  );
}

/** @param {any} played */
function finished(played) {
  if (played.result === true) return 'yes';
  if (played.result === false) return 'no';
  return played.result === null ? 'rolled' : outcome(played.result);
}

/** @param {any} played @param {Map<string, any>} stays */
function counted(played, stays) {
  let [kept, fresh] = [0, 0];
  for (const roll of played.rolls) {
    const old = stays.get(roll.path);
    roll.dice.forEach((/** @type {any} */ die, /** @type {number} */ i) => {
      if (old?.dice[i]?.face === die.face) kept += 1;
      else fresh += 1;
    });
  }
  const dice = (/** @type {number} */ n) => `${n} ${n === 1 ? 'die' : 'dice'}`;
  return `${dice(kept)} ${kept === 1 ? 'stays' : 'stay'}, ${fresh} new.`;
}
