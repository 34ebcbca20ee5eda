// Picking a creature by typing a part of its name: a combo box whose list comes from the bestiary.

import { fill, freshId, h } from './dom.js';
import { ask, latest, refusal } from './engine.js';
import { faultList } from './findings.js';

/** @typedef {{name: string, cr: number | null, ac: number | null, hp: number | null}} Creature */

const SHOWN = 12;
/** How many of a creature: `6 goblin`. */
const COUNTED = /^(\d{1,2}) +/;
/** What is known of creatures by now, by their names. @type {Map<string, Creature>} */
const known = new Map();

/** Those of one's own stat blocks. @type {Creature[]} */
let own = [];

/** Pickers know these creatures, too. @param {Creature[]} creatures */
export function learn(creatures) {
  for (const { name } of own) known.delete(name);
  own = creatures;
  for (const creature of own) known.set(creature.name, creature);
}

/**
 * @param {string} label
 * @param {(creature: {name: string}, count: number) => void} pick `6 goblin` is six of them
 */
export function creaturePicker(label, pick) {
  const question = latest();
  const listId = freshId('creatures');
  const list = h('ul', {
    id: listId,
    class: 'options',
    role: 'listbox',
    'aria-label': label,
    hidden: true,
  });
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    placeholder: label,
    'aria-label': label,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => search(),
    onfocus: () => search(),
    onblur: () => close(),
  });
  const wrong = h('div', { class: 'faults', role: 'status' });
  /** @type {Creature[]} */
  let found = [];
  let active = 0;
  /** What the list was found for. @type {string | null} */
  let foundFor = null;
  const typed = () => input.value.trim().replace(COUNTED, '');
  const counted = () => Number(COUNTED.exec(input.value.trim())?.[1] ?? 1);

  async function search() {
    const wanted = typed();
    try {
      found = (await creatures(wanted, question.begin())).slice(0, SHOWN);
    } catch (error) {
      // A later search goes on.
      const refused = refusal(error);
      if (!refused) return;
      close();
      return fill(wrong, faultList(refused.findings));
    }
    fill(wrong);
    if (document.activeElement !== input) return;
    active = 0;
    foundFor = wanted;
    show();
  }
  /** Takes the first of what is found, if nothing else is typed meanwhile. */
  async function searchAndChoose() {
    await search();
    if (!list.hidden && foundFor === typed()) choose(active);
  }
  function show() {
    const isOpen = found.length > 0 || typed() !== '';
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    fill(
      list,
      offered().map((creature, i) =>
        h(
          'li',
          {
            id: `${listId}-${i}`,
            role: 'option',
            'aria-selected': String(i === active),
            // Before the field loses the focus.
            onpointerdown: (/** @type {Event} */ event) => {
              event.preventDefault();
              choose(i);
            },
          },
          h('span', {}, counted() > 1 ? `${counted()} ${creature.name}` : creature.name),
          h('small', {}, asTyped(creature) ? 'as it is written: a class and level, such as Fighter 5' : facts(creature)),
        ),
      ),
    );
    if (isOpen) input.setAttribute('aria-activedescendant', `${listId}-${active}`);
    list.children[active]?.scrollIntoView({ block: 'nearest' });
  }
  function close() {
    question.stop();
    foundFor = null;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }
  /** What is found, and at last what is typed, if it is another name. */
  function offered() {
    const name = typed();
    const isThere = found.some((one) => one.name.toLowerCase() === name.toLowerCase());
    const own = { name, cr: null, ac: null, hp: null };
    return name === '' || isThere ? found : [...found, own];
  }
  const asTyped = (/** @type {Creature} */ creature) => !found.includes(creature);
  /** @param {number} index */
  function choose(index) {
    const creature = offered()[index];
    if (!creature) return;
    const count = counted();
    input.value = '';
    close();
    pick(creature, count);
  }
  input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && typed() !== '' && foundFor !== typed()) {
      // The list, if there is one yet, is that of what was typed before.
      event.preventDefault();
      searchAndChoose();
      return;
    }
    if (list.hidden) return;
    if (event.key === 'Enter') choose(active);
    if (step) active = (active + step + offered().length) % offered().length;
    if (step || event.key === 'Enter') event.preventDefault();
    if (step) show();
  });
  return h('div', { class: 'picker' }, input, list, wrong);
}

/** What a stat block says in a few words. @param {Creature} creature */
function facts({ cr, ac, hp }) {
  return [cr !== null && cr !== undefined && `CR ${rating(cr)}`, ac && `AC ${ac}`, hp && `${hp} hp`]
    .filter(Boolean)
    .join(' · ');
}

/** What is known of a creature of this name; asks if it is not known yet. @param {string} name */
export async function factsOf(name) {
  if (!known.has(name)) await creatures(name).catch(() => []);
  const creature = known.get(name);
  return creature ? facts(creature) : '';
}

/** @param {string} q @param {AbortSignal} [signal] @returns {Promise<Creature[]>} */
async function creatures(q, signal) {
  const found = await ask('creatures', { q }, { signal });
  for (const creature of found) known.set(creature.name, creature);
  const named = own.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()));
  // One's own creatures hide those of the same name.
  const isHidden = (/** @type {Creature} */ { name }) => own.some((one) => one.name === name);
  for (const creature of own) known.set(creature.name, creature);
  return [...named, ...found.filter((/** @type {Creature} */ one) => !isHidden(one))];
}

/** Ratings below 1 are fractions. @param {number} cr */
function rating(cr) {
  return { 0.125: '1/8', 0.25: '1/4', 0.5: '1/2' }[cr] ?? String(cr);
}
