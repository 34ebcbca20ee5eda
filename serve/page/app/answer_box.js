// Where an answer is shown, and what is wrong with a question in its place.

import { fill } from './dom.js';
import { refusal } from './engine.js';
import { faultList } from './findings.js';

/**
 * Does work that ends in an answer; what is wrong with it is shown where the answer would be.
 * @param {HTMLElement} box
 * @param {() => Promise<void>} work
 * @param {(refusing: import('./engine.js').Refused) => void} [refused] what else a refusal means:
 *   what is shown elsewhere is about another question
 */
export async function answered(box, work, refused) {
  try {
    await work();
  } catch (error) {
    const refusing = refusal(error);
    if (!refusing) return;
    fill(box, faultList(refusing.findings));
    refused?.(refusing);
  }
}

/**
 * Draws nodes as the only ones of a picture.
 * @param {SVGElement} picture @param {number} width
 * @param {{nodes: Element[], height: number, summary: string}} drawn
 */
export function paint(picture, width, { nodes, height, summary }) {
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('height', String(height));
  picture.setAttribute('aria-label', summary);
  picture.replaceChildren(...nodes);
}
