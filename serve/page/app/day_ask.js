// A day as the page holds it, as a request asks for it, and as a command writes it.

import { line, written } from './command.js';
import { list, members, text, whole } from './shape.js';

/**
 * The party and each step are texts as people write them: `6 Goblin`, `short rest`. `bestiary` is
 * pasted stat blocks, as text.
 * @typedef {{party: string, steps: string[], bestiary?: string}} Day
 */

/** The steps that are rests. */
export const RESTS = ['short rest', 'long rest'];

/** How many steps a day has at most here. */
export const MAX_STEPS = 30;

/** What a link says about a day. */
export const DAY_STATE = members({
  party: text,
  steps: list(text, { most: MAX_STEPS }),
  bestiary: text,
  telling: whole(0),
});

/** Whether there is a party and a fight, and no step is empty. @param {Day} day */
export function isComplete({ party, steps }) {
  const named = steps.map((step) => step.trim());
  return party.trim() !== '' && named.some(isFight) && !named.includes('');
}

/** @param {string} step */
export function isFight(step) {
  return !RESTS.includes(step.trim().toLowerCase());
}

/** @param {Day} day */
export function asLine({ party, steps }) {
  return `${party.trim()}: ${steps.map((step) => step.trim()).join('; ')}`;
}

/** What a request says of a day. @param {Day} day */
export function asRequest({ party, steps, bestiary }) {
  return { day: { party, steps }, ...(bestiary ? { bestiary } : {}) };
}

/** @param {Day} day @param {string[]} flags */
export function dayCommand(day, flags) {
  const { bestiary } = day;
  const own = bestiary ? ['--bestiary', 'stat-blocks.txt'] : [];
  const files = bestiary ? written('stat-blocks.txt', bestiary) : '';
  return files + line(['day', asLine(day), ...own, ...flags]);
}
