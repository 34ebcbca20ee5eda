// A link has the whole state of the page in it, and nothing is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars, suite, typeRule } from './support.js';

const shared = suite();
const { open } = shared;

/** The fragment, as soon as it has changed. @param {any} page @param {string} before */
async function fragment(page, before) {
  await page.waitForFunction((old) => location.hash !== old && location.hash.length > 20, before);
  return new URL(page.url()).hash;
}

test('a link opens in another browser as it was left', async () => {
  const first = await open('#/rule');
  await fragment(first.page, '');
  const old = new URL(first.page.url()).hash;
  await typeRule(first.page, 'Rule B', '2d8 + [Bonus]');
  await first.page.getByLabel('Bonus', { exact: true }).fill('4');
  await first.page.getByRole('radio', { name: 'at most' }).check();
  await first.page.waitForTimeout(600);
  const link = await fragment(first.page, old);
  assert.match(link, /^#\/rule\/z[A-Za-z0-9_-]+$/);
  const stored = await first.page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    document.cookie,
    (await indexedDB.databases()).length,
  ]);
  assert.deepEqual(stored, [0, 0, '', 0]);
  const second = await open(link);
  await second.page.locator('.graph .series-1 .bar').first().waitFor();
  assert.equal(
    await second.page.getByLabel('Rule B', { exact: true }).inputValue(),
    '2d8 + [Bonus]',
  );
  assert.equal(await second.page.getByLabel('Bonus', { exact: true }).inputValue(), '4');
  assert.deepEqual(await bars(second.page), await bars(first.page));
  assert.deepEqual([...first.problems, ...second.problems], []);
  await first.close();
  await second.close();
});

test('a link without compression is read, and one that is cut off opens the view', async () => {
  const plain = Buffer.from(JSON.stringify({ rules: ['2d4'] })).toString('base64url');
  const first = await open(`#/rule/j${plain}`);
  await first.page.locator('.bar').first().waitFor();
  assert.equal((await bars(first.page)).length, 7);
  const second = await open('#/encounter/zq1YqLi');
  await second.page.getByRole('region', { name: 'First side' }).waitFor();
  assert.deepEqual([...first.problems, ...second.problems], []);
  await first.close();
  await second.close();
});

test('views have addresses, and the browser goes back', async () => {
  const { page, problems, close } = await open('');
  for (const name of ['Script', 'Encounter', 'Table']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor({ state: 'attached' });
    await page.waitForFunction(
      (view) => location.hash.startsWith(`#/${view}/`),
      name.toLowerCase(),
    );
  }
  await page.goBack();
  await page.getByRole('region', { name: 'First side' }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a page for everybody and the documents are offered if their addresses are known', async () => {
  const given = { page: 'https://dice.example/', documents: 'https://book.example/' };
  const { page, problems, close } = await open('#/rule', {
    before: (page) => page.route('**/places.json', (route) => route.fulfill({ json: given })),
  });
  await page.waitForFunction(() => location.hash.startsWith('#/rule/z'));
  await page.getByRole('button', { name: 'Public link' }).first().click();
  await page.getByText('Public link copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `https://dice.example/${new URL(page.url()).hash}`);
  assert.equal(await page.getByRole('link', { name: 'Documents' }).getAttribute('href'), given.documents);
  const plain = await open('#/rule');
  await plain.page.locator('.bar').first().waitFor();
  assert.equal(await plain.page.getByRole('button', { name: 'Public link' }).count(), 0);
  await plain.close();
  assert.deepEqual(problems, []);
  await close();
});
