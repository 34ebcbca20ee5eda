// The view of tables.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXAMPLES, SITE, dicec, saved, suite } from './support.js';

const { open } = suite();
const TABLE = join(EXAMPLES, 'encounters.csv');

const served = { skip: SITE && 'the page without a server has no tables' };
const alone = { skip: !SITE && 'the server has tables' };

test('a page without a server says what tables need', alone, async () => {
  const { page, problems, close } = await open('#/table');
  await page.getByText('Tables need dicec on your machine').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a table comes in, rules become columns, and the answer is that of the command', served, async () => {
  const { page, problems, close } = await open('#/table');
  await page.setInputFiles('#table-file', TABLE);
  await page.getByText('encounters.csv: 27 rows, 7 columns').waitFor();
  await page.getByLabel('Name of the column').first().fill('hit');
  const rules = page.getByLabel('Rule of the column');
  await rules.first().fill('1d20 + [Attack] >= [Target Defense]');
  await rules.nth(1).fill('1d8 + ');
  await page.getByRole('button', { name: '[Strength]' }).click();
  assert.equal(await rules.nth(1).inputValue(), '1d8 + [Strength]');
  await page.getByText(/^27 rows in/).waitFor();
  const { name, bytes } = await saved(page, () =>
    page.getByRole('button', { name: 'Download' }).click(),
  );
  assert.equal(name, 'encounters-odds.csv');
  const expected = dicec(
    'batch',
    TABLE,
    '-e',
    'hit=1d20 + [Attack] >= [Target Defense]',
    '-e',
    'damage=1d8 + [Strength]',
    '--format',
    'csv',
  );
  assert.equal(bytes.toString(), expected);
  const first = expected.split('\n')[1].split(',');
  const shown = await page
    .locator('section[aria-label=Answer] tbody tr')
    .first()
    .locator('.added')
    .allTextContents();
  assert.equal(shown[0], `${(Number(first[7]) * 100).toFixed(2)} %`);
  assert.equal(Number(shown[1]), Number(first[8]));
  assert.deepEqual(problems, []);
  await close();
});

test('a row that is wrong is named', served, async () => {
  const { page, problems, close } = await open('#/table');
  await page.setInputFiles('#table-file', {
    name: 'bad.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Attack,Strength,Target Defense\n4,2,16\nfour,2,16\n'),
  });
  await page.locator('section[aria-label=Answer] .fault').waitFor();
  assert.match(
    await page.locator('section[aria-label=Answer] .fault').first().textContent(),
    /four/,
  );
  assert.deepEqual(problems, []);
  await close();
});

/** Pastes into the page, as from a spreadsheet. @param {any} page @param {string} text */
function paste(page, text) {
  return page.evaluate((cells) => {
    const data = new DataTransfer();
    data.setData('text/plain', cells);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

test('cells of a spreadsheet are pasted, and rules that fit them are suggested', served, async () => {
  const { page, problems, close } = await open('#/table');
  await page.getByText(/^10 rows in/).waitFor();
  await paste(page, 'Name\tTo Hit\tAC\tDamage\nOrc\t5\t13\t1d12+3\n"Goblin, sly"\t4\t15\t1d6+2\n');
  await page.getByText('pasted.csv: 2 rows, 4 columns').waitFor();
  // The table is in the link, and Undo brings the one before back.
  await page.getByText('“pasted.csv” has replaced what was here.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('attacks.csv: 10 rows, 7 columns').waitFor();
  await page.goBack();
  await page.getByText('pasted.csv: 2 rows, 4 columns').waitFor();
  for (const name of ['Remove this column', 'Remove this column'])
    await page.getByRole('button', { name }).last().click();
  await page.getByRole('button', { name: 'hit = 1d20 + [To Hit] >= [AC]' }).click();
  await page.getByRole('button', { name: 'damage = dnd.attack([To Hit], [AC], [Damage])' }).click();
  await page.getByText(/^2 rows in/).waitFor();
  const answer = page.locator('section[aria-label=Answer] tbody tr');
  const { p } = JSON.parse(dicec('odds', '1d20 + 5 >= 13', '--json'));
  assert.equal(await answer.first().locator('.added').first().textContent(), `${(p * 100).toFixed(2)} %`);
  assert.match(await answer.nth(1).textContent(), /^Goblin, sly/);
  assert.deepEqual(problems, []);
  await close();
});

test('semicolons are commas, and a table of fights is recognised', served, async () => {
  const { page, problems, close } = await open('#/table');
  await page.setInputFiles('#table-file', {
    name: 'fights.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Fight;Party;Monsters\nBridge;4 Guard;5 Goblin\n'),
  });
  await page.getByText('fights.csv: 1 row, 3 columns').waitFor();
  assert.ok(await page.getByRole('radio', { name: 'encounters in its rows' }).isChecked());
  await page.locator('section[aria-label=Answer] .added').first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a bad cell is shown in place, and its row is left out on request', served, async () => {
  const { page, problems, close } = await open('#/table');
  await page.setInputFiles('#table-file', {
    name: 'bad.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Attack,Strength,Target Defense\n4,2,16\nfour,2,16\n5,,12\n6,1,12\n'),
  });
  await page.locator('.bad-cell').waitFor();
  assert.equal(await page.locator('.bad-cell').textContent(), 'four');
  await page.getByText('Line 3 of the table').first().waitFor();
  await page.getByRole('button', { name: 'Leave bad rows without an answer' }).click();
  await page.getByText('2 of 4 rows lack an answer: line 3, 4 of the table.').waitFor();
  assert.equal(await page.locator('.bad-cell').count(), 0);
  await page.getByRole('button', { name: 'Stop at bad rows' }).click();
  await page.locator('.bad-cell').waitFor();
  assert.deepEqual(problems, []);
  await close();
});
