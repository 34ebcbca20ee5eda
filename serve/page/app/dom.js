// Small helpers that make elements. Nothing here writes a style attribute: the page's policy for
// content forbids it, so looks come from classes, and sizes from properties of `element.style`.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element of HTML. Functions under `on...` listen, other values become properties or attributes.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children elements, texts, lists of these; null and false are left out
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) set(element, name, value);
  element.append(...present(children));
  return element;
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/** Replaces what is in an element. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

let lastId = 0;

/** An id that nothing else on the page has. @param {string} stem */
export function freshId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/**
 * Calls `action` once after calls have ceased for a time.
 * @template {any[]} A
 * @param {(...args: A) => void} action @param {number} milliseconds
 */
export function debounce(action, milliseconds) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (/** @type {A} */ ...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), milliseconds);
  };
}

/**
 * A button. @param {string} text @param {() => void} action @param {Record<string, any>} [props]
 * @returns {HTMLButtonElement}
 */
export function button(text, action, props = {}) {
  return h('button', { type: 'button', onclick: action, ...props }, text);
}

/**
 * What a view offers to try. What it replaces can be brought back.
 * @param {{title: string, state: any}[]} examples
 * @param {{changed: () => void, replacing: (by: string) => void}} on
 * @param {(state: any) => void} restore
 */
export function exampleChips(examples, on, restore) {
  const chips = examples.map(({ title, state }) =>
    button(
      title,
      () => {
        on.replacing(title);
        restore(state);
        on.changed();
      },
      { class: 'chip' },
    ),
  );
  return h('p', { class: 'examples' }, h('span', {}, 'Try '), chips);
}

/**
 * A field with its label above it.
 * @param {string} label @param {HTMLElement} control @param {Record<string, any>} [props]
 */
export function field(label, control, props = {}) {
  control.id ||= freshId('field');
  return h('div', { class: 'field', ...props }, h('label', { for: control.id }, label), control);
}

/**
 * A choice among a few, shown next to each other: radio buttons, which the keyboard knows.
 * @param {string} legend @param {[string, string][]} choices values and texts
 * @param {string} chosen @param {(value: string) => void} onchange
 */
export function segmented(legend, choices, chosen, onchange) {
  const name = freshId('choice');
  const inputs = choices.map(([value]) =>
    h('input', {
      type: 'radio',
      name,
      value,
      checked: value === chosen,
      onchange: () => onchange(value),
    }),
  );
  const element = h(
    'fieldset',
    { class: 'segmented' },
    h('legend', { class: 'unseen' }, legend),
    choices.map(([, text], i) => h('label', {}, inputs[i], h('span', {}, text))),
  );
  return {
    element,
    /** @param {string} value */
    choose(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
    /** Leaves a choice out for now. @param {string} value @param {boolean} isHidden */
    hide(value, isHidden) {
      for (const input of inputs)
        if (input.value === value) input.parentElement.hidden = isHidden;
    },
  };
}

/**
 * A list to choose from. @param {[string, string][]} choices @param {string} chosen
 * @param {(value: string) => void} onchange @param {Record<string, any>} [props]
 * @returns {HTMLSelectElement}
 */
export function select(choices, chosen, onchange, props = {}) {
  const element = h(
    'select',
    { ...props, onchange: () => onchange(element.value) },
    choices.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return element;
}

/** @param {any} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else if (name === 'value') element.value = value;
  else if (value === true && name in element) element[name] = true;
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** @param {any[]} children */
function present(children) {
  return children
    .flat(3)
    .filter((child) => child !== null && child !== undefined && child !== false);
}
