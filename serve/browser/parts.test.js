// Parts of the page that are functions of their arguments, asked in the browser that runs them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suite } from './support.js';

const { open } = suite();

/**
 * What a module's function gives for each list of arguments.
 * @param {string} module
 * @param {string} name
 * @param {any[][]} calls
 */
async function called(module, name, calls) {
  const { page, close } = await open('#/rule');
  const results = await page.evaluate(
    async ([path, which, all]) => {
      const functions = await import(path);
      return all.map((given) => functions[which](...given));
    },
    [`./app/${module}.js`, name, calls],
  );
  await close();
  return results;
}

test('chances are never rounded to what they are not', async () => {
  const shown = await called(
    'numbers',
    'percent',
    [0, 1, 0.5, 1 / 3, 0.999999, 0.00005, 3.12e-17].map((p) => [p]),
  );
  assert.deepEqual(shown, [
    '0 %',
    '100 %',
    '50.00 %',
    '33.33 %',
    '> 99.99 %',
    '0.005 %',
    '3.1 × 10⁻¹⁵ %',
  ]);
});

test('chances that stand alone have no zeros at the end', async () => {
  const shown = await called(
    'numbers',
    'briefPercent',
    [0, 1, 0.1, 0.125, 0.5005].map((p) => [p]),
  );
  assert.deepEqual(shown, ['0 %', '100 %', '10 %', '12.5 %', '50.05 %']);
});

test('places in bytes become places in the text', async () => {
  const [[inside], [atEnd], [none]] = await called('marks', 'ranges', [
    ['é − 🎲 x', [{ start: 12, end: 13 }]],
    ['2d6 +', [{ start: 5, end: 5 }]],
    ['2d6', [{ start: null, end: null }]],
  ]);
  assert.deepEqual(inside, { start: 7, end: 8 });
  assert.deepEqual(atEnd, { start: 5, end: 5 });
  assert.equal(none, undefined);
});

test('tables are read with quotes, tabs and ends of lines of any kind', async () => {
  const [quoted, tabs, part] = await called('csv', 'firstRows', [
    ['Fight,Party\r\n"The ""old"" bridge","4 Guard, 1 Priest"\r\n', 5],
    ['a\tb\n1,5\t2', 5],
    ['a,b\n1,2\n3,', 5, false],
  ]);
  assert.deepEqual(quoted, {
    head: ['Fight', 'Party'],
    rows: [['The "old" bridge', '4 Guard, 1 Priest']],
  });
  assert.deepEqual(tabs.rows, [['1,5', '2']]);
  assert.deepEqual(part.rows, [['1', '2']]);
});

test('what a shell would read otherwise is quoted', async () => {
  const words = await called('command', 'quoted', [['3d6'], ["it's"], ['a b'], ['$(x)'], ['']]);
  assert.deepEqual(words, ['3d6', "'it'\\''s'", "'a b'", "'$(x)'", "''"]);
});

test('the texts of tokens are the text', async () => {
  const script =
    'defroll "A" a(n: int) {\n    // 3d6 “x”\n    return roll(2d{1,2}kh1 + [Level]) /* é';
  const rule = '2d6ro<=2[fire] + {1d8, d%}kh1 − [Target AC]) 🎲 vs';
  for (const [name, text] of [
    ['scriptTokens', script],
    ['ruleTokens', rule],
  ]) {
    const [tokens] = await called('highlight', name, [[text]]);
    assert.equal(tokens.map((token) => token.text).join(''), text);
  }
});
