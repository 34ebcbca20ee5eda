// The frame of every graph with a horizontal axis: it follows the width of the page, and shows what
// is under the pointer or, with the arrow keys, at the cursor. A drawing says what there is to read
// at a place.

import { fill, h, svg } from './dom.js';

/**
 * @typedef {{x: number, title: string, rows: {mark: string | null, name: string, value: string,
 *   more: string | null}[]}} Reading
 * @typedef {{nodes: Element[], readings: Reading[], top: number, bottom: number,
 *   summary: string}} Drawing
 */

/**
 * @param {string} name what the graph shows
 * @param {number} height
 */
export function createGraph(name, height) {
  const hair = svg('line', { class: 'hair' });
  const layer = svg('g');
  const picture = /** @type {SVGSVGElement} */ (
    svg('svg', { class: 'picture', height, role: 'img' }, layer, hair)
  );
  const readout = h('div', { class: 'readout', 'aria-hidden': 'true' });
  const spoken = h('p', { class: 'unseen', 'aria-live': 'polite' });
  const element = h(
    'div',
    {
      class: 'graph',
      tabindex: '0',
      role: 'group',
      'aria-label': `${name}. The arrow keys read its values.`,
    },
    picture,
    readout,
    spoken,
  );
  /** @type {((width: number) => Drawing) | null} */
  let drawn = null;
  /** @type {Reading[]} */
  let readings = [];
  let width = 0;
  let cursor = -1;

  const redraw = () => {
    width = element.clientWidth;
    if (!drawn || width === 0) return;
    const drawing = drawn(width);
    picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    picture.setAttribute('aria-label', drawing.summary);
    layer.replaceChildren(...drawing.nodes);
    hair.setAttribute('y1', String(drawing.top));
    hair.setAttribute('y2', String(drawing.bottom));
    readings = drawing.readings;
    if (cursor >= 0) show(Math.min(cursor, readings.length - 1), false);
  };
  const hide = () => {
    cursor = -1;
    element.classList.remove('reading');
  };
  /** @param {number} index @param {boolean} aloud */
  const show = (index, aloud) => {
    const reading = readings[index];
    if (!reading) return hide();
    cursor = index;
    element.classList.add('reading');
    hair.setAttribute('x1', String(reading.x));
    hair.setAttribute('x2', String(reading.x));
    fill(
      readout,
      h('strong', {}, reading.title),
      h(
        'dl',
        {},
        reading.rows.map((row) => [
          h('dt', { class: row.mark }, row.name),
          h('dd', {}, row.value, row.more && h('small', {}, row.more)),
        ]),
      ),
    );
    // Next to the place, so that it covers nothing there.
    const wide = readout.offsetWidth + 14;
    const left = reading.x + wide <= width ? reading.x + 14 : reading.x - wide;
    readout.style.left = `${Math.max(0, Math.min(width - wide + 14, left))}px`;
    if (aloud)
      spoken.textContent = `${reading.title}: ${reading.rows.map((row) => `${row.name} ${row.value}`).join(', ')}`;
  };
  const point = (/** @type {PointerEvent} */ event) => {
    const x = event.clientX - picture.getBoundingClientRect().left;
    show(nearest(readings, x), false);
  };
  element.addEventListener('pointermove', point);
  element.addEventListener('pointerdown', point);
  element.addEventListener('pointerleave', (/** @type {PointerEvent} */ event) => {
    // A finger that has tapped is gone at once; what it asked for stays until it taps elsewhere.
    if (event.pointerType === 'mouse') hide();
  });
  document.addEventListener('pointerdown', (event) => {
    if (cursor >= 0 && !element.contains(/** @type {Node} */ (event.target))) hide();
  });
  element.addEventListener('blur', hide);
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const last = readings.length - 1;
    const to = { ArrowLeft: cursor - 1, ArrowRight: cursor + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') hide();
    if (to === undefined || last < 0) return;
    event.preventDefault();
    show(Math.max(0, Math.min(last, to)), true);
  });
  new ResizeObserver(() => {
    if (element.clientWidth !== width) redraw();
  }).observe(element);
  return {
    element,
    picture,
    clear() {
      drawn = null;
      layer.replaceChildren();
      hide();
    },
    /** @param {(width: number) => Drawing} draw */
    draw(draw) {
      drawn = draw;
      redraw();
    },
  };
}

/** @param {Reading[]} readings @param {number} x */
function nearest(readings, x) {
  let best = -1;
  let distance = Infinity;
  readings.forEach((reading, i) => {
    const d = Math.abs(reading.x - x);
    if (d < distance) [best, distance] = [i, d];
  });
  return best;
}
