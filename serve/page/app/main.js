// The page: its views, its address, and what is shown first.

import { createAddress } from './address.js';
import { fill, h } from './dom.js';
import { faultList } from './findings.js';
import { read } from './fragment.js';
import { createNotice } from './notice.js';
import { linkDocuments } from './places.js';

/**
 * @typedef {{element: HTMLElement, state: () => any, restore: (state: any) => void,
 *   title: () => string}} View `restore` takes what its shape has left of a state, or null
 * @typedef {{changed: () => void, replacing: (by: string) => void,
 *   losing: (said: string) => void}} Told what a view tells the page: that its state has changed,
 *   that something is about to replace all of it, or that a part is about to be lost
 * @typedef {{create: (on: Told) => View, shape: import('./shape.js').Shape}} Parts
 * @typedef {{title: string, load: () => Promise<Parts>}} Entry
 */

// A view is loaded when somebody looks at it, so that the first page is there at once.
const ENTRIES = /** @type {Record<string, Entry>} */ ({
  rule: {
    title: 'Rule',
    load: async () => {
      const { createRuleView, RULE_STATE } = await import('./rule_view.js');
      return { create: createRuleView, shape: RULE_STATE };
    },
  },
  script: {
    title: 'Script',
    load: async () => {
      const { createScriptView, SCRIPT_STATE } = await import('./script_view.js');
      return { create: createScriptView, shape: SCRIPT_STATE };
    },
  },
  anydice: {
    title: 'AnyDice',
    load: async () => {
      const { createProgramView, PROGRAM_STATE } = await import('./program_view.js');
      return { create: createProgramView, shape: PROGRAM_STATE };
    },
  },
  encounter: {
    title: 'Encounter',
    load: async () => {
      const { createEncounterView, ENCOUNTER_STATE } = await import('./encounter_view.js');
      return { create: createEncounterView, shape: ENCOUNTER_STATE };
    },
  },
  day: {
    title: 'Day',
    load: async () => {
      const { createDayView, DAY_STATE } = await import('./day_view.js');
      return { create: createDayView, shape: DAY_STATE };
    },
  },
  table: {
    title: 'Table',
    load: async () => {
      const { createTableView, TABLE_STATE } = await import('./table_view.js');
      return { create: createTableView, shape: TABLE_STATE };
    },
  },
});
const GONE = {
  code: 'offline',
  message: 'this view cannot be loaded: the server does not answer',
  help: 'load the page again; a server of your own is started again with `dicec serve`',
  start: null,
  end: null,
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const notice = createNotice();
/** @type {Map<string, {view: View, shape: import('./shape.js').Shape}>} */
const views = new Map();
let current = '';
/** How often an address was followed: only the latest one counts. */
let followed = 0;
/** Whether the note says that the address does not have what is on the page. */
let isTooLong = false;

const address = createAddress({
  now() {
    const view = views.get(current)?.view;
    if (!view) return null;
    entitle(view);
    return { view: current, state: view.state() };
  },
  tooLong(now) {
    if (now) notice.show('This is too long for an address: a link does not bring it back.');
    else if (isTooLong) notice.hide();
    isTooLong = now;
  },
});
/** @type {Told} */
const told = {
  changed: address.changed,
  replacing(by) {
    told.losing(`“${by}” has replaced what was here.`);
  },
  losing(said) {
    notice.offer(said, 'Undo', address.replacing());
  },
};

/** @param {View} view */
function entitle(view) {
  document.title = [view.title(), ENTRIES[current].title, 'dicec']
    .filter((part) => part !== '')
    .join(' · ');
}

/** Shows what the address says, and says what of it is left out. */
async function follow() {
  if (address.isOwn() && current !== '') return;
  // The link to the content is not a view.
  if (location.hash === '#main' && current !== '') {
    address.keep();
    return main.focus();
  }
  followed += 1;
  const turn = followed;
  const { view: name, state } = await read(location.hash);
  const isKnown = Object.hasOwn(ENTRIES, name);
  const wanted = isKnown ? name : 'rule';
  const isNew = !views.has(wanted);
  const loaded = views.get(wanted) ?? (await made(wanted).catch(() => null));
  if (turn !== followed) return;
  current = wanted;
  for (const link of document.querySelectorAll('#views a')) {
    if (link.getAttribute('href') === `#/${wanted}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const heading = h('h1', { class: 'unseen' }, ENTRIES[wanted].title);
  address.shown(true);
  if (!loaded) return fill(main, heading, h('section', { class: 'panel' }, faultList([GONE])));
  fill(main, heading, notice.element, loaded.view.element);
  /** @type {string[]} */
  const strange = isKnown || name === '' ? [] : [name];
  const given = isKnown && state !== null ? loaded.shape(state, '', strange) : null;
  notice.hide();
  isTooLong = false;
  if (given === undefined) {
    notice.show('This link cannot be read: it is cut off, or of something else.');
  } else if (strange.length > 0) notice.leftOut(strange);
  if (isNew || given) loaded.view.restore(given ?? null);
  entitle(loaded.view);
  // A link that says everything stays as it is.
  address.shown(Boolean(given) && strange.length === 0);
}

/** @param {string} name */
async function made(name) {
  const { create, shape } = await ENTRIES[name].load();
  const made = { view: create(told), shape };
  views.set(name, made);
  return made;
}

const footer = document.querySelector('.bottom');
if (footer) void linkDocuments(footer);
addEventListener('hashchange', follow);
await follow();
