// What is wrong with an encounter, in the words of somebody who has picked creatures: a message names
// the place in the document that the page has sent, which nobody has seen.

import { button, h } from './dom.js';

/** @typedef {import('./encounter_ask.js').Encounter} Encounter */

const SIDES = ['the first side', 'the second side'];

/**
 * Findings about creatures by their names.
 * @param {import('./editor.js').Finding[]} findings @param {Encounter} encounter
 */
export function spoken(findings, encounter) {
  return findings.map((finding) => {
    const group = unknown(finding, encounter);
    if (group) {
      const message = `nobody knows a \`${group.creature}\`, which is on ${SIDES[group.side]}`;
      return { ...finding, message, help: finding.help ?? 'paste its stat block below' };
    }
    const message = finding.message.replaceAll(
      /`\$\.sides\[([01])\][^`]*`/g,
      (_, /** @type {'0' | '1'} */ side) => SIDES[Number(side)],
    );
    return { ...finding, message };
  });
}

/**
 * Buttons for the names that are meant.
 * @param {import('./editor.js').Finding[]} findings @param {Encounter} encounter
 * @param {() => void} changed
 */
export function repairs(findings, encounter, changed) {
  return findings.flatMap((finding) => {
    const group = unknown(finding, encounter);
    const meant = /^did you mean `([^`]+)`\?/.exec(finding.help ?? '')?.[1];
    if (!group || !meant) return [];
    const use = () => {
      group.of.creature = meant;
      changed();
    };
    return [h('p', {}, button(`Use ${meant}`, use, { class: 'fix' }))];
  });
}

/**
 * The group that a finding is about, if it is about a name that no bestiary has.
 * @param {import('./editor.js').Finding} finding @param {Encounter} encounter
 */
function unknown({ message }, { sides }) {
  const name = / names `([^`]+)`, which no bestiary has$/.exec(message)?.[1];
  for (const [side, { creatures }] of sides.entries()) {
    const of = creatures.find(({ creature }) => creature === name);
    if (of) return { side, creature: of.creature, of };
  }
  return null;
}
