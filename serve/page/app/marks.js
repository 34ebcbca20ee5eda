// Where mistakes are in a text. Engines count the bytes of UTF-8, browsers the units of UTF-16.

/**
 * @typedef {{start: number, end: number}} Range
 */

/**
 * A function from byte offsets of a text to indices of it.
 * @param {string} text
 */
function indexOfByte(text) {
  /** @type {Map<number, number>} */
  const indices = new Map();
  let byte = 0;
  let index = 0;
  for (const character of text) {
    indices.set(byte, index);
    byte += width(/** @type {number} */ (character.codePointAt(0)));
    index += character.length;
  }
  return (/** @type {number} */ offset) => indices.get(offset) ?? Math.min(offset, text.length);
}

/**
 * The ranges of findings in a text. An empty range is where something is missing.
 * @param {string} text
 * @param {{start: number | null, end: number | null}[]} findings
 * @returns {Range[]}
 */
export function ranges(text, findings) {
  const placed = findings.filter(({ start }) => start !== null && start !== undefined);
  // Most texts have no mistake, and long ones are read while somebody types.
  if (placed.length === 0) return [];
  const index = indexOfByte(text);
  return placed.map(({ start, end }) => ({
    start: index(/** @type {number} */ (start)),
    end: index(/** @type {number} */ (end ?? start)),
  }));
}

/**
 * The line and the column of an index, counted from 1.
 * @param {string} text
 * @param {number} index
 */
export function position(text, index) {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: /** @type {string} */ (before.at(-1)).length + 1 };
}

/** @param {number} point */
function width(point) {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
