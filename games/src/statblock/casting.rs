//! Reads the spell lists of an entry: cantrips, slots, spells at will and by the day.
//!
//! ```text
//! "... 1st level (4 slots): magic missile, shield" --lists--> { "slots": [4], "spells": [...] }
//! ```

use crate::encounter::is_known_spell;
use serde_json::{Map, Value, json};

/// The spell lists of a text.
pub(super) struct Casting {
    /// Where the first list begins, in bytes.
    pub(super) start: usize,
    /// The lists as they are written, each with the spells of it that fights do not know.
    pub(super) lines: Vec<(String, Vec<String>)>,
    /// The lists as members of `spellcasting`.
    pub(super) members: Map<String, Value>,
}

/// How often the spells of a list are cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Cantrips,
    AtWill,
    PerDay(u64),
    /// The level of the spells, and the number of slots.
    Slots(usize, u64),
}

/// The spell lists of a text; `None` if it has none.
pub(super) fn casting(text: &str) -> Option<Casting> {
    let heads: Vec<(usize, usize, How)> = heads(text);
    let start = heads.first()?.0;
    let mut lines = Vec::new();
    let mut lists = Lists::default();
    for (index, &(from, colon, how)) in heads.iter().enumerate() {
        let end = heads.get(index + 1).map_or(text.len(), |next| next.0);
        let names = names(&text[colon + 1..end]);
        let unknown = names.iter().filter(|name| !is_known_spell(name));
        let line = text[from..end].split_whitespace().collect::<Vec<_>>();
        let line = line.join(" ");
        let line = line.trim_end_matches(['*', '-', ' ']).to_owned();
        lines.push((line, unknown.cloned().collect()));
        lists.add(how, names);
    }
    let mut members = lists.members();
    members.extend(caster(text));
    Some(Casting {
        start,
        lines,
        members,
    })
}

/// The beginnings of lists: where each begins, its colon, and how often its spells are cast.
fn heads(text: &str) -> Vec<(usize, usize, How)> {
    let colons = text.match_indices(':').map(|(at, _)| at);
    let found = colons.filter_map(|colon| {
        // `**At Will:**` has its stars on both sides.
        let before = &text[..colon];
        let from = before.rfind(['\n', ':', '.']).map_or(0, |at| at + 1);
        let line = &before[from..];
        let (offset, how) = how_at_end(line)?;
        Some((from + offset, colon, how))
    });
    found.collect()
}

/// The kind of list that a text ends with, and where its words begin.
fn how_at_end(text: &str) -> Option<(usize, How)> {
    let lower = text.to_lowercase();
    let ends = lower.trim_end_matches(['*', ' ']);
    if let Some(at) = ends.rfind("cantrip") {
        return Some((at, How::Cantrips));
    }
    if ends.ends_with("at will") {
        return Some((ends.len() - "at will".len(), How::AtWill));
    }
    let day = ends.strip_suffix(" each").unwrap_or(ends);
    if let Some(number) = day.strip_suffix("/day") {
        let digits = number.len()
            - number
                .chars()
                .rev()
                .take_while(char::is_ascii_digit)
                .count();
        return Some((digits, How::PerDay(number[digits..].parse().ok()?)));
    }
    slots_at_end(ends)
}

/// `3rd level (3 slots)`, and where it begins.
fn slots_at_end(text: &str) -> Option<(usize, How)> {
    let inner = text
        .strip_suffix(" slots)")
        .or(text.strip_suffix(" slot)"))?;
    let (head, count) = inner.rsplit_once('(')?;
    let count = count.split_whitespace().next()?.parse().ok()?;
    let head = head
        .trim_end()
        .strip_suffix("level")?
        .trim_end_matches(['-', ' ']);
    let digits = head.rfind(|c: char| c.is_ascii_digit())?;
    let level = head[digits..=digits].parse().ok()?;
    ((1..=9).contains(&level)).then_some((digits, How::Slots(level, count)))
}

/// Whether a line begins a list, so that another entry may follow it though no sentence has ended.
pub(super) fn begins_list(line: &str) -> bool {
    !heads(line).is_empty()
}

/// Whether a sentence before the lists is only about them: their numbers are read with them.
pub(super) fn is_about_lists(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let phrases = [
        "-level spellcaster",
        "spellcasting ability",
        "the following",
        "no material components",
        "spells prepared",
    ];
    // `can cast invisibility at will` is a spell.
    phrases.iter().any(|phrase| lower.contains(phrase)) && !lower.contains(" at will")
}

/// The names of a list, without remarks in parentheses and marks.
fn names(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '*' | '_' => {}
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    // Remarks below the lists are sentences of their own.
    let list = plain.split(". ").next().unwrap_or_default();
    let names = list.split([',', ';']).map(|name| {
        let words: Vec<&str> = name.split_whitespace().collect();
        words
            .join(" ")
            .trim_matches(['.', '-', ' '])
            .replace('’', "'")
    });
    names
        .filter(|name| !name.is_empty())
        .map(|name| capitalised(&name))
        .collect()
}

/// The name as the lists of spells write it: `Magic Missile`.
fn capitalised(name: &str) -> String {
    let small = [
        "of", "and", "or", "the", "to", "with", "from", "into", "without",
    ];
    let words = name.split(' ').enumerate().map(|(index, word)| {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index == 0 || !small.contains(&word) => {
                first.to_uppercase().collect::<String>() + letters.as_str()
            }
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The numbers of the caster, as far as the text says them.
fn caster(text: &str) -> Vec<(String, Value)> {
    let lower = text.to_lowercase();
    let ability = [
        ("intelligence", "INT"),
        ("wisdom", "WIS"),
        ("charisma", "CHA"),
    ];
    let mut found = ability.into_iter().filter(|(name, _)| {
        let phrases = [format!("ability is {name}"), format!("using {name} as")];
        phrases.iter().any(|phrase| lower.contains(phrase))
    });
    let ability = found
        .next()
        .map(|(_, short)| ("ability".to_owned(), json!(short)));
    let level = lower.find("-level spellcaster").and_then(|at| {
        let before = lower[..at].trim_end_matches(char::is_alphabetic);
        let digits = before.len()
            - before
                .chars()
                .rev()
                .take_while(char::is_ascii_digit)
                .count();
        before[digits..].parse::<u32>().ok()
    });
    let level = level.map(|level| ("level".to_owned(), json!(level)));
    let number = |before: &str| {
        let after = &lower[lower.find(before)? + before.len()..];
        let digits = after
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(after.len());
        after[..digits].parse::<u32>().ok()
    };
    let dc = number("save dc ").map(|dc| ("dc".to_owned(), json!(dc)));
    let to_hit = lower.find(" to hit with spell attacks").and_then(|at| {
        let digits = lower[..at].rsplit('+').next()?;
        digits.parse::<u32>().ok()
    });
    let modifier = to_hit.map(|modifier| ("modifier".to_owned(), json!(modifier)));
    let all = [ability, level, dc, modifier];
    all.into_iter().flatten().collect()
}

/// The lists so far.
#[derive(Default)]
struct Lists {
    slots: Vec<u64>,
    spells: Vec<String>,
    at_will: Vec<String>,
    per_day: Map<String, Value>,
}

impl Lists {
    fn add(&mut self, how: How, names: Vec<String>) {
        match how {
            How::Cantrips => self.spells.extend(names),
            How::AtWill => self.at_will.extend(names),
            How::PerDay(times) => {
                let list = self
                    .per_day
                    .entry(times.to_string())
                    .or_insert_with(|| json!([]));
                if let Value::Array(list) = list {
                    list.extend(names.into_iter().map(Value::from));
                }
            }
            How::Slots(level, count) => {
                self.slots.resize(self.slots.len().max(level), 0);
                self.slots[level - 1] = count;
                self.spells.extend(names);
            }
        }
    }

    fn members(self) -> Map<String, Value> {
        let all = [
            ("slots", json!(self.slots), self.slots.is_empty()),
            ("spells", json!(self.spells), self.spells.is_empty()),
            ("at will", json!(self.at_will), self.at_will.is_empty()),
            ("per day", json!(self.per_day), self.per_day.is_empty()),
        ];
        let present = all.into_iter().filter(|(.., is_empty)| !is_empty);
        present
            .map(|(name, list, _)| (name.to_owned(), list))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Value {
        Value::Object(casting(text).expect("lists").members)
    }

    #[test]
    fn lists_with_slots_are_read() {
        let text = "The adept is a 7th-level spellcaster. Its spellcasting ability is Wisdom (spell save DC 13). \
            It knows:\n\n* Cantrips (at will): light, fire bolt\n* 1st level (4 slots): magic missile*, cure\nwounds\n\
            * 3rd level (1 slot): fear (on itself)";
        assert_eq!(
            members(text),
            json!({"ability": "WIS", "level": 7, "dc": 13, "slots": [4, 0, 1],
                "spells": ["Light", "Fire Bolt", "Magic Missile", "Cure Wounds", "Fear"]})
        );
        let casting = casting(text).expect("lists");
        assert!(text[casting.start..].starts_with("Cantrips"));
        assert_eq!(
            casting.lines[1].0,
            "1st level (4 slots): magic missile*, cure wounds"
        );
    }

    #[test]
    fn lists_by_the_day_are_read_in_both_wordings() {
        let text = "It can cast these:\nAt will: detect magic\n3/day each: hold person, fly\n1/day: pass without trace";
        let expected = json!({"at will": ["Detect Magic"],
            "per day": {"3": ["Hold Person", "Fly"], "1": ["Pass without Trace"]}});
        assert_eq!(members(text), expected);
        let text = "The widow casts these spells, using Charisma as the spellcasting ability:\n\n\
            - **At Will:** Detect Magic, Acid Arrow (level 3 version)\n- **2/Day Each:** Glowing Web";
        let expected = json!({"ability": "CHA", "at will": ["Detect Magic", "Acid Arrow"],
            "per day": {"2": ["Glowing Web"]}});
        assert_eq!(members(text), expected);
        let casting = casting(text).expect("lists");
        assert_eq!(casting.lines[1].1, ["Glowing Web"]);
        assert_eq!(casting.lines[0].1, [""; 0]);
    }

    #[test]
    fn other_texts_have_none() {
        assert!(casting("Melee Weapon Attack: +4 to hit. Hit: 5 damage.").is_none());
    }
}
