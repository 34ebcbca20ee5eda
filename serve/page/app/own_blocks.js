// Stat blocks of one's own: a field to paste them into, and the creatures that it has.

import { debounce, fill, freshId, h } from './dom.js';
import { learn } from './creature_picker.js';
import { ask, latest, refusal } from './engine.js';
import { faultList } from './findings.js';

const ABOUT =
  'Text of a page or a PDF, or JSON of Open5e, 5etools, Foundry VTT or Improved Initiative.';

/** @param {(text: string) => void} changed */
export function createOwnBlocks(changed) {
  const question = latest();
  const field = h('textarea', {
    id: freshId('stat-blocks'),
    rows: '6',
    spellcheck: 'false',
    oninput: () => soon(),
  });
  const opener = h('input', {
    type: 'file',
    id: freshId('stat-block-file'),
    accept: '.txt,.json,.md',
    class: 'unseen',
    multiple: true,
    onchange: () => void load([...(opener.files ?? [])]),
  });
  const found = h('div', { role: 'status' });
  const element = h(
    'details',
    { class: 'panel own-blocks' },
    h('summary', {}, 'Stat blocks of your own'),
    h('label', { for: field.id }, ABOUT),
    field,
    h('p', { class: 'own-file' }, opener, h('label', { for: opener.id }, 'Load files')),
    found,
  );
  const soon = debounce(() => void read().then(() => changed(field.value.trim())), 300);

  /** Takes files, after what is there if all of it is text. @param {File[]} files */
  async function load(files) {
    const texts = await Promise.all(files.map((file) => file.text().catch(() => '')));
    opener.value = '';
    const all = [field.value, ...texts].map((text) => text.trim()).filter((text) => text !== '');
    if (texts.every((text) => text.trim() === ''))
      return fill(found, h('p', { class: 'fault' }, 'There is no text in these files.'));
    // JSON is one document, to which nothing can be added.
    const isDocument = /^[[{]/.test(all.at(-1) ?? '');
    field.value = isDocument ? all.at(-1) : all.join('\n\n');
    await read();
    changed(field.value.trim());
  }
  /** Learns the creatures of the field, so that the pickers know them. */
  async function read() {
    const signal = question.begin();
    const bestiary = field.value.trim();
    if (bestiary === '') {
      learn([]);
      return fill(found);
    }
    try {
      /** @type {string[]} */
      const notes = [];
      const onNote = (/** @type {any} */ note) => notes.push(note.message);
      const creatures = await ask('bestiary', { bestiary }, { signal, onNote });
      learn(creatures);
      const names = creatures.map((/** @type {any} */ { name }) => name).join(', ');
      fill(
        found,
        h('p', {}, `${names}: type the name on a side.`),
        notes.map((note) => h('p', { class: 'remark' }, note)),
      );
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      learn([]);
      fill(found, faultList(refused.findings));
    }
  }
  return {
    element,
    /** Shows a text. @param {string} text */
    show(text) {
      field.value = text;
      element.open = text !== '';
      void read();
    },
  };
}
