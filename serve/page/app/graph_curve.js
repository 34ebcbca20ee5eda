// Curves over the values of a resource: how the chance or the mean of each rule changes with it.

import { ceiling, horizontalLines, numbersBelow, ticks } from './axis.js';
import { svg } from './dom.js';
import { mark, scale } from './graph_numbers.js';
import { outcome, percent, plain, tick } from './numbers.js';

/**
 * @typedef {{letter: string, colour: number, name: string, stale: boolean, points: {value: number,
 *   y: number}[]}} Curve
 */

const EDGE = { left: 52, right: 14, top: 14, bottom: 28 };

/**
 * @param {Curve[]} curves
 * @param {string} over the resource's name
 * @param {number} now its value at present
 * @param {boolean} chances whether the curves are chances, or means
 * @param {number} height @returns {(width: number) => import('./graph.js').Drawing}
 */
export function curveDrawing(curves, over, now, chances, height) {
  const all = curves.flatMap(({ points }) => points);
  const [low, high] = ends(all.map(({ value }) => value));
  const [least, most] = chances
    ? [0, ceiling(ends(all.map(({ y }) => y))[1])]
    : padded(ends(all.map(({ y }) => y)));
  const text = chances ? percent : plain;
  return (width) => {
    const bottom = height - EDGE.bottom;
    const x = scale(low, high, EDGE.left + 8, width - EDGE.right - 8);
    const y = scale(least, most, bottom, EDGE.top);
    const values = [...new Set(all.map(({ value }) => value))].sort((a, b) => a - b);
    return {
      nodes: [
        horizontalLines(ticks(least, most, 4), y, chances ? tick : plain, {
          left: EDGE.left,
          right: width - EDGE.right,
        }),
        numbersBelow(ticks(low, high, Math.max(2, width / 62), 1), x, outcome, bottom + 19),
        now >= low &&
          now <= high &&
          svg('line', { class: 'now', x1: x(now), x2: x(now), y1: EDGE.top, y2: bottom }),
        ...curves.map((curve) => drawn(curve, x, y, now)),
      ].filter(Boolean),
      readings: values.map((value) => ({
        x: x(value),
        title: `${over} ${outcome(value)}`,
        rows: curves.flatMap((curve) => {
          const point = curve.points.find((p) => p.value === value);
          return point
            ? [
                {
                  mark: mark(/** @type {any} */ (curve)),
                  name: curve.name,
                  value: text(point.y),
                  more: null,
                },
              ]
            : [];
        }),
      })),
      top: EDGE.top,
      bottom,
      summary: `${curves.map(({ name, points }) => `${name}: ${text(points[0].y)} at ${over} ${low}, ${text(/** @type {any} */ (points.at(-1)).y)} at ${high}`).join('; ')}.`,
    };
  };
}

/**
 * @param {Curve} curve
 * @param {(v: number) => number} x
 * @param {(v: number) => number} y
 * @param {number} now
 */
function drawn(curve, x, y, now) {
  const current = curve.points.find(({ value }) => value === now);
  return svg(
    'g',
    { class: mark(/** @type {any} */ (curve)) },
    svg('path', {
      class: 'line',
      d: `M${curve.points.map((point) => `${x(point.value).toFixed(2)} ${y(point.y).toFixed(2)}`).join('L')}`,
    }),
    curve.points.map((point) =>
      svg('circle', { class: 'dot', cx: x(point.value), cy: y(point.y), r: 2 }),
    ),
    current && svg('circle', { class: 'here', cx: x(now), cy: y(current.y), r: 5.5 }),
  );
}

/** @param {number[]} values @returns {[number, number]} */
function ends(values) {
  return [Math.min(...values), Math.max(...values)];
}

/**
 * Room above and below, so that a level curve is in the middle.
 * @param {[number, number]} range
 * @returns {[number, number]}
 */
function padded([low, high]) {
  const room = (high - low) * 0.08 || 1;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}
