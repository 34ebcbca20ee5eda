// A small virtual tabletop: what the package `dicec` does on a page, without a server.

import * as attack from './attack.js';
import { roll, tried } from './dice.js';
import { find, make } from './dom.js';
import * as initiative from './initiative.js';

const USUAL = [
  ['Check', '1d20'],
  ['Advantage', '1d20 adv'],
  ['Disadvantage', '1d20 dis'],
  ['Ability score', '4d6kh3'],
  ['Fireball', '8d6'],
  ['Exploding', '2d6!'],
];

for (const [name, rule] of USUAL) {
  const button = make('button', { type: 'button', title: rule }, name);
  button.onclick = () => tried(() => roll(name, rule));
  find('usual').append(button);
}

find('own').onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = find('own').elements.rule.value;
  return tried(() => roll(text, text));
};

initiative.start();
await attack.start();
document.body.dataset.ready = 'true';
