// An attack: its odds while its numbers change, and the roll.

import { program, result, roll, tried } from './dice.js';
import { find, make } from './dom.js';

/** The rule and the numbers of the form. */
function asked() {
  const { attack, armour, damage, points, edge } = find('attack').elements;
  const more = edge.value ? `, edge{ ${edge.value}: true }` : '';
  return {
    text: `dnd.attack([Attack], [AC], ${damage.value}${more})`,
    resources: { Attack: attack.valueAsNumber, AC: armour.valueAsNumber },
    points: points.valueAsNumber,
  };
}

/** A share as people read it. @param {number} p */
const percent = (p) => `${(100 * p).toFixed(1)} %`;

/** Shows the odds of the attack. */
async function odds() {
  const places = [find('odds'), find('graph'), find('axis')];
  for (const place of places) place.replaceChildren();
  if (!find('attack').checkValidity()) return;
  const { text, resources, points } = asked();
  const { outcomes, mean } = program(text).odds({ resources });
  const chance = (/** @type {(value: number) => boolean} */ of) =>
    outcomes.filter(({ value }) => of(value)).reduce((sum, { p }) => sum + p, 0);
  const figures = [
    ['Does damage', percent(chance((value) => value > 0))],
    ['Damage on average', mean.toFixed(2)],
    ['Takes all hit points', percent(chance((value) => value >= points))],
  ];
  const pairs = figures.flatMap(([name, figure]) => [make('dt', {}, name), make('dd', {}, figure)]);
  find('odds').replaceChildren(...pairs);
  draw(outcomes, points);
}

/** The damage as bars; those that take all hit points are darker. */
function draw(outcomes, points) {
  const most = Math.max(...outcomes.map(({ p }) => p));
  const bars = outcomes.map(({ value, p }) => {
    const bar = make('span', { className: value >= points ? 'bar all' : 'bar', title: `${value}: ${percent(p)}` });
    bar.style.height = `${(100 * p) / most}%`;
    return bar;
  });
  const [first, last] = [outcomes[0].value, outcomes[outcomes.length - 1].value];
  find('graph').setAttribute('aria-label', `The odds of ${first} to ${last} damage`);
  find('graph').replaceChildren(...bars);
  find('axis').replaceChildren(make('span', {}, String(first)), 'damage', make('span', {}, String(last)));
}

/** Rolls the attack, and takes the damage from the target. */
async function attack() {
  const { text, resources, points } = asked();
  const made = await roll('Attack', text, resources);
  if (made === null) return;
  const left = points - result(made);
  // The next target has as many as this one had.
  if (left <= 0) find('log').firstElementChild.append(make('strong', { className: 'down' }, 'The target is down'));
  else find('attack').elements.points.value = String(left);
  await odds();
}

export async function start() {
  const wrong = find('attack-wrong');
  find('attack').oninput = () => tried(odds, wrong);
  find('attack').onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    return tried(attack, wrong);
  };
  await tried(odds, wrong);
}
