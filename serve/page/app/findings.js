// What is wrong with a text, below it: the message, what to type instead, and where.

import { button, fill, h } from './dom.js';
import { position, ranges } from './marks.js';

/**
 * @param {{value: string, faults: HTMLElement, field: HTMLTextAreaElement,
 *   jump: (index: number) => void}} editor
 * @param {import('./editor.js').Finding[]} findings
 * @param {boolean} [places] whether lines and columns say something
 */
export function showFindings(editor, findings, places = false) {
  const text = editor.value;
  fill(
    editor.faults,
    findings.map((finding) => {
      const [range] = ranges(text, [finding]);
      const at = range && position(text, range.start);
      const better = range && suggestion(finding.help);
      return h(
        'p',
        { class: 'fault' },
        places &&
          at &&
          button(`${at.line}:${at.column}`, () => editor.jump(range.start), {
            class: 'place',
            'aria-label': `${at.line}:${at.column}, go to line ${at.line}, column ${at.column}`,
          }),
        worded(finding),
        better && button(`Use ${better}`, () => replace(editor, range, better), { class: 'fix' }),
      );
    }),
  );
}

/** Text with `code` in it. @param {string} text */
function quotes(text) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part));
}

/** What a message proposes instead of the underlined text. @param {string | null} help */
function suggestion(help) {
  return /^did you mean `([^`]+)`\?/.exec(help ?? '')?.[1] ?? null;
}

/**
 * @param {{field: HTMLTextAreaElement}} editor
 * @param {import('./marks.js').Range} range
 * @param {string} text
 */
function replace({ field }, { start, end }, text) {
  field.setRangeText(text, start, end, 'end');
  field.focus();
  field.dispatchEvent(new Event('input'));
}

/**
 * What is wrong, without places: with a question that is not a text.
 * @param {import('./editor.js').Finding[]} findings
 */
export function faultList(findings) {
  return findings.map((finding) => h('p', { class: 'fault' }, worded(finding)));
}

/** @param {import('./editor.js').Finding} finding */
function worded({ message, help }) {
  return [
    h('span', { class: 'fault-message' }, quotes(message)),
    help && h('span', { class: 'fault-help' }, quotes(help)),
  ];
}
