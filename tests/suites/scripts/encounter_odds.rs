//! The odds of encounters: simulated ones are those of a second simulator with dice of its own, and
//! exact ones those of simulations.

use dicec_compiler::answer::{Answer, Exactness};
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Bound, Compiler, Simulation};
use dicec_fights::compile_encounter;
use dicec_games::encounter::{Bestiary, Encounter, Initiative, Plan, Purpose, Told, read_line};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::encounter::{Dice, Side, fight};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;

/// Encounters whose odds are neither sure nor hopeless, with most of what creatures can do.
const ENCOUNTERS: [&str; 20] = [
    "4 Veteran vs 2 Troll, 4 Goblin",
    "3 Knight vs 6 Wolf",
    "2 Gladiator vs 3 Ogre",
    "5 Guard vs 4 Goblin",
    "4 Bandit vs 5 Kobold",
    "2 Berserker vs 1 Owlbear",
    "4 Scout vs 3 Hobgoblin, 2 Goblin",
    "3 Priest vs 2 Ghast, 3 Ghoul",
    "2 Spy, 2 Veteran vs 1 Young White Dragon",
    "6 Tribal Warrior vs 3 Gnoll",
    "4 Thug vs 2 Bugbear, 2 Goblin",
    "2 Bandit Captain vs 3 Wight",
    "5 Zombie vs 4 Skeleton",
    "3 Cult Fanatic vs 2 Hell Hound",
    "1 Mage vs 3 Orc",
    "3 Boar vs 4 Wolf",
    "2 Minotaur vs 1 Hill Giant",
    "4 Knight vs 1 Chuul, 1 Basilisk",
    "2 Assassin vs 2 Werewolf, Hybrid Form",
    "3 Veteran vs 1 Vampire Spawn, 2 Zombie",
];

/// Fights that the second simulator plays of each, and those of the native code.
const SECOND: u64 = 1_000;
const NATIVE: u64 = 200_000;

pub(super) fn plan(encounter: &Encounter) -> Plan {
    Plan::new(encounter, &Bestiary::srd()).expect("the encounter is one")
}

fn bound(plan: &Plan, purpose: Purpose) -> Bound {
    let bound = compile_encounter(&Compiler::new(), plan, Told::Figures, purpose);
    bound.unwrap_or_else(|failure| panic!("{failure}"))
}

pub(super) fn sampled(plan: &Plan, trials: u64) -> Answer {
    let bound = bound(plan, Purpose::Trials);
    let asked = Simulation::trials(trials).seed(16).backend(Backend::Jit);
    let report = bound.simulate(&asked).expect("fights do not trap");
    bound.sampled(report)
}

/// The chances of the sides.
pub(super) fn wins(answer: &Answer) -> [f64; 2] {
    let result = answer.result.as_ref().expect("somebody wins, or nobody");
    ["first", "second"].map(|side| {
        let mut outcomes = result.outcomes().into_iter();
        let found = outcomes.find(|outcome| result.name(outcome.value) == Some(side));
        found.map_or(0.0, |outcome| outcome.p)
    })
}

/// What the numbers of a statistic add up to in a fight, on average.
fn total(answer: &Answer, name: &str) -> f64 {
    let stat = answer.stats.iter().find(|stat| stat.name == name);
    let stat = stat.unwrap_or_else(|| panic!("no statistic {name}"));
    stat.odds
        .as_ref()
        .map_or(0.0, |odds| odds.mean() * stat.per_trial)
}

/// The sides as the second simulator takes them.
fn sides(encounter: &Encounter, srd: &[Value]) -> [Side; 2] {
    [0, 1].map(|side| {
        let groups = encounter.sides[side].creatures.iter();
        let kinds = groups.map(|group| {
            let name = group.creature.as_str().expect("a name");
            let block = srd.iter().find(|block| block["name"] == name);
            (
                block.expect("it is in the SRD").clone(),
                group.count,
                name.to_owned(),
            )
        });
        Side {
            kinds: kinds.collect(),
            ..Side::default()
        }
    })
}

#[test]
fn odds_agree_with_a_second_simulator() {
    let text = include_str!("../../../games/src/encounter/bestiary/srd-5.1.json");
    let srd: Vec<Value> = serde_json::from_str(text).expect("it is a list");
    let wrong: Vec<String> = ENCOUNTERS
        .par_iter()
        .filter_map(|line| {
            let encounter = read_line(line, &Bestiary::srd()).expect("it is an encounter");
            let answer = sampled(&plan(&encounter), NATIVE);
            let sides = sides(&encounter, &srd);
            let mut won = [0.0; 2];
            let mut standing = 0;
            for seed in 0..SECOND {
                let mut dice = Dice::random(seed << 20);
                let (_, winner, all) = fight(&sides, false, 100, &mut dice);
                if let Some(side) = winner {
                    won[side] += 1.0 / SECOND as f64;
                }
                standing += all.iter().filter(|one| one.hp > 0).count();
            }
            let expected = wins(&answer);
            let far = expected.iter().zip(won).any(|(p, won)| {
                let sigma = (p * (1.0 - p) / SECOND as f64).sqrt() + 1.0 / SECOND as f64;
                (won - p).abs() > 4.0 * sigma
            });
            let stats = answer
                .stats
                .iter()
                .filter(|stat| stat.name.ends_with(": standing"));
            let left: f64 = stats.map(|stat| total(&answer, &stat.name)).sum();
            let second = standing as f64 / SECOND as f64;
            // A fight's number of survivors has a standard deviation below 4.
            let is_far = far || (left - second).abs() > 4.0 * 4.0 / (SECOND as f64).sqrt();
            is_far.then(|| format!("{line}: {expected:?} and {won:?}, {left} and {second}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exact_odds_agree_with_simulations() {
    for (line, initiative) in [
        ("Goblin vs Goblin", Initiative::Each),
        ("Commoner vs Giant Rat", Initiative::Each),
        ("Guard vs Zombie", Initiative::Kinds),
        ("2 Goblin vs 2 Kobold", Initiative::Listed),
        ("2 Commoner vs 2 Rat", Initiative::Each),
        ("Wolf vs 2 Kobold", Initiative::Listed),
    ] {
        let mut encounter = read_line(line, &Bestiary::srd()).expect("it is an encounter");
        encounter.initiative = initiative;
        let plan = plan(&encounter);
        let question = bound(&plan, Purpose::Odds);
        let exact = question.answer(
            &Limits::default(),
            Exactness::default(),
            &Control::default(),
        );
        let exact = exact.unwrap_or_else(|failure| panic!("{line}: {failure}"));
        let sampled = sampled(&plan, NATIVE);
        let sigma = 0.5 / (NATIVE as f64).sqrt();
        for (one, other) in wins(&exact).into_iter().zip(wins(&sampled)) {
            assert!(
                (one - other).abs() < 4.5 * sigma,
                "{line}: {one} and {other}"
            );
        }
        let names = sampled.stats.iter().map(|stat| stat.name.as_str());
        for name in names {
            let (one, other) = (total(&exact, name), total(&sampled, name));
            // Numbers of a fight have standard deviations of at most 20.
            assert!(
                (one - other).abs() < 4.5 * 40.0 * sigma,
                "{line}: {name}: {one} and {other}"
            );
        }
    }
}
