//! Fights: hit points that matter only above 0, and scripts in which they matter below it too.

use crate::scripts::{bound, check};
use dicec_exact::{Odds, solve};
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::trap::TrapCode;
use serde_json::{Value, json};

const TYPES: &str = "deftype c { name: string = \"c\", hp: int, most: int = 9, hits: int = 0 }
    deffun stands(side: c list) { return any(one.hp > 0 for one : side); }
    deffun weakest(side: c list) { return least(one by one.hp for one : side if one.hp > 0); }
    deffun random(side: c list) { return pick(one for one : side if one.hp > 0); }
    deffun hurt(one: c, by: int) { one.hp -= by; }
    deffun heal(one: c, by: int) { one.hp += by; }
    deffun strike(from: c, to: c) { if (roll(d3) > 1) { to.hp -= roll(d3); from.hits += 1; } }
    ";

/// The odds of a roll of these statements, and the work that they took.
fn odds_and_work(text: &str, args: &Value) -> (Odds, u64) {
    let mut budget = Budget::default();
    let odds = solve(&bound(text, args).question(), &mut budget);
    let odds = odds.unwrap_or_else(|error| panic!("{error}\n{text}"));
    (odds, budget.spent())
}

/// What is read below the floor, by whatever means, is still right.
#[test]
fn floors_change_no_odds() {
    for body in [
        // Only comparisons with one number.
        "x = 5; repeat (3) { x -= roll(d4); } return x <= 0;",
        "x = 5; n = 0; while (x > 0) { x -= roll(d4); n++; } return n;",
        "a.hp -= roll(d6); a.hp -= roll(d6); return a.hp > 0;",
        // With several; with one that is met from the other side; with equality.
        "x = 5; repeat (3) { x -= roll(d4); } return x <= 0 ? 0 : x < 3 ? 1 : 2;",
        "x = 5; repeat (3) { x -= roll(d4); } return x <= -3 ? 0 : 1 > x ? 1 : 2;",
        "x = 5; repeat (3) { x -= roll(d4); } return x == 0 || x == -2;",
        "x = 5; repeat (3) { x -= roll(d4); if (x > 1) { x -= 1; } } return x;",
        // Read below the floor: at the end, in a text, as a statistic, by another variable.
        "a.hp -= roll(d6); b.hp -= roll(d6); return a.hp > 0 ? 9 : a.hp;",
        "x = 2; x -= roll(d4); if (x <= 0) { stat(\"below\", x); } return x > 0;",
        "x = 2; x -= roll(d4); y = x; x -= roll(d2); return x > 0 ? 1 : y;",
        "x = 2; x -= roll(d4); y = x > 0 ? 0 : x * 2; return y;",
        "x = 2; x -= roll(d4); return x > 0 ? 7 : max(x, -1);",
        "x = 2; y = 4; x -= roll(d4); y -= roll(d6); return (x > 0) == (y > 0) ? 1 : x < y ? 2 : 3;",
        // Raised from below the floor, on purpose or by a blow that heals.
        "x = 2; repeat (3) { x -= roll(d4); x += roll(d3); } return x > 0;",
        "x = 2; repeat (3) { x -= roll(d4) - 2; } return x > 0;",
        "x = 2; repeat (3) { x -= roll(d4); if (x > 0) { x += roll(d3); } } return x > 0;",
        "a.hp -= roll(d8); heal(a, roll(d4)); return a.hp > 0;",
        "a.hp -= roll(d8); hurt(a, -roll(d4)); return a.hp > 0;",
        "a.hp -= roll(d8); if (a.hp > 0) { a.hp = min(a.most, a.hp + roll(2d4)); } hurt(a, roll(d4)); return a.hp > 0;",
        "hurt(a, roll(d6)); a.hp *= 2; hurt(a, 3); return a.hp > 0;",
        // In functions, under two names, and in new records.
        "hurt(a, roll(d6)); hurt(b, roll(d6)); strike(a, b); return a.hp > 0 && b.hp > 0;",
        "t = a; hurt(t, roll(d6)); strike(t, a); return a.hp > 0 ? t.hits : 5;",
        "hurt(a, roll(d8)); d = c{hp: a.hp}; hurt(d, 1); return d.hp > 0;",
        "hurt(a, roll(d8)); d = c{hp: a.hp > 0 ? a.hp : 3}; hurt(d, 1); return d.hp > 0;",
        "all = list(a, b); repeat (3) { if (stands(all)) { strike(a, weakest(all)); } } return a.hp > 0;",
        "all = [a, b]; n = 0; while (n < 2 && stands(all)) { n++; strike(b, random(all)); } return count(one.hp > 0 for one : all);",
        "all = [a, b]; hurt(a, roll(d6)); hurt(b, roll(d8)); return sum(one.hp for one : all if one.hp > 0);",
        "all = [a, b]; hurt(a, roll(d6)); hurt(b, roll(d8)); return sum(one.hp for one : all);",
    ] {
        let text = format!("{TYPES} defroll \"R\" r(a: c, b: c) {{ {body} }}");
        for hp in [4, 0, -2] {
            check(&text, &json!({"a": {"hp": hp}, "b": {"hp": 5}}));
        }
    }
}

/// A number that is taken away from too often leaves the numbers, although nobody asks how far
/// below the floor it is.
#[test]
fn floors_hide_no_overflow() {
    for body in [
        "x = 5; repeat (10) { x -= 1000000000000000000 + roll(d2); } return x > 0;",
        "x = -9223372036854775800; repeat (10) { x -= roll(d2); } return x > 0;",
        "repeat (10) { hurt(a, 1000000000000000000 + roll(d2)); } return a.hp > 0;",
        "a.hp = -9223372036854775800; repeat (10) { hurt(a, roll(d2)); } return a.hp > 0;",
    ] {
        let text = format!("{TYPES} defroll \"R\" r(a: c) {{ {body} }}");
        let roll = bound(&text, &json!({"a": {"hp": 4}}));
        match roll.solve::<f64>(&Limits::default()) {
            Err(dicec_compiler::Failure::Trap(trap)) => {
                assert_eq!(trap.code, TrapCode::Overflow, "{text}");
            }
            other => panic!("{other:?}\n{text}"),
        }
    }
}

/// A fight as people write it costs about what it costs with hit points that stop at 0.
#[test]
fn the_dead_are_alike() {
    let fight = |blow: &str| {
        format!(
            "deftype c {{ hp: int, ac: int, attack: int, sides: int }}
            deffun stands(side: c list) {{ return any(one.hp > 0 for one : side); }}
            deffun weakest(side: c list) {{
                return least(one by one.hp for one : side if one.hp > 0);
            }}
            deffun strike(from: c, to: c) {{
                die = roll(d20);
                if (die == 20 || die != 1 && die + from.attack >= to.ac) {{ {blow} }}
            }}
            defroll \"R\" r(heroes: c list, goblins: c list) {{
                while (stands(heroes) && stands(goblins)) {{
                    for (one : heroes) {{
                        if (one.hp > 0 && stands(goblins)) {{ strike(one, weakest(goblins)); }}
                    }}
                    for (one : goblins) {{
                        if (one.hp > 0 && stands(heroes)) {{ strike(one, weakest(heroes)); }}
                    }}
                }}
                return stands(heroes);
            }}"
        )
    };
    let hero = json!({"hp": 20, "ac": 16, "attack": 5, "sides": 8});
    let goblin = json!({"hp": 7, "ac": 13, "attack": 4, "sides": 6});
    let args = json!({"heroes": [hero, hero], "goblins": [goblin, goblin, goblin]});
    let damage = "d(die == 20 ? 2 : 1, from.sides) + 2";
    let (natural, work) = odds_and_work(&fight(&format!("to.hp -= {damage};")), &args);
    let clamped = format!("to.hp = max(0, to.hp - ({damage}));");
    let (clamped, least) = odds_and_work(&fight(&clamped), &args);
    assert!(work < 2 * least && work < 50_000_000, "{work}, {least}");
    let [natural, clamped] = [natural, clamped].map(|odds| odds.result.expect("a truth value"));
    let error = (natural.probability(1) - clamped.probability(1)).abs();
    assert!(error < 1e-12, "{error}");
}
