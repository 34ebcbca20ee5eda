//! Changes of scenarios by name, and the exact odds of duels (issue 15, 4: "The whole of it from a
//! table").

use crate::dh2e_scenarios::example;
use dicec_compiler::answer::Answer;
use dicec_games::dh2e::{Change, Notes, Purpose, Scenario};
use dicec_tests::engines;
use dicec_tests::programs::{first, script};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn duel() -> Value {
    let fighter = |side: &str, name: &str, ws: i64, ag: i64, wounds: i64, damage: &str, ap: i64| {
        json!({ "name": side, "fighters": [{ "actor": {
            "name": name,
            "characteristics": { "ws": ws, "bs": 30, "s": 40, "t": 40, "ag": ag, "wp": 30 },
            "wounds": wounds,
            "skills": [{ "name": "dodge", "characteristic": "ag", "uses": [{ "name": "dodge-attack" }] }],
            "weapons": [
                { "name": "Blade", "class": "melee", "damage": damage, "damageType": "rending" },
                { "name": "Gun", "class": "las", "damage": "1d10", "rof": { "semi": 3 } },
            ],
            "armour": [{ "name": "Coat", "points": { "all": ap } }],
        } }] })
    };
    json!({ "name": "Duel", "rounds": 30, "sides": [
        fighter("Red", "Ann", 40, 41, 12, "1d10+4", 3),
        fighter("Blue", "Bob", 35, 32, 14, "1d10+5", 2),
    ] })
}

fn read(json: &Value) -> Scenario {
    Scenario::read(json).expect("a scenario")
}

fn written(scenario: &Scenario, purpose: Purpose) -> String {
    let written = scenario.script(purpose, &mut Notes::default());
    written.unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// A scenario with a change made.
fn changed(json: &Value, name: &str, text: &str) -> Result<Scenario, String> {
    let mut scenario = read(json);
    let change = Change::named(name, &scenario).map_err(|wrong| wrong.to_string())?;
    let change = change.ok_or("about something else")?;
    let applied = change.apply(text, &mut scenario);
    applied.map_err(|wrong| wrong.to_string())?;
    Ok(scenario)
}

/// What a name changes, with a text, and the same written into the document.
type Same<'a> = (&'a str, &'a str, &'a [(&'a str, Value)]);

#[track_caller]
fn same(json: &Value, cases: &[Same<'_>]) {
    let before = written(&read(json), Purpose::Trials);
    for (name, text, edits) in cases {
        let by_name = changed(json, name, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut by_hand = json.clone();
        for (pointer, value) in *edits {
            let (owner, member) = pointer.rsplit_once('/').expect("a pointer");
            let owner = by_hand.pointer_mut(owner).expect("it is there");
            match member.parse::<usize>() {
                Ok(index) => owner[index] = value.clone(),
                Err(_) => owner[member] = value.clone(),
            }
        }
        let found = written(&by_name, Purpose::Trials);
        assert_eq!(found, written(&read(&by_hand), Purpose::Trials), "{name}");
        assert_ne!(found, before, "{name} changes nothing");
    }
}

/// A changed scenario has the script of one that was written like that.
#[test]
fn changes_are_as_good_as_written() {
    let ann = "/sides/0/fighters/0";
    let at = |rest: &str| format!("{ann}/{rest}");
    let [count, weapon, mode, options] = ["count", "weapon", "mode", "options"].map(at);
    let [tactic, defence, wounds] = ["tactic", "defence", "actor/wounds"].map(at);
    let [fatigue, conditions, armour] =
        ["actor/fatigue", "actor/conditions", "actor/armour"].map(at);
    let [ws, bs, tier] = [
        "actor/characteristics/ws",
        "actor/characteristics/bs",
        "actor/skills/0/tier",
    ]
    .map(at);
    let [damage, bonus, penetration, qualities, craftsmanship] = [
        "damage",
        "bonus",
        "penetration",
        "qualities",
        "craftsmanship",
    ]
    .map(|member| at(&format!("actor/weapons/0/{member}")));
    let everywhere = json!([{ "name": "armour", "points": { "all": 7 } }]);
    let head = json!([
        { "name": "Coat", "points": { "all": 3, "head": 0 } },
        { "name": "armour", "points": { "head": 7 } },
    ]);
    let mut able = duel();
    able["sides"][0]["fighters"][0]["defence"] = json!("dodge");
    same(
        &duel(),
        &[
            ("rounds", "7", &[("/rounds", json!(7))]),
            ("Ann.count", "3", &[(&count, json!(3))]),
            ("first.count", " 2 ", &[(&count, json!(2))]),
            ("red.ws", "55", &[(&ws, json!(55))]),
            ("Ann.Weapon Skill", "55", &[(&ws, json!(55))]),
            ("Ann.weapon", "Gun", &[(&weapon, json!("Gun"))]),
            (
                "Ann.options",
                "target:prone; self:aim",
                &[(&options, json!(["target:prone", "self:aim"]))],
            ),
            ("Ann.tactic", "Grapple", &[(&tactic, json!("grapple"))]),
            (
                "Ann.defence",
                "dodge:dodge-attack",
                &[(&defence, json!("dodge:dodge-attack"))],
            ),
            ("Ann.wounds", "20", &[(&wounds, json!(20))]),
            ("Ann.fatigue", "2", &[(&fatigue, json!(2))]),
            (
                "Ann.conditions",
                "prone; stunned",
                &[(&conditions, json!(["prone", "stunned"]))],
            ),
            ("Ann.armour", "7", &[(&armour, everywhere)]),
            ("ANN.Armour.Head", "7", &[(&armour, head)]),
            ("Ann.damage", "2d10", &[(&damage, json!("2d10"))]),
            ("Ann.bonus", "-1", &[(&bonus, json!(-1))]),
            ("Ann.penetration", "4", &[(&penetration, json!(4))]),
            (
                "Ann.qualities",
                "Tearing;Proven(3)",
                &[(&qualities, json!(["Tearing", "Proven(3)"]))],
            ),
            (
                "Ann.craftsmanship",
                "best",
                &[(&craftsmanship, json!("best"))],
            ),
        ],
    );
    same(&able, &[("Ann.dodge", "3", &[(&tier, json!(3))])]);
    let mut armed = duel();
    armed["sides"][0]["fighters"][0]["weapon"] = json!("Gun");
    same(&armed, &[("Ann.mode", "semi", &[(&mode, json!("semi"))])]);
    same(&armed, &[("Ann.bs", "50", &[(&bs, json!(50))])]);
    let mut burst = example("burst.json");
    burst["attacker"] = example("vessa.json");
    burst["target"] = example("brute.json");
    same(
        &burst,
        &[
            (
                "attacker.bs",
                "50",
                &[("/attacker/characteristics/bs", json!(50))],
            ),
            ("Vessa Korr.mode", "semi", &[("/mode", json!("semi"))]),
            (
                "attacker.options",
                "self:prone",
                &[("/options", json!(["self:prone"]))],
            ),
            (
                "target.t",
                "60",
                &[("/target/characteristics/t", json!(60))],
            ),
            ("Furnace brute.wounds", "9", &[("/target/wounds", json!(9))]),
        ],
    );
    // An empty cell changes nothing.
    let unchanged = changed(&duel(), "Ann.ws", " ").expect("it may be empty");
    assert_eq!(
        written(&unchanged, Purpose::Odds),
        written(&read(&duel()), Purpose::Odds)
    );
}

/// A change of a side is one of all its fighters, and one of a name is of all who have it.
#[test]
fn changes_are_of_everybody_who_is_meant() {
    let mut several = duel();
    let bob = several["sides"][1]["fighters"][0].clone();
    let fighters = several["sides"][1]["fighters"]
        .as_array_mut()
        .expect("fighters");
    fighters.push(bob.clone());
    let mut dan = bob;
    dan["actor"]["name"] = json!("Dr. Dan");
    fighters.push(dan);
    let wounds = |pointers: &[usize]| {
        let mut edited = several.clone();
        for index in pointers {
            edited["sides"][1]["fighters"][*index]["actor"]["wounds"] = json!(5);
        }
        written(&read(&edited), Purpose::Trials)
    };
    let by = |name: &str| {
        let changed = changed(&several, name, "5").unwrap_or_else(|why| panic!("{name}: {why}"));
        written(&changed, Purpose::Trials)
    };
    assert_eq!(by("Bob.wounds"), wounds(&[0, 1]));
    assert_eq!(by("Blue.wounds"), wounds(&[0, 1, 2]));
    assert_eq!(by("second.wounds"), wounds(&[0, 1, 2]));
    // A name may have a point in it.
    assert_eq!(by("Dr. Dan.wounds"), wounds(&[2]));
}

#[test]
fn what_cannot_be_changed_is_named() {
    for (name, text, expected) in [
        ("label", "x", "about something else"),
        ("Zachary.note", "x", "about something else"),
        ("Anne.ws", "5", "`Anne.ws` names nobody in this scenario"),
        (
            "Ann.called",
            "head",
            "`called` is nothing of a fighter that can be changed",
        ),
        (
            "Ann.armour.tail",
            "1",
            "`armour.tail` is nothing of a fighter that can be changed",
        ),
        (
            "Ann.count",
            "-1",
            "`Ann.count` is below 0, not a whole number from 0 on",
        ),
        ("Ann.ws", "many", "`Ann.ws` is a text, not a whole number"),
        (
            "Ann.ws",
            "2.5",
            "`Ann.ws` is a number with a fraction, not a whole number",
        ),
        ("Ann.mode", "auto", "`Ann.mode` cannot be `auto`"),
        (
            "Ann.count",
            "5000000000",
            "`Ann.count` is 5000000000, which is too great",
        ),
        (
            "Ann.wounds",
            "5000000000",
            "`Ann.wounds` is 5000000000, beyond ±1000000000",
        ),
        (
            "Ann.wounds",
            "99999999999999999999",
            "`Ann.wounds` is 1e+20, which is too great",
        ),
        (
            "Ann.wounds",
            "-3",
            "`Ann.wounds` is -3, and counts from 0 on",
        ),
        ("rounds", "0", "`rounds` is 0, not a whole number above 0"),
        (
            "Ann.conditions",
            "prone; stuned",
            "`Ann.conditions` has `stuned`, which is not a condition with rules",
        ),
        (
            "Ann.qualities",
            "Tearin",
            "`Ann.qualities` has `Tearin`, which is not a quality with rules",
        ),
        (
            "Ann.damage",
            "1d10+x",
            "`Ann.damage` is `1d10+x`: the word `x` means nothing here",
        ),
    ] {
        let found = changed(&duel(), name, text).map(|_| ());
        assert_eq!(found, Err(expected.to_owned()), "{name}");
    }
}

/// The wounds of a blow, by the rules: a hit anywhere, for the same armour is everywhere.
fn blow(ws: i64, bonus: i64, soak: i64) -> BTreeMap<i64, f64> {
    let hits = (1..=100).filter(|&face| face == 1 || face != 100 && face <= ws);
    let hit = hits.count() as f64 / 100.0;
    let mut all = BTreeMap::from([(0, 1.0 - hit)]);
    for die in 1..=10 {
        *all.entry((die + bonus - soak).max(0)).or_default() += hit / 10.0;
    }
    all
}

/// The chances that Ann and Bob win, and those of the wounds that are left to Ann: turn by turn.
fn by_hand(rounds: u32) -> (f64, f64, f64) {
    let blows = [blow(40, 4, 2 + 4), blow(35, 5, 3 + 4)];
    // Of equal ones the higher agility bonus is first: 1d10 + 4 against 1d10 + 3.
    let pairs = (1..=10).flat_map(|ann: i64| (1..=10).map(move |bob: i64| ann + 4 >= bob + 3));
    let ann_first = pairs.filter(|&first| first).count() as f64 / 100.0;
    let mut fights: BTreeMap<(usize, [i64; 2]), f64> =
        BTreeMap::from([((0, [12, 14]), ann_first), ((1, [12, 14]), 1.0 - ann_first)]);
    let mut won = [0.0, 0.0];
    let mut left = 0.0;
    for _ in 0..2 * rounds {
        let mut next: BTreeMap<(usize, [i64; 2]), f64> = BTreeMap::new();
        for ((acts, health), p) in fights {
            for (wounds, q) in &blows[acts] {
                let mut health = health;
                health[1 - acts] = (health[1 - acts] - wounds).max(0);
                match health[1 - acts] {
                    0 => {
                        won[acts] += p * q;
                        left += p * q * health[0] as f64;
                    }
                    _ => *next.entry((1 - acts, health)).or_default() += p * q,
                }
            }
        }
        fights = next;
    }
    left += fights
        .iter()
        .map(|((_, health), p)| p * health[0] as f64)
        .sum::<f64>();
    (won[0], won[1], left)
}

fn chance(answer: &Answer, of: &str) -> f64 {
    let result = answer.result.as_ref().expect("a winner");
    let outcomes = result.outcomes().into_iter();
    let of_it = outcomes.filter(|outcome| result.name(outcome.value) == Some(of));
    of_it.map(|outcome| result.share(&outcome).p).sum()
}

/// A duel has exact odds, which a second computation has, too; the script for trials has the same
/// ones, and both run on every engine.
#[test]
fn duels_are_exact() {
    let scenario = read(&duel());
    let bound = |purpose| first(&script(&written(&scenario, purpose)), &json!({}));
    let (ann, bob, left) = by_hand(30);
    let answer = crate::dh2e_fights::exact(&bound(Purpose::Odds));
    for (name, expected) in [("redIs", ann), ("blue", bob), ("nobody", 1.0 - ann - bob)] {
        let found = chance(&answer, name);
        assert!(
            (found - expected).abs() < 1e-9,
            "{name}: {found}, not {expected}"
        );
    }
    let of_ann = answer
        .stats
        .iter()
        .find(|stat| stat.name == "wounds left to Ann");
    let mean = of_ann
        .and_then(|stat| Some(stat.odds.as_ref()?.mean()))
        .expect("it is noted");
    assert!((mean - left).abs() < 1e-9, "{mean}, not {left}");
    // Both scripts roll the same dice and tell the same lines.
    let mut outcomes = Vec::new();
    for purpose in [Purpose::Trials, Purpose::Odds] {
        let outcome = engines::check(&bound(purpose), 1, 40, &"duel");
        outcomes.push((outcome.results, outcome.lines));
    }
    assert_eq!(outcomes[0], outcomes[1]);
}
