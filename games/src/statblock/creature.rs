//! Puts a stat block together: the creature in our JSON, and its entries with their verdicts.

use super::block::{Block, Entry, Format, Section, Sentence, Verdict, edition_of};
use super::entry::{named, read};
use super::raw::{Raw, RawEntry};
use super::reader::Named;
use crate::edition::Edition;
use serde_json::{Value, json};

/// Words of names by which a text does not mean the creature: `the fire`.
const NOT_NAMES: [&str; 16] = [
    "acid",
    "fire",
    "cold",
    "poison",
    "lightning",
    "air",
    "water",
    "earth",
    "blood",
    "web",
    "of",
    "the",
    "grappled",
    "prone",
    "cursed",
    "spirit",
];

/// Nouns by which texts mean their creature besides its name and its type.
const NOUNS: [&str; 6] = ["demon", "devil", "swarm", "lycanthrope", "monster", "angel"];

/// The stat block of numbers and texts.
pub(super) fn block(raw: &Raw, format: Format, edition: Option<Edition>) -> Block {
    let texts = raw.entries.iter().map(|entry| entry.text.as_str());
    let edition = edition.unwrap_or_else(|| edition_of(texts));
    let own = own_words(raw);
    let actions: Vec<Named> = of(raw, Section::Actions).map(named).collect();
    let mut creature = raw.members();
    let mut entries = vec![head(raw)];
    // The same without spell lists, for notes.
    let mut noted = entries.clone();
    let (mut traits, mut own_actions, mut legendary) = (Vec::new(), Vec::new(), Vec::new());
    for entry in &raw.entries {
        let (entry, made) = read(entry, &actions, &own);
        traits.extend(made.traits);
        own_actions.extend(made.actions);
        legendary.extend(made.legendary);
        if let Some(spellcasting) = made.spellcasting {
            creature.insert("spellcasting".to_owned(), spellcasting);
        }
        let mut other = entry.clone();
        other.sentences.truncate(entry.sentences.len() - made.lists);
        noted.push(other);
        entries.push(entry);
    }
    let lists = [
        ("traits", traits),
        ("actions", own_actions),
        ("legendary", legendary),
        ("not modelled", notes(&noted, |one| &one.missing)),
        (
            "not modelled with distances",
            notes(&noted, |one| &one.missing_with_distances),
        ),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            creature.insert(name.to_owned(), Value::Array(list));
        }
    }
    Block {
        format,
        edition,
        creature: Value::Object(creature),
        entries,
    }
}

fn of(raw: &Raw, section: Section) -> impl Iterator<Item = &RawEntry> {
    raw.entries
        .iter()
        .filter(move |entry| entry.section == section)
}

/// The words by which a text means its creature; the last is its short name.
fn own_words(raw: &Raw) -> Vec<String> {
    let name = raw.name.to_lowercase();
    let kind = raw.kind.clone().unwrap_or_default().to_lowercase();
    let words = kind.split(|sign: char| !sign.is_alphabetic());
    let words = words
        .chain(NOUNS)
        .chain(name.split(|sign: char| !sign.is_alphanumeric()));
    let words = words.filter(|word| word.len() > 2 && !NOT_NAMES.contains(word));
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    // A multiattack begins with the creature: `The sphinx makes ...` of an androsphinx.
    let multiattack = raw
        .entries
        .iter()
        .find(|entry| entry.heading.name == "Multiattack");
    let first = multiattack.and_then(|entry| entry.text.strip_prefix("The "));
    let short = first
        .and_then(|text| text.split(' ').next())
        .map(str::to_lowercase);
    let short = short.filter(|word| !words.contains(word));
    words.splice(0..0, short);
    words
}

/// The lines of the head.
fn head(raw: &Raw) -> Entry {
    let others = raw.others.iter();
    let others = others.map(|text| line(text, Verdict::NotModelled));
    let lines = raw.head.iter().map(|(text, matters)| match matters {
        true => line(text, Verdict::Modelled),
        false => line(text, Verdict::WithoutEffect),
    });
    let mut sentences: Vec<Sentence> = lines.chain(others).collect();
    let own = raw.initiative.filter(|own| *own != raw.modifier("DEX"));
    sentences.extend(own.map(|own| line(&format!("Initiative {own:+}"), Verdict::NotModelled)));
    Entry {
        section: Section::Head,
        name: String::new(),
        sentences,
    }
}

fn line(text: &str, verdict: Verdict) -> Sentence {
    let missing = match verdict {
        Verdict::NotModelled => text.to_owned(),
        _ => String::new(),
    };
    Sentence {
        text: text.to_owned(),
        verdict,
        missing,
        missing_with_distances: String::new(),
    }
}

/// The rules that are missing, as notes on fights name them: the name of an entry, and if only a
/// part of it is meant, the words of that part.
fn notes(entries: &[Entry], missing: fn(&Sentence) -> &str) -> Vec<Value> {
    let notes = entries.iter().filter_map(|entry| {
        let parts = entry
            .sentences
            .iter()
            .map(missing)
            .filter(|text| !text.is_empty());
        let parts: Vec<String> = parts.map(shortened).collect();
        let parts = Some(parts.join("; ")).filter(|parts| !parts.is_empty())?;
        let mut sentences = entry.sentences.iter();
        let is_partly = sentences.any(|one| one.verdict == Verdict::Modelled);
        Some(json!(match (entry.name.is_empty(), is_partly) {
            (true, _) => parts,
            (false, false) => entry.name.clone(),
            (false, true) => format!("{} (\"{parts}\")", entry.name),
        }))
    });
    notes.collect()
}

/// The first words of a text.
fn shortened(text: &str) -> String {
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        None => text.to_owned(),
        Some((end, _)) => {
            let end = text[..end].rfind(' ').unwrap_or(end);
            format!("{} ...", &text[..end])
        }
    }
}
