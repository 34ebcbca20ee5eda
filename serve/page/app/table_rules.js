// The columns that are added to a table: a name and a rule for each, checked while somebody types.

import { button, fill, freshId, h } from './dom.js';
import { createEditor, typeInto } from './editor.js';
import { ask, latest, refusal } from './engine.js';
import { showFindings } from './findings.js';
import { ruleTokens } from './highlight.js';

/** @typedef {{name: string, rule: string}} Column */

/** @param {() => void} changed @param {(name: string) => void} losing before a rule is removed */
export function createTableRules(changed, losing) {
  const list = h('ol', { class: 'rules' });
  const chips = h('p', { class: 'examples columns' });
  const ideas = h('p', { class: 'examples columns ideas' });
  /** @type {ReturnType<typeof row>[]} */
  let rows = [];
  /** The rule in which names of columns are put. @type {HTMLTextAreaElement | null} */
  let target = null;
  const add = button(
    'Add a column',
    () => {
      append({ name: `rule${rows.length + 1}`, rule: '' }).editor.field.focus();
    },
    { class: 'quiet add' },
  );
  const element = h('div', {}, ideas, list, add, chips);

  /** @param {Column} column */
  function append(column) {
    const one = row(column, {
      changed,
      focus: (field) => {
        target = field;
      },
      remove: () => {
        if (one.editor.value.trim() !== '') losing(one.name.value);
        rows = rows.filter((other) => other !== one);
        one.element.remove();
        changed();
      },
    });
    rows.push(one);
    list.append(one.element);
    return one;
  }
  return {
    element,
    /** @param {Column[]} columns */
    restore(columns) {
      rows = [];
      list.replaceChildren();
      for (const column of columns) append(column);
    },
    /** The columns with a rule. @returns {Column[]} */
    columns: () =>
      rows
        .map((one) => ({ name: one.name.value.trim(), rule: one.editor.value.trim() }))
        .filter(({ rule }) => rule !== ''),
    /** Offers rules that fit the table. @param {Column[]} columns */
    suggest(columns) {
      const isNew = (/** @type {Column} */ { rule }) =>
        rows.every(({ editor }) => editor.value.trim() !== rule);
      const others = columns.filter(isNew);
      fill(
        ideas,
        others.length > 0 && h('span', {}, 'Fits this table '),
        others.map((column) =>
          button(
            `${column.name} = ${column.rule}`,
            () => {
              // A column without a rule is one to be written.
              const empty = rows.find(({ editor }) => editor.value.trim() === '');
              if (empty) {
                rows = rows.filter((one) => one !== empty);
                empty.element.remove();
              }
              append(column);
              changed();
            },
            { class: 'chip' },
          ),
        ),
      );
    },
    /** Offers the names of the table's columns as resources. @param {string[]} names */
    offer(names) {
      fill(
        chips,
        names.length > 0 && h('span', {}, 'Columns '),
        names.map((name) =>
          button(
            `[${name}]`,
            () => {
              const field = target ?? rows.at(-1)?.editor.field;
              if (!field) return;
              typeInto(field, `[${name}]`, field.selectionStart, field.selectionEnd);
            },
            { class: 'chip' },
          ),
        ),
      );
    },
  };
}

/**
 * @param {Column} column
 * @param {{changed: () => void, focus: (field: HTMLTextAreaElement) => void,
 *   remove: () => void}} on
 */
function row(column, on) {
  const question = latest();
  const name = h('input', {
    type: 'text',
    id: freshId('column'),
    value: column.name,
    'aria-label': 'Name of the column',
    pattern: '[A-Za-z][A-Za-z0-9_]*',
    autocomplete: 'off',
    oninput: on.changed,
  });
  const editor = createEditor({
    label: 'Rule of the column',
    tokens: ruleTokens,
    lines: false,
    placeholder: 'such as 1d20 + [Attack] >= [Target Defense]',
    oninput: (text) => {
      void check(text);
      on.changed();
    },
  });
  editor.value = column.rule;
  editor.field.addEventListener('focus', () => on.focus(editor.field));

  /** @param {string} rule */
  async function check(rule) {
    const signal = question.begin();
    try {
      if (rule.trim() !== '') await ask('check', { rule }, { signal });
      show([]);
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      show(refused.findings);
    }
  }
  /** @param {string} rule */
  const runs = (rule) =>
    ask('check', { rule }).then(
      () => true,
      () => false,
    );
  /** @param {import('./editor.js').Finding[]} findings */
  function show(findings) {
    editor.mark(findings);
    showFindings(editor, findings, { runs });
  }
  const element = h(
    'li',
    { class: 'rule' },
    h(
      'div',
      { class: 'column-line' },
      name,
      h('span', { 'aria-hidden': 'true' }, '='),
      editor.element,
      button('×', on.remove, { class: 'quiet remove', 'aria-label': 'Remove this column' }),
    ),
    editor.faults,
  );
  return { element, editor, name };
}
