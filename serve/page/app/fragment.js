// The state of the page in the fragment of its address: `#/rule/z...` is compressed, `#/rule/j...`
// is not, for browsers that cannot compress. Nothing is stored anywhere else.

/** How many bytes of JSON a state has at most: a few bytes of a link could become any number. */
const LONGEST = 1 << 20;

/**
 * What the address says. Without a state it is null, and undefined if it cannot be read; which
 * shape it has is to be seen.
 * @param {string} hash @returns {Promise<{view: string, state: any}>}
 */
export async function read(hash) {
  const [, view, packed] = /^#\/([^/]*)\/?(.*)$/s.exec(hash) ?? [hash, hash.slice(1), ''];
  return { view, state: packed ? await unpack(packed) : null };
}

/**
 * The fragment for a state, or null if it is too long for one.
 * @param {string} view
 * @param {any} state
 */
export async function write(view, state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return bytes.length > LONGEST ? null : `#/${view}/${await pack(bytes)}`;
}

/** @param {Uint8Array} bytes */
async function pack(bytes) {
  if (!('CompressionStream' in window)) return `j${toText(bytes)}`;
  return `z${toText(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** A link that somebody has cut off is not a state. @param {string} packed */
async function unpack(packed) {
  try {
    let bytes = fromText(packed.slice(1));
    if (packed[0] === 'z') {
      bytes = await through(bytes, new DecompressionStream('deflate-raw'), LONGEST);
    } else if (packed[0] !== 'j') return undefined;
    return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes @param {GenericTransformStream} stream @param {number} [most] */
async function through(bytes, stream, most = Infinity) {
  const input = new Blob([/** @type {any} */ (bytes)]).stream();
  const reader = input.pipeThrough(/** @type {any} */ (stream)).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length <= most) continue;
    reader.cancel().catch(() => {});
    throw new RangeError('the state is too long');
  }
}

/** @param {Uint8Array} bytes */
function toText(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} text */
function fromText(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  );
}
