// A form for the arguments of a roll, made from their JSON Schema.

import { button, fill, freshId, h, select } from './dom.js';
import { initial, resolved } from './schema.js';

/**
 * @typedef {import('./schema.js').Schema} Schema
 * @typedef {import('./schema.js').Definitions} Definitions
 * @typedef {{defs: Definitions, changed: () => void}} Context
 */

/**
 * The fields of an object, whose values are changed in place.
 * @param {Schema} schema @param {any} values @param {Context} context @returns {HTMLElement}
 */
export function form(schema, values, context) {
  const entries = Object.entries(schema.properties ?? {});
  return h(
    'div',
    { class: 'form' },
    entries.map(([name, part]) => member(name, part, values, name, context)),
  );
}

/**
 * A field of an object or an element of a list, under a label.
 * @param {string} label
 * @param {Schema} schema
 * @param {any} owner
 * @param {string | number} key
 * @param {Context} context
 * @returns {HTMLElement}
 */
function member(label, schema, owner, key, context) {
  const shape = resolved(schema, context.defs);
  if (shape.type === 'object') {
    return h(
      'fieldset',
      { class: 'form-group' },
      h('legend', {}, label),
      form(shape, owner[key], context),
    );
  }
  if (shape.type === 'array') return list(label, shape, owner, key, context);
  const control = simple(shape, owner, key, context);
  control.id = freshId('argument');
  if (shape.type === 'boolean')
    return h('div', { class: 'check' }, control, h('label', { for: control.id }, label));
  return h('div', { class: 'field' }, h('label', { for: control.id }, label), control);
}

/**
 * @param {Schema} shape
 * @param {any} owner
 * @param {string | number} key
 * @param {Context} context
 * @returns {any}
 */
function simple(shape, owner, key, context) {
  const change = (/** @type {any} */ value) => {
    owner[key] = value;
    context.changed();
  };
  if (shape.enum)
    return select(
      shape.enum.map((name) => [name, name]),
      owner[key],
      change,
    );
  if (shape.type === 'boolean') {
    const box = h('input', {
      type: 'checkbox',
      checked: owner[key],
      onchange: () => change(box.checked),
    });
    return box;
  }
  const isNumber = shape.type === 'integer' || shape.type === 'number';
  const input = h('input', {
    type: isNumber ? 'number' : 'text',
    step: shape.type === 'number' ? 'any' : isNumber ? '1' : null,
    value: String(owner[key] ?? ''),
    autocomplete: 'off',
    oninput: () => {
      if (!isNumber) change(input.value);
      else if (Number.isFinite(input.valueAsNumber)) change(input.valueAsNumber);
    },
  });
  return input;
}

/**
 * A list: boxes to tick if it is a set of names, else elements that can be added and removed.
 * @param {string} label
 * @param {Schema} shape
 * @param {any} owner
 * @param {string | number} key
 * @param {Context} context
 */
function list(label, shape, owner, key, context) {
  const items = /** @type {Schema} */ (shape.items);
  const names = resolved(items, context.defs).enum;
  const body = h('div', { class: 'form-list' });
  const element = h('fieldset', { class: 'form-group' }, h('legend', {}, label), body);
  if (names && shape.uniqueItems) {
    fill(
      body,
      names.map((name) => ticked(name, names, owner, key, context)),
    );
    return element;
  }
  const show = () =>
    fill(
      body,
      owner[key].map((/** @type {any} */ _, /** @type {number} */ i) =>
        h(
          'div',
          { class: 'form-item' },
          member(`${label} ${i + 1}`, items, owner[key], i, context),
          button(
            '×',
            () => {
              owner[key].splice(i, 1);
              show();
              context.changed();
            },
            { class: 'quiet', 'aria-label': `Remove ${label} ${i + 1}` },
          ),
        ),
      ),
      button(
        `Add to ${label}`,
        () => {
          owner[key].push(initial(items, context.defs));
          show();
          context.changed();
        },
        { class: 'quiet add' },
      ),
    );
  show();
  return element;
}

/**
 * @param {string} name
 * @param {string[]} names
 * @param {any} owner
 * @param {string | number} key
 * @param {Context} context
 */
function ticked(name, names, owner, key, context) {
  const box = h('input', {
    type: 'checkbox',
    id: freshId('argument'),
    checked: owner[key].includes(name),
    onchange: () => {
      // In the order of the script, whatever the order of the clicks.
      owner[key] = names.filter((one) => (one === name ? box.checked : owner[key].includes(one)));
      context.changed();
    },
  });
  return h('div', { class: 'check' }, box, h('label', { for: box.id }, name));
}
