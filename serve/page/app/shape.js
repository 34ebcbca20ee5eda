// The shapes that a state from outside has to have. A part of another shape is left out and named,
// and the rest is used.

/**
 * What is of use of a value, or undefined if nothing is; `strange` gets the places of what is not.
 * @typedef {(value: any, at: string, strange: string[]) => any} Shape
 */

/** How deep a value without a shape of its own may be, and how many parts it may have. */
const DEEPEST = 16;
const MOST_PARTS = 10_000;

/** @param {(value: any) => boolean} fits @returns {Shape} */
function only(fits) {
  return (value, at, strange) => {
    if (fits(value)) return value;
    strange.push(at);
    return undefined;
  };
}

export const flag = only((value) => typeof value === 'boolean');

/** Text that can be sent: no half of a character is in it. */
export const text = only((value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value));

/** A whole number that a float has. @param {number} [low] @param {number} [high] */
export function whole(low = Number.MIN_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER) {
  return only((value) => Number.isInteger(value) && low <= value && value <= high);
}

/** @param {string[]} words */
export function oneOf(words) {
  return only((value) => words.includes(value));
}

/** The first of several shapes that a value has. @param {...Shape} shapes @returns {Shape} */
export function either(...shapes) {
  return only((value) =>
    shapes.some((shape) => {
      /** @type {string[]} */
      const strange = [];
      shape(value, '', strange);
      return strange.length === 0;
    }),
  );
}

/** Any value that JSON has, if it is not endless: something else knows its shape. */
export const data = only((value) => {
  let parts = 0;
  const fits = (/** @type {any} */ one, /** @type {number} */ depth) => {
    parts += 1;
    if (parts > MOST_PARTS || depth > DEEPEST) return false;
    if (one === null || typeof one !== 'object') {
      return typeof one !== 'number' || Number.isFinite(one);
    }
    return Object.values(one).every((/** @type {any} */ part) => fits(part, depth + 1));
  };
  return isObject(value) && fits(value, 0);
});

/**
 * A list. A wrong element is left out, or replaced if there is something to have instead, which is
 * also what a list that is too short ends with.
 * @param {Shape} of
 * @param {{least?: number, most: number, instead?: () => any}} size
 * @returns {Shape}
 */
export function list(of, { least = 0, most, instead }) {
  return (value, at, strange) => {
    if (!Array.isArray(value) || value.length < least) return void strange.push(at);
    if (value.length > most) strange.push(`${at}[${most}]`);
    const kept = value.slice(0, most).map((one, i) => of(one, `${at}[${i}]`, strange));
    if (instead) return Array.from({ length: most }, (_, i) => kept[i] ?? instead());
    const known = kept.filter((one) => one !== undefined);
    return known.length < least ? undefined : known;
  };
}

/**
 * An object with names that this page does not know. It has no prototype: any name is one.
 * @param {Shape} of
 * @returns {Shape}
 */
export function named(of) {
  return (value, at, strange) => {
    if (!isObject(value)) return void strange.push(at);
    const known = Object.create(null);
    for (const [name, one] of Object.entries(value)) {
      const kept = of(one, within(at, name), strange);
      if (kept !== undefined) known[name] = kept;
    }
    return known;
  };
}

/**
 * An object with these members; nothing is left of it without those that are needed.
 * @param {Record<string, Shape>} shapes
 * @param {string[]} [needed]
 * @returns {Shape}
 */
export function members(shapes, needed = []) {
  return (value, at, strange) => {
    if (!isObject(value)) return void strange.push(at);
    if (!needed.every((name) => Object.hasOwn(value, name))) return void strange.push(at);
    /** @type {Record<string, any>} */
    const known = {};
    for (const [name, one] of Object.entries(value)) {
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : only(() => false);
      const kept = shape(one, within(at, name), strange);
      if (kept !== undefined) known[name] = kept;
    }
    return needed.every((name) => name in known) ? known : undefined;
  };
}

/** @param {string} at @param {string} name */
function within(at, name) {
  return at === '' ? name : `${at}.${name}`;
}

/** @param {any} value */
export function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
