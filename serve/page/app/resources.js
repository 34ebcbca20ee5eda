// The resources of rules: for each `[Name]` a field with a slider. A resource may be dice, too:
// `2d6+5`.

import { fill, h } from './dom.js';

/** @typedef {{name: string, owner: string}} Resource */

/** How far a slider goes at most to each side of a value. A curve asks for every value of it. */
const MOST_ROOM = 500;

/**
 * @param {Record<string, any>} values what is known so far; it is changed in place
 * @param {{changed: (name: string) => void}} on
 */
export function createResources(values, on) {
  const list = h('div', { class: 'resource-list' });
  const element = h(
    'section',
    { class: 'panel resources', hidden: true, 'aria-label': 'Resources' },
    list,
  );
  /** @type {Map<string, ReturnType<typeof control>>} */
  const controls = new Map();

  return {
    element,
    /** The values for these names; names that are new get one. @param {string[]} names */
    values(names) {
      return Object.fromEntries(this.known(names).map((name) => [name, values[name]]));
    },
    /**
     * These names, and those in values that are dice: `2d6 + [Strength]`.
     * @param {string[]} names
     */
    known(names) {
      const all = new Set(names);
      for (const name of all) {
        values[name] ??= usual(name);
        for (const [, inner] of String(values[name]).matchAll(/\[([^\]]+)\]/g)) all.add(inner);
      }
      return [...all];
    },
    /** Shows the resources that rules read. @param {string[]} read */
    show(read) {
      const names = this.known(read);
      const before = [...controls.keys()].join('\n');
      for (const name of controls.keys()) if (!names.includes(name)) controls.delete(name);
      for (const name of names) {
        if (!controls.has(name)) controls.set(name, control(name, values, on.changed));
      }
      element.hidden = names.length === 0;
      if (before !== names.join('\n'))
        fill(
          list,
          names.map((name) => controls.get(name)?.element),
        );
    },
    /** Writes values that have changed elsewhere. */
    refresh() {
      for (const one of controls.values()) one.refresh();
    },
  };
}

/**
 * The range of a slider: what is usual for such a name, and the value itself.
 * @param {string} name
 * @param {number} value
 */
export function rangeOf(name, value) {
  const [low, high] = /\b(ac|armou?r|defen[cs]e|dc|difficulty|target)\b/i.test(name)
    ? [5, 30]
    : /level/i.test(name)
      ? [1, 20]
      : [-5, 15];
  if (value >= low && value <= high) return { low, high };
  const room = Math.min(Math.max(10, Math.abs(value) / 2), MOST_ROOM);
  return {
    low: Math.min(low, Math.floor(value - room)),
    high: Math.max(high, Math.ceil(value + room)),
  };
}

/** @param {string} name */
function usual(name) {
  return rangeOf(name, 5).low === 5 ? 15 : 5;
}

/**
 * @param {string} name
 * @param {Record<string, any>} values
 * @param {(name: string) => void} changed
 */
function control(name, values, changed) {
  const text = h('input', {
    type: 'text',
    class: 'resource-value',
    inputmode: 'text',
    'aria-label': name,
    autocomplete: 'off',
  });
  const slider = h('input', { type: 'range', step: '1', 'aria-label': `${name}, slider` });
  const change = (/** @type {any} */ value) => {
    values[name] = value;
    refresh();
    changed(name);
  };
  text.addEventListener('input', () => {
    const written = text.value.trim().replace('−', '-');
    if (written !== '') change(/^[-+]?\d+$/.test(written) ? Number(written) : written);
  });
  slider.addEventListener('input', () => change(Number(slider.value)));
  const element = h(
    'div',
    { class: 'resource' },
    h('span', { class: 'resource-name' }, `[${name}]`),
    slider,
    text,
  );
  function refresh() {
    const value = values[name];
    const isNumber = typeof value === 'number';
    slider.disabled = !isNumber;
    if (isNumber) {
      const { low, high } = rangeOf(name, value);
      // Under the pointer, the ends of the slider stay where they are.
      if (document.activeElement !== slider) [slider.min, slider.max] = [String(low), String(high)];
      slider.value = String(value);
    }
    if (document.activeElement !== text) text.value = String(value);
  }
  refresh();
  return { element, refresh };
}
