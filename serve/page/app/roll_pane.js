// The pane in which a roll of a script is played: it asks for the roll with a seed and the choices
// so far, and draws it.

import { button, field, fill, h } from './dom.js';
import { ask, latest, refusal, Refused } from './engine.js';
import { leaves, playDrawing } from './play.js';

/** No such option: an earlier choice has led elsewhere. */
const UNKNOWN_OPTION = 'D0514';
const MAX_SEED = 1_000_000;

/**
 * @param {{program: () => any, changed: () => void, onRefused: (refused: Refused) => void}} options
 */
export function createRollPane({ program, changed, onRefused }) {
  const question = latest();
  const table = {
    played: /** @type {any} */ (null),
    before: /** @type {any} */ (null),
    choices: /** @type {Record<string, any>} */ ({}),
    stepping: false,
    seen: 1,
  };
  let seed = 1;
  const box = h('div', { class: 'play-box' });
  const said = h('p', { class: 'remark said-dice', role: 'status' });
  const seedField = h('input', {
    type: 'number',
    min: '0',
    step: '1',
    class: 'seed',
    value: '1',
    onchange: () => {
      if (Number.isSafeInteger(seedField.valueAsNumber) && seedField.valueAsNumber >= 0)
        begin(seedField.valueAsNumber);
    },
  });
  const steps = h('input', {
    type: 'checkbox',
    id: 'one-step',
    onchange: () => {
      table.stepping = steps.checked;
      table.seen = 1;
      draw();
      changed();
    },
  });
  const element = h(
    'div',
    { class: 'roll-pane' },
    h(
      'div',
      { class: 'roll-tools' },
      button('Roll', () => begin(Math.floor(Math.random() * MAX_SEED)), { class: 'main' }),
      h('div', { class: 'check' }, steps, h('label', { for: 'one-step' }, 'one step at a time')),
      h('span', { class: 'grow' }),
      field('Seed', seedField, { class: 'field field-inline' }),
    ),
    said,
    box,
  );

  /** A roll from its beginning. @param {number} from a seed */
  function begin(from) {
    seed = from;
    Object.assign(table, { before: null, choices: {}, seen: 1 });
    void play(table.choices);
    changed();
  }
  /** @param {string} path @param {any} answer */
  async function choose(path, answer) {
    const paths = leaves(table.played.steps).flatMap(({ option }) =>
      option === undefined ? [] : [table.played.options[option].path],
    );
    const earlier = paths.slice(0, paths.indexOf(path));
    table.before = table.played;
    // A later choice may have no option any more.
    const all = { ...table.choices, [path]: answer };
    const fewer = Object.fromEntries(
      Object.entries(all).filter(([one]) => one === path || earlier.includes(one)),
    );
    await play(all, fewer);
    // The next choices are asked for where the player is.
    const next = box.querySelector('.step-option.open button');
    if (next instanceof HTMLElement) next.focus();
    changed();
  }
  /** @param {Record<string, any>} choices @param {Record<string, any>} [fewer] */
  async function play(choices, fewer) {
    const signal = question.begin();
    seedField.value = String(seed);
    try {
      const asked = { ...program(), seed, ...(Object.keys(choices).length > 0 ? { choices } : {}) };
      table.played = await ask('roll', asked, { signal });
      table.choices = choices;
      if (table.stepping && table.before) table.seen += 1;
      draw();
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      if (refused.code === UNKNOWN_OPTION && Object.keys(choices).length > 0)
        return play(fewer ?? {});
      onRefused(refused);
    }
  }
  function draw() {
    if (!table.played) return fill(box);
    const drawing = playDrawing(table, {
      choose,
      next() {
        table.seen += 1;
        table.before = null;
        draw();
        const next = box.querySelector('.next');
        if (next instanceof HTMLElement) next.focus();
      },
    });
    fill(box, drawing.element);
    said.textContent = drawing.said;
  }
  return {
    element,
    /** The same roll again, after the script or its arguments have changed. */
    again() {
      table.before = null;
      void play(table.choices);
    },
    clear() {
      question.stop();
      table.played = null;
      said.textContent = '';
      draw();
    },
    get asked() {
      return { seed, choices: table.choices };
    },
    /** @param {any} state */
    restore(state) {
      seed = state?.seed ?? 1;
      steps.checked = table.stepping = state?.stepping ?? false;
      Object.assign(table, { choices: state?.choices ?? {}, before: null, seen: 1, played: null });
    },
    state() {
      return {
        seed,
        ...(Object.keys(table.choices).length > 0 ? { choices: table.choices } : {}),
        ...(table.stepping ? { stepping: true } : {}),
      };
    },
  };
}
