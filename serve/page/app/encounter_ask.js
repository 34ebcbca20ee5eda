// An encounter as the page holds it, as a request asks for it, and as a command writes it.

import { line } from './command.js';

/**
 * @typedef {{creature: string, count: number}} Group
 * @typedef {{creatures: Group[], targets?: string, limited?: string, heal?: string,
 *   escape?: string, flees?: string, surprised?: boolean}} Side
 * @typedef {{distance?: number, rounds?: number, hitPoints?: string, initiative?: string,
 *   plain?: boolean}} Rules
 * @typedef {{sides: [Side, Side], rules: Rules}} Encounter
 */

/** What policies there are, and which is usual. The first one of each is the usual one. */
export const POLICIES = /** @type {[keyof Side, string, [string, string][]][]} */ ([
  [
    'targets',
    'Attacks',
    [
      ['weakest', 'the weakest'],
      ['strongest', 'the strongest'],
      ['random', 'at random'],
      ['focus', 'one until it falls'],
      ['spread', 'the least attacked'],
      ['nearest', 'the nearest'],
    ],
  ],
  [
    'limited',
    'Limited actions',
    [
      ['always', 'as soon as possible'],
      ['crowds', 'areas for two or more'],
      ['never', 'never'],
    ],
  ],
  [
    'heal',
    'Heals',
    [
      ['fallen', 'the fallen'],
      ['half', 'from half on'],
      ['never', 'nobody'],
    ],
  ],
  [
    'escape',
    'Escapes a hold',
    [
      ['stuck', 'if stuck'],
      ['restrained', 'if restrained'],
      ['always', 'always'],
      ['never', 'never'],
    ],
  ],
  [
    'flees',
    'Flees',
    [
      ['never', 'never'],
      ['first', 'when one has fallen'],
      ['half', 'when half have fallen'],
    ],
  ],
]);

export const RULES = /** @type {[keyof Rules, string, [string, string][]][]} */ ([
  [
    'hitPoints',
    'Hit points',
    [
      ['average', 'average'],
      ['rolled', 'rolled'],
    ],
  ],
  [
    'initiative',
    'Initiative',
    [
      ['each', 'each creature'],
      ['kinds', 'once for a kind'],
      ['listed', 'as listed'],
    ],
  ],
]);

/** Whether both sides have somebody. @param {Encounter} encounter */
export function isComplete({ sides }) {
  return sides.every(({ creatures }) => creatures.some(({ count }) => count > 0));
}

/**
 * The encounter as a line, which is all it is if nobody has a policy.
 * @param {Encounter} encounter
 */
export function asLine({ sides }) {
  return sides
    .map(({ creatures }) =>
      creatures.map(({ creature, count }) => `${count} ${creature}`).join(', '),
    )
    .join(' vs ');
}

/** The member `sides` of a request: a line, or a document. @param {Encounter} encounter */
export function asSides(encounter) {
  const { sides, rules } = encounter;
  const isPlain =
    Object.keys(rules).length === 0 && sides.every((side) => Object.keys(side).length === 1);
  return isPlain ? asLine(encounter) : { ...rules, sides };
}

/** @param {Encounter} encounter @param {string[]} flags */
export function encounterCommand(encounter, flags) {
  const sides = asSides(encounter);
  if (typeof sides === 'string') return line(['encounter', sides, ...flags]);
  const file = 'encounter.json';
  return `cat > ${file} <<'END'\n${JSON.stringify(sides, null, 2)}\nEND\n${line(['encounter', file, ...flags])}`;
}
