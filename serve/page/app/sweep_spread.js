// The whole odds of one rule for each value of a resource, in a graph and a table. They are asked
// for when somebody looks: it is a question for each value.

import { csvLine } from './csv.js';
import { MODES, isNumeric } from './distribution.js';
import { fill, h, segmented } from './dom.js';
import { ask, latest, refusal } from './engine.js';
import { createGraph } from './graph.js';
import { spreadDrawing, spreadTable } from './graph_spread.js';
import { grid, scroller } from './grid.js';
import { outcome, percent } from './numbers.js';
import { takeMenu } from './take.js';

/** More values than this have no columns of their own. */
const MOST_VALUES = 101;
const HEIGHT = 300;

/**
 * @typedef {{answered: string, title: string, colour: number, resources: {name: string}[],
 *   odds: any}} Row
 * @param {{dialect: string}} around
 * @param {Record<string, any>} values of the resources
 */
export function createSpread(around, values) {
  const question = latest();
  const graph = createGraph('Odds over the values of a resource', HEIGHT);
  const table = scroller('Odds for each value');
  const said = h('p', { class: 'remark', role: 'status' });
  /** @type {import('./distribution.js').Mode} */
  let mode = 'exactly';
  /** @type {{columns: import('./graph_spread.js').Column[], row: Row, over: string} | null} */
  let shown = null;
  const modes = segmented('What the table has', MODES, mode, (chosen) => {
    mode = /** @type {any} */ (chosen);
    draw();
  });
  const details = h(
    'details',
    { class: 'all-values', ontoggle: () => draw() },
    h('summary', {}, 'Every number in a table'),
    modes.element,
    table,
  );
  const take = takeMenu({
    name: 'odds-over-values',
    picture: () => (shown ? graph.picture : null),
    series: () => (shown ? [{ name: shown.row.title, colour: shown.row.colour }] : []),
    csv: () => csv(),
    json: () => shown?.columns.map(({ value, odds }) => ({ [shown?.over ?? '']: value, odds })),
    command: null,
  });
  const element = h('div', { class: 'spread', hidden: true }, h('div', { class: 'tools' }, take), graph.element, said, details);

  /** @param {Row} row @param {string} over @param {{low: number, high: number}} range */
  async function show(row, over, { low, high }) {
    element.hidden = false;
    graph.element.classList.add('waiting');
    const signal = question.begin();
    const most = Math.min(high, low + MOST_VALUES - 1);
    const all = Array.from({ length: most - low + 1 }, (_, i) => low + i);
    const set = Object.fromEntries(row.resources.map(({ name }) => [name, values[name]]));
    try {
      const answers = await Promise.all(
        all.map((value) =>
          ask('odds', { rule: row.answered, dialect: around.dialect, set: { ...set, [over]: value } }, { signal }),
        ),
      );
      const columns = answers.map((odds, i) => ({ value: all[i], odds }));
      shown = { columns: columns.filter(({ odds }) => isNumeric(odds)), row, over };
      said.textContent = most < high ? `Up to ${over} ${outcome(most)}.` : '';
      draw();
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      shown = null;
      draw();
      said.textContent = `There is no graph of all odds: ${refused.message}`;
    }
  }
  function draw() {
    graph.element.classList.remove('waiting');
    const has = shown !== null && shown.columns.length > 0;
    graph.element.hidden = details.hidden = take.hidden = !has;
    if (!shown || !has) return graph.clear();
    const { columns, row, over } = shown;
    graph.draw(spreadDrawing(columns, { name: row.title, colour: row.colour }, over, values[over], HEIGHT));
    if (!details.open) return fill(table);
    const { head, rows } = spreadTable(columns, mode);
    const cells = rows.map(([value, ...all]) => [outcome(value), ...all.map((p) => (p === 0 ? '' : percent(p)))]);
    fill(table, grid(`${row.title} over ${over}`, head, cells));
  }
  function csv() {
    if (!shown) return '';
    const { head, rows } = spreadTable(shown.columns, mode);
    return [head, ...rows].map(csvLine).join('');
  }
  return {
    element,
    show,
    /** Moves the mark to the present value. */
    follow: () => draw(),
    hide() {
      question.stop();
      element.hidden = true;
    },
  };
}
