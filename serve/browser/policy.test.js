// What a browser lets the page do, and that no text of anybody becomes a part of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, linkTo, suite } from './support.js';

const shared = suite();
const { open } = shared;

const served = { skip: SITE && 'headers are those of whatever serves the page' };
const EVIL = '<img src=x onerror="ran=1">';
/** The same without what ends a text in a script. */
const IN_TEXT = '<img src=x onerror=ran=1><script>ran=1</script>';

test('no script runs that is not a file of the server', served, async () => {
  const { page, close } = await open('#/rule');
  const refused = await page.evaluate(async () => {
    // What the browser's tools begin is allowed more, until it waits.
    await new Promise((resolve) => setTimeout(resolve));
    const found = new Set();
    document.addEventListener('securitypolicyviolation', (event) =>
      found.add(event.effectiveDirective),
    );
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = "a script"';
    const elsewhere = document.createElement('script');
    elsewhere.src = 'http://127.0.0.1:1/x.js';
    const data = document.createElement('script');
    data.src = 'data:text/javascript,globalThis.ran="data"';
    const box = document.createElement('div');
    box.innerHTML =
      '<img src=x onerror="globalThis.ran=\'an event\'"><style>body{color:red}</style>' +
      '<b style="color:red">a</b><a href="javascript:globalThis.ran=\'a link\'">b</a>' +
      '<iframe srcdoc="<script>parent.ran=1</script>"></iframe><object data="data:text/html,a"></object>' +
      '<form action="/api/odds" method="post"></form>';
    document.body.append(script, elsewhere, data, box);
    box.querySelector('a').click();
    box.querySelector('form').submit();
    for (const text of ['globalThis.ran = "eval"', 'globalThis.ran = "a timer"']) {
      try {
        text.includes('eval') ? (0, eval)(text) : setTimeout(text, 0);
      } catch (error) {
        found.add(error.name);
      }
    }
    await fetch('http://127.0.0.1:1/').catch(() => {});
    // A frame and a form are refused when the browser gets to them.
    const end = performance.now() + 20_000;
    while (found.size < 9 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [...found, String(globalThis.ran)].sort();
  });
  assert.deepEqual(refused, [
    'EvalError',
    'connect-src',
    'form-action',
    'object-src',
    'script-src',
    'script-src-attr',
    'script-src-elem',
    'style-src-attr',
    'style-src-elem',
    'undefined',
  ]);
  await close();
});

test('no other page frames this one, or reads what it opened', served, async () => {
  const { page, close } = await open('#/rule');
  const isFramed = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = location.href;
    document.body.append(frame);
    await new Promise((loads) => frame.addEventListener('load', loads));
    return frame.contentDocument !== null;
  });
  assert.equal(isFramed, false);
  await close();
});

/**
 * Where texts of somebody are shown: an address, what is done there, and what then has the text.
 * @type {Record<string, [string, (page: any) => Promise<void>, string[]]>}
 */
const PLACES = {
  'rules, labels and resources': [
    linkTo('rule', {
      rules: ['1d20 + [<img src>]', '2d6[<img src=x onerror=ran=1>] + 1d4', EVIL],
      set: { '<img src>': 3, other: EVIL },
      over: EVIL,
    }),
    async (page) => {
      await page.locator('.sweep .dot').first().waitFor();
      await page.locator('.graph').first().focus();
      await page.keyboard.press('End');
    },
    ['.resource-name', '.figures', '.readout', '.sweep select', '.editor-copy'],
  ],
  'texts of a script': [
    linkTo('script', {
      text: `enum kind { a, b }
defroll "${IN_TEXT}" first(name: string = "${IN_TEXT}", k: kind = a) {
  x = roll(2d6);
  output("${IN_TEXT} " + name);
  if (userOption("${IN_TEXT}", "${IN_TEXT}?")) { x += 1; }
  stat("${IN_TEXT}", x);
  return x;
}
defroll "${IN_TEXT}" second() { x = roll(1d6); return x; }
`,
    }),
    async (page) => {
      await page.locator('.step-option button').first().click();
      await page.locator('.play-result').waitFor();
    },
    ['.step-line', '.step-purpose', '.question', '.play-result dt', '.roll-panel select'],
  ],
  'statistics and lines of a script': [
    linkTo('script', {
      text: `defroll "A" first() {
  x = roll(2d6);
  output("${IN_TEXT}");
  stat("${IN_TEXT}", x);
  return x;
}
`,
      mode: 'odds',
    }),
    (page) => page.locator('.odds-pane .bar').first().waitFor(),
    ['.script-rest table', '.chooser select'],
  ],
  'creatures': [
    linkTo('encounter', {
      sides: [
        { creatures: [{ creature: EVIL, count: 1 }] },
        { creatures: [{ creature: 'Wolf', count: 1 }] },
      ],
    }),
    (page) => page.locator('section[aria-label="Who wins"] .fault').first().waitFor(),
    ['.group-name'],
  ],
  'cells and names of a table': [
    linkTo('table', {
      name: `${EVIL}.csv`,
      text: `Attack,"${EVIL.replaceAll('"', '""')}"\n1,"${EVIL.replaceAll('"', '""')}"\n`,
      rules: [{ name: 'hit', rule: '1d20 + [Attack] >= 15' }],
    }),
    (page) =>
      page
        .locator(`section[aria-label=Answer] ${SITE ? '.fault' : '.added'}`)
        .first()
        .waitFor(),
    ['.view-table th', '.view-table td', '.columns button', '.view-table .remark'],
  ],
  'parts of an address': [
    linkTo('rule', { rules: ['2d6'], set: { [EVIL]: [] } }),
    (page) => page.locator('.notice').waitFor(),
    ['.notice code'],
  ],
};

for (const [title, [address, act, where]] of Object.entries(PLACES)) {
  test(`${title} are texts`, async () => {
    const { page, problems, close } = await open(address);
    await act(page);
    for (const place of where) {
      const texts = await page.locator(place).allTextContents();
      assert.ok(texts.some((text) => text.includes('<img src')), `${place}: ${texts}`);
    }
    await nothingRan(page);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('what a server says is a text', served, async () => {
  const message = `\`${EVIL}\` is wrong ${EVIL}`;
  const answers = {
    odds: { status: 422, body: { error: { code: 'D0001', message, help: EVIL, start: 0, end: 2 } } },
    creatures: { status: 200, body: [{ name: `Goblin ${EVIL}`, cr: 1, ac: 1, hp: 1 }] },
  };
  const { page, problems, close } = await open('#/rule', {
    before: (page) =>
      page.route('**/api/**', (route) => {
        const name = new URL(route.request().url()).pathname.split('/').at(-1);
        const { status, body } = answers[name] ?? { status: 422, body: answers.odds.body };
        return route.fulfill({ status, json: body });
      }),
  });
  await page.locator('.rule .fault').filter({ hasText: EVIL }).first().waitFor();
  await nothingRan(page);
  await page.getByRole('link', { name: 'Encounter' }).click();
  await page.getByRole('combobox').first().pressSequentially('g');
  await page.getByRole('option').filter({ hasText: EVIL }).click();
  await page.getByLabel(`How many Goblin ${EVIL}`).waitFor();
  await nothingRan(page);
  assert.deepEqual(problems, []);
  await close();
});

/** No text has become an element, or has run. @param {any} page */
async function nothingRan(page) {
  const found = await page.evaluate(() => [
    document.querySelectorAll('main img, main script, [onerror]').length,
    typeof globalThis.ran,
  ]);
  assert.deepEqual(found, [0, 'undefined']);
}
