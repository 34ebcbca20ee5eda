// The view of days: a party, its fights and rests, the chance to survive, and a day told.

import { answered, paint } from './answer_box.js';
import { button, debounce, exampleChips, field, fill, h, svg } from './dom.js';
import { DAY_EXAMPLES } from './examples.js';
import { asLine, asRequest, dayCommand, isComplete } from './day_ask.js';
import { dayReport, survivalPicture } from './day_result.js';
import { createSteps } from './day_steps.js';
import { tellUnknown } from './encounter_unknown.js';
import { createOwnBlocks } from './own_blocks.js';
import { ask, latest } from './engine.js';
import { progressBar } from './progress.js';
import { csvLine } from './csv.js';
import { takeMenu } from './take.js';
import { story } from './told.js';

export { DAY_STATE } from './day_ask.js';

const SEED = 1;

/** @param {import('./main.js').Told} on */
export function createDayView(on) {
  /** @type {import('./day_ask.js').Day} */
  let day = { party: '', steps: [] };
  /** The seed of the day that is told, if one is. @type {number | null} */
  let telling = null;
  /** @type {any} */
  let lived = null;
  /** What is not modelled. @type {string[]} */
  let notes = [];
  const [days, tale] = [latest(), latest()];

  const party = h('input', {
    type: 'text',
    spellcheck: 'false',
    placeholder: 'champion 5, life cleric 5, evoker 5, thief 5',
    oninput: () => {
      day.party = party.value;
      changed();
    },
  });
  const steps = createSteps(() => day.steps, changed);
  const own = createOwnBlocks((text) => {
    if (text === '') delete day.bestiary;
    else day.bestiary = text;
    changed();
  });
  const progress = progressBar(() => days.stop(), () => void live());
  const picture = svg('svg', { class: 'picture', role: 'img' });
  const pictureBox = h('div', { class: 'graph' }, picture);
  const reportBox = h('div', { class: 'report' });
  const wrong = h('div', { class: 'faults', role: 'status' });
  const taleBox = h('div', {});
  const menu = takeMenu({
    name: 'day',
    picture: () => (lived ? picture : null),
    series: () => [],
    csv: () =>
      csvLine(['fight', 'won', 'all alive', 'mean rounds', 'mean hit points']) +
      lived.fights
        .map((/** @type {any} */ one) =>
          csvLine([one.name, one.won, one.all_alive, one.mean_rounds, one.hit_points?.mean]),
        )
        .join(''),
    json: () => lived,
    command: () => dayCommand(day, ['--seed', String(SEED)]),
  });
  const result = h(
    'section',
    { class: 'panel', 'aria-label': 'Do they survive?' },
    h('div', { class: 'tools' }, h('h2', {}, 'Do they survive?'), menu),
    wrong,
    progress.element,
    pictureBox,
    reportBox,
  );
  const told = h(
    'section',
    { class: 'panel', 'aria-label': 'A day, told' },
    h(
      'div',
      { class: 'tools' },
      h('h2', {}, 'Blow by blow'),
      button('Tell a day', () => tell(Math.floor(Math.random() * 1e6))),
    ),
    taleBox,
  );
  const examples = exampleChips(DAY_EXAMPLES, on, restore);
  const element = h(
    'div',
    { class: 'view view-day' },
    h(
      'section',
      { class: 'panel', 'aria-label': 'The day' },
      field('The party', party),
      h('h2', {}, 'The day'),
      steps.element,
    ),
    examples,
    own.element,
    result,
    told,
  );

  const soon = debounce(() => void live(), 250);
  function changed() {
    on.changed();
    // What is below is about another day.
    tale.stop();
    fill(taleBox);
    telling = null;
    result.classList.add('waiting');
    soon();
  }
  async function live() {
    const signal = days.begin();
    progress.reset();
    fill(wrong);
    if (!isComplete(day)) {
      fill(wrong, h('p', { class: 'empty' }, 'Name a party, and the enemies of each fight.'));
      return settle(null);
    }
    progress.begin('Fighting', 'days');
    await answered(wrong, async () => {
      notes = [];
      settle(await ask('day', { ...asRequest(day), seed: SEED }, {
        signal,
        onNote: (note) => notes.push(note.message),
        onProgress({ done, of, partial }) {
          progress.at(done, of);
          if (partial) settle(partial);
        },
      }));
    }, (refused) => {
      settle(null);
      tellUnknown(wrong, refused.findings, whereIs, (name, meant) => {
        day.party = party.value = day.party.replaceAll(name, meant);
        day.steps = day.steps.map((step) => step.replaceAll(name, meant));
        steps.draw();
        changed();
      });
    });
    if (days.isLatest(signal)) progress.hide();
  }
  /** @param {string} name */
  function whereIs(name) {
    if (name !== '' && day.party.includes(name)) return 'in the party';
    const step = day.steps.findIndex((one) => name !== '' && one.includes(name));
    return step < 0 ? null : `in step ${step + 1}`;
  }
  /** @param {number} seed */
  async function tell(seed) {
    telling = seed;
    on.changed();
    const signal = tale.begin();
    await answered(taleBox, async () => {
      const answer = await ask('day', { ...asRequest(day), tell: true, seed }, { signal });
      const about = `Seed ${answer.seed}: the same seed tells the same day.`;
      fill(taleBox, h('p', { class: 'remark' }, about), story(answer));
    });
  }
  /** Shows an answer, or none: what was shown is about another day. @param {any} answer */
  function settle(answer) {
    lived = answer;
    result.classList.remove('waiting');
    draw();
  }
  function draw() {
    for (const part of [pictureBox, reportBox, menu, told]) part.hidden = lived === null;
    const width = pictureBox.clientWidth;
    if (!lived || width === 0) return;
    paint(picture, width, survivalPicture(lived, width));
    fill(
      reportBox,
      dayReport(lived),
      notes.map((note) => h('p', { class: 'remark' }, note)),
    );
  }
  new ResizeObserver(draw).observe(pictureBox);

  /** @param {any} state */
  function restore(state) {
    const { party: who, steps: all, bestiary } = structuredClone({
      ...(state ?? DAY_EXAMPLES[0].state),
    });
    day = { party: who ?? '', steps: all ?? [], ...(bestiary ? { bestiary } : {}) };
    party.value = day.party;
    own.show(bestiary ?? '');
    lived = null;
    steps.draw();
    changed();
    if (state?.telling !== undefined) void tell(state.telling);
  }
  return {
    element,
    restore,
    title: () => asLine(day),
    state: () => ({
      party: day.party,
      steps: day.steps,
      ...(day.bestiary ? { bestiary: day.bestiary } : {}),
      ...(telling === null ? {} : { telling }),
    }),
  };
}
