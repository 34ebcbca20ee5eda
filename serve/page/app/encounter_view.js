// The view of encounters: two sides, their tactics, the odds of their fight, what each feature
// does, and a fight told.

import { answered, paint } from './answer_box.js';
import { button, debounce, exampleChips, fill, h, svg } from './dom.js';
import { ENCOUNTER_EXAMPLES } from './examples.js';
import { asLine, asRequest, encounterCommand, isComplete } from './encounter_ask.js';
import { ablation, report, winPicture } from './encounter_result.js';
import { createSide } from './encounter_side.js';
import { createOwnBlocks } from './own_blocks.js';
import { ask, latest } from './engine.js';
import { createKept } from './encounter_kept.js';
import { createFind } from './encounter_find.js';
import { sideOf, tellUnknown } from './encounter_unknown.js';
import { fightRules } from './fight_rules.js';
import { progressBar } from './progress.js';
import { csvLine } from './csv.js';
import { takeMenu } from './take.js';
import { story } from './told.js';

export { ENCOUNTER_STATE } from './encounter_ask.js';

const SEED = 1;

/** @param {import('./main.js').Told} on */
export function createEncounterView(on) {
  /** @type {import('./encounter_ask.js').Encounter} */
  let encounter = { sides: [{ creatures: [] }, { creatures: [] }], rules: {} };
  /** The seed of the fight that is told, if one is. @type {number | null} */
  let telling = null;
  /** @type {any} */
  let fought = null;
  /** What is not modelled. @type {string[]} */
  let notes = [];
  const [fights, features, tale] = [latest(), latest(), latest()];

  const sides = [
    createSide('First side', 0, () => encounter.sides[0], changed),
    createSide('Second side', 1, () => encounter.sides[1], changed),
  ];
  const own = createOwnBlocks((text) => {
    if (text === '') delete encounter.bestiary;
    else encounter.bestiary = text;
    changed();
  });
  const rules = h('div', { class: 'form' });
  const progress = progressBar(() => fights.stop(), () => void fight());
  const picture = svg('svg', { class: 'picture', role: 'img' });
  const pictureBox = h('div', { class: 'graph' }, picture);
  const reportBox = h('div', { class: 'report' });
  const wrong = h('div', { class: 'faults', role: 'status' });
  const featuresBox = h('div', {});
  const taleBox = h('div', {});
  const featuresProgress = progressBar(() => features.stop(), () => void ablate());
  const menu = takeMenu({
    name: 'encounter',
    picture: () => (fought ? picture : null),
    // The picture names the sides itself.
    series: () => [],
    csv: () =>
      csvLine(['creature', 'side', 'count', 'standing', 'hit points', 'damage taken', 'damage']) +
      fought.creatures
        .map((/** @type {any} */ c) =>
          csvLine([c.name, c.side, c.count, c.standing, c.hit_points, c.damage_taken, c.damage]),
        )
        .join(''),
    json: () => fought,
    command: () => encounterCommand(encounter, ['--seed', String(SEED)]),
  });
  const kept = createKept(SEED, {
    changed: on.changed,
    open(other) {
      on.replacing(asLine(other));
      restore({ ...other, kept: kept.state() });
      on.changed();
    },
  });
  const exactly = button('Exact odds', () => void fight(true));
  const keep = button('Keep, to compare', () => kept.keep(encounter, fought));
  const result = h(
    'section',
    { class: 'panel', 'aria-label': 'Who wins' },
    h('div', { class: 'tools' }, h('h2', {}, 'Who wins'), exactly, keep, menu),
    wrong,
    progress.element,
    pictureBox,
    reportBox,
  );
  const more = h(
    'section',
    { class: 'panel', 'aria-label': 'Without this feature' },
    h(
      'div',
      { class: 'tools' },
      h('h2', {}, 'Without this feature'),
      button('What does each feature do?', ablate),
    ),
    featuresProgress.element,
    featuresBox,
  );
  const finding = createFind(() => encounter, SEED);
  const told = h(
    'section',
    { class: 'panel', 'aria-label': 'A fight, told' },
    h(
      'div',
      { class: 'tools' },
      h('h2', {}, 'Blow by blow'),
      button('Tell a fight', () => tell(Math.floor(Math.random() * 1e6))),
    ),
    taleBox,
  );
  const examples = exampleChips(ENCOUNTER_EXAMPLES, on, restore);
  const element = h(
    'div',
    { class: 'view view-encounter' },
    h(
      'div',
      { class: 'sides' },
      sides[0].element,
      h('span', { class: 'against', 'aria-hidden': 'true' }, 'vs'),
      sides[1].element,
    ),
    examples,
    own.element,
    h('details', { class: 'panel fight-rules' }, h('summary', {}, 'Rules of the fight'), rules),
    result,
    kept.element,
    finding.element,
    more,
    told,
  );

  const soon = debounce(() => void fight(), 150);
  function changed() {
    on.changed();
    // What is below is about another fight.
    features.stop();
    featuresProgress.reset();
    tale.stop();
    finding.draw();
    fill(featuresBox);
    fill(taleBox);
    telling = null;
    result.classList.add('waiting');
    soon();
  }
  /** @param {boolean} [exactly] whether the odds are to be exact, which few fights allow */
  async function fight(exactly = false) {
    const signal = fights.begin();
    progress.reset();
    fill(wrong);
    if (!isComplete(encounter)) {
      fill(wrong, h('p', { class: 'empty' }, 'Each side needs somebody: type a part of a name.'));
      return settle(null);
    }
    progress.begin(exactly ? 'Exact odds' : 'Fighting', exactly ? null : 'fights');
    await answered(wrong, async () => {
      notes = [];
      const asked = { ...asRequest(encounter), ...(exactly ? { exact: true } : { seed: SEED }) };
      settle(await ask('encounter', asked, {
        signal,
        onNote: (note) => notes.push(note.message),
        onProgress({ done, of, partial }) {
          progress.at(done, of);
          if (partial) settle(partial);
        },
      }));
    }, (refused) => {
      // The simulated answer stays.
      if (exactly) return;
      settle(null);
      tellUnknown(
        wrong,
        refused.findings,
        (name) => sideOf(encounter, name),
        (name, meant) => {
          for (const { creatures } of encounter.sides)
            for (const group of creatures) if (group.creature === name) group.creature = meant;
          for (const side of sides) side.draw();
          changed();
        },
      );
    });
    if (fights.isLatest(signal)) progress.hide();
  }
  async function ablate() {
    const signal = features.begin();
    featuresProgress.begin('Fighting without each feature');
    await answered(featuresBox, async () => {
      const asked = { ...asRequest(encounter), seed: SEED, ablate: true };
      const onProgress = (/** @type {import('./engine.js').Progress} */ { done, of }) =>
        featuresProgress.at(done, of);
      fill(featuresBox, ablation(await ask('encounter', asked, { signal, onProgress })));
    });
    if (features.isLatest(signal)) featuresProgress.hide();
  }
  /** @param {number} seed */
  async function tell(seed) {
    telling = seed;
    on.changed();
    const signal = tale.begin();
    await answered(taleBox, async () => {
      const asked = { ...asRequest(encounter), tell: true, seed };
      const answer = await ask('encounter', asked, { signal });
      const about = `Seed ${answer.seed}: the same seed tells the same fight.`;
      fill(taleBox, h('p', { class: 'remark' }, about), story(answer));
    });
  }
  /** Shows an answer, or none: what was shown is about another fight. @param {any} answer */
  function settle(answer) {
    fought = answer;
    kept.show(answer);
    result.classList.remove('waiting');
    draw();
  }
  function draw() {
    for (const part of [pictureBox, reportBox, menu, exactly, keep, more, told, finding.element])
      part.hidden = fought === null;
    const width = pictureBox.clientWidth;
    if (!fought || width === 0) return;
    paint(picture, width, winPicture(fought, width));
    fill(
      reportBox,
      report(fought),
      notes.map((note) => h('p', { class: 'remark' }, note)),
    );
  }
  new ResizeObserver(draw).observe(pictureBox);

  /** @param {any} state */
  function restore(state) {
    const {
      sides: both,
      rules: given,
      bestiary,
      kept: others,
    } = structuredClone({
      ...ENCOUNTER_EXAMPLES[0].state,
      ...state,
    });
    encounter = { sides: both, rules: given ?? {}, ...(bestiary ? { bestiary } : {}) };
    own.show(bestiary ?? '');
    fought = null;
    kept.restore(others ?? []);
    for (const side of sides) side.draw();
    fill(rules, fightRules(encounter.rules, changed));
    changed();
    if (state?.telling !== undefined) void tell(state.telling);
  }
  return {
    element,
    restore,
    title: () => asLine(encounter),
    state: () => ({
      sides: encounter.sides,
      ...(Object.keys(encounter.rules).length > 0 ? { rules: encounter.rules } : {}),
      ...(encounter.bestiary ? { bestiary: encounter.bestiary } : {}),
      ...(kept.state().length > 0 ? { kept: kept.state() } : {}),
      ...(telling === null ? {} : { telling }),
    }),
  };
}
