// The pane for the odds of a script: exact, or simulated if somebody wants that or if the exact
// ones are too large.

import { h } from './dom.js';
import { ask, latest, refusal, Refused } from './engine.js';
import { progressBar } from './progress.js';
import { TOO_LARGE } from './rule_row.js';
import { createScriptOdds } from './script_odds.js';

const SEED = 1;

/**
 * @param {{program: () => any, changed: () => void, onRefused: (refused: Refused) => void,
 *   settings: import('./odds_panel.js').Settings, choice: {what: string}}} options
 */
export function createOddsPane({ program, changed, onRefused, settings, choice }) {
  const question = latest();
  /** @type {'odds' | 'sim'} */
  let last = 'odds';
  const progress = progressBar(
    () => question.stop(),
    () => void run(last),
  );
  const note = h('p', { class: 'remark', hidden: true });
  const odds = createScriptOdds({ settings, choice, changed });
  const element = h('div', { class: 'odds-pane' }, progress.element, note, odds.element);

  /** @param {'odds' | 'sim'} wanted */
  async function run(wanted) {
    const signal = question.begin();
    last = wanted;
    odds.element.classList.add('waiting');
    note.hidden = true;
    try {
      odds.show(wanted === 'odds' ? await exact(signal) : await sampled(signal));
    } catch (error) {
      const refused = refusal(error);
      if (!refused) return;
      odds.show(null);
      onRefused(refused);
    } finally {
      if (question.isLatest(signal)) progress.hide();
    }
  }
  /** @param {AbortSignal} signal */
  async function exact(signal) {
    progress.begin('Exact odds');
    try {
      return await ask('odds', program(), {
        signal,
        onProgress: ({ done, of }) => progress.at(done, of),
      });
    } catch (error) {
      if (!(error instanceof Refused) || !TOO_LARGE.has(error.code)) throw error;
      note.textContent = `Exact odds are too large: ${error.message}. These are simulated.`;
      note.hidden = false;
      return sampled(signal);
    }
  }
  /** @param {AbortSignal} signal */
  function sampled(signal) {
    progress.begin('Simulating', 'trials');
    return ask(
      'sim',
      { ...program(), seed: SEED },
      {
        signal,
        onProgress({ done, of, partial }) {
          progress.at(done, of);
          if (partial) odds.show(partial);
        },
      },
    );
  }
  /** Nobody looks any more. */
  function stop() {
    question.stop();
    progress.reset();
  }
  return { element, run, stop, clear: () => odds.show(null) };
}
