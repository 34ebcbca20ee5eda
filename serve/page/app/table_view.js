// The view of tables: a file comes in, rules become columns, and the answer is shown and taken
// away.

import { line } from './command.js';
import { countRows, firstRows } from './csv.js';
import { button, debounce, exampleChips, fill, h, segmented, select } from './dom.js';
import { TABLE_EXAMPLES } from './examples.js';
import { ask, latest, refusal } from './engine.js';
import { faultList } from './findings.js';
import { counted, percent, whole } from './numbers.js';
import { grid, scroller } from './grid.js';
import { progressBar } from './progress.js';
import { save } from './save.js';
import { flag, list, members, text as anyText } from './shape.js';
import { createTableRules } from './table_rules.js';
import { areFights, suggested } from './table_suggest.js';
import { createTableSource } from './table_source.js';
import { copyButtons } from './take.js';

const SHOWN = 12;
/** As many bad rows are named. */
const MOST_NAMED = 8;
/** Up to here the answer comes by itself; for larger tables somebody asks for it. */
const SMALL = 200_000;
/** A link has the table in it if it is not larger. */
const IN_LINK = 30_000;
const MAX_COLUMNS = 100;
const FORMATS = /** @type {[string, string][]} */ ([
  ['csv', 'CSV'],
  ['jsonl', 'JSON Lines'],
  ['parquet', 'Parquet'],
  ['arrow', 'Arrow'],
]);
/** What a link says about this view. */
export const TABLE_STATE = members({
  rules: list(members({ name: anyText, rule: anyText }, ['name', 'rule']), { most: MAX_COLUMNS }),
  encounters: flag,
  skips: flag,
  name: anyText,
  text: anyText,
});

/** @param {import('./main.js').Told} on */
export function createTableView(on) {
  const question = latest();
  /** @type {import('./table_source.js').Taken | null} */
  let table = null;
  let encounters = false;
  /** Whether bad rows are left without an answer, instead of ending the work. */
  let skips = false;
  /** @type {string[]} */
  let before = [];

  const source = createTableSource((taken) => {
    on.replacing(taken.name);
    skips = false;
    show(taken);
    if (areFights(before) !== encounters) {
      encounters = !encounters;
      kinds.choose(encounters ? 'encounters' : 'rules');
    }
    changed();
  });
  const rules = createTableRules(changed, (name) => on.losing(`The column ${name} is removed.`));
  const kinds = segmented(
    'What to add',
    [
      ['rules', 'rules'],
      ['encounters', 'encounters in its rows'],
    ],
    'rules',
    (kind) => {
      encounters = kind === 'encounters';
      changed();
    },
  );
  const hint = h(
    'p',
    { class: 'remark' },
    'Each row is a fight: its sides are in the columns ',
    h('code', {}, 'Party'),
    ' and ',
    h('code', {}, 'Monsters'),
    ', or in two others.',
  );
  const wrong = h('div', { class: 'faults', role: 'status' });
  const progress = progressBar(() => question.stop(), () => void work());
  const output = scroller('The first rows of the answer');
  const summary = h('p', { class: 'remark', role: 'status' });
  const format = select(FORMATS, 'csv', () => {}, { 'aria-label': 'Format' });
  const said = h('span', { class: 'said', role: 'status' });
  const run = button('Work it out', () => void work(), { class: 'main' });
  const examples = exampleChips(TABLE_EXAMPLES, on, restore);
  const answer = h(
    'section',
    { class: 'panel', 'aria-label': 'Answer' },
    h(
      'div',
      { class: 'tools' },
      h('h2', {}, 'Answer'),
      run,
      h('span', { class: 'grow' }),
      h(
        'div',
        { class: 'take' },
        copyButtons(command, said),
        format,
        button('Download', () => void download()),
        said,
      ),
    ),
    wrong,
    progress.element,
    summary,
    output,
  );
  const element = h(
    'div',
    { class: 'view view-table' },
    h('section', { class: 'panel', 'aria-label': 'Table' }, source.element),
    examples,
    h(
      'section',
      { class: 'panel', 'aria-label': 'New columns' },
      h('div', { class: 'tools' }, h('h2', {}, 'New columns'), kinds.element),
      rules.element,
      hint,
    ),
    answer,
  );

  source.dropOn(element);
  source.pasteOn(element);
  const soon = debounce(() => void work(), 250);

  function changed() {
    rules.element.hidden = encounters;
    hint.hidden = !encounters;
    on.changed();
    if (table && table.blob.size <= SMALL) soon();
  }
  /** @param {import('./table_source.js').Taken} taken */
  function show(taken) {
    table = taken;
    answer.hidden = false;
    fill(output);
    summary.textContent = '';
    before = source.show(taken);
    rules.offer(before);
    rules.suggest(suggested(before, firstRows(taken.text ?? '', SHOWN).rows));
  }
  /** @param {string} as @param {import('./engine.js').Asking} asking @returns {Promise<Blob>} */
  function asked(as, asking) {
    const columns = encounters ? [] : rules.columns();
    return ask(
      'batch',
      {
        table: table?.blob,
        type: table?.type,
        format: as,
        encounter: encounters,
        skips,
        rules: columns.map(({ name, rule }) => (name ? `${name}=${rule}` : rule)),
      },
      asking,
    );
  }
  async function work() {
    progress.reset();
    fill(wrong);
    source.unmark();
    if (!table || (!encounters && rules.columns().length === 0)) {
      question.stop();
      summary.textContent = '';
      return fill(output);
    }
    progress.begin('Working', 'rows');
    await answered(async (signal) => {
      const start = performance.now();
      const blob = await asked('csv', {
        signal,
        onProgress: ({ done, of, partial }) => {
          progress.at(done, of);
          preview(partial, false);
        },
      });
      const text = await blob.slice(0, SMALL).text();
      preview(text, blob.size <= SMALL);
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      summary.textContent =
        blob.size <= SMALL
          ? `${counted(countRows(text), 'row')} in ${seconds} s.`
          : `${whole(blob.size)} bytes in ${seconds} s.`;
      if (skips) skipped(blob.size <= SMALL ? text : null);
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
      const refused = refusal(error);
      if (!refused) return;
      summary.textContent = '';
      // Of an answer that breaks off, what has come is worth seeing.
      if (refused.code !== 'broken') fill(output);
      fill(wrong, faultList(refused.findings));
      offerToSkip(refused);
    } finally {
      if (question.isLatest(signal)) progress.hide();
    }
  }
  /**
   * A bad cell is shown where it is, and its row can be left out.
   * @param {import('./engine.js').Refused} refused
   */
  function offerToSkip({ message }) {
    const [, line, column] = /^line (\d+): .* in column "(.*)"/.exec(message) ?? [];
    if (line === undefined || !table) return;
    if (table.text !== null) source.mark(table.text, Number(line), column);
    wrong.append(
      h('p', { class: 'remark' }, button('Leave bad rows without an answer', () => skip(true))),
    );
  }
  /** @param {boolean} does */
  function skip(does) {
    skips = does;
    changed();
    void work();
  }
  /** Says which rows have no answer. @param {string | null} text the answer */
  function skipped(text) {
    const { rows } = firstRows(text ?? '', Infinity);
    // A fight may have no value in some of its columns; without an answer it has none in the first.
    const end = encounters ? before.length + 1 : undefined;
    const bad = rows.flatMap((cells, i) =>
      cells.slice(before.length, end).some((cell) => cell === '') ? [i + 2] : [],
    );
    const named = bad.slice(0, MOST_NAMED).join(', ') + (bad.length > MOST_NAMED ? ', …' : '');
    const said =
      text === null
        ? 'Bad rows lack an answer.'
        : `${whole(bad.length)} of ${counted(rows.length, 'row')} ${bad.length === 1 ? 'lacks' : 'lack'} an answer${bad.length > 0 ? `: line ${named} of the table` : ''}.`;
    fill(wrong, h('p', { class: 'remark' }, `${said} `, button('Stop at bad rows', () => skip(false), { class: 'fix' })));
  }
  /**
   * The first rows, with what is new after the first column: it is what somebody looks for.
   * @param {string} text
   * @param {boolean} isWhole
   */
  function preview(text, isWhole) {
    const { head, rows } = firstRows(text, SHOWN, isWhole);
    const isNew = (/** @type {number} */ i) => before.length > 0 && i >= before.length;
    const rank = (/** @type {number} */ i) => (i === 0 ? 0 : isNew(i) ? 1 : 2);
    const order = [...head.keys()].sort((a, b) => rank(a) - rank(b));
    const cell = (/** @type {string[]} */ cells, /** @type {number} */ i) =>
      isNew(i) ? h('span', { class: 'added' }, shortened(head[i], cells[i] ?? '')) : cells[i];
    const body = rows.map((cells) => order.map((i) => cell(cells, i)));
    fill(
      output,
      grid(
        'The first rows of the answer',
        order.map((i) => head[i]),
        body,
      ),
    );
  }
  function command() {
    const file = table?.name ?? 'table.csv';
    const skipping = skips ? ['--on-error', 'null'] : [];
    if (encounters) return line(['batch', file, '--encounter', ...skipping]);
    const columns = rules.columns().map(({ name, rule }) => (name ? `${name}=${rule}` : rule));
    return line(['batch', file, ...columns.flatMap((column) => ['-e', column]), ...skipping]);
  }
  /** @param {any} state */
  function restore(state) {
    const from = state ?? TABLE_EXAMPLES[0].state;
    encounters = from.encounters ?? false;
    skips = from.skips ?? false;
    kinds.choose(encounters ? 'encounters' : 'rules');
    rules.restore(from.rules ?? [{ name: 'rule1', rule: '' }]);
    if (from.text)
      show({
        name: from.name ?? 'table.csv',
        blob: new Blob([from.text]),
        text: from.text,
        type: 'text/csv',
      });
    else {
      table = null;
      answer.hidden = true;
      rules.offer([]);
      source.clear(from.name);
    }
    changed();
  }
  return {
    element,
    restore,
    title: () => table?.name ?? '',
    state() {
      const inLink =
        table?.type === 'text/csv' && table.text !== null && table.text.length <= IN_LINK;
      return {
        rules: rules.columns(),
        ...(encounters ? { encounters } : {}),
        ...(skips ? { skips } : {}),
        ...(table ? { name: table.name } : {}),
        ...(inLink ? { text: table?.text } : {}),
      };
    },
  };
}

/**
 * A cell as it is read: chances as percentages, others with a few digits; the file has all of them.
 * @param {string} name
 * @param {string} cell
 */
function shortened(name, cell) {
  const value = Number(cell);
  if (cell === '' || !Number.isFinite(value)) return cell;
  if (/_p$|^(win|lose|draw)$|_(success|failure)$/.test(name)) return percent(value);
  return String(Number(value.toFixed(3))).replace('-', '−');
}
