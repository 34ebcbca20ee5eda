// Pages of other hosts, which ask a server in a browser that keeps to what it says.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { serve, suite } from './support.js';

const shared = suite();

/** A page of another host, and its origin. */
async function tabletop() {
  const host = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html');
    reply.end('<!doctype html><title>A tabletop</title>');
  });
  await new Promise((listens) => host.listen(0, '127.0.0.1', () => listens(undefined)));
  return { host, origin: `http://127.0.0.1:${host.address().port}` };
}

/** What a page gets for a question: its status and document, or that it may not read them. @param {any} page @param {string} url */
function asked(page, url, question) {
  return page.evaluate(
    async ([url, question]) => {
      try {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(question) });
        return { status: answer.status, document: await answer.json() };
      } catch (error) {
        return String(error);
      }
    },
    [url, question],
  );
}

test('an allowed page rolls, and another one may not even ask', async () => {
  const [allowed, other] = [await tabletop(), await tabletop()];
  const [server, url] = await serve('--allow-origin', allowed.origin);
  try {
    const page = await shared.browser.newPage();
    await page.goto(allowed.origin);
    const roll = await asked(page, `${url}api/roll`, { rule: '1d20 adv + 5', faces: [4, 17] });
    assert.equal(roll.status, 200);
    assert.equal(roll.document.total, 22);
    const wrong = await asked(page, `${url}api/roll`, { rule: '2d6', faces: [4] });
    assert.deepEqual([wrong.status, wrong.document.error.code], [422, 'D0305']);
    await page.goto(other.origin);
    assert.match(await asked(page, `${url}api/roll`, { rule: '2d6' }), /Failed to fetch/);
    await page.close();
  } finally {
    server.kill();
    allowed.host.close();
    other.host.close();
  }
});
