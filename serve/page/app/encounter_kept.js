// Fights that were kept, next to the present one: how much better or worse the first side does.

import { button, fill, h } from './dom.js';
import { MOST_KEPT, asLine, asRequest } from './encounter_ask.js';
import { ask, latest, refusal } from './engine.js';
import { grid, scroller } from './grid.js';
import { percent, points } from './numbers.js';

/**
 * @typedef {import('./encounter_ask.js').Encounter} Encounter
 * A fight, and how it ends if that is known: null if it has no answer.
 * @typedef {{encounter: Encounter, fought: any}} Kept
 */

/**
 * @param {number} seed
 * @param {{changed: () => void, open: (encounter: Encounter) => void}} on
 */
export function createKept(seed, on) {
  const question = latest();
  /** @type {Kept[]} */
  let kept = [];
  /** The answer about the present fight. @type {any} */
  let present = null;
  const box = h('div', {});
  const element = h(
    'section',
    { class: 'panel', hidden: true, 'aria-label': 'Kept fights' },
    h('h2', {}, 'Kept fights'),
    box,
  );

  function draw() {
    element.hidden = kept.length === 0;
    fill(
      box,
      scroller(
        'Kept fights',
        grid(
          'Kept fights',
          ['fight', 'first side wins', 'somebody falls', 'than the fight above', ''],
          kept.map((one) => row(one)),
        ),
      ),
    );
  }
  /** @param {Kept} one */
  function row(one) {
    const line = asLine(one.encounter);
    const [side] = one.fought?.sides ?? [];
    return [
      line,
      side ? percent(side.win) : '…',
      side ? percent(side.somebody_falls) : '…',
      side && present ? points(side.win - present.sides[0].win) : '…',
      h(
        'span',
        {},
        button('Open', () => on.open(one.encounter), { class: 'fix', 'aria-label': `Open ${line}` }),
        button('×', () => remove(one), { class: 'quiet', 'aria-label': `Forget ${line}` }),
      ),
    ];
  }
  /** @param {Kept} one */
  function remove(one) {
    kept = kept.filter((other) => other !== one);
    draw();
    on.changed();
  }
  /** Asks how the fights of a link end. */
  async function learn() {
    const signal = question.begin();
    for (const one of kept.filter(({ fought }) => fought === null)) {
      try {
        one.fought = await ask('encounter', { ...asRequest(one.encounter), seed }, { signal });
      } catch (error) {
        // The others may have an answer; this one is opened to see what is wrong with it.
        if (!refusal(error)) return;
      }
      draw();
    }
  }
  return {
    element,
    /** @param {Encounter} encounter @param {any} fought */
    keep(encounter, fought) {
      if (kept.length >= MOST_KEPT) kept.shift();
      kept.push({ encounter: structuredClone(encounter), fought });
      draw();
      on.changed();
    },
    /** @param {any} fought the answer about the present fight, or null */
    show(fought) {
      present = fought;
      draw();
    },
    /** @param {Encounter[]} encounters of a link */
    restore(encounters) {
      kept = encounters.map((encounter) => ({
        encounter: { ...encounter, rules: encounter.rules ?? {} },
        fought: null,
      }));
      draw();
      void learn();
    },
    state: () => kept.map(({ encounter }) => encounter),
  };
}
