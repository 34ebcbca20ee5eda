// Odds of a script: what it returns and its statistics in graphs, of which one is shown, and how
// often it puts out lines.

import { fill, h, select } from './dom.js';
import { ends } from './figures.js';
import { grid, scroller } from './grid.js';
import { createOddsPanel } from './odds_panel.js';
import { percent, plain, whole } from './numbers.js';

/**
 * @param {{settings: import('./odds_panel.js').Settings, choice: {what: string},
 *   changed: () => void}} options
 *   `choice.what` is the statistic that is shown, or empty for the result
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
    const things = [
      ...(answer.result
        ? [
            {
              name: '',
              text: 'the result',
              odds: { exact: answer.trials === undefined, ...answer.result },
            },
          ]
        : []),
      ...answer.stats
        .filter((/** @type {any} */ stat) => stat.odds)
        .map((/** @type {any} */ stat) => ({ name: stat.name, text: stat.name, odds: stat.odds })),
    ];
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
    panel.show(
      shown ? [{ letter: 'A', colour: 0, name: shown.text, odds: shown.odds, stale: false }] : [],
    );
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
      element.hidden = document === null;
      if (document !== null) draw();
    },
  };
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
