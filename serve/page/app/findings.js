// What is wrong with a text, below it: the message, what to type instead, and where. What a message
// suggests is a button, if it runs.

import { button, fill, h } from './dom.js';
import { typeInto } from './editor.js';
import { position, ranges } from './marks.js';

/**
 * @typedef {import('./editor.js').Finding} Finding
 * @typedef {{value: string, field: HTMLTextAreaElement}} Text
 * Whether a text can be used in place of the editor's.
 * @typedef {(text: string) => Promise<boolean>} Runs
 */

/** How many suggestions of one message become buttons. */
const MOST_BUTTONS = 3;

/**
 * @param {Text & {faults: HTMLElement, jump: (index: number) => void}} editor
 * @param {Finding[]} findings
 * @param {{places?: boolean, runs?: Runs}} [how] `places`: whether lines and columns say something
 */
export function showFindings(editor, findings, { places = false, runs } = {}) {
  const text = editor.value;
  fill(
    editor.faults,
    findings.map((finding) => {
      const [range] = ranges(text, [finding]);
      const at = range && position(text, range.start);
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
        suggestions(editor, finding, runs),
      );
    }),
  );
}

/**
 * Notes about a text that has an answer, with what they suggest.
 * @param {Text} editor @param {Finding[]} notes @param {Runs} runs
 */
export function noteList(editor, notes, runs) {
  return notes.map((note) =>
    h(
      'p',
      { class: 'remark' },
      quotes(note.message),
      note.help && [': ', quotes(note.help)],
      ' ',
      suggestions(editor, note, runs),
    ),
  );
}

/** Text with `code` in it. @param {string} text */
function quotes(text) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part));
}

/**
 * Buttons for the texts that a message has in backticks. Without a test of what runs, only a text
 * that is meant to stand for the marked part has one.
 * @param {Text} editor @param {Finding} finding @param {Runs | undefined} runs
 */
function suggestions(editor, finding, runs) {
  const text = editor.value;
  const [range] = ranges(text, [finding]);
  const meant = /^did you mean `([^`]+)`\?/.exec(finding.help ?? '')?.[1];
  if (meant && range) return useButton(editor, text, replaced(text, range, meant), meant);
  if (!runs) return null;
  const all = (finding.help ?? '').split('`').filter((part, i) => i % 2 === 1 && part !== '');
  const box = h('span', { class: 'fixes' });
  void tried([...new Set(all)].slice(0, MOST_BUTTONS), text, range, runs).then((usable) => {
    fill(
      box,
      usable.map((mended) => useButton(editor, text, mended, mended)),
    );
  });
  return box;
}

/**
 * The texts that suggestions make of a text and that run: in the marked place, or alone.
 * @param {string[]} all @param {string} text
 * @param {import('./marks.js').Range | undefined} range @param {Runs} runs
 */
async function tried(all, text, range, runs) {
  /** @type {string[]} */
  const usable = [];
  for (const suggestion of all) {
    const isMeant = range && sharesWord(text.slice(range.start, range.end), suggestion);
    const inPlace = range && isMeant ? [replaced(text, range, suggestion)] : [];
    const alone = isAbout(suggestion, text) ? [suggestion] : [];
    for (const mended of [...inPlace, ...alone]) {
      if (mended === text || usable.includes(mended) || !(await runs(mended))) continue;
      usable.push(mended);
      break;
    }
  }
  return usable;
}

/**
 * Whether a text can stand for another one, and is not an example of something else: it has all of
 * its numbers.
 * @param {string} suggestion @param {string} text
 */
function isAbout(suggestion, text) {
  const numbers = suggestion.match(/\d+/g) ?? [];
  return (text.match(/\d+/g) ?? []).every((number) => numbers.includes(number));
}

/**
 * Whether a suggestion says the marked part in another way, and is not an example of something
 * else.
 * @param {string} part @param {string} suggestion
 */
function sharesWord(part, suggestion) {
  const words = part.match(/[A-Za-z]+|\d+/g);
  return words === null || words.some((word) => suggestion.includes(word));
}

/** @param {string} text @param {import('./marks.js').Range} range @param {string} by */
function replaced(text, { start, end }, by) {
  return text.slice(0, start) + by + text.slice(end);
}

/**
 * @param {Text} editor @param {string} text what it is about: a button of another text does nothing
 * @param {string} mended @param {string} shown
 */
function useButton({ field }, text, mended, shown) {
  const use = () => {
    if (field.value === text) typeInto(field, mended, 0, text.length);
  };
  return button(`Use ${shown}`, use, { class: 'fix' });
}

/**
 * What is wrong, without places: with a question that is not a text.
 * @param {Finding[]} findings
 */
export function faultList(findings) {
  return findings.map((finding) => h('p', { class: 'fault' }, worded(finding)));
}

/** @param {Finding} finding */
function worded({ message, help }) {
  return [
    h('span', { class: 'fault-message' }, quotes(message)),
    help && h('span', { class: 'fault-help' }, quotes(help)),
  ];
}
