// The same odds the other way round: the rules are in a row below the graph, and each result has a
// line over them. It shows how the chance of 15 or more grows with the rule.

import { ceiling, horizontalLines, ticks } from './axis.js';
import { MODES, chanceAt, cumulated, distribution } from './distribution.js';
import { svg } from './dom.js';
import { mark, scale } from './graph_numbers.js';
import { outcome, percent, tick } from './numbers.js';

/** @typedef {import('./graph_numbers.js').Series} Series */

const EDGE = { left: 52, right: 64, top: 16 };
const COLOURS = 6;
/** How high a name is. */
const LINE = 13;
/** More results than this have no lines of their own: some of them are shown, at even distances. */
const MOST_LINES = 9;

/**
 * @param {{series: Series[], mode: import('./distribution.js').Mode}} look
 * @param {number} height
 * @returns {(width: number) => import('./graph.js').Drawing}
 */
export function transposedDrawing({ series, mode }, height) {
  const shown = series.map(({ odds }) => cumulated(distribution(odds), mode));
  const values = chosen(shown);
  const lines = values.map((value) => shown.map(({ points }) => chanceAt(points, value, mode)));
  const greatest = ceiling(Math.max(...lines.flat()));
  const word = MODES.find(([name]) => name === mode)?.[1];
  const titled = (/** @type {number} */ value) =>
    mode === 'exactly' ? outcome(value) : `${word} ${outcome(value)}`;
  return (width) => {
    const bottom = height - 40;
    const x = scale(-0.5, series.length - 0.5, EDGE.left, width - EDGE.right);
    const y = scale(0, greatest, bottom, EDGE.top);
    const long = Math.max(2, Math.floor((x(1) - x(0)) / 7.5));
    const box = { left: EDGE.left, right: width - EDGE.right };
    return {
      nodes: [
        horizontalLines(ticks(0, greatest, 5), y, tick, box),
        svg(
          'g',
          { class: 'axis' },
          series.map((one, i) =>
            svg('text', { x: x(i), y: bottom + 20, 'text-anchor': 'middle' }, label(one, long)),
          ),
        ),
        ...lines.map((line, i) => drawn(i, line, x, y)),
        ...names(lines.map((line) => y(line[line.length - 1]))).map((at, i) =>
          svg(
            'g',
            { class: `series series-${i % COLOURS}` },
            svg('text', { class: 'line-name', x: x(series.length - 1) + 8, y: at + 4 }, titled(values[i])),
          ),
        ),
      ],
      readings: series.map((one, i) => ({
        x: x(i),
        title: one.name,
        rows: values.map((value, row) => ({
          mark: `series series-${row % COLOURS}`,
          name: titled(value),
          value: percent(lines[row][i]),
          more: null,
        })),
      })),
      top: EDGE.top,
      bottom,
      summary: `${values.map((value, row) => `${titled(value)}: ${lines[row].map(percent).join(', ')}`).join('; ')}, for ${series.map(({ name }) => name).join(', ')}.`,
    };
  };
}

/**
 * The results that have lines: all of them, or some at even distances.
 * @param {import('./distribution.js').Distribution[]} shown
 */
function chosen(shown) {
  const all = [...new Set(shown.flatMap(({ points }) => points.map(({ value }) => value)))].sort(
    (a, b) => a - b,
  );
  const distance = Math.ceil(all.length / MOST_LINES);
  const first = Math.floor(((all.length - 1) % distance) / 2);
  return all.filter((_, i) => i % distance === first);
}

/** @param {Series} one @param {number} long */
function label({ letter, name }, long) {
  return name.length <= long ? name : long < 8 ? letter : `${name.slice(0, long - 1)}…`;
}

/**
 * Where names of lines are, next to their ends and not on each other.
 * @param {number[]} ends
 */
function names(ends) {
  const order = [...ends.keys()].sort((a, b) => ends[b] - ends[a]);
  const places = [...ends];
  order.forEach((i, rank) => {
    if (rank > 0) places[i] = Math.min(ends[i], places[order[rank - 1]] - LINE);
  });
  return places;
}

/**
 * @param {number} row @param {number[]} line
 * @param {(value: number) => number} x @param {(p: number) => number} y
 */
function drawn(row, line, x, y) {
  const places = line.map((p, i) => `${x(i).toFixed(2)} ${y(p).toFixed(2)}`);
  return svg(
    'g',
    { class: mark(/** @type {any} */ ({ colour: row % COLOURS, stale: false })) },
    svg('path', { class: 'line', d: `M${places.join('L')}` }),
    line.map((p, i) => svg('circle', { class: 'dot', cx: x(i), cy: y(p), r: 2.6, 'data-p': p })),
  );
}
