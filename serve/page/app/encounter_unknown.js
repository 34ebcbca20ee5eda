// What is wrong with an encounter or a day, in the words of somebody who has picked creatures: a
// message names the place in the document that the page has sent, which nobody has seen, and flags
// of the command.

import { fill, button, h } from './dom.js';
import { faultList } from './findings.js';

/** @typedef {import('./editor.js').Finding} Finding */

const SIDES = ['the first side', 'the second side'];
/**
 * What the fields of the page are called whose members messages name.
 * @type {Record<string, string>}
 */
const FIELDS = { rounds: '“Rounds until a draw”', distance: '“Feet between the sides”' };
const OWN =
  'paste its stat block under “Stat blocks of your own”, or write a class and level, such as `Fighter 5`';

/**
 * Shows findings, with a button for each name that is meant.
 * @param {Element} box @param {Finding[]} findings
 * @param {(name: string) => string | null} whereIs where a name is, if it is anywhere
 * @param {(name: string, meant: string) => void} rename
 */
export function tellUnknown(box, findings, whereIs, rename) {
  const names = findings.map(({ message }) => unknown(message));
  fill(
    box,
    faultList(findings.map((finding, i) => spoken(finding, names[i], whereIs))),
    findings.map(({ help }, i) => {
      const [name, meant] = [names[i], /^did you mean `([^`]+)`\?/.exec(help ?? '')?.[1]];
      if (name === null || !meant || whereIs(name) === null) return null;
      return h('p', {}, button(`Use ${meant}`, () => rename(name, meant), { class: 'fix' }));
    }),
  );
}

/** The name that no bestiary has, if a message is about one. @param {string} message */
function unknown(message) {
  return / names `([^`]*)`, which no bestiary has$/.exec(message)?.[1] ?? null;
}

/**
 * @param {Finding} finding @param {string | null} name
 * @param {(name: string) => string | null} whereIs @returns {Finding}
 */
function spoken(finding, name, whereIs) {
  const where = name === null ? null : whereIs(name);
  if (where !== null) {
    const help = finding.help?.startsWith('did you mean') ? finding.help : OWN;
    return { ...finding, message: `nobody knows a \`${name}\`, which is ${where}`, help };
  }
  const message = finding.message
    .replaceAll(
      /`\$\.sides\[([01])\][^`]*`/g,
      (_, /** @type {'0' | '1'} */ side) => SIDES[Number(side)],
    )
    .replaceAll(/`\$\.(\w+)`/g, (place, member) => FIELDS[member] ?? place);
  return { ...finding, message };
}

/**
 * Where a creature of an encounter is.
 * @param {import('./encounter_ask.js').Encounter} encounter
 * @param {string} name
 */
export function sideOf({ sides }, name) {
  const side = sides.findIndex(({ creatures }) =>
    creatures.some(({ creature }) => creature === name),
  );
  return side < 0 ? null : `on ${SIDES[side]}`;
}
