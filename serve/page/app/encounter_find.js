// How many of a creature make a fight as hard as somebody wants it.

import { answered } from './answer_box.js';
import { button, fill, h, select } from './dom.js';
import { asSides } from './encounter_ask.js';
import { ask, latest } from './engine.js';
import { grid, scroller } from './grid.js';
import { percent } from './numbers.js';
import { progressBar } from './progress.js';

/** @typedef {import('./encounter_ask.js').Encounter} Encounter */

const USUAL = 50;

/** @param {() => Encounter} encounter as it is now @param {number} seed */
export function createFind(encounter, seed) {
  const question = latest();
  /** The creature that is counted. */
  let wanted = '';
  const box = h('div', {});
  const creatures = h('span', {});
  const chance = h('input', {
    type: 'number',
    min: '1',
    max: '99',
    value: String(USUAL),
    class: 'seed',
    'aria-label': 'Chance of the first side, in percent',
  });
  const progress = progressBar(
    () => question.stop(),
    () => void find(),
  );
  const element = h(
    'section',
    { class: 'panel', 'aria-label': 'How many?' },
    h('h2', {}, 'How many?'),
    h(
      'p',
      { class: 'find-line' },
      h('span', {}, 'The most'),
      creatures,
      h('span', {}, 'with which the first side still wins in'),
      chance,
      h('span', {}, '% of the fights'),
      button('Find it', () => void find()),
    ),
    progress.element,
    box,
  );

  /** The creatures of the second side, of which one is chosen. */
  function draw() {
    question.stop();
    progress.reset();
    fill(box);
    const names = [...new Set(encounter().sides[1].creatures.map(({ creature }) => creature))];
    if (!names.includes(wanted)) wanted = names.at(-1) ?? '';
    fill(
      creatures,
      select(
        names.map((name) => [name, name]),
        wanted,
        (name) => {
          wanted = name;
        },
        { 'aria-label': 'Creature that is counted' },
      ),
    );
    element.hidden = names.length === 0;
  }
  async function find() {
    const signal = question.begin();
    const { sides, rules, bestiary } = encounter();
    const [first, second] = sides;
    const others = second.creatures.filter(({ creature }) => creature !== wanted);
    const line = asSides({ sides: [first, { ...second, creatures: others }], rules });
    if (typeof line !== 'string') return fill(box, h('p', { class: 'remark' }, TOO_SPECIAL));
    const win = Math.min(99, Math.max(1, chance.valueAsNumber || USUAL)) / 100;
    progress.begin('Fighting with more and fewer of them');
    await answered(box, async () => {
      const asked = { sides: line.replace(/ vs $/, ''), find: `N ${wanted}`, win, seed };
      const given = bestiary ? { ...asked, bestiary } : asked;
      const onProgress = (/** @type {import('./engine.js').Progress} */ { done, of }) =>
        progress.at(done, of);
      fill(box, found(await ask('encounter', given, { signal, onProgress })));
    });
    if (question.isLatest(signal)) progress.hide();
  }
  return { element, draw };
}

const TOO_SPECIAL =
  'This is counted for fights without tactics and rules of their own: take them back to the usual ones first.';

/** @param {any} answer */
function found({ side, creature, win, count, tried }) {
  const rows = tried.map((/** @type {any} */ one) => [String(one.count), percent(one.win)]);
  return [
    h(
      'p',
      {},
      h('strong', {}, count > 0 ? `${count} ${creature}` : `Not even 1 ${creature}`),
      count > 0 ? ` with a chance of at least ${percent(win)} for ${side}.` : '.',
    ),
    scroller('Numbers that were tried', grid('Numbers that were tried', ['count', `chance of ${side}`], rows)),
  ];
}
