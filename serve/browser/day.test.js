// The view of days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FIGHTS, command, document, suite } from './support.js';

const { open } = suite();

/** The chances in the picture: that the party gets past each fight. @param {any} page */
const won = (page) =>
  page.$$eval('.view-day .won .bar', (all) => all.map((bar) => Number(bar.dataset.p)));

/** @param {any} page @param {any} lived */
async function shows(page, lived) {
  const chances = lived.fights.map((/** @type {any} */ fight) => fight.won);
  await page.waitForFunction(
    (p) => {
      const bars = [...document.querySelectorAll('.view-day .won .bar')];
      return bars.length === p.length && bars.every((bar, i) => Number(bar.dataset.p) === p[i]);
    },
    chances,
  );
  assert.deepEqual(await won(page), chances);
}

test('a day is put together, and has the numbers of the command', async () => {
  const { page, problems, close } = await open('#/day');
  await page.getByRole('button', { name: 'the watch' }).click();
  await page.getByLabel('The party', { exact: true }).fill('3 Veteran');
  await page.getByRole('button', { name: 'Remove Fight 2' }).click();
  await page.getByRole('button', { name: '+ Fight' }).click();
  await page.getByLabel('Enemies of Fight 3').fill('1 Troll');
  await page.getByRole('button', { name: 'Fight 3 earlier' }).click();
  const line = '3 Veteran: 6 Orc; short rest; 1 Troll; 2 Ogre';
  await shows(page, document('day', line, '--seed', '1', ...FIGHTS));
  assert.equal(await command(page), `dicec day '${line}' --seed 1`);
  assert.deepEqual(problems, []);
  await close();
});

test('a link brings a day back, and it is told step by step', async () => {
  const { page, problems, close } = await open('#/day');
  await page.getByRole('button', { name: 'Tell a day' }).click();
  await page.getByText('Fight 1: 6 Goblin, 1 Bugbear').waitFor();
  // The address is written a moment after the last change.
  await setTimeout(1000);
  const again = await open(await page.evaluate(() => location.hash));
  await again.page.getByText('Fight 1: 6 Goblin, 1 Bugbear').waitFor();
  assert.equal(
    await again.page.getByLabel('The party', { exact: true }).inputValue(),
    'champion 5, life cleric 5, evoker 5, thief 5',
  );
  assert.deepEqual([...problems, ...again.problems], []);
  await again.close();
  await close();
});

test('a wrong name is said where the answer would be', async () => {
  const { page, close } = await open('#/day');
  await page.getByLabel('Enemies of Fight 1').fill('6 Gobblin');
  await page.getByText('did you mean Goblin?').waitFor();
  await page.getByLabel('Enemies of Fight 1').fill('');
  await page.getByText('Name a party, and the enemies of each fight.').waitFor();
  await close();
});
