// Numbers as people read them. A chance that is not 0 or 1 is never shown as 0 % or 100 %.

/** A chance as a percentage. @param {number} p */
export function percent(p) {
  if (p <= 0) return '0 %';
  if (p >= 1) return '100 %';
  const value = p * 100;
  if (value > 99.99) return '> 99.99 %';
  if (value >= 0.01) return `${value.toFixed(2)} %`;
  return `${small(value)} %`;
}

/** The same without zeros at the end, for a chance that stands by itself. @param {number} p */
export function briefPercent(p) {
  return percent(p)
    .replace(/(\.\d*?)0+ %$/, '$1 %')
    .replace('. %', ' %');
}

/** A difference of chances. @param {number} change */
export function points(change) {
  const value = Math.round(change * 1000) / 10;
  return `${value > 0 ? '+' : value < 0 ? '−' : '±'}${Math.abs(value).toFixed(1)} points`;
}

/** A number with two decimals at most. @param {number} value */
export function brief(value) {
  return plain(Number(value.toFixed(Math.abs(value) < 0.01 ? 5 : 2)));
}

/** A chance on an axis, without digits that say nothing. @param {number} p */
export function tick(p) {
  return `${Number((p * 100).toPrecision(6))} %`;
}

/** A number with at most three decimals. @param {number | null | undefined} value */
export function plain(value) {
  if (value === null || value === undefined) return '–';
  if (value !== 0 && Math.abs(value) < 0.001) return small(value);
  const rounded = Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 3));
  return rounded.toLocaleString('en', { maximumFractionDigits: 3 }).replace('-', '−');
}

/** A whole number with separators. @param {number} value */
export function whole(value) {
  return Math.round(value).toLocaleString('en');
}

/** How many there are of something. @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The values of outcomes: numbers with a minus, names as they are.
 * @param {number | string | boolean} value
 */
export function outcome(value) {
  if (value === true) return 'succeeds';
  if (value === false) return 'fails';
  return String(value).replace('-', typeof value === 'number' ? '−' : '-');
}

/**
 * A fraction of whole numbers, as written and in lowest terms; null if it is too long to read.
 * @param {bigint} weight @param {bigint} denominator
 */
export function fraction(weight, denominator) {
  if (denominator > 10n ** 18n) return null;
  const shared = divisor(weight, denominator);
  const full = `${weight.toLocaleString('en')} / ${denominator.toLocaleString('en')}`;
  if (weight === 0n || shared === 1n || denominator === shared) return full;
  return `${full} = ${(weight / shared).toLocaleString('en')} / ${(denominator / shared).toLocaleString('en')}`;
}

/** @param {number} value */
function small(value) {
  const [digits, exponent] = value.toExponential(1).split('e');
  if (Number(exponent) >= -4) return String(Number(value.toPrecision(2)));
  return `${digits} × 10${superscript(exponent)}`;
}

/** @param {string} exponent */
function superscript(exponent) {
  const signs = { '-': '⁻', '+': '' };
  return [...exponent]
    .map((c) => signs[/** @type {'-'} */ (c)] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])
    .join('');
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function divisor(a, b) {
  return b === 0n ? a : divisor(b, a % b);
}
