// Pictures and tables to take away. A picture leaves with its looks written into it, so that it
// needs no style sheet.

import { h, svg } from './dom.js';

const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
const MARGIN = 18;
const LEGEND = 22;

/** Saves a file. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} name @param {string} text @param {string} type */
export function saveText(name, text, type) {
  save(name, new Blob([text], { type }));
}

/**
 * A picture that stands by itself, with room around it and a legend above it.
 * @param {SVGSVGElement} picture
 * @param {{name: string, colour: number}[]} series what the legend names; none if it is empty
 */
export function standalone(picture, series) {
  const top = series.length > 0 ? MARGIN + LEGEND : MARGIN;
  const width = picture.viewBox.baseVal.width + 2 * MARGIN;
  const height = picture.viewBox.baseVal.height + top + MARGIN;
  const body = svg('g', { transform: `translate(${MARGIN} ${top})` });
  for (const child of picture.children) {
    if (!child.classList.contains('hair')) body.append(withLooks(child));
  }
  return svg(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    svg('rect', { width, height, fill: colour('--surface') }),
    legend(series),
    body,
  );
}

/** @param {{name: string, colour: number}[]} series */
function legend(series) {
  let x = MARGIN;
  return series.map(({ name, colour: index }) => {
    const text = name.length > 60 ? `${name.slice(0, 59)}…` : name;
    const look = { fill: colour('--ink'), 'font-size': 13, 'font-family': 'monospace' };
    const entry = svg(
      'g',
      {},
      svg('rect', {
        x,
        y: MARGIN,
        width: 11,
        height: 11,
        rx: 2,
        fill: colour(`--series-${index}`),
      }),
      svg('text', { x: x + 18, y: MARGIN + 10, ...look }, text),
    );
    x += 44 + text.length * 8;
    return entry;
  });
}

/** A colour of the page. @param {string} name */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @param {SVGSVGElement} picture */
export function svgBlob(picture) {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}

/**
 * The same picture as pixels, twice as fine. The policy for content lets no picture in that the
 * server has not sent, so
 * the shapes are drawn here instead of loading the SVG. Null if the browser cannot have so many.
 * @param {SVGSVGElement} picture @returns {Promise<Blob | null>}
 */
export function pngBlob(picture) {
  const { width, height } = picture.viewBox.baseVal;
  const canvas = h('canvas', { width: Math.round(width * 2), height: Math.round(height * 2) });
  const pen = canvas.getContext('2d');
  pen.scale(2, 2);
  paint(pen, picture);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** @param {Element} element @returns {Element} */
function withLooks(element) {
  const copy = /** @type {Element} */ (element.cloneNode(false));
  const looks = getComputedStyle(element);
  copy.removeAttribute('class');
  for (const look of LOOKS) copy.setAttribute(look, looks.getPropertyValue(look));
  for (const child of element.childNodes)
    copy.append(child instanceof Element ? withLooks(child) : child.cloneNode());
  return copy;
}

/** @param {CanvasRenderingContext2D} pen @param {Element} element */
function paint(pen, element) {
  const number = (/** @type {string} */ name) =>
    Number.parseFloat(element.getAttribute(name) ?? '0');
  pen.save();
  const moved = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(
    element.getAttribute('transform') ?? '',
  );
  if (moved) pen.translate(Number(moved[1]), Number(moved[2]));
  pen.globalAlpha *= element.hasAttribute('opacity') ? number('opacity') : 1;
  if (element.tagName === 'text') paintText(pen, element, number);
  else paintShape(pen, element, outline(element, number), number);
  for (const child of element.children) paint(pen, child);
  pen.restore();
}

/** @param {Element} element @param {(name: string) => number} number */
function outline(element, number) {
  const path = new Path2D();
  if (element.tagName === 'rect')
    path.roundRect(number('x'), number('y'), number('width'), number('height'), number('rx'));
  if (element.tagName === 'circle')
    path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
  if (element.tagName === 'path') return new Path2D(element.getAttribute('d') ?? '');
  if (element.tagName === 'line') {
    path.moveTo(number('x1'), number('y1'));
    path.lineTo(number('x2'), number('y2'));
  }
  return path;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Element} element
 * @param {Path2D} path
 * @param {(name: string) => number} number
 */
function paintShape(pen, element, path, number) {
  const alpha = pen.globalAlpha;
  const filling = element.getAttribute('fill') ?? 'none';
  const stroke = element.getAttribute('stroke') ?? 'none';
  if (filling !== 'none') {
    pen.globalAlpha = alpha * (element.hasAttribute('fill-opacity') ? number('fill-opacity') : 1);
    pen.fillStyle = filling;
    pen.fill(path);
  }
  if (stroke !== 'none') {
    pen.globalAlpha =
      alpha * (element.hasAttribute('stroke-opacity') ? number('stroke-opacity') : 1);
    pen.strokeStyle = stroke;
    pen.lineWidth = number('stroke-width');
    pen.lineCap = element.getAttribute('stroke-linecap') === 'round' ? 'round' : 'butt';
    pen.lineJoin = 'round';
    pen.setLineDash(
      (element.getAttribute('stroke-dasharray') ?? '')
        .split(/[ ,]+/)
        .map(Number.parseFloat)
        .filter(Number.isFinite),
    );
    pen.stroke(path);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Element} element
 * @param {(name: string) => number} number
 */
function paintText(pen, element, number) {
  const anchors = /** @type {Record<string, CanvasTextAlign>} */ ({
    middle: 'center',
    end: 'right',
  });
  pen.font = `${element.getAttribute('font-weight') ?? '400'} ${number('font-size')}px ${element.getAttribute('font-family') ?? 'sans-serif'}`;
  pen.fillStyle = element.getAttribute('fill') ?? '#000';
  pen.textAlign = anchors[element.getAttribute('text-anchor') ?? ''] ?? 'left';
  pen.fillText(element.textContent ?? '', number('x'), number('y'));
}
