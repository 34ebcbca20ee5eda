// Tables of CSV, as far as they are shown: the first rows, and how many there are.

/** @typedef {{head: string[], rows: string[][]}} Table */

/**
 * The first rows of a table. A last line that is not complete is left out if `isWhole` is false.
 * @param {string} text @param {number} most @param {boolean} [isWhole] @returns {Table}
 */
export function firstRows(text, most, isWhole = true) {
  const rows = parsed(text, most + 1, isWhole);
  return { head: rows[0] ?? [], rows: rows.slice(1) };
}

/**
 * A table of cells between tabs or semicolons, as spreadsheets give it, with commas between them.
 * @param {string} text
 */
export function withCommas(text) {
  return parsed(text, Infinity, true).map(csvLine).join('');
}

/** A line of CSV. @param {any[]} cells */
export function csvLine(cells) {
  return `${cells
    .map((cell) => {
      const text = String(cell ?? '');
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',')}\n`;
}

/** What is between the cells of a table, by its first line. @param {string} text */
export function separatorOf(text) {
  const [first] = text.split('\n', 1);
  if (first.includes('\t')) return '\t';
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

/** How many rows there are below the heading, if no cell has a line break. @param {string} text */
export function countRows(text) {
  return Math.max(0, text.trimEnd().split('\n').length - 1);
}

/** @param {string} text @param {number} most @param {boolean} isWhole */
function parsed(text, most, isWhole) {
  const separator = separatorOf(text);
  /** @type {string[][]} */
  const rows = [];
  let row = /** @type {string[]} */ ([]);
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || cell !== '') rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let i = 0; i < text.length && rows.length < most; i += 1) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[(i += 1)];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = '';
    } else if (c === '\n') endRow();
    else if (c !== '\r' && c !== '\ufeff') cell += c;
  }
  if (isWhole && rows.length < most && (cell !== '' || row.length > 0)) endRow();
  return rows;
}
