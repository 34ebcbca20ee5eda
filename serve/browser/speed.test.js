// How long it takes from a keystroke to the bars. It is measured and printed; no test fails because
// a machine is slow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, suite } from './support.js';

const { open } = suite();

test('from a keystroke to the bars of 10d10kh5', async (t) => {
  const { page, close } = await open('#/rule');
  await page.locator('.bar').first().waitFor();
  const field = page.getByLabel('Rule A', { exact: true });
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < 20; i += 1) {
    await field.fill('10d10kh');
    await settled(page);
    await page.evaluate(() => performance.clearMarks());
    await field.press('5');
    const time = await page.waitForFunction(() => {
      const [typed] = performance.getEntriesByName('typed');
      const drawn = performance.getEntriesByName('drawn').at(-1);
      return typed && drawn && document.querySelectorAll('.rule[aria-busy]').length === 0
        ? drawn.startTime - typed.startTime
        : null;
    });
    times.push(/** @type {number} */ (await time.jsonValue()));
  }
  times.sort((a, b) => a - b);
  t.diagnostic(
    `measured: keystroke to bars: median ${times[10].toFixed(1)} ms, slowest of 20 ${times[19].toFixed(1)} ms`,
  );
  const first = await page.evaluate(
    () => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
  );
  t.diagnostic(`measured: page ready ${first.toFixed(0)} ms after the request`);
  assert.ok(times.every(Number.isFinite));
  await close();
});
