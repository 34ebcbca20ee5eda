// The state of the page in the fragment of its address: `#/rule/z...` is compressed, `#/rule/j...`
// is not, for browsers that cannot compress. Nothing is stored anywhere else.

/** What the address says. @param {string} hash @returns {Promise<{view: string, state: any}>} */
export async function read(hash) {
  const [, view = '', packed = ''] = /^#\/([a-z]*)\/?(.*)$/.exec(hash) ?? [];
  return { view, state: packed ? await unpack(packed) : null };
}

/** The fragment for a state. @param {string} view @param {any} state */
export async function write(view, state) {
  return `#/${view}/${await pack(state)}`;
}

/** @param {any} state */
async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (!('CompressionStream' in window)) return `j${toText(bytes)}`;
  return `z${toText(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** A link that somebody has cut off is not a state. @param {string} packed */
async function unpack(packed) {
  try {
    let bytes = fromText(packed.slice(1));
    if (packed[0] === 'z') bytes = await through(bytes, new DecompressionStream('deflate-raw'));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes @param {GenericTransformStream} stream */
async function through(bytes, stream) {
  const answer = new Response(
    new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (stream)),
  );
  return new Uint8Array(await answer.arrayBuffer());
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
