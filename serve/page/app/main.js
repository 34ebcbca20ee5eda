// The page: its views, its address, and what is shown first.

import { debounce, fill, h } from './dom.js';
import { read, write } from './fragment.js';

/**
 * @typedef {{element: HTMLElement, state: () => any, restore: (state: any) => void,
 *   title: () => string}} View
 * @typedef {{title: string, load: () => Promise<(on: {changed: () => void}) => View>}} Entry
 */

// A view is loaded when somebody looks at it, so that the first page is there at once.
const ENTRIES = /** @type {Record<string, Entry>} */ ({
  rule: { title: 'Rule', load: async () => (await import('./rule_view.js')).createRuleView },
  script: {
    title: 'Script',
    load: async () => (await import('./script_view.js')).createScriptView,
  },
  encounter: {
    title: 'Encounter',
    load: async () => (await import('./encounter_view.js')).createEncounterView,
  },
  table: { title: 'Table', load: async () => (await import('./table_view.js')).createTableView },
});

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @type {Map<string, View>} */
const views = new Map();
let current = '';
/** The fragment that the page has written itself, which nothing has to be restored from. */
let written = '';

const remember = debounce(async () => {
  const name = current;
  const view = views.get(name);
  if (!view) return;
  document.title = [view.title(), ENTRIES[name].title, 'dicec']
    .filter((part) => part !== '')
    .join(' · ');
  const fragment = await write(name, view.state());
  if (current !== name || fragment === location.hash) return;
  written = fragment;
  history.replaceState(null, '', fragment);
}, 400);

/** Shows what the address says. */
async function follow() {
  if (location.hash === written && current !== '') return;
  // The link to the content is not a view.
  if (location.hash === '#main') return main.focus();
  const { view: name, state } = await read(location.hash);
  const wanted = name in ENTRIES ? name : 'rule';
  const isNew = !views.has(wanted);
  const view = views.get(wanted) ?? (await made(wanted));
  current = wanted;
  for (const link of document.querySelectorAll('#views a')) {
    if (link.getAttribute('href') === `#/${wanted}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  fill(main, h('h1', { class: 'unseen' }, ENTRIES[wanted].title), view.element);
  if (isNew || state) view.restore(state);
  remember();
}

/** @param {string} name */
async function made(name) {
  const create = await ENTRIES[name].load();
  const view = create({ changed: remember });
  views.set(name, view);
  return view;
}

addEventListener('hashchange', follow);
await follow();
