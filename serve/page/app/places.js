// Addresses elsewhere that somebody has configured: the page for everybody, and the documents.

import { h } from './dom.js';
import { isObject } from './shape.js';

/** @type {Promise<{page?: string, documents?: string}>} */
const places = fetch('places.json')
  .then((response) => response.json())
  .then((given) => (isObject(given) ? given : {}))
  .catch(() => ({}));

/** The address of this name, or null. @param {'page' | 'documents'} name */
export async function place(name) {
  const address = (await places)[name];
  return typeof address === 'string' && /^https?:\/\/[^#\s]+$/.test(address) ? address : null;
}

/** Adds the link to the documents where a page has room for it. @param {Element} box */
export async function linkDocuments(box) {
  const href = await place('documents');
  if (href) box.append(h('p', {}, h('a', { href, rel: 'noreferrer' }, 'Documents')));
}
