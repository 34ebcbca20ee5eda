// An encounter as the page holds it, as a request asks for it, and as a command writes it.

import { line, written } from './command.js';
import { flag, list, members, oneOf, text, whole } from './shape.js';

/**
 * @typedef {{creature: string, count: number}} Group
 * @typedef {{creatures: Group[], targets?: string, limited?: string, heal?: string,
 *   escape?: string, flees?: string, surprised?: boolean}} Side
 * @typedef {{distance?: number, rounds?: number, hitPoints?: string, initiative?: string,
 *   plain?: boolean}} Rules
 * `bestiary` is pasted stat blocks, as text.
 * @typedef {{sides: [Side, Side], rules: Rules, bestiary?: string}} Encounter
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

/** How many creatures of a kind there are at most, and kinds on a side. */
export const MAX_COUNT = 50;
const MAX_KINDS = 100;
/** How many fights are kept next to the present one. */
export const MOST_KEPT = 8;

/** @param {typeof POLICIES | typeof RULES} choices */
const words = (choices) =>
  Object.fromEntries(choices.map(([name, , all]) => [name, oneOf(all.map(([word]) => word))]));
const group = members({ creature: text, count: whole(1, MAX_COUNT) }, ['creature', 'count']);
const side = members(
  {
    creatures: list(group, { most: MAX_KINDS }),
    ...words(POLICIES),
    surprised: flag,
  },
  ['creatures'],
);

const encounter = {
  sides: list(side, { most: 2, instead: () => ({ creatures: [] }) }),
  rules: members({ distance: whole(0), rounds: whole(1), ...words(RULES), plain: flag }),
  bestiary: text,
};

/** What a link says about an encounter. */
export const ENCOUNTER_STATE = members({
  ...encounter,
  kept: list(members(encounter, ['sides']), { most: MOST_KEPT }),
  telling: whole(0),
});

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

/** Names that a line could not tell from what it has between them. */
const UNPLAIN = /,|^\d|\bvs\b/i;

/** The member `sides` of a request: a line, or a document. @param {Encounter} encounter */
export function asSides(encounter) {
  const { sides, rules } = encounter;
  const isPlain =
    Object.keys(rules).length === 0 &&
    sides.every(
      (one) =>
        Object.keys(one).length === 1 &&
        one.creatures.every(({ creature }) => !UNPLAIN.test(creature)),
    );
  return isPlain ? asLine(encounter) : { ...rules, sides };
}

/** What a request says of an encounter. @param {Encounter} encounter */
export function asRequest(encounter) {
  const { bestiary } = encounter;
  return { sides: asSides(encounter), ...(bestiary ? { bestiary } : {}) };
}

/** @param {Encounter} encounter @param {string[]} flags */
export function encounterCommand(encounter, flags) {
  const { sides, bestiary } = asRequest(encounter);
  const own = bestiary ? ['--bestiary', 'stat-blocks.txt'] : [];
  const files = bestiary ? written('stat-blocks.txt', bestiary) : '';
  if (typeof sides === 'string') return files + line(['encounter', sides, ...own, ...flags]);
  const file = 'encounter.json';
  const fight = written(file, JSON.stringify(sides, null, 2));
  return files + fight + line(['encounter', file, ...own, ...flags]);
}
