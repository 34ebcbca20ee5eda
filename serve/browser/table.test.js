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
