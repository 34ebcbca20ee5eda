//! States that differ in independent numbers are computed by the distributions of these: that
//! changes no odds. What depends on each other is not taken for independent.

use crate::script_costs::odds_and_work;
use crate::scripts::check;
use serde_json::json;

fn check_bodies(bodies: &[&str]) {
    for body in bodies {
        check(&format!("defroll \"R\" r() {{ {body} }}"), &json!({}));
    }
}

#[test]
fn numbers_that_depend_on_each_other_are_not_independent() {
    check_bodies(&[
        // A number is read again after it became part of a sum, a comparison or a greater one.
        "x = roll(d4); y = 3; y -= x; return y > x;",
        "x = 0; d = roll(d3); x += d; return x * 10 + d;",
        "x = 2; d = roll(d3); x -= d; y = x; y -= roll(d2); return x * 10 + y;",
        "a = roll(d4); b = roll(d4); m = max(a, b); return m * 10 + a;",
        "a = roll(d4); b = roll(d4); return a > b ? a : b;",
        "a = roll(d4); b = roll(d4); if (a > b) { return a; } return b;",
        "a = roll(d3); b = roll(d3); s = a + b; if (s > 3) { s = s * 2; } return s;",
        "a = roll(d3); b = roll(d3); s = a + b; return s * s - s;",
        "a = roll(d3); b = roll(d3); s = a - b; t = s; return (s > 0) == (t > 0) ? s : 100;",
        "x = roll(d6); y = x / 2; z = x % 2; return y * 10 + z;",
        "x = roll(d6); y = x / 2; y += roll(d2); return y + x;",
        "x = 9; d = roll(d4); if (d > 2) { x -= d; } x -= d; return x;",
        "x = 9; d = roll(d4); e = roll(d2); x -= d + e; x += e; return x;",
        "x = 9; x -= roll(d4) - roll(d3); x -= roll(d2) * roll(d3); return x;",
        "x = 5; y = 4; d = roll(d3); x -= d; y -= d; return x > 3 && y > 3;",
    ]);
}

#[test]
fn attacks_equal_brute_force() {
    check_bodies(&[
        // A save for half, advantage, resistance to one of two kinds, a threshold.
        "hp = 9; repeat (2) { d = roll(2d3); if (roll(d4) + 1 >= 4) { d /= 2; } hp -= d; } return hp <= 0;",
        "hp = 6; repeat (2) { n = max(roll(d4), roll(d4)); if (n == 4) { hp -= roll(2d3); } else if (n != 1 && n + 1 >= 4) { hp -= roll(d3); } } return hp <= 0;",
        "hp = 8; repeat (2) { if (roll(d4) > 1) { hp -= roll(2d3) / 2 + roll(d2); } } return hp;",
        "hp = 8; repeat (2) { d = roll(2d3); hp -= d < 4 ? 0 : d; } return hp;",
        // Until the target drops.
        "hp = 5; rounds = 0; while (hp > 0 && rounds < 4) { rounds += 1; if (roll(d4) > 1) { hp -= roll(d3); } } return rounds;",
        "hp = 4; while (hp > 0) { if (roll(d2) == 1) { hp -= roll(d3); } } return hp;",
        // The loop is left from inside, what was added to is not read any more.
        "hp = 5; for (i : 1..4) { n = roll(d4); if (n == 4) { return i; } hp -= n; } return hp;",
        "hp = roll(d4); y = 0; repeat (3) { n = roll(d3); if (n == 3) { break; } if (n == 2) { continue; } hp += n; y = 1; } return y;",
        // Only words are taken away, below a floor or above it.
        "hp = 7; repeat (3) { n = roll(d4); if (n == 4) { hp -= 5; } else if (n > 1) { hp -= 2; } } return hp <= 0;",
        "hp = 7; repeat (3) { n = roll(d4); if (n == 4) { hp -= 5; } else if (n > 1) { hp += 2; } } return hp <= 0;",
        // What iterations read changes.
        "hp = 9; bonus = 2; repeat (3) { if (roll(d4) + bonus > 3) { hp -= roll(d3); } bonus -= 1; } return hp;",
        "hp = 9; hit = 0; repeat (3) { n = roll(d4); if (n > 2 + hit) { hp -= roll(d3); hit = 1; } else { hit = 0; } } return hp;",
        // Two sums, one after the other or from one roll.
        "x = 0; y = 0; repeat (2) { x += roll(d2); y += roll(d3); } return x >= y;",
        "x = 0; y = 0; repeat (2) { d = roll(d3); if (d > 1) { x += d; } y += d; } return x * 10 + y;",
        // Dice that are known when they are rolled.
        "x = 1; repeat (2) { x += roll(x + \"d3\"); if (x > 3) { x = 2; } else { x = 1; } } return x;",
    ]);
}

#[test]
fn what_is_noted_equals_brute_force() {
    check_bodies(&[
        "hp = 5; repeat (2) { d = roll(d3); if (d > 1) { hp -= d; stat(\"d\", d); output(\"hit\"); } } stat(\"hp\", hp); return hp > 0;",
        "repeat (2) { n = roll(d4); if (n == 4) { output(\"four\"); break; } stat(\"n\", n + roll(d2)); }",
        "x = 0; repeat (2) { if (roll(d2) == 1) { x += 1; output(\"now \" + x); } stat(\"x\", x); } return x;",
    ]);
}

#[test]
fn functions_and_records_equal_brute_force() {
    check(
        "deftype foe { hp: int, ac: int = 3 }
        deffun blow(bonus: int): int {
            n = max(roll(d4), roll(d4));
            if (n == 1) { return 0; }
            return roll(d3) + bonus;
        }
        deffun strike(one: foe, bonus: int): bool {
            if (roll(d4) + bonus >= one.ac) { one.hp -= blow(bonus); return true; }
            return false;
        }
        defroll \"R\" r(one: foe, hp: int) {
            two = foe { hp: hp };
            hits = 0;
            repeat (2) { if (strike(one, 1)) { hits += 1; } hp -= blow(0); }
            strike(two, 0);
            return one.hp <= 0 ? 10 + two.hp : hits;
        }",
        &json!({ "one": { "hp": 4 }, "hp": 6 }),
    );
    check(
        "deftype foe { hp: int }
        defroll \"R\" r(one: foe) {
            two = one;
            two.hp -= roll(d3);
            if (one.hp == two.hp && roll(d2) == 1) { one.hp -= roll(d3); }
            return two.hp * 10 + one.hp;
        }",
        &json!({ "one": { "hp": 4 } }),
    );
}

/// Dice from a text are one number for each term.
#[test]
fn dice_from_texts_equal_brute_force() {
    check(
        "defroll \"R\" r(damage: dice, hp: int) {
            repeat (2) {
                n = roll(d4);
                if (n == 4) { hp -= roll(critical(damage)); } else if (n > 1) { hp -= roll(damage); }
            }
            return hp <= 0;
        }",
        &json!({ "damage": "d3+d2+1", "hp": 9 }),
    );
}

/// What an attack takes away is worked out once for all iterations, and then costs a multiplication
/// for each pair of a number and of what is taken away from it.
#[test]
fn rounds_cost_a_convolution_each() {
    let fight = |rounds: u32| {
        let (odds, work) = odds_and_work(&format!(
            "hp = 60;
            repeat ({rounds}) {{
                n = max(roll(d20), roll(d20));
                d = roll(3d6);
                if (roll(d20) > 11) {{ d /= 2; }}
                if (n == 20) {{ hp -= d + roll(4d8); }} else if (n > 7) {{ hp -= d; }}
            }}
            return hp <= 0;"
        ));
        assert!(odds.result.expect("a check").error_bound() < 1e-11);
        work
    };
    let (few, more) = (fight(5), fight(6));
    assert!(few < 60_000, "{few}");
    // 60 numbers, at most 50 of what is taken away.
    assert!(more - few < 4_000, "{more} - {few}");
}
