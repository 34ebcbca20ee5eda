// Every view on a phone and on a wide screen, in light and dark: nothing sticks out, axe finds
// nothing, and a picture is taken for people to look at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, linkTo, screenshot, suite, violations } from './support.js';

const { open } = suite();

/** How each view looks when it is in use. @type {Record<string, (page: any) => Promise<void>>} */
const VIEWS = {
  async rule(page) {
    await page.locator('.versus strong').first().waitFor();
  },
  async 'rule-attack'(page) {
    await page.getByRole('button', { name: 'attack', exact: true }).click();
    await page.locator('.sweep .dot').first().waitFor();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Rule C', { exact: true }).pressSequentially('4d6kh3 + (2d8 +');
    await page.locator('.wrong').first().waitFor();
    await page.getByText('Every number in a table').click();
  },
  async 'rule-lines'(page) {
    await page.getByRole('button', { name: 'great weapons' }).click();
    await page.locator('.graph .line').first().waitFor();
    await page
      .locator('.graph')
      .first()
      .hover({ position: { x: 200, y: 150 } });
  },
  async 'rule-notice'(page) {
    const state = { rules: ['2d6', 5], set: { 'Attack bonus': {} }, theme: 'dark', mode: 3, depth: 2 };
    await page.evaluate((to) => location.assign(to), linkTo('rule', state));
    await page.locator('.notice').waitFor();
    await page.getByText('7 ± 2.42').waitFor();
  },
  async script(page) {
    await page
      .getByRole('group', { name: 'Use inspiration?' })
      .getByRole('button', { name: 'Yes' })
      .click();
    await page.locator('.die.fresh').first().waitFor();
  },
  async 'script-odds'(page) {
    await page.getByLabel('Examples').selectOption({ label: 'Duel: a fight and its rounds' });
    await page.locator('.odds-pane .bar').first().waitFor();
  },
  async 'script-wrong'(page) {
    await page
      .getByRole('textbox', { name: 'Script' })
      .fill('defroll "A" a(n: int) {\n    x = roll(2d6\n    retrun x;\n}\n');
    await page.locator('.wrong').first().waitFor();
  },
  async encounter(page) {
    await page.locator('.report table').waitFor();
    await page.getByRole('button', { name: 'What does each feature do?' }).click();
    await page.getByRole('button', { name: 'Tell a fight' }).click();
    await page.locator('.story').waitFor();
    await page.locator('.change').first().waitFor({ state: 'attached' });
  },
  async 'encounter-picking'(page) {
    await page.locator('.report table').waitFor();
    await page.getByText('Tactics').first().click();
    await page.getByRole('combobox').first().pressSequentially('gi');
    await page.getByRole('option').first().waitFor();
  },
  async day(page) {
    await page.locator('.report table').first().waitFor();
    await page.getByRole('button', { name: 'Tell a day' }).click();
    await page.locator('.story').waitFor();
  },
  async table(page) {
    await page.getByText(SITE ? /^Tables need/ : /^10 rows in/).waitFor();
  },
};

/** @type {{width: number, height: number, colorScheme: 'light' | 'dark'}[]} */
const LOOKS = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
];

for (const [name, use] of Object.entries(VIEWS)) {
  test(`${name} on a phone and on a wide screen, in light and dark`, async () => {
    const { page, problems, close } = await open(`#/${name.split('-')[0]}`, LOOKS[0]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await use(page);
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Graphs follow the width in the next frames.
      await page.evaluate(
        () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))),
      );
      const look = `${name}-${width}-${colorScheme}`;
      await screenshot(page, look);
      assert.deepEqual(await violations(page), [], look);
      const [wide, visible] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(wide <= visible, `${look}: ${wide} pixels on ${visible}`);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}
