// The order of a fight.

import { dice, roll, tried } from './dice.js';
import { find, make } from './dom.js';

/** @type {{name: string, bonus: number, total: number | null}[]} */
let fighters = [
  { name: 'Champion', bonus: 2, total: null },
  { name: 'Thief', bonus: 4, total: null },
  { name: 'Troll', bonus: 1, total: null },
];
let turn = 0;

function draw() {
  const entries = fighters.map(({ name, bonus, total }, at) => {
    const sign = bonus < 0 ? '−' : '+';
    const remove = make('button', { type: 'button', title: `Remove ${name}` }, '×');
    remove.setAttribute('aria-label', `Remove ${name}`);
    remove.onclick = () => {
      fighters.splice(at, 1);
      if (at < turn || turn >= fighters.length) turn = Math.max(0, turn - 1);
      draw();
    };
    const entry = make(
      'li',
      {},
      make('span', { className: 'total' }, total === null ? '–' : String(total)),
      make('span', { className: 'name' }, name),
      make('small', {}, `${sign}${Math.abs(bonus)}`),
      remove,
    );
    if (at === turn && total !== null) entry.setAttribute('aria-current', 'true');
    return entry;
  });
  find('order').replaceChildren(...entries);
}

/** Everyone rolls; the higher bonus, and then the higher die, goes first. */
async function everyone() {
  const rolled = [];
  for (const fighter of [...fighters]) {
    // The total of a rule is never below 0, and an initiative may be.
    const made = await roll(fighter.name, '1d20');
    if (made === null) return;
    rolled.push({ ...fighter, total: dice(made)[0].value + fighter.bonus });
  }
  const order = (one, other) => other.total - one.total || other.bonus - one.bonus;
  fighters = rolled.sort(order);
  turn = 0;
  draw();
}

export function start() {
  find('everyone').onclick = () => tried(everyone);
  find('turn').onclick = () => {
    turn = fighters.length === 0 ? 0 : (turn + 1) % fighters.length;
    draw();
  };
  find('join').onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const { name, bonus } = find('join').elements;
    fighters.push({ name: name.value.trim(), bonus: bonus.valueAsNumber, total: null });
    find('join').reset();
    name.focus();
    draw();
  };
  draw();
}
