// Questions that have no answer: with a mistake, or of a server that says something else than
// answers, or nothing. What is wrong is said where the answer would be.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { SITE, linkTo, suite } from './support.js';

const shared = suite();
const { open } = shared;
const served = { skip: SITE && 'the page without a server asks none' };

const FAULT = {
  code: 'D0902',
  message: 'the answer failed its check: this is a fault of dicec',
  help: 'please report it',
};
const json = (status, body) => ({ status, contentType: 'application/json', body });
const events = (body) => ({ status: 200, contentType: 'text/event-stream', body });

/**
 * What comes for a question, and what is said about it.
 * @type {Record<string, [any, RegExp]>}
 */
const FAILURES = {
  'an answer that failed its check': [
    json(500, JSON.stringify({ error: FAULT })),
    /this is a fault of dicec/,
  ],
  'the same as an event': [
    events(`event: error\ndata: ${JSON.stringify({ error: FAULT })}\n\n`),
    /this is a fault of dicec/,
  ],
  'a page of another program': [
    { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
    /answered with status 502/,
  ],
  'a status that says nothing': [{ status: 503, body: '' }, /answered with status 503/],
  'an error in other words': [json(502, '{"error": "no gateway"}'), /answered with status 502/],
  'errors of another kind': [
    json(422, '{"errors": {"a": 1}, "error": {"message": 7}}'),
    /answered with status 422/,
  ],
  'a page in place of the answer': [
    { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' },
    /the answer cannot be read/,
  ],
  'half of an answer': [json(200, '{"kind":"number","outco'), /the answer cannot be read/],
  'the answer of another program': [json(200, '{"ok": true}'), /the answer cannot be read/],
  'a text': [json(200, '"2d6"'), /the answer cannot be read/],
  nothing: [json(200, 'null'), /the answer cannot be read/],
  'a list of nothing': [json(200, '[null]'), /the answer cannot be read/],
  'notes that are none': [
    { ...json(200, '{}'), headers: { 'Dicec-Notes': '[[' } },
    /the answer cannot be read/,
  ],
  'progress without an end': [
    events('event: progress\ndata: {"done": 1, "of": 2, "partial": {"a": 1}}\n\n'),
    /the answer cannot be read|ended before the answer/,
  ],
  'events of another program': [events('event: result\ndata: {{{\n\n'), /the answer cannot be read/],
  'an error event of nothing': [events('event: error\n\n'), /did not say what is wrong|cannot be read/],
  'nobody there': [null, /the server does not answer/],
};

/**
 * What somebody does, the questions that it asks, and where what is wrong has to be said.
 * @type {Record<string, {at?: string, asks: (request: any) => boolean, act?: (page: any) =>
 *   Promise<void>, says: string}[]>}
 */
const ACTIONS = {
  rule: [
    { asks: asking('odds', { sweep: true, compare: true }), says: '.rule .fault' },
    {
      at: linkTo('rule', { rules: ['1d20 + [A]', '2d6'] }),
      asks: asking('check'),
      says: '.rule .fault',
    },
    {
      at: linkTo('rule', { rules: ['2d6', '1d12'] }),
      asks: asking('odds', { sweep: true, rule: true }),
      says: '.versus .fault',
    },
    {
      at: linkTo('rule', { rules: ['2d6 + [A]'] }),
      asks: asking('odds', { compare: true, rule: true }),
      says: '.sweep .remark',
    },
    {
      at: linkTo('rule', { rules: ['(200d20!kh100)*1d6'] }),
      asks: asking('sim'),
      says: '.rule .fault',
    },
  ],
  script: [
    { asks: asking('describe'), says: '.script-panel .fault' },
    { asks: asking('roll'), says: '.roll-panel .fault' },
    {
      asks: asking('roll'),
      act: (page) => page.getByRole('button', { name: 'Roll', exact: true }).click(),
      says: '.roll-panel .fault',
    },
    {
      asks: asking('odds'),
      act: (page) => page.getByRole('radio', { name: 'Odds' }).check(),
      says: '.roll-panel .fault',
    },
    {
      asks: asking('sim'),
      act: (page) => page.getByRole('radio', { name: 'Simulation' }).check(),
      says: '.roll-panel .fault',
    },
  ],
  day: [
    { asks: asking('day'), says: 'section[aria-label="Do they survive?"] .fault' },
    {
      asks: (request) => /"tell":true/.test(request.postData()),
      act: (page) => page.getByRole('button', { name: 'Tell a day' }).click(),
      says: 'section[aria-label="A day, told"] .fault',
    },
  ],
  encounter: [
    { asks: asking('encounter'), says: 'section[aria-label="Who wins"] .fault' },
    {
      asks: (request) => /"ablate":true/.test(request.postData()),
      act: (page) => page.getByRole('button', { name: 'What does each feature do?' }).click(),
      says: 'section[aria-label="Without this feature"] .fault',
    },
    {
      asks: (request) => /"tell":true/.test(request.postData()),
      act: (page) => page.getByRole('button', { name: 'Tell a fight' }).click(),
      says: 'section[aria-label="A fight, told"] .fault',
    },
    {
      asks: asking('creatures'),
      act: (page) => page.getByRole('combobox').first().pressSequentially('go'),
      says: '.picker .fault',
    },
  ],
  table: [
    {
      asks: asking('check'),
      act: (page) => page.getByLabel('Rule of the column').first().fill('1d8 + 1'),
      says: '.column-line + .faults .fault',
    },
  ],
};

/**
 * Questions to an endpoint, but for those with one of these members.
 * @param {string} endpoint
 * @param {{sweep?: boolean, compare?: boolean, rule?: boolean}} [not] `rule`: a rule by itself
 */
function asking(endpoint, not = {}) {
  return (/** @type {any} */ request) => {
    if (!new URL(request.url()).pathname.endsWith(`/api/${endpoint}`)) return false;
    const body = request.postData() ?? '';
    const kind = ['sweep', 'compare'].find((name) => body.includes(`"${name}":`)) ?? 'rule';
    return !(/** @type {any} */ (not)[kind]);
  };
}

/** Failures that say what is wrong, that say something else, and that say nothing. */
const KINDS = ['an answer that failed its check', 'the answer of another program', 'nobody there'];

/** @param {any} page @param {any} answer @param {(request: any) => boolean} asks */
function failing(page, answer, asks) {
  return page.route('**/api/**', (/** @type {any} */ route) => {
    if (!asks(route.request())) return route.continue();
    return answer ? route.fulfill(answer) : route.abort('connectionrefused');
  });
}

for (const title of KINDS) {
  for (const [view, actions] of Object.entries(ACTIONS)) {
    test(`${title}: each action in the view ${view}`, served, async () => {
      const [answer, said] = FAILURES[title];
      const { page, problems, close } = await open(`#/${view}`, { failing: true });
      let whole = true;
      for (const { at, asks, act, says } of actions) {
        // An action is about a view that is there; without one, loading the view is the action.
        if (act && !whole) await loaded(page, `#/${view}`);
        await failing(page, answer, asks);
        if (!act) await loaded(page, at ?? `#/${view}`);
        await act?.(page);
        await page.locator(says).filter({ hasText: said }).first().waitFor();
        await page.unrouteAll();
        whole = act !== undefined;
      }
      assert.deepEqual(problems, []);
      await close();
    });
  }
}

/** A view from its beginning. @param {any} page @param {string} at */
async function loaded(page, at) {
  await page.goto('about:blank');
  await page.goto(shared.url + at);
  await page.locator('main > .view').waitFor();
}

test('whatever comes for odds, the rule says what is wrong until it is answered', served, async () => {
  const at = linkTo('rule', { rules: ['1d4'] });
  const { page, problems, close } = await open(at, { failing: true });
  const rule = page.getByLabel('Rule A', { exact: true });
  for (const [answer, said] of Object.values(FAILURES)) {
    await failing(page, answer, asking('odds'));
    await rule.fill('2d6');
    await page.locator('.rule .fault').filter({ hasText: said }).first().waitFor();
    await page.unrouteAll();
    await rule.fill('2d4');
    await page.getByText('5 ± 1.58').waitFor();
    assert.equal(await page.locator('.rule .fault').count(), 0);
  }
  assert.deepEqual(problems, []);
  await close();
});

test('whatever comes for a simulation, which is followed, the script says what is wrong', served, async () => {
  const { page, problems, close } = await open('#/script', { failing: true });
  const fault = page.locator('.roll-panel .fault');
  for (const [answer, said] of Object.values(FAILURES)) {
    await failing(page, answer, asking('sim'));
    await page.getByRole('radio', { name: 'Simulation' }).check();
    await fault.filter({ hasText: said }).first().waitFor();
    await page.unrouteAll();
    await page.getByRole('radio', { name: 'Roll' }).check();
    await page.locator('.step-roll').first().waitFor();
    assert.equal(await fault.count(), 0);
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a table that is not answered', served, async () => {
  const { page, problems, close } = await open('#/table', { failing: true });
  const answers = page.locator('section[aria-label=Answer]');
  await answers.locator('.added').first().waitFor();
  for (const [answer, said] of Object.values(FAILURES)) {
    if (!answer || answer.status === 200) continue;
    await page.route('**/api/batch?**', (route) => route.fulfill(answer));
    for (const name of ['Work it out', 'Download']) {
      await page.getByRole('button', { name }).click();
      await answers.locator('.fault').filter({ hasText: said }).waitFor();
    }
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Work it out' }).click();
    await answers.locator('.fault').waitFor({ state: 'detached' });
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a server that breaks off in the middle, or is gone', served, async () => {
  // The page itself comes from the server, and answers end before they are whole.
  const breaking = createServer(async (request, reply) => {
    if (!request.url.startsWith('/api/')) {
      const file = await fetch(new URL(request.url, shared.url));
      reply.setHeader('Content-Type', file.headers.get('Content-Type'));
      return reply.end(await file.text());
    }
    const streams = request.headers.accept?.includes('event-stream');
    reply.writeHead(200, {
      'Content-Type': streams ? 'text/event-stream' : 'application/json',
      'Content-Length': 5000,
    });
    reply.write(streams ? 'event: progress\ndata: {"done"' : '{"kind":"number","exact"');
    setTimeout(() => reply.destroy(), 30);
  });
  await new Promise((listens) => breaking.listen(0, '127.0.0.1', () => listens(undefined)));
  const url = `http://127.0.0.1:${breaking.address().port}/`;
  const { page, problems, close } = await open('#/rule', { failing: true });
  for (const [view, where] of [
    ['rule', '.rule .fault'],
    ['script', '.script-panel .fault'],
    ['encounter', 'section[aria-label="Who wins"] .fault'],
    ['day', 'section[aria-label="Do they survive?"] .fault'],
    ['table', 'section[aria-label=Answer] .fault'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`${url}#/${view}`);
    await page.locator(where).first().waitFor();
  }
  await page.goto('about:blank');
  await page.goto(`${url}#/rule`);
  await page.locator('.rule .fault').first().waitFor();
  breaking.closeAllConnections();
  await new Promise((closes) => breaking.close(closes));
  await page.getByLabel('Rule A', { exact: true }).fill('2d8');
  await page.getByText('the server does not answer').first().waitFor();
  // A view that nobody has looked at so far has to come from the server, too.
  await page.getByRole('link', { name: 'Encounter' }).click();
  await page.getByText('this view cannot be loaded: the server does not answer').waitFor();
  await page.getByRole('link', { name: 'Rule', exact: true }).click();
  await page.getByLabel('Rule A', { exact: true }).waitFor();
  assert.deepEqual(problems.filter((text) => !text.startsWith('a request to')), []);
  await close();
});

const LONG = `${'1d6 + '.repeat(20_000)}1`;
const VERY_LONG = `${'1d6 + '.repeat(120_000)}1`;

test('rules with mistakes, of nothing and without end', async () => {
  const { page, problems, close } = await open('#/rule', { failing: true });
  const rule = page.getByLabel('Rule A', { exact: true });
  for (const text of ['2d6 +', '[', '((((', '0d0', '\u0000', '1d6[<b>]!!!', LONG, VERY_LONG]) {
    await rule.fill(text);
    await page.locator('.rule .fault').first().waitFor();
    await rule.fill('');
    await page.locator('.rule .fault').first().waitFor({ state: 'detached' });
    await rule.fill('2d4');
    await page.getByText('5 ± 1.58').waitFor();
  }
  await page.getByRole('radio', { name: 'virtual tabletop' }).check();
  await rule.fill('2d6 under');
  await page.locator('.rule .fault').first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('each action with scripts with mistakes, of nothing and without end', async () => {
  const mistakes = {
    'defroll "A" a() {\n    x = rol(2d6);\n    return x;\n}\n': '.script-panel .fault',
    '': '.roll-panel .faults .remark',
    '// Nothing but words.': '.roll-panel .faults .remark',
    '\u0000': '.script-panel .fault',
    [`defroll "A" a() {\n    return roll(${LONG});\n}\n`]: '.script-panel .fault',
    [`// ${VERY_LONG}`]: '.script-panel .fault',
  };
  const { page, problems, close } = await open('#/script', { failing: true });
  for (const [text, where] of Object.entries(mistakes)) {
    // As a link has it, and typed into a script that was right.
    const state = { text: text.slice(0, 50_000), roll: 'a', mode: 'odds', args: { n: 1 } };
    for (const at of [linkTo('script', state), '#/script']) {
      await loaded(page, at);
      if (at === '#/script') {
        await page.getByRole('group', { name: 'Use inspiration?' }).waitFor();
        await page.getByRole('textbox', { name: 'Script' }).fill(text);
      }
      for (const mode of ['Simulation', 'Odds', 'Roll']) {
        await page.getByRole('radio', { name: mode }).check();
        await page.locator(where).first().waitFor();
      }
    }
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a roll of a script without one says so', async () => {
  const { page, problems, close } = await open('#/script', { failing: true });
  await page.getByRole('textbox', { name: 'Script' }).fill('');
  await page.getByText('This script has no roll yet').waitFor();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.locator('.roll-panel').getByText('this script defines no roll').waitFor();
  await page.getByLabel('Seed').fill('17');
  await page.getByLabel('Seed').press('Enter');
  await page.locator('.roll-panel').getByText('this script defines no roll').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a roll that is asked for while the script is not known yet', served, async () => {
  const { page, problems, close } = await open('', { failing: true });
  await page.route('**/api/describe', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto('about:blank');
  await page.goto(shared.url + linkTo('script', { text: 'defroll "A" a() {\n    x = rol(' }));
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.locator('.roll-panel .fault').first().waitFor();
  await page.locator('.script-panel .fault').first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('names that every object has are names as others', async () => {
  const text = `deftype toString { __proto__: int = 3, name: string = "x" }
enum constructor { a, b }
defroll "A" valueOf(hasOwnProperty: toString, __proto__: int = 4, c: constructor = a) {
  x = roll(2d6) + hasOwnProperty.__proto__;
  if (userOption("Rogue", "constructor")) { x += 100; }
  if (userOption("Rogue", "__proto__")) { x += 1000; }
  stat("constructor", x);
  return x + __proto__;
}
`;
  const { page, problems, close } = await open(linkTo('script', { text, mode: 'odds' }));
  await page.locator('.odds-pane .bar').first().waitFor();
  await page.getByLabel('constructor', { exact: true }).selectOption('always');
  await page.getByLabel('__proto__', { exact: true }).last().selectOption('always');
  await page.locator('.odds-pane .bar[data-value="1114"]').waitFor();
  await page.getByRole('radio', { name: 'Roll' }).check();
  for (const name of ['constructor', '__proto__']) {
    await page.getByRole('group', { name }).getByRole('button', { name: 'Yes' }).click();
  }
  await page.locator('.result', { hasText: /^11\d\d$/ }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('encounters of nobody and of creatures that nobody knows', async () => {
  const creature = { creature: 'Nobody', count: 1 };
  const wolf = { creature: 'Wolf', count: 1 };
  const { page, problems, close } = await open('#/encounter', { failing: true });
  for (const [sides, says] of /** @type {[any[], RegExp][]} */ ([
    [[{ creatures: [] }, { creatures: [] }], /Each side needs somebody/],
    [[{ creatures: [creature] }, { creatures: [wolf] }], /Nobody/],
    [[{ creatures: [{ ...creature, creature: '' }] }, { creatures: [wolf] }], /./],
    [[{ creatures: [{ ...creature, creature: 'x'.repeat(20_000) }] }, { creatures: [wolf] }], /./],
  ])) {
    await page.goto('about:blank');
    await page.goto(shared.url + linkTo('encounter', { sides, telling: 1 }));
    const said = page.locator('section[aria-label="Who wins"] .faults > *');
    await said.filter({ hasText: says }).first().waitFor();
    assert.ok(await page.locator('.view-encounter .picture').isHidden());
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a fight in which nobody has a feature says so', async () => {
  const side = (creature) => ({ creatures: [{ creature, count: 1 }] });
  const { page, problems, close } = await open(
    linkTo('encounter', { sides: [side('Veteran'), side('Goblin')] }),
  );
  await page.getByRole('button', { name: 'What does each feature do?' }).click();
  await page.getByText('Nobody here has a trait or a limited action.').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('tables that are none', served, async () => {
  const { page, problems, close } = await open('#/table', { failing: true });
  for (const [name, text] of [
    ['a.parquet', 'PAR1 and nothing'],
    ['a.arrow', ''],
    ['a.json', '[{"Attack": '],
    ['a.jsonl', '1\n2\n'],
    ['a.csv', 'Attack,"Strength\n1,2'],
    ['a.constructor', '\u0000,\u0000\n1'],
  ]) {
    await page.setInputFiles('#table-file', { name, mimeType: '', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Work it out' }).click();
    await page.locator('section[aria-label=Answer] .fault').first().waitFor();
    await page.getByRole('button', { name: 'attacks and targets' }).click();
    await page.locator('section[aria-label=Answer] .added').first().waitFor();
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a file that cannot be read', async () => {
  const { page, problems, close } = await open('#/table', { failing: true });
  const drop = (where) =>
    page.locator(where).evaluate((element) => {
      const file = new File(['a'], 'folder.csv');
      file.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
      const event = new Event('drop');
      Object.defineProperty(event, 'dataTransfer', { value: { files: [file] } });
      element.dispatchEvent(event);
    });
  await drop('.view-table');
  await page.getByText('folder.csv cannot be read.').waitFor();
  await page.goto(`${shared.url}#/script`);
  await page.locator('.step-roll').first().waitFor();
  await page.locator('.view-script input[type=file]').setInputFiles({
    name: 'large.dice',
    mimeType: '',
    buffer: Buffer.alloc(2 << 20, 'a'),
  });
  await page.getByText('large.dice cannot be read, or is too large for a script').waitFor();
  assert.deepEqual(problems, []);
  await close();
});
