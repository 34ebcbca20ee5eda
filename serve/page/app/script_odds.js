// Odds of a script: what it returns, its parts and its statistics in graphs, of which one is shown
// (or all parts), and how often it puts out lines.

import { fill, h, select } from './dom.js';
import { ends } from './figures.js';
import { grid, scroller } from './grid.js';
import { createOddsPanel } from './odds_panel.js';
import { percent, plain, whole } from './numbers.js';

/** How many colours there are. */
const COLOURS = 6;

/**
 * @param {{settings: import('./odds_panel.js').Settings, choice: {what: string},
 *   changed: () => void}} options
 *   `choice.what` is the part or the statistic that is shown, or empty for the result or all parts
 */
export function createScriptOdds({ settings, choice, changed }) {
  const panel = createOddsPanel({
    name: 'script',
    settings,
    onsettings: changed,
    command: null,
    height: 280,
  });
  const chooser = h('p', { class: 'chooser' });
  const head = h('p', { class: 'remark', role: 'status' });
  const rest = h('div', { class: 'script-rest' });
  const element = h(
    'div',
    { class: 'script-odds', hidden: true },
    head,
    chooser,
    panel.element,
    rest,
  );
  /** @type {any} */
  let answer = null;

  function draw() {
    const things = thingsOf(answer);
    const shown = things.find(({ name }) => name === choice.what) ?? things[0];
    fill(
      chooser,
      things.length > 1 && [
        h('label', { for: 'script-what' }, 'Show '),
        select(
          things.map(({ name, text }) => [name, text]),
          shown.name,
          (name) => {
            choice.what = name;
            draw();
            changed();
          },
          { id: 'script-what' },
        ),
      ],
    );
    panel.show(shown?.series ?? []);
    head.textContent =
      answer.trials === undefined
        ? `Exact odds${answer.left_out > 0 ? `; very long trials are left out: at most ${percent(answer.left_out)}` : ''}.`
        : `Simulated: ${whole(answer.trials)} trials, seed ${answer.seed}.`;
    fill(rest, statistics(answer.stats), lines(answer.lines));
  }
  return {
    element,
    /** @param {any} document of odds or of a simulation, or null */
    show(document) {
      answer = document;
      element.classList.remove('waiting');
      element.hidden = document === null;
      if (document !== null) draw();
    },
  };
}

/**
 * What there is to look at: the result, or all its parts together and each of them; statistics.
 * @param {any} answer
 * @returns {{name: string, text: string, series: import('./graph_numbers.js').Series[]}[]}
 */
function thingsOf(answer) {
  const exact = answer.trials === undefined;
  const one = (/** @type {string} */ name, /** @type {any} */ odds, index = 0) => ({
    letter: String.fromCharCode(65 + (index % 26)),
    colour: index % COLOURS,
    name,
    odds: { exact, ...odds },
    stale: false,
  });
  const parts = (answer.parts ?? []).map((/** @type {any} */ part, /** @type {number} */ index) =>
    one(part.name, part, index),
  );
  const stats = answer.stats.filter((/** @type {any} */ stat) => stat.odds);
  return [
    ...(answer.result
      ? [{ name: '', text: 'the result', series: [one('the result', answer.result)] }]
      : []),
    ...(parts.length > 0 ? [{ name: '', text: 'all parts', series: parts }] : []),
    ...(parts.length > 1 ? parts : []).map((/** @type {any} */ part) => ({
      name: `part ${part.name}`,
      text: part.name,
      series: [{ ...part, letter: 'A', colour: 0 }],
    })),
    ...stats.map((/** @type {any} */ stat) => ({
      name: stat.name,
      text: stat.name,
      series: [one(stat.name, stat.odds)],
    })),
  ];
}

/** @param {any[]} stats */
function statistics(stats) {
  if (stats.length === 0) return null;
  return h(
    'div',
    {},
    h('h2', {}, 'Statistics'),
    scroller(
      'Statistics',
      grid(
        'Statistics',
        ['', 'mean', 'deviation', 'lowest', 'highest', 'per trial'],
        stats.map(({ name, per_trial, odds }) => [
          name,
          plain(odds?.mean),
          plain(odds?.sd),
          ...ends(odds).map(plain),
          plain(per_trial),
        ]),
      ),
    ),
  );
}

/** @param {any[]} lines */
function lines(lines) {
  if (lines.length === 0) return null;
  const sorted = [...lines].sort((a, b) => b.per_trial - a.per_trial).slice(0, 60);
  return h(
    'div',
    {},
    h('h2', {}, 'Lines'),
    scroller(
      'Lines',
      grid(
        'Lines',
        ['', 'per trial'],
        sorted.map(({ line, per_trial }) => [line.replaceAll('{}', '…'), plain(per_trial)]),
      ),
    ),
  );
}
