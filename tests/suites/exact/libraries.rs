//! Each function of each library, called with dice and several arguments: exact odds, native
//! simulations of each kind and all engines against brute force.

use dicec_lang::front::script::{libraries, library_functions};
use dicec_tests::answers::{Check, Counts, Effort, bound, check};
use std::collections::BTreeSet;

/// A call of a function with `#` for the numbers 1, 2 and 3: a value, or statements.
type Row = (&'static str, &'static str);

const POOLS: [Row; 12] = [
    ("rollDice", "rollDice(#, 3)[0] * 10 + len(rollDice(2, #))"),
    (
        "rollDice",
        "xs = rollDice(3, 3); return xs[# - 1] * 10 + xs[2];",
    ),
    ("countAtLeast", "countAtLeast(rollDice(3, 4), #)"),
    ("countEqual", "countEqual(rollDice(4, 3), #)"),
    ("sorted", "sorted(rollDice(3, 3))[# - 1]"),
    (
        "sorted",
        "xs = sorted([roll(d3), roll(d2) + 1, #]); return xs[0] * 100 + xs[1] * 10 + xs[2];",
    ),
    ("keepHighest", "keepHighest(rollDice(4, 4), #)"),
    (
        "keepHighest",
        "keepHighest([roll(d4), roll(d2), roll(d2) * 3], roll(d#))",
    ),
    ("keepLowest", "keepLowest(rollDice(4, 4), #)"),
    (
        "keepLowest",
        "keepLowest(rollDice(3, #) + rollDice(2, 2), 2) + keepHighest(rollDice(2, 3), 1)",
    ),
    ("successPool", "successPool(3, 5 + #)"),
    ("explodingPool", "explodingPool(#, 9)"),
];

const DND: [Row; 20] = [
    ("abilityModifier", "abilityModifier(roll(3d4) + 2 * #)"),
    ("proficiencyBonus", "proficiencyBonus(roll(d4) * #)"),
    ("advantage", "advantage() + #"),
    ("disadvantage", "disadvantage() * #"),
    ("rollD20", "rollD20(edge{ advantage: roll(d3) > # }) + #"),
    (
        "rollD20",
        "rollD20(edge{ disadvantage: roll(d2) == #, advantage: roll(d2) == 1 })",
    ),
    ("hits", "hits(roll(d20), #, 8 + roll(d4))"),
    (
        "weaponDamage",
        "weaponDamage(#, 4, roll(d3) - 2, roll(d2) == 1)",
    ),
    ("rollDamage", "rollDamage(2d3 + 1 - #, roll(d2) == 1)"),
    ("attack", "attack(#, 12, 1d4 + 1)"),
    ("attack", "attack(roll(d2), 11, 1d3 - #, critical: 18)"),
    ("attack", "attack(5, 15, 1d2, edge{ advantage: # > 1 }, 19)"),
    ("attackDamage", "attackDamage(4, 12, #, 3, 1)"),
    (
        "attackDamage",
        "attackDamage(4, 12, 1, 3, e: edge{ disadvantage: # == 2 })",
    ),
    ("savingThrow", "savingThrow(roll(d4), 10 + #)"),
    ("savingThrow", "savingThrow(#, 10, edge{ advantage: true })"),
    ("halfOnSave", "halfOnSave(roll(#d4), roll(d2) == 1)"),
    ("save", "save(#, 12, 2d4)"),
    (
        "save",
        "save(0, 9 + #, 1d3 + 2, edge{ disadvantage: true })",
    ),
    (
        "damageTaken",
        "damageTaken(roll(#d6), roll(d2) == 1, roll(d3) == 1)",
    ),
];

const PATHFINDER: [Row; 11] = [
    ("better", "better(roll(d20) + # vs 12)"),
    ("worse", "worse(roll(d20) + # vs 12)"),
    ("check", "check(2 * #, 8 + roll(d4))"),
    ("basicSave", "basicSave(roll(2d4), check(#, 14))"),
    ("strikeDamage", "strikeDamage(roll(d6) + #, check(3, 10))"),
    ("strike", "strike(#, 10, 1d4 + 1)"),
    (
        "strike",
        "strike(7, 14, 1d3, number: #, agile: roll(d2) == 1)",
    ),
    ("save", "save(#, 14, 2d4)"),
    (
        "multipleAttackPenalty",
        "multipleAttackPenalty(roll(d4), # == 1) + roll(d2)",
    ),
    (
        "successes",
        "successes(roll(d20) vs 8 + #) + successes(check(#, 15))",
    ),
    ("successes", "sum(successes(check(i, 10 + #)) for i : 1..2)"),
];

const PERCENTILE: [Row; 4] = [
    ("margin", "margin(roll(d100), 30 * #)"),
    ("doubles", "doubles(roll(d100), 30 * #)"),
    ("cthulhu", "cthulhu(roll(d100), 30 * #)"),
    (
        "cthulhu",
        "cthulhu(roll(d100), 20 + roll(d4) * 10 * #) >= hard",
    ),
];

const DH2E: [Row; 58] = [
    ("degrees", "degrees(roll(d100), 20 * #)"),
    ("adjusted", "adjusted(degrees(roll(d100), 50), # - 2)"),
    ("reversed", "reversed(roll(d100)) + #"),
    (
        "location",
        "match (location(roll(d100))) { head: 1, body: #, else: 7 }",
    ),
    (
        "hits",
        "hits(semi, degrees(roll(d100), 60), #) + hits(full, roll(d4), 3)",
    ),
    ("armour", "armour(roll(d4), #)"),
    ("wounds", "wounds(roll(d10), roll(d3), #, 2)"),
    (
        "resisted",
        "resisted(roll(d6), [resistance{ kind: flat, value: # }, resistance{ kind: half }])",
    ),
    (
        "resisted",
        "resisted(roll(d6), [resistance{ kind: half }, resistance{ kind: flat, value: roll(d#) }])",
    ),
    (
        "adjustedToughness",
        "adjustedToughness(roll(d3), [toughnessAdjustment{ kind: add, value: # }, toughnessAdjustment{ kind: multiply, value: 2 }])",
    ),
    (
        "woundsAfter",
        "woundsAfter(roll(2d4), 2, #, 1, [resistance{ kind: flat, value: 1 },], [toughnessAdjustment{ kind: multiply, value: roll(d2) },])",
    ),
    ("damageDice", "damageDice(#, 3, [])"),
    (
        "damageDice",
        "damageDice(2, 4, [diceOverride{ kind: tearing }, diceOverride{ kind: proven, value: # }])",
    ),
    (
        "damageDice",
        "damageDice(2, 4, [diceOverride{ kind: primitive, value: # }, diceOverride{ kind: tearing }, diceOverride{ kind: tearing }])",
    ),
    (
        "damage",
        "damage(2, 4, #, -2, [diceOverride{ kind: proven, value: 2 },])",
    ),
    (
        "damage",
        "damage(1, 5, 1, roll(d3), [diceOverride{ kind: tearing },]) * #",
    ),
    (
        "penetrationAt",
        "penetrationAt(#, roll(d2) == 1 ? razorSharp : flame, roll(d4))",
    ),
    ("felled", "felled(roll(d4), #)"),
    (
        "accurateBonus",
        "accurateBonus(roll(d2) == 1 ? [accurate, flame] : [flame,], roll(d2) == 1 ? half : aiming.none) + #",
    ),
    (
        "accurateDegrees",
        "accurateDegrees(degrees(roll(d100), 20 * #), accurate, roll(d2) == 1 ? aiming.full : half)",
    ),
    (
        "parryBonus",
        "parryBonus(roll(d#) == 1 ? [balanced, flame] : [flame,])",
    ),
    (
        "craftsmanship",
        "craftsmanship(match (roll(d4)) { 1: poor, 2: common, 3: good, 4: best }) + #",
    ),
    (
        "craftsmanshipArmour",
        "craftsmanshipArmour(match (roll(d4)) { 1: poor, 2: common, 3: good, 4: best }) * #",
    ),
    (
        "struck",
        "contains(struck(prone, roll(d#) == 1 ? flame : spray), onFire)",
    ),
    (
        "targetModifier",
        "targetModifier(roll(d2) == 1 ? [stunned, prone] : [prone,], roll(d#) == 1)",
    ),
    ("automaticDegrees", "automaticDegrees(roll(d4) * 10 * #)"),
    (
        "attackDegrees",
        "attackDegrees(roll(d100), 20 * #, 45, roll(d2) == 1 ? helpless : prone, true)",
    ),
    (
        "hitLocations",
        "count(l == head for l : hitLocations(roll(d100), # > 1 ? 2 : 1))",
    ),
    (
        "hitLocations",
        "len(hitLocations(roll(d100), 2)) * (hitLocations(roll(d100), 1)[0] == body ? # : 1)",
    ),
    (
        "calledShot",
        "count(l == leftArm for l : calledShot(leftArm, # > 2 ? 2 : #))",
    ),
    (
        "fire",
        "fire([\"a\", \"b\", \"c\", \"d\"], roll(d#))[0] == \"d\"",
    ),
    (
        "fire",
        "loaded = [\"a\", \"b\", \"c\", \"d\"]; gone = fire(loaded, roll(d#)); return len(loaded) * 10 + len(gone);",
    ),
    ("skillBonus", "skillBonus(roll(d5) - 1) + #"),
    ("skillTarget", "skillTarget(30 * #, roll(d4))"),
    ("fatiguePenalty", "fatiguePenalty(roll(d#))"),
    ("isExhausted", "isExhausted(roll(d8), #, roll(d3))"),
    (
        "focusTarget",
        "focusTarget(10 * #, roll(d4), roll(d2) == 1 ? pushed : unfettered)",
    ),
    ("isDouble", "isDouble(roll(d100)) && # > 0"),
    (
        "phenomena",
        "phenomena(roll(d100), roll(d#) == 1 ? unfettered : pushed)",
    ),
    (
        "phenomenonAt",
        "phenomenonAt([phenomenon{ from: 0, text: \"a\" }, phenomenon{ from: 3, text: \"b\" }, phenomenon{ from: 5, text: \"c\" }], roll(d4) * #).text == \"b\"",
    ),
    ("severity", "severity(roll(d6) - #, roll(d8))"),
    (
        "criticalInjury",
        "criticalInjury([injury{ damage: energy, location: head, severity: 0, rounds: 1 }, injury{ damage: energy, location: head, severity: 3, rounds: 2 }, injury{ damage: rending, location: head, severity: 4, rounds: 5 }], energy, head, roll(d4) * #).rounds",
    ),
    (
        "opposed",
        "opposed(roll(d100) under 20 * #, roll(d100) under 30)",
    ),
    ("grapple", "grapple(20 * #, 30)"),
    ("keepsHold", "keepsHold(30, 20 * #)"),
    (
        "grappleDamage",
        "grappleDamage(#) + grappleDamage(roll(d2))",
    ),
    ("throwDistance", "throwDistance(roll(d#))"),
    ("initiative", "initiative(#) > initiative(roll(d2))"),
    (
        "order",
        "order([turn{ name: \"A\", bonus: #, initiative: roll(d3) }, turn{ name: \"B\", bonus: 2, initiative: roll(d3) }, turn{ name: \"C\", bonus: 2, initiative: roll(d4) }])[0].name == \"B\"",
    ),
    (
        "order",
        "ts = order([turn{ name: \"A\", bonus: roll(d2), initiative: 2 }, turn{ name: \"B\", bonus: roll(d#), initiative: roll(d3) }]); return ts[0].bonus * 10 + ts[1].initiative;",
    ),
    (
        "hasAction",
        "hasAction(actionsUsed{ half: roll(d2) == 1 }, # == 1 ? fullAction : halfAction)",
    ),
    (
        "useAction",
        "u = actionsUsed{ reaction: roll(d2) == 1 }; a = useAction(u, halfAction); b = useAction(u, roll(d#) == 1 ? fullAction : reaction); return (a ? 1 : 0) + (b ? 2 : 0) + (u.half ? 4 : 0);",
    ),
    (
        "useSkill",
        "u = actionsUsed{}; a = useSkill(u, skillUse{ name: \"dodge\", isReaction: roll(d#) == 1 }); b = useSkill(u, skillUse{ isReaction: true }); return (a ? 1 : 0) + (b ? 2 : 0);",
    ),
    (
        "resetActions",
        "u = actionsUsed{ half: true, reaction: roll(d2) == 1 }; if (roll(d#) == 1) { resetActions(u); } return (u.half ? 1 : 0) + (u.reaction ? 2 : 0);",
    ),
    ("passed", "passed(roll(d#) - 2) + longer(roll(d3) - 2, #)"),
    (
        "longer",
        "longer(roll(d4) - 2, #) * 10 + longer(#, roll(d3) - 2)",
    ),
    ("burn", "burn(#) + burn(2, [resistance{ kind: half },])"),
    (
        "nextTurn",
        "c = combatant{ wounds: 9, conditions: [onFire, bleeding], grappling: roll(d2) == 1, lasting: [lasting{ conditions: prone, rounds: # }, lasting{ conditions: stunned, rounds: roll(d2) }] }; nextTurn(c, 40); nextTurn(c); return c.wounds * 10 + len(c.lasting) + (contains(c.conditions, stunned) ? 5 : 0);",
    ),
];

/// The calls of each library.
fn rows(library: &str) -> Vec<Row> {
    match library {
        "pools" => POOLS.to_vec(),
        "dnd" => DND.to_vec(),
        "pathfinder" => PATHFINDER.to_vec(),
        "percentile" => PERCENTILE.to_vec(),
        "dh2e" => DH2E.to_vec(),
        _ => Vec::new(),
    }
}

/// A script that makes a call.
fn script(library: &str, call: &str, number: u32) -> String {
    let call = call.replace('#', &number.to_string());
    let body = match call.contains(';') {
        true => call,
        false => format!("return {call};"),
    };
    format!("import std.{library}; defroll \"Call\" call() {{ {body} }}")
}

/// Checks all calls of a library: with one number on all engines, with the others as simulations
/// and exact odds.
fn check_all(library: &str) -> Counts {
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for (_, call) in rows(library) {
        for number in 1..=3 {
            let all = number == 1;
            let effort = Effort {
                rolls: 50_000,
                all_kernels: all,
                ..if all { Effort::ALL } else { Effort::QUICK }
            };
            let text = script(library, call, number);
            let roll = bound(&text).unwrap_or_else(|| panic!("it does not compile: {text}"));
            if let Err(fault) = check(&roll, &effort, &mut counts) {
                wrong.push(format!("{text}\n{fault}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    let calls = rows(library).len() as u64;
    assert_eq!(counts.of(Check::Engines), calls, "{counts}");
    assert_eq!(counts.of(Check::Known), 3 * calls, "{counts}");
    assert_eq!(counts.of(Check::Odds), 3 * calls, "{counts}");
    counts
}

#[test]
fn every_function_of_every_library_is_called() {
    for library in libraries() {
        let rows = rows(library);
        let wrong = rows
            .iter()
            .find(|(name, call)| !call.contains(&format!("{name}(")));
        assert_eq!(
            wrong, None,
            "std.{library}: a row that calls another function"
        );
        let called: BTreeSet<&str> = rows.iter().map(|(name, _)| *name).collect();
        let defined: BTreeSet<&str> = library_functions(library).collect();
        assert_eq!(called, defined, "std.{library}");
    }
}

#[test]
fn pools() {
    let counts = check_all("pools");
    // Exploding dice go on for ever.
    assert_eq!(counts.of(Check::Sampled), 3, "{counts}");
}

#[test]
fn dnd() {
    check_all("dnd");
}

#[test]
fn pathfinder() {
    check_all("pathfinder");
}

#[test]
fn percentile() {
    check_all("percentile");
}

#[test]
fn dh2e() {
    check_all("dh2e");
}
