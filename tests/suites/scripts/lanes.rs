//! Which scripts run in vector lanes. That they give the same results there is checked by
//! `engines::check`.

use dicec_compiler::Simulation;
use dicec_compiler::unstable::Backend;
use dicec_native::ir::Op;
use dicec_native::pass::Obstacle;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_tests::programs::{bind, example, example_text, script};
use dicec_tests::{engines, fit};
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

fn simulation() -> Simulation {
    Simulation::trials(200_000).seed(3).backend(Backend::Jit)
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

/// Fighters that a function makes, in an order that is rolled, with targets that are picked among
/// those that stand, and with their names in lines and statistics.
#[test]
fn fighters_that_a_trial_makes() {
    let text = "deftype fighter { name: string, side: int, health: int, initiative: int, ready: bool }
    deffun stands(f: fighter) : bool { return f.health > 0; }
    deffun fighters() : fighter list {
        return [
            fighter{ name: \"Ann\", side: 0, health: 9, initiative: roll(d10) + 2, ready: true },
            fighter{ name: \"Bartholomew the Elder\", side: 0, health: 7, initiative: roll(d10), ready: false },
            fighter{ name: \"Orc\", side: 1, health: 12, initiative: roll(d10) + 1, ready: true },
        ];
    }
    defroll \"R\" main(rounds: int) {
        everyone = sorted(f by f.initiative descending for f : fighters());
        for (round : 1..rounds) {
            for (f : everyone) {
                if (!stands(f)) { continue; }
                if (!any(stands(foe) for foe : everyone if foe.side != f.side)) { continue; }
                foe = pick(foe for foe : everyone if foe.side != f.side && stands(foe));
                output(f.name + \" attacks \" + foe.name + \" in anger\");
                if (foe.ready) { foe.ready = false; } else { foe.health -= roll(d6); }
            }
        }
        for (f : everyone) { stat(\"left to \" + f.name, max(0, f.health)); }
        return count(stands(f) for f : everyone);
    }";
    assert_eq!(obstacle(text, &json!({"rounds": 4})), None);
}

/// Some numbers are too far away to have a cell.
#[test]
fn statistics_with_the_names_of_an_enum() {
    let text = "enum place { head, body, leg }
    defroll \"R\" main() {
        total = 0;
        for (i : 1..3) {
            at = match (roll(d10)) { 1: head, 2..6: body, else: leg };
            hurt = max(0, roll(2d6) - 4);
            stat(\"wounds to the \" + at, hurt);
            stat(\"far from the \" + at, hurt * hurt * 40 - 200);
            output(\"the \" + at + \" and the \" + at);
            total += hurt;
        }
        return total;
    }";
    assert_eq!(obstacle(text, &json!({})), None);
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

/// The searches of `party.dice` begin with a number that no lane holds, and all others fit 8 bits
/// but for a few.
#[test]
fn a_fight_of_ten() {
    let (script, args) = example("party");
    let bound = bind(&script, "fight", &args);
    let form = bound.specialised_vector_form().expect("no bug");
    let (form, _) = form.expect("it runs in lanes");
    assert_eq!(form.width, LaneWidth::V8);
    assert!(form.relay.is_some(), "fights differ in length");
}

/// What means "none yet" is in no lane, but only compared: by this language and by hand.
#[test]
fn numbers_that_stand_for_nothing() {
    for begins in ["9223372036854775807", "1000000", "-5"] {
        let text = format!(
            "defroll \"R\" main(xs: int list) {{
                best = {begins};
                for (x : xs) {{
                    face = roll(d20) + x;
                    if (face > 9 && (face < best || best < 0)) {{ best = face; }}
                }}
                least = least(x by roll(d6) for x : xs if x > 1);
                return best == {begins} ? -least : least;
            }}"
        );
        assert_eq!(obstacle(&text, &json!({"xs": [1, 2, 3]})), None, "{begins}");
    }
    let text = "defroll \"R\" main() {
        best = 1000000;
        repeat (2) { best = min(best, roll(d6)); }
        return best + 1;
    }";
    // It is used as a number, but the first iteration says what it is.
    assert_eq!(obstacle(text, &json!({})), None);
}

/// A table with an entry for each sum of dice, and fields of one of several records.
#[test]
fn what_follows_from_few_numbers() {
    let text = "deftype foe { hp: int, ac: int, kind: int }
    const PAY = [0, 5, 100, -100, 7, 20, 4, 9, 1, 3, 12, 80, 6, 11, 2, 13, 90, 14, 8, 10, 15];
    defroll \"R\" main(foes: foe list) {
        paid = 0;
        repeat (4) {
            f = pick(foes);
            face = roll(2d10);
            paid += PAY[face] + (f.ac > 12 ? f.kind : -f.ac) * (f.kind > 1 ? 3 : 2);
            f.hp -= 1;
        }
        return paid + count(f.hp <= 0 for f : foes);
    }";
    let foes = json!({"foes": [
        {"hp": 2, "ac": 15, "kind": 1}, {"hp": 1, "ac": 13, "kind": 0},
        {"hp": 1, "ac": 11, "kind": 2}, {"hp": 3, "ac": 17, "kind": 3},
        {"hp": 2, "ac": 12, "kind": 5},
    ]});
    assert_eq!(obstacle(text, &foes), None);
}

/// Sides with a small common multiple share a die, those without have one each.
#[test]
fn dice_of_few_sides() {
    for sides in [
        "[6, 8, 12]",
        "[4, 6, 8, 10, 12, 20]",
        "[1, 3, 7]",
        "[7, 11, 13]",
    ] {
        let text = format!(
            "const SIDES = {sides};
            defroll \"R\" main() {{ n = roll(d2); s = pick(SIDES); return d(n, s); }}"
        );
        assert_eq!(obstacle(&text, &json!({})), None, "{sides}");
        let bound = bind(&script(&text), "main", &json!({}));
        fit::check(&bound, &simulation(), 1.0);
    }
}

/// A loop changes how many dice there are, within a narrow range.
#[test]
fn dice_whose_number_a_loop_changes() {
    let text = "deftype car { place: int, gear: int = 1, worn: int }
    defroll \"R\" main() {
        cars = [car{}, car{}];
        rounds = 0;
        while (all(c.place < 20 for c : cars)) {
            rounds++;
            for (c : cars) {
                if (c.gear < 4 && c.worn < 2) { c.gear++; } else { c.gear = max(1, c.gear - 1); }
                c.place += roll(c.gear + \"d6\");
                if (roll(d20) == 1) { c.worn++; c.gear = 1; }
            }
        }
        stat(\"rounds\", rounds);
        return cars[0].place - cars[1].place;
    }";
    assert_eq!(obstacle(text, &json!({})), None);
    let bound = bind(&script(text), "main", &json!({}));
    fit::check(&bound, &simulation(), 1.0);
}

/// A shield takes no more than it has left, so what is left of it has a bound.
#[test]
fn shields_that_take_what_they_can() {
    let text = "deftype ship { hull: int, shields: int list }
    deffun fire(b: ship) {
        repeat (3) {
            side = roll(d3) - 1;
            hurt = roll(d6);
            absorbed = min(hurt, b.shields[side]);
            b.shields[side] -= absorbed;
            b.hull -= hurt - absorbed;
        }
    }
    defroll \"R\" main() {
        a = ship{ hull: 9, shields: [3, 4, 2] };
        b = ship{ hull: 12, shields: [5, 1, 0] };
        while (a.hull > 0 && b.hull > 0) { fire(a); fire(b); }
        return a.hull - b.hull;
    }";
    assert_eq!(obstacle(text, &json!({})), None);
    let bound = bind(&script(text), "main", &json!({}));
    fit::check(&bound, &simulation(), 1.0);
}

/// Each condition asks twice about the one before it, so that going through all parts of the last
/// one would never end.
#[test]
fn conditions_on_conditions() {
    let text = "defroll \"R\" main() {
        found = false;
        n = 0;
        for (i : 1..30) {
            if (!found && roll(d6) == 6) { found = true; n = i; }
            if (found && !(n > i - 2)) { n = n + 1; }
        }
        return n;
    }";
    assert_eq!(obstacle(text, &json!({})), None);
}

/// Two sides of a branch that no trial takes both of: one die serves both.
#[test]
fn dice_of_exclusive_sides() {
    let text = "defroll \"R\" main(bonus: int) {
        total = 0;
        repeat (3) {
            if (roll(d20) >= 11) {
                if (roll(d20) + bonus >= 15) { total += roll(2d6); }
            } else {
                if (roll(d20) >= 15) { total -= roll(2d6); } else { total += 1; }
            }
        }
        return total;
    }";
    let script = script(text);
    let bound = bind(&script, "main", &json!({"bonus": 4}));
    engines::check(&bound, 6, 200, &text);
    let form = bound.specialised_vector_form().expect("no bug");
    let (form, _) = form.expect("lanes");
    let drawn = form
        .region
        .layout
        .as_ref()
        .map_or(0, |layout| layout.dice());
    // Two d20 and two d6, three times.
    assert_eq!(drawn, 12);
    fit::check(&bound, &simulation(), 1.0);
}

/// A choice among what an outer choice has left: the goblins never heal, which only shows where the
/// addresses of heroes are ruled out.
#[test]
fn choices_that_others_narrow() {
    let (text, args) = example_text("party");
    // No other die has a multiple of 7 sides, so that these two stay dice of their own.
    let text = text.replace("roll(2d8 + 3)", "roll(2d7 + 3)");
    let bound = bind(&script(&text), "fight", &args);
    let form = bound.specialised_vector_form().expect("no bug");
    let (form, _) = form.expect("lanes");
    let function = form.function();
    let healed = function
        .live_insts()
        .filter(|&inst| function.insts[inst].op == Op::Packed);
    assert_eq!(healed.count(), 1, "only heroes heal");
}

/// Trials of different lengths: lanes play them one after the other, and each counts once.
#[test]
fn relays() {
    let text = "deftype creature { hp: int, sides: int }
    deffun falls(one: creature) { return one.hp <= 0; }
    defroll \"R\" main(heroes: creature list, foes: creature list) {
        rounds = 0;
        first = roll(d6);
        while (any(h.hp > 0 for h : heroes) && any(f.hp > 0 for f : foes)) {
            rounds++;
            for (h : heroes) {
                if (h.hp > 0 && any(f.hp > 0 for f : foes)) {
                    target = least(f by f.hp for f : foes if f.hp > 0);
                    target.hp -= roll(d6) + (first == 6 ? 1 : 0);
                }
            }
            for (f : foes) {
                if (f.hp > 0 && any(h.hp > 0 for h : heroes)) {
                    target = least(h by h.hp for h : heroes if h.hp > 0);
                    target.hp -= roll(d4);
                }
            }
        }
        stat(\"rounds\", rounds);
        last = roll(d4);
        return any(h.hp > 0 for h : heroes) ? last : 0;
    }";
    let script = script(text);
    let side = json!([{"hp": 7, "sides": 4}, {"hp": 5, "sides": 6}]);
    let bound = bind(&script, "main", &json!({"heroes": side, "foes": side}));
    for trials in [1, 7, 8, 100, 1000] {
        engines::check(&bound, 7, trials, &text);
    }
    fit::check(&bound, &simulation(), 1.0);
}

/// A few draws from a deck: it is a function of the index, and nothing is moved.
#[test]
fn draws_from_a_deck() {
    let cards = "deck = [i for i : 0..51]; ranks = [0; 13];
        repeat (5) { ranks[draw(deck) % 13] += 1; }
        return max(ranks);";
    let tokens = "bag = [2; 15] + [5; 10] + [7; 5];
        first = draw(bag);
        if (first == 2) { first += draw(bag); }
        return first + draw(bag);";
    let prices = "prices = [5, 12, 7, 120, 33, 2, 2, 90, 15, 44, 1, 250, 60, 8, 18, 27, 3, 71];
        return draw(prices) + draw(prices);";
    let hand = "deck = [];
        for (suit : 1..4) { for (rank : 1..13) { append(deck, min(rank, 10)); } }
        total = draw(deck) + draw(deck);
        if (total < 12) { total += draw(deck); }
        return total;";
    let spread = "deck = [name for name : [\"Sun\", \"Moon\", \"Star\", \"Tower\", \"World\"]];
        output(draw(deck) + \" now\");
        output(draw(deck) + \" then\");
        return len(deck);";
    let back = "deck = [i for i : 1..20];
        card = draw(deck);
        insert(deck, roll(d20) - 1, 50);
        append(deck, card);
        deck[3] = 60;
        return draw(deck) + 100 * remove(deck, roll(d20) - 1);";
    let rolled = "dice = [roll(d6); 5]; return draw(dice) + 10 * draw(dice);";
    for body in [cards, tokens, prices, hand, spread, back, rolled] {
        let text = format!("defroll \"R\" main() {{ {body} }}");
        assert_eq!(obstacle(&text, &json!({})), None, "{text}");
    }
}

/// Fields that nothing writes after a record is made are read at one of several addresses.
#[test]
fn records_of_a_trial_in_an_order_that_is_rolled() {
    let text = "deftype fighter { health: int, initiative: int }
    defroll \"R\" main() {
        everyone = [fighter{ health: 13, initiative: roll(d10) }, fighter{ health: 9, initiative: roll(d10) }];
        n = 0;
        for (f : sorted(f by f.initiative descending for f : everyone)) { n = n * 20 + f.health; }
        return n;
    }";
    assert_eq!(obstacle(text, &json!({})), None);
    let bound = bind(&script(text), "main", &json!({}));
    fit::check(&bound, &simulation(), 1.0);
}

/// Draws as long as something holds: nobody knows how many.
#[test]
fn draws_without_end() {
    let text = "defroll \"R\" main() {
        deck = [i for i : 1..40];
        total = 0;
        while (total < 100) { total += draw(deck); }
        return total;
    }";
    assert!(matches!(obstacle(text, &json!({})), Some(Obstacle::Op(_))));
}
