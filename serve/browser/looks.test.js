// Every view on a phone and on a wide screen, in light and dark: nothing sticks out, axe finds
// nothing, and a picture is taken for people to look at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { screenshot, suite, violations } from './support.js';

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
  async table(page) {
    await page.getByText(/^10 rows in/).waitFor();
  },
};

for (const [name, use] of Object.entries(VIEWS)) {
  for (const width of [390, 1440]) {
    for (const colorScheme of /** @type {('light' | 'dark')[]} */ (['light', 'dark'])) {
      test(`${name}, ${width} pixels, ${colorScheme}`, async () => {
        const { page, problems, close } = await open(`#/${name.split('-')[0]}`, {
          width,
          height: width === 390 ? 844 : 900,
          colorScheme,
        });
        await use(page);
        assert.deepEqual(await violations(page), []);
        const [wide, visible] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.ok(wide <= visible, `${wide} pixels on ${visible}`);
        await screenshot(page, `${name}-${width}-${colorScheme}`);
        assert.deepEqual(problems, []);
        await close();
      });
    }
  }
}
