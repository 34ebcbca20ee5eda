// The menu for taking an answer away: pictures, tables, JSON, the link and the command.

import { button, h } from './dom.js';
import { place } from './places.js';
import { pngBlob, save, saveText, standalone, svgBlob } from './save.js';

/**
 * @typedef {{name: string, picture: () => SVGSVGElement | null, series: () => {name: string,
 *   colour: number}[],
 *   csv: () => string, json: () => any, command: (() => string) | null}} Source
 *   without `command`, link and command are offered elsewhere
 */

/** @param {Source} source */
export function takeMenu(source) {
  const said = h('span', { class: 'said', role: 'status' });
  const picture = () => {
    const shown = source.picture();
    return shown && standalone(shown, source.series());
  };
  const pictures = [
    button('Picture, PNG', async () => {
      const shown = picture();
      const blob = shown && (await pngBlob(shown));
      if (blob) save(`${source.name}.png`, blob);
      else said.textContent = 'The browser makes no picture of this size: save the SVG.';
    }),
    button('Picture, SVG', () => {
      const shown = picture();
      if (shown) save(`${source.name}.svg`, svgBlob(shown));
    }),
  ];
  const menu = h(
    'details',
    {
      class: 'menu',
      ontoggle: () => {
        for (const one of pictures) one.hidden = source.picture() === null;
      },
    },
    h('summary', {}, 'Save'),
    h(
      'div',
      { class: 'menu-items' },
      pictures,
      button('Table, CSV', () => saveText(`${source.name}.csv`, source.csv(), 'text/csv')),
      button('Everything, JSON', () =>
        saveText(`${source.name}.json`, JSON.stringify(source.json(), null, 2), 'application/json'),
      ),
    ),
  );
  menu.addEventListener('click', (/** @type {Event} */ event) => {
    if (event.target instanceof HTMLButtonElement) menu.open = false;
  });
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') menu.open = false;
  });
  return h(
    'div',
    { class: 'take' },
    source.command && copyButtons(source.command, said),
    menu,
    said,
  );
}

/** Buttons for the link and the command. @param {() => string} command @param {HTMLElement} said */
export function copyButtons(command, said) {
  const open = button(
    'Public link',
    async () => copy((await place('page')) + location.hash, said, 'Public link copied'),
    { hidden: true, title: 'A link that others can open, without this server' },
  );
  void place('page').then((address) => {
    open.hidden = address === null;
  });
  return [
    button('Copy link', () => copy(location.href, said, 'Link copied')),
    open,
    button('Copy as command', () => copy(command(), said, 'Command copied')),
  ];
}

/** @param {string} text @param {HTMLElement} said @param {string} done */
async function copy(text, said, done) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = done;
  } catch {
    // Without the right to write to the clipboard, people copy the text themselves.
    said.textContent = text;
  }
  setTimeout(() => {
    if (said.textContent === done) said.textContent = '';
  }, 2500);
}
