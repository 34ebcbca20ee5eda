//! Constants of scripts: nothing changes them, and reading them costs nothing on any engine.

use dicec_compiler::{Bound, Compiler, Program};
use dicec_lang::syntax::Code;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::programs::{compiled, first};
use serde_json::json;

const TABLES: &str = "
    const BONUSES = list(3, 1, 4);
    const NONE = list();
    const GRID = list(list(1, 2), list(3), NONE);
    const GOBLIN = creature{ hp: 7, name: \"goblin\", attacks: list(4, 2) };
    const BAND = list(GOBLIN, creature{ hp: 9, name: \"chief\" });
    deftype creature { hp: int, name: string = \"nobody\", attacks: int list }
    deffun total(xs: int list) : int { t = 0; for (x : xs) { t += x; } return t; }
    deffun of(n: int) : creature { return n > 0 ? BAND[1] : GOBLIN; }
";

fn script(text: &str, limits: ScriptLimits) -> Program {
    let text = format!("{TABLES}{text}");
    compiled(&text, Compiler::new().script_limits(limits).script(&text))
}

/// Compares the odds of a roll with brute force.
fn check_odds(bound: &Bound, text: &str) {
    let all = ScriptEnumeration::of(&bound.question(), 10_000).expect("few rolls");
    assert!(all.traps.is_empty(), "{:?}\n{text}", all.traps);
    all.expect(
        &bound.solve::<f64>(&Limits::default()).expect("few states"),
        text,
    );
}

/// With arguments before them in memory, with texts in them, and used in every possible way.
#[test]
fn constants_are_read_alike_on_every_engine() {
    for body in [
        "return BONUSES[roll(d3) - 1] + n;",
        "t = 0; for (b : BONUSES) { t += b * roll(d4); } return t + n;",
        "t = 0; for (row : GRID) { for (x : row) { t += x; } t += len(row); } return t + roll(d4);",
        "c = of(roll(d2) - 1); output(c.name + \" \" + c.hp); return total(c.attacks);",
        "t = 0; for (c : BAND) { t += c.hp + total(c.attacks); output(c.name); } return t * roll(d4);",
        "c = BAND[roll(d2) - 1]; if (c.name == \"chief\") { return hero.hp; } return n;",
        "xs = n > 9 ? BONUSES : NONE; return total(xs) + total(NONE) + len(GRID[2]) + roll(d6);",
        "xs = roll(d2) == 1 ? BONUSES : hero.attacks; return total(xs) + len(xs);",
        "own = list(0); append(own, BONUSES[0]); own[0] = roll(d6); hero.hp -= own[0]; return hero.hp;",
    ] {
        let text = format!("defroll \"\" r(n: int, hero: creature) {{ {body} }}");
        let script = script(&text, ScriptLimits::default());
        let hero = json!({"hp": 20, "name": "Ayla", "attacks": [1, 2, 3]});
        let bound = first(&script, &json!({"n": 5, "hero": hero}));
        let outcome = engines::check(&bound, 3, 40, &text);
        assert_eq!(outcome.stopped, None, "{text}");
        check_odds(&bound, &text);
    }
}

/// Iterations and calls cost fuel, constants cost none.
#[test]
fn reading_a_constant_burns_no_fuel_and_makes_nothing() {
    for (body, fuel) in [
        (
            "return BONUSES[roll(d3) - 1] + len(BONUSES) + BAND[1].hp;",
            0,
        ),
        (
            "return GOBLIN.attacks[0] + len(GRID[2]) + len(BONUSES) + roll(d4);",
            0,
        ),
        ("t = roll(d6); for (b : BONUSES) { t += b; } return t;", 3),
        (
            "return total(GOBLIN.attacks) + total(BONUSES) + roll(d4);",
            7,
        ),
        (
            "i = 0; while (i < 20) { i++; c = of(i); i += BONUSES[1] * 0; } return i + roll(d2);",
            40,
        ),
    ] {
        let text = format!("defroll \"\" r() {{ {body} }}");
        let limits = |fuel| ScriptLimits {
            fuel,
            ..ScriptLimits::default()
        };
        let enough = script(&text, limits(fuel));
        let bound = first(&enough, &json!({}));
        assert_eq!(engines::check(&bound, 1, 10, &text).stopped, None, "{text}");
        let module = bound.lowered().to_string();
        assert!(
            !module.contains("alloc") && !module.contains("new_list"),
            "{module}"
        );
        check_odds(&bound, &text);
        if let Some(less) = fuel.checked_sub(1) {
            let short = script(&text, limits(less));
            let outcome = engines::check(&first(&short, &json!({})), 1, 10, &text);
            assert!(outcome.stopped.is_some(), "{text}");
        }
    }
}

/// What is refused in the body of a roll, or the functions before it: the constant, and what is
/// marked.
fn refused(text: &str) -> Vec<(String, String)> {
    let text = format!("{TABLES}{text}");
    let found = match Compiler::new().script(&text) {
        Ok(_) => return Vec::new(),
        Err(found) => found,
    };
    let found = found.iter().map(|finding| {
        assert_eq!(finding.code, Code::ChangedConstant, "{finding:?}\n{text}");
        let name = finding.message.split('`').nth(1).expect("a name");
        (name.to_owned(), text[finding.span.range()].to_owned())
    });
    found.collect()
}

#[test]
fn a_change_is_refused_by_whatever_name_the_constant_goes() {
    for (body, name, marked) in [
        ("append(BONUSES, 1);", "BONUSES", "append(BONUSES, 1)"),
        ("append(NONE, 1);", "NONE", "append(NONE, 1)"),
        ("BONUSES[0] = 1;", "BONUSES", "BONUSES[0] = 1;"),
        ("GOBLIN.hp -= 1;", "GOBLIN", "GOBLIN.hp -= 1;"),
        ("GRID[0][1] += 1;", "GRID", "GRID[0][1] += 1;"),
        (
            "append(BAND[0].attacks, 1);",
            "BAND",
            "append(BAND[0].attacks, 1)",
        ),
        ("x = BONUSES; x[0]++;", "BONUSES", "x[0]++;"),
        (
            "x = list(1); y = x; y = BONUSES; append(y, 2);",
            "BONUSES",
            "append(y, 2)",
        ),
        (
            "x = true ? BONUSES : list(1); append(x, 1);",
            "BONUSES",
            "append(x, 1)",
        ),
        ("for (c : BAND) { c.hp = 0; }", "BAND", "c.hp = 0;"),
        (
            "for (row : GRID) { append(row, 1); }",
            "GRID",
            "append(row, 1)",
        ),
        (
            "own = list(GOBLIN); own[0].hp = 1;",
            "GOBLIN",
            "own[0].hp = 1;",
        ),
        (
            "own = list(creature{}); append(own, GOBLIN); for (o : own) { o.hp = 1; }",
            "GOBLIN",
            "o.hp = 1;",
        ),
        (
            "c = creature{ attacks: BONUSES }; c.attacks[0] = 1;",
            "BONUSES",
            "c.attacks[0] = 1;",
        ),
        (
            "c = creature{}; c.attacks = BONUSES; append(c.attacks, 1);",
            "BONUSES",
            "append(c.attacks, 1)",
        ),
        ("c = of(1); c.hp = 3;", "BAND", "BAND[1]"),
        ("grow(BONUSES);", "BONUSES", "BONUSES"),
        ("wound(of(1));", "BAND", "BAND"),
    ] {
        let text = format!(
            "deffun grow(xs: int list) {{ append(xs, 1); }}
            deffun wound(c: creature) {{ c.hp -= roll(d6); }}
            defroll \"\" r() {{ {body} output(\"\" + roll(d6)); }}"
        );
        let found = refused(&text);
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert_eq!(found[0].0, name, "{body}");
        assert!(marked.starts_with(&found[0].1), "{body}: {found:?}");
    }
}

#[test]
fn what_is_new_may_be_changed() {
    for body in [
        "x = BONUSES[0]; x += 1; y = GOBLIN.hp; y--; output(\"\" + (x + y));",
        "xs = list(); for (b : BONUSES) { append(xs, b); } xs[0] = 1; output(\"\" + total(xs));",
        "x = BONUSES; x = list(1, 2); output(\"\" + total(x));",
        "c = creature{ hp: GOBLIN.hp, attacks: list(1) }; c.hp -= 1; append(c.attacks, 2); output(\"\" + c.hp);",
        "c = fresh(); c.hp -= 1; output(\"\" + (c.hp + GOBLIN.hp));",
        "hero.hp -= total(BONUSES); for (a : hero.attacks) { hero.hp -= a; } append(hero.attacks, 3);",
    ] {
        let text = format!(
            "deffun fresh() : creature {{ return creature{{ hp: 7 }}; }}
            defroll \"\" r(hero: creature) {{ {body} output(\"\" + roll(d6)); }}"
        );
        assert_eq!(refused(&text), [], "{body}");
    }
}
