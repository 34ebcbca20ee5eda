// Rolls: with random dice, or with those that somebody rolls on the table and reads out.

import { compile } from 'dicec';
import { find, make, tell } from './dom.js';

const compiled = new Map();

/** A rule, which is compiled once. @param {string} text */
export function program(text) {
  let found = compiled.get(text);
  if (!found) {
    // What is typed is thrown away again.
    if (compiled.size >= 50) {
      for (const old of compiled.values()) old.free();
      compiled.clear();
    }
    found = compile(text);
    compiled.set(text, found);
  }
  return found;
}

/**
 * Rolls, and shows the roll in the log. Throws a DicecError if the rule is wrong.
 * @param {string} who
 * @param {string} text
 * @param {Record<string, number>} [resources]
 * @returns {Promise<any>} the roll; null if the player left it
 */
export async function roll(who, text, resources = {}) {
  const rule = program(text);
  const faces = find('physical').checked ? await read(who, rule, resources) : undefined;
  if (faces === null) return null;
  const made = rule.roll({ resources, faces });
  show(who, made);
  return made;
}

/** What a roll comes to. @param {any} made */
export const result = (made) =>
  made.rolls ? made.result : (made.total ?? made.check ?? made.degree ?? made.label);

/** The dice of a roll. @param {any} made @returns {any[]} */
export const dice = (made) => made.dice ?? made.rolls.flatMap((/** @type {any} */ one) => one.dice);

/** Ends the question that is open, without an answer. */
let leave = () => {};

/**
 * Asks for the faces of dice on the table, one after the other, until no die is rolled any more; null
 * if the player leaves the roll.
 */
async function read(who, rule, resources) {
  leave();
  const faces = [];
  for (;;) {
    const sides = rule.next({ resources, faces });
    if (sides === null) return faces;
    const face = await one(`${who}: ${rule.text}`, `Die ${faces.length + 1}, a d${sides}`, sides);
    if (face === null) return null;
    faces.push(face);
  }
}

/** The face of one die; null if the player leaves the roll. */
function one(rule, die, sides) {
  const form = find('asked');
  const field = form.elements.face;
  find('asked-rule').textContent = rule;
  find('asked-die').textContent = die;
  Object.assign(field, { value: '', min: 1, max: sides });
  form.hidden = false;
  field.focus();
  return new Promise((resolve) => {
    const answer = (/** @type {number | null} */ face) => {
      form.hidden = true;
      resolve(face);
    };
    leave = () => answer(null);
    find('leave').onclick = leave;
    form.onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      answer(field.valueAsNumber);
    };
  });
}

/** A die as a picture of a square. @param {any} die */
function square(die) {
  const title = `d${die.sides}: ${die.flags.join(', ')}`;
  const is = (flag) => die.flags.includes(flag);
  const kind = [die.kept ? '' : 'dropped', is('critical') ? 'high' : '', is('fumble') ? 'low' : ''];
  return make('span', { className: `die ${kind.join(' ')}`, title }, String(die.value));
}

function show(who, made) {
  const seed = made.seed === null ? 'own dice' : `seed ${made.seed}`;
  const rows = made.rolls ?? [made];
  const entry = make(
    'li',
    {},
    make('strong', {}, who),
    make('span', { className: 'result' }, said(result(made))),
    make('span', { className: 'dice' }, ...dice(made).map(square)),
    make('small', {}, `${rows.map((/** @type {any} */ row) => plain(row.rendered)).join('; ')} (${seed})`),
  );
  find('log').prepend(entry);
  while (find('log').childElementCount > 20) find('log').lastElementChild.remove();
}

/** The text of a roll without the marks of dropped dice, which are seen. @param {string} text */
const plain = (text) => text.replaceAll('~~', '');

/** A result in words. @param {any} value */
const said = (value) => (value === true ? 'yes' : value === false ? 'no' : String(value));

/** Runs what a button does, and shows what is wrong with it. @param {() => Promise<any>} does */
export async function tried(does, place = find('wrong')) {
  tell(place);
  try {
    return await does();
  } catch (error) {
    tell(place, error);
    return null;
  }
}
