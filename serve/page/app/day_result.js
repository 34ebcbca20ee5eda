// What days come to: a sentence, a bar for each fight, what is left after it, and of whom.

import { h, svg } from './dom.js';
import { grid, scroller } from './grid.js';
import { briefPercent, percent, plain, whole } from './numbers.js';

const ROW = 46;

/**
 * The chance to get past each fight, and that nobody is dead then.
 * @param {any} lived
 * @param {number} width
 */
export function survivalPicture(lived, width) {
  const fights = lived.fights;
  const long = Math.max(8, Math.floor((width - 60) / 8));
  const nodes = fights.map((/** @type {any} */ fight, /** @type {number} */ index) => {
    const y = index * ROW;
    const name = fight.name.length > long ? `${fight.name.slice(0, long - 1)}…` : fight.name;
    const bar = (/** @type {number} */ p, /** @type {number} */ at, /** @type {number} */ height) =>
      svg('rect', {
        class: 'bar',
        x: 0,
        y: y + at,
        width: Math.max(width * p, 0),
        height,
        rx: 3,
        'data-p': p,
      });
    return [
      svg('text', { class: 'row-name', x: 0, y: y + 14 }, name),
      svg(
        'text',
        { class: 'bar-number', x: width, y: y + 14, 'text-anchor': 'end' },
        briefPercent(fight.won),
      ),
      svg('g', { class: 'series series-0 won' }, bar(fight.won, 20, 9)),
      svg('g', { class: 'series series-2 alive' }, bar(fight.all_alive, 31, 6)),
    ];
  });
  const summary = fights
    .map((/** @type {any} */ fight) => `after ${fight.name} ${percent(fight.won)}`)
    .join(', ');
  return { height: fights.length * ROW, summary: `the party wins ${summary}`, nodes: nodes.flat() };
}

/** @param {any} lived */
export function dayReport(lived) {
  const [low, high] = lived.interval ?? [null, null];
  return h(
    'div',
    {},
    h('p', { class: 'verdict' }, outcome(lived)),
    lived.caveats.length > 0 &&
      h('p', { class: 'caveat' }, `without ${lived.caveats.join(' and ')}`),
    h(
      'p',
      { class: 'key' },
      'upper bars: the party wins the fight and all before it; lower bars: nobody is dead then',
    ),
    afterFights(lived),
    ofHeroes(lived),
    h(
      'p',
      { class: 'remark' },
      `${whole(lived.trials)} days, seed ${lived.seed}.`,
      low !== null &&
        ` The 95 % interval of the chance to survive is ${percent(low)} to ${percent(high)}.`,
    ),
  );
}

/** @param {any} lived */
function outcome({ party, survives, fights }) {
  const lost = (/** @type {any} */ fight) => fight.defeated + fight.fled + fight.undecided;
  const worst = fights.reduce((/** @type {any} */ one, /** @type {any} */ other) =>
    lost(other) > lost(one) ? other : one,
  );
  const last = fights[fights.length - 1];
  const [short, middle, long] =
    last.hit_points?.quantiles.map((/** @type {any} */ one) => one.value) ?? [];
  return [
    `${party} survive ${percent(survives)} of the days.`,
    lost(worst) > 0 ? ` Most often a day ends with ${worst.name}: ${percent(lost(worst))}.` : '',
    last.hit_points === null
      ? ''
      : ` After the last fight they have ${plain(middle)} of ${plain(last.hit_points.before)} hit points left in the middle, ${plain(short)} to ${plain(long)} on nine of ten days.`,
  ].join('');
}

/** @param {any} left */
function range(left) {
  if (left === null) return '–';
  const [low, middle, high] = left.quantiles.map((/** @type {any} */ one) => one.value);
  return `${plain(middle)} (${plain(low)} to ${plain(high)})`;
}

/** @param {any} lived */
function afterFights({ fights }) {
  const [{ slots }] = fights;
  const most = fights[0].hit_points?.before;
  const title = 'After each fight';
  return scroller(
    title,
    grid(
      title,
      [
        '',
        'won',
        'all alive',
        'rounds',
        `hit points of ${plain(most ?? 0)}`,
        ...(slots ? [`slots of ${plain(slots.before)}`] : []),
      ],
      fights.map((/** @type {any} */ fight) => [
        fight.name,
        percent(fight.won),
        percent(fight.all_alive),
        fight.mean_rounds === null ? '–' : plain(Math.round(fight.mean_rounds * 10) / 10),
        range(fight.hit_points),
        ...(slots ? [range(fight.slots)] : []),
      ]),
    ),
  );
}

/** @param {any} lived */
function ofHeroes({ fights }) {
  const title = 'Mean hit points after each fight';
  const tenths = (/** @type {number | null} */ value) =>
    value === null ? '–' : plain(Math.round(value * 10) / 10);
  return scroller(
    title,
    grid(
      title,
      ['', 'at first', ...fights.map((/** @type {any} */ _, /** @type {number} */ i) => `after ${i + 1}`), 'dead'],
      fights[0].heroes.map((/** @type {any} */ hero, /** @type {number} */ i) => {
        const { dead } = fights[fights.length - 1].heroes[i];
        return [
          hero.count === 1 ? hero.name : `${hero.count} ${hero.name}`,
          plain(hero.hit_points_before),
          ...fights.map((/** @type {any} */ fight) => tenths(fight.heroes[i].hit_points)),
          dead === null ? '–' : hero.count === 1 ? percent(dead) : plain(Math.round(dead * 100) / 100),
        ];
      }),
    ),
  );
}
