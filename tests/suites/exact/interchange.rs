//! Equal creatures are interchangeable where nothing observes their order: that changes no odds,
//! and makes fights exact that would have too many states.

use crate::scripts::{bound, check};
use dicec_compiler::{Bound, Simulation};
use dicec_exact::{ExactError, Odds, solve};
use dicec_runtime::pmf::Budget;
use dicec_runtime::trap::TrapCode;
use serde_json::{Value, json};

const TYPES: &str = "deftype c { name: string = \"c\", hp: int, ac: int = 1 }
    deffun lives(one: c) { return one.hp > 0; }
    deffun stands(side: c list) { return any(one.hp > 0 for one : side); }
    deffun found(side: c list) { for (one : side) { if (one.hp > 0) { return true; } } return false; }
    deffun random(side: c list) { return pick(one for one : side if one.hp > 0); }
    deffun weakest(side: c list) { return least(one by one.hp for one : side if one.hp > 0); }
    deffun strike(from: c, to: c) { n = roll(d3); if (n > from.ac) { to.hp -= n - 1; } }
    deffun turn(who: c, foes: c list) {
        if (who.hp <= 0 || !stands(foes)) { return; }
        strike(who, random(foes));
    }
    deffun ready(who: c, any: int) { return who.hp > 0; }
    deffun bitten(side: c list) {
        if (!stands(side)) { return 0; }
        y = random(side);
        y.hp -= 1;
        return y.hp;
    }
    deffun mend(who: c) { if (who.hp > 0) { who.hp += roll(d2) - 1; } }
    ";

/// What the elements `x` of a list `us` do in a loop; `them` is the other list.
const TURNS: [&str; 25] = [
    // All who act do the same.
    "turn(x, them);",
    "if (x.hp > 0 && stands(them)) { strike(x, weakest(them)); }",
    "if (!found(them)) { break; } if (lives(x)) { strike(x, random(them)); }",
    "if (stands(them) && x.hp >= 1) { y = random(them); y.hp -= x.ac; stat(\"blows\", 1); }",
    "if (x.hp < 1) { continue; } for (y : them) { if (y.hp == 2) { y.hp = 1; } }",
    "n += x.ac;",
    // Whether they do anything depends on more than themselves.
    "if (x.hp > 0 || n > 1) { continue; } n = n * 2 + 1;",
    "if (n > 1) { continue; } n++; if (stands(them)) { y = random(them); y.hp -= x.hp; }",
    // Each changes itself.
    "x.hp += roll(d2) - 1;",
    "mend(x);",
    "if (x.hp == 1) { x.hp = 2; output(x.name + \" rises\"); }",
    // They count, or search.
    "if (x.hp > 1) { n++; }",
    "n = max(n, x.hp);",
    // The order is observed: by the first, by one after another, by what a record's number does.
    "us[0].hp -= 1;",
    "if (x.hp > 0 && n == 0) { n = x.hp; }",
    "n = n * 2 + (x.hp > 0 ? 1 : 0);",
    "if (x.hp <= 0) { break; } turn(x, them);",
    "if (x.hp <= 0) { n = 1; } if (n == 0) { turn(x, them); }",
    "if (x.hp > 0 && stands(them)) { y = random(them); y.hp -= x.hp; }",
    "if (x.hp > 0) { y = random(us); y.hp -= 1; turn(x, them); }",
    "last = x; if (last.hp > 0) { turn(last, them); }",
    "if (ready(x, bitten(them))) { n = count(lives(y) for y : them); }",
    "side = us; if (side[0].hp > 0) { n++; }",
    "side = n > 0 ? us : them; n++; if (found(side) && side[0].hp > 0) { turn(x, them); }",
    "if (stands(us)) { y = random(us); if (y != x) { turn(x, them); } }",
];

/// What is asked at the end.
const RESULTS: [&str; 4] = [
    "stands(a)",
    "count(lives(one) for one : a) * 10 + count(one.hp > 1 for one : b)",
    "sum(one.hp for one : b if one.hp > 0) * 8 + n",
    "b[0].hp",
];

fn fight(rounds: &str, [first, second]: [&str; 2], result: &str) -> String {
    let turns = |turns: &str, us: &str, them: &str| {
        let turns = turns.replace("them", them).replace("us", us);
        format!("for (x : {us}) {{ {turns} }}")
    };
    let (first, second) = (turns(first, "a", "b"), turns(second, "b", "a"));
    format!(
        "{TYPES} defroll \"R\" r(a: c list, b: c list) {{
            n = 0;
            {rounds} {{ {first} {second} }}
            return {result};
        }}"
    )
}

#[test]
fn any_order_has_the_same_odds() {
    for (place, first) in TURNS.iter().enumerate() {
        let other = TURNS[(place * 7 + 3) % TURNS.len()];
        let result = RESULTS[place % RESULTS.len()];
        for (turns, result) in [
            ([*first, TURNS[0]], result),
            ([TURNS[0], *first], RESULTS[2]),
            ([*first, other], result),
        ] {
            // What nothing reads may differ.
            let one = json!({"a": [{"hp": 2}], "b": [{"hp": 2, "name": "x"}, {"hp": 2}]});
            check(&fight("repeat (2)", turns, result), &one);
            let two = json!({"a": [{"hp": 1}, {"hp": 2}], "b": [{"hp": 2}, {"hp": 2}]});
            check(&fight("repeat (1)", turns, result), &two);
            // Two who differ in what is read.
            let other = json!({"a": [{"hp": 2}, {"hp": 2, "ac": 2}], "b": [{"hp": 1}]});
            check(&fight("repeat (1)", turns, result), &other);
            let made = fight("repeat (1)", turns, result).replace(
                "(a: c list, b: c list) {",
                "() { first = c{hp: 2}; a = [first, c{hp: 1}]; b = [c{hp: roll(d2)} for i : 1..2];",
            );
            check(&made, &json!({}));
        }
    }
}

const TO_THE_END: &str = "while (stands(a) && stands(b))";

/// A fight, and the same with a look at an index, which observes the order.
fn fight_and_observed(attackers: usize, targets: usize) -> [Bound; 2] {
    let args = json!({
        "a": vec![json!({"hp": 4}); attackers],
        "b": vec![json!({"hp": 3}); targets],
    });
    ["stands(a)", "a[0].ac + b[0].ac > 0 && stands(a)"]
        .map(|result| bound(&fight(TO_THE_END, [TURNS[0]; 2], result), &args))
}

fn odds_and_work(roll: &Bound) -> (Odds, u64) {
    let mut budget = Budget::default();
    let odds = solve(&roll.question(), &mut budget).expect("within the budget");
    (odds, budget.spent())
}

/// States are merged: of three creatures, there are up to six orders.
#[test]
fn equal_creatures_are_interchangeable() {
    let [merged, observed] = fight_and_observed(2, 3);
    let ((merged, work), (observed, more)) = (odds_and_work(&merged), odds_and_work(&observed));
    assert!(2 * work < more, "{work}, {more}");
    let [merged, observed] = [merged, observed].map(|odds| odds.result.expect("a truth value"));
    let error = (merged.probability(1) - observed.probability(1)).abs();
    assert!(error < 1e-12, "{error}");
}

/// Whoever strikes at random.
#[test]
fn fights_with_random_targets_are_exact() {
    let text = "deftype c { name: string, hp: int, ac: int, attack: int, sides: int }
        deffun stands(side: c list) { return any(one.hp > 0 for one : side); }
        deffun turn(who: c, foes: c list) {
            if (who.hp <= 0 || !stands(foes)) { return; }
            foe = pick(one for one : foes if one.hp > 0);
            die = roll(d20);
            if (die == 20 || die != 1 && die + who.attack >= foe.ac) {
                foe.hp -= d(die == 20 ? 2 : 1, who.sides) + 2;
            }
        }
        defroll \"R\" r(heroes: c list, goblins: c list) {
            while (stands(heroes) && stands(goblins)) {
                for (one : heroes) { turn(one, goblins); }
                for (one : goblins) { turn(one, heroes); }
            }
            return stands(heroes);
        }";
    let named = |name: &str, number: usize, creature: Value| {
        let all = (1..=number).map(|place| {
            let mut creature = creature.clone();
            creature["name"] = json!(format!("{name} {place}"));
            creature
        });
        all.collect::<Vec<_>>()
    };
    let hero = json!({"hp": 20, "ac": 16, "attack": 5, "sides": 8});
    let goblin = json!({"hp": 7, "ac": 13, "attack": 4, "sides": 6});
    let args = json!({"heroes": named("Hero", 1, hero), "goblins": named("Goblin", 3, goblin)});
    let roll = bound(text, &args);
    let (odds, _) = odds_and_work(&roll);
    let odds = odds.result.expect("a truth value");
    let sampled = roll.simulate(&Simulation::trials(200_000).seed(5));
    let sampled = sampled.expect("it runs").summary();
    let error = sampled.standard_error().expect("many trials");
    let difference = odds.probability(1) - sampled.mean().expect("many trials");
    assert!(difference.abs() < 5.0 * error, "{difference}");
}

/// The least fuel with which a roll has an answer.
pub(crate) fn least_fuel(roll: &Bound) -> u32 {
    let answers = |fuel: u32| {
        let mut question = roll.question();
        question.limits.fuel = fuel;
        match solve::<f64>(&question, &mut Budget::default()) {
            Ok(_) => true,
            Err(ExactError::Trap(trap)) => {
                assert_eq!(trap.code, TrapCode::OutOfFuel);
                false
            }
            Err(error) => panic!("{error}"),
        }
    };
    let fuels: Vec<u32> = (1..20_000).collect();
    fuels[fuels.partition_point(|fuel| !answers(*fuel))]
}

/// Fuel depends on the order, as searches end with what they find. With little of it, no orders are
/// merged.
#[test]
fn fuel_is_that_of_any_order() {
    let rounds = |targets| {
        let args = json!({"a": [{"hp": 4}], "b": vec![json!({"hp": 2}); targets]});
        ["stands(a)", "a[0].ac > 0 && stands(a)"].map(|result| {
            let turns = ["if (stands(us)) { turn(x, them); }", TURNS[0]];
            least_fuel(&bound(&fight("repeat (2)", turns, result), &args))
        })
    };
    let ([one, looked], [three, observed]) = (rounds(1), rounds(3));
    assert_eq!(observed - three, looked - one);
    assert!(three > one);
}
