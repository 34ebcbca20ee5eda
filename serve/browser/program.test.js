// The view of AnyDice programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars, document, linkTo, suite, typeRule } from './support.js';

const { open } = suite();

const TWO = 'N: 4\noutput [highest 3 of Nd6] named "best"\noutput 2d6 + 6 named "heroic"\n';

/** The outputs of a program, as the command has them. @param {string} text */
function outputs(text) {
  return document('odds', '-d', 'anydice', text).outputs;
}

/** The last bar of these odds is drawn. @param {any} page @param {any} odds */
function drawn(page, odds) {
  return page.waitForFunction((last) => {
    const all = globalThis.document.querySelectorAll('.graph .bar');
    return Number(all[all.length - 1]?.dataset.p) === last;
  }, odds.outcomes.at(-1).p);
}

test('a program shows all outputs, or one of them', async () => {
  const { page, problems, close } = await open(linkTo('anydice', { text: TWO, shape: 'bars' }));
  const [best, heroic] = outputs(TWO);
  await drawn(page, heroic);
  assert.equal((await bars(page)).length, best.outcomes.length + heroic.outcomes.length);
  await page.getByLabel('Outputs that are shown').selectOption('best');
  await drawn(page, best);
  assert.equal((await bars(page)).length, best.outcomes.length);
  assert.deepEqual(problems, []);
  await close();
});

test('a link keeps the program and the output that is shown', async () => {
  const state = { text: TWO, shown: 2, shape: 'bars' };
  const { page, problems, close } = await open(linkTo('anydice', state));
  await drawn(page, outputs(TWO)[1]);
  assert.equal(await page.getByRole('textbox', { name: 'AnyDice program' }).inputValue(), TWO);
  assert.equal(await page.getByLabel('Outputs that are shown').inputValue(), '2');
  assert.deepEqual(problems, []);
  await close();
});

test('a mistake is underlined where it is, and the outputs stay', async () => {
  const { page, problems, close } = await open(linkTo('anydice', { text: TWO, shape: 'bars' }));
  await drawn(page, outputs(TWO)[1]);
  await typeRule(page, 'AnyDice program', 'output 3d6 output [hihest 3 of 4d6]');
  await page.locator('.wrong').first().waitFor();
  assert.ok((await page.locator('.graph g.stale').count()) > 0);
  assert.match(await page.locator('.fault').first().textContent(), /function/);
  await typeRule(page, 'AnyDice program', 'output d{} named "none" output d4');
  await page.getByText('none: no outcomes').waitFor();
  await drawn(page, outputs('output d4')[0]);
  assert.deepEqual(problems, []);
  await close();
});

test('a program in the view of rules leads to its own view', async () => {
  const { page, problems, close } = await open('#/rule');
  await typeRule(page, 'Rule A', 'output [highest 3 of 4d6]');
  await page.getByRole('link', { name: 'see its outputs' }).click();
  await page.getByRole('textbox', { name: 'AnyDice program' }).waitFor();
  await page.locator('.graph .bar').first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});
