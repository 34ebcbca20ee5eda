// Addresses that the page did not write, or not this version of it: what fits is used, the rest is
// named, and the view works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { SITE, linkTo, suite } from './support.js';

const { open } = suite();

const CUT_OFF = 'This link cannot be read: it is cut off, or of something else.';
/** Places as people count. @param {string} part */
const inWords = (part) =>
  part.replace(/\[(\d+)\]/g, (_, index) => `.${Number(index) + 1}`).split('.').join(' › ');
/** @param {...string} parts */
const leavesOut = (...parts) =>
  parts.length === 1
    ? `The link has a part that this page does not know, and leaves out: ${inWords(parts[0])}.`
    : `The link has parts that this page does not know, and leaves out: ${parts.map(inWords).join(', ')}.`;

const SCRIPT = 'defroll "A" a(n: int = 1) {\n    x = roll(1d1);\n    return x + n;\n}\n';
const packed = (text) => `#/rule/z${deflateRawSync(Buffer.from(text)).toString('base64url')}`;
const whole = packed(JSON.stringify({ rules: ['2d6', '1d12 + 1'], mode: 'least' }));
const group = (creature, count) => ({ creature, count });
const veterans = { creatures: [group('Veteran', 2)] };
const wolves = { creatures: [group('Wolf', 3)] };

/**
 * A part that works shows what somebody does with it.
 * @type {Record<string, (page: any) => Promise<void>>}
 */
const WORKS = {
  async rule(page) {
    await page.getByLabel('Rule A', { exact: true }).fill('2d4');
    await page.getByText('5 ± 1.58').waitFor();
  },
  async script(page) {
    await page.getByRole('textbox', { name: 'Script' }).fill(SCRIPT);
    await page.getByRole('radio', { name: 'Roll' }).check();
    await page.locator('.play-result').waitFor();
    await page.getByRole('button', { name: 'Roll', exact: true }).click();
    await page.locator('.play-result').waitFor();
  },
  async encounter(page) {
    await page.getByRole('button', { name: 'wolf pack' }).click();
    await page.getByLabel('How many Knight').waitFor();
    await page.locator('.view-encounter .picture .bar').first().waitFor({ state: 'attached' });
  },
  async table(page) {
    await page.getByRole('button', { name: 'attacks and targets' }).click();
    const shown = SITE ? '.fault' : '.added';
    await page.locator(`section[aria-label=Answer] ${shown}`).first().waitFor();
  },
};

/**
 * Titles, addresses, and notes; null where nothing is to be noted.
 * @type {[string, string, string | null][]}
 */
const ADDRESSES = [
  ['nothing', '#', null],
  ['only a slash', '#/', null],
  ['a view that there is not', '#/party', leavesOut('party')],
  ['a view that there is not, with a state', linkTo('party', { rules: ['9d9'] }), leavesOut('party')],
  ['a name of every object', '#/constructor', leavesOut('constructor')],
  ['another one', '#/__proto__/zAAAA', leavesOut('__proto__')],
  ['a name in other letters', '#/toString', leavesOut('toString')],
  ['an anchor', '#results', leavesOut('results')],
  ['a name with HTML', '#/<img src=x>', leavesOut('%3Cimg%20src=x%3E')],
  ['a cut state', whole.slice(0, -9), CUT_OFF],
  ['a state with something after it', `${whole}AAAA`, CUT_OFF],
  ['a letter changed', whole.replace(/.{9}$/, (end) => `_${end.slice(1)}`), CUT_OFF],
  ['a packing of another version', `#/rule/q${whole.slice(8)}`, CUT_OFF],
  ['no Base64', '#/rule/z%%%', CUT_OFF],
  ['no JSON', linkTo('rule', '{"rules": ['), CUT_OFF],
  ['null', linkTo('rule', 'null'), CUT_OFF],
  ['a number', linkTo('script', '17'), CUT_OFF],
  ['a list', linkTo('encounter', [1, 2]), CUT_OFF],
  ['a text', linkTo('table', '"rules"'), CUT_OFF],
  ['lists in lists', linkTo('script', '['.repeat(50_000)), CUT_OFF],
  ['64 MiB in a few bytes', packed(`{"rules":["${'1'.repeat(1 << 26)}"]}`), CUT_OFF],
  ['no member', linkTo('rule', {}), null],
  ['a number for a list', linkTo('rule', { rules: 5 }), leavesOut('rules')],
  ['no rule', linkTo('rule', { rules: [] }), leavesOut('rules')],
  ['rules that are none', linkTo('rule', { rules: [7, null] }), leavesOut('rules[0]', 'rules[1]')],
  [
    'too many rules',
    linkTo('rule', { rules: Array.from({ length: 4000 }, () => '2d6') }),
    leavesOut('rules[40]'),
  ],
  ['half a character', linkTo('rule', '{"rules": ["2d6 + [\\ud83d]"]}'), leavesOut('rules[0]')],
  [
    'other words',
    linkTo('rule', { rules: ['2d6'], dialect: 'dice', mode: 'most?', shape: 'toString' }),
    leavesOut('dialect', 'mode', 'shape'),
  ],
  [
    'values of every kind',
    linkTo(
      'rule',
      '{"rules": ["2d6 + [A]"], "set": {"A": {}, "B": null, "C": [1], "D": 1e999}, "over": 3}',
    ),
    leavesOut('set.A', 'set.B', 'set.C', 'set.D and 1 more'),
  ],
  ['values in a list', linkTo('rule', { rules: ['2d6'], set: [1] }), leavesOut('set')],
  [
    'resources with names of every object',
    linkTo(
      'rule',
      '{"rules": ["1d20 + [__proto__] + [constructor] + [toString] + [odds]"], "set": {"__proto__": 2, "constructor": "1d4", "odds": 3}, "over": "odds"}',
    ),
    null,
  ],
  [
    'a huge value of a resource',
    linkTo('rule', { rules: ['1d20 + [A]'], set: { A: Number.MAX_SAFE_INTEGER } }),
    null,
  ],
  ['members of every object', linkTo('rule', '{"__proto__": {"rules": 1}}'), leavesOut('__proto__')],
  ['a script that is a number', linkTo('script', { text: 4, seed: 3 }), leavesOut('text')],
  [
    'members of another version',
    linkTo('script', { text: SCRIPT, roll: 'a', fold: true, speed: { fast: 1 } }),
    leavesOut('fold', 'speed'),
  ],
  [
    'numbers that are no seeds',
    linkTo('script', { text: SCRIPT, seed: -1, stepping: 'yes', roll: {} }),
    leavesOut('seed', 'stepping', 'roll'),
  ],
  ['a seed with a fraction', linkTo('script', { text: SCRIPT, seed: 0.5 }), leavesOut('seed')],
  ['a seed without end', linkTo('script', '{"seed": 1e400}'), leavesOut('seed')],
  [
    'arguments and choices of something else',
    linkTo('script', {
      text: SCRIPT,
      roll: 'none',
      args: { n: [{}], __proto: 1 },
      choices: { nowhere: true, '': { a: 1 } },
      options: { nobody: 'always', toString: 7 },
      what: 'nothing',
    }),
    leavesOut('choices.', 'options.toString'),
  ],
  [
    'endless arguments',
    linkTo('script', `{"text": "", "args": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
    leavesOut('args'),
  ],
  [
    'a roll of a script that has a mistake, and its odds',
    linkTo('script', { text: 'defroll "A" a() {', roll: 'a', mode: 'odds', args: { n: 2 } }),
    null,
  ],
  [
    'settings of another kind',
    linkTo('script', { text: SCRIPT, mode: 'odds', settings: { mode: 1, look: 2 } }),
    leavesOut('settings.mode', 'settings.look'),
  ],
  ['sides that are a text', linkTo('encounter', { sides: '4 Orc vs 2 Orc' }), leavesOut('sides')],
  ['one side', linkTo('encounter', { sides: [veterans] }), null],
  [
    'three sides, one of them wrong',
    linkTo('encounter', { sides: [{ creatures: 4 }, wolves, veterans] }),
    leavesOut('sides[2]', 'sides[0].creatures'),
  ],
  [
    'counts that are none',
    linkTo('encounter', {
      sides: [
        { creatures: [group('Orc', -1), group('Orc', 1e9), group('Orc', 'two'), group(7, 1)] },
        wolves,
      ],
    }),
    leavesOut(...[0, 1, 2].map((i) => `sides[0].creatures[${i}].count`), 'sides[0].creatures[3].creature'),
  ],
  [
    'tactics and rules that there are not',
    linkTo('encounter', {
      sides: [{ ...veterans, targets: 'constructor', mood: 1 }, wolves],
      rules: { rounds: 0, distance: -5, initiative: ['each'] },
    }),
    leavesOut('sides[0].targets', 'sides[0].mood', 'rules.rounds', 'rules.distance and 1 more'),
  ],
  [
    'a creature that nobody knows, and a fight of it told',
    linkTo('encounter', {
      sides: [{ creatures: [group('Orc vs 3, __proto__', 1)] }, wolves],
      telling: 4,
    }),
    null,
  ],
  [
    'columns that are none',
    linkTo('table', { rules: [{ name: 1, rule: '2d6' }, 'x', { rule: '2d6' }], name: [] }),
    leavesOut('rules[0].name', 'rules[1]', 'rules[2]', 'name'),
  ],
  [
    'a table that is no text',
    linkTo('table', { text: { rows: 3 }, encounters: 'no', name: 'a.csv' }),
    leavesOut('text', 'encounters'),
  ],
  ['a table of nothing', linkTo('table', { text: '\n\n"', rules: [] }), null],
];

for (const [title, address, note] of ADDRESSES) {
  test(title, async () => {
    const { page, problems, close } = await open(address);
    await page.locator('main > .view').waitFor();
    const shown = page.locator('.notice p');
    if (note === null) assert.ok(await shown.isHidden(), await shown.textContent());
    else assert.equal(await shown.textContent(), note);
    const view = /^#\/(script|encounter|table)\b/.exec(address)?.[1] ?? 'rule';
    await page.locator(`.view-${view}`).waitFor();
    await WORKS[view](page);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('what fits is used', async () => {
  const { page, close } = await open(
    linkTo('rule', { rules: ['2d6', {}, '1d12'], set: { A: 3, B: [] }, mode: 'least', theme: 1 }),
  );
  const value = (rule) => page.getByLabel(rule, { exact: true }).inputValue();
  assert.deepEqual([await value('Rule A'), await value('Rule B')], ['2d6', '1d12']);
  assert.ok(await page.getByRole('radio', { name: 'at least' }).isChecked());
  // The address has what the page has, and the note stays until it is closed.
  await page.waitForFunction(() => location.hash.startsWith('#/rule/z'));
  await page.getByRole('button', { name: 'Close this note' }).click();
  assert.ok(await page.locator('.notice').isHidden());
  const again = await open(new URL(page.url()).hash);
  await again.page.locator('main > .view').waitFor();
  assert.ok(await again.page.locator('.notice').isHidden());
  await again.close();
  await close();
});

test('an address that cannot be read changes nothing of a view, and the next one closes the note', async () => {
  const { page, problems, close } = await open(linkTo('rule', { rules: ['3d4'] }));
  const rule = page.getByLabel('Rule A', { exact: true });
  await page.getByText('7.5 ± 1.94').waitFor();
  await page.evaluate(() => location.assign('#/rule/zAAAA'));
  await page.getByText(CUT_OFF).waitFor();
  assert.equal(await rule.inputValue(), '3d4');
  await page.evaluate((hash) => location.assign(hash), linkTo('rule', { rules: ['4d4'] }));
  await page.waitForFunction(() => document.querySelector('.notice')?.hidden);
  assert.equal(await rule.inputValue(), '4d4');
  assert.deepEqual(problems, []);
  await close();
});

test('the last of several addresses is the one that counts', async () => {
  const { page, problems, close } = await open('#/rule');
  await page.evaluate(
    (addresses) => addresses.forEach((hash) => location.assign(hash)),
    ['#/table', '#/script', '#/encounter', '#/nowhere', '#/script'],
  );
  await page.locator('.view-script').waitFor();
  await page.waitForFunction(() => location.hash.startsWith('#/script/z'));
  assert.equal(await page.locator('main > .view').count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('links of the page itself leave nothing out', async () => {
  const { page, problems, close } = await open('#/rule');
  const copy = await open('#/rule');
  for (const view of ['rule', 'script', 'encounter', 'day', 'table']) {
    await page.evaluate((to) => location.assign(to), `#/${view}`);
    await page.locator(`.view-${view}`).waitFor();
    const examples =
      view === 'script'
        ? await page.getByLabel('Examples').locator('option').count()
        : (await page.locator('.examples:not(.columns) button').count()) + (view === 'rule' ? 0 : 1);
    for (let i = 1; i < examples; i += 1) {
      await page.waitForFunction((start) => location.hash.startsWith(start), `#/${view}/z`);
      const old = new URL(page.url()).hash;
      if (view === 'script') await page.getByLabel('Examples').selectOption({ index: i });
      else await page.locator('.examples:not(.columns) button').nth(i - 1).click();
      // The first one is what a view begins with.
      if (i > 1) await page.waitForFunction((hash) => location.hash !== hash, old);
      await copy.page.goto('about:blank');
      await copy.page.goto(page.url());
      await copy.page.locator(`.view-${view}`).waitFor();
      const note = copy.page.locator('.notice');
      assert.ok(await note.isHidden(), await note.textContent());
    }
  }
  assert.deepEqual([...problems, ...copy.problems], []);
  await copy.close();
  await close();
});

test('what is too long for an address is said, until it is not', async () => {
  const { page, problems, close } = await open('#/script');
  const editor = page.getByRole('textbox', { name: 'Script' });
  const note = page.getByText('This is too long for an address: a link does not bring it back.');
  await editor.fill(`// ${'long '.repeat(220_000)}`);
  await note.waitFor();
  await editor.fill(SCRIPT);
  await note.waitFor({ state: 'hidden' });
  assert.deepEqual(problems.filter((text) => !text.includes('status of 413')), []);
  await close();
});

test('what other pages have stored here is nothing to this one', async () => {
  const { page, problems, close } = await open('#/rule', {
    before: (page) =>
      page.addInitScript(() => {
        for (const store of [localStorage, sessionStorage]) {
          for (const name of ['state', 'rules', 'rule', 'view', '__proto__', 'theme']) {
            store.setItem(name, '{"rules": [{}], "__proto__": 1');
          }
        }
        globalThis.name = '{"rules": 1}';
        document.cookie = 'rules=[]';
        history.replaceState({ rules: [null], view: '__proto__' }, '');
      }),
  });
  assert.ok(await page.locator('.notice').isHidden());
  await WORKS.rule(page);
  assert.deepEqual(problems, []);
  await close();
});
