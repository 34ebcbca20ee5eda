//! Encounters (seed 001, SRD 5.1): the script that `games/encounter` writes is rolled, and a second
//! simulator plays the same fight with the same dice, blow by blow.

use super::encounter_characters::change;
use super::encounter_concentration::cast;
use super::encounter_features::example;
use super::encounter_gifts::{gift, gifts};
use super::encounter_martial::train;
use arbitrary::{Result, Unstructured};
use dicec_compiler::{Compiler, ScriptSession, Step};
use dicec_games::GENERATED;
use dicec_games::encounter::{
    Bestiary, Escape, Heal, Plan, Purpose, Told as Form, encounter_script, read_line,
};
use dicec_tests::encounter::{Dice, Side, fight_at, splitmix};
use dicec_tests::programs::bind;
use rayon::iter::{Either, IntoParallelIterator, ParallelIterator};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many encounters are compared.
const ENCOUNTERS: u64 = 1_500;

/// The creatures of the SRD, as JSON.
pub(crate) fn srd() -> Vec<Value> {
    let text = include_str!("../../../games/src/encounter/bestiary/srd-5.1.json");
    serde_json::from_str(text).expect("it is a list")
}

/// The lines of a fight, its winner, and its dice.
type Told = (Vec<String>, String, Vec<(u32, i64)>);

/// A fight of these creatures as the script tells it; none if nobody can attack.
fn told(
    line: &str,
    sides: &[Side; 2],
    distance: Option<u32>,
    is_plain: bool,
    seed: u64,
) -> Option<Told> {
    let bestiary = Bestiary::srd();
    let mut encounter = read_line(line, &bestiary).unwrap_or_else(|wrong| panic!("{wrong}"));
    for (of_side, side) in encounter.sides.iter_mut().zip(sides) {
        for (group, (block, ..)) in of_side.creatures.iter_mut().zip(&side.kinds) {
            group.creature = block.clone();
            group.arrives = block["arrives"].as_u64().map(|round| round as u32);
        }
        of_side.surprised = side.surprised;
        of_side.heal = match side.heal.as_str() {
            "half" => Heal::Half,
            "never" => Heal::Never,
            _ => Heal::Fallen,
        };
        of_side.escape = match side.escape.as_str() {
            "always" => Escape::Always,
            "restrained" => Escape::Restrained,
            "never" => Escape::Never,
            _ => Escape::Stuck,
        };
    }
    encounter.plain = is_plain;
    encounter.rounds = 12;
    encounter.distance = distance;
    let plan = match Plan::new(&encounter, &bestiary) {
        Ok(plan) => plan,
        Err(wrong) if wrong.what == "have nobody who could attack" => return None,
        Err(wrong) => panic!("{line}: {wrong}"),
    };
    let script = encounter_script(&plan, Form::Blows, Purpose::Trials).expect("short enough");
    let program = Compiler::new().source_limits(GENERATED).script(&script);
    let program = program.unwrap_or_else(|found| panic!("{line}: {found:?}\n{script}"));
    let bound = bind(&program, "encounter", &json!({}));
    let mut session = ScriptSession::new(seed);
    let played = bound
        .play(&mut session)
        .unwrap_or_else(|failure| panic!("{line}: {failure:?}"));
    let mut lines = Vec::new();
    gather(&played.steps, &mut lines);
    let dice = played.rolls.iter().flat_map(|roll| &roll.table);
    let dice = dice.map(|die| (die.sides, die.face)).collect();
    Some((lines, played.label.unwrap_or_default(), dice))
}

pub(crate) fn gather(steps: &[Step], lines: &mut Vec<String>) {
    for step in steps {
        match step {
            Step::Line(line) => lines.push(line.clone()),
            Step::Group(steps) => gather(steps, lines),
            Step::Roll(_) | Step::Option(_) => {}
        }
    }
}

/// A side of up to three kinds: its part of the line, and its stat blocks.
fn side(source: &mut Unstructured<'_>, srd: &[Value]) -> Result<(String, Side)> {
    let mut parts = Vec::new();
    let mut kinds = Vec::new();
    for _ in 0..source.int_in_range(1..=2)? {
        let block = &srd[source.choose_index(srd.len())?];
        let count = source.int_in_range(1..=3)?;
        let name = block["name"].as_str().expect("a name").to_owned();
        parts.push(format!("{count} {name}"));
        kinds.push((block.clone(), count, name));
    }
    let escapes = ["", "restrained", "always", "stuck", "never"];
    let side = Side {
        kinds,
        heal: String::new(),
        escape: (*source.choose(&escapes)?).to_owned(),
        ..Side::default()
    };
    Ok((parts.join(", "), side))
}

/// The names that both sides' reports use: those that are listed twice have their number.
fn titles(sides: &mut [Side; 2]) {
    let all: Vec<String> = sides
        .iter()
        .flat_map(|side| &side.kinds)
        .map(|one| one.2.clone())
        .collect();
    let kinds = sides.iter_mut().flat_map(|side| &mut side.kinds);
    for (number, kind) in kinds.enumerate() {
        if all.iter().filter(|name| **name == kind.2).count() > 1 {
            kind.2 = format!("{} ({})", kind.2, number + 1);
        }
    }
}

/// A fight that was played twice: its lines, and the traits and reactions of its creatures.
#[derive(Default)]
pub(crate) struct Played {
    pub(crate) lines: Vec<String>,
    traits: Vec<String>,
}

/// The names of the traits and reactions of creatures that fight; none in plain fights.
fn traits(sides: &[Side; 2], is_plain: bool) -> Vec<String> {
    let blocks = sides
        .iter()
        .flat_map(|side| &side.kinds)
        .filter(|_| !is_plain);
    let lists = blocks.flat_map(|kind| [&kind.0["traits"], &kind.0["reactions"]]);
    let all = lists.filter_map(Value::as_array).flatten();
    all.filter_map(|one| Some(one["name"].as_str()?.to_owned()))
        .collect()
}

/// Plays an encounter twice. Gives what was played, or how the two differ.
fn compare(
    source: &mut Unstructured<'_>,
    srd: &[Value],
    has_positions: bool,
    number: usize,
) -> Result<std::result::Result<Played, String>> {
    let (first, one) = side(source, srd)?;
    let (second, other) = side(source, srd)?;
    let mut sides = [one, other];
    titles(&mut sides);
    let is_plain = source.ratio(1, 4)?;
    let line = format!("{first} vs {second}");
    let distance = match has_positions {
        true => Some(*source.choose(&[0_u32, 10, 30, 60, 150])?),
        false => None,
    };
    let seed = source.arbitrary()?;
    if source.ratio(1, 3)? {
        change(source, &mut sides)?;
    }
    if source.ratio(1, 3)? {
        cast(source, &mut sides)?;
    }
    for side in &mut sides {
        side.surprised = source.ratio(1, 8)?;
        let later = source.int_in_range(2..=4)?;
        let is_late = source.ratio(1, 6)?;
        if let [_, (block, ..)] = &mut side.kinds[..]
            && is_late
            && block["character"] != true
        {
            block["arrives"] = later.into();
        }
    }
    // Plain fights have no features.
    if !is_plain && source.ratio(1, 2)? {
        gift(source, &mut sides, number)?;
    }
    if source.ratio(1, 4)? {
        train(source, &mut sides)?;
    }
    let Some((lines, winner, dice)) = told(&line, &sides, distance, is_plain, seed) else {
        return Ok(Ok(Played::default()));
    };
    let mut dice = Dice::new(dice);
    let between = distance.map(i64::from);
    let (expected, left, _) = fight_at(&sides, between, is_plain, 12, &mut dice);
    let pairs = lines.iter().zip(&expected);
    let same = pairs
        .take_while(|(line, expected)| line == expected)
        .count();
    let winner_expected = left.map_or("draw", |side| ["first", "second"][side]);
    if same < lines.len().max(expected.len()) {
        let before = &lines[same.saturating_sub(4)..same];
        let (one, other) = (lines.get(same), expected.get(same));
        return Ok(Err(format!(
            "{line}, {distance:?} feet apart, plain {is_plain}: after {before:#?}\n  script {one:?}\n  second {other:?}"
        )));
    }
    Ok(
        match (dice.wrong(), dice.left(), winner == winner_expected) {
            (None, 0, true) => Ok(Played {
                traits: traits(&sides, is_plain),
                lines,
            }),
            other => Err(format!(
                "{line}: the lines agree, the rest does not: {other:?}"
            )),
        },
    )
}

/// Rules, and what is told where they happen.
const RULES: [(&str, &str); 47] = [
    ("death saves that succeed", " makes a death save: "),
    ("death saves that fail", " fails a death save: "),
    ("those who are stable", " is stable"),
    ("those who die", " dies"),
    ("massive damage", " dies at once"),
    ("a 20 of somebody dying", " wakes with "),
    ("healing", " heals "),
    ("temporary hit points", " temporary hit points"),
    ("concentration that is kept", " keeps its concentration: "),
    ("concentration that is lost", " loses its concentration: "),
    ("surprise", " is surprised"),
    ("disadvantage on attacks", " is hampered in attacks"),
    ("disadvantage on saves", " is hampered in saves"),
    ("saves that fail", " is unable to save"),
    ("attacks that miss", " is unable to hit"),
    ("automatic misses", ", which cannot hit"),
    ("automatic hits", ", which cannot miss"),
    ("armour that corrodes", ": the armour corrodes to "),
    ("weapons that corrode", ": the weapon corrodes to "),
    ("going berserk", " goes berserk"),
    ("a bonus action that comes back", " uses Snap"),
    ("a bonus action that heals", " hit points with Second Wind"),
    ("a free action", " uses Battle Cry"),
    ("a legendary action of a feature", " uses Tail Sweep"),
    ("what happens to those who hit", " uses Spines"),
    ("what happens to those who are touched", " uses Venom"),
    ("the end of an enemy's turn", " uses Parting Gift"),
    ("the end of its own turn", " hit points with Knit"),
    (
        "spells on those who do not bear them",
        " against Spell Bound",
    ),
    ("to the end of the cause's turn", " uses Dazzle"),
    ("to the start of the cause's turn", " uses Jolt"),
    ("to the start of its own turn", " uses Stagger"),
    ("to the end of the turn", " uses Flash"),
    ("until damage is taken", " uses Lull"),
    ("until an action ends it", " uses Tar"),
    ("another save with advantage", " uses Linger"),
    ("another save with disadvantage", " uses Creep"),
    ("rampages", " rampages"),
    ("rage", " rages"),
    ("a second action in a turn", " acts once more"),
    ("smites", " smites with a slot of level 2"),
    ("reactions that halve a hit", ": Uncanny Dodge"),
    ("reactions that soften a hit", ": Deflect Attacks"),
    ("a spell that hits", " uses Magic Missile"),
    ("a spell in an area", " uses Fireball"),
    ("a cantrip", " uses Sacred Flame"),
    ("reinforcements", " arrives"),
];

/// The names of traits and features that fights play.
fn known_traits() -> Vec<String> {
    let text = include_str!("../../../games/src/encounter/feature/known.json");
    let rows: Vec<[Value; 4]> = serde_json::from_str(text).expect("rows of four");
    let known = rows
        .iter()
        .filter_map(|row| Some(row[0].as_str()?.to_owned()));
    let gifts = gifts().into_iter().map(|gift| gift.0.to_owned());
    known.chain(gifts).chain(["Evasion".to_owned()]).collect()
}

/// Traits that fights know and no creature of the SRD has under this name: people write them.
const OF_PEOPLE: [&str; 1] = ["Sneak Attack"];

/// Every trait that is played, and every rule of [`RULES`], occurs in some of the encounters.
#[test]
fn fights_agree_with_a_second_simulator_blow_by_blow() {
    let played = check(&srd(), ENCOUNTERS, false);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for name in played.iter().flat_map(|one| &one.traits) {
        *seen.entry(name).or_default() += 1;
    }
    let known = known_traits();
    let known = known.iter().map(String::as_str);
    let unseen = known.filter(|name| !seen.contains_key(name) && !OF_PEOPLE.contains(name));
    let unseen: Vec<&str> = unseen.collect();
    assert!(unseen.is_empty(), "traits that nobody has: {unseen:?}");
    let lines = lines(&played);
    let never = RULES
        .iter()
        .filter(|(_, told)| !lines.iter().any(|line| line.contains(told)));
    let never: Vec<&str> = never.map(|rule| rule.0).collect();
    assert!(never.is_empty(), "rules that never happen: {never:?}");
}

/// The lines of all fights.
fn lines(played: &[Played]) -> Vec<&String> {
    played.iter().flat_map(|one| &one.lines).collect()
}

/// Creatures whose traits are features in the format of seed 001.
#[test]
fn fights_with_features_agree_with_a_second_simulator() {
    let featured = [
        "Azer",
        "Balor",
        "Black Pudding",
        "Dust Mephit",
        "Fire Elemental",
        "Ghast",
        "Hezrou",
        "Ice Mephit",
        "Magma Mephit",
        "Magmin",
        "Pit Fiend",
        "Remorhaz",
        "Salamander",
        "Sea Hag",
        "Steam Mephit",
        "Troll",
        "Veteran",
    ];
    let mut srd = srd();
    srd.retain(|block| featured.iter().any(|name| block["name"] == *name));
    assert_eq!(srd.len(), featured.len());
    check(&srd, ENCOUNTERS / 5, false);
    check(&srd, ENCOUNTERS / 5, true);
}

/// Creatures that have to move, between sides that are some feet apart.
#[test]
fn fights_with_positions_agree_with_a_second_simulator() {
    let played = check(&srd(), ENCOUNTERS / 2, true);
    let lines = lines(&played);
    let rooted = lines
        .iter()
        .any(|line| line.contains(" is rooted to the ground"));
    assert!(rooted, "nobody is rooted to the ground");
}

/// Those to whom it matters how far they have moved, or who is left behind.
#[test]
fn runs_agree_with_a_second_simulator() {
    let names = [
        "Charge",
        "Pounce",
        "Trampling Charge",
        "Aggressive",
        "Cunning Action",
        "Flyby",
        "Nimble Escape",
    ];
    let mut srd = srd();
    srd.retain(|block| {
        let traits = block["traits"].as_array().into_iter().flatten();
        let mut traits = traits.filter_map(|one| one["name"].as_str());
        traits.any(|name| names.iter().any(|other| name.starts_with(other)))
    });
    assert!(srd.len() > 25, "{}", srd.len());
    check(&srd, ENCOUNTERS / 5, true);
}

/// Creatures that hold others, with some that make a grapple end.
#[test]
fn grapples_agree_with_a_second_simulator() {
    let mut srd = srd();
    let others = [
        "Air Elemental",
        "Archmage",
        "Carrion Crawler",
        "Ghast",
        "Ghoul",
        "Giant Ape",
        "Goblin",
        "Lion",
        "Ogre",
        "Veteran",
        "Wolf",
    ];
    srd.retain(|block| {
        let actions = block["actions"].as_array().into_iter().flatten();
        let mut holds = actions.filter(|action| action["grapples"].is_object());
        others.iter().any(|name| block["name"] == *name) || holds.next().is_some()
    });
    assert!(srd.len() > 35, "{}", srd.len());
    // The hide of an example, on a creature with an attack.
    let mimic =
        json!({ "name": "Hide", "feature": example("clinging_hide"), "set": { "FORM_STATE": 1 } });
    for name in ["Ogre", "Veteran"] {
        let block = srd.iter_mut().find(|block| block["name"] == name);
        let block = block.expect("it is there");
        block["traits"] = json!([mimic]);
    }
    for has_positions in [false, true] {
        let played = check(&srd, ENCOUNTERS / 2, has_positions);
        let lines = lines(&played);
        for event in [
            " is grappled by ",
            " is grappled and restrained by ",
            " is no longer grappled by ",
            " escapes from ",
            " does not escape from ",
            " hurts ",
        ] {
            assert!(
                lines.iter().any(|line| line.contains(event)),
                "nobody{event}"
            );
        }
    }
}

/// Compares encounters between these creatures, `DICEC_ENCOUNTERS` of them if that is set. Gives
/// all that were played.
pub(crate) fn check(srd: &[Value], encounters: u64, has_positions: bool) -> Vec<Played> {
    let wanted = std::env::var("DICEC_ENCOUNTERS").ok();
    let wanted = wanted.and_then(|wanted| wanted.parse().ok());
    let encounters = wanted.unwrap_or(encounters);
    let played = (0..encounters).into_par_iter().map(|seed| {
        let bytes = bytes(seed);
        let mut source = Unstructured::new(&bytes);
        let compared = compare(&mut source, srd, has_positions, seed as usize);
        compared.expect("bytes never run out of zeros")
    });
    let (all, wrong): (Vec<Played>, Vec<String>) = played.partition_map(|played| match played {
        Ok(played) => Either::Left(played),
        Err(difference) => Either::Right(difference),
    });
    let shown = wrong.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} fights differ:\n{shown}", wrong.len());
    let told = lines(&all).len();
    assert!(
        told > 20 * encounters as usize,
        "fights are short: {told} lines"
    );
    all
}

/// Bytes that follow from a seed.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let words = (0..16).map(|_| splitmix(&mut state));
    words.flat_map(u64::to_le_bytes).collect()
}
