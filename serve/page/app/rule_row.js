// One rule: its text, what is wrong with it, and its odds, which come while somebody types. If
// exact odds are too large, they are simulated instead, and the row says so.

import { button, fill, h } from './dom.js';
import { createEditor } from './editor.js';
import { ask as engine, latest, refusal, Refused } from './engine.js';
import { write } from './fragment.js';
import { ruleTokens } from './highlight.js';
import { brief as short, briefPercent, whole } from './numbers.js';
import { progressBar } from './progress.js';
import { noteList, showFindings } from './findings.js';

/** Exact odds that would take too much work or too many outcomes, or too long. */
export const TOO_LARGE = new Set(['D0405', 'D0544']);
/** Simulations are those of one seed, so that a link gives everybody the same numbers. */
export const SAMPLE = { trials: 1_000_000, seed: 1 };

/** How many colours there are. */
const COLOURS = 6;
const LONGEST_NAME = 60;

/**
 * @typedef {{dialect: string, values: (names: string[]) => Record<string, any>}} Surroundings
 * @typedef {ReturnType<typeof createRuleRow>} RuleRow
 */

/**
 * @param {{text: string, name: string}} given @param {Surroundings} around
 * @param {{changed: () => void, answered: () => void, remove: () => void, enter: () => void}} on
 */
export function createRuleRow({ text, name }, around, on) {
  const question = latest();
  const editor = createEditor({
    label: 'Rule',
    tokens: ruleTokens,
    lines: false,
    placeholder: 'such as 4d6kh3',
    oninput: () => {
      performance.mark('typed');
      on.changed();
      ask();
    },
    onenter: on.enter,
  });
  editor.value = text;
  const naming = h('input', {
    type: 'text',
    class: 'rule-name',
    value: name,
    placeholder: 'name',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: String(LONGEST_NAME),
    oninput: () => {
      on.changed();
      on.answered();
    },
  });
  const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  const brief = h('output', { class: 'brief' });
  const progress = progressBar(() => question.stop(), () => void ask());
  /** What is worth knowing about the answer. @type {any[]} */
  let notes = [];
  const onNote = (/** @type {any} */ note) => notes.push(note);
  const remove = button('×', on.remove, {
    class: 'quiet remove',
    'aria-label': 'Remove this rule',
  });
  const element = h(
    'li',
    { class: 'rule' },
    h('div', { class: 'rule-line' }, swatch, naming, editor.element, brief, remove),
    editor.faults,
    progress.element,
  );
  const row = {
    element,
    editor,
    remove,
    /** @type {any} the last odds, which stay while the text is wrong */
    odds: null,
    /** The text that they belong to. */
    answered: '',
    /** Whether that is an earlier one. */
    stale: false,
    /** @type {{name: string, owner: string}[]} */
    resources: [],
    letter: 'A',
    colour: 0,
    ask,
    stop: () => question.stop(),
    /** @param {number} index */
    number(index) {
      row.letter = letterOf(index);
      row.colour = index % COLOURS;
      swatch.textContent = row.letter;
      element.className = `rule series series-${row.colour}`;
      editor.field.setAttribute('aria-label', `Rule ${row.letter}`);
      naming.setAttribute('aria-label', `Name of rule ${row.letter}`);
    },
    get text() {
      return editor.value.trim();
    },
    /** What somebody has named it, or nothing. */
    get name() {
      return naming.value.trim();
    },
    /** What it is called where its odds are shown. */
    get title() {
      return row.name || row.answered;
    },
    get sampled() {
      return row.odds?.exact === false;
    },
  };

  async function ask() {
    const rule = editor.value;
    const signal = question.begin();
    progress.reset();
    element.setAttribute('aria-busy', 'true');
    if (rule.trim() === '') return settle(null, []);
    const program = { rule, dialect: around.dialect };
    try {
      row.resources = /[[@]/.test(rule)
        ? (await engine('check', program, { signal })).resources
        : [];
      const set = around.values(row.resources.map(({ name }) => name));
      const asked = Object.keys(set).length > 0 ? { ...program, set } : program;
      notes = [];
      const answer = await exactOrSampled(asked, signal);
      settle(answer.outputs ? null : answer, []);
      if (answer.outputs) await otherView(rule);
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return cancelled(signal);
      progress.hide();
      settle(null, refused.findings.map(ofRule));
    }
  }
  /** An AnyDice program has several outputs, and a view of its own. @param {string} text */
  async function otherView(text) {
    const href = await write('anydice', { text });
    const link = href === null ? 'open the view AnyDice' : h('a', { href }, 'see its outputs');
    fill(editor.faults, h('p', { class: 'remark' }, 'This is an AnyDice program: ', link));
  }
  /** @param {any} asked @param {AbortSignal} signal */
  async function exactOrSampled(asked, signal) {
    // Most odds are there before anybody could read that they are computed.
    const soon = setTimeout(waiting, 150);
    const slow = setTimeout(() => progress.begin('Computing exact odds'), 400);
    const stopTimers = () => [soon, slow].forEach(clearTimeout);
    signal.addEventListener('abort', stopTimers);
    try {
      return await engine('odds', asked, { signal, onNote });
    } catch (error) {
      if (!(error instanceof Refused) || !TOO_LARGE.has(error.code)) throw error;
      stopTimers();
      progress.begin('Too large for exact odds: simulating', 'rolls');
      waiting();
      const sampled = { ...asked, ...SAMPLE };
      return await engine('sim', sampled, {
        signal,
        onNote,
        onProgress: ({ done, of, partial }) => {
          progress.at(done, of);
          if (partial) settle(partial, []);
        },
      });
    } finally {
      stopTimers();
      if (question.isLatest(signal)) progress.hide();
    }
  }
  /**
   * Another text has been typed, or somebody has stopped the work: what has come so far stays.
   * @param {AbortSignal} signal
   */
  function cancelled(signal) {
    if (!question.isLatest(signal)) return;
    progress.hide();
    element.removeAttribute('aria-busy');
    if (row.stale) brief.textContent = '';
  }
  /** Whether a text is a rule, so that it can be used. @param {string} rule */
  const runs = (rule) =>
    engine('check', { rule, dialect: around.dialect }).then(
      () => true,
      () => false,
    );
  /** What is shown is the answer to an earlier question, and looks like it. */
  function waiting() {
    row.stale = row.odds !== null;
    if (row.stale) brief.textContent = '…';
    on.answered();
  }
  /** @param {any} odds @param {any[]} findings */
  function settle(odds, findings) {
    if (progress.element.hidden) element.removeAttribute('aria-busy');
    row.stale = odds === null && findings.length > 0;
    if (!row.stale) Object.assign(row, { odds, answered: row.text });
    editor.mark(findings);
    showFindings(editor, findings, { runs });
    if (odds) editor.faults.append(...noteList(editor, notes, runs));
    brief.textContent = odds ? briefly(odds) : '';
    on.answered();
  }
  return row;
}

/**
 * A finding about the value of a resource has no place in the rule.
 * @param {any} finding
 */
function ofRule(finding) {
  if (!finding.file) return finding;
  const message = `the value of ${finding.file}: ${finding.message}`;
  return { ...finding, message, start: null, end: null };
}

/** A, B, ... Z, A2, B2, ... @param {number} index */
export function letterOf(index) {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round > 0 ? round + 1 : '');
}

/** An answer in a few characters. @param {any} odds */
function briefly(odds) {
  const about = odds.exact ? '' : '≈ ';
  if (odds.p !== null && odds.p !== undefined) return about + briefPercent(odds.p);
  if (odds.mean !== null && odds.mean !== undefined)
    return `${about}${short(odds.mean)} ± ${short(odds.sd)}`;
  return `${whole(odds.outcomes?.length ?? 0)} results`;
}
