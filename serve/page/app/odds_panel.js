// Odds to look at: graphs, figures, and every number in a table. Rules, results of scripts and
// statistics use it.

import { MODES, cumulated, distribution, isNumeric } from './distribution.js';
import { h, segmented, svg } from './dom.js';
import { figures } from './figures.js';
import { createGraph } from './graph.js';
import { namesHeight, namesPicture, outcomesOf } from './graph_names.js';
import { numbersDrawing } from './graph_numbers.js';
import { grid, scroller } from './grid.js';
import { fraction, outcome, percent } from './numbers.js';
import { oneOf } from './shape.js';
import { csvLine, takeMenu } from './take.js';

/**
 * @typedef {import('./graph_numbers.js').Series} Series
 * @typedef {{mode: import('./distribution.js').Mode, shape: 'auto' | 'bars' | 'lines'}} Settings
 */

const MAX_ROWS = 5000;
const SHAPES = /** @type {[string, string][]} */ ([
  ['bars', 'bars'],
  ['lines', 'lines'],
]);

/** What a link says about them. */
export const SETTINGS = {
  mode: oneOf(MODES.map(([mode]) => mode)),
  shape: oneOf(['auto', ...SHAPES.map(([shape]) => shape)]),
};

/**
 * @param {{name: string, settings: Settings, onsettings: () => void,
 *   command: (() => string) | null, height?: number}} options
 */
export function createOddsPanel({ name, settings, onsettings, command, height = 340 }) {
  /** @type {Series[]} */
  let series = [];
  const numbers = createGraph('Graph of the odds', height);
  const names = svg('svg', { class: 'picture', role: 'img' });
  const namesBox = h('div', { class: 'graph graph-names' }, names);
  const key = h(
    'p',
    { class: 'key' },
    'Below the axis: ',
    h('span', { class: 'key-mean' }),
    'mean, ',
    h('span', { class: 'key-half' }),
    'half of all rolls, ',
    h('span', { class: 'key-most' }),
    'nine of ten',
  );
  const figuresBox = h('div', { class: 'figures' });
  const tableBox = scroller('Table of the odds');
  const table = h(
    'details',
    { class: 'all-values' },
    h('summary', {}, 'Every number in a table'),
    tableBox,
  );
  const change = (/** @type {Partial<Settings>} */ changed) => {
    Object.assign(settings, changed);
    draw();
    onsettings();
  };
  const modes = segmented('What the graph shows', MODES, settings.mode, (mode) =>
    change({ mode: /** @type {any} */ (mode) }),
  );
  const shapes = segmented(
    'Bars or lines',
    SHAPES,
    shapeNow(),
    (shape) => change({ shape: /** @type {any} */ (shape) }),
  );
  const tools = h(
    'div',
    { class: 'tools' },
    h('div', { class: 'tools-graph' }, modes.element, shapes.element),
    takeMenu({
      name,
      picture: () => (numeric().length > 0 ? numbers.picture : named().length > 0 ? names : null),
      series: () => (numeric().length > 0 ? numeric() : named()),
      csv: () => csv(series),
      json: () =>
        series.length === 1
          ? series[0].odds
          : series.map(({ name: rule, odds }) => ({ rule, odds })),
      command,
    }),
  );
  const element = h(
    'div',
    { class: 'odds' },
    tools,
    numbers.element,
    key,
    namesBox,
    figuresBox,
    table,
  );

  function numeric() {
    return series.filter(({ odds }) => isNumeric(odds));
  }
  function named() {
    return series.filter(({ odds }) => !isNumeric(odds) && odds.outcomes);
  }
  /** @returns {'bars' | 'lines'} */
  function shapeNow() {
    return settings.shape === 'auto' ? (numeric().length > 2 ? 'lines' : 'bars') : settings.shape;
  }
  function drawNames() {
    const width = namesBox.clientWidth;
    if (named().length === 0) return names.replaceChildren();
    if (width === 0) return;
    const tall = namesHeight(named());
    names.setAttribute('viewBox', `0 0 ${width} ${tall}`);
    names.setAttribute('height', String(tall));
    names.setAttribute(
      'aria-label',
      named()
        .map(({ name: rule, odds }) => `${rule}: ${said(odds)}`)
        .join('; '),
    );
    names.replaceChildren(namesPicture(named(), width));
  }
  function draw() {
    modes.choose(settings.mode);
    shapes.choose(shapeNow());
    tools.firstElementChild?.toggleAttribute('hidden', numeric().length === 0);
    key.hidden = numbers.element.hidden = numeric().length === 0;
    namesBox.hidden = named().length === 0;
    if (numeric().length === 0) numbers.clear();
    else
      numbers.draw(
        numbersDrawing({ series: numeric(), mode: settings.mode, shape: shapeNow() }, height),
      );
    drawNames();
    figuresBox.replaceChildren(...figures(series));
    element.hidden = series.length === 0;
    if (table.open) tableBox.replaceChildren(values(series, settings.mode));
  }
  table.addEventListener('toggle', () => {
    if (table.open) tableBox.replaceChildren(values(series, settings.mode));
  });
  new ResizeObserver(drawNames).observe(namesBox);
  return {
    element,
    /** @param {Series[]} shown */
    show(shown) {
      series = shown;
      draw();
    },
  };
}

/** @param {any} odds */
function said(odds) {
  return odds.outcomes
    .map((/** @type {any} */ o) => `${outcome(o.value)} ${percent(o.p)}`)
    .join(', ');
}

/** @param {Series[]} series @param {import('./distribution.js').Mode} mode */
function values(series, mode) {
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
 * Several rules next to each other.
 * @param {Series[]} series
 * @param {import('./distribution.js').Mode} mode
 */
function together(series, mode) {
  const tables = series.map(
    ({ odds }) =>
      new Map(
        (isNumeric(odds) ? cumulated(distribution(odds), mode) : distribution(odds)).points.map(
          ({ value, p }) => [value, p],
        ),
      ),
  );
  const keys = outcomesOf(series);
  if (keys.every((key) => typeof key === 'number')) keys.sort((a, b) => a - b);
  const word = MODES.find(([one]) => one === mode)?.[1] ?? '';
  return grid(
    `Odds, ${word}`,
    ['result', ...series.map(({ name }) => name)],
    keys
      .slice(0, MAX_ROWS)
      .map((key) => [
        outcome(key),
        ...tables.map((one) => (one.has(key) ? percent(one.get(key) ?? 0) : '')),
      ]),
  );
}

/** @param {Series[]} series */
function csv(series) {
  const rows = series.flatMap(({ name, odds }) =>
    odds.outcomes.map((/** @type {any} */ o) => csvLine([name, o.value, o.p, o.weight])),
  );
  return csvLine(['rule', 'result', 'p', 'weight']) + rows.join('');
}
