// The view of scripts: an editor, a form for the arguments of a roll, and panes in which it is
// rolled or its odds are shown.

import { scriptCommand } from './command.js';
import { createDecisions } from './decisions.js';
import { button, debounce, field, fill, h, segmented, select } from './dom.js';
import { createEditor } from './editor.js';
import { ask, latest, refusal, Refused } from './engine.js';
import { SCRIPT_EXAMPLES } from './script_examples.js';
import { showFindings } from './findings.js';
import { form } from './form.js';
import { scriptTokens } from './highlight.js';
import { createOddsPane } from './odds_pane.js';
import { SETTINGS } from './odds_panel.js';
import { createRollPane } from './roll_pane.js';
import { saveText } from './save.js';
import { fitted } from './schema.js';
import { data, either, flag, members, named, oneOf, text as anyText, whole } from './shape.js';
import { copyButtons } from './take.js';

const FILE = 'script.dice';
/** No script has more bytes than this. */
const LARGEST_FILE = 1 << 20;
const MODES = /** @type {[string, string][]} */ ([
  ['roll', 'Roll'],
  ['odds', 'Odds'],
  ['sim', 'Simulation'],
]);

/** What a link says about this view. Which arguments there may be is known to the script. */
export const SCRIPT_STATE = members({
  text: anyText,
  roll: anyText,
  args: data,
  mode: oneOf(MODES.map(([mode]) => mode)),
  seed: whole(0),
  choices: named(either(flag, whole(), anyText)),
  stepping: flag,
  options: named(anyText),
  what: anyText,
  settings: members(SETTINGS),
});

/** @param {import('./main.js').Told} on */
export function createScriptView(on) {
  const question = latest();
  /** @type {any} */
  let described = null;
  /** The roll as it is described, if the script has one. @type {any} */
  let roll = null;
  /** The roll that a link is about, until it is described. @type {string | undefined} */
  let wanted;
  let mode = 'roll';
  /**
   * @type {{args: any, decisions: Record<string, string>, choice: {what: string},
   *   settings: import('./odds_panel.js').Settings}}
   */
  const state = {
    args: {},
    decisions: Object.create(null),
    choice: { what: '' },
    settings: { mode: 'exactly', shape: 'auto' },
  };

  const editor = createEditor({
    label: 'Script',
    tokens: scriptTokens,
    lines: true,
    oninput: () => typed(),
  });
  const decisions = createDecisions(state.decisions, () => answer());
  const rolls = h('span', {});
  const args = h('details', { class: 'arguments', open: true }, h('summary', {}, 'Arguments'));
  const argsBox = h('div', {});
  args.append(argsBox);
  const wrong = h('div', { class: 'faults', role: 'status' });
  const rollPane = createRollPane({
    program: () => program(false),
    changed: on.changed,
    onRefused,
  });
  const oddsPane = createOddsPane({
    program: () => program(true),
    changed: on.changed,
    onRefused,
    ...state,
  });
  const panes = segmented(
    'What to do',
    MODES,
    mode,
    (chosen) => {
      mode = chosen;
      answer();
    },
  );
  const said = h('span', { class: 'said', role: 'status' });
  const examples = select(
    [
      ['', 'Examples …'],
      ...SCRIPT_EXAMPLES.map(
        ({ title }, i) => /** @type {[string, string]} */ ([String(i), title]),
      ),
    ],
    '',
    (i) => {
      examples.value = '';
      on.replacing(SCRIPT_EXAMPLES[Number(i)].title);
      restore(SCRIPT_EXAMPLES[Number(i)].state);
      on.changed();
    },
    { 'aria-label': 'Examples' },
  );
  const opener = h('input', {
    type: 'file',
    accept: '.dice',
    class: 'unseen',
    tabindex: '-1',
    'aria-hidden': 'true',
    onchange: async () => {
      const [file] = opener.files ?? [];
      if (file) await openFile(file);
      opener.value = '';
    },
  });
  const remark = h('p', { class: 'remark old-remark' });
  const pane = h(
    'section',
    { class: 'panel roll-panel', 'aria-label': 'Roll' },
    remark,
    h(
      'div',
      { class: 'tools' },
      rolls,
      panes.element,
      h('span', { class: 'grow' }),
      h(
        'div',
        { class: 'take' },
        copyButtons(() => command(mode), said),
        said,
      ),
    ),
    args,
    decisions.element,
    wrong,
    rollPane.element,
    oddsPane.element,
  );
  const element = h(
    'div',
    { class: 'view view-script' },
    h(
      'section',
      { class: 'panel script-panel', 'aria-label': 'Script' },
      h(
        'div',
        { class: 'tools' },
        examples,
        opener,
        h(
          'div',
          { class: 'take' },
          button('Open', () => opener.click()),
          button('Save', () => saveText(FILE, editor.value, 'text/plain')),
        ),
      ),
      editor.element,
      editor.faults,
    ),
    pane,
  );

  const typed = debounce(() => {
    on.changed();
    void describe();
  }, 120);

  /** What the script has: its rolls, and their arguments and options. */
  async function describe() {
    const signal = question.begin();
    try {
      described = await ask('describe', { script: editor.value }, { signal });
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      editor.mark(refused.findings);
      old(true, inText(refused) ? 'The script has a mistake' : 'The script is not answered');
      return showFindings(editor, refused.findings, { places: true });
    }
    editor.mark([]);
    old(false);
    showFindings(editor, []);
    choose(roll?.name ?? wanted);
  }
  /**
   * What is shown, if anything is, was the answer of the script as it was before.
   * @param {boolean} isOld
   * @param {string} [why]
   */
  function old(isOld, why = '') {
    remark.textContent = `${why}${roll ? ': this is what it was before' : ''}.`;
    pane.classList.toggle('old', isOld);
    rollPane.element.inert = oddsPane.element.inert = isOld;
  }
  /** @param {File} file */
  async function openFile(file) {
    const text = file.size > LARGEST_FILE ? null : await file.text().catch(() => null);
    if (text === null) {
      const message = `${file.name} cannot be read, or is too large for a script`;
      return fill(editor.faults, h('p', { class: 'fault' }, message));
    }
    on.replacing(file.name);
    restore({ text });
    on.changed();
  }
  /** Takes the roll of this name, or the first one. @param {string | undefined} name */
  function choose(name) {
    roll =
      described.rolls.find((/** @type {any} */ one) => one.name === name) ??
      described.rolls[0] ??
      null;
    fill(
      rolls,
      described.rolls.length > 1 &&
        field(
          'Roll',
          select(
            described.rolls.map((/** @type {any} */ one) => [one.name, one.label]),
            roll.name,
            (other) => {
              rollPane.restore({});
              choose(other);
              on.changed();
            },
          ),
          { class: 'field field-inline' },
        ),
    );
    args.hidden = !roll || Object.keys(roll.arguments.properties ?? {}).length === 0;
    if (!roll) return answer();
    state.args = fitted(roll.arguments, described.$defs, state.args);
    fill(
      argsBox,
      form(roll.arguments, state.args, {
        defs: described.$defs,
        changed: debounce(() => answer(), 150),
      }),
    );
    decisions.show(roll);
    answer();
  }
  /** Asks what is to be seen. */
  function answer() {
    on.changed();
    fill(wrong);
    rollPane.element.hidden = mode !== 'roll';
    oddsPane.element.hidden = mode === 'roll';
    decisions.element.hidden = mode === 'roll' || !roll?.options.length;
    oddsPane.stop();
    if (!roll) {
      rollPane.clear();
      oddsPane.clear();
      return fill(wrong, described && noRoll());
    }
    if (mode === 'roll') rollPane.again();
    else void oddsPane.run(/** @type {'odds' | 'sim'} */ (mode));
  }
  /** @param {boolean} many whether players are simulated, who decide by themselves */
  function program(many) {
    const hasDecisions = many && Object.keys(state.decisions).length > 0;
    return {
      script: editor.value,
      // Without a roll, the answer says what the script lacks.
      ...(roll ? { roll: roll.name, arguments: state.args } : {}),
      ...(hasDecisions ? { options: state.decisions } : {}),
    };
  }
  /** @param {string} verb */
  function command(verb) {
    if (!roll) return `dicec check ${FILE}`;
    const asked = { roll: roll.name, arguments: state.args };
    return verb === 'roll'
      ? scriptCommand('roll', FILE, { ...asked, ...rollPane.asked })
      : scriptCommand(verb, FILE, {
          ...asked,
          options: state.decisions,
          ...(verb === 'sim' ? { seed: 1 } : {}),
        });
  }
  /** A refused question: about the script, or about the arguments. @param {Refused} refused */
  function onRefused(refused) {
    rollPane.clear();
    const isAboutText = inText(refused);
    if (isAboutText) editor.mark(refused.findings);
    const at = { ...editor, value: editor.value, faults: wrong };
    showFindings(at, refused.findings, { places: isAboutText });
  }
  /** @param {any} saved */
  function restore(saved) {
    const from = saved ?? SCRIPT_EXAMPLES[0].state;
    editor.value = from.text ?? SCRIPT_EXAMPLES[0].state.text;
    state.args = structuredClone(from.args ?? {});
    for (const text of Object.keys(state.decisions)) delete state.decisions[text];
    Object.assign(state.decisions, from.options ?? {});
    state.choice.what = from.what ?? '';
    Object.assign(state.settings, { mode: 'exactly', shape: 'auto', ...from.settings });
    mode = from.mode ?? 'roll';
    panes.choose(mode);
    rollPane.restore(from);
    oddsPane.clear();
    described = roll = null;
    wanted = from.roll;
    void describe();
  }
  return {
    element,
    restore,
    title: () => roll?.label ?? '',
    state() {
      const { mode: shown, shape } = state.settings;
      const name = roll?.name ?? wanted;
      return {
        text: editor.value,
        ...(name ? { roll: name, args: state.args } : {}),
        ...(mode === 'roll' ? {} : { mode }),
        ...rollPane.state(),
        ...(Object.keys(state.decisions).length > 0 ? { options: state.decisions } : {}),
        ...(state.choice.what ? { what: state.choice.what } : {}),
        ...(shown === 'exactly' && shape === 'auto' ? {} : { settings: state.settings }),
      };
    },
  };
}

function noRoll() {
  return h(
    'p',
    { class: 'remark' },
    'This script has no roll yet: write ',
    h('code', {}, 'defroll "Name" name() { ... }'),
    '.',
  );
}

/** Whether what is wrong has places in the text. @param {Refused} refused */
function inText({ findings }) {
  return findings.some(({ start }) => start !== null && start !== undefined);
}
