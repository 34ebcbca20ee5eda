//! Which scripts run in vector lanes. That they give the same results there is checked by
//! `engines::check`.

use dicec_compiler::pass::Obstacle;
use dicec_tests::engines;
use dicec_tests::programs::{bind, example, script};
use serde_json::{Value, json};

/// What keeps the trials of a roll, `main` or the only one, out of lanes.
fn obstacle(text: &str, args: &Value) -> Option<Obstacle> {
    let script = script(text);
    let roll = script.rolls().next().expect("a roll");
    let bound = bind(&script, roll.name(), args);
    engines::check(&bound, 5, 60, &text);
    let form = bound.specialised_vector_form().expect("no bug");
    form.err().map(|why| why.obstacle)
}

#[test]
fn numbers_that_nested_loops_count() {
    let text = "defroll \"R\" main(attackers: int, defenders: int) {
        lost = 0;
        while (attackers > 1 && defenders > 0) {
            for (k : 1..2) {
                if (roll(d6) > roll(d6)) { defenders--; } else { attackers--; lost++; }
            }
        }
        return lost;
    }";
    assert_eq!(
        obstacle(text, &json!({"attackers": 6, "defenders": 5})),
        None
    );
}

#[test]
fn lists_that_grow_outside_of_loops() {
    let text = "defroll \"R\" main() {
        xs = [];
        append(xs, roll(d6));
        if (xs[0] > 3) { append(xs, roll(d8)); }
        return xs[len(xs) - 1];
    }";
    assert_eq!(obstacle(text, &json!({})), None);
    let text = "defroll \"R\" main() {
        xs = [];
        while (roll(d6) > 2) { append(xs, roll(d8)); }
        return len(xs);
    }";
    assert!(matches!(obstacle(text, &json!({})), Some(Obstacle::Op(_))));
}

#[test]
fn counted_faces_and_a_target_among_those_that_stand() {
    let text = "defroll \"R\" main() {
        counts = [0; 7];
        repeat (5) { counts[roll(d6)] += 1; }
        return max(counts);
    }";
    assert_eq!(obstacle(text, &json!({})), None);
    let text = "deftype goblin { hp: int, ac: int }
    defroll \"R\" main(goblins: goblin list) {
        felled = 0;
        repeat (3) {
            standing = [];
            for (g : goblins) { if (g.hp > 0) { append(standing, g); } }
            if (len(standing) > 0) {
                g = standing[d(1, len(standing)) - 1];
                if (roll(d20) + 5 >= g.ac) { g.hp -= roll(d8) + 3; }
                if (g.hp <= 0) { felled++; }
            }
        }
        return felled;
    }";
    let goblins = json!({"goblins": [{"hp": 7, "ac": 15}, {"hp": 9, "ac": 13}]});
    assert_eq!(obstacle(text, &goblins), None);
}

/// Dice of one side would be written out, thousands of them, though they leave no choice.
#[test]
fn many_dice_of_one_side() {
    let text = "defroll \"R\" main() { n = roll(d6) > 3 ? 1 : 9000; return d(n, 1) + roll(d6); }";
    assert!(obstacle(text, &json!({})).is_some());
}

#[test]
fn texts_of_known_arguments() {
    let text = "defroll \"R\" main(who: string, weapon: string) {
        if (roll(d20) > 10) { output(who + \" hits with \" + weapon); return roll(d8); }
        output(who + \" misses\");
        return 0;
    }";
    assert_eq!(
        obstacle(text, &json!({"who": "Ann", "weapon": "axe"})),
        None
    );
}

/// A list that another list may be is not one that grows.
#[test]
fn lists_under_two_names() {
    let text = "deffun add(xs: int list) { append(xs, roll(d6)); return len(xs); }
    defroll \"R\" main(xs: int list, ys: int list) {
        zs = roll(d2) == 1 ? xs : ys;
        before = len(xs);
        add(zs);
        return 10 * len(xs) + before + sum(xs);
    }";
    obstacle(text, &json!({"xs": [1, 2], "ys": [3]}));
}

#[test]
fn a_fight_of_ten_stays_in_memory() {
    let (script, args) = example("party");
    let bound = bind(&script, "fight", &args);
    let form = bound.specialised_vector_form().expect("no bug");
    let why = form.err().map(|why| why.obstacle);
    assert!(
        matches!(why, Some(Obstacle::Choices | Obstacle::Op(_))),
        "{why:?}"
    );
}
