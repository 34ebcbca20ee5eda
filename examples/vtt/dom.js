// Elements of the page. Texts of players are only ever text.

/** The element with this id. @param {string} id @returns {any} */
export const find = (id) => document.getElementById(id);

/** A new element. @param {string} name @param {Record<string, any>} [properties] @param {...(Node | string)} children */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Shows what is wrong, or nothing. @param {any} place @param {any} [error] */
export function tell(place, error) {
  place.hidden = !error;
  place.textContent = error ? [error.message, error.help].filter(Boolean).join(': ') : '';
}
