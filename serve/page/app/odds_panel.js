// Odds to look at: graphs, figures, and every number in a table. Rules, results of scripts and
// statistics use it.

import { MODES, isNumeric } from './distribution.js';
import { h, segmented, svg } from './dom.js';
import { figures } from './figures.js';
import { createGraph } from './graph.js';
import { namesHeight, namesPicture } from './graph_names.js';
import { numbersDrawing } from './graph_numbers.js';
import { transposedDrawing } from './graph_transposed.js';
import { scroller } from './grid.js';
import { outcome, percent } from './numbers.js';
import { csvOf, oddsTable } from './odds_table.js';
import { oneOf } from './shape.js';
import { takeMenu } from './take.js';

/**
 * @typedef {import('./graph_numbers.js').Series} Series
 * @typedef {{mode: import('./distribution.js').Mode,
 *   shape: 'auto' | 'bars' | 'lines' | 'transposed' | 'table'}} Settings
 */

const SHAPES = /** @type {[string, string][]} */ ([
  ['bars', 'bars'],
  ['lines', 'lines'],
  ['transposed', 'transposed'],
  ['table', 'table'],
]);

/** What a link says about them. */
export const SETTINGS = {
  mode: oneOf(MODES.map(([mode]) => mode)),
  shape: oneOf(['auto', ...SHAPES.map(([shape]) => shape)]),
};

/**
 * @param {{name: string, settings: Settings, onsettings: () => void,
 *   command: (() => string) | null, height?: number, keepSign?: () => void}} options
 */
export function createOddsPanel({
  name,
  settings,
  onsettings,
  command,
  height = 340,
  keepSign,
}) {
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
  const summary = h('summary', {}, 'Every number in a table');
  const table = h(
    'details',
    { class: 'all-values' },
    summary,
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
    'How odds are shown',
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
      picture,
      series: () => (numeric().length > 0 ? numeric() : named()),
      csv: () => csvOf(series),
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

  /** What can be saved as a picture: a table cannot. */
  function picture() {
    if (shapeNow() === 'table') return null;
    return numeric().length > 0 ? numbers.picture : named().length > 0 ? names : null;
  }
  function numeric() {
    return series.filter(({ odds }) => isNumeric(odds));
  }
  function named() {
    return series.filter(({ odds }) => !isNumeric(odds) && odds.outcomes);
  }
  /** The shape that is drawn: one rule has nothing to be transposed. */
  function shapeNow() {
    const { shape } = settings;
    if (shape !== 'auto' && (shape !== 'transposed' || numeric().length > 1)) return shape;
    return numeric().length > 2 ? 'lines' : 'bars';
  }
  /** @param {'bars' | 'lines' | 'transposed' | 'table'} shape */
  function drawing(shape) {
    const look = { series: numeric(), mode: settings.mode };
    if (shape === 'transposed') return transposedDrawing(look, height);
    return numbersDrawing({ ...look, shape: shape === 'bars' ? 'bars' : 'lines' }, height);
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
    const shape = shapeNow();
    const isTable = shape === 'table' && series.length > 0;
    modes.choose(settings.mode);
    shapes.choose(shape);
    shapes.hide('transposed', numeric().length < 2);
    shapes.hide('lines', numeric().length === 0);
    modes.element.hidden = numeric().length === 0;
    numbers.element.hidden = numeric().length === 0 || isTable;
    key.hidden = numbers.element.hidden || shape === 'transposed';
    namesBox.hidden = named().length === 0 || isTable;
    // The table that is asked for is open, and is no table below a graph afterwards.
    if (isTable !== summary.hidden) table.open = isTable;
    summary.hidden = isTable;
    if (numeric().length === 0) numbers.clear();
    else numbers.draw(drawing(shape));
    drawNames();
    figuresBox.replaceChildren(...figures(series, keepSign ?? null));
    element.hidden = series.length === 0;
    table.classList.toggle(
      'waiting',
      series.some(({ stale }) => stale),
    );
    if (table.open) tableBox.replaceChildren(oddsTable(series, settings.mode));
  }
  table.addEventListener('toggle', () => {
    if (table.open) tableBox.replaceChildren(oddsTable(series, settings.mode));
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
