// What an answer has to have for the views to draw it. Another program may listen where the server
// was, or something between may answer in its place.

import { isObject } from './shape.js';

/** @typedef {(value: any) => boolean} Test */

const isNumber = (/** @type {any} */ value) => typeof value === 'number';
const isText = (/** @type {any} */ value) => typeof value === 'string';
const isAbsent = (/** @type {any} */ value) => value === null || value === undefined;

/** @param {Test} of @returns {Test} */
const listOf = (of) => (value) => Array.isArray(value) && value.every(of);
/** @param {Test} of @returns {Test} */
const maybe = (of) => (value) => isAbsent(value) || of(value);
/** @param {Record<string, Test>} tests @returns {Test} */
const object = (tests) => (value) =>
  isObject(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const chanceOrMean = { kind: isText, p: maybe(isNumber), mean: maybe(isNumber) };
const odds = object({
  ...chanceOrMean,
  outcomes: maybe((all) => listOf(object({ p: isNumber }))(all) && all.length > 0),
  denominator: maybe((digits) => /^\d+$/.test(digits)),
  sd: maybe(isNumber),
  quantiles: maybe(listOf(isObject)),
  subtotals: maybe(listOf(isObject)),
  clamped: maybe(object({ p: isNumber })),
});
const output = (/** @type {any} */ value) =>
  isText(value?.name) && (value.outcomes?.length === 0 || odds(value));
const outputs = object({ outputs: listOf(output) });
const parts = { greater: isNumber, equal: isNumber, less: isNumber };
const scriptOdds = object({
  result: maybe(odds),
  stats: listOf(object({ name: isText, odds: maybe(odds) })),
  lines: listOf(object({ line: isText, per_trial: isNumber })),
});
const side = object({
  name: isText,
  win: isNumber,
  first_to_fall: listOf(isObject),
  somebody_falls: isNumber,
  somebody_dies: maybe(isNumber),
  hit_points: maybe(object({ mean: isNumber, quantiles: listOf(object({ value: isNumber })) })),
});
const fight = object({
  caveats: listOf(object({ creature: isText, without: listOf(isText) })),
  verdict: isText,
  sides: (both) => listOf(side)(both) && both.length === 2,
  rounds: isObject,
  draw: isNumber,
  creatures: listOf(object({ name: isText, actions: listOf(isObject) })),
});

const left = maybe(object({ before: isNumber, quantiles: listOf(object({ value: isNumber })) }));
const hero = object({ name: isText, count: isNumber, hit_points: maybe(isNumber) });
const fightOfDay = object({
  name: isText,
  won: isNumber,
  all_alive: isNumber,
  hit_points: left,
  slots: left,
  heroes: listOf(hero),
});
const day = object({
  party: isText,
  survives: isNumber,
  caveats: listOf(isText),
  fights: (all) => listOf(fightOfDay)(all) && all.length > 0,
});

/** @type {Record<string, (body: any) => Test>} */
const ANSWERS = {
  batch: () => (value) => value instanceof Blob || isText(value),
  check: () => object({ resources: listOf(object({ name: isText })) }),
  bestiary: () => listOf(object({ name: isText })),
  creatures: () => listOf(object({ name: isText })),
  describe: () =>
    object({
      rolls: listOf(
        object({ name: isText, arguments: isObject, options: listOf(isText), answers: isObject }),
      ),
    }),
  encounter({ tell, ablate, find }) {
    if (find) return object({ side: isText, creature: isText, count: isNumber, tried: listOf(object({ count: isNumber, win: isNumber })) });
    if (tell) return object({ lines: listOf(isText), winner: maybe(isText) });
    const without = listOf(object({ creatures: listOf(isText), win: listOf(isNumber) }));
    return ablate ? object({ sides: listOf(side), without: maybe(without) }) : fight;
  },
  day: ({ tell }) =>
    tell ? object({ lines: listOf(isText), winner: maybe(isText) }) : day,
  odds({ script, sweep, compare }) {
    if (sweep) return listOf(object({ odds: object(chanceOrMean) }));
    if (compare) {
      const rule = (/** @type {any} */ i) => Number.isInteger(i) && i >= 0 && i <= compare.length;
      const pairs = listOf(object({ first: rule, second: rule, ...parts }));
      return compare.length > 1 ? object({ pairs }) : object(parts);
    }
    // Any rule may turn out to be an AnyDice program.
    return isText(script) ? scriptOdds : (value) => odds(value) || outputs(value);
  },
  roll({ script }) {
    const ofScript = (/** @type {any} */ value) =>
      played(value) && refersToItsOwn(value.steps, value);
    return isText(script) ? ofScript : (value) => ofScript(value) || ofRule(value);
  },
  sim: ({ script }) => (isText(script) ? scriptOdds : odds),
};

const ofRule = object({ rendered: isText });
const played = object({
  steps: Array.isArray,
  rolls: listOf(object({ path: isText, rendered: isText, dice: listOf(isObject) })),
  options: listOf(object({ path: isText, text: isText })),
  stats: (value) => isObject(value) && Object.values(value).every(Array.isArray),
});

/** Whether there is what steps are about. @param {any[]} steps @param {any} value */
function refersToItsOwn(steps, value) {
  return steps.every((step) => {
    if (!isObject(step)) return false;
    if (step.group) return Array.isArray(step.group) && refersToItsOwn(step.group, value);
    if (step.roll !== undefined) return step.roll in value.rolls;
    return step.option === undefined ? isText(step.line) : step.option in value.options;
  });
}

/**
 * Whether this answers a question, or is a part of such an answer.
 * @param {string} endpoint @param {any} body @param {any} value
 */
export function isAnswer(endpoint, body, value) {
  return ANSWERS[endpoint](body)(value);
}

/** Whether this is a document that says what is wrong. */
export const isFinding = object({
  message: isText,
  help: maybe(isText),
  start: maybe(Number.isInteger),
  end: maybe(Number.isInteger),
});
