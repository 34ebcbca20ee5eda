// The view of scripts.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { bars, command, document, file, ran, suite } from './support.js';

const { open } = suite();

/** The faces of all dice on the table, under the paths of their rolls. @param {any} page */
function faces(page) {
  return page.$$eval('.step-roll', (rolls) =>
    Object.fromEntries(
      rolls.map((roll) => [
        roll.dataset.path,
        [...roll.querySelectorAll('.die')].map((die) => Number(die.dataset.face)),
      ]),
    ),
  );
}

test('a choice is made by a click, and the dice that have fallen stay', async () => {
  const { page, problems, close } = await open('#/script');
  await page.getByRole('group', { name: 'Use inspiration?' }).waitFor();
  const script = file(
    'script.dice',
    await page.getByRole('textbox', { name: 'Script' }).inputValue(),
  );
  const before = await faces(page);
  assert.deepEqual(Object.keys(before), ['']);
  await page
    .getByRole('group', { name: 'Use inspiration?' })
    .getByRole('button', { name: 'Yes' })
    .click();
  await page.getByText('2 dice stay, 1 new.').waitFor();
  const between = await faces(page);
  for (const [path, dice] of Object.entries(before)) assert.deepEqual(between[path], dice);
  assert.equal(await page.locator('.die.stays').count(), 2);
  assert.equal(await page.locator('.die.fresh').count(), 1);
  await page
    .getByRole('group', { name: 'Sneak attack?' })
    .getByRole('button', { name: 'Yes' })
    .click();
  await page.locator('.play-result').waitFor();
  const last = await faces(page);
  for (const [path, dice] of Object.entries(between)) assert.deepEqual(last[path], dice);
  assert.equal(await page.locator('.die.fresh').count(), 3);
  const played = document(
    'roll',
    script,
    '--seed',
    '7',
    '--choose',
    '1=yes',
    '--choose',
    'Sneak=yes',
  );
  assert.deepEqual(
    last,
    Object.fromEntries(played.rolls.map(({ path, dice }) => [path, dice.map(({ face }) => face)])),
  );
  assert.equal(await page.locator('.result').textContent(), String(played.result));
  assert.deepEqual(ran(await command(page), dirname(script)), played);
  // Taking a choice back shows the dice from before.
  await page
    .getByRole('group', { name: 'Use inspiration?' })
    .getByRole('button', { name: 'No' })
    .click();
  await page.waitForFunction(() => document.querySelectorAll('.step-roll').length === 3);
  assert.deepEqual((await faces(page))[''], before['']);
  assert.deepEqual(problems, []);
  await close();
});

test('a roll is seen one step at a time', async () => {
  const { page, close } = await open('#/script');
  await page.getByLabel('one step at a time').check();
  await page.waitForFunction(() => document.querySelectorAll('.step').length === 1);
  await page.getByRole('button', { name: 'Next step' }).click();
  await page.getByRole('group', { name: 'Use inspiration?' }).waitFor();
  await close();
});

test('mistakes in a script are underlined, and listed with their places', async () => {
  const { page, problems, close } = await open('#/script');
  const editor = page.getByRole('textbox', { name: 'Script' });
  await editor.fill('// café\ndefroll "A" a() {\n    x = rol(2d6);\n    return x;\n}\n');
  await page.locator('.wrong').first().waitFor();
  assert.equal((await page.locator('.wrong').allTextContents()).join(''), 'rol');
  await page
    .getByRole('region', { name: 'Script' })
    .getByRole('button', { name: 'line 3, column 9' })
    .click();
  assert.equal(
    await editor.evaluate((field) => field.selectionStart),
    '// café\ndefroll "A" a() {\n    x = '.length,
  );
  await editor.fill('defroll "A" a() {\n    x = roll(2d6);\n    return x;\n}\n');
  await page.waitForFunction(() => document.querySelectorAll('.wrong').length === 0);
  await page.locator('.result').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('arguments are a form, and odds follow them', async () => {
  const { page, problems, close } = await open('#/script');
  await page.getByLabel('Examples').selectOption({ label: 'Duel: a fight and its rounds' });
  await page.getByRole('group', { name: 'first' }).getByLabel('attack').fill('9');
  const script = file(
    'duel.dice',
    await page.getByRole('textbox', { name: 'Script' }).inputValue(),
  );
  const args = {
    first: { name: 'Ayla', hp: 24, ac: 16, attack: 9, damage: '1d8+3' },
    second: { name: 'the orc', hp: 30, ac: 13, attack: 5, damage: '1d12+3' },
  };
  const odds = document('odds', script, '--args', JSON.stringify(args));
  const rounds = odds.stats.find(({ name }) => name === 'rounds').odds;
  const first = rounds.outcomes[0].p;
  await page.waitForFunction(
    (p) =>
      [...document.querySelectorAll('.odds-pane .bar')].some((bar) => Number(bar.dataset.p) === p),
    first,
  );
  const known = new Map(rounds.outcomes.map(({ value, p }) => [String(value), p]));
  for (const { value, p } of await bars(page, '.odds-pane')) assert.equal(p, known.get(value));
  await page.getByLabel('Show').selectOption({ label: 'the result' });
  await page.waitForFunction(
    (p) => Number(document.querySelector('.odds-pane .graph-names .bar')?.dataset.p) === p,
    odds.result.p,
  );
  await page.getByRole('radio', { name: 'Simulation' }).check();
  await page.getByText(/Simulated: [\d,]+ trials, seed 1/).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a result with parts has a graph of all of them, and one of each', async () => {
  const { page, problems, close } = await open('#/script');
  const text =
    'defroll "Attack" attack() { return { hits: roll(6d6 count>=5), crits: roll(2d6 count=6) }; }';
  await page.getByRole('textbox', { name: 'Script' }).fill(text);
  await page.getByRole('radio', { name: 'Odds' }).check();
  const odds = document('odds', file('parts.dice', text));
  const [hits, crits] = odds.parts.map(({ outcomes }) => outcomes.map(({ p }) => p));
  const shows = (/** @type {number[]} */ all) =>
    page.waitForFunction((all) => {
      const bars = [...document.querySelectorAll('.odds-pane .bar')];
      const shown = bars.map((bar) => Number(bar.dataset.p));
      return all.length === shown.length && all.every((p) => shown.includes(p));
    }, all);
  await shows([...hits, ...crits]);
  await page.getByLabel('Show').selectOption({ label: 'crits' });
  await shows(crits);
  assert.deepEqual(problems, []);
  await close();
});
