//! Reads the sentences of an entry, one after the other, clause by clause.
//!
//! ```text
//! sentence --words--> clauses: each fills members of the draft, or stays unread
//!     unread clauses --idle--> without effect, or the reason why the sentence is not modelled
//! ```
//!
//! A clause after an unknown premise (`if`, `while`) is unread, too: half of a rule would be worse
//! than none of it.

use super::block::{Section, Sentence, Verdict};
use super::draft::{Draft, Outcome, Premise};
use super::idle::{Idle, idle};
use super::words::{Cursor, Word, words};
use std::ops::Range;

/// What the sentences are about at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// Nothing has been rolled.
    Start,
    Hit,
    Failure,
    FailureBy5,
    SecondFailure,
    Drops,
    Success,
    /// Something that fights do not play: a miss, a trigger.
    Other,
}

/// Whom a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Creature,
    Target,
}

/// An action of the stat block, which others of its entries may name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// Whether it is an attack in melee; `None` if it is not an attack.
    pub(super) is_melee: Option<bool>,
    pub(super) is_limited: bool,
}

/// The reader of an entry.
pub(super) struct Reader<'a> {
    pub(super) draft: Draft,
    pub(super) section: Section,
    pub(super) actions: &'a [Named],
    /// The words by which the text names its creature.
    pub(super) own: &'a [String],
    pub(super) branch: Branch,
    /// Whom the rest of the sentence is about.
    pub(super) premise: Premise,
    /// Whether the rest of the sentence depends on something unknown.
    pub(super) is_suspended: bool,
    /// Whether the clause is about those who are held.
    pub(super) is_held: bool,
    pub(super) subject: Subject,
    /// Whether the rest of the entry is another deed, which the draft cannot say.
    pub(super) is_over: bool,
    /// Whether the save is repeated once, and decides then.
    pub(super) is_second: bool,
    /// Whether the clause says only what others are about.
    pub(super) is_frame: bool,
    /// Words that were not read, of this sentence.
    pub(super) unread: Vec<Range<usize>>,
    /// The number of the sentence.
    pub(super) sentence: usize,
    /// Sentences whose conditions were given up later.
    pub(super) given_up: Vec<usize>,
}

/// A kind of clause: whether it was read, or `None` for another kind.
type Clause<'a> = fn(&mut Reader<'a>, &mut Cursor<'_>) -> Option<bool>;

/// The maximum number of words of a sentence that is read.
const MAX_WORDS: usize = 400;

/// The feet of the largest creatures.
const ANY_SIZE: i64 = 20;

/// Words between clauses.
const JOINTS: [&str; 13] = [
    ",",
    ".",
    "plus",
    ";",
    ":",
    "(",
    ")",
    "and",
    "or",
    "also",
    "then",
    "in addition",
    "additionally",
];

/// Words with which a premise begins.
const PREMISES: [&str; 12] = [
    "if", "when", "while", "whenever", "unless", "until", "after", "during", "at", "once", "each",
    "as",
];

impl<'a> Reader<'a> {
    /// The kinds of clauses, in the order in which they are tried.
    const CLAUSES: [Clause<'a>; 18] = [
        Self::label,
        Self::premise,
        Self::attack_roll,
        Self::gaze,
        Self::save_of_5_2,
        Self::save_of_5_1,
        Self::spellcasting,
        Self::multiattack,
        Self::half,
        Self::repeat,
        Self::ending,
        Self::immunity,
        Self::grip,
        Self::damage,
        Self::duration,
        Self::condition,
        Self::healing,
        Self::own_deed,
    ];

    pub(super) fn new(
        name: &str,
        section: Section,
        actions: &'a [Named],
        own: &'a [String],
    ) -> Self {
        Self {
            draft: Draft {
                name: name.to_owned(),
                ..Draft::default()
            },
            section,
            actions,
            own,
            branch: Branch::Start,
            premise: Premise::default(),
            is_suspended: false,
            is_held: false,
            subject: Subject::Creature,
            is_over: false,
            is_second: false,
            is_frame: false,
            unread: Vec::new(),
            sentence: 0,
            given_up: Vec::new(),
        }
    }

    /// Reads a sentence.
    pub(super) fn read(&mut self, sentence: &str) -> Sentence {
        let mut all = words(sentence, self.own);
        // Nobody writes a longer one, and reading takes time in its square.
        let is_long = all.len() > MAX_WORDS;
        all.truncate(MAX_WORDS);
        let mut cursor = Cursor::new(&all);
        // A variant, or a second breath, is something else.
        let has_save = self.draft.save.is_some();
        self.is_over |= cursor.peek() == "variant" || has_save && is_title(sentence);
        (self.premise, self.is_suspended) = (Premise::default(), self.is_over);
        self.is_held = false;
        self.unread.clear();
        let mut is_read = false;
        while !cursor.is_end() {
            if cursor.eat_any(&JOINTS) {
                continue;
            }
            let start = cursor.at;
            match self.clause(&mut cursor) {
                // A premise alone changes nothing.
                Some(true) => is_read |= !std::mem::take(&mut self.is_frame),
                Some(false) => self.unread.push(start..cursor.at),
                None => {
                    cursor.at = start;
                    self.skip(&mut cursor);
                    self.unread.push(start..cursor.at);
                }
            }
        }
        if is_long {
            self.unread.push(0..all.len());
        }
        let read = self.verdict(sentence, &all, is_read);
        // Whom a deed is for, or when, is said before what it does.
        let is_deed = matches!(self.section, Section::Actions | Section::Legendary);
        let is_before = is_deed && !self.draft.has_begun();
        self.is_over |= is_before && read.verdict == Verdict::NotModelled;
        read
    }

    fn clause(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let start = cursor.at;
        Self::CLAUSES.iter().find_map(|clause| {
            cursor.at = start;
            clause(self, cursor)
        })
    }

    /// Passes a clause that nothing reads; after an unknown premise, the rest of the sentence.
    fn skip(&mut self, cursor: &mut Cursor<'_>) {
        if PREMISES.contains(&cursor.peek()) {
            self.is_suspended = true;
        }
        cursor.next();
        let stops = [",", ".", ";", ":", "and", "or"];
        while !cursor.is_end() && cursor.peek() != "until" {
            let is_premise = ["if", "unless", "while"].contains(&cursor.peek());
            self.is_suspended |= is_premise;
            if !self.is_suspended && stops.contains(&cursor.peek()) {
                break;
            }
            cursor.next();
        }
    }

    fn verdict(&self, sentence: &str, all: &[Word], is_read: bool) -> Sentence {
        let (mut missing, mut with_distances) = (Vec::new(), Vec::new());
        // Words of which nothing is known are idle only if the sentence has no others.
        let whole = idle(all, !is_read);
        for range in &self.unread {
            let part = &all[range.clone()];
            match idle(part, false).max(whole) {
                Idle::Always => {}
                Idle::InReach => with_distances.extend(text_of(sentence, part)),
                Idle::Never => missing.extend(text_of(sentence, part)),
            }
        }
        Sentence {
            text: sentence.to_owned(),
            verdict: match (is_read, missing.is_empty()) {
                (_, false) => Verdict::NotModelled,
                (true, true) => Verdict::Modelled,
                (false, true) => Verdict::WithoutEffect,
            },
            missing: missing.join(" ... "),
            missing_with_distances: with_distances.join(" ... "),
        }
    }

    /// The outcome that a clause may change; `None` if it depends on what fights do not play.
    pub(super) fn outcome(&mut self) -> Option<&mut Outcome> {
        if self.is_suspended || !self.premise.is_empty() || self.is_held {
            return None;
        }
        let save = self.draft.save.as_mut();
        let outcome = match self.branch {
            Branch::Hit => &mut self.draft.inflicts,
            Branch::Failure => &mut save?.failure,
            Branch::FailureBy5 => &mut save?.by_5,
            Branch::SecondFailure => &mut save?.twice,
            Branch::Drops => &mut save?.drops,
            Branch::Start | Branch::Success | Branch::Other => return None,
        };
        Some(outcome)
    }

    /// Gives up what a stat block cannot say together: conditions of a hit next to those of a save.
    pub(super) fn settle(&mut self) {
        let has_save = self
            .draft
            .save
            .as_ref()
            .is_some_and(|save| save.does_something());
        if has_save && !self.draft.inflicts.is_empty() {
            let inflicts = std::mem::take(&mut self.draft.inflicts);
            match inflicts.conditions[..] == ["prone"] {
                true => self.draft.knocks = Some(ANY_SIZE),
                false => self.given_up.extend(inflicts.said_in),
            }
        }
    }

    /// Gives up the conditions of the branch, because something unknown ends them.
    pub(super) fn give_up(&mut self) {
        if let Some(outcome) = self.outcome() {
            let said_in = std::mem::take(outcome).said_in;
            self.given_up.extend(said_in);
        }
    }
}

/// Whether a sentence is only a name: `Lightning Breath.`
fn is_title(sentence: &str) -> bool {
    let words = sentence.trim_start_matches(['-', ' ']).split(' ');
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    sentence.ends_with('.') && words.clone().count() <= 4 && words.into_iter().all(is_capital)
}

/// The text that some words have in their sentence.
fn text_of<'s>(sentence: &'s str, words: &[Word]) -> Option<&'s str> {
    let (first, last) = (words.first()?, words.last()?);
    sentence.get(first.at.start..last.at.end).map(str::trim)
}
