// Where a table comes from: a file that is dropped or chosen. Its first rows are shown.

import { countRows, firstRows, separatorOf, withCommas } from './csv.js';
import { fill, h } from './dom.js';
import { grid, scroller } from './grid.js';
import { counted } from './numbers.js';

const SHOWN = 6;
/** By their endings, how tables are told to the engine. */
const TYPES = /** @type {Record<string, string>} */ ({
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
});

/**
 * A table; `text` is null if people cannot read it.
 * @typedef {{name: string, blob: Blob, text: string | null, type: string}} Taken
 */

/** @param {(taken: Taken) => void} taken */
export function createTableSource(taken) {
  const chooser = h('input', {
    type: 'file',
    id: 'table-file',
    class: 'unseen',
    accept: Object.keys(TYPES)
      .map((ending) => `.${ending}`)
      .join(','),
    onchange: () => {
      const [file] = chooser.files ?? [];
      if (file) void take(file);
      chooser.value = '';
    },
  });
  const drop = h(
    'div',
    { class: 'drop' },
    h('strong', {}, 'Drop a table here, or paste its cells'),
    'or',
    chooser,
    h('label', { for: 'table-file' }, 'Choose a file'),
    h('small', {}, 'CSV, JSON, Parquet or Arrow'),
  );
  const about = h('p', { class: 'remark', role: 'status' });
  const rows = scroller('The first rows of the table');
  const wrong = h('div', {});

  /** @param {File} file */
  async function take(file) {
    const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : 'text/csv';
    // A folder, say, or a file that is gone, cannot be read.
    const read = await file.text().catch(() => null);
    if (read === null) return void (about.textContent = `${file.name} cannot be read.`);
    // Semicolons are the commas of many spreadsheets.
    if (type === 'text/csv' && separatorOf(read) === ';') {
      const csv = withCommas(read);
      return taken({ name: file.name, blob: new Blob([csv]), text: csv, type });
    }
    taken({ name: file.name, blob: file, text: type.startsWith('text/') ? read : null, type });
  }
  /** Cells from a spreadsheet. @param {string} text */
  function pasted(text) {
    if (text.trim() === '') return;
    const csv = withCommas(text);
    taken({ name: 'pasted.csv', blob: new Blob([csv]), text: csv, type: 'text/csv' });
  }
  return {
    element: h('div', {}, drop, about, rows, wrong),
    /**
     * Takes cells that are pasted anywhere but into a field, while an element is there.
     * @param {HTMLElement} target
     */
    pasteOn(target) {
      document.addEventListener('paste', (event) => {
        const isField = event.target instanceof Element && event.target.matches('input, textarea');
        if (isField || !target.isConnected) return;
        event.preventDefault();
        pasted(event.clipboardData?.getData('text/plain') ?? '');
      });
    },
    /**
     * Shows a row in which something is wrong, with the cell.
     * @param {string} text the table @param {number} line counted from 1, with the heading
     * @param {string} column
     */
    mark(text, line, column) {
      const { head, rows: all } = firstRows(text, line);
      const row = all[line - 2];
      if (!row) return;
      const cell = (/** @type {string} */ one, /** @type {number} */ i) =>
        head[i] === column ? h('mark', { class: 'bad-cell' }, one === '' ? 'empty' : one) : one;
      const name = `Line ${line} of the table`;
      const box = scroller(name, grid(name, head, [row.map(cell)]));
      fill(wrong, h('p', { class: 'remark' }, `${name}:`), box);
      const bad = box.querySelector('.bad-cell');
      const from = box.getBoundingClientRect();
      if (bad) box.scrollLeft = bad.getBoundingClientRect().right - from.right + from.width / 4;
    },
    /** Nothing is known to be wrong. */
    unmark: () => fill(wrong),
    /** Takes files that are dropped anywhere on an element. @param {HTMLElement} target */
    dropOn(target) {
      for (const type of ['dragover', 'dragleave', 'drop']) {
        target.addEventListener(type, (/** @type {any} */ event) => {
          event.preventDefault();
          drop.classList.toggle('over', type === 'dragover');
          const [file] = event.dataTransfer?.files ?? [];
          if (type === 'drop' && file) void take(file);
        });
      }
    },
    /**
     * Shows a table, and gives the names of its columns, as far as they can be read here.
     * @param {Taken} table
     */
    show({ name, blob, text }) {
      fill(wrong);
      const first = text === null ? null : firstRows(text, SHOWN);
      about.textContent =
        first === null || text === null
          ? `${name}: ${counted(blob.size, 'byte')}`
          : `${name}: ${counted(countRows(text), 'row')}, ${counted(first.head.length, 'column')}`;
      fill(rows, first && grid('The first rows of the table', first.head, first.rows));
      return first?.head ?? [];
    },
    /** There is no table. @param {string | undefined} name of the one that a link is about */
    clear(name) {
      fill(rows);
      about.textContent = name
        ? `This link is about ${name}, which is too large to be in it: choose the file.`
        : '';
    },
  };
}
