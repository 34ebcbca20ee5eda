// One side of an encounter: its creatures, how many there are of each, and what they do.

import { button, field, fill, freshId, h, select } from './dom.js';
import { creaturePicker, factsOf } from './creature_picker.js';
import { MAX_COUNT, POLICIES } from './encounter_ask.js';

/**
 * @param {string} title @param {number} colour
 * @param {() => import('./encounter_ask.js').Side} side the side as it is now; it is changed in place
 * @param {() => void} changed
 */
export function createSide(title, colour, side, changed) {
  const list = h('ul', { class: 'groups' });
  const tactics = h('div', { class: 'form' });
  const picker = creaturePicker(`Add to ${title.toLowerCase()}`, ({ name }, count) => {
    const { creatures } = side();
    const same = creatures.find(({ creature }) => creature === name);
    const most = (/** @type {number} */ wanted) => Math.max(1, Math.min(wanted, MAX_COUNT));
    if (same) same.count = most(same.count + count);
    else creatures.push({ creature: name, count: most(count) });
    draw();
    changed();
  });
  const element = h(
    'section',
    { class: `panel side series series-${colour}`, 'aria-label': title },
    h('h2', {}, title),
    list,
    picker,
    h('details', { class: 'tactics' }, h('summary', {}, 'Tactics'), tactics),
  );

  function draw() {
    const { creatures } = side();
    fill(
      list,
      creatures.map((group) =>
        row(group, () => {
          side().creatures = side().creatures.filter((one) => one !== group);
          draw();
          changed();
        }),
      ),
    );
    fill(
      tactics,
      POLICIES.map(([name, text, choices]) =>
        field(
          text,
          select(choices, String(side()[name] ?? choices[0][0]), (value) =>
            set(name, value, choices[0][0]),
          ),
        ),
      ),
      surprise(),
    );
  }
  /**
   * Only what is not usual is a part of the encounter.
   * @param {keyof import('./encounter_ask.js').Side} name
   * @param {any} value
   * @param {any} usual
   */
  function set(name, value, usual) {
    const changing = /** @type {any} */ (side());
    if (value === usual) delete changing[name];
    else changing[name] = value;
    changed();
  }
  function surprise() {
    const box = h('input', {
      type: 'checkbox',
      id: freshId('surprised'),
      checked: side().surprised === true,
      onchange: () => set('surprised', box.checked, false),
    });
    return h('div', { class: 'check' }, box, h('label', { for: box.id }, 'is surprised'));
  }
  /** @param {import('./encounter_ask.js').Group} group @param {() => void} remove */
  function row(group, remove) {
    const about = h('small', {});
    void factsOf(group.creature).then((text) => {
      about.textContent = text;
    });
    const count = h('input', {
      type: 'number',
      min: '1',
      max: String(MAX_COUNT),
      value: String(group.count),
      'aria-label': `How many ${group.creature}`,
      oninput: () => {
        if (count.valueAsNumber >= 1 && count.valueAsNumber <= MAX_COUNT) to(count.valueAsNumber);
      },
    });
    const to = (/** @type {number} */ wanted) => {
      group.count = Math.max(1, Math.min(MAX_COUNT, Math.round(wanted)));
      if (document.activeElement !== count) count.value = String(group.count);
      changed();
    };
    return h(
      'li',
      { class: 'group' },
      h(
        'div',
        { class: 'stepper' },
        button('−', () => to(group.count - 1), { 'aria-label': `One ${group.creature} less` }),
        count,
        button('+', () => to(group.count + 1), { 'aria-label': `One ${group.creature} more` }),
      ),
      h('div', { class: 'group-name' }, h('span', {}, group.creature), about),
      button('×', remove, { class: 'quiet remove', 'aria-label': `Remove ${group.creature}` }),
    );
  }
  return { element, draw };
}
