// Bars or lines of numbers: how likely each total is, for several rules in one graph. Below the
// axis a strip for each rule says where half of its rolls are, and nine of ten.

import { ceiling, horizontalLines, numbersBelow, ticks } from './axis.js';
import { MODES, chanceAt, cumulated, distribution, extent, step } from './distribution.js';
import { svg } from './dom.js';
import { fraction, outcome, percent, plain, tick } from './numbers.js';

/**
 * @typedef {{letter: string, colour: number, name: string, odds: any, stale: boolean}} Series
 * @typedef {{series: Series[], mode: import('./distribution.js').Mode,
 *   shape: 'bars' | 'lines'}} Look
 */

const EDGE = { left: 52, right: 12, top: 16 };
const STRIP = 13;
const WIDEST = 60;

/**
 * @param {Look} look
 * @param {number} height
 * @returns {(width: number) => import('./graph.js').Drawing}
 */
export function numbersDrawing({ series, mode, shape }, height) {
  const shown = series.map(({ odds }) => cumulated(distribution(odds), mode));
  const unit = step(shown);
  const { low, high, cut } = extent(series.map(({ odds }) => distribution(odds)));
  const greatest = ceiling(Math.max(...shown.flatMap(({ points }) => points.map(({ p }) => p))));
  return (width) => {
    const bottom = height - 26 - STRIP * series.length;
    const x = scale(low - unit * 0.6, high + unit * 0.6, EDGE.left, width - EDGE.right);
    const y = scale(0, greatest, bottom, EDGE.top);
    const band = x(low + unit) - x(low);
    const inside = shown.map(({ points }) =>
      points.filter(({ value }) => value >= low && value <= high),
    );
    const asBars = shape === 'bars' && band / series.length >= 2.5;
    const bodies = series.map((one, i) =>
      asBars
        ? bars(one, inside[i], { x, y, band, part: i, parts: series.length, bottom })
        : line(one, inside[i], {
            x,
            y,
            bottom,
            unit,
            filled: mode === 'exactly',
            dots: band > 12,
          }),
    );
    return {
      nodes: [
        horizontalLines(ticks(0, greatest, 5), y, tick, {
          left: EDGE.left,
          right: width - EDGE.right,
        }),
        numbersBelow(ticks(low, high, Math.max(2, width / 62), unit), x, outcome, bottom + 18),
        ...bodies,
        ...series.map((one, i) => strip(one, x, bottom + 30 + STRIP * i)),
      ],
      readings: readings(series, shown, { low, high, x, mode }),
      top: EDGE.top,
      bottom,
      summary: summary(series, cut),
    };
  };
}

/** @param {Series} one @param {import('./distribution.js').Point[]} points @param {any} at */
function bars(one, points, { x, y, band, part, parts, bottom }) {
  const gap = band > 8 ? Math.min(band * 0.2, 6) : band > 4 ? 1 : 0;
  // Few values make no walls.
  const room = Math.min(band - gap, WIDEST * parts);
  const wide = room / parts;
  return svg(
    'g',
    { class: mark(one) },
    points.map(({ value, p }) =>
      svg('rect', {
        class: 'bar',
        'data-value': value,
        'data-p': p,
        x: x(value) - room / 2 + wide * part,
        width: Math.max(wide - (parts > 1 && wide > 5 ? 1 : 0), 0.8),
        y: y(p),
        height: Math.max(bottom - y(p), 0),
        rx: wide > 9 ? 2 : 0,
      }),
    ),
  );
}

/** @param {Series} one @param {import('./distribution.js').Point[]} points @param {any} at */
function line(one, points, { x, y, bottom, unit, filled, dots }) {
  if (points.length === 0) return svg('g');
  const path = filled ? withGaps(points, unit) : points;
  const places = path.map(({ value, p }) => `${x(value).toFixed(2)} ${y(p).toFixed(2)}`);
  const ends = [x(points[0].value), x(/** @type {any} */ (points.at(-1)).value)];
  return svg(
    'g',
    { class: mark(one) },
    filled &&
      svg('path', {
        class: 'area',
        d: `M${ends[0]} ${bottom}L${places.join('L')}L${ends[1]} ${bottom}Z`,
      }),
    svg('path', { class: 'line', d: `M${places.join('L')}` }),
    dots &&
      points.map(({ value, p }) =>
        svg('circle', {
          class: 'dot',
          cx: x(value),
          cy: y(p),
          r: 2.6,
          'data-value': value,
          'data-p': p,
        }),
      ),
  );
}

/**
 * The points of a line, which is at 0 next to values that there are not: no line leads over what is
 * impossible.
 * @param {{value: number, p: number}[]} points @param {number} unit
 */
function withGaps(points, unit) {
  return points.flatMap((point, i) => {
    const gap = i > 0 ? point.value - points[i - 1].value : unit;
    if (gap < 1.5 * unit) return [point];
    const ends = [points[i - 1].value + unit, point.value - unit];
    return [...new Set(ends)].map((value) => ({ value, p: 0 })).concat([point]);
  });
}

/**
 * Where nine of ten rolls are (thin), where half of them are (thick), and the mean.
 * @param {Series} one
 * @param {any} x
 * @param {number} y
 */
function strip(one, x, y) {
  const at = (/** @type {number} */ p) =>
    one.odds.quantiles?.find((/** @type {any} */ q) => q.p === p)?.value;
  if (at(0.5) === undefined) return svg('g');
  return svg(
    'g',
    { class: mark(one) },
    svg('line', { class: 'strip', x1: x(at(0.05)), x2: x(at(0.95)), y1: y, y2: y }),
    svg('line', { class: 'strip-half', x1: x(at(0.25)), x2: x(at(0.75)), y1: y, y2: y }),
    svg('circle', { class: 'strip-mean', cx: x(one.odds.mean), cy: y, r: 4 }),
  );
}

/**
 * @param {Series[]} series
 * @param {import('./distribution.js').Distribution[]} shown
 * @param {any} at
 */
function readings(series, shown, { low, high, x, mode }) {
  const tables = shown.map(({ points }) => new Map(points.map((point) => [point.value, point])));
  const values = [...new Set(shown.flatMap(({ points }) => points.map(({ value }) => value)))]
    .filter((value) => value >= low && value <= high)
    .sort((a, b) => a - b);
  const word = MODES.find(([name]) => name === mode)?.[1];
  return values.map((value) => ({
    x: x(value),
    title: mode === 'exactly' ? outcome(value) : `${word} ${outcome(value)}`,
    rows: series.map((one, i) => {
      const point = tables[i].get(value);
      const exact =
        point?.weight && shown[i].denominator ? fraction(point.weight, shown[i].denominator) : null;
      return {
        mark: mark(one),
        name: one.name,
        value: percent(point ? point.p : chanceAt(shown[i].points, value, mode)),
        more: exact,
      };
    }),
  }));
}

/** @param {Series[]} series @param {boolean} cut */
function summary(series, cut) {
  const parts = series.map(
    ({ name, odds }) =>
      `${name}: mean ${plain(odds.mean)}, deviation ${plain(odds.sd)}, from ${plain(odds.min)} to ${plain(odds.max)}`,
  );
  return `${parts.join('; ')}.${cut ? ' Ends with almost no chance are not drawn.' : ''} The table has every number.`;
}

/** @param {Series} one */
export function mark(one) {
  return `series series-${one.colour}${one.stale ? ' stale' : ''}`;
}

/** @param {number} from @param {number} to @param {number} start @param {number} end */
export function scale(from, to, start, end) {
  return (/** @type {number} */ value) =>
    start + ((value - from) / (to - from || 1)) * (end - start);
}
