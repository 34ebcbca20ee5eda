// Axes: round numbers at even distances.

import { svg } from './dom.js';

/**
 * Round numbers from `low` to `high`, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count, least = 0) {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const factor = [1, 2, 5, 10].find((f) => span / (f * power) <= count) ?? 10;
  const step = Math.max(factor * power, least);
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1)
    values.push(Number((i * step).toPrecision(12)));
  return values;
}

/** The next round number above a greatest chance. @param {number} p */
export function ceiling(p) {
  if (p <= 0) return 1;
  if (p > 0.8) return 1;
  const all = ticks(0, p, 4);
  const step = (all[1] ?? p) - (all[0] ?? 0);
  return Math.min(1, Math.ceil(p / step - 1e-9) * step);
}

/**
 * Lines across the graph with their numbers at the left.
 * @param {number[]} values
 * @param {(value: number) => number} y
 * @param {(value: number) => string} text
 * @param {{left: number, right: number}} box
 */
export function horizontalLines(values, y, text, box) {
  return svg(
    'g',
    { class: 'axis' },
    values.map((value) => [
      svg('line', {
        class: value === 0 ? 'axis-base' : 'axis-line',
        x1: box.left,
        x2: box.right,
        y1: y(value),
        y2: y(value),
      }),
      svg('text', { x: box.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, text(value)),
    ]),
  );
}

/**
 * Numbers below the graph.
 * @param {number[]} values
 * @param {(value: number) => number} x
 * @param {(value: number) => string} text
 * @param {number} y
 */
export function numbersBelow(values, x, text, y) {
  return svg(
    'g',
    { class: 'axis' },
    values.map((value) => svg('text', { x: x(value), y, 'text-anchor': 'middle' }, text(value))),
  );
}
