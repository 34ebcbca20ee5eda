//! What reports on attacks, fights and tests of the d100 rules rely on: names of fighters,
//! statistics, lines, advice and notes (seed 003; issue 15, 2 and 4).

use crate::dh2e_fights::{actor, exact, fight, fighter};
use crate::dh2e_scenarios::{bound, example};
use dicec_games::dh2e::{
    At, Circumstances, FightPlan, Happening, Notes, Purpose, Scenario, Synthetics, Tested, Wrong,
    read_actor, test_script,
};
use serde_json::{Value, json};

fn plan(scenario: &Value) -> Result<FightPlan, Wrong> {
    plan_noting(scenario, &mut Notes::default())
}

fn plan_noting(scenario: &Value, notes: &mut Notes) -> Result<FightPlan, Wrong> {
    let made = Scenario::read(scenario)?.fight_plan(Purpose::Trials, notes)?;
    Ok(made.expect("a fight"))
}

/// Three fighters of two sides and of three entries who have one name.
fn scavs() -> Value {
    let scav = || actor("Scav", 30, &json!({}));
    let one = vec![fighter(scav(), &json!({ "count": 2 }))];
    let other = vec![
        fighter(
            actor("Rat", 30, &json!({ "wounds": 0 })),
            &json!({ "count": 3 }),
        ),
        fighter(scav(), &json!({})),
    ];
    fight(1, one, other, &json!({}))
}

/// Fighters of one name are told apart, wherever they stand.
#[test]
fn fighters_have_names_of_their_own() {
    let mut scenario = scavs();
    let made = plan(&scenario).expect("a fight");
    let titles: Vec<&str> = made.kinds.iter().map(|kind| kind.title.as_str()).collect();
    assert_eq!(titles, ["Scav 1 to 2", "Rat", "Scav 3"]);
    assert_eq!(made.kinds[0].names, ["Scav 1", "Scav 2"]);
    assert_eq!(made.kinds[0].wounds, 40);
    let sides: Vec<&str> = made.sides.iter().map(|side| side.name.as_str()).collect();
    assert_eq!(sides, ["First", "Second"]);
    scenario["sides"][1]["fighters"][0]["actor"]["name"] = json!("Scav 1");
    scenario["sides"][1]["fighters"][0]["count"] = json!(1);
    let wrong = plan(&scenario).expect_err("two of one name");
    assert_eq!(
        wrong.to_string(),
        "`$.sides` has two fighters who are called `Scav 1`"
    );
}

/// The statistics say who stands and how many wounds are left: nobody hurts anybody here, and the
/// rats have no wounds to begin with.
#[test]
fn standing_and_wounds_are_noted() {
    let mut scenario = scavs();
    for side in 0..2 {
        scenario["sides"][side]["fighters"][0]["count"] = json!(1);
    }
    let answer = exact(&bound(&scenario));
    let mean = |name: &str| {
        let stat = answer.stats.iter().find(|stat| stat.name == name);
        let stat = stat.unwrap_or_else(|| panic!("no {name}: {:?}", answer.stats));
        stat.odds.as_ref().expect("it is noted").mean()
    };
    let made = plan(&scenario).expect("a fight");
    for (kind, standing) in made.kinds.iter().zip([1.0, 0.0, 1.0]) {
        assert!((mean(&kind.standing) - standing).abs() < 1e-9, "{kind:?}");
        let left: f64 = kind.wounds_left().map(|name| mean(&name)).sum();
        assert!((left - 20.0 * standing).abs() < 1e-9, "{kind:?}: {left}");
    }
}

/// Lines are about a kind of fighters, whoever of them it is.
#[test]
fn lines_belong_to_kinds() {
    let made = plan(&scavs()).expect("a fight");
    let [first, rats, last] = &made.kinds[..] else {
        panic!("three kinds: {:?}", made.kinds);
    };
    let line = "Scav 2 is stunned for 2 rounds";
    let stunned = Some(Happening::Condition("is stunned for 2 rounds"));
    assert_eq!(first.happening(line), stunned);
    assert_eq!((rats.happening(line), last.happening(line)), (None, None));
    let injury = Some(Happening::Injury("ribs break"));
    assert_eq!(last.happening("Scav 3: ribs break"), injury);
}

/// "Domains": `power:{slug}` and `skill:{name}:{useSlug}`, however the names are written.
#[test]
fn names_become_slugs() {
    let json = json!({
        "name": "A",
        "characteristics": { "wp": 40, "int": 30 },
        "skills": [{ "name": "Common Lore", "characteristic": "int", "uses": [{ "name": "Old War" }] }],
        "powers": [{ "name": "Force Bolt", "focus": 5 }],
        "items": [{ "name": "Focus", "rules": [
            { "key": "FlatModifier", "domain": "power:force-bolt", "value": 7 },
            { "key": "FlatModifier", "domain": "skill:common-lore:old-war", "value": 3 },
        ] }],
    });
    let actor = read_actor(&json).expect("an actor");
    let target = |tested| {
        let circumstances = Circumstances::default();
        let made = test_script(&actor, &tested, None, circumstances, &mut Notes::default());
        made.expect("a test").target
    };
    assert_eq!(target(Tested::Power("Force Bolt", true)), 40 + 5 + 50 + 7);
    assert_eq!(target(Tested::Power("force-bolt", false)), 40 + 5 + 25 + 7);
    assert_eq!(target(Tested::Skill("common-lore:old-war")), 33);
    assert_eq!(target(Tested::Skill("Common Lore:Old War")), 33);
    assert_eq!(target(Tested::Skill("Common Lore")), 30);
}

/// "Weapon Qualities": Balanced is +10 to parry, for whoever has the weapon in hand.
#[test]
fn a_test_has_a_weapon_in_hand() {
    let json = json!({
        "name": "D",
        "characteristics": { "ws": 40 },
        "skills": [{ "name": "parry", "characteristic": "ws" }],
        "weapons": [
            { "name": "Club", "class": "melee", "damage": "1d5" },
            { "name": "Foil", "class": "Melee", "damage": "1d5", "qualities": ["Balanced"] },
        ],
    });
    let actor = read_actor(&json).expect("an actor");
    let test = |weapon| {
        let circumstances = Circumstances {
            weapon,
            ..Circumstances::default()
        };
        test_script(
            &actor,
            &Tested::Skill("parry"),
            None,
            circumstances,
            &mut Notes::default(),
        )
    };
    assert_eq!(test(None).expect("a test").target, 40);
    assert_eq!(test(Some("Club")).expect("a test").target, 40);
    assert_eq!(test(Some("Foil")).expect("a test").target, 50);
    let wrong = test(Some("Foyl")).expect_err("no such weapon");
    assert_eq!(wrong.help.as_deref(), Some("did you mean `Foil`?"));
}

/// "Common Roll Options": a weapon in hand sets the option of its class.
#[test]
fn a_weapon_in_hand_sets_its_class() {
    let json = json!({
        "name": "D",
        "characteristics": { "bs": 40 },
        "weapons": [{ "name": "Gun", "class": "Las", "damage": "1d10" }],
        "items": [{ "name": "Trained", "rules": [{
            "key": "FlatModifier", "domain": "characteristic:bs", "value": 7, "predicate": ["weapon:class:las"],
        }] }],
    });
    let actor = read_actor(&json).expect("an actor");
    for (weapon, target) in [(None, 40), (Some("Gun"), 47)] {
        let circumstances = Circumstances {
            weapon,
            ..Circumstances::default()
        };
        let tested = Tested::Characteristic("bs");
        let made = test_script(&actor, &tested, None, circumstances, &mut Notes::default());
        assert_eq!(made.expect("a test").target, target, "{weapon:?}");
    }
}

/// What has no rules is noted, unless an item asks for it; what is noted twice is told once.
#[test]
fn qualities_without_rules_are_noted() {
    let notes = |scenario: &Value| {
        let mut notes = Notes::default();
        plan_noting(scenario, &mut notes).expect("a fight");
        let notes = notes.all().iter();
        notes
            .map(|note| (note.path.clone(), note.help.clone()))
            .collect::<Vec<_>>()
    };
    let mut scenario = scavs();
    assert_eq!(notes(&scenario), []);
    let path = "/sides/1/fighters/0/actor";
    let rat = scenario.pointer_mut(path).expect("a rat");
    rat["weapons"][0]["qualities"] = json!(["Flame", "Razor Sharq", "Toxic(2)"]);
    let at = |index| format!("$.sides[1].fighters[0].actor.weapons[0].qualities[{index}]");
    let near = Some("did you mean `Razor Sharp`?".to_owned());
    assert_eq!(notes(&scenario), [(at(1), near), (at(2), None)]);
    let rat = scenario.pointer_mut(path).expect("a rat");
    rat["items"] = json!([{ "name": "Venom", "rules": [{
        "key": "FlatModifier", "domain": "damage:melee", "value": 2,
        "predicate": ["weapon:quality:toxic", "not:weapon:quality:razor-sharq"],
    }] }]);
    assert_eq!(notes(&scenario), []);
}

/// "Fatigue": above TB and WPB together, somebody is unconscious.
#[test]
fn exhaustion_is_noted() {
    for (fatigue, is_noted) in [(6, false), (7, true)] {
        let actor = actor("Ann", 30, &json!({ "fatigue": fatigue }));
        let actor = read_actor(&actor).expect("an actor");
        let mut notes = Notes::default();
        let tested = Tested::Characteristic("ws");
        test_script(&actor, &tested, None, Circumstances::default(), &mut notes).expect("a test");
        let paths: Vec<&str> = notes.all().iter().map(|note| note.path.as_str()).collect();
        assert_eq!(paths, ["$.fatigue"][..usize::from(is_noted)], "{fatigue}");
    }
}

/// Options and domains that are almost those of an item are probably typos.
#[test]
fn options_that_are_almost_asked_for_are_noted() {
    let items = json!([{ "label": "Aim", "value": 10, "domain": "attack:ranged", "predicate": ["self:aim:full"] }]);
    let items = Synthetics::read(&At::root(&items), &mut Notes::default()).expect("items");
    let advice = |given: &dyn Fn(&mut Notes)| {
        let mut notes = Notes::default();
        given(&mut notes);
        notes.all().first().and_then(|note| note.help.clone())
    };
    for (option, near) in [
        ("self:aim:ful", Some("self:aim:full")),
        ("self:aim:full", None),
        ("self:aim", None),
        ("target:prone", None),
    ] {
        let found = advice(&|notes| items.note_option(option, "--option", notes));
        assert_eq!(
            found,
            near.map(|near| format!("did you mean `{near}`?")),
            "{option}"
        );
    }
    let domain = |name| advice(&|notes| items.note_domain(name, "--domain", notes));
    assert_eq!(
        domain("attack:rangd").as_deref(),
        Some("did you mean `attack:ranged`?")
    );
    assert_eq!(domain("attack:ranged"), None);
    assert_eq!(domain("skill:dodge"), None);
}

/// Mistakes come with what to write instead.
#[test]
fn mistakes_have_advice() {
    let advice = |change: &dyn Fn(&mut Value)| {
        let mut scenario = scavs();
        change(&mut scenario);
        let wrong = plan(&scenario).expect_err("a mistake");
        (wrong.path, wrong.help.expect("advice"))
    };
    let first = "/sides/0/fighters/0";
    let changed = |member: &str, value: Value| {
        advice(&|s| {
            let whole = format!("{first}/{member}");
            let (path, member) = whole.rsplit_once('/').expect("a path");
            let owner = s.pointer_mut(path).expect("it is there");
            owner[member] = value.clone();
        })
    };
    for ((path, help), expected, advised) in [
        (
            changed("weapon", json!("Stik")),
            "weapon",
            "did you mean `Stick`?",
        ),
        (
            changed("tactic", json!("grappel")),
            "tactic",
            "did you mean `grapple`?",
        ),
        (
            changed("wepon", json!("Stick")),
            "wepon",
            "did you mean `weapon`?",
        ),
        (changed("mode", json!("semi")), "mode", "leave the mode out"),
        (
            changed(
                "actor/armour",
                json!([{ "name": "Cap", "points": { "haed": 1 } }]),
            ),
            "actor.armour[0].points.haed",
            "did you mean `head`?",
        ),
        (
            changed(
                "actor/weapons",
                json!([{ "name": "Stick", "class": "melee", "damage": "lots" }]),
            ),
            "actor.weapons[0].damage",
            "write dice and numbers: `1d10+3`",
        ),
        (
            changed("actor/wounds", json!("many")),
            "actor.wounds",
            "write a number without quotes and without a fraction",
        ),
    ] {
        assert_eq!(path, format!("$.sides[0].fighters[0].{expected}"));
        assert_eq!(help, advised, "{path}");
    }
    // The words are those of people who write JSON, not those of the program's types.
    for (member, value, what) in [
        ("mode", json!(1), "is a number, not a text"),
        ("mode", json!({}), "is an object, not a text"),
        ("tactic", json!(true), "is `true` or `false`, not a text"),
        (
            "count",
            json!(5_000_000_000_u64),
            "is 5000000000, which is too great",
        ),
        (
            "count",
            json!(1.5),
            "is a number with a fraction, not a whole number from 0 on",
        ),
        (
            "actor/skills",
            json!([{ "name": "a", "characteristic": "ag", "tier": 300 }]),
            "is 300, which is too great",
        ),
        (
            "actor/wounds",
            json!(u64::MAX),
            "is 18446744073709551615, which is too great",
        ),
    ] {
        let mut scenario = scavs();
        let whole = format!("{first}/{member}");
        let (path, member) = whole.rsplit_once('/').expect("a path");
        scenario.pointer_mut(path).expect("it is there")[member] = value;
        let wrong = plan(&scenario).expect_err("a mistake");
        assert_eq!(wrong.what, what, "{}", wrong.path);
    }
    let items = json!([{ "label": "Aim", "value": 10 }, { "label": "Rest", "value": 5, "toggleable": true }]);
    let mut items = Synthetics::read(&At::root(&items), &mut Notes::default()).expect("items");
    for (label, advised) in [
        ("Rets", "did you mean `Rest`?"),
        ("Aim", "add `\"toggleable\": true` to it"),
        ("Charge", "there is `Rest`"),
    ] {
        let wrong = items.toggle(&[label.to_owned()], "$").expect_err(label);
        assert_eq!(wrong.help.as_deref(), Some(advised));
    }
    let vessa = read_actor(&example("vessa.json")).expect("an actor");
    let tested = Tested::Characteristic("Weapon Skill");
    let made = test_script(
        &vessa,
        &tested,
        None,
        Circumstances::default(),
        &mut Notes::default(),
    );
    let help = made.expect_err("a long name").help;
    assert_eq!(
        help.as_deref(),
        Some("the short name of Weapon Skill is `ws`")
    );
}
