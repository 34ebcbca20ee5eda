// Nothing is lost: what was on the page is in the browser's history, and what replaces it can be
// undone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTo, settled, suite, typeRule } from './support.js';

const { open } = suite();

const rule = (page, letter) => page.getByLabel(`Rule ${letter}`, { exact: true });

/** The fragment, as soon as it has changed. @param {any} page @param {() => Promise<any>} act */
async function written(page, act) {
  const before = new URL(page.url()).hash;
  await act();
  await page.waitForFunction((old) => location.hash !== old, before);
  return new URL(page.url()).hash;
}

test('an example can be undone, and is in the history itself', async () => {
  const { page, problems, close } = await open(linkTo('rule', { rules: ['2d4'] }));
  await written(page, () => typeRule(page, 'Rule A', '7d4'));
  await written(page, () => page.getByRole('button', { name: 'great weapons' }).click());
  await page.getByText('“great weapons” has replaced what was here.').waitFor();
  // What is typed now is a state of its own, too.
  await typeRule(page, 'Rule A', '9d9');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.rule').length === 1);
  assert.equal(await rule(page, 'A').inputValue(), '7d4');
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.rule').length === 3);
  assert.equal(await rule(page, 'A').inputValue(), '9d9');
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.rule').length === 1);
  assert.equal(await rule(page, 'A').inputValue(), '7d4');
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll('.rule').length === 3);
  assert.deepEqual(problems, []);
  await close();
});

test('Back undoes what was typed after a pause, and one burst is one step', async () => {
  const { page, problems, close } = await open(linkTo('rule', { rules: ['2d4'] }));
  await settled(page);
  await written(page, () => typeRule(page, 'Rule A', '3d4'));
  await written(page, () => typeRule(page, 'Rule A', '4d4'));
  await page.waitForTimeout(2100);
  await written(page, () => typeRule(page, 'Rule A', '5d4'));
  const seen = [];
  for (let i = 0; i < 2; i += 1) {
    const before = await rule(page, 'A').inputValue();
    await page.goBack();
    await page.waitForFunction(
      (old) => document.querySelector('.rule textarea')?.value !== old,
      before,
    );
    seen.push(await rule(page, 'A').inputValue());
  }
  assert.deepEqual(seen, ['4d4', '2d4']);
  assert.deepEqual(problems, []);
  await close();
});

test('what a view works out by itself is no step of the history', async () => {
  const { page, problems, close } = await open('#/rule');
  await page.waitForFunction(() => location.hash.startsWith('#/rule/z'));
  const length = await page.evaluate(() => history.length);
  await page.getByRole('link', { name: 'Script', exact: true }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/script/z'));
  await page.waitForTimeout(900);
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.goBack();
  await page.locator('.view-rule').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('an example of each view can be undone', async () => {
  const { page, problems, close } = await open('#/rule');
  for (const view of ['anydice', 'encounter', 'day', 'table']) {
    await page.evaluate((to) => location.assign(to), `#/${view}`);
    await page.waitForFunction((start) => location.hash.startsWith(start), `#/${view}/z`);
    const first = new URL(page.url()).hash;
    await written(page, () => page.locator('.examples:not(.columns) button').nth(1).click());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction((old) => location.hash === old, first);
  }
  assert.deepEqual(problems, []);
  await close();
});

test('resources of a link stay in the address while they are looked for', async () => {
  const link = linkTo('rule', { rules: ['1d20 + [Attack] >= 15'], set: { Attack: 9 } });
  const { page, problems, close } = await open(link);
  await page.getByLabel('Attack', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Attack', { exact: true }).inputValue(), '9');
  await page.waitForTimeout(700);
  assert.equal(new URL(page.url()).hash, link);
  assert.deepEqual(problems, []);
  await close();
});

test('a rule that is removed comes back', async () => {
  const { page, problems, close } = await open(linkTo('rule', { rules: ['2d4', '3d8'] }));
  await settled(page);
  await page.getByRole('button', { name: 'Remove this rule' }).nth(1).click();
  await page.getByText('Rule B is removed.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await rule(page, 'B').waitFor();
  assert.equal(await rule(page, 'B').inputValue(), '3d8');
  assert.deepEqual(problems, []);
  await close();
});
