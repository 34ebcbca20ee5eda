// Dice as they lie on the table: the form tells the number of sides, and marks tell what happened
// to them.

import { h, svg } from './dom.js';

/** @typedef {{sides: number, face: number, value: number, kept: boolean, flags: string[]}} Die */

const SHAPES = /** @type {Record<number, string>} */ ({
  4: 'M20 4 37 34H3z',
  6: 'M8 5h24a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3z',
  8: 'M20 2 36 20 20 38 4 20z',
  10: 'M20 2 37 17v7L20 38 3 24v-7z',
  12: 'M20 2 34 9l5 13-8 13-11 4-11-4L1 22 6 9z',
  20: 'M20 2 36 11v18L20 38 4 29V11z',
});
const ROUND = 'M20 3a17 17 0 1 0 0 34 17 17 0 1 0 0-34z';
/** Flags that a player wants to see, and how they are called. */
const TOLD = /** @type {Record<string, string>} */ ({
  dropped: 'dropped',
  exploded: 'exploded',
  added: 'added',
  rerolled: 'rerolled',
  success: 'success',
  failure: 'failure',
  critical: 'highest face',
  fumble: 'lowest face',
});

/**
 * @param {Die} die
 * @param {string} label what it shows
 * @param {string} state `stays`, `fresh` or empty
 */
export function dieTile(die, label, state) {
  const told = die.flags.filter((flag) => flag in TOLD);
  const name = [
    `d${die.sides}: ${label}`,
    ...told.map((flag) => TOLD[flag]),
    ...(state ? [state === 'fresh' ? 'new' : 'stays'] : []),
  ].join(', ');
  return h(
    'li',
    { class: `die ${told.join(' ')} ${state}`, 'data-face': die.face, 'data-sides': die.sides },
    svg(
      'svg',
      { viewBox: '0 0 40 40', role: 'img', 'aria-label': name },
      svg('title', {}, name),
      svg('path', { class: 'die-body', d: SHAPES[die.sides] ?? ROUND }),
      svg(
        'text',
        {
          class: label.length > 2 ? 'die-face small' : 'die-face',
          x: 20,
          y: die.sides === 4 ? 30 : 25.5,
          'text-anchor': 'middle',
        },
        label,
      ),
    ),
  );
}
