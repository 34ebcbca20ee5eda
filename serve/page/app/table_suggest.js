// Rules that fit a table, from the names of its columns and what is in them: an attack bonus next
// to an armor class is an attack, dice are rolled.

/** @typedef {{name: string, rule: string}} Column */

/** As many cells tell what a column holds. */
const LOOKED_AT = 20;
const DICE = /^\s*\d*d(\d+|%|\{)/i;

/** What a column is about, by its name; the first one counts. @type {[string, RegExp][]} */
const KINDS = [
  ['damage', /\b(damage|dmg)\b/i],
  ['attack', /\b(attack|to.?hit|hit.?bonus|atk)\b/i],
  ['armor', /\b(ac|armou?r|armou?r.class|defen[cs]e)\b/i],
  ['save', /\b(save|saving.throw)\b/i],
  ['difficulty', /\b(dc|difficulty|target number)\b/i],
  ['skill', /\b(skill|weapon skill|ballistic skill)\b/i],
  ['bonus', /\b(bonus|modifier|mod)\b/i],
];

/**
 * @param {string[]} head @param {string[][]} rows the first ones @returns {Column[]}
 */
export function suggested(head, rows) {
  const cells = head.map((_, i) =>
    rows.slice(0, LOOKED_AT).flatMap((row) => (row[i]?.trim() ? [row[i].trim()] : [])),
  );
  const isDice = cells.map((all) => all.some((cell) => DICE.test(cell)));
  const isNumber = cells.map((all) => all.length > 0 && all.every((cell) => /^[-+−]?\d+$/.test(cell)));
  /** @type {Map<string, number>} */
  const found = new Map();
  head.forEach((name, i) => {
    const kind = KINDS.find(([, words]) => words.test(name))?.[0];
    const fits = kind === 'damage' ? isDice[i] : isNumber[i] || isDice[i];
    if (kind && fits && !found.has(kind)) found.set(kind, i);
  });
  const of = (/** @type {string} */ kind) => {
    const i = found.get(kind);
    return i === undefined ? null : `[${head[i]}]`;
  };
  const rules = [];
  const [attack, armor, damage] = [of('attack'), of('armor') ?? of('difficulty'), of('damage')];
  if (attack && armor) rules.push({ name: 'hit', rule: `1d20 + ${attack} >= ${armor}` });
  if (attack && armor && damage)
    rules.push({ name: 'damage', rule: `dnd.attack(${attack}, ${armor}, ${damage})` });
  const [save, difficulty] = [of('save') ?? of('bonus'), of('difficulty')];
  if (save && difficulty) rules.push({ name: 'saved', rule: `1d20 + ${save} >= ${difficulty}` });
  const skill = found.get('skill');
  if (skill !== undefined && cells[skill].every((cell) => Number(cell) >= 15))
    rules.push({ name: 'skill', rule: `1d100 <= [${head[skill]}]` });
  head.forEach((name, i) => {
    if (isDice[i]) rules.push({ name: wordOf(name), rule: `[${name}]` });
  });
  return rules.filter(({ rule }, i) => rules.findIndex((one) => one.rule === rule) === i);
}

/** Whether each row is a fight of two sides. @param {string[]} head */
export function areFights(head) {
  const names = head.map((name) => name.toLowerCase());
  return names.includes('party') && names.includes('monsters');
}

/** A name for a column of results. @param {string} name */
function wordOf(name) {
  const word = name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^[_0-9]+|_+$/g, '');
  return `${word.toLowerCase() || 'dice'}_rolled`;
}
