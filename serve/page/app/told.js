// One fight, blow by blow, round by round.

import { h } from './dom.js';

/** @param {any} told */
export function story(told) {
  const rounds = chapters(told.lines);
  // A phone is not filled with more than the first round.
  const opened = matchMedia('(max-width: 48rem)').matches ? 1 : 3;
  return h(
    'div',
    { class: 'story' },
    rounds.map(({ title, lines }, i) =>
      h(
        'details',
        { open: i > 0 && i <= opened },
        h('summary', {}, title),
        h('ol', {}, lines.map(blow)),
      ),
    ),
    h(
      'p',
      { class: 'story-end' },
      told.winner === null
        ? 'Nobody wins.'
        : `${told.winner} ${/,|\d/.test(told.winner) ? 'win' : 'wins'}.`,
    ),
  );
}

/** @param {string[]} lines */
function chapters(lines) {
  const all = [{ title: 'Initiative', lines: /** @type {string[]} */ ([]) }];
  for (const line of lines) {
    if (/^(Round \d+$|Fight \d+: |A (short|long) rest$)/.test(line)) all.push({ title: line, lines: [] });
    else all[all.length - 1].lines.push(line);
  }
  return all.filter((chapter) => chapter.lines.length > 0);
}

/** A line with its dice after it. @param {string} line */
function blow(line) {
  const [, text, dice] = /^(.*?)(?: \(([^()]*\[.*\].*)\))?$/.exec(line) ?? [line, line, undefined];
  return h('li', { class: kind(text) }, text, dice && h('code', {}, dice));
}

/** What a line is about, for its colour. @param {string} text */
function kind(text) {
  if (/ (falls|dies|is dead|is destroyed)\b/.test(text)) return 'falls';
  if (/ misses /.test(text)) return 'misses';
  if (/ damage, /.test(text)) return 'damage';
  return / hits /.test(text) ? 'hits' : 'other';
}
