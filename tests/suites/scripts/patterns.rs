//! Kernels that all arguments of a pattern share: which numbers they leave open, and that they give
//! for each what a kernel of its own does. `engines::check` compares them on all engines.

use dicec_compiler::unstable::{SHARED_FROM, Sampling};
use dicec_compiler::{Bound, Control, Report, Simulation};
use dicec_native::ir::{Module, OpenRange};
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_tests::engines::{self, Stage};
use dicec_tests::programs::{bind, script};
use serde_json::{Value, json};

/// Three attacks, with everything from a row.
const DROP: &str = r#"
    deftype weapon { name: string, bonus: int, count: int, sides: int, damage: int, fire: bool = false }
    deftype target { name: string, hp: int, ac: int, gold: int = 10 }
    deffun strike(with: weapon, at: target) {
        natural = roll(d20);
        if (natural == 1 || natural < 20 && natural + with.bonus < at.ac) { return 0; }
        dice = natural == 20 ? 2 * with.count : with.count;
        fire = with.fire ? roll(d6) : 0;
        return roll(dice + "d" + with.sides) + with.damage + fire;
    }
    defroll "Drop" drop(with: weapon, at: target, attacks: int) {
        for (attack : 1..attacks) { at.hp -= strike(with, at); }
        return at.hp <= 0;
    }
"#;

fn drop(with: Value, at: Value, attacks: i64) -> Bound {
    let (mut weapon, mut target) = (
        json!({"name": "axe", "bonus": 5, "count": 1, "sides": 12, "damage": 3}),
        json!({"name": "orc", "hp": 15, "ac": 13}),
    );
    for (all, some) in [(&mut weapon, with), (&mut target, at)] {
        for (name, value) in some.as_object().expect("an object") {
            all[name] = value.clone();
        }
    }
    let args = json!({"with": weapon, "at": target, "attacks": attacks});
    bind(&script(DROP), "drop", &args)
}

/// What faithful simulations of a roll share, and the inputs for it.
fn shared(bound: &Bound) -> (Module, Vec<i64>) {
    let (module, inputs) = bound.shared(Sampling::Faithful).expect("no bug");
    (*module.expect_err("faithful sampling has no lanes"), inputs)
}

#[test]
fn numbers_that_shape_no_code_are_open() {
    let usual = drop(json!({}), json!({}), 3);
    let (module, inputs) = shared(&usual);
    let open = module.tables.open.addresses.iter();
    let open: Vec<i64> = open.map(|&address| inputs[address as usize]).collect();
    // The bonus, the damage, the hit points and the class.
    assert_eq!(open, [5, 3, 15, 13]);
    for same in [
        drop(json!({"bonus": -7, "damage": 0}), json!({}), 3),
        drop(json!({}), json!({"hp": 1000, "ac": 40}), 3),
        // Nothing reads these.
        drop(json!({"name": "two axes"}), json!({"gold": 1_000_000}), 3),
    ] {
        assert_eq!(shared(&same).0, module, "{:?}", same.arguments());
    }
    for other in [
        drop(json!({"count": 2}), json!({}), 3),
        drop(json!({"sides": 8}), json!({}), 3),
        drop(json!({"fire": true}), json!({}), 3),
        drop(json!({}), json!({"hp": 1001}), 3),
        drop(json!({}), json!({}), 4),
    ] {
        assert_ne!(shared(&other).0, module, "{:?}", other.arguments());
    }
}

/// Of a value of the type `dice`, the number that is added is open, and its dice are known.
#[test]
fn dice_shape_code() {
    let program = script(
        "deftype weapon { name: string, damage: dice } \
        defroll \"R\" r(w: weapon, ac: int) { face = roll(d20); \
            if (face == 20) { return roll(critical(w.damage)); } \
            return face >= ac ? roll(w.damage) + 1 : 0; }",
    );
    let of = |damage: &str, ac: i64| {
        let args = json!({"w": {"name": "axe", "damage": damage}, "ac": ac});
        bind(&program, "r", &args)
    };
    let usual = of("2d6 + 3", 12);
    let (module, inputs) = shared(&usual);
    let open = module.tables.open.addresses.iter();
    let open: Vec<i64> = open.map(|&address| inputs[address as usize]).collect();
    assert_eq!(open, [12, 3]);
    assert_eq!(shared(&of("2d6 - 1", 14)).0, module);
    for other in ["3d6", "2d8 + 3", "2d6kh1 + 3", "-2d6 + 3", "1d6 + 1d6 + 3"] {
        assert_ne!(shared(&of(other, 12)).0, module, "{other}");
    }
    for damage in ["2d6 + 3", "1d8 + 1d6 - 1", "3"] {
        let (form, _) = of(damage, 12).shared(Sampling::Fused).expect("no bug");
        assert!(form.is_ok(), "{damage}");
    }
}

#[test]
fn patterns_run_in_lanes() {
    for bound in [
        drop(json!({}), json!({}), 3),
        drop(json!({"bonus": 900, "fire": true}), json!({"hp": -4}), 2),
    ] {
        engines::check(&bound, 7, 60, &bound.arguments());
        let (form, _) = bound.shared(Sampling::Fused).expect("no bug");
        assert!(form.is_ok(), "{:?}", bound.arguments());
    }
}

/// The numbers of lists and of records that are chosen in a trial, numbers that change, texts and
/// resources.
#[test]
fn other_places_of_open_numbers() {
    for (text, args) in [
        (
            "defroll \"R\" main(xs: int list, n: int) {
                x = pick(x for x : xs);
                xs[0] += x;
                return sum(xs) + xs[n];
            }",
            json!({"xs": [4, 9, -3], "n": 1}),
        ),
        (
            "deftype pet { name: string, dice: int, luck: int, best: int list }
            defroll \"R\" main(pets: pet list, dc: int) {
                pet = pets[roll(1d3) - 1];
                pet.luck += 2;
                output(pet.name + \" acts\");
                stat(\"luck\", pet.luck);
                return roll(pet.dice + \"d4\") + pet.luck + len(pet.best) >= dc;
            }",
            json!({"dc": 9, "pets": [
                {"name": "a", "dice": 1, "luck": 1, "best": []},
                {"name": "b", "dice": 2, "luck": -1, "best": [7]},
                {"name": "a", "dice": 1, "luck": 400, "best": [1, 2]},
            ]}),
        ),
        (
            "deffun down(n: int, by: int) { if (n <= 0) { return 0; } return roll(d4) + down(n - by, by); }
            defroll \"R\" main(n: int, by: int) { return down(n, by) / by + n % by; }",
            json!({"n": 7, "by": 2}),
        ),
        (
            "defroll \"R\" main(n: int, big: int, least: int) {
                left = n + big;
                while (left > least && left < 2000) { left -= roll(d6); least++; }
                return left;
            }",
            json!({"n": 30, "big": 1001, "least": 960}),
        ),
    ] {
        let bound = bind(&script(text), "main", &args);
        engines::check(&bound, 11, 60, &text);
    }
}

/// A fight until one side is down, with a poison that only some have.
const DUEL: &str = r#"
    deftype fighter { hp: int, ac: int, attack: int, venom: int = 0 }
    deffun strike(by: fighter, at: fighter) {
        repeat (3) {
            if (roll(d20) + by.attack >= at.ac) {
                at.hp -= roll(d8) + 2;
                if (by.venom > 0 && roll(d20) < by.venom) { at.hp -= roll(2d6); }
            }
        }
    }
    defroll "Duel" duel(one: fighter, two: fighter) {
        while (one.hp > 0 && two.hp > 0) {
            strike(one, two);
            if (two.hp > 0) { strike(two, one); }
        }
        return one.hp > 0;
    }
"#;

fn duel(one: Value, two: Value) -> Bound {
    let usual = json!({"hp": 20, "ac": 14, "attack": 5});
    let args = [("one", one), ("two", two)].map(|(name, other)| {
        let mut fighter = usual.clone();
        for (field, value) in other.as_object().expect("an object") {
            fighter[field] = value.clone();
        }
        (name.to_owned(), fighter)
    });
    bind(
        &script(DUEL),
        "duel",
        &Value::Object(args.into_iter().collect()),
    )
}

#[test]
fn fights_with_small_numbers_are_narrower() {
    for (bound, range, width) in [
        (duel(json!({}), json!({})), OpenRange::Small, LaneWidth::V8),
        (
            duel(json!({"hp": 63}), json!({"attack": -16})),
            OpenRange::Small,
            LaneWidth::V8,
        ),
        (
            duel(json!({"hp": 64}), json!({})),
            OpenRange::Usual,
            LaneWidth::V16,
        ),
        (
            duel(json!({}), json!({"attack": -17})),
            OpenRange::Usual,
            LaneWidth::V16,
        ),
    ] {
        let what = bound.arguments();
        engines::check(&bound, 5, 60, &what);
        let (form, _) = bound.shared(Sampling::Fused).expect("no bug");
        let form = form.unwrap_or_else(|_| panic!("no lanes: {what:?}"));
        assert_eq!(form.module.tables.open.range, range, "{what:?}");
        assert_eq!(form.width, width, "{what:?}");
    }
    // Three attacks end by themselves: one kernel is enough.
    let (module, _) = shared(&drop(json!({}), json!({}), 3));
    assert_eq!(module.tables.open.range, OpenRange::Usual);
}

#[test]
fn what_is_zero_and_asked_about_is_known() {
    let insts = |bound: &Bound| shared(bound).0.trial().live_insts().count();
    let none = duel(json!({}), json!({}));
    let one = duel(json!({"venom": 11}), json!({}));
    let both = duel(json!({"venom": 11}), json!({"venom": 3}));
    let counts = [&none, &one, &both].map(insts);
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    assert_eq!(
        shared(&one).0,
        shared(&duel(json!({"venom": 5}), json!({"hp": 7}))).0
    );
    // A bonus of 0 is a number like others.
    assert_eq!(
        shared(&none).0,
        shared(&duel(json!({"attack": 0}), json!({}))).0
    );
    for bound in [none, one, both] {
        engines::check(&bound, 9, 60, &bound.arguments());
    }
}

/// The outcomes and how often each came.
fn counts(report: &Report) -> Vec<(i64, u64)> {
    report.tally().expect("outcomes").outcomes().collect()
}

/// One sampler serves all arguments, whichever come first.
#[test]
fn rolls_do_not_depend_on_what_was_rolled_before() {
    let simulation = Simulation::trials(SHARED_FROM).seed(3).threads(1);
    let control = Control::default();
    let bounds = [(13, 15), (20, 3), (13, 900), (40, 2), (13, 15)]
        .map(|(ac, hp)| drop(json!({}), json!({"ac": ac, "hp": hp}), 3));
    let alone = bounds.each_ref().map(|bound| {
        let report = bound.simulate_shared(&simulation, &control);
        counts(&report.expect("no trap"))
    });
    let script = script(DROP);
    for bound in bounds.iter().rev().zip(alone.iter().rev()) {
        let (bound, alone) = bound;
        let roll = script.roll("drop").expect("it is defined");
        let again = roll.bind_values(bound.arguments().to_vec(), &[]);
        let again = again.expect("the same types");
        let sampler = again.sampler_for_any(&simulation).expect("native code");
        let report = sampler.run(&again, &control).expect("no trap");
        assert_eq!(counts(&report), *alone);
    }
    assert_eq!(alone[0], alone[4]);
}

/// Code relies on the range of open words.
#[test]
fn kernels_refuse_other_words() {
    let (module, inputs) = shared(&drop(json!({}), json!({}), 3));
    let open = module.tables.open.addresses[0] as usize;
    let stage = Stage::new("shared", module, &inputs);
    let stopped = |kernel: &dyn Kernel, inputs: &[i64]| -> Option<Stopped> {
        engines::run(kernel, inputs, 1, 10).stopped
    };
    for kernel in stage.kernels(Sink::Count) {
        assert_eq!(stopped(&*kernel, &inputs), None);
        for (at, word) in [(open, 1001), (open, i64::MIN), (open + 1, 77)] {
            let mut inputs = inputs.clone();
            inputs[at] = word;
            assert_eq!(stopped(&*kernel, &inputs), Some(Stopped::bad_call()));
        }
    }
    let (form, inputs) = drop(json!({}), json!({}), 3)
        .shared(Sampling::Fused)
        .expect("no bug");
    for kernel in engines::lane_kernels(&form.expect("lanes"), Sink::Count) {
        let mut inputs = inputs.clone();
        inputs[open] = 1001;
        assert_eq!(stopped(&*kernel, &inputs), Some(Stopped::bad_call()));
    }
}
