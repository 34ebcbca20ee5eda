// What rules can do besides a graph: names, any number of them, tables, the other way round, rolls,
// numbers below 0, whole odds over a resource, and work that was stopped and goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars, document, linkTo, saved, settled, suite, typeRule } from './support.js';

const { open } = suite();
const percent = (p) => `${(p * 100).toFixed(2)} %`;

/** A page with this state of rules. @param {any} state */
async function withState(state) {
  const opened = await open(linkTo('rule', state));
  await settled(opened.page);
  return opened;
}

test('rules have names, which the graph, the tables and the link have', async () => {
  const { page, problems, close } = await withState({ rules: ['2d6', '1d12'] });
  await page.getByLabel('Name of rule A').fill('axe');
  await page.getByLabel('Name of rule B').fill('great, sword');
  await page.locator('.figures-table code', { hasText: 'axe' }).waitFor();
  await page.locator('.menu summary').first().click();
  const { bytes } = await saved(page, () => page.getByRole('button', { name: 'Table, CSV' }).click());
  assert.match(bytes.toString(), /^axe,2,/m);
  assert.match(bytes.toString(), /^"great, sword",1,/m);
  await page.waitForFunction(() => location.hash.startsWith('#/rule/z'));
  const copy = await open(new URL(page.url()).hash);
  assert.equal(await copy.page.getByLabel('Name of rule B').inputValue(), 'great, sword');
  await copy.close();
  assert.deepEqual(problems, []);
  await close();
});

test('thirty rules are compared in a table', async () => {
  const rules = Array.from({ length: 30 }, (_, i) => `1d20 + ${i}`);
  const { page, problems, close } = await withState({ rules });
  await page.locator('.versus table').waitFor();
  assert.equal(await page.locator('.figures-table tbody tr').count(), 30);
  await page.getByText('The first 20 rules are compared.').waitFor();
  const { greater } = document('odds', '1d20 + 0', '--compare', '1d20 + 1');
  const row = page.locator('.versus tbody tr').first();
  assert.equal(await row.locator('td').nth(1).textContent(), percent(greater));
  assert.ok(await page.getByLabel('Rule D2', { exact: true }).isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test('the table has normal, at least and at most of rules side by side', async () => {
  const { page, problems, close } = await withState({ rules: ['2d6', '1d4'], shape: 'table' });
  const odds = document('odds', '2d6');
  const row = page.locator('.all-values tbody tr', { has: page.locator('th', { hasText: /^10$/ }) });
  await row.locator('td').first().waitFor();
  const at = (value) => odds.outcomes.find((one) => one.value === value).p;
  assert.deepEqual(await row.locator('td').allTextContents(), [
    percent(at(10)),
    percent(at(10) + at(11) + at(12)),
    percent(1 - at(11) - at(12)),
    // 1d4 never gives 10.
    '',
    '0 %',
    '100 %',
  ]);
  assert.ok(await page.locator('.graph').first().isHidden());
  await page.getByRole('radio', { name: 'bars' }).check();
  await page.locator('.graph .bar').first().waitFor();
  assert.equal(await page.locator('.all-values table:visible').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('odds are transposed: rules in a row, a line for each result', async () => {
  const rules = [1, 2, 3, 4].map((n) => `${n}d6 count>=5`);
  const { page, problems, close } = await withState({ rules, mode: 'least', shape: 'transposed' });
  await page.locator('.graph .dot').first().waitFor();
  const sums = rules.map((rule) => 1 - document('odds', rule).outcomes.find(({ value }) => value === 0).p);
  const dots = await page.$$eval('.graph .series-1 .dot', (all) => all.map((dot) => Number(dot.dataset.p)));
  assert.equal(dots.length, rules.length);
  dots.forEach((p, i) => assert.ok(Math.abs(p - sums[i]) < 1e-12));
  assert.deepEqual(problems, []);
  await close();
});

test('no line leads over what is impossible', async () => {
  const { page, problems, close } = await withState({ rules: ['1d4 * 3'], shape: 'lines' });
  const path = await page.locator('.graph .line').getAttribute('d');
  // Between two results the line goes down to the axis and comes up again.
  assert.equal(path.split('L').length, 4 + 3 * 2);
  assert.equal(await page.locator('.graph .dot').count(), 4);
  assert.deepEqual(problems, []);
  await close();
});

test('rules are rolled, simple ones and compound ones', async () => {
  const { page, problems, close } = await withState({
    rules: ['1d1 + 4', '1d1 >= 2', 'let a = 1d1; match (a + 1) { 2: "two", else: 3 + 0 > 1 ? "x" : "y" }'],
  });
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.locator('.rolled li').nth(2).waitFor();
  const results = await page.locator('.rolled-result').allTextContents();
  assert.deepEqual(results, ['5', 'fails', 'two']);
  assert.match(await page.locator('.rolled code').first().textContent(), /1d1\[\*{0,2}1/);
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByText('before: 5').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('next to the note about 0 is the switch that keeps the sign', async () => {
  const { page, problems, close } = await withState({ rules: ['1d6 - 3'] });
  await page.getByText(/is never below 0: 33\.33 % of the rolls are raised to 0/).waitFor();
  await page.getByRole('button', { name: 'Keep the sign' }).click();
  await page.waitForFunction(() => document.querySelector('.graph .bar')?.dataset.value === '-2');
  assert.equal((await bars(page)).length, 6);
  assert.ok(await page.getByRole('radio', { name: 'virtual tabletop' }).isChecked());
  assert.deepEqual(problems, []);
  await close();
});

test('the whole odds over a resource are a graph and a table', async () => {
  const { page, problems, close } = await withState({ rules: ['1d6 + [Bonus]'], set: { Bonus: 2 } });
  await page.getByLabel('What is shown for each value').selectOption({ label: 'All odds of 1d6 + [Bonus]' });
  await page.locator('.spread .cell').first().waitFor();
  // From -5 to 15: what is below 0 is 0.
  const counts = Array.from({ length: 21 }, (_, i) => new Set([1, 2, 3, 4, 5, 6].map((d) => Math.max(0, d + i - 5))).size);
  assert.equal(await page.locator('.spread .cell').count(), counts.reduce((a, b) => a + b, 0));
  await page.locator('.spread summary', { hasText: 'Every number in a table' }).click();
  await page.locator('.spread').getByRole('radio', { name: 'at least' }).check();
  const row = page.locator('.spread tbody tr', { has: page.locator('th', { hasText: /^4$/ }) });
  // 1d6 + 0 is 4 or more in half of the rolls.
  assert.equal(await row.locator('td').nth(5).textContent(), percent(0.5));
  await page.locator('.spread .menu summary').click();
  const { bytes } = await saved(page, () => page.locator('.spread').getByRole('button', { name: 'Table, CSV' }).click());
  assert.match(bytes.toString(), /^result,-5,-4,/);
  assert.deepEqual(problems, []);
  await close();
});

test('stopped work says what is known, and goes on', async () => {
  const { page, problems, close } = await withState({ rules: ['2d6'] });
  await page.getByLabel('Rule A', { exact: true }).fill('(200d20!kh100)*1d6');
  await page.getByText(/is simulated: [\d,]+ rolls/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/^Stopped: the answer so far is that of [\d,]+ of 1,000,000 rolls\.$/).waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  // Another rule is another question.
  await typeRule(page, 'Rule A', '3d6');
  await page.locator('.brief', { hasText: '10.5 ± 2.96' }).waitFor();
  assert.ok(await page.locator('.rule .progress').isHidden());
  assert.deepEqual(problems, []);
  await close();
});

test('what has an answer in another notation is one click away, and can be undone by typing', async () => {
  const { page, problems, close } = await withState({ rules: ['2d6'] });
  await typeRule(page, 'Rule A', 'best 2 of 4d8 + 1');
  await page.getByRole('button', { name: 'Use 4d8kh2 + 1' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.fault').length === 0);
  const field = page.getByLabel('Rule A', { exact: true });
  assert.equal(await field.inputValue(), '4d8kh2 + 1');
  await field.press('Control+z');
  assert.equal(await field.inputValue(), 'best 2 of 4d8 + 1');
  // An example of something else is none.
  await typeRule(page, 'Rule A', '4d6kh3 + (2d8 +');
  await page.locator('.fault').nth(1).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.fault .fix').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('what is wrong with the value of a resource is not marked in the rule', async () => {
  const state = { rules: ['1d20 + [Attack]'], set: { Attack: 3 } };
  const { page, problems, close } = await withState(state);
  await page.getByLabel('Attack', { exact: true }).fill('2d');
  await page.getByText('the value of [Attack]: a die needs its sides').waitFor();
  assert.equal(await page.locator('.rule .gap, .rule .wrong').count(), 0);
  await page.getByLabel('Attack', { exact: true }).fill('2d4');
  await page.locator('.fault').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
  await close();
});
