// Values that fit the JSON Schemas that a script is described by: what a form begins with, and what
// is kept when the script changes under it.

/**
 * @typedef {{type?: string | string[], $ref?: string, enum?: any[], properties?: Record<string,
 *   Schema>, required?: string[],
 *   items?: Schema, uniqueItems?: boolean, default?: any}} Schema
 * @typedef {Record<string, Schema>} Definitions
 */

/**
 * The schema that a reference names, with the default that is written next to it.
 * @param {Schema} schema
 * @param {Definitions} defs
 * @returns {Schema}
 */
export function resolved(schema, defs) {
  if (!schema.$ref) return schema;
  const named = defs[schema.$ref.replace('#/$defs/', '')] ?? {};
  return schema.default === undefined ? named : { ...named, default: schema.default };
}

/** What a form begins with. @param {Schema} schema @param {Definitions} defs @returns {any} */
export function initial(schema, defs) {
  const { type, default: usual, enum: names, properties } = resolved(schema, defs);
  if (usual !== undefined) return structuredClone(usual);
  if (names) return names[0];
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, part]) => [name, initial(part, defs)]),
    );
  }
  const simple = /** @type {Record<string, any>} */ ({
    integer: 10,
    number: 1,
    boolean: false,
    array: [],
    string: '',
  });
  return simple[String(type)] ?? null;
}

/**
 * A value as far as it fits; what does not is replaced.
 * @param {Schema} schema
 * @param {Definitions} defs
 * @param {any} value
 * @returns {any}
 */
export function fitted(schema, defs, value) {
  const shape = resolved(schema, defs);
  if (!fits(shape, value)) return initial(schema, defs);
  if (shape.type === 'object') {
    return Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([name, part]) => [
        name,
        fitted(part, defs, value[name]),
      ]),
    );
  }
  const { items } = shape;
  return shape.type === 'array' && items
    ? value.map((/** @type {any} */ one) => fitted(items, defs, one))
    : value;
}

/** @param {Schema} shape @param {any} value */
function fits({ type, enum: names }, value) {
  if (names) return names.includes(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}
