// The view of rules: several, each on a line of its own, their resources, their odds in one graph,
// and how they compare.

import { ruleCommand } from './command.js';
import { button, debounce, exampleChips, h, segmented } from './dom.js';
import { RULE_EXAMPLES } from './examples.js';
import { typeInto } from './editor.js';
import { notationHelp } from './notation.js';
import { createOddsPanel, SETTINGS } from './odds_panel.js';
import { palette } from './palette.js';
import { createResources } from './resources.js';
import { createRuleRoll } from './rule_roll.js';
import { createRuleRow, SAMPLE } from './rule_row.js';
import { either, list as listOf, members, named, oneOf, text as anyText, whole } from './shape.js';
import { createSweep } from './sweep.js';
import { createVersus } from './versus.js';

/** More have no place in a graph, nor in a link. */
const MAX_RULES = 40;
const DIALECTS = /** @type {[string, string][]} */ ([
  ['rulebook', 'rule book'],
  ['notation', 'virtual tabletop'],
]);

/** What a link says about this view. */
export const RULE_STATE = members({
  rules: listOf(anyText, { least: 1, most: MAX_RULES }),
  names: listOf(anyText, { most: MAX_RULES }),
  dialect: oneOf(DIALECTS.map(([dialect]) => dialect)),
  set: named(either(whole(), anyText)),
  over: anyText,
  ...SETTINGS,
});

/** @param {import('./main.js').Told} on */
export function createRuleView(on) {
  /** @type {Record<string, any>} */
  const values = Object.create(null);
  /** @type {import('./odds_panel.js').Settings} */
  const settings = { mode: 'exactly', shape: 'auto' };
  const choice = { over: /** @type {string | null} */ (null) };
  const around = {
    dialect: 'rulebook',
    values: (/** @type {string[]} */ names) => resources.values(names),
  };
  /** @type {import('./rule_row.js').RuleRow[]} */
  let rows = [];
  /** The rule in which somebody has typed last. @type {HTMLElement | null} */
  let touched = null;

  const resources = createResources(values, {
    changed(name) {
      for (const row of rows)
        if (resources.known(row.resources.map((one) => one.name)).includes(name)) void row.ask();
      sweep.follow();
      if (sweep.over !== name) later();
      on.changed();
    },
  });
  const panel = createOddsPanel({
    name: 'odds',
    settings,
    onsettings: on.changed,
    command,
    keepSign: () => read('notation'),
  });
  const rolling = createRuleRoll(() => shown().filter((row) => !row.stale), around);
  const sweep = createSweep(values, around, choice, on.changed);
  const versus = createVersus(around);
  const list = h('ol', { class: 'rules' });
  const add = button(
    'Add a rule',
    () => {
      append('').editor.field.focus();
      on.changed();
    },
    { class: 'quiet add' },
  );
  const dialects = segmented(
    'Dialect',
    DIALECTS,
    around.dialect,
    read,
  );
  const examples = exampleChips(RULE_EXAMPLES, on, restore);
  const mechanics = palette(take);
  examples.append(button('more, by game …', mechanics.open, { class: 'chip' }));
  const empty = h(
    'p',
    { class: 'empty' },
    'Type a rule, such as ',
    h('code', {}, '4d6kh3'),
    ', to see its odds.',
  );
  const card = h(
    'section',
    { class: 'panel graph-panel', 'aria-label': 'Odds' },
    empty,
    panel.element,
  );
  const element = h(
    'div',
    { class: 'view view-rule' },
    h(
      'section',
      { class: 'panel', 'aria-label': 'Rules' },
      list,
      h(
        'div',
        { class: 'rules-foot' },
        add,
        h('span', { class: 'grow' }),
        dialects.element,
        button('Roll', () => void rolling.roll(), { class: 'main' }),
      ),
    ),
    examples,
    rolling.element,
    resources.element,
    card,
    sweep.element,
    versus.element,
    mechanics.element,
    notationHelp(take),
  );

  /** Fills the rule in which somebody has typed last. @param {string} rule @param {string} name */
  function take(rule, name) {
    const row = rows.find((one) => one.editor.element === touched) ?? rows[0];
    if (row.text !== '' && row.text !== rule) on.replacing(name);
    const { field } = row.editor;
    typeInto(field, rule, 0, field.value.length);
    field.scrollIntoView({ block: 'nearest' });
  }

  // What follows from all rules can wait until nobody types.
  const later = debounce(() => {
    void sweep.show(shown());
    void versus.show(shown());
  }, 120);

  /** Reads the rules as another dialect. @param {string} dialect */
  function read(dialect) {
    around.dialect = dialect;
    dialects.choose(dialect);
    for (const row of rows) void row.ask();
    on.changed();
  }
  /** @param {string} text @param {string} [name] */
  function append(text, name = '') {
    const row = createRuleRow({ text, name }, around, {
      changed: on.changed,
      answered: draw,
      enter: () =>
        rows.at(-1) === row ? add.click() : rows[rows.indexOf(row) + 1].editor.field.focus(),
      remove: () => {
        if (row.text !== '') on.losing(`Rule ${row.letter} is removed.`);
        row.stop();
        rows = rows.filter((one) => one !== row);
        row.element.remove();
        arrange();
        draw();
        rows.at(-1)?.editor.field.focus();
        on.changed();
      },
    });
    rows.push(row);
    row.editor.field.addEventListener('focus', () => {
      touched = row.editor.element;
    });
    list.append(row.element);
    arrange();
    if (text !== '') void row.ask();
    return row;
  }
  function arrange() {
    rows.forEach((row, i) => row.number(i));
    element.classList.toggle('single', rows.length === 1);
    for (const row of rows) row.remove.hidden = rows.length === 1;
    add.disabled = rows.length >= MAX_RULES;
  }
  function shown() {
    return rows.filter((row) => row.odds !== null);
  }
  function draw() {
    resources.show([...new Set(rows.flatMap((row) => row.resources.map(({ name }) => name)))]);
    const series = shown().map((row) => ({
      letter: row.letter,
      colour: row.colour,
      name: row.title,
      odds: row.odds,
      stale: row.stale,
    }));
    empty.hidden = series.length > 0;
    panel.show(series);
    performance.mark('drawn');
    later();
  }
  /** One command if the rules can be compared, else one for each. */
  function command() {
    const asked = shown();
    const kinds = new Set(asked.map((row) => row.odds.kind));
    const isOne = kinds.size === 1 && !kinds.has('label') && !asked.some((row) => row.sampled);
    const groups = isOne ? [asked] : asked.map((row) => [row]);
    return groups
      .map((group) => {
        const names = group.flatMap((row) => row.resources.map(({ name }) => name));
        return ruleCommand(
          group.map((row) => row.answered),
          {
            dialect: around.dialect,
            set: resources.values(names),
            ...(group[0].sampled ? { sample: SAMPLE } : {}),
          },
        );
      })
      .join('\n');
  }
  /** @param {any} state */
  function restore(state) {
    for (const row of rows) row.stop();
    rolling.close();
    rows = [];
    list.replaceChildren();
    for (const name of Object.keys(values)) delete values[name];
    Object.assign(values, state?.set ?? {});
    Object.assign(settings, { mode: state?.mode ?? 'exactly', shape: state?.shape ?? 'auto' });
    choice.over = state?.over ?? null;
    around.dialect = state?.dialect ?? 'rulebook';
    dialects.choose(around.dialect);
    const texts = state?.rules ?? RULE_EXAMPLES[0].state.rules;
    texts.forEach((/** @type {string} */ text, /** @type {number} */ i) =>
      append(text, state?.names?.[i]),
    );
    resources.refresh();
    draw();
  }
  return {
    element,
    restore,
    title: () =>
      rows
        .map((row) => row.text)
        .filter((text) => text !== '')
        .join(' / '),
    state() {
      // Which names are resources is known later than the text.
      const texts = [...rows.map((row) => row.text), ...Object.values(values)].join(' ');
      const set = Object.fromEntries(
        Object.entries(values).filter(([name]) => texts.includes(name)),
      );
      return {
        rules: rows.map((row) => row.text),
        ...(rows.some((row) => row.name) ? { names: rows.map((row) => row.name) } : {}),
        ...(around.dialect === 'rulebook' ? {} : { dialect: around.dialect }),
        ...(Object.keys(set).length > 0 ? { set } : {}),
        ...(settings.mode === 'exactly' ? {} : { mode: settings.mode }),
        ...(settings.shape === 'auto' ? {} : { shape: settings.shape }),
        ...(choice.over ? { over: choice.over } : {}),
      };
    },
  };
}
