// The view of tables: a file comes in, rules become columns, and the answer is shown and taken away.

import { quoted, line } from './command.js';
import { countRows, firstRows } from './csv.js';
import { button, debounce, fill, h, segmented, select } from './dom.js';
import { TABLE_EXAMPLES } from './examples.js';
import { ask, latest, Refused, stopped } from './engine.js';
import { quotes } from './findings.js';
import { percent, whole } from './numbers.js';
import { grid } from './grid.js';
import { progressBar } from './progress.js';
import { save } from './save.js';
import { createTableRules } from './table_rules.js';
import { copyButtons } from './take.js';

const SHOWN = 12;
/** Up to here the answer comes by itself; for larger tables somebody asks for it. */
const SMALL = 200_000;
/** A link has the table in it if it is not larger. */
const IN_LINK = 30_000;
const FORMATS = /** @type {[string, string][]} */ ([['csv', 'CSV'], ['jsonl', 'JSON Lines'], ['parquet', 'Parquet'], ['arrow', 'Arrow']]);
/** By their endings, how tables are told to the engine. */
const TYPES = /** @type {Record<string, string>} */ ({
  csv: 'text/csv', tsv: 'text/tab-separated-values', json: 'application/json', jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet', arrow: 'application/vnd.apache.arrow.file',
});

/** @typedef {{name: string, blob: Blob, text: string | null, type: string}} Taken */

/** @param {{changed: () => void}} on */
export function createTableView(on) {
  const question = latest();
  /** @type {Taken | null} */
  let table = null;
  let encounters = false;
  /** @type {string[]} */
  let before = [];

  const chooser = h('input', { type: 'file', id: 'table-file', class: 'unseen', accept: '.csv,.tsv,.json,.jsonl,.parquet,.arrow', onchange: () => {
    const [file] = chooser.files ?? [];
    if (file) void take(file);
    chooser.value = '';
  } });
  const drop = h('div', { class: 'drop' }, h('strong', {}, 'Drop a table here'), 'or', chooser, h('label', { for: 'table-file' }, 'Choose a file'), h('small', {}, 'CSV, JSON, Parquet or Arrow'));
  const about = h('p', { class: 'remark', role: 'status' });
  const input = scroller('The first rows of the table');
  const rules = createTableRules(changed);
  const kinds = segmented('What to add', [['rules', 'rules'], ['encounters', 'encounters in its rows']], 'rules', (kind) => {
    encounters = kind === 'encounters';
    changed();
  });
  const hint = h('p', { class: 'remark' }, 'Each row is a fight: its sides are in the columns ', h('code', {}, 'Party'), ' and ', h('code', {}, 'Monsters'), ', or in two others.');
  const wrong = h('div', { class: 'faults', role: 'status' });
  const progress = progressBar(() => question.stop());
  const output = scroller('The first rows of the answer');
  const summary = h('p', { class: 'remark', role: 'status' });
  const format = select(FORMATS, 'csv', () => {}, { 'aria-label': 'Format' });
  const said = h('span', { class: 'said', role: 'status' });
  const run = button('Work it out', () => void work(), { class: 'main' });
  const examples = h('p', { class: 'examples' }, h('span', {}, 'Try '), TABLE_EXAMPLES.map(({ title, state }) => button(title, () => {
    restore(state);
    on.changed();
  }, { class: 'chip' })));
  const answer = h('section', { class: 'panel', 'aria-label': 'Answer' },
    h('div', { class: 'tools' }, h('h2', {}, 'Answer'), run, h('span', { class: 'grow' }),
      h('div', { class: 'take' }, copyButtons(command, said), format, button('Download', () => void download()), said)),
    wrong, progress.element, summary, output);
  const element = h('div', { class: 'view view-table' },
    h('section', { class: 'panel', 'aria-label': 'Table' }, drop, about, input), examples,
    h('section', { class: 'panel', 'aria-label': 'New columns' }, h('div', { class: 'tools' }, h('h2', {}, 'New columns'), kinds.element), rules.element, hint), answer);

  for (const type of ['dragover', 'dragleave', 'drop']) {
    element.addEventListener(type, (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      drop.classList.toggle('over', type === 'dragover');
      const [file] = event.dataTransfer?.files ?? [];
      if (type === 'drop' && file) void take(file);
    });
  }
  const soon = debounce(() => void work(), 250);

  function changed() {
    rules.element.hidden = encounters;
    hint.hidden = !encounters;
    on.changed();
    if (table && table.blob.size <= SMALL) soon();
  }
  /** @param {File} file */
  async function take(file) {
    const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    const type = TYPES[ending] ?? 'text/csv';
    const isText = type.startsWith('text/');
    show({ name: file.name, blob: file, text: isText ? await file.text() : null, type });
    changed();
  }
  /** @param {Taken} taken */
  function show(taken) {
    table = taken;
    answer.hidden = false;
    fill(output);
    summary.textContent = '';
    const rows = taken.text === null ? null : firstRows(taken.text, SHOWN / 2);
    before = rows?.head ?? [];
    rules.offer(before);
    about.textContent = taken.text === null
      ? `${taken.name}: ${whole(taken.blob.size)} bytes`
      : `${taken.name}: ${whole(countRows(taken.text))} rows, ${before.length} columns`;
    fill(input, rows && grid('The first rows of the table', rows.head, rows.rows));
  }
  /** @param {string} as @param {import('./engine.js').Asking} asking @returns {Promise<Blob>} */
  function asked(as, asking) {
    const columns = encounters ? [] : rules.columns();
    return ask('batch', {
      table: table?.blob, type: table?.type, format: as, encounter: encounters,
      rules: columns.map(({ name, rule }) => (name ? `${name}=${rule}` : rule)),
    }, asking);
  }
  async function work() {
    if (!table || (!encounters && rules.columns().length === 0)) return fill(output);
    fill(wrong);
    progress.begin('Working');
    await answered(async (signal) => {
      const start = performance.now();
      const blob = await asked('csv', { signal, onProgress: ({ done, of, partial }) => {
        progress.at(done, of);
        preview(partial, false);
      } });
      const text = await blob.slice(0, SMALL).text();
      preview(text, blob.size <= SMALL);
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      summary.textContent = blob.size <= SMALL ? `${whole(countRows(text))} rows in ${seconds} s.` : `${whole(blob.size)} bytes in ${seconds} s.`;
    });
  }
  async function download() {
    if (!table) return;
    progress.begin('Working');
    await answered(async (signal) => {
      const name = table?.name.replace(/\.[^.]*$/, '') ?? 'table';
      save(`${name}-odds.${format.value}`, await asked(format.value, { signal }));
    });
  }
  /** @param {(signal: AbortSignal) => Promise<void>} doing */
  async function answered(doing) {
    const signal = question.begin();
    try {
      await doing(signal);
    } catch (error) {
      if (stopped(error)) return;
      if (!(error instanceof Refused)) throw error;
      fill(output);
      summary.textContent = '';
      fill(wrong, error.findings.map(({ message, help }) => h('p', { class: 'fault' },
        h('span', { class: 'fault-message' }, quotes(message)), help && h('span', { class: 'fault-help' }, quotes(help)))));
    } finally {
      if (!signal.aborted) progress.hide();
    }
  }
  /** @param {string} text @param {boolean} isWhole */
  function preview(text, isWhole) {
    const { head, rows } = firstRows(text, SHOWN, isWhole);
    const body = rows.map((cells) => cells.map((cell, i) => (i >= before.length && before.length > 0 ? h('span', { class: 'added' }, shortened(head[i], cell)) : cell)));
    fill(output, grid('The first rows of the answer', head, body));
  }
  function command() {
    const file = table?.name ?? 'table.csv';
    if (encounters) return line(['batch', file, '--encounter']);
    return ['dicec batch', quoted(file), ...rules.columns().flatMap(({ name, rule }) => ['-e', quoted(name ? `${name}=${rule}` : rule)])].join(' ');
  }
  /** @param {any} state */
  function restore(state) {
    const from = state ?? TABLE_EXAMPLES[0].state;
    encounters = from.encounters ?? false;
    kinds.choose(encounters ? 'encounters' : 'rules');
    rules.restore(from.rules ?? [{ name: 'rule1', rule: '' }]);
    if (from.text) show({ name: from.name ?? 'table.csv', blob: new Blob([from.text]), text: from.text, type: 'text/csv' });
    else {
      table = null;
      answer.hidden = true;
      rules.offer([]);
      fill(input);
      about.textContent = from.name ? `This link is about ${from.name}, which is too large to be in it: choose the file.` : '';
    }
    changed();
  }
  return {
    element,
    restore,
    title: () => table?.name ?? '',
    state() {
      const inLink = table?.type === 'text/csv' && table.text !== null && table.text.length <= IN_LINK;
      return {
        rules: rules.columns(),
        ...(encounters ? { encounters } : {}),
        ...(table ? { name: table.name } : {}),
        ...(inLink ? { text: table?.text } : {}),
      };
    },
  };
}

/** @param {string} label */
function scroller(label) {
  return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label });
}

/** A cell as it is read: chances as percentages, others with a few digits; the file has all of them. @param {string} name @param {string} cell */
function shortened(name, cell) {
  const value = Number(cell);
  if (cell === '' || !Number.isFinite(value)) return cell;
  if (/_p$|^(win|lose|draw)$|_(success|failure)$/.test(name)) return percent(value);
  return String(Number(value.toFixed(3))).replace('-', '−');
}
