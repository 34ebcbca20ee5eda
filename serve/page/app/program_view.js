// The view of AnyDice programs: the text, all outputs in one graph or each with its bars, and what
// is wrong with it. Odds come while somebody types.

import { programCommand } from './command.js';
import { debounce, exampleChips, fill, h, select } from './dom.js';
import { createEditor } from './editor.js';
import { ask, latest, refusal } from './engine.js';
import { PROGRAM_EXAMPLES } from './examples.js';
import { showFindings } from './findings.js';
import { programTokens } from './highlight.js';
import { createOddsPanel, SETTINGS } from './odds_panel.js';
import { progressBar } from './progress.js';
import { members, text as anyText, whole } from './shape.js';

/** @typedef {import('./graph_numbers.js').Series} Series */

const COLOURS = 6;
/** More outputs than this have no place in one graph. */
const MOST_TOGETHER = 12;

/** What a link says about this view: `shown` is the number of an output, from 1. */
export const PROGRAM_STATE = members({ text: anyText, shown: whole(1), ...SETTINGS });

/** @param {import('./main.js').Told} on */
export function createProgramView(on) {
  /** @type {import('./odds_panel.js').Settings} */
  const settings = { mode: 'exactly', shape: 'auto' };
  const question = latest();
  /**
   * The outputs of the last program without a mistake.
   * @type {{name: string, outcomes: any[]}[]}
   */
  let outputs = [];
  /** Whether the text has changed in the meantime. */
  let stale = false;
  /** The output that is shown, from 1; 0 for all of them. */
  let shown = 0;

  const editor = createEditor({
    label: 'AnyDice program',
    tokens: programTokens,
    lines: true,
    placeholder: 'such as output [highest 3 of 4d6]',
    oninput: () => typed(),
  });
  const progress = progressBar(() => question.stop(), () => void run());
  const chooser = h('div', { class: 'tools' });
  const remark = h('div', { 'aria-live': 'polite' });
  const panel = createOddsPanel({
    name: 'outputs',
    settings,
    onsettings: on.changed,
    command: () => programCommand(editor.value),
  });
  const examples = exampleChips(PROGRAM_EXAMPLES, on, restore);
  const element = h(
    'div',
    { class: 'view view-program' },
    h(
      'section',
      { class: 'panel', 'aria-label': 'Program' },
      editor.element,
      editor.faults,
      progress.element,
    ),
    examples,
    h(
      'section',
      { class: 'panel graph-panel', 'aria-label': 'Outputs' },
      chooser,
      remark,
      panel.element,
    ),
  );

  const typed = debounce(() => {
    on.changed();
    void run();
  }, 120);

  async function run() {
    const signal = question.begin();
    const rule = editor.value;
    progress.reset();
    if (rule.trim() === '') return settle([], []);
    /** @type {string[]} */
    const notes = [];
    const slow = setTimeout(() => {
      progress.begin('Computing exact odds');
      stale = true;
      draw();
    }, 400);
    signal.addEventListener('abort', () => clearTimeout(slow));
    try {
      const asked = { rule, dialect: 'anydice' };
      const onNote = (/** @type {{message: string}} */ { message }) => notes.push(message);
      const answer = await ask('odds', asked, { signal, onNote });
      settle(answer.outputs, []);
      editor.faults.append(...notes.map((note) => h('p', { class: 'remark' }, note)));
    } catch (error) {
      const refused = refusal(error);
      if (refused) settle(null, refused.findings);
    } finally {
      clearTimeout(slow);
      if (question.isLatest(signal)) progress.hide();
    }
  }
  /**
   * What has been shown stays while the text has a mistake.
   * @param {any[] | null} answered @param {any[]} findings
   */
  function settle(answered, findings) {
    stale = answered === null;
    outputs = answered ?? outputs;
    if (shown > outputs.length) shown = 0;
    editor.mark(findings);
    showFindings(editor, findings, { places: true });
    draw();
  }
  function draw() {
    fill(chooser, outputs.length > 1 && chosen());
    const all = outputs.map(series);
    const asked = shown === 0 ? all.slice(0, MOST_TOGETHER) : all.slice(shown - 1, shown);
    const left = shown === 0 ? all.length - asked.length : 0;
    const empty = asked.filter(({ odds }) => odds.outcomes.length === 0);
    fill(
      remark,
      empty.map(({ name }) => h('p', { class: 'remark' }, `${name}: no outcomes`)),
      left > 0 && h('p', { class: 'remark' }, `${left} more outputs: choose one of them above.`),
    );
    panel.show(asked.filter(({ odds }) => odds.outcomes.length > 0));
    performance.mark('drawn');
  }
  /** The choice of an output. */
  function chosen() {
    const names = outputs.map(
      ({ name }, i) => /** @type {[string, string]} */ ([String(i + 1), name]),
    );
    return select(
      [['0', 'All outputs'], ...names],
      String(shown),
      (number) => {
        shown = Number(number);
        draw();
        on.changed();
      },
      { 'aria-label': 'Outputs that are shown' },
    );
  }
  /** @param {any} output @param {number} i @returns {Series} */
  function series(output, i) {
    const { name } = output;
    return { letter: String(i + 1), colour: i % COLOURS, name, odds: output, stale };
  }
  /** @param {any} state */
  function restore(state) {
    const from = state ?? PROGRAM_EXAMPLES[0].state;
    editor.value = from.text ?? PROGRAM_EXAMPLES[0].state.text;
    shown = from.shown ?? 0;
    Object.assign(settings, { mode: from.mode ?? 'exactly', shape: from.shape ?? 'auto' });
    outputs = [];
    draw();
    void run();
  }
  return {
    element,
    restore,
    title: () => outputs.map(({ name }) => name).join(' / '),
    state() {
      const { mode, shape } = settings;
      return {
        text: editor.value,
        ...(shown === 0 ? {} : { shown }),
        ...(mode === 'exactly' ? {} : { mode }),
        ...(shape === 'auto' ? {} : { shape }),
      };
    },
  };
}
