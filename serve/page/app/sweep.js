// The curve over a resource: what the chance or the mean of each rule is for every value that the
// slider has.

import { fill, h, select } from './dom.js';
import { ask, latest, refusal } from './engine.js';
import { createGraph } from './graph.js';
import { curveDrawing } from './graph_curve.js';
import { isNumeric } from './distribution.js';
import { rangeOf } from './resources.js';
import { createSpread } from './sweep_spread.js';

const HEIGHT = 240;

/** @typedef {import('./rule_row.js').RuleRow} RuleRow */

/**
 * @param {Record<string, any>} values of the resources
 * @param {{dialect: string}} around
 * @param {{over: string | null}} state which resource, if somebody has chosen one
 * @param {() => void} changed
 */
export function createSweep(values, around, state, changed) {
  const question = latest();
  const graph = createGraph('Curve over the values of a resource', HEIGHT);
  const chooser = h('span', {});
  const kinds = h('span', {});
  const said = h('p', { class: 'remark', role: 'status' });
  const spread = createSpread(around, values);
  /** Which rule's whole odds are shown: none, or a letter. */
  let whole = '';
  const views = h('span', {});
  const element = h(
    'section',
    { class: 'panel sweep', hidden: true, 'aria-label': 'Curve' },
    h('div', { class: 'tools' }, h('h2', {}, kinds, ' over ', chooser), views),
    graph.element,
    said,
  );
  /** @type {import('./graph_curve.js').Curve[]} */
  let curves = [];
  let chances = true;
  let over = '';

  /** @param {RuleRow[]} rows */
  async function show(rows) {
    const names = [...new Set(rows.flatMap((row) => row.resources.map(({ name }) => name)))].filter(
      (name) => typeof values[name] === 'number',
    );
    element.hidden = names.length === 0;
    if (names.length === 0) return question.stop();
    over =
      state.over && names.includes(state.over) ? state.over : /** @type {string} */ (names.at(-1));
    fill(
      chooser,
      select(
        names.map((name) => [name, `[${name}]`]),
        over,
        (name) => {
          state.over = name;
          changed();
          void show(rows);
        },
        { 'aria-label': 'Resource of the curve' },
      ),
    );
    const signal = question.begin();
    const using = rows.filter(
      (row) =>
        row.odds && !row.stale && !row.sampled && row.resources.some(({ name }) => name === over),
    );
    try {
      const range = rangeOf(over, values[over]);
      const answers = await Promise.all(using.map((row) => swept(row, range, signal)));
      said.textContent = '';
      settle(using, answers, range.low);
      offer(using, range);
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      curves = [];
      spread.hide();
      graph.element.hidden = true;
      said.textContent = `There is no curve: ${refused.message}`;
    }
  }
  /** @param {RuleRow} row @param {{low: number, high: number}} range @param {AbortSignal} signal */
  function swept(row, { low, high }, signal) {
    const set = Object.fromEntries(
      row.resources.filter(({ name }) => name !== over).map(({ name }) => [name, values[name]]),
    );
    return ask(
      'odds',
      { rule: row.answered, dialect: around.dialect, set, sweep: { [over]: `${low}..${high}` } },
      { signal },
    );
  }
  /** @param {RuleRow[]} using @param {any[]} answers @param {number} low the first value */
  function settle(using, answers, low) {
    chances = answers.some(([first]) => first && success(first.odds) !== null);
    curves = using
      .map((row, i) => ({
        letter: row.letter,
        colour: row.colour,
        name: row.title,
        stale: false,
        points: answers[i]
          .map((/** @type {any} */ one, /** @type {number} */ row) => ({
            value: low + row,
            y: chances ? success(one.odds) : one.odds.mean,
          }))
          .filter((/** @type {any} */ { y }) => y !== null && y !== undefined),
      }))
      .filter(({ points }) => points.length > 1);
    kinds.textContent = chances ? 'Chance of success' : 'Mean';
    graph.element.hidden = curves.length === 0;
    follow();
  }
  /**
   * The curve, or the whole odds of a rule that has numbers.
   * @param {RuleRow[]} using @param {{low: number, high: number}} range
   */
  function offer(using, range) {
    const numbers = using.filter((row) => isNumeric(row.odds));
    const chosen = numbers.find((row) => row.letter === whole);
    fill(
      views,
      numbers.length > 0 &&
        select(
          [
            ['', chances ? 'Chances' : 'Means'],
            ...numbers.map(
              (row) => /** @type {[string, string]} */ ([row.letter, `All odds of ${shortened(row)}`]),
            ),
          ],
          chosen ? whole : '',
          (letter) => {
            whole = letter;
            offer(using, range);
          },
          { 'aria-label': 'What is shown for each value' },
        ),
    );
    graph.element.hidden = curves.length === 0 || Boolean(chosen);
    kinds.textContent = chosen ? 'Odds' : chances ? 'Chance of success' : 'Mean';
    if (chosen) {
      if (!spread.element.isConnected) element.append(spread.element);
      void spread.show(chosen, over, range);
    }
    else {
      spread.hide();
      follow();
    }
  }
  /** Moves the mark to the present value. */
  function follow() {
    if (!spread.element.hidden) spread.follow();
    if (curves.length > 0) graph.draw(curveDrawing(curves, over, values[over], chances, HEIGHT));
  }
  return {
    element,
    show,
    follow,
    get over() {
      return over;
    },
  };
}

/** What a rule is called in a list. @param {RuleRow} row */
function shortened({ letter, title }) {
  return title.length > 40 ? `rule ${letter}` : title;
}

/**
 * The chance of success: of a check, a test, or of a degree that is a success.
 * @param {any} odds
 */
function success(odds) {
  return odds.p ?? null;
}
