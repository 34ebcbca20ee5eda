// The engine behind HTTP: one request for each question. Long work is streamed as events, and
// closing the connection stops it.

import { Refused } from './engine.js';

const EVENTS = 'text/event-stream';
const BUSY = 429;
const ATTEMPTS = 3;
/** In seconds. */
const LONGEST_PAUSE = 5;
const NEWLINE = 10;
/** How much of a table is shown before all of it is there. */
const HEAD = 20_000;

/**
 * @param {string} endpoint @param {any} body @param {import('./engine.js').Asking} asking
 */
export async function ask(endpoint, body, { signal, onProgress, onNote = () => {} }) {
  if (endpoint === 'batch') return batch(body, { signal, onProgress });
  if (endpoint === 'creatures') {
    return (await fetched(`api/creatures?${new URLSearchParams(body)}`, { signal })).json();
  }
  const accept = onProgress ? EVENTS : 'application/json';
  const response = await fetched(`api/${endpoint}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accept },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.headers.get('Content-Type')?.startsWith(EVENTS)) {
    for (const { note } of JSON.parse(response.headers.get('Dicec-Notes') ?? '[]')) onNote(note);
    return response.json();
  }
  return followed(response, onProgress ?? (() => {}), onNote);
}

/**
 * A table goes up and comes down as it is. Progress is how many lines have come, and the beginning
 * of them.
 * @param {any} body @param {import('./engine.js').Asking} asking
 */
async function batch({ table, type, format, rules, encounter, skips }, { signal, onProgress }) {
  const query = new URLSearchParams({ format });
  for (const rule of rules) query.append('e', rule);
  if (encounter) query.set('encounter', 'true');
  if (skips) query.set('on_error', 'null');
  const response = await fetched(`api/batch?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: table,
    signal,
  });
  const parts = /** @type {BlobPart[]} */ ([]);
  let [lines, head] = [0, ''];
  const decoder = new TextDecoder();
  const broken = () =>
    trouble(
      'broken',
      `the answer breaks off after ${Math.max(lines - 1, 0)} rows`,
      'the next row is wrong, or the server has ended',
    );
  for await (const piece of pieces(response, broken)) {
    parts.push(/** @type {any} */ (piece));
    for (const byte of piece) lines += byte === NEWLINE ? 1 : 0;
    if (head.length < HEAD) head += decoder.decode(piece, { stream: true });
    onProgress?.({ done: lines, of: null, partial: head.slice(0, HEAD) });
  }
  return new Blob(parts);
}

/** A server that is busy is asked again. @param {string} url @param {RequestInit} request */
async function fetched(url, request) {
  for (let attempt = 0; ; attempt += 1) {
    const response = await reached(url, request);
    if (response.ok) return response;
    if (response.status !== BUSY || attempt === ATTEMPTS) {
      const document = await response.json().catch(() => null);
      throw new Refused(document, `the server answered with status ${response.status}`);
    }
    const seconds = Number(response.headers.get('Retry-After')) || 1;
    await pause(Math.min(seconds, LONGEST_PAUSE) * 1000, request.signal);
  }
}

/** @param {number} milliseconds @param {AbortSignal | null | undefined} signal */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** @param {string} url @param {RequestInit} request */
async function reached(url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw trouble('offline', 'the server does not answer', 'start it again with `dicec serve`');
  }
}

/** @param {string} code @param {string} message @param {string | null} help */
function trouble(code, message, help) {
  return new Refused({ error: { code, message, help, start: null, end: null } });
}

/**
 * Follows the events of an answer to its end.
 * @param {Response} response @param {(progress: import('./engine.js').Progress) => void} onProgress
 * @param {(note: any) => void} onNote
 */
async function followed(response, onProgress, onNote) {
  const decoder = new TextDecoder();
  const broken = () => trouble('broken', 'the connection ended before the answer', 'ask again');
  let unread = '';
  for await (const piece of pieces(response, broken)) {
    unread += decoder.decode(piece, { stream: true });
    const events = unread.split('\n\n');
    unread = /** @type {string} */ (events.pop());
    for (const text of events) {
      const { event, data } = parsed(text);
      if (event === 'progress') onProgress({ ...data, of: data.of || null });
      if (event === 'note') onNote(data.note);
      if (event === 'error') throw new Refused(data);
      if (event === 'result') return data;
    }
  }
  throw broken();
}

/**
 * The pieces of a body as they come. Whoever stops reading closes the connection.
 * @param {Response} response
 * @param {() => Refused} broken what is wrong if there are no more and should be
 */
async function* pieces(response, broken) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw error instanceof TypeError ? broken() : error;
  } finally {
    // The rest is of no use to anybody.
    reader.cancel().catch(() => {});
  }
}

/** @param {string} text the lines of one event */
function parsed(text) {
  let event = 'message';
  let data = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    if (line.startsWith('data:')) data += line.slice(5);
  }
  return { event, data: data ? JSON.parse(data) : null };
}
