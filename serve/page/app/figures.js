// The figures of odds in a table: means, deviations, quantiles and chances; and what is to be known
// about them.

import { isNumeric } from './distribution.js';
import { button, h } from './dom.js';
import { scroller } from './grid.js';
import { mark } from './graph_numbers.js';
import { brief, briefPercent, percent, plain, whole } from './numbers.js';

/** @typedef {import('./graph_numbers.js').Series} Series */

const QUANTILES = /** @type {[number, string][]} */ ([
  [0.05, '5 %'],
  [0.25, '25 %'],
  [0.5, 'median'],
  [0.75, '75 %'],
  [0.95, '95 %'],
]);

const CLAMPED = 'is never below 0';
const UNBOUNDED = /** @type {Record<string, string>} */ ({ above: 'higher', below: 'lower' });

/**
 * @param {Series[]} series
 * @param {(() => void) | null} keepSign lets numbers be below 0, if that can be chosen
 * @returns {HTMLElement[]}
 */
export function figures(series, keepSign) {
  const numeric = series.filter(({ odds }) => isNumeric(odds));
  // Among others, figures say whose they are.
  const isAlone = series.length === 1 && numeric.length === 1;
  const chances = series.filter(({ odds }) => odds.p !== null && odds.p !== undefined);
  return [
    ...(isAlone ? [ofNumber(numeric[0])] : []),
    ...(numeric.length > 0 && !isAlone ? [scroller('Figures', ofNumbers(numeric))] : []),
    ...(chances.length > 0 ? [h('dl', { class: 'chances' }, chances.map(ofChance))] : []),
    ...series.flatMap((one) => remarks(one, keepSign)),
  ];
}

/** @param {Series} one */
function ofNumber({ odds, stale }) {
  return h(
    'dl',
    { class: stale ? 'tiles stale' : 'tiles' },
    named(odds).map(([text, value]) => h('div', {}, h('dt', {}, text), h('dd', {}, plain(value)))),
  );
}

/**
 * The lowest and the highest result, which may have no bound.
 * @param {any} odds
 * @returns {[number | null | undefined, number | null | undefined]}
 */
export function ends(odds) {
  const { min, max, unbounded } = odds ?? {};
  return [
    unbounded === 'below' || unbounded === 'both' ? -Infinity : min,
    unbounded === 'above' || unbounded === 'both' ? Infinity : max,
  ];
}

/**
 * All figures with their names.
 * @param {any} odds
 * @returns {[string, number | null | undefined][]}
 */
function named(odds) {
  const { mean, sd, quantiles } = odds;
  const at = (/** @type {number} */ p) =>
    quantiles?.find((/** @type {any} */ q) => q.p === p)?.value;
  const [low, high] = ends(odds);
  return [
    ['mean', mean],
    ['deviation', sd],
    ['lowest', low],
    ...QUANTILES.map(([p, text]) => /** @type {[string, any]} */ ([text, at(p)])),
    ['highest', high],
  ];
}

/** @param {Series[]} series */
function ofNumbers(series) {
  const heads = named(series[0].odds).map(([text]) => text);
  return h(
    'table',
    { class: 'figures-table' },
    h('caption', { class: 'unseen' }, 'Figures of each rule'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', {}),
        heads.map((text) => h('th', { scope: 'col' }, text)),
      ),
    ),
    h(
      'tbody',
      {},
      series.map((one) => {
        const [[, mean], ...others] = named(one.odds);
        return h(
          'tr',
          { class: mark(one) },
          h(
            'th',
            { scope: 'row' },
            h('span', { class: 'swatch' }, one.letter),
            h('code', {}, one.name),
          ),
          h('td', { class: 'strong' }, plain(mean)),
          others.map(([, value]) => h('td', {}, plain(value))),
        );
      }),
    ),
  );
}

/** @param {Series} one */
function ofChance(one) {
  return h(
    'div',
    { class: mark(one) },
    h('dt', {}, h('span', { class: 'swatch' }, one.letter), h('code', {}, one.name)),
    h(
      'dd',
      {},
      briefPercent(one.odds.p),
      h('small', {}, one.odds.kind === 'check' ? 'to succeed' : 'success or better'),
    ),
  );
}

/**
 * What is worth knowing about one answer.
 * @param {Series} one @param {(() => void) | null} keepSign @returns {HTMLElement[]}
 */
function remarks(one, keepSign) {
  const { odds, name } = one;
  const said = [];
  if (!odds.exact && odds.trials)
    said.push(`is simulated: ${whole(odds.trials)} rolls${interval(odds)}`);
  if (odds.subtotals) said.push(`has parts: ${odds.subtotals.map(part).join(', ')}`);
  if (odds.clamped)
    said.push(`${CLAMPED}: ${percent(odds.clamped.p)} of the rolls are raised to 0`);
  if (odds.left_out > 0)
    said.push(`leaves out rolls that go on very long: at most ${percent(odds.left_out)}`);
  if (odds.unbounded)
    said.push(
      `has no bound: there is always a ${UNBOUNDED[odds.unbounded] ?? 'higher or a lower'} result`,
    );
  return said.map((text) =>
    h(
      'p',
      { class: 'remark' },
      h('code', {}, name),
      ` ${text}. `,
      odds.clamped &&
        text.startsWith(CLAMPED) &&
        keepSign &&
        button('Keep the sign', keepSign, {
          class: 'fix',
          title: 'Reads the rules as virtual tabletops do: numbers may be below 0.',
        }),
    ),
  );
}

/** The subtotal of a label. @param {any} subtotal */
function part({ label, mean, sd }) {
  return `${label ?? 'others'} ${brief(mean)} ± ${brief(sd)}`;
}

/** @param {any} odds */
function interval(odds) {
  if (odds.low !== null && odds.low !== undefined)
    return `, 95 % interval ${percent(odds.low)} to ${percent(odds.high)}`;
  if (odds.stderr) return `, mean ${plain(odds.mean)} ± ${plain(1.96 * odds.stderr)}`;
  return '';
}
