//! Stat blocks as people have them: those of both System Reference Documents as pages show them,
//! and inventions in every format. Every sentence has a verdict, none is lost, and every creature
//! can fight. The documents are not a part of this project: without them, a test says so.

use dicec_games::encounter::{Bestiary, Plan, Purpose, Source, Told, encounter_script};
use dicec_games::statblock::{Block, Entry, Format, Section, Verdict, add_blocks, read_blocks};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The documents, and the least share of sentences of traits and actions without a note: a
/// regression of the grammar is below it.
const DOCUMENTS: [(&str, f64); 2] = [("5.1", 0.74), ("5.2", 0.63)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The creatures of a document; none if it is not there.
fn creatures(edition: &str) -> Vec<Value> {
    let path = root().join(format!("../shared/data/srd/srd-{edition}-creatures.json"));
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).expect("a list of creatures"),
        Err(_) => {
            println!("skipped: {} is not there", path.display());
            Vec::new()
        }
    }
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// The bonuses of an object as a line: `dex +5, con +3`.
fn bonuses(value: &Value) -> String {
    let all = value.as_object().into_iter().flatten();
    let all = all.map(|(name, bonus)| format!("{name} {:+}", bonus.as_i64().unwrap_or(0)));
    all.collect::<Vec<_>>().join(", ")
}

/// The head of a creature as a page shows it.
fn head(one: &Value) -> Vec<String> {
    let feet = |value: &Value| value.as_f64().unwrap_or(0.0);
    let pairs = |name: &str| {
        let all = one[name].as_object().into_iter().flatten();
        let all = all.map(|(way, value)| format!("{way} {} ft.", feet(value)));
        all.collect::<Vec<_>>().join(", ")
    };
    let scores = list(one, "abilities").map(|score| {
        let score = score.as_i64().unwrap_or(10);
        format!("{score} ({:+})", (score - 10).div_euclid(2))
    });
    let mut lines = vec![
        text(one, "name").to_owned(),
        format!(
            "{} {}, {}",
            text(one, "size"),
            text(one, "type"),
            text(one, "alignment")
        ),
        format!("Armor Class {} ({})", one["ac"], text(one, "armor")),
        format!("Hit Points {} ({})", one["hp"], text(one, "hit dice")),
        format!("Speed {}", pairs("speed")),
        "STR DEX CON INT WIS CHA".to_owned(),
        scores.collect::<Vec<_>>().join(" "),
    ];
    let mut labelled = |label: &str, all: String| {
        lines.extend((!all.is_empty()).then(|| format!("{label} {all}")));
    };
    labelled("Saving Throws", bonuses(&one["saves"]));
    labelled("Skills", bonuses(&one["skills"]));
    for (label, member) in [
        ("Damage Vulnerabilities", "vulnerable"),
        ("Damage Resistances", "resistant"),
        ("Damage Immunities", "immune"),
        ("Condition Immunities", "condition immunities"),
    ] {
        labelled(label, text(one, member).to_owned());
    }
    labelled("Senses", pairs("senses"));
    labelled("Challenge", one["cr"].to_string());
    lines
}

/// A creature as a page shows it.
fn page(one: &Value) -> String {
    let mut lines = head(one);
    let mut add = |entry: &Value| {
        lines.push(format!("{}. {}", heading(entry), text(entry, "text")));
        lines.push(String::new());
    };
    list(one, "traits").for_each(&mut add);
    for (label, kind) in [
        ("Actions", "action"),
        ("Bonus Actions", "bonus_action"),
        ("Reactions", "reaction"),
        ("Legendary Actions", "legendary_action"),
        ("Lair Actions", "lair_action"),
    ] {
        let own = list(one, "actions").filter(|entry| text(entry, "kind") == kind);
        let own: Vec<String> = own
            .map(|entry| format!("{}. {}\n", heading(entry), text(entry, "text")))
            .collect();
        if !own.is_empty() {
            lines.push(label.to_owned());
            lines.extend(own);
        }
    }
    lines.join("\n")
}

/// The name of an entry with its uses.
fn heading(entry: &Value) -> String {
    let name = text(entry, "name");
    let form = text(entry, "only in form");
    let form = match form.is_empty() {
        true => String::new(),
        false => format!(" ({form})"),
    };
    let uses = &entry["uses"];
    let uses = match (uses[0].as_str(), uses[1].as_i64()) {
        (Some("PER_DAY"), Some(count)) => format!(" ({count}/Day)"),
        (Some("RECHARGE_ON_ROLL"), Some(6)) => " (Recharge 6)".to_owned(),
        (Some("RECHARGE_ON_ROLL"), Some(first)) => format!(" (Recharge {first}-6)"),
        (Some("RECHARGE_AFTER_REST"), _) => " (Recharges after a Short or Long Rest)".to_owned(),
        _ => String::new(),
    };
    let cost = entry["cost"].as_i64().filter(|cost| *cost > 1);
    let cost = cost.map(|cost| format!(" (Costs {cost} Actions)"));
    format!("{name}{form}{uses}{}", cost.unwrap_or_default())
}

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).collect()
}

fn read(one: &Value) -> Block {
    let page = page(one);
    let mut blocks = read_blocks("page", page.as_bytes(), None).expect("a stat block");
    assert_eq!(blocks.len(), 1, "{}", text(one, "name"));
    blocks.remove(0)
}

/// Whether every text of a creature is in the sentences of its block.
fn assert_nothing_is_lost(one: &Value, block: &Block) {
    let of_entry = |entry: &Entry| {
        let texts = entry.sentences.iter().map(|one| one.text.as_str());
        letters(&format!("{}{}", entry.name, texts.collect::<String>()))
    };
    let read: String = block.entries.iter().map(of_entry).collect();
    for entry in list(one, "traits").chain(list(one, "actions")) {
        let own = letters(text(entry, "text"));
        assert!(
            read.contains(&own),
            "{}: {}",
            block.name(),
            text(entry, "name")
        );
    }
}

#[test]
fn every_sentence_of_the_documents_has_a_verdict_and_none_is_lost() {
    for (edition, floor) in DOCUMENTS {
        let mut counts: BTreeMap<Section, [usize; 3]> = BTreeMap::new();
        for one in creatures(edition) {
            let block = read(&one);
            assert_nothing_is_lost(&one, &block);
            for entry in &block.entries {
                for sentence in &entry.sentences {
                    counts.entry(entry.section).or_default()[sentence.verdict as usize] += 1;
                    let has_note = !sentence.missing.is_empty();
                    assert_eq!(
                        has_note,
                        sentence.verdict == Verdict::NotModelled,
                        "{sentence:?}"
                    );
                }
            }
        }
        let (mut noted, mut total) = (0, 0);
        for (section, [modelled, without, missing]) in &counts {
            println!(
                "SRD {edition}, {}: {modelled} modelled, {without} without effect, {missing} not modelled",
                section.heading()
            );
            if *section != Section::Head {
                noted += missing;
                total += modelled + without + missing;
            }
        }
        if total > 0 {
            let share = 1.0 - noted as f64 / total as f64;
            println!(
                "SRD {edition}: {:.1} % of {total} sentences have no note",
                100.0 * share
            );
            assert!(share >= floor, "SRD {edition}: {share}");
        }
    }
}

/// The script of a fight against a creature of a file; it exists.
fn fight(origin: &str, bytes: &[u8], name: &str) {
    let mut bestiary = Bestiary::srd();
    let notes = add_blocks(&mut bestiary, origin, bytes);
    let notes = notes.unwrap_or_else(|found| panic!("{name}: {found:?}"));
    assert!(notes.is_empty(), "{name}: {notes:?}");
    let sides = serde_json::json!({ "sides": [
        { "creatures": [{ "creature": name }] },
        { "creatures": [{ "creature": "Veteran" }] },
    ] });
    let read = Source::read_inline("encounter", sides.to_string().as_bytes());
    let (_, encounter) = read.unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let plan = Plan::new(&encounter, &bestiary);
    let plan = plan.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let script = encounter_script(&plan, Told::Figures, Purpose::Trials);
    assert!(script.is_ok(), "{name}: {script:?}");
}

#[test]
fn every_creature_of_the_documents_can_fight() {
    for (edition, _) in DOCUMENTS {
        for one in creatures(edition) {
            fight("page", page(&one).as_bytes(), text(&one, "name"));
        }
    }
}

#[test]
fn every_format_is_recognised_and_fights() {
    for (file, format, name) in [
        ("gloomwing.txt", Format::Text, "Gloomwing"),
        ("tide_warden.txt", Format::Text, "Tide Warden"),
        ("ashling.json", Format::Open5e1, "Ashling"),
        ("brinehound.json", Format::Open5e2, "Brinehound"),
        ("thornback.json", Format::FiveTools, "Thornback"),
        ("lanternwight.json", Format::Foundry, "Lanternwight"),
        ("quillboar.json", Format::ImprovedInitiative, "Quillboar"),
    ] {
        let path = root().join("examples/bestiary").join(file);
        let bytes = fs::read(&path).expect(file);
        let blocks = read_blocks(file, &bytes, None).expect(file);
        let [block] = &blocks[..] else {
            panic!("{file}: {} stat blocks", blocks.len());
        };
        assert_eq!((block.format, block.name()), (format, name));
        fight(file, &bytes, name);
    }
}

/// What the texts say reaches the members that fights play.
#[test]
fn clauses_become_members() {
    let text = "Pale Widow\nMedium monstrosity, unaligned\nAC 13\nHP 30 (4d8 + 12)\nActions\n\
        Sting. Melee Weapon Attack: +5 to hit, reach 5 ft., one creature. Hit: 5 (1d4 + 3) piercing \
        damage, and the target must make a DC 12 Constitution saving throw, taking 7 (2d6) poison \
        damage on a failed save, or half as much damage on a successful one. If the poison damage \
        reduces the target to 0 hit points, the target is stable but paralyzed for 1 hour.\n\
        Stare (Recharge 5-6). The widow targets one creature it can see within 30 feet of it. The \
        target must succeed on a DC 11 Wisdom saving throw or become frightened until the end of \
        the widow's next turn. If the target fails the saving throw by 5 or more, it is also \
        paralyzed for the same duration. A target that succeeds on the saving throw is immune to \
        the widow's Stare for the next 24 hours.\n";
    let blocks = read_blocks("page", text.as_bytes(), None).expect("a stat block");
    let actions = &blocks[0].creature["actions"];
    let sting = &actions[0]["save"];
    assert_eq!(sting["on success"], "half");
    assert_eq!(
        sting["drops"]["conditions"],
        serde_json::json!(["paralyzed"])
    );
    let stare = &actions[1];
    assert_eq!(stare["usage"]["recharge"], "5-6");
    assert_eq!(
        stare["save"]["fails by 5"]["conditions"],
        serde_json::json!(["paralyzed"])
    );
    assert_eq!(stare["save"]["immune"], "saved");
    assert_eq!(blocks[0].creature.get("not modelled"), None);
}

/// A rule that depends on something unknown is not played at all.
#[test]
fn half_of_a_rule_is_none_of_it() {
    let text = "Gate Maw\nLarge aberration, neutral\nAC 12\nHP 60 (8d10 + 16)\nActions\n\
        Bite. Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 10 (2d6 + 3) piercing \
        damage. If the moon is full, the target is stunned for 1 minute.\n";
    let blocks = read_blocks("page", text.as_bytes(), None).expect("a stat block");
    let creature = &blocks[0].creature;
    assert_eq!(creature["actions"][0].get("inflicts"), None);
    let notes = creature["not modelled"].to_string();
    assert!(notes.contains("If the moon is full"), "{notes}");
}
