// The steps of a day: a list of fights and rests that grows, shrinks and changes its order.

import { button, fill, h } from './dom.js';
import { MAX_STEPS, isFight } from './day_ask.js';

/**
 * @param {() => string[]} steps the steps as they are now; the list is changed in place
 * @param {() => void} changed
 */
export function createSteps(steps, changed) {
  const rows = h('ol', { class: 'day-steps' });
  const add = (/** @type {string} */ step) => () => {
    if (steps().length >= MAX_STEPS) return;
    steps().push(step);
    draw();
    changed();
    rows.querySelector('li:last-child input')?.focus();
  };
  const element = h(
    'div',
    {},
    rows,
    h(
      'p',
      { class: 'day-add' },
      button('+ Fight', add('')),
      button('+ Short rest', add('short rest')),
      button('+ Long rest', add('long rest')),
    ),
  );

  function draw() {
    let fights = 0;
    fill(
      rows,
      steps().map((step, index) => {
        const name = isFight(step) ? `Fight ${(fights += 1)}` : step;
        return row(step, index, name);
      }),
    );
  }
  /** @param {string} step @param {number} index @param {string} name */
  function row(step, index, name) {
    const input = h('input', {
      type: 'text',
      value: step,
      'aria-label': `Enemies of ${name}`,
      placeholder: '6 Goblin, 1 Bugbear',
      spellcheck: 'false',
      oninput: () => {
        steps()[index] = input.value;
        changed();
      },
    });
    const move = (/** @type {number} */ by) => () => {
      const all = steps();
      const other = index + by;
      if (other < 0 || other >= all.length) return;
      [all[index], all[other]] = [all[other], all[index]];
      draw();
      changed();
    };
    const remove = () => {
      steps().splice(index, 1);
      draw();
      changed();
    };
    return h(
      'li',
      {},
      isFight(step) ? input : h('span', { class: 'day-rest' }, step),
      button('↑', move(-1), { class: 'quiet', 'aria-label': `${name} earlier` }),
      button('↓', move(1), { class: 'quiet', 'aria-label': `${name} later` }),
      button('×', remove, { class: 'quiet remove', 'aria-label': `Remove ${name}` }),
    );
  }
  return { element, draw };
}
