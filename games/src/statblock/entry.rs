//! Reads the sentences of an entry, and decides what it becomes: a trait, an action, or a note.

use super::block::{Entry, Section, Sentence, Verdict};
use super::casting::{casting, is_about_lists};
use super::numbers::is_dice;
use super::raw::RawEntry;
use super::reader::{Named, Reader};
use super::sentences::sentences;
use super::traits::feature;
use super::words::{Word, words};
use serde_json::{Value, json};

/// What an entry becomes in our JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub(super) traits: Vec<Value>,
    pub(super) actions: Vec<Value>,
    pub(super) legendary: Vec<Value>,
    pub(super) spellcasting: Option<Value>,
    /// The number of its last sentences that are spell lists. What is not modelled of these is
    /// noted when the spells become actions.
    pub(super) lists: usize,
}

/// The names of actions, as other entries name them.
pub(super) fn named(entry: &RawEntry) -> Named {
    let plain = entry.heading.name.split(" (").next().unwrap_or_default();
    let words = words(plain, &[])
        .into_iter()
        .map(|word| word.text)
        .collect();
    let start = entry.text.trim_start().to_lowercase();
    let is_attack = entry.text.contains("Attack:") || entry.text.contains("Attack Roll:");
    Named {
        name: entry.heading.name.clone(),
        words,
        is_melee: is_attack.then(|| start.starts_with("melee")),
        is_limited: !entry.heading.usage.is_null(),
    }
}

/// Reads an entry, its spell lists apart.
pub(super) fn read(raw: &RawEntry, actions: &[Named], own: &[String]) -> (Entry, Made) {
    let Some(casting) = casting(&raw.text) else {
        return read_sentences(raw, actions, own);
    };
    let before = RawEntry {
        text: raw.text[..casting.start]
            .trim_end_matches([' ', '\n', '*', '-', '•'])
            .to_owned(),
        ..raw.clone()
    };
    let (mut entry, mut made) = read_sentences(&before, actions, own);
    let about = entry
        .sentences
        .iter_mut()
        .filter(|one| is_about_lists(&one.text));
    about.for_each(|one| *one = played(&one.text));
    made.lists = casting.lines.len();
    let lists = casting.lines.into_iter().map(|(text, unknown)| Sentence {
        missing: unknown.join(", "),
        verdict: match unknown.is_empty() {
            true => Verdict::Modelled,
            false => Verdict::NotModelled,
        },
        text,
        missing_with_distances: String::new(),
    });
    entry.sentences.extend(lists);
    let spellcasting = made.spellcasting.get_or_insert_with(|| json!({}));
    if let Value::Object(members) = spellcasting {
        members.extend(casting.members);
    }
    made.traits.push(json!({ "name": raw.heading.name }));
    (entry, made)
}

/// Reads the sentences of an entry.
fn read_sentences(raw: &RawEntry, actions: &[Named], own: &[String]) -> (Entry, Made) {
    let texts = sentences(&raw.text);
    let mut made = Made::default();
    let mut all: Vec<Option<Sentence>> = texts.iter().map(|_| None).collect();
    if matches!(
        raw.section,
        Section::Traits | Section::Reactions | Section::BonusActions
    ) {
        find_features(raw, &texts, own, &mut all, &mut made);
    }
    let is_feature: Vec<bool> = all.iter().map(Option::is_some).collect();
    let mut reader = Reader::new(&raw.heading.name, raw.section, actions, own);
    for (index, text) in texts.iter().enumerate() {
        reader.sentence = index;
        if all[index].is_none() {
            all[index] = Some(
                match reader.draft.is_gaze && is_averted(&words(text, own)) {
                    true => played(text),
                    false => reader.read(text),
                },
            );
        }
    }
    let mut all: Vec<Sentence> = all.into_iter().flatten().collect();
    reader.settle();
    for index in std::mem::take(&mut reader.given_up) {
        refuse(&mut all[index]);
    }
    if !emit(raw, &reader, &mut made) {
        // Clauses were read, but nothing that fights play came of them.
        let read = all.iter_mut().zip(is_feature).filter(|one| !one.1);
        let read = read
            .map(|one| one.0)
            .filter(|one| one.verdict == Verdict::Modelled);
        read.filter(|_| made.spellcasting.is_none())
            .for_each(refuse);
    }
    after_a_run(raw.section, &mut all);
    let entry = Entry {
        section: raw.section,
        name: raw.heading.name.clone(),
        sentences: all,
    };
    (entry, made)
}

/// A sentence that fights play.
fn played(text: &str) -> Sentence {
    Sentence {
        text: text.to_owned(),
        verdict: Verdict::Modelled,
        missing: String::new(),
        missing_with_distances: String::new(),
    }
}

fn refuse(sentence: &mut Sentence) {
    sentence.verdict = Verdict::NotModelled;
    sentence.missing.clone_from(&sentence.text);
}

/// Finds features of the library in runs of sentences, the longest first.
fn find_features(
    raw: &RawEntry,
    texts: &[&str],
    own: &[String],
    all: &mut [Option<Sentence>],
    made: &mut Made,
) {
    let name = &raw.heading.name;
    for length in (1..=texts.len().min(4)).rev() {
        for start in 0..=texts.len() - length {
            let run = start..start + length;
            if all[run.clone()].iter().any(Option::is_some) {
                continue;
            }
            let some: Vec<Word> = texts[run.clone()]
                .iter()
                .flat_map(|text| words(text, own))
                .collect();
            let found = feature(&some, raw.heading.per_day());
            let Some((feature, values)) = found else {
                continue;
            };
            // Creatures that perceive the invisible are immune to the feature by this name.
            let name = if feature == "unseen" {
                "Invisibility"
            } else {
                name
            };
            made.traits
                .push(json!({ "name": name, "feature": feature, "v": values }));
            for index in run {
                all[index] = Some(played(texts[index]));
            }
        }
    }
    let is_evasion = texts.len() == 1 && is_evasion(&words(texts[0], own));
    if is_evasion && raw.section == Section::Traits {
        made.traits.push(json!({ "name": "Evasion" }));
        all[0] = Some(played(texts[0]));
    }
}

/// What follows a straight run depends on it, and nobody runs where all are in reach of each other.
fn after_a_run(section: Section, all: &mut [Sentence]) {
    let is_run = |one: &Sentence| one.missing_with_distances.contains("straight toward");
    let run = all
        .iter()
        .position(is_run)
        .filter(|_| section == Section::Traits);
    let rest = run.map_or(&mut [][..], |run| &mut all[run + 1..]);
    for one in rest
        .iter_mut()
        .filter(|one| one.verdict == Verdict::NotModelled)
    {
        one.missing_with_distances = std::mem::take(&mut one.missing);
        one.verdict = Verdict::WithoutEffect;
    }
}

/// Whether a sentence is about averted eyes, which are a policy (docs/encounters.md).
fn is_averted(words: &[Word]) -> bool {
    let is_about = |word: &Word| ["avert", "averts", "looks"].contains(&word.text.as_str());
    words.iter().any(is_about) && !words.iter().any(|word| is_dice(&word.text))
}

/// The rule that no feature can express: no damage instead of half of it.
fn is_evasion(words: &[Word]) -> bool {
    let needs = [
        "subjected",
        "dexterity",
        "saving",
        "half",
        "no",
        "damage",
        "succeeds",
        "fails",
    ];
    let has = |wanted: &&str| words.iter().any(|word| word.text == **wanted);
    needs.iter().all(has) && !words.iter().any(|word| is_dice(&word.text))
}

/// Adds what the reader has read to the creature; whether there is anything.
fn emit(raw: &RawEntry, reader: &Reader<'_>, made: &mut Made) -> bool {
    let draft = &reader.draft;
    made.spellcasting.clone_from(&draft.spellcasting);
    let usage = || raw.heading.usage.clone();
    match raw.section {
        Section::Traits => match draft.aura() {
            Some(aura) => {
                made.traits.push(aura);
                true
            }
            None => false,
        },
        Section::Actions if draft.is_action() => {
            made.actions.push(draft.json(usage(), None));
            made.traits.extend(draft.knocks());
            true
        }
        Section::BonusActions if draft.heals.is_some() => {
            let mut action = draft.json(usage(), None);
            action["bonus action"] = json!(true);
            made.actions.push(action);
            true
        }
        Section::Legendary => {
            let cost = Some(raw.heading.cost.unwrap_or(1));
            match &draft.makes {
                Some(name) => made.legendary.push(json!({ "name": name, "cost": cost })),
                None if draft.is_action() && draft.multiattack.is_empty() => {
                    made.legendary.push(draft.json(Value::Null, cost));
                }
                None => return false,
            }
            true
        }
        _ => false,
    }
}
