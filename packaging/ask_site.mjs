// Asks the page without a server for the odds of a rule, in a browser: node packaging/ask_site.mjs FOLDER RULE. Prints, as JSON,
// the mean of the bars that the page shows, the bytes that it has loaded, and the seconds from opening it to the bars.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const [folder, rule] = process.argv.slice(2);
const require = createRequire(new URL('../serve/browser/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
let bytes = 0;

const server = createServer(({ url }, reply) => {
  const path = join(folder, url === '/' ? 'index.html' : new URL(url, 'http://x').pathname);
  if (!existsSync(path)) return reply.writeHead(404).end();
  bytes += statSync(path).size;
  reply.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
  createReadStream(path).pipe(reply);
});
await new Promise((listens) => server.listen(0, '127.0.0.1', listens));
const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
try {
  const page = await browser.newPage();
  const state = Buffer.from(JSON.stringify({ rules: [rule] })).toString('base64url');
  const start = performance.now();
  await page.goto(`http://127.0.0.1:${server.address().port}/#/rule/j${state}`);
  await page.locator('.graph .bar').first().waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - start) / 1000;
  const bars = await page.$$eval('.graph .bar', (all) => all.map(({ dataset }) => [Number(dataset.value), Number(dataset.p)]));
  const mean = bars.reduce((sum, [value, p]) => sum + value * p, 0);
  console.log(JSON.stringify({ mean, bytes, seconds }));
} finally {
  await browser.close();
  server.close();
}
