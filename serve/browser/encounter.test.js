// The view of encounters.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { EXAMPLES, FIGHTS, command, document, file, linkTo, ran, suite } from './support.js';

const { open } = suite();

/**
 * The chances in the picture: of the first side, of nobody, of the second side.
 * @param {any} page
 */
function chances(page) {
  return page.$$eval('.view-encounter .picture .bar', (all) =>
    all.map((bar) => Number(bar.dataset.p)),
  );
}

/** @param {any} page @param {any} fought */
async function shows(page, fought) {
  const [first, second] = fought.sides;
  await page.waitForFunction(
    (p) => Number(document.querySelector('.view-encounter .picture .bar')?.dataset.p) === p,
    first.win,
  );
  assert.deepEqual(await chances(page), [first.win, fought.draw, second.win]);
}

test('creatures are picked by typing, and the fight has the numbers of the command', async () => {
  const { page, problems, close } = await open('#/encounter');
  const second = page.getByRole('region', { name: 'Second side' });
  await shows(page, document('encounter', '4 Veteran vs 2 Troll, 4 Goblin', '--seed', '1', ...FIGHTS));
  await second.getByRole('button', { name: 'Remove Goblin' }).click();
  await second.getByRole('button', { name: 'One Troll less' }).click();
  // Enter is about what is typed, not about the list that was found for less of it and has another creature first.
  await page.route(
    (url) => url.searchParams.get('q')?.startsWith('ho'),
    async (route) => {
      await setTimeout(300);
      await route.continue();
    },
  );
  await second.getByRole('combobox').pressSequentially('h');
  await second.getByRole('option', { name: /^Hobgoblin/ }).waitFor();
  await second.getByRole('combobox').pressSequentially('obg');
  await page.keyboard.press('Enter');
  await second.getByLabel('How many Hobgoblin').fill('6');
  await shows(page, document('encounter', '4 Veteran vs 1 Troll, 6 Hobgoblin', '--seed', '1', ...FIGHTS));
  assert.deepEqual(problems, []);
  await close();
});

test('policies change the fight', async () => {
  const { page, problems, close } = await open('#/encounter');
  const first = page.getByRole('region', { name: 'First side' });
  await first.getByText('Tactics').click();
  await first.getByLabel('Attacks').selectOption('strongest');
  await page.getByText('Rules of the fight').click();
  await page.getByLabel('Feet between the sides').fill('60');
  const folder = dirname(file('empty', ''));
  const fought = ran([await command(page), ...FIGHTS].join(' '), folder);
  const { sides, distance } = JSON.parse(readFileSync(join(folder, 'encounter.json'), 'utf8'));
  assert.equal(distance, 60);
  assert.equal(sides[0].targets, 'strongest');
  await shows(page, fought);
  assert.deepEqual(problems, []);
  await close();
});

test('a fight is told blow by blow, and features are left out one by one', async () => {
  const { page, problems, close } = await open('#/encounter');
  await page.getByRole('button', { name: 'troll and goblins' }).click();
  await page.getByRole('button', { name: 'What does each feature do?' }).click();
  const { without } = document(
    'encounter',
    '4 Veteran vs 2 Troll, 4 Goblin',
    '--seed',
    '1',
    '--ablate',
    ...FIGHTS,
  );
  for (const { trait, win } of without) {
    await page
      .getByRole('row', { name: trait })
      .getByText(`${(win[0] * 100).toFixed(2)} %`)
      .waitFor();
  }
  await page.getByRole('button', { name: 'Tell a fight' }).click();
  const seed = /Seed (\d+)/.exec(await page.getByText(/^Seed \d+/).textContent())[1];
  const { lines } = document(
    'encounter',
    '4 Veteran vs 2 Troll, 4 Goblin',
    '--tell',
    '--seed',
    seed,
  );
  const shown = await page.locator('.story li').count();
  assert.equal(shown, lines.filter((line) => !/^Round \d+$/.test(line)).length);
  assert.deepEqual(problems, []);
  await close();
});

test('pasted stat blocks fight, and what the chances leave out stands next to them', async () => {
  const { page, problems, close } = await open('#/encounter');
  const path = join(EXAMPLES, 'bestiary/gloomwing.txt');
  await page.getByText('Stat blocks of your own').click();
  await page.getByLabel(/^Text of a page or a PDF/).fill(readFileSync(path, 'utf8'));
  await page.getByText('Gloomwing: type the name on a side.').waitFor();
  const second = page.getByRole('region', { name: 'Second side' });
  for (const name of ['Troll', 'Goblin']) {
    await second.getByRole('button', { name: `Remove ${name}` }).click();
  }
  await second.getByRole('combobox').pressSequentially('gloomw');
  await page.keyboard.press('Enter');
  const line = '4 Veteran vs 1 Gloomwing';
  const fought = document('encounter', line, '--bestiary', path, '--seed', '1', ...FIGHTS);
  await shows(page, fought);
  await page.getByText(`${fought.verdict} fight for 4 Veteran`).waitFor();
  await second.getByRole('combobox').pressSequentially('priest');
  await page.keyboard.press('Enter');
  await page.getByText('without the Priest’s Divine Eminence').waitFor();
  // A link holds the stat blocks.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByText('Gloomwing: type the name on a side.').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a class and level is written as it is, and several creatures come at once', async () => {
  const { page, problems, close } = await open('#/encounter');
  const first = page.getByRole('region', { name: 'First side' });
  await first.getByRole('button', { name: 'Remove Veteran' }).click();
  await first.getByRole('combobox').fill('2 fighter 5');
  await first.getByRole('option', { name: /^2 fighter 5/ }).click();
  assert.equal(await first.getByLabel('How many fighter 5').inputValue(), '2');
  const fought = document('encounter', '2 fighter 5 vs 2 Troll, 4 Goblin', '--seed', '1', ...FIGHTS);
  await shows(page, fought);
  assert.deepEqual(problems, []);
  await close();
});

test('an unknown name is told in words, with the name that is meant', async () => {
  const { page, problems, close } = await open('#/encounter');
  const first = page.getByRole('region', { name: 'First side' });
  await first.getByText('Tactics').click();
  await first.getByLabel('Attacks').selectOption('strongest');
  await first.getByLabel('Add to first side', { exact: true }).first().fill('Gobblin');
  await first.getByRole('option', { name: /^Gobblin/ }).click();
  const wrong = page.locator('section[aria-label="Who wins"] .fault');
  await wrong.waitFor();
  assert.equal(
    await wrong.textContent(),
    'nobody knows a Gobblin, which is on the first sidedid you mean Goblin?',
  );
  await page.getByRole('button', { name: 'Use Goblin' }).click();
  await first.getByLabel('How many Goblin').waitFor();
  await page.locator('.view-encounter .picture .bar').first().waitFor({ state: 'attached' });
  assert.deepEqual(problems, []);
  await close();
});

test('the page finds how many creatures make a fight as hard as wanted', async () => {
  const { page, problems, close } = await open('#/encounter');
  const section = page.getByRole('region', { name: 'How many?' });
  await section.getByLabel('Chance of the first side, in percent').fill('40');
  await section.getByRole('button', { name: 'Find it' }).click();
  const { count } = document('encounter', '4 Veteran vs 2 Troll', '--find', 'N Goblin', '--win', '0.4', '--seed', '1', ...FIGHTS);
  await section.getByText(`${count} Goblin`, { exact: true }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a fight is kept and compared with others, also in a link', async () => {
  const { page, problems, close } = await open('#/encounter');
  const before = document('encounter', '4 Veteran vs 2 Troll, 4 Goblin', '--seed', '1', ...FIGHTS);
  await shows(page, before);
  await page.getByRole('button', { name: 'Keep, to compare' }).click();
  await page.getByRole('button', { name: 'Remove Goblin' }).click();
  const after = document('encounter', '4 Veteran vs 2 Troll', '--seed', '1', ...FIGHTS);
  await shows(page, after);
  const change = Math.round((before.sides[0].win - after.sides[0].win) * 1000) / 10;
  const row = page.getByRole('region', { name: 'Kept fights' }).first().locator('tbody tr');
  await row.getByText(`−${Math.abs(change).toFixed(1)} points`).waitFor();
  await page.waitForTimeout(700);
  const copy = await open(new URL(page.url()).hash);
  await copy.page.getByText(`−${Math.abs(change).toFixed(1)} points`).waitFor();
  await copy.close();
  await page.getByRole('button', { name: /^Open 4 Veteran/ }).click();
  await shows(page, before);
  await page.getByText('±0.0 points').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('odds are exact if somebody asks and the fight is small enough', async () => {
  const side = { creatures: [{ creature: 'Goblin', count: 1 }] };
  const { page, problems, close } = await open(linkTo('encounter', { sides: [side, side], rules: { plain: true } }));
  await page.locator('.report table').waitFor();
  await page.getByRole('button', { name: 'Exact odds' }).click();
  await page.getByText('Exact odds.', { exact: false }).first().waitFor();
  await shows(page, document('encounter', '1 Goblin vs 1 Goblin', '--plain', '--exact'));
  assert.deepEqual(problems, []);
  await close();
});

test('a rule of the fight that is out of range is called as on the page', async () => {
  const { page, problems, close } = await open('#/encounter');
  await page.getByText('Rules of the fight').click();
  await page.getByLabel('Rounds until a draw').fill('5000');
  await page.getByText('“Rounds until a draw” is not between 1 and 1000').waitFor();
  assert.deepEqual(problems, []);
  await close();
});
