//! Reads stat blocks as text: finds their heads, sections and entries in repaired lines.
//!
//! ```text
//! lines --stat_blocks--> lines of one each --head--> numbers
//!                                          --body--> entries
//! ```

use super::abilities;
use super::block::Section;
use super::casting::begins_list;
use super::head::{Label, label, read_line, read_type};
use super::raw::{Raw, RawEntry};
use super::repair::{Line, join, lines};
use std::ops::Range;

/// A mistake in a text: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) at: Range<usize>,
    pub(super) what: String,
    pub(super) help: String,
}

/// The maximum number of traits and actions of a stat block.
const MAX_ENTRIES: usize = 200;

/// The stat blocks of a text.
///
/// # Errors
/// A stat block without the numbers that a fight needs.
pub(super) fn stat_blocks(text: &str) -> Result<Vec<Raw>, Mistake> {
    let all = lines(text);
    let starts = starts(&all);
    let mut blocks = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(all.len());
        blocks.push(stat_block(&all[*start..end])?);
    }
    Ok(blocks)
}

/// The lines with which stat blocks begin: names, which lines of size and type follow. A text
/// without such a line is one stat block.
fn starts(lines: &[Line]) -> Vec<usize> {
    let is_text = |index: &usize| !lines[*index].text.is_empty();
    let mut starts: Vec<usize> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if read_type(&line.text, &mut Raw::default()) {
            starts.extend((0..index).rev().find(is_text));
        }
    }
    if starts.is_empty() {
        starts.extend((0..lines.len()).find(is_text));
    }
    starts.dedup();
    starts
}

fn stat_block(lines: &[Line]) -> Result<Raw, Mistake> {
    let mut raw = Raw::default();
    let first = lines
        .first()
        .map(|line| line.at.clone())
        .unwrap_or_default();
    raw.name = title(lines.first().map_or("", |line| &line.text));
    let body = head(lines, &mut raw);
    read_body(&lines[body..], &mut raw);
    if raw.entries.len() > MAX_ENTRIES {
        return Err(Mistake {
            at: first,
            what: format!(
                "the stat block `{}` has more than {MAX_ENTRIES} entries",
                raw.name
            ),
            help: "a file has stat blocks and nothing else".to_owned(),
        });
    }
    let missing = match (raw.ac, raw.hp) {
        (None, _) => Some(("armour class", "`Armor Class 15` or `AC 15`")),
        (_, None) => Some((
            "hit points",
            "`Hit Points 22 (4d8 + 4)` or `HP 22 (4d8 + 4)`",
        )),
        _ => None,
    };
    match missing {
        Some((what, line)) => Err(Mistake {
            at: first,
            what: format!("the stat block `{}` has no {what}", raw.name),
            help: format!("a stat block begins with its name, and has a line such as {line}"),
        }),
        None => Ok(raw),
    }
}

/// A name; those in capitals are written as usual.
fn title(line: &str) -> String {
    let line = line.trim().trim_end_matches([':', '.']);
    if line.chars().any(char::is_lowercase) {
        return line.to_owned();
    }
    let words = line.split(' ').map(|word| {
        let lower = word.to_lowercase();
        let mut signs = lower.chars();
        let first = signs.next().into_iter().flat_map(char::to_uppercase);
        first.chain(signs).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Reads the head; the number of its lines.
fn head(lines: &[Line], raw: &mut Raw) -> usize {
    let mut open: Option<(Label, String)> = None;
    let mut scores = String::new();
    let mut end = lines.len();
    let mut is_last = false;
    for (index, line) in lines.iter().enumerate().skip(1) {
        let text = line.text.as_str();
        let is_labelled = label(text).is_some_and(|(label, rest)| label.is_sure(rest));
        let is_entry = (open.is_some() || is_last) && !is_labelled && starts_entry(text);
        let is_body = section(text).is_some() || is_entry;
        if is_body {
            end = index;
            break;
        }
        if text.is_empty() || read_type(text, raw) {
            if !text.is_empty() {
                raw.head.push((text.to_owned(), true));
            }
            continue;
        }
        match label(text) {
            Some((Label::Scores, _)) => {
                close(&mut open, raw);
                scores.push(' ');
                scores.push_str(text);
                raw.head.push((text.to_owned(), true));
                is_last = true;
            }
            Some((label, rest)) => {
                close(&mut open, raw);
                is_last = label.is_last();
                open = Some((label, rest.to_owned()));
            }
            None if open.is_none() && !scores.is_empty() && is_table(text) => {
                scores.push(' ');
                scores.push_str(text);
                raw.head.push((text.to_owned(), true));
            }
            None => match &mut open {
                Some((_, rest)) => join(rest, text),
                None => raw.others.push(text.to_owned()),
            },
        }
    }
    close(&mut open, raw);
    abilities::read(&scores, raw);
    end
}

/// Whether a line is one of a table of scores.
fn is_table(text: &str) -> bool {
    let words = text
        .split([' ', '(', ')', '/'])
        .filter(|word| !word.is_empty());
    let is_cell = |word: &str| {
        let number = word.trim_start_matches(['+', '-']);
        number.parse::<i64>().is_ok()
            || ["+", "-"].contains(&word)
            || super::numbers::ability(&word.to_lowercase()).is_some()
            || ["MOD", "SAVE"]
                .iter()
                .any(|one| one.eq_ignore_ascii_case(word))
    };
    words.clone().count() > 0 && words.into_iter().all(is_cell)
}

/// Reads the line of the head that is complete.
fn close(open: &mut Option<(Label, String)>, raw: &mut Raw) {
    if let Some((label, rest)) = open.take() {
        let is_read = read_line(label, &rest, raw);
        let text = format!("{} {rest}", label.name());
        match is_read {
            true => raw.head.push((text, label.matters())),
            false => raw.others.push(text),
        }
    }
}

/// The section that a heading begins.
fn section(line: &str) -> Option<Section> {
    let line = line.trim_end_matches([':', '.']).to_lowercase();
    Some(match line.as_str() {
        "traits" | "special traits" | "special abilities" => Section::Traits,
        "actions" => Section::Actions,
        "bonus actions" => Section::BonusActions,
        "reactions" => Section::Reactions,
        "legendary actions" => Section::Legendary,
        "lair actions" | "regional effects" | "mythic actions" => Section::Lair,
        _ => return None,
    })
}

/// The name with which an entry begins, and its text.
fn entry(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let end = line.char_indices().find(|(_, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && ['.', ':', '!', '?'].contains(sign)
    });
    let (end, _) = end.filter(|(_, sign)| *sign == '.')?;
    let (name, text) = (&line[..end], line[end + 1..].trim());
    let plain = name.split('(').next().unwrap_or_default();
    let small = [
        "of", "the", "and", "or", "in", "with", "to", "a", "an", "for", "from", "by", "at",
    ];
    let is_title = |word: &str| {
        let first = word.trim_start_matches('"').chars().next();
        first.is_some_and(|first| first.is_uppercase() || first.is_ascii_digit())
            || small.contains(&word)
    };
    let words = plain.split_whitespace();
    let count = words.clone().count();
    let starts = plain.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit());
    (starts && (1..=7).contains(&count) && words.into_iter().all(is_title)).then_some((name, text))
}

fn starts_entry(line: &str) -> bool {
    entry(line).is_some()
}

/// Reads the entries after the head.
fn read_body(lines: &[Line], raw: &mut Raw) {
    let mut current = Section::Traits;
    // A name may begin where a sentence has ended.
    let mut may_begin = true;
    for line in lines {
        let text = line.text.as_str();
        if let Some(section) = section(text) {
            (current, may_begin) = (section, true);
            continue;
        }
        if text.is_empty() {
            may_begin = true;
            if let Some(last) = raw.entries.last_mut() {
                end_paragraph(&mut last.text);
            }
            continue;
        }
        match entry(text).filter(|_| may_begin) {
            Some((name, text)) => raw.entries.push(RawEntry::new(current, name, text)),
            None => match raw
                .entries
                .last_mut()
                .filter(|last| last.section == current)
            {
                Some(last) => join(&mut last.text, text),
                // The rules of a section, such as those of legendary actions.
                None => raw
                    .entries
                    .push(RawEntry::new(current, current.heading(), text)),
            },
        }
        may_begin = text.ends_with(['.', '!', '?', ')', ':', '"']) || begins_list(text);
    }
    // Attacks before any heading are actions: some pages have none.
    let is_headed = raw
        .entries
        .iter()
        .any(|entry| entry.section != Section::Traits);
    let is_action = |entry: &RawEntry| {
        let words = ["Attack:", "Attack Roll:", "Multiattack"];
        words
            .iter()
            .any(|word| entry.text.contains(word) || entry.heading.name.contains(word))
    };
    let first = raw
        .entries
        .iter()
        .position(is_action)
        .filter(|_| !is_headed);
    let actions = first.map_or(0, |first| raw.entries.len() - first);
    let actions = raw.entries.iter_mut().rev().take(actions);
    actions.for_each(|entry| entry.section = Section::Actions);
    for entry in std::mem::take(&mut raw.entries) {
        add_entry(entry, &mut raw.entries);
    }
}

/// Adds an entry, or its text to the one before it: the breath weapons of a dragon share their
/// recharge.
fn add_entry(mut entry: RawEntry, all: &mut Vec<RawEntry>) {
    entry.text = entry.text.trim().to_owned();
    let is_choice = |before: &&mut RawEntry| {
        let shares = entry.section == before.section && entry.heading.usage.is_null();
        let points = before.text.contains("following") || before.text.ends_with("below.");
        let offers = points && !before.heading.usage.is_null();
        shares && offers && entry.text.contains("aving throw") && !entry.text.contains("ttack:")
    };
    match all.last_mut().filter(is_choice) {
        Some(before) => {
            before.text = format!("{}\n{}. {}", before.text, entry.heading.name, entry.text);
        }
        None => all.push(entry),
    }
}

fn end_paragraph(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}
