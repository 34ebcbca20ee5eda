//! How a group of trials runs through branches and loops, computed by hand: which words it draws,
//! which trial uses them, which events are recorded, and which trial traps. The evaluator is
//! compared with this, and native code with the evaluator.

use dicec_native::eval::VectorEvalKernel;
use dicec_native::ir::{Module, verify};
use dicec_native::ir_text::parse;
use dicec_native::pass::{Obstacle, VectorForm};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::{LaneWidth, Layout, Twins};
use dicec_runtime::trap::TrapCode;
use dicec_tests::engines::{self, Outcome};
use dicec_tests::stages;

/// A module of one function without arguments.
fn module(fuel: u32, function: &str) -> Module {
    let text = format!(
        "module fuel {fuel} depth 4 list 10\ntext \"six\"\nsite \"\" \"\"\nstat \"face\"\nknown 2, 0\n\nfunction i64\n\n{function}"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

fn form(fuel: u32, function: &str) -> VectorForm {
    stages::lanes(&module(fuel, function)).expect("a vector form")
}

const SEED: u64 = 5;

fn run(form: &VectorForm, trials: usize) -> Outcome {
    run_from(form, SEED, trials)
}

fn run_from(form: &VectorForm, seed: u64, trials: usize) -> Outcome {
    let arguments = form.module.tables.known.clone();
    let kernel = VectorEvalKernel::new(form.clone(), Sink::Values);
    engines::run(&kernel, &arguments.expect("a script's"), seed, trials)
}

fn twins() -> Twins {
    Twins::new(&Stream::from_seed(SEED))
}

/// How often each face occurred, from a statistic.
fn counted(faces: &[i64]) -> Vec<(i64, u64)> {
    let count = |face: i64| faces.iter().filter(|&&noted| noted == face).count() as u64;
    let counts = (1..=20).map(|face| (face, count(face)));
    counts.filter(|&(_, count)| count > 0).collect()
}

/// A d20; above 10 two d6, otherwise three d4, at 1 nothing.
const SIDES: &str = "block0:
    v0 = pool 1 20
    v1 = iconst 10
    v2 = igt v0, v1
    branch v2, block1, block2

block1:
    v3 = packed 2 6
    jump block4(v3)

block2:
    v4 = iconst 1
    v5 = igt v0, v4
    branch v5, block3, block5

block3:
    v6 = pool 3 4
    jump block4(v6)

block4(v7: i64):
    return v7

block5:
    v8 = iconst 0
    v9 = output 0 v8
    v10 = stat 0 v0
    return v8
";

/// All of them are drawn for each trial, in the order of the blocks, by one layout.
#[test]
fn branches() {
    let form = form(50, SIDES);
    assert_eq!(form.width, LaneWidth::V16);
    let layout = Layout::new(LaneWidth::V16, &[20, 6, 6, 4, 4, 4]).expect("a layout");
    assert_eq!(form.region.layout.as_ref(), Some(&layout));
    assert_eq!(form.trials(), layout.trials());
    for trials in [1, 8, 9, 200] {
        let (mut twins, mut results) = (twins(), Vec::new());
        while results.len() < trials {
            let group = layout.draw(&mut twins);
            let result = |trial: usize| match *group.faces(trial) {
                [(11..), a, b, ..] => a + b,
                [(2..), _, _, c, d, e] => c + d + e,
                _ => 0,
            };
            let left = trials - results.len();
            let group = (0..layout.trials()).map(result);
            results.extend(group.take(left).map(u64::cast_signed));
        }
        let zeros = results.iter().filter(|&&result| result == 0).count();
        let outcome = run(&form, trials);
        assert_eq!(outcome.results, results);
        assert_eq!(outcome.state, twins.first.state());
        assert_eq!(outcome.stats, [counted(&vec![1; zeros])]);
        let lines: u64 = outcome.lines.iter().map(|&(_, times)| times).sum();
        assert_eq!(lines, zeros as u64);
    }
}

/// A d6 until it is a six, which is output; its result is a d4 from before the first plus the
/// highest other face. A face costs fuel.
const UNTIL_SIX: &str = "block0:
    v0 = pool 1 4
    v1 = iconst 6
    jump block1(v0)

block1(v2: i64):
    v3 = fuel 1 @3..4
    v4 = pool 1 6
    v5 = stat 0 v4
    v6 = ieq v4, v1
    branch v6, block3, block2

block2:
    v7 = imax v2, v4
    jump block1(v7)

block3:
    v8 = iconst 0
    v9 = output 0 v8
    return v2
";

/// The expected outcome of one trial.
#[derive(Clone, Default)]
struct UntilSix {
    /// So far the highest.
    best: i64,
    faces: Vec<i64>,
    trapped: bool,
}

/// A group of such trials.
fn until_six(twins: &mut Twins, width: LaneWidth, fuel: usize) -> Vec<UntilSix> {
    let layout = |sides: u32| Layout::of_lone_trials(width, &[sides]).expect("a layout");
    let mut trials = vec![UntilSix::default(); width.lanes()];
    let first = layout(4).draw(twins);
    for (number, trial) in trials.iter_mut().enumerate() {
        trial.best = first.faces(number)[0].cast_signed();
    }
    let goes_on = |trial: &UntilSix| !trial.trapped && trial.faces.last() != Some(&6);
    while trials.iter().any(goes_on) {
        let group = layout(6).draw(twins);
        for (number, trial) in trials.iter_mut().enumerate() {
            if !goes_on(trial) {
                continue;
            }
            if trial.faces.len() == fuel {
                trial.trapped = true;
                continue;
            }
            let face = group.faces(number)[0].cast_signed();
            trial.faces.push(face);
            if face != 6 {
                trial.best = trial.best.max(face);
            }
        }
    }
    trials
}

/// Runs as many trials, which have to be these and leave the generators like this.
fn expect_until_six(form: &VectorForm, trials: &[UntilSix], twins: &Twins) {
    let faces: Vec<i64> = trials
        .iter()
        .flat_map(|trial| trial.faces.clone())
        .collect();
    let results: Vec<i64> = trials.iter().map(|trial| trial.best).collect();
    let outcome = run(form, trials.len());
    assert_eq!(outcome.results, results);
    assert_eq!(outcome.state, twins.first.state());
    assert_eq!(outcome.stats, [counted(&faces)]);
    assert_eq!(outcome.lines, [("six".to_owned(), trials.len() as u64)]);
}

/// Each iteration draws dice for all trials, including the finished ones; the code after the loop
/// runs when all are finished.
#[test]
fn loops() {
    let fuel = 100_000;
    // A number that narrow lanes cannot hold. Fuel takes no lanes.
    let far = "    v10 = iconst 40000\n    v11 = iadd_wrap v2, v10\n    v12 = isub_wrap v11, v10\n    return v12";
    let wide = UNTIL_SIX.replace("    return v2", far);
    for (text, width) in [(UNTIL_SIX, LaneWidth::V16), (&wide, LaneWidth::V32)] {
        let form = form(fuel, text);
        assert_eq!(form.width, width);
        let lanes = width.lanes();
        for trials in [1, lanes - 1, lanes, 5 * lanes + 3] {
            let (mut twins, mut all) = (twins(), Vec::new());
            while all.len() < trials {
                all.extend(until_six(&mut twins, width, fuel as usize));
            }
            expect_until_six(&form, &all[..trials], &twins);
        }
    }
}

const LITTLE_FUEL: u32 = 13;

/// The first group in which a trial runs out of fuel: the trials before the group, the trials in
/// it, and the state of the generators after it.
fn trapped_group(width: LaneWidth) -> (Vec<UntilSix>, Vec<UntilSix>, Twins) {
    let (mut twins, mut before) = (twins(), Vec::new());
    loop {
        let group = until_six(&mut twins, width, LITTLE_FUEL as usize);
        if group.iter().any(|trial| trial.trapped) {
            return (before, group, twins);
        }
        before.extend(group);
    }
}

/// A trap ends the call after its group: all trials of the group continue, and those before the
/// trap count.
#[test]
fn traps() {
    let form = form(LITTLE_FUEL, UNTIL_SIX);
    let (mut trials, group, twins) = trapped_group(form.width);
    let place = group.iter().position(|trial| trial.trapped);
    let place = place.expect("one that trapped");
    let whole = trials.len() + group.len();
    trials.extend_from_slice(&group[..place]);
    let outcome = run(&form, whole + 100);
    let stopped = outcome.stopped.expect("a trap");
    assert_eq!(stopped.trial, trials.len() as u64);
    assert_eq!(stopped.trap.code, TrapCode::OutOfFuel);
    assert_eq!(stopped.trap.span.range(), 3..4);
    let results: Vec<i64> = trials.iter().map(|trial| trial.best).collect();
    assert_eq!(outcome.results, results);
    assert_eq!(outcome.state, twins.first.state());
    assert!(outcome.lines.is_empty() && outcome.stats == [vec![]]);
}

/// A discarded trial cannot trap.
#[test]
fn unseen_traps() {
    let form = form(LITTLE_FUEL, UNTIL_SIX);
    let (before, group, twins) = trapped_group(form.width);
    let place = group.iter().position(|trial| trial.trapped);
    let trials = before.len() + place.expect("one that trapped");
    assert!(trials > before.len(), "the group has trials before it");
    let outcome = run(&form, trials);
    assert_eq!(outcome.stopped, None);
    assert_eq!(outcome.results.len(), trials);
    assert_eq!(outcome.state, twins.first.state());
    assert_eq!(outcome.lines, [("six".to_owned(), trials as u64)]);
}

/// A relay of such trials, of which each lane plays this many: a lane whose trial has ended begins
/// its next one after the iteration.
fn relay_until_six(
    twins: &mut Twins,
    width: LaneWidth,
    fuel: usize,
    rounds: usize,
) -> Vec<UntilSix> {
    let layout = |sides: u32| Layout::of_lone_trials(width, &[sides]).expect("a layout");
    let lanes = width.lanes();
    let mut trials = vec![UntilSix::default(); lanes * rounds];
    let mut current: Vec<Option<usize>> = vec![None; lanes];
    let mut begin: Vec<(usize, usize)> = (0..lanes).map(|lane| (lane, lane)).collect();
    loop {
        if !begin.is_empty() {
            let first = layout(4).draw(twins);
            for (lane, number) in begin.drain(..) {
                current[lane] = (number < trials.len()).then_some(number);
                if let Some(trial) = trials.get_mut(number) {
                    trial.best = first.faces(lane)[0].cast_signed();
                }
            }
        }
        if current.iter().all(Option::is_none) {
            return trials;
        }
        let group = layout(6).draw(twins);
        for (lane, number) in current.iter().enumerate() {
            let Some(number) = *number else { continue };
            let trial = &mut trials[number];
            if trial.faces.len() == fuel {
                trial.trapped = true;
            } else {
                let face = group.faces(lane)[0].cast_signed();
                trial.faces.push(face);
                if face != 6 {
                    trial.best = trial.best.max(face);
                    continue;
                }
            }
            begin.push((lane, number + lanes));
        }
    }
}

/// How many trials each lane plays next if this many are left.
fn rounds(form: &VectorForm, left: usize) -> usize {
    (left / form.trials()).clamp(1, form.max_rounds())
}

/// Each iteration draws dice for all lanes, including those without trials; after an iteration in
/// which a trial ended, the dice before the loop are drawn for the trials that begin.
#[test]
fn relays() {
    let fuel = 100_000;
    let form = form(fuel, UNTIL_SIX).in_relays().expect("a relay");
    let lanes = form.trials();
    assert_eq!(form.max_rounds(), 64);
    for trials in [1, lanes - 1, lanes, 5 * lanes + 3, 130 * lanes + 1] {
        let (mut twins, mut all) = (twins(), Vec::new());
        while all.len() < trials {
            let rounds = rounds(&form, trials - all.len());
            let fuel = fuel as usize;
            all.extend(relay_until_six(&mut twins, form.width, fuel, rounds));
        }
        expect_until_six(&form, &all[..trials], &twins);
    }
}

/// A trap ends the call after its relay: all other trials of the relay are played, and those before
/// the trap count.
#[test]
fn traps_in_relays() {
    let form = form(LITTLE_FUEL, UNTIL_SIX).in_relays().expect("a relay");
    let (mut twins, mut trials) = (twins(), Vec::new());
    let rounds = form.max_rounds();
    let place = loop {
        let group = relay_until_six(&mut twins, form.width, LITTLE_FUEL as usize, rounds);
        let first = trials.len();
        trials.extend(group);
        if let Some(place) = trials.iter().position(|trial| trial.trapped) {
            assert!(place >= first);
            break place;
        }
    };
    let outcome = run(&form, trials.len() + 100);
    let stopped = outcome.stopped.expect("a trap");
    assert_eq!(stopped.trial, place as u64);
    assert_eq!(stopped.trap.code, TrapCode::OutOfFuel);
    assert_eq!(stopped.trap.span.range(), 3..4);
    let results = trials.iter().take(place).map(|trial| trial.best);
    assert_eq!(outcome.results, results.collect::<Vec<i64>>());
    assert_eq!(outcome.state, twins.first.state());
    assert!(outcome.lines.is_empty() && outcome.stats == [vec![]]);
}

/// An endless loop that the compiler cannot detect, as no square is 3: an iteration costs 7 if the
/// trial's die shows 1, otherwise 1.
const ENDLESS: &str = "block0:
    v0 = iconst 1
    v1 = pool 1 2
    v2 = ieq v0, v1
    v3 = imul_wrap v1, v1
    v4 = iconst 3
    v5 = ieq v3, v4
    jump block1

block1:
    branch v2, block2, block3

block2:
    v6 = fuel 7 @1..2
    jump block1

block3:
    v7 = fuel 1 @2..3
    branch v5, block4, block1

block4:
    return v0
";

/// Trials trap in different iterations; the call reports the trap of the lowest trial number, not
/// the earliest one.
#[test]
fn the_first_trap_is_that_of_the_first_trial() {
    let form = form(20, ENDLESS);
    let layout = Layout::of_lone_trials(form.width, &[2]).expect("a layout");
    let mut faces = Vec::new();
    for seed in 0..20 {
        let mut twins = Twins::new(&Stream::from_seed(seed));
        let face = layout.draw(&mut twins).faces(0)[0];
        let outcome = run_from(&form, seed, 8);
        let stopped = outcome.stopped.expect("a trap");
        assert_eq!(stopped.trial, 0);
        let span = if face == 1 { 1..2 } else { 2..3 };
        assert_eq!(stopped.trap.span.range(), span);
        assert_eq!(outcome.state, twins.first.state());
        faces.push(face);
    }
    assert!(faces.contains(&1) && faces.contains(&2));
}

/// A loop that never returns does not run in lanes.
#[test]
fn endless() {
    let never = ENDLESS.replace("branch v5, block4, block1", "jump block1");
    let (text, _) = never.split_once("block4").expect("the block is there");
    let why = stages::lanes(&module(20, text)).map_err(|why| why.obstacle);
    assert_eq!(why.err(), Some(Obstacle::NeverReturns));
}
