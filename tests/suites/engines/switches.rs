//! Passes that are switched off: whatever runs, the answers are right on all engines.

use dicec_compiler::{Bound, Program, Simulation};
use dicec_native::ir::{Imm, Module, Op};
use dicec_native::pass::{Pass, Rewrites, Sampling, Switches, WrongSwitch, specialise};
use dicec_tests::programs::{bare, rule, script};
use dicec_tests::{engines, fit, stages};

/// Rules and scripts in which nearly every pass finds something.
const RULES: [&str; 3] = [
    "1d20 + 7 >= 15",
    "4d6kh3 + 2d8 * [Strength] >= 15",
    "2d6!>5 + max(1d8, 1d10)",
];
const SCRIPTS: [&str; 6] = [
    // A list that grows, and is asked for its elements.
    "// few rolls
    defroll \"L\" main() {
        xs = []; t = 0;
        repeat (2) { x = roll(d3); for (k : [1, 2]) { if (x > k) { append(xs, x); } } }
        for (v : xs) { t = 3 * t + v; }
        return t;
    }",
    // Records that are looked for, and fight.
    "deftype foe { name: string, hp: int, die: int }
    defroll \"F\" main() {
        foes = list(foe{ name: \"Ayla\", hp: 9, die: 6 }, foe{ name: \"Bo\", hp: 7, die: 8 },
            foe{ name: \"Cy\", hp: 8, die: 12 });
        rounds = 0;
        while (foes[0].hp > 0 && any(f.hp > 0 for f : foes) && rounds < 20) {
            rounds++;
            for (f : foes) {
                weakest = f;
                for (g : foes) { if (g.hp > 0 && g != f && (weakest == f || g.hp < weakest.hp)) { weakest = g; } }
                if (f.hp > 0 && weakest != f) {
                    many = roll(d20) == 20 ? 2 : 1;
                    weakest.hp -= roll(many + \"d\" + f.die);
                    if (weakest.hp <= 0) { output(f.name + \" fells \" + weakest.name); }
                }
            }
        }
        return rounds;
    }",
    // Draws from a list, and moves of its elements.
    "// few rolls
    defroll \"D\" main() {
        deck = [5, 2, 5, 7, 8]; t = 0;
        repeat (3) { t = 2 * t + draw(deck); }
        insert(deck, 0, t);
        return t + remove(deck, 1);
    }",
    // Branches on one key, and far numbers.
    "// few rolls
    defroll \"S\" main() {
        best = 9999; who = -1;
        for (i : 0..4) { r = roll(d4); if (r < best) { best = r; who = i; } }
        stat(\"who\", who);
        if (who == 0 || who == 3) { return best + roll(d4); }
        if (who == 1) { return best + roll(d4); }
        return who * 12 + 20;
    }",
    // An explosion chain.
    // A far number that is only compared.
    "// few rolls
    defroll \"N\" main() {
        best = 9999; who = -1;
        for (i : 0..3) { r = roll(d4); if (r > 1 && r < best) { best = r; who = i; } }
        return who;
    }",
    "defroll \"E\" main() { d = roll(d6); t = d; while (d == 6 && t < 60) { d = roll(d6); t += d; } return t; }",
];

fn programs() -> Vec<Program> {
    let rules = RULES.iter().map(|text| rule(text));
    rules
        .chain(SCRIPTS.iter().map(|text| script(text)))
        .collect()
}

fn bind(program: &Program) -> Bound {
    if program.is_rule() {
        return bare(program);
    }
    let roll = program.only_roll().expect("one roll");
    roll.bind_values(roll.zeros(), &[]).expect("no arguments")
}

/// What simulations run.
fn simulated(bound: &Bound, switches: Switches) -> [Module; 2] {
    [Sampling::Faithful, Sampling::Fused].map(|sampling| {
        let mut rewrites = Rewrites::new(switches);
        let simulated = bound.simulated_by(sampling, &mut rewrites);
        let (simulated, _) = simulated.expect("no bug");
        simulated.map_or_else(|module| *module, |form| Module::clone(&form.module))
    })
}

/// Checks the answers under these switches, if they change what runs.
fn check(program: &Program, switches: Switches, what: &str) {
    let all_on = simulated(&bind(program), Switches::ALL_ON);
    let program = program.with_switches(switches);
    let bound = bind(&program);
    if simulated(&bound, switches) == all_on {
        return;
    }
    let (what, trials) = ((what, program.text()), 40);
    let reference = engines::interpreted(&bound, 5, trials);
    engines::check_optimised(&bound, &reference, 5, trials, &what);
    if program.text().contains("few rolls") {
        // As many trials as are worth code for these arguments only.
        let simulation = Simulation::trials(100_000).seed(7);
        fit::check_enumerated(&bound, &simulation, 1 << 14);
    }
}

/// Without any one pass.
#[test]
fn without_a_pass() {
    for program in programs() {
        for pass in Pass::ALL {
            check(&program, Switches::ALL_ON.without(pass), pass.name);
        }
    }
}

/// Without any, and after each of the first rewrites.
#[test]
fn with_little_fuel() {
    for program in programs() {
        for fuel in [0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 80] {
            let mut switches = Switches::ALL_ON;
            switches.fuel = Some(fuel);
            check(&program, switches, &fuel.to_string());
        }
    }
}

/// Only resources with a value become constants: those beyond the end of the values stay.
#[test]
fn what_is_not_known_stays() {
    let mut module = stages::module_of(&rule("1d6 + [A] * 2 + [B]"), Sampling::Fused);
    specialise(&mut module, &[3], &mut Rewrites::new(Switches::ALL_ON));
    let trial = module.trial();
    let slots: Vec<Imm> = (trial.live_insts().map(|inst| &trial.insts[inst]))
        .filter(|data| data.op == Op::Resource)
        .map(|data| data.imm)
        .collect();
    assert_eq!(slots, [Imm::Slot(1)], "{module}");
}

/// The variables say which; one that says nothing is an error.
#[test]
fn texts() {
    let read = |passes, fuel| Switches::read(passes, fuel);
    assert_eq!(read("", ""), Ok(Switches::ALL_ON));
    let off = read("-labels, -few_dice", "7").expect("both are passes");
    let is_off = |pass: &Pass| !off.has(*pass);
    let off: Vec<_> = Pass::ALL.iter().filter(|&pass| is_off(pass)).collect();
    assert_eq!(off, [&Pass::LABELS, &Pass::FEW_DICE]);
    assert_eq!(
        read("-lables", ""),
        Err(WrongSwitch::NoPass("lables".into()))
    );
    assert_eq!(
        read("labels", ""),
        Err(WrongSwitch::NoSign("labels".into()))
    );
    assert_eq!(read("", "few"), Err(WrongSwitch::NoNumber("few".into())));
}

/// Names are not given twice: the first would hide the second.
#[test]
fn names() {
    for pass in Pass::ALL {
        let named = Pass::ALL.iter().filter(|other| other.name == pass.name);
        assert_eq!(named.count(), 1, "{}", pass.name);
    }
}
