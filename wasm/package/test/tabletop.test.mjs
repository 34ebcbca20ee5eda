// The example of a virtual tabletop (examples/vtt) in a browser, with the package that DICEC_NPM names.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');
const browser = join(root, 'serve/browser');
const skip = !existsSync(join(browser, 'node_modules/playwright-core')) && 'no browser: .ci/browser installs it';
const site = mkdtempSync(join(tmpdir(), 'dicec-vtt-'));
cpSync(join(root, 'examples/vtt'), site, { recursive: true });
cpSync(process.env.DICEC_NPM, join(site, 'node_modules/dicec'), { recursive: true });
process.env.SITE = site;

const { suite, violations, screenshot } = skip ? {} : await import(pathToFileURL(join(browser, 'support.js')).href);
const opened = skip ? null : suite();

/** The page, ready. */
async function table(options) {
  const found = await opened.open('', options);
  await found.page.locator('body[data-ready]').waitFor();
  return found;
}

/** Reads the faces of dice on the table to the page. */
async function read(page, ...faces) {
  for (const face of faces) {
    await page.locator('#asked input').fill(String(face));
    await page.getByRole('button', { name: 'It shows this' }).click();
  }
}

const log = (page) => page.locator('#log li');

test('a button rolls, and the log shows each die', { skip }, async () => {
  const { page, problems, close } = await table();
  await page.getByRole('button', { name: 'Ability score' }).click();
  const entry = log(page).first();
  assert.equal(await entry.locator('.die').count(), 4);
  assert.equal(await entry.locator('.dropped').count(), 1);
  const values = (await entry.locator('.die:not(.dropped)').allInnerTexts()).map(Number);
  const total = Number(await entry.locator('.result').innerText());
  assert.equal(total, values.reduce((sum, value) => sum + value));
  assert.match(await entry.locator('small').innerText(), /^4d6\[.*\] = \d+ \(seed \d+\)$/);
  assert.deepEqual(problems, []);
  await close();
});

test('dice on the table are read out one by one, also those that explode', { skip }, async () => {
  const { page, problems, close } = await table();
  await page.getByLabel('I roll my own dice').check();
  await page.getByRole('button', { name: 'Exploding' }).click();
  assert.equal(await page.locator('#asked-die').innerText(), 'Die 1, a d6');
  await read(page, 6, 6, 3, 2);
  await log(page).first().waitFor();
  assert.equal(await log(page).first().locator('.result').innerText(), '17');
  assert.match(await log(page).first().innerText(), /own dice/);
  // A roll that is left leaves nothing.
  await page.getByRole('button', { name: 'Fireball' }).click();
  await read(page, 5);
  await page.getByRole('button', { name: 'Leave it' }).click();
  await page.locator('#asked').waitFor({ state: 'hidden' });
  assert.equal(await log(page).count(), 1);
  // The next one takes the place of one that was not finished.
  await page.getByRole('button', { name: 'Fireball' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await read(page, 11);
  await log(page).nth(1).waitFor();
  assert.equal(await log(page).first().locator('.result').innerText(), '11');
  assert.ok(await page.locator('#asked').isHidden());
  assert.deepEqual(problems, []);
  await close();
});

test('a rule of one\'s own, and a mistake in it', { skip }, async () => {
  const { page, problems, close } = await table();
  const rule = page.getByLabel('Rule', { exact: true });
  await rule.fill('2d6 + [Strength]');
  await rule.press('Enter');
  assert.match(await page.locator('#wrong').innerText(), /Strength/);
  await rule.fill('<b>2d6</b>');
  await rule.press('Enter');
  assert.equal(await log(page).count(), 0);
  await rule.fill('1d1 + 4');
  await rule.press('Enter');
  await log(page).first().waitFor();
  assert.equal(await log(page).first().locator('.result').innerText(), '5');
  assert.ok(await page.locator('#wrong').isHidden());
  assert.deepEqual(problems, []);
  await close();
});

test('everyone rolls initiative, and the turn goes around', { skip }, async () => {
  const { page, problems, close } = await table();
  await page.getByLabel('Name').fill('Mage');
  await page.getByLabel('Bonus', { exact: true }).fill('-1');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByLabel('I roll my own dice').check();
  await page.getByRole('button', { name: 'Roll initiative' }).click();
  // Champion +2, Thief +4, Troll +1, Mage −1: two come to 14.
  await read(page, 12, 10, 20, 1);
  await page.locator('[aria-current]').waitFor();
  const names = () => page.locator('#order .name').allInnerTexts();
  assert.deepEqual(await names(), ['Troll', 'Thief', 'Champion', 'Mage']);
  assert.deepEqual(await page.locator('#order .total').allInnerTexts(), ['21', '14', '14', '0']);
  const current = () => page.locator('[aria-current] .name').innerText();
  assert.equal(await current(), 'Troll');
  await page.getByRole('button', { name: 'Next turn' }).click();
  assert.equal(await current(), 'Thief');
  await page.getByRole('button', { name: 'Remove Troll' }).click();
  assert.equal(await current(), 'Thief', 'it stays the turn of who has it');
  assert.deepEqual(problems, []);
  await close();
});

test('an attack has its odds, and takes hit points', { skip }, async () => {
  const { page, problems, close } = await table();
  const figures = () => page.locator('#odds dd').allInnerTexts();
  // 9 to 19 hit for 1d8 + 3, and 20 for 2d8 + 3; 11 points or more are 1 of 8, and 43 of 64.
  const mean = (11 * 7.5 + 12) / 20;
  const down = (11 * (1 / 8) + 43 / 64) / 20;
  assert.deepEqual(await figures(), ['60.0 %', mean.toFixed(2), `${(100 * down).toFixed(1)} %`]);
  await page.getByLabel('Armour class').fill('30');
  await page.waitForFunction(() => document.querySelector('#odds dd').textContent === '5.0 %');
  await page.getByLabel('I roll my own dice').check();
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await read(page, 20, 8, 8);
  await log(page).first().waitFor();
  assert.equal(await log(page).first().locator('.result').innerText(), '19');
  assert.match(await log(page).first().innerText(), /The target is down/);
  await page.getByRole('textbox', { name: 'Damage' }).fill('1d8 +');
  await page.locator('#attack-wrong').waitFor();
  assert.equal(await page.locator('#odds dd').count(), 0, 'no stale numbers');
  assert.deepEqual(problems, []);
  await close();
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [390, 1440]) {
    test(`it can be read and used with ${width} px, ${colorScheme}`, { skip }, async () => {
      const { page, problems, close } = await table({ width, colorScheme });
      await page.getByRole('button', { name: 'Roll initiative' }).click();
      await page.getByRole('button', { name: 'Exploding' }).click();
      await page.getByRole('button', { name: 'Attack', exact: true }).click();
      await page.getByLabel('I roll my own dice').check();
      await page.getByRole('button', { name: 'Advantage', exact: true }).click();
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrolled <= width, `${scrolled} px wide`);
      assert.deepEqual(await violations(page), []);
      await screenshot(page, `tabletop_${width}_${colorScheme}`);
      assert.deepEqual(problems, []);
      await close();
    });
  }
}
