// The whole odds of a rule over the values of a resource: each value is a column, each result a
// cell in it, and the likelier it is among those of its column, the darker. A line leads through
// the medians.

import { horizontalLines, numbersBelow, ticks } from './axis.js';
import { chanceAt, cumulated, distribution, extent, step } from './distribution.js';
import { svg } from './dom.js';
import { scale } from './graph_numbers.js';
import { outcome, percent, plain } from './numbers.js';

const EDGE = { left: 52, right: 14, top: 14, bottom: 28 };
/** The faintest cell of a result that there is. */
const FAINTEST = 0.04;
/** As many results are read out at a value. */
const READ = 8;

/**
 * @typedef {{value: number, odds: any}} Column
 * @param {Column[]} columns in order
 * @param {{name: string, colour: number}} rule
 * @param {string} over the resource's name
 * @param {number} now its value at present
 * @param {number} height @returns {(width: number) => import('./graph.js').Drawing}
 */
export function spreadDrawing(columns, { name, colour }, over, now, height) {
  const all = columns.map(({ odds }) => distribution(odds));
  const unit = step(all);
  const { low, high, cut } = extent(all);
  const most = all.map(({ points }) => Math.max(...points.map(({ p }) => p)));
  const [first, last] = [columns[0].value, columns[columns.length - 1].value];
  return (width) => {
    const bottom = height - EDGE.bottom;
    const x = scale(first - 0.5, last + 0.5, EDGE.left, width - EDGE.right);
    const y = scale(low - unit / 2, high + unit / 2, bottom, EDGE.top);
    const [wide, tall] = [x(1) - x(0), y(0) - y(unit)];
    const cells = columns.flatMap(({ value }, i) =>
      all[i].points
        .filter((point) => point.value >= low && point.value <= high && point.p > 0)
        .map((point) =>
          svg('rect', {
            class: 'cell',
            x: x(value - 0.5),
            y: y(point.value) - tall / 2,
            width: Math.max(wide - 0.5, 0.5),
            height: tall > 4 ? tall - 0.5 : tall,
            'fill-opacity': (FAINTEST + (1 - FAINTEST) * (point.p / most[i])).toFixed(3),
            'data-value': point.value,
            'data-p': point.p,
          }),
        ),
    );
    const medians = columns.map(
      ({ value }, i) => `${x(value).toFixed(2)} ${y(median(all[i].points)).toFixed(2)}`,
    );
    return {
      nodes: [
        horizontalLines(ticks(low, high, 5, unit), y, plain, {
          left: EDGE.left,
          right: width - EDGE.right,
        }),
        numbersBelow(ticks(first, last, Math.max(2, width / 62), 1), x, outcome, bottom + 19),
        svg(
          'g',
          { class: `series series-${colour}` },
          cells,
          svg('path', { class: 'median', d: `M${medians.join('L')}` }),
        ),
        svg('line', { class: 'now', x1: x(now), x2: x(now), y1: EDGE.top, y2: bottom }),
      ],
      readings: columns.map(({ value }, i) => ({
        x: x(value),
        title: `${over} ${outcome(value)}`,
        rows: likeliest(all[i]).map((point) => ({
          mark: `series series-${colour}`,
          name: outcome(point.value),
          value: percent(point.p),
          more: null,
        })),
      })),
      top: EDGE.top,
      bottom,
      summary: `${name} over ${over}: medians ${columns.map((column, i) => `${outcome(median(all[i].points))} at ${column.value}`).join(', ')}.${cut ? ' Ends with almost no chance are not drawn.' : ''}`,
    };
  };
}

/**
 * The results that come most often, in order.
 * @param {import('./distribution.js').Distribution} odds
 */
function likeliest({ points }) {
  const some = new Set([...points].sort((a, b) => b.p - a.p).slice(0, READ));
  return points.filter((point) => some.has(point));
}

/**
 * The least result that half of all rolls do not exceed.
 * @param {import('./distribution.js').Point[]} points
 */
function median(points) {
  const sums = cumulated({ points, denominator: null }, 'most').points;
  return (sums.find(({ p }) => p >= 0.5 - 1e-12) ?? sums[sums.length - 1]).value;
}

/**
 * Every number of a spread: a row for each result, a column for each value.
 * @param {Column[]} columns @param {import('./distribution.js').Mode} mode
 * @returns {{head: string[], rows: any[][]}}
 */
export function spreadTable(columns, mode) {
  const all = columns.map(({ odds }) => cumulated(distribution(odds), mode).points);
  const values = [...new Set(all.flatMap((points) => points.map(({ value }) => value)))].sort(
    (a, b) => a - b,
  );
  return {
    head: ['result', ...columns.map(({ value }) => String(value))],
    rows: values.map((value) => [
      value,
      ...all.map((points) => chanceAt(points, value, mode)),
    ]),
  };
}
