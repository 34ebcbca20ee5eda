// The palette of mechanics: its rows are those of the cookbook, whose answers are tested.
// UPDATE_PALETTE=1 writes them anew.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MECHANICS } from '../page/app/mechanics.js';
import { settled, suite } from './support.js';

const { open } = suite();
const PROJECT = join(import.meta.dirname, '../..');
const FILE = join(import.meta.dirname, '../page/app/mechanics.js');

/** The tables of the cookbook: a title, and rows of game, question and rule. */
function cookbook() {
  const groups = [];
  for (const line of readFileSync(join(PROJECT, 'docs/cookbook.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) groups.push({ title: line.slice(3), rows: [] });
    const row = /^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \| .* \|$/.exec(line);
    if (row) groups.at(-1).rows.push([...row.slice(1, 3).map((cell) => cell.replaceAll('*', '')), row[3]]);
  }
  return groups.filter(({ rows }) => rows.length > 0);
}

function written(groups) {
  const rows = groups.map(
    ({ title, rows }) =>
      `  {\n    title: ${JSON.stringify(title)},\n    rows: [\n${rows.map((row) => `      ${JSON.stringify(row)},\n`).join('')}    ],\n  },\n`,
  );
  return `// The dice of many games: the tables of docs/cookbook.md, from which serve/browser/palette.test.js
// writes this file. Each row has a game, a question and a rule.

/** @type {{title: string, rows: [string, string, string][]}[]} */
export const MECHANICS = [
${rows.join('')}];
`;
}

test('the palette is the cookbook', () => {
  const groups = cookbook();
  assert.ok(groups.flatMap(({ rows }) => rows).length > 50);
  if (process.env.UPDATE_PALETTE) return writeFileSync(FILE, written(groups));
  assert.equal(readFileSync(FILE, 'utf8'), written(groups));
});

test('a mechanic is found by its game, fills the rule, and can be undone', async () => {
  const { page, problems, close } = await open('#/rule');
  await settled(page);
  await page.getByText('Mechanics by game').click();
  await page.getByLabel('Find a game or a mechanic').fill('blades');
  const [[game, , rule]] = MECHANICS.flatMap(({ rows }) => rows).filter(([name]) => /blades/i.test(name));
  assert.equal(game, 'Blades in the Dark');
  assert.equal(await page.locator('.mechanics li:visible').count(), 1);
  await page.getByRole('button', { name: rule }).click();
  const field = page.getByLabel('Rule A', { exact: true });
  assert.equal(await field.inputValue(), rule);
  await settled(page);
  await page.locator('.graph-names .bar').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelector('.rule textarea').value === '4d6kh3');
  await page.getByLabel('Find a game or a mechanic').fill('no such game');
  await page.getByText('No game or mechanic has these words.').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('every rule of the palette and of the short help is read', async () => {
  const { page, problems, close } = await open('#/rule');
  const all = await page.evaluate(async () => {
    const { EXAMPLES } = await import('./app/notation.js');
    const { MECHANICS } = await import('./app/mechanics.js');
    const { ask } = await import('./app/engine.js');
    const rules = [
      ...EXAMPLES.map(([rule]) => rule),
      ...MECHANICS.flatMap(({ rows }) => rows.map(([, , rule]) => rule)),
    ];
    const refused = [];
    for (const rule of rules) await ask('check', { rule }).catch((why) => refused.push(`${rule}: ${why}`));
    return { count: rules.length, refused };
  });
  assert.ok(all.count > 70);
  assert.deepEqual(all.refused, []);
  assert.deepEqual(problems, []);
  await close();
});
