//! Whom something is for: targets, areas, premises about types and sizes.

use super::draft::Premise;
use super::numbers::or_smaller;
use super::reader::{Branch, Reader, Subject};
use super::words::Cursor;
use crate::encounter::condition_named;
use serde_json::{Value, json};

/// Words that do not narrow down who is meant, in a fight in which everybody sees everybody.
const PLAIN: [&str; 43] = [
    "has",
    "have",
    "willing",
    "one",
    "a",
    "an",
    "the",
    "each",
    "any",
    "all",
    "target",
    "targets",
    "creature",
    "creatures",
    "other",
    "enemy",
    "of",
    "*'s",
    "its",
    "choice",
    "that",
    "who",
    "is",
    "are",
    "it",
    "*",
    "can",
    "see",
    "hear",
    "and",
    "or",
    "in",
    "aware",
    "area",
    "line",
    "cone",
    "cube",
    "space",
    "sphere",
    "not",
    "another",
    "both",
    "within",
];

/// The types of creatures.
const TYPES: [&str; 14] = [
    "aberration",
    "beast",
    "celestial",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "fiend",
    "giant",
    "humanoid",
    "monstrosity",
    "ooze",
    "plant",
    "undead",
];

impl Reader<'_> {
    /// Takes a mention of the target or of the creature itself, and remembers whom it is about.
    pub(super) fn mention(&mut self, cursor: &mut Cursor<'_>) {
        if cursor.eat_any(&["*", "the mephit"]) {
            self.subject = Subject::Creature;
            return;
        }
        let is_known = cursor.attempt(|cursor| {
            cursor.take("the|that|a|each|an such? affected?")?;
            let state = cursor.peek();
            let is_known = match state {
                "target" | "creature" | "victim" => true,
                _ => {
                    cursor.next();
                    condition_named(state).is_some()
                        || ["grappled", "first", "same"].contains(&state)
                }
            };
            cursor.take("target|creature|victim").map(|_| is_known)
        });
        if let Some(is_known) = is_known {
            self.subject = Subject::Target;
            // What happens to an engulfed creature depends on that.
            self.is_suspended |= !is_known;
        } else {
            cursor.eat("it|they");
        }
    }

    /// Reads the words up to an index as a description of targets; its area becomes that of the
    /// draft.
    pub(super) fn targets(&mut self, cursor: &mut Cursor<'_>, end: usize) -> Premise {
        let mut premise = Premise::default();
        let mut is_each = false;
        while cursor.at < end {
            let start = cursor.at;
            is_each |= cursor.peek() == "each";
            if let Some(feet) = cursor.take("within # ft of *|it").filter(|_| is_each)
                && self.draft.attack.is_none()
                && self.draft.area.is_none()
            {
                self.draft.area = Some(json!({ "shape": "radius", "feet": feet[0] }));
                continue;
            }
            cursor.at = start;
            if let Some(area) = area(cursor) {
                self.draft.area = Some(area);
                continue;
            }
            if self.narrow(cursor, &mut premise) {
                continue;
            }
            if cursor.eat_any(&[
                "within # ft of|from? *|it?",
                "in *'s space",
                "on the ground",
                "up to #",
                ",",
            ]) || PLAIN.contains(&cursor.peek())
            {
                cursor.at = cursor.at.max(start + 1);
                continue;
            }
            cursor.next();
            self.unread.push(start..cursor.at);
        }
        premise
    }

    /// Takes words that narrow down who is meant.
    fn narrow(&self, cursor: &mut Cursor<'_>, premise: &mut Premise) -> bool {
        if let Some(size) = or_smaller(cursor) {
            premise.max_size = Some(size);
            return true;
        }
        if cursor.eat_any(&["other than a|an?", "that isn't|aren't a|an?", "except"]) {
            while !cursor.is_end() {
                premise.not_types.push(singular(cursor.next()));
                if !cursor.eat("or|and a|an?") {
                    break;
                }
            }
            return true;
        }
        if cursor.eat_any(&[
            "grappled by *",
            "* is grappling",
            "it is grappling",
            "* has grappled",
        ]) {
            premise.held = true;
            return true;
        }
        let is_not = cursor.eat("non");
        let word = singular(cursor.peek());
        if is_not {
            premise.not_types.push(word);
        } else if condition_named(&word).is_some() || word == "grappled" {
            premise.conditions.push(word);
        } else if TYPES.contains(&word.as_str()) {
            premise.types.push(word);
        } else {
            return false;
        }
        cursor.next();
        cursor.eat("condition");
        true
    }

    /// A premise at the beginning of a clause.
    pub(super) fn premise(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        if cursor.eat_any(&["until this|the grapple ends", "while grappled"]) {
            self.is_suspended |= self.draft.grapple.is_none();
            self.is_held = true;
            (self.subject, self.is_frame) = (Subject::Target, true);
            return Some(true);
        }
        if cursor.eat("it|the|target|creature is subjected to the following effect") {
            return Some(true);
        }
        if cursor.eat_any(&[
            "until this|the poison|effect|disease|curse ends",
            "while poisoned|frightened|paralyzed in? this? way? ,",
        ]) {
            let has_outcome = self
                .outcome()
                .is_some_and(|outcome| !outcome.conditions.is_empty());
            self.is_suspended |= !has_outcome;
            (self.subject, self.is_frame) = (Subject::Target, true);
            return Some(true);
        }
        if cursor.eat("alternatively") {
            self.is_frame = true;
            return Some(true);
        }
        cursor.take("if")?;
        if cursor.eat("it|* has a|an") {
            cursor.at += cursor.find("drawn").filter(|far| *far <= 2)? + 1;
            self.is_frame = true;
            return Some(true);
        }
        self.rolled(cursor).or_else(|| self.about_target(cursor))?;
        (self.subject, self.is_frame) = (Subject::Target, true);
        Some(true)
    }

    /// What a roll came to.
    fn rolled(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        let start = cursor.at;
        cursor.eat("the|a target|creature|saving|save throw?");
        if cursor
            .take("fails the|its? saving|save? throw? by 5 or more")
            .is_some()
        {
            self.branch = Branch::FailureBy5;
            return Some(());
        }
        cursor.at = start;
        if cursor.eat(
            "the|this poison|necrotic|acid? damage reduces the|a target|creature to 0 hitpoints",
        ) {
            self.branch = Branch::Drops;
            return Some(());
        }
        None
    }

    fn about_target(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.attempt(|cursor| {
            cursor.take("the|that? target|creature|it")?;
            if cursor.eat("can see|hear *") {
                return Some(());
            }
            cursor.take("is a|an?")?;
            let mut premise = Premise::default();
            while !matches!(cursor.peek(), "," | "") {
                if !self.narrow(cursor, &mut premise) && !cursor.eat("creature|or|a|an") {
                    return None;
                }
            }
            self.premise = premise;
            Some(())
        })
    }
}

/// A type in the singular: `humanoids`, `elves`.
fn singular(word: &str) -> String {
    word.strip_suffix('s')
        .filter(|one| one.len() > 3)
        .unwrap_or(word)
        .to_owned()
}

/// Takes an area with its size.
pub(super) fn area(cursor: &mut Cursor<'_>) -> Option<Value> {
    if let Some(feet) = cursor.take("line that is # ft long and # ft wide") {
        return Some(json!({ "shape": "line", "feet": feet[0], "width": feet[1] }));
    }
    let radius = |feet: i64| json!({ "shape": "radius", "feet": feet });
    if let Some(feet) = cursor.take("# ft long , # ft wide line") {
        return Some(json!({ "shape": "line", "feet": feet[0], "width": feet[1] }));
    }
    if let Some(feet) = cursor.take("# ft line that is # ft wide") {
        return Some(json!({ "shape": "line", "feet": feet[0], "width": feet[1] }));
    }
    if let Some(feet) = cursor.take("# ft line") {
        return Some(json!({ "shape": "line", "feet": feet[0] }));
    }
    if let Some(feet) = cursor.take("# ft cone") {
        return Some(json!({ "shape": "cone", "feet": feet[0] }));
    }
    if let Some(feet) = cursor.take("# ft cube") {
        return Some(json!({ "shape": "cube", "feet": feet[0] }));
    }
    let feet = cursor.take("# ft emanation originating? from? *|it?");
    let feet = feet.or_else(|| cursor.take("# ft radius sphere|cloud|circle|cylinder?"));
    feet.map(|feet| radius(feet[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statblock::words::words;

    #[test]
    fn areas_have_a_shape_and_feet() {
        let all = words("a 30-foot-long, 5-foot-wide Line", &[]);
        let mut cursor = Cursor::new(&all);
        cursor.next();
        let wanted = json!({ "shape": "line", "feet": 30, "width": 5 });
        assert_eq!(area(&mut cursor), Some(wanted));
        assert!(cursor.is_end());
    }
}
