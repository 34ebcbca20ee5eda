// What the fights of an encounter come to: who wins, how long it takes, who stands, who falls
// first, what features do.

import { h, svg } from './dom.js';
import { grid, scroller } from './grid.js';
import { briefPercent, percent, plain, points, whole } from './numbers.js';

/** Who wins as one bar from side to side. @param {any} fought @param {number} width */
export function winPicture(fought, width) {
  const [first, second] = fought.sides;
  const parts = [
    ['series series-0', first.win],
    ['draw', fought.draw],
    ['series series-1', second.win],
  ];
  let x = 0;
  const bars = parts.map(([name, p]) => {
    const wide = width * p;
    const bar = svg(
      'g',
      { class: name },
      svg('rect', {
        class: 'bar',
        x,
        y: 44,
        width: Math.max(wide - 1.5, 0),
        height: 22,
        rx: 3,
        'data-p': p,
      }),
    );
    x += wide;
    return bar;
  });
  const long = Math.max(8, Math.floor(width / 2 / 8.5));
  const name = (/** @type {string} */ text) =>
    text.length > long ? `${text.slice(0, long - 1)}…` : text;
  return {
    height: 70,
    summary: `${first.name} wins ${percent(first.win)}, ${second.name} ${percent(second.win)}, nobody ${percent(fought.draw)}`,
    nodes: [
      svg(
        'g',
        { class: 'series series-0' },
        svg('text', { class: 'win-number', x: 0, y: 20 }, briefPercent(first.win)),
      ),
      svg(
        'g',
        { class: 'series series-1' },
        svg(
          'text',
          { class: 'win-number', x: width, y: 20, 'text-anchor': 'end' },
          briefPercent(second.win),
        ),
      ),
      svg('text', { class: 'row-name', x: 0, y: 38 }, name(first.name)),
      svg('text', { class: 'row-name', x: width, y: 38, 'text-anchor': 'end' }, name(second.name)),
      ...bars,
    ],
  };
}

/** The rest of the answer. @param {any} fought */
export function report(fought) {
  const { rounds, sides, draw, creatures } = fought;
  const [low, high] = sides[0].interval ?? [null, null];
  const hasDead = creatures.some((/** @type {any} */ one) => one.dead !== null);
  return h(
    'div',
    {},
    caveats(fought),
    h('p', { class: 'verdict' }, outlook(fought)),
    h(
      'dl',
      { class: 'tiles' },
      tile('rounds', plain(rounds.mean)),
      tile('deviation', plain(rounds.sd)),
      tile('shortest', plain(rounds.min)),
      tile('longest', plain(rounds.max)),
      tile('draws', percent(draw)),
      sides.map(
        (/** @type {any} */ side) =>
          side.first_to_fall[0] &&
          tile(
            `falls first of ${side.name}`,
            `${side.first_to_fall[0].name} ${percent(side.first_to_fall[0].p)}`,
          ),
      ),
    ),
    h(
      'p',
      { class: 'remark' },
      fought.exact ? 'Exact odds.' : `${whole(fought.trials)} fights, seed ${fought.seed}.`,
      low !== null &&
        ` The 95 % interval of ${sides[0].name} is ${percent(low)} to ${percent(high)}.`,
    ),
    scroller(
      'Creatures after a fight',
      grid(
        'Creatures after a fight',
        ['', 'standing', ...(hasDead ? ['dead'] : []), 'hit points', 'taken', 'damage done'],
        creatures.map((/** @type {any} */ one) => [
          one.name,
          standing(one),
          ...(hasDead ? [plain(one.dead)] : []),
          one.hit_points_before === null
            ? plain(one.hit_points)
            : `${plain(Math.round(one.hit_points * 10) / 10)} of ${plain(one.hit_points_before)}`,
          one.damage_taken === null ? '–' : plain(Math.round(one.damage_taken * 10) / 10),
          h(
            'span',
            { class: 'actions' },
            one.actions
              .map(
                (/** @type {any} */ action) =>
                  `${action.name} ${plain(Math.round(action.damage * 10) / 10)}`,
              )
              .join(', '),
          ),
        ]),
      ),
    ),
  );
}

/** The abilities that the chances leave out, next to them. @param {any} fought */
function caveats({ caveats: all }) {
  if (all.length === 0) return null;
  const parts = all.map(
    (/** @type {any} */ { creature, without }) => `the ${creature}’s ${without.join(', ')}`,
  );
  return h('p', { class: 'caveat' }, `without ${parts.join(' and ')}`);
}

/** How the fight is for the first side, in a sentence or two. @param {any} fought */
function outlook({ verdict, budget, sides: [first] }) {
  const dies = first.somebody_dies;
  const left = first.hit_points;
  const [low, middle, high] = left?.quantiles.map((/** @type {any} */ one) => one.value) ?? [];
  return [
    `${verdict === 'easy' ? 'An' : 'A'} ${verdict} fight for ${first.name}: `,
    `somebody falls in ${percent(first.somebody_falls)} of the fights`,
    dies === null ? '' : `, somebody dies in ${percent(dies)}`,
    left === null
      ? '.'
      : `. Hit points left${left.before === null ? '' : ` of ${plain(left.before)}`}: ` +
        `${plain(middle)} in the middle, ${plain(low)} to ${plain(high)} in nine of ten fights.`,
    budget === null
      ? ''
      : ` By experience points: ${budget.rules_of_2014} in the rules of 2014, ${budget.rules_of_2024} in those of 2024.`,
  ].join('');
}

/** What the fight is like without each feature: a table of changes. @param {any} fought */
export function ablation(fought) {
  const [{ name, win }] = fought.sides;
  if (!fought.without)
    return h('p', { class: 'remark' }, 'Nobody here has a trait or a limited action.');
  const rows = fought.without
    .map((/** @type {any} */ one) => ({ ...one, change: one.win[0] - win }))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => Math.abs(b.change) - Math.abs(a.change));
  const greatest = Math.max(...rows.map((/** @type {any} */ one) => Math.abs(one.change)), 0.01);
  return scroller(
    'Without each feature',
    grid(
      'Without each feature',
      ['without', 'of', `chance of ${name}`, 'change', ''],
      rows.map((/** @type {any} */ one) => [
        one.trait,
        one.creatures.join(', '),
        percent(one.win[0]),
        points(one.change),
        changeBar(one.change / greatest),
      ]),
    ),
  );
}

/** @param {string} name @param {string} value */
function tile(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

/** @param {any} creature */
function standing({ standing: mean, count }) {
  const bar = h('span', { class: 'meter', 'aria-hidden': 'true' }, h('span', {}));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${(mean / count) * 100}%`;
  return h(
    'span',
    { class: 'standing' },
    `${plain(Math.round(mean * 100) / 100)} of ${count}`,
    bar,
  );
}

/** @param {number} share from -1 to 1 */
function changeBar(share) {
  const part = h('span', { class: share < 0 ? 'less' : 'more' });
  part.style.width = `${Math.abs(share) * 50}%`;
  return h('span', { class: 'change', 'aria-hidden': 'true' }, part);
}
