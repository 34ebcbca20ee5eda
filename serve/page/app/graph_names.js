// Bars of outcomes with names: checks, degrees of success, words on dice. Each outcome has a row,
// and each rule a bar in it.

import { svg } from './dom.js';
import { distribution } from './distribution.js';
import { mark, scale } from './graph_numbers.js';
import { fraction, outcome, percent } from './numbers.js';

/** @typedef {import('./graph_numbers.js').Series} Series */

const BAR = 22;
const GAP = 18;

/** How high a graph of these is. @param {Series[]} series */
export function namesHeight(series) {
  return 14 + outcomesOf(series).length * (BAR * series.length + GAP);
}

/**
 * A picture that is `width` wide. Its texts hold everything, so there is nothing to point at.
 * @param {Series[]} series @param {number} width
 */
export function namesPicture(series, width) {
  const outcomes = outcomesOf(series);
  const tables = series.map(({ odds }) => {
    const { points, denominator } = distribution(odds);
    return { denominator, points: new Map(points.map((point) => [point.value, point])) };
  });
  const labels = Math.min(
    Math.max(...outcomes.map((value) => outcome(value).length)) * 8 + 16,
    width * 0.4,
  );
  const x = scale(0, 1, labels, width - 84);
  const nodes = outcomes.map((value, row) => {
    const top = 8 + row * (BAR * series.length + GAP);
    return svg(
      'g',
      {},
      svg(
        'text',
        {
          class: 'row-name',
          x: labels - 12,
          y: top + (BAR * series.length) / 2 + 5,
          'text-anchor': 'end',
        },
        outcome(value),
      ),
      series.map((one, i) => bar(one, tables[i], value, x, top + BAR * i)),
    );
  });
  return svg(
    'g',
    {},
    svg('line', { class: 'axis-base', x1: labels, x2: labels, y1: 4, y2: namesHeight(series) - 8 }),
    nodes,
  );
}

/**
 * @param {Series} one
 * @param {any} table
 * @param {any} value
 * @param {(p: number) => number} x
 * @param {number} top
 */
function bar(one, table, value, x, top) {
  const point = table.points.get(value);
  if (!point) return null;
  const exact = point.weight !== null ? fraction(point.weight, table.denominator) : null;
  return svg(
    'g',
    { class: mark(one) },
    svg(
      'title',
      {},
      `${one.name}: ${outcome(value)} ${percent(point.p)}${exact ? `, ${exact}` : ''}`,
    ),
    svg('rect', {
      class: 'bar',
      'data-value': value,
      'data-p': point.p,
      x: x(0),
      y: top + 1,
      width: Math.max(x(point.p) - x(0), 0.5),
      height: BAR - 3,
      rx: 2,
    }),
    svg(
      'text',
      { class: 'bar-number', x: x(point.p) + 7, y: top + BAR / 2 + 4.5 },
      percent(point.p),
    ),
  );
}

/** What the rules have as outcomes; of a check the good one first. @param {Series[]} series */
export function outcomesOf(series) {
  const values = [
    ...new Set(series.flatMap(({ odds }) => odds.outcomes.map((/** @type {any} */ o) => o.value))),
  ];
  return values.includes(true)
    ? [true, false, ...values.filter((value) => typeof value !== 'boolean')]
    : values;
}
