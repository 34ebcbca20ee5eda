// What every test of the page needs: a server, a browser, the command to compare with, and folders
// for what they write. The page comes from `dicec serve`, or is the one without a server, if SITE
// names its folder.

import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

const here = import.meta.dirname;
export const DICEC = process.env.DICEC ?? join(here, '../../target/debug/dicec');
export const EXAMPLES = join(here, '../../examples');
export const SCREENSHOTS = process.env.SCREENSHOTS ?? join(here, 'screenshots');
/** The folder of the page without a server, if that is what is tested. */
export const SITE = process.env.SITE;
/** Words that make the command fight as the page without a server does. */
export const FIGHTS = SITE ? ['--precision', '0.025'] : [];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// A browser that runs as root in a container, and asks nobody on the network.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * A server and a browser for the tests of a file. Nothing that the page logs as an error is
 * overlooked.
 */
export function suite() {
  const shared = { url: '', browser: /** @type {any} */ (null), server: /** @type {any} */ (null) };
  before(async () => {
    [shared.server, shared.url] = SITE ? await handOut(SITE) : await serve();
    shared.browser = await chromium.launch({ executablePath: browserPath(), args: ARGUMENTS });
  });
  after(async () => {
    await shared.browser?.close();
    shared.server?.[SITE ? 'close' : 'kill']();
  });
  return {
    get url() {
      return shared.url;
    },
    get browser() {
      return shared.browser;
    },
    /**
     * A page in a context of its own, at a fragment of the address.
     * @param {string} [fragment]
     * @param {{width?: number, height?: number, colorScheme?: 'light' | 'dark',
     *   failing?: boolean, touch?: boolean, before?: (page: any) => Promise<void>}} [options] `failing`: whether any
     *   request may fail; `before` is called before the page is loaded
     */
    async open(
      fragment = '',
      { width = 1440, height = 900, colorScheme = 'light', failing = false, touch = false, before } = {},
    ) {
      const context = await shared.browser.newContext({
        viewport: { width, height },
        colorScheme,
        hasTouch: touch,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const problems = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        // That a request was refused is what some tests are about.
        const refused = failing ? 'Failed to load resource' : 'status of 422';
        if (message.type() === 'error' && !message.text().includes(refused))
          problems.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(shared.url) && !request.url().startsWith('blob:'))
          problems.push(`a request to ${request.url()}`);
      });
      await before?.(page);
      await page.goto(shared.url + fragment);
      return { page, problems, close: () => context.close() };
    },
  };
}

/** `dicec serve` with these words, and its address. @param {...string} words */
export async function serve(...words) {
  const server = spawn(DICEC, ['serve', '--port', '0', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  return [server, await address(server)];
}

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A server that only hands out files, as any host of a site does, and its address. @param {string} folder */
async function handOut(folder) {
  const server = createServer(({ url }, reply) => {
    const path = join(folder, url === '/' ? 'index.html' : new URL(`http://x${url}`).pathname);
    const file = createReadStream(path);
    file.on('open', () => reply.setHeader('content-type', TYPES[extname(path)]));
    file.on('error', () => reply.writeHead(404).end());
    file.pipe(reply);
  });
  await new Promise((listens) => server.listen(0, '127.0.0.1', () => listens(undefined)));
  return [server, `http://127.0.0.1:${server.address().port}/`];
}

/** The address that a server prints. @param {any} server */
function address(server) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (data) => {
      printed += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/?/.exec(printed);
      if (found) resolve(found[0].replace(/\/?$/, '/'));
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
}

function browserPath() {
  const found = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path));
  if (!found) throw new Error('there is no browser: install chromium, or name one in CHROMIUM');
  return found;
}

/** What the command prints. @param {...string} words */
export function dicec(...words) {
  return execFileSync(DICEC, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The document that the command prints. @param {...string} words */
export function document(...words) {
  return JSON.parse(dicec(...words, '--json'));
}

/** A file with this text, in a folder of its own. @param {string} name @param {string} text */
export function file(name, text) {
  const path = join(mkdtempSync(join(tmpdir(), 'dicec-browser-')), name);
  writeFileSync(path, text);
  return path;
}

/** What axe finds wrong, in words. @param {any} page */
export async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() =>
    globalThis.axe.run(globalThis.document, { resultTypes: ['violations'] }),
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  );
}

/** @param {any} page @param {string} name */
export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** The bars of a graph: their values and chances. @param {any} page @param {string} [within] */
export function bars(page, within = '.graph') {
  return page.$$eval(`${within} .bar`, (all) =>
    all.map((bar) => ({ value: bar.dataset.value, p: Number(bar.dataset.p) })),
  );
}

/**
 * The fragment of a state, as a browser that cannot compress writes it.
 * @param {string} view
 * @param {any} state a text is JSON already
 */
export function linkTo(view, state) {
  const json = typeof state === 'string' ? state : JSON.stringify(state);
  return `#/${view}/j${Buffer.from(json).toString('base64url')}`;
}

/** What a button saves. @param {any} page @param {() => Promise<void>} press */
export async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/**
 * The text of a rule's field, typed anew.
 * @param {any} page
 * @param {string} label
 * @param {string} text
 */
export async function typeRule(page, label, text) {
  const field = page.getByLabel(label, { exact: true });
  // What is there is replaced by the first character, so the field is never empty.
  await field.selectText();
  await field.pressSequentially(text);
}

/** Waits until nothing is asked any more. @param {any} page */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelectorAll('.rule[aria-busy]').length === 0);
}

/** The command that the page offers. @param {any} page @returns {Promise<string>} */
export async function command(page) {
  await page.getByRole('button', { name: 'Copy as command' }).first().click();
  await page.getByText('Command copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/**
 * The document that a shell gets from a command of the page.
 * @param {string} text
 * @param {string} [folder]
 */
export function ran(text, folder = '.') {
  const env = { ...process.env, PATH: `${dirname(DICEC)}:${process.env.PATH}` };
  const printed = execFileSync('sh', ['-c', `${text} --json`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}
