// A phone, and the editor: fingers, small screens, the Tab key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTo, settled, suite } from './support.js';

const { open } = suite();
const PHONE = { width: 390, height: 844 };

test('a tap on a bar shows its value until one taps elsewhere', async () => {
  const { page, problems, close } = await open(linkTo('rule', { rules: ['3d6'] }), { ...PHONE, touch: true });
  await settled(page);
  const bar = page.locator('.graph .bar[data-value="10"]');
  await bar.scrollIntoViewIfNeeded();
  const box = await bar.boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  const readout = page.locator('.readout').first();
  await readout.waitFor();
  assert.match(await readout.textContent(), /10.*12\.50 %/);
  await page.waitForTimeout(200);
  assert.ok(await readout.isVisible());
  const title = await page.locator('.brand').boundingBox();
  await page.evaluate(() => scrollTo(0, 0));
  await page.touchscreen.tap(title.x + 200, 20);
  await readout.waitFor({ state: 'hidden' });
  assert.deepEqual(problems, []);
  await close();
});

test('figures come before the graph, and targets are large enough for fingers', async () => {
  const { page, problems, close } = await open('#/rule', PHONE);
  await settled(page);
  const top = async (what) => (await page.locator(what).first().boundingBox()).y;
  assert.ok((await top('.odds .figures')) < (await top('.odds .graph')));
  for (const view of ['rule', 'script', 'anydice', 'encounter', 'day', 'table']) {
    await page.evaluate((to) => location.assign(to), `#/${view}`);
    await page.waitForFunction((start) => location.hash.startsWith(start), `#/${view}/z`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, summary, nav a, textarea')]
        .filter((one) => one.checkVisibility() && !one.closest('.unseen') && one.type !== 'checkbox')
        .map((one) => (one.type === 'radio' ? one.parentElement : one))
        .filter((one) => one.getBoundingClientRect().height < 43.5)
        .map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`),
    );
    assert.deepEqual(small, [], view);
  }
  assert.deepEqual(problems, []);
  await close();
});

test('nothing is wider than the screen, whatever is typed', async () => {
  const long = '[A very long name of a resource that goes on and on without an end]';
  const rules = [Array.from({ length: 30 }, () => `2d6 + ${long}`).join(' + '), 'x'.repeat(400), '2d6'];
  const names = ['a name without a space '.repeat(2).replaceAll(' ', '_').slice(0, 60)];
  for (const width of [390, 820, 1440]) {
    const { page, problems, close } = await open(linkTo('rule', { rules, names }), { width });
    await settled(page);
    await page.locator('.fault').first().waitFor();
    const [wide, visible] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(wide <= visible, `${wide} pixels on ${visible}`);
    assert.deepEqual(problems, []);
    await close();
  }
});

test('Tab moves lines in and out, Escape lets it leave, and lines are numbered', async () => {
  const { page, problems, close } = await open('#/script');
  const field = page.getByRole('textbox', { name: 'Script' });
  await field.fill('a\nb\nc');
  assert.equal(await page.locator('.editor-gutter').textContent(), '1\n2\n3');
  await field.press('Control+a');
  await field.press('Tab');
  assert.equal(await field.inputValue(), '    a\n    b\n    c');
  await field.press('Shift+Tab');
  assert.equal(await field.inputValue(), 'a\nb\nc');
  await field.press('Control+End');
  await field.press('Tab');
  assert.equal(await field.inputValue(), 'a\nb\nc    ');
  await field.press('Control+z');
  assert.equal(await field.inputValue(), 'a\nb\nc');
  await field.press('Escape');
  await field.press('Tab');
  assert.equal(await field.evaluate((one) => one === document.activeElement), false);
  assert.deepEqual(problems, []);
  await close();
});
