// Where a table comes from: a file that is dropped or chosen. Its first rows are shown.

import { countRows, firstRows } from './csv.js';
import { fill, h } from './dom.js';
import { grid, scroller } from './grid.js';
import { whole } from './numbers.js';

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
    h('strong', {}, 'Drop a table here'),
    'or',
    chooser,
    h('label', { for: 'table-file' }, 'Choose a file'),
    h('small', {}, 'CSV, JSON, Parquet or Arrow'),
  );
  const about = h('p', { class: 'remark', role: 'status' });
  const rows = scroller('The first rows of the table');

  /** @param {File} file */
  async function take(file) {
    const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : 'text/csv';
    // A folder, say, or a file that is gone, cannot be read.
    const read = await file.text().catch(() => null);
    if (read === null) return void (about.textContent = `${file.name} cannot be read.`);
    taken({ name: file.name, blob: file, text: type.startsWith('text/') ? read : null, type });
  }
  return {
    element: h('div', {}, drop, about, rows),
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
      const first = text === null ? null : firstRows(text, SHOWN);
      about.textContent =
        first === null || text === null
          ? `${name}: ${whole(blob.size)} bytes`
          : `${name}: ${whole(countRows(text))} rows, ${first.head.length} columns`;
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
