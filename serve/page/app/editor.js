// A field for rules and scripts: a transparent text field over its own coloured copy, in which
// mistakes are underlined. Both are in one cell of a grid, so the copy gives the field its size,
// and whatever is around them scrolls.

import { freshId, h } from './dom.js';
import { ranges } from './marks.js';

/** @typedef {import('./highlight.js').Token} Token */

const INDENT = '    ';

/**
 * @typedef {{code: string, message: string, help: string | null, start: number | null,
 *   end: number | null}} Finding
 */

/**
 * @param {{label: string, tokens: (text: string) => Token[], oninput: (text: string) => void,
 *   lines: boolean,
 *   onenter?: () => void, placeholder?: string}} options `lines`: whether the text may have several
 */
export function createEditor({ label, tokens, oninput, lines, onenter, placeholder }) {
  const copy = h('div', { class: 'editor-copy', 'aria-hidden': 'true' });
  const faults = h('div', { class: 'faults', id: freshId('faults'), 'aria-live': 'polite' });
  const field = /** @type {HTMLTextAreaElement} */ (
    h('textarea', {
      class: 'editor-field',
      rows: '1',
      'aria-label': label,
      placeholder,
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      autocorrect: 'off',
      'aria-describedby': faults.id,
      wrap: lines ? 'off' : 'soft',
    })
  );
  const gutter = h('div', { class: 'editor-gutter', 'aria-hidden': 'true' });
  const element = h(
    'div',
    { class: lines ? 'editor editor-lines' : 'editor editor-line' },
    lines && gutter,
    copy,
    field,
  );
  /** @type {Finding[]} */
  let findings = [];

  const draw = () => {
    copy.replaceChildren(
      ...pieces(field.value, tokens(field.value), ranges(field.value, findings)),
    );
    // A last empty line has no height of its own.
    copy.append('\u200b');
    if (lines) number(gutter, field.value);
  };
  field.addEventListener('input', () => {
    // What was wrong with the text before says nothing about this one's places.
    findings = [];
    if (!lines && field.value.includes('\n')) field.value = field.value.replaceAll('\n', ' ');
    draw();
    oninput(field.value);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    if (!lines) {
      event.preventDefault();
      onenter?.();
    } else if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      newLine(field);
    }
  });
  if (lines) tabs(field);
  draw();
  return {
    element,
    faults,
    field,
    get value() {
      return field.value;
    },
    set value(text) {
      field.value = text;
      findings = [];
      draw();
    },
    /** Underlines mistakes. @param {Finding[]} found */
    mark(found) {
      findings = found;
      field.setAttribute('aria-invalid', String(found.length > 0));
      draw();
    },
    /** Puts the cursor at an index of the text. @param {number} index */
    jump(index) {
      field.focus();
      field.setSelectionRange(index, index);
    },
  };
}

/** Numbers the lines of a text. @param {HTMLElement} gutter @param {string} text */
function number(gutter, text) {
  const count = text.split('\n').length;
  if (Number(gutter.dataset.count) === count) return;
  gutter.dataset.count = String(count);
  gutter.textContent = Array.from({ length: count }, (_, i) => i + 1).join('\n');
}

/**
 * Writes into a field as somebody who types, so that it can be undone there.
 * @param {HTMLTextAreaElement} field @param {string} text @param {number} start @param {number} end
 */
export function typeInto(field, text, start, end) {
  field.focus();
  field.setSelectionRange(start, end);
  const isTyped = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (isTyped) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new Event('input'));
}

/**
 * A new line that begins as far in as the one before; after `{` one level further.
 * @param {HTMLTextAreaElement} field
 */
function newLine(field) {
  const before = field.value.slice(0, field.selectionStart);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const depth = /^ */.exec(line)?.[0] ?? '';
  const text = `\n${depth}${line.trimEnd().endsWith('{') ? INDENT : ''}`;
  typeInto(field, text, field.selectionStart, field.selectionEnd);
}

/**
 * Tab moves the lines of the selection in, and with Shift out. After Escape it leaves the field, as
 * everywhere else.
 * @param {HTMLTextAreaElement} field
 */
function tabs(field) {
  let leaves = false;
  field.title = 'Tab moves lines in. Escape, then Tab leaves the editor.';
  field.addEventListener('blur', () => (leaves = false));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leaves = true;
    else if (event.key === 'Tab' && !leaves && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      move(field, event.shiftKey);
    } else if (event.key !== 'Tab' && event.key !== 'Shift') leaves = false;
  });
}

/** @param {HTMLTextAreaElement} field @param {boolean} out */
function move(field, out) {
  const { value, selectionStart: start, selectionEnd: end } = field;
  if (!out && start === end) return typeInto(field, INDENT, start, end);
  const first = value.lastIndexOf('\n', start - 1) + 1;
  const text = value.slice(first, end);
  const moved = out ? text.replaceAll(/^ {1,4}/gm, '') : text.replaceAll(/^(?=.)/gm, INDENT);
  if (moved === text) return;
  typeInto(field, moved, first, end);
  const taken = out ? text.length - text.replace(/^ {1,4}/, '').length : -INDENT.length;
  field.setSelectionRange(Math.max(first, start - taken), first + moved.length);
}

/**
 * The coloured text, cut where a token or an underlined range begins or ends.
 * @param {string} text @param {Token[]} tokens @param {import('./marks.js').Range[]} marked
 */
function pieces(text, tokens, marked) {
  const edges = new Set(marked.flatMap(({ start, end }) => [start, end]));
  const gaps = new Set(marked.filter(({ start, end }) => start === end).map(({ start }) => start));
  const nodes = [];
  let at = 0;
  for (const token of tokens) {
    const end = at + token.text.length;
    const cuts = [
      at,
      ...[...edges].filter((edge) => edge > at && edge < end).sort((a, b) => a - b),
      end,
    ];
    for (let i = 0; i + 1 < cuts.length; i += 1) {
      if (gaps.has(cuts[i])) nodes.push(h('span', { class: 'gap' }));
      const wrong = marked.some((range) => range.start <= cuts[i] && cuts[i + 1] <= range.end);
      const part = text.slice(cuts[i], cuts[i + 1]);
      nodes.push(h('span', { class: `token-${token.kind}${wrong ? ' wrong' : ''}` }, part));
    }
    at = end;
  }
  if (gaps.has(text.length)) nodes.push(h('span', { class: 'gap' }));
  return nodes;
}
