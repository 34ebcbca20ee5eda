// Every number of odds in a table: of one rule with its sums and fractions, of several rules next
// to each other.

import { MODES, chanceAt, cumulated, distribution, isNumeric } from './distribution.js';
import { outcomesOf } from './graph_names.js';
import { grid } from './grid.js';
import { fraction, outcome, percent } from './numbers.js';
import { csvLine } from './csv.js';

/**
 * @typedef {import('./graph_numbers.js').Series} Series
 * @typedef {import('./distribution.js').Mode} Mode
 */

const MAX_ROWS = 5000;
/** As many rules have three columns each. */
const MOST_WITH_SUMS = 4;

/** @param {Series[]} series @param {Mode} mode */
export function oddsTable(series, mode) {
  return series.length === 1 ? alone(series[0]) : together(series, mode);
}

/** All numbers of one rule. @param {Series} one */
function alone(one) {
  const exactly = distribution(one.odds);
  const sums = isNumeric(one.odds) ? MODES.slice(1).map(([mode]) => cumulated(exactly, mode)) : [];
  const hasFractions = exactly.denominator !== null && exactly.denominator <= 10n ** 18n;
  const head = [
    'result',
    'exactly',
    ...sums.map((_, i) => MODES[i + 1][1]),
    ...(hasFractions ? ['fraction'] : []),
    ...(one.odds.exact ? [] : ['trials']),
  ];
  const body = exactly.points
    .slice(0, MAX_ROWS)
    .map((point, i) => [
      outcome(point.value),
      percent(point.p),
      ...sums.map(({ points }) => percent(points[i].p)),
      ...(hasFractions
        ? [
            fraction(
              /** @type {bigint} */ (point.weight),
              /** @type {bigint} */ (exactly.denominator),
            ),
          ]
        : []),
      ...(one.odds.exact ? [] : [one.odds.outcomes[i].count?.toLocaleString('en') ?? '']),
    ]);
  return grid(one.name, head, body);
}

/**
 * Several rules next to each other: with all sums if there is room for them.
 * @param {Series[]} series
 * @param {Mode} mode
 */
function together(series, mode) {
  const isNumbers = series.every(({ odds }) => isNumeric(odds));
  const modes = isNumbers && series.length <= MOST_WITH_SUMS ? MODES.map(([one]) => one) : [mode];
  const columns = series.flatMap((one) =>
    modes.map((shown) => {
      const { points } = isNumeric(one.odds)
        ? cumulated(distribution(one.odds), shown)
        : distribution(one.odds);
      const word = isNumbers ? ` ${MODES.find(([name]) => name === shown)?.[1]}` : '';
      const chances = new Map(points.map(({ value, p }) => [value, p]));
      const isSum = shown !== 'exactly' && isNumeric(one.odds);
      return {
        head: `${modes.length > 1 ? one.letter : one.name}${word}`,
        /** @param {any} value */
        cell(value) {
          const p = chances.get(value);
          if (p !== undefined) return percent(p);
          // Of what a rule cannot give there is no chance, but there are sums.
          return isSum ? percent(chanceAt(points, value, shown)) : '';
        },
      };
    }),
  );
  const keys = outcomesOf(series);
  if (keys.every((key) => typeof key === 'number')) keys.sort((a, b) => a - b);
  return grid(
    'Odds of each rule',
    ['result', ...columns.map(({ head }) => head)],
    keys
      .slice(0, MAX_ROWS)
      .map((key) => [
        outcome(key),
        ...columns.map(({ cell }) => cell(key)),
      ]),
  );
}

/** @param {Series[]} series */
export function csvOf(series) {
  const rows = series.flatMap(({ name, odds }) =>
    odds.outcomes.map((/** @type {any} */ o) => csvLine([name, o.value, o.p, o.weight])),
  );
  return csvLine(['rule', 'result', 'p', 'weight']) + rows.join('');
}
