// The view of rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars, command, dicec, document, ran, saved, settled, suite, typeRule } from './support.js';

const { open } = suite();

/** A page with these rules. @param {...string} rules */
async function withRules(...rules) {
  const opened = await open('#/rule');
  const { page } = opened;
  await page.getByRole('button', { name: 'Remove this rule' }).last().click();
  for (const [i, rule] of rules.entries()) {
    if (i > 0) await page.getByRole('button', { name: 'Add a rule' }).click();
    await typeRule(page, `Rule ${'ABCDEF'[i]}`, rule);
  }
  await settled(page);
  return opened;
}

/** The bars, as soon as they are those of these odds. @param {any} page @param {any} odds */
async function barsOf(page, odds) {
  const wanted = odds.outcomes.map(({ value, p }) => ({ value: String(value), p }));
  await page.waitForFunction((last) => {
    const all = document.querySelectorAll('.graph .bar');
    return Number(all[all.length - 1]?.dataset.p) === last;
  }, wanted.at(-1).p);
  assert.deepEqual(await bars(page), wanted);
}

test('typing a rule shows its bars, with the numbers of the command', async () => {
  const { page, problems, close } = await withRules('10d10kh5');
  const odds = document('odds', '10d10kh5');
  // Ends that hold next to nothing are not drawn.
  const drawn = await bars(page);
  const known = new Map(odds.outcomes.map(({ value, p }) => [String(value), p]));
  assert.ok(drawn.length > 25);
  for (const { value, p } of drawn) assert.equal(p, known.get(value));
  await page.getByText('Every number in a table').click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('.all-values tbody tr').length === count,
    odds.outcomes.length,
  );
  await typeRule(page, 'Rule A', '3d6');
  await settled(page);
  await barsOf(page, document('odds', '3d6'));
  assert.equal(await page.locator('.brief').textContent(), '10.5 ± 2.96');
  assert.deepEqual(problems, []);
  await close();
});

test('a mistake is underlined where it is, with what to do about it, until it is right', async () => {
  const { page, problems, close } = await withRules('2d6');
  // A minus of three bytes before the mistake: places are counted in bytes by the engine.
  await typeRule(page, 'Rule A', '9 − 2d6xq');
  await page.locator('.wrong').first().waitFor();
  assert.equal((await page.locator('.wrong').allTextContents()).join(''), 'xq');
  assert.equal(
    await page.getByLabel('Rule A', { exact: true }).getAttribute('aria-invalid'),
    'true',
  );
  assert.match(await page.locator('.fault').first().textContent(), /does nothing to dice/);
  // The last answer stays, faint.
  assert.ok((await page.locator('.graph g.stale').count()) > 0);
  await typeRule(page, 'Rule A', '2d6 + ');
  await page.locator('.gap').waitFor({ state: 'attached' });
  await page.getByLabel('Rule A', { exact: true }).pressSequentially('1d4');
  await page.waitForFunction(() => document.querySelectorAll('.fault').length === 0);
  await barsOf(page, document('odds', '2d6 + 1d4'));
  assert.deepEqual(problems, []);
  await close();
});

test('two rules are compared', async () => {
  const { page, problems, close } = await withRules('2d6+3', '1d12+3');
  const { greater, equal, less } = document('odds', '2d6+3', '--compare', '1d12+3');
  const shown = (p) => `${(p * 100).toFixed(2)} %`;
  await page.waitForFunction(
    (text) => document.querySelector('.versus')?.textContent.includes(text),
    shown(equal),
  );
  const text = await page.locator('.versus').textContent();
  for (const p of [greater, equal, less]) assert.ok(text.includes(shown(p)), text);
  assert.equal(await page.locator('.graph .series-0 .bar').count(), 11);
  assert.equal(await page.locator('.graph .series-1 .bar').count(), 12);
  await page.getByRole('radio', { name: 'at least' }).check();
  const sums = await page.$$eval('.graph .series-1 .bar', (all) =>
    all.map((bar) => Number(bar.dataset.p)),
  );
  assert.ok(Math.abs(sums[0] - 1) < 1e-12);
  assert.ok(sums.every((p, i) => i === 0 || p < sums[i - 1]));
  assert.deepEqual(problems, []);
  await close();
});

test('resources are fields with sliders, and a curve goes over one', async () => {
  const { page, problems, close } = await withRules('1d20 + [Attack] >= [Target AC]');
  await page.getByLabel('Attack', { exact: true }).fill('7');
  const slider = page.getByLabel('Target AC, slider');
  await slider.fill('18');
  const odds = document(
    'odds',
    '1d20 + [Attack] >= [Target AC]',
    '-r',
    'Attack=7',
    '-r',
    'Target AC=18',
  );
  await page.waitForFunction(
    (p) => Number(document.querySelector('.graph .bar')?.dataset.p) === p,
    odds.p,
  );
  const rows = dicec(
    'odds',
    '1d20 + [Attack] >= [Target AC]',
    '-r',
    'Attack=7',
    '--sweep',
    'Target AC=5..30',
    '--json',
  )
    .trim()
    .split('\n');
  await page.waitForFunction(
    (count) => document.querySelectorAll('.sweep .dot').length === count,
    rows.length,
  );
  await page.locator('.sweep .graph').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const { p } = JSON.parse(rows[1]).odds;
  await page.waitForFunction(
    (text) => document.querySelector('.sweep [aria-live]')?.textContent.includes(text),
    p === 1 ? '100 %' : `${(p * 100).toFixed(2)} %`,
  );
  assert.deepEqual(problems, []);
  await close();
});

test('what is too large for exact odds is simulated, shows what it has so far, and can be stopped', async () => {
  const { page, problems, close } = await open('#/rule');
  await page.getByLabel('Rule A', { exact: true }).fill('(200d20!kh100)*1d6');
  await page.getByText('Too large for exact odds: simulating').waitFor();
  await page.getByText(/is simulated: [\d,]+ rolls/).waitFor();
  assert.match(await page.locator('.brief').first().textContent(), /^≈ /);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await settled(page);
  assert.ok(await page.getByText(/is simulated: [\d,]+ rolls/).isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test('the graph is read with the pointer and with the keyboard, with exact fractions', async () => {
  const { page, close } = await withRules('3d6');
  const bar = await page.locator('.graph .bar[data-value="10"]').boundingBox();
  await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
  assert.match(
    await page.locator('.readout').first().textContent(),
    /10.*12\.50 %.*27 \/ 216 = 1 \/ 8/,
  );
  await page.locator('.graph').first().focus();
  await page.keyboard.press('End');
  assert.match(await page.locator('.graph [aria-live]').first().textContent(), /^18: 3d6 0\.46 %/);
  await close();
});

test('an answer is taken away as pictures, tables and a command', async () => {
  const { page, problems, close } = await withRules('2d6', '1d[Sides] + 1');
  const save = async (name) => {
    await page.locator('.menu summary').first().click();
    return saved(page, () => page.getByRole('button', { name }).click());
  };
  const picture = await save('Picture, PNG');
  assert.equal(picture.name, 'odds.png');
  assert.deepEqual(
    [...picture.bytes.subarray(1, 4)],
    [...'PNG'].map((c) => c.charCodeAt(0)),
  );
  const drawing = (await save('Picture, SVG')).bytes.toString();
  assert.match(drawing, /^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.doesNotMatch(drawing, /class=|style=/);
  const rows = (await save('Table, CSV')).bytes.toString().trim().split('\n');
  assert.equal(rows[0], 'rule,result,p,weight');
  assert.equal(rows[1], `2d6,2,${1 / 36},1`);
  const [first] = JSON.parse((await save('Everything, JSON')).bytes.toString());
  assert.deepEqual(first.odds, document('odds', '2d6'));
  const printed = ran(await command(page));
  assert.deepEqual(printed, document('odds', '2d6', '--compare', '1d[Sides] + 1', '-r', 'Sides=5'));
  assert.deepEqual(problems, []);
  await close();
});
