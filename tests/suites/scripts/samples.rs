//! Native samples of scripts fit their exact odds: results and statistics by chi-square, lines by
//! their expected numbers. Both sampling modes, a fixed seed.

use dicec_compiler::unstable::Sampling;
use dicec_compiler::{Bound, Simulation};
use dicec_lang::hir::Policy;
use dicec_tests::programs::{example, first, script};
use dicec_tests::{fit, stages};
use serde_json::json;

const TRIALS: u64 = 400_000;

fn check(bound: &Bound) {
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let simulation = Simulation::trials(TRIALS).sampling(sampling).seed(7);
        fit::check(bound, &simulation, 3.0);
    }
}

#[test]
fn examples() {
    for name in [
        "attack",
        "duel",
        "ability_scores",
        "burst",
        "delve",
        "guide/3_creatures",
        "guide/5_fight",
    ] {
        let (script, args) = example(name);
        check(&first(&script, &args));
    }
}

#[test]
fn players_who_decide() {
    let (script, args) = example("attack");
    for policy in [Policy::Always, Policy::Chance(250_000)] {
        let mut bound = first(&script, &args);
        for option in script.options() {
            bound = bound.with_policy(option, policy).expect("an option");
        }
        check(&bound);
    }
}

/// Fused sampling turns small branches into selects: both arms share their dice, and dice with
/// different sides share words.
#[test]
fn arms_that_share_dice() {
    for text in [
        // More dice in the one arm, more in the other, and what is left shared again.
        "defroll \"R\" r(n: int) {
            x = 0;
            if (roll(d6) > 3) { x = roll(3d6) * 10 - roll(d6) + roll(d8); }
            else { x = roll(2d6) * 10 - roll(4d6) - roll(2d8); }
            return x;
        }",
        // Nested arms, which also record the earlier decision.
        "defroll \"R\" r(n: int) {
            die = roll(d20);
            crit = die == 20 && roll(d20) + n >= 15;
            sneak = roll(d100) > 40;
            x = 0;
            if (crit) { x = roll(4d8); } else if (die > 8) { x = sneak ? roll(2d8) + roll(d6) : roll(d8); }
            stat(\"x\", x);
            stat(\"crit\", crit ? 1 : 0);
            return x + (sneak ? 100 : 0);
        }",
        // In a loop that ends depending on a roll.
        "defroll \"R\" r(n: int) {
            left = 40;
            rounds = 0;
            while (left > 0) {
                rounds++;
                die = roll(d20);
                if (die == 20) { left -= roll(4d8); } else if (die > n) { left -= roll(2d8); }
                if (roll(d3) == 1) { left += roll(d2); } else { left -= roll(d4); }
            }
            stat(\"rounds\", rounds);
            return left;
        }",
    ] {
        check(&first(&script(text), &json!({"n": 3})));
    }
}

#[test]
fn dice_lists_records_and_recursion() {
    for (text, args) in [
        (
            "deffun best(n: int) : int { return n <= 0 ? 0 : max(roll(d6), best(n - 1)); }
            defroll \"R\" r(n: int) { x = best(n); stat(\"x\", x); return x; }",
            json!({"n": 4}),
        ),
        (
            "defroll \"R\" r(xs: int list) {
                ys = list(0);
                for (x : xs) { append(ys, d(x, 4)); }
                total = 0;
                for (y : ys) { if (y > 3) { total += y; stat(\"y\", y); } }
                return total;
            }",
            json!({"xs": [1, 2, 3]}),
        ),
        (
            "deftype c { hp: int, friends: c2 list } deftype c2 { hp: int }
            defroll \"R\" r(a: c, n: int) {
                one = a.friends[0];
                two = n > 1 ? one : a.friends[1];
                one.hp -= roll(3d6!);
                two.hp -= roll(2d8kh1);
                output(one.hp < 0 ? \"down\" : \"up \" + one.hp);
                return one.hp + two.hp;
            }",
            json!({"a": {"hp": 1, "friends": [{"hp": 9}, {"hp": 8}]}, "n": 2}),
        ),
        (
            "defroll \"R\" r(bonus: int, ac: int) {
                degree = roll(d20) + bonus vs ac;
                output(\"It is a \" + degree);
                return degree;
            }",
            json!({"bonus": 7, "ac": 15}),
        ),
    ] {
        check(&first(&script(text), &args));
    }
}

/// The sum of many dice of a script is one fused draw, unless lanes are faster.
#[test]
fn many_dice_are_drawn_at_once() {
    for (text, draws) in [
        ("return roll(20d6kh10) + roll(d20) + n;", 1),
        (
            "return roll(30d6 count>=5) >= 10 ? roll(40d6) : roll(d8);",
            2,
        ),
        (
            "x = 0; rounds = 0;
            while (x < 200) { x += roll(24d6dl4) - roll(d6) * roll(d4) + n; rounds++; }
            stat(\"rounds\", rounds);
            return x;",
            // The first round is before the loop.
            2,
        ),
        ("return roll(5d6kh3) + n;", 0),
        ("return roll(2d6) + roll(3d8) + n;", 0),
    ] {
        let script = script(&format!("defroll \"R\" r(n: int) {{ {text} }}"));
        let bound = first(&script, &json!({"n": 3}));
        let module = bound
            .specialised(Sampling::Fused)
            .expect("no bug")
            .0
            .to_string();
        assert_eq!(module.matches("= drawn").count(), draws, "{text}\n{module}");
        let form = stages::form(&bound, true);
        assert_eq!(form.is_some(), draws == 0, "{text}");
        // Pool steps only remain in fused draws.
        let code = module.rsplit("}\n").next();
        assert!(code.is_some_and(|code| !code.contains("pool_")), "{module}");
        check(&bound);
    }
}
