//! Rolls and executions as documents ([`crate::answer::document`]).

use super::bind::Bound;
use super::played::{Answered, Asked, Played, StatKey, Step, Thrown};
use super::roll::{Rolled, Test};
use super::subtotals::Subtotal;
use crate::answer::document::roll::{
    AnswerEntry, DieEntry, OfferEntry, OptionEntry, ReturnedEntry, StepEntry, SubtotalEntry,
    TestEntry, ThrownEntry,
};
use crate::answer::document::{Number, PlayDocument, RollDocument};
use crate::answer::kind_word;
use dicec_lang::front::notation::marked;
use dicec_lang::interp::{RolledDie, Value};
use dicec_runtime::pool::Flags;
use indexmap::IndexMap;

/// The words for the marks on a die, in the order in which they are listed.
const WORDS: [(Flags, &str); 10] = [
    (Flags::DROPPED, "dropped"),
    (Flags::EXPLODED, "exploded"),
    (Flags::ADDED, "added"),
    (Flags::REROLLED, "rerolled"),
    (Flags::SUCCESS, "success"),
    (Flags::FAILURE, "failure"),
    (Flags::CRITICAL, "critical"),
    (Flags::FUMBLE, "fumble"),
    (Flags::META, "meta"),
    (Flags::CLASS, "dc"),
];

impl Bound {
    /// The document of a roll of this rule; `seed` reproduces it.
    pub fn roll_document(&self, roll: &Rolled, seed: Option<u64>) -> RollDocument {
        let float = roll.float.map(Number::Float);
        let (successes, failures) = roll.counted.unzip();
        RollDocument {
            kind: kind_word(roll.kind),
            expression: self.program().normal_form_in_full(),
            total: roll.total.map(Number::Whole).or(float),
            raw: roll.raw.map(Number::Whole).or(float),
            check: roll.check,
            degree: roll.degree,
            test: roll.test.map(tested),
            label: roll.label.clone(),
            natural: roll.natural,
            successes,
            failures,
            subtotals: roll.subtotals.iter().map(subtotal).collect(),
            rendered: roll.rendered.clone(),
            dice: roll.dice.iter().map(die).collect(),
            seed,
        }
    }

    /// The document of an execution of this roll; `seed` reproduces it.
    pub fn play_document<'p>(&'p self, played: &'p Played, seed: Option<u64>) -> PlayDocument<'p> {
        let mut stats: IndexMap<&str, Vec<Number>> = IndexMap::new();
        for (stat, value) in &played.stats {
            let (name, number) = self.noted(stat, *value);
            stats.entry(name).or_default().push(number);
        }
        let options = played.options.iter().map(option);
        let parts = played.parts.iter();
        let parts = parts.map(|(name, value)| (name.as_str(), value.as_str()));
        PlayDocument {
            roll: self.definition().name(),
            label: self.definition().label(),
            steps: played.steps.iter().map(step).collect(),
            rolls: played.rolls.iter().map(|roll| self.thrown(roll)).collect(),
            options: options.collect(),
            stats,
            parts: parts.collect(),
            result: match (played.degree.or(played.label.as_deref()), played.result) {
                (Some(name), _) => Some(ReturnedEntry::Name(name)),
                (None, Some(Value::Bool(truth))) => Some(ReturnedEntry::Truth(truth)),
                (None, Some(Value::Float(value))) => {
                    Some(ReturnedEntry::Number(Number::Float(value)))
                }
                (None, Some(Value::Int(value) | Value::Degree(value))) => {
                    Some(ReturnedEntry::Number(Number::Whole(value)))
                }
                (None, None) => None,
            },
            raw: played.raw,
            success: played.success,
            seed,
        }
    }

    fn thrown<'p>(&'p self, thrown: &'p Thrown) -> ThrownEntry<'p> {
        let text = self.program().sources().text();
        ThrownEntry {
            path: &thrown.path,
            purpose: &thrown.purpose,
            expression: text.get(thrown.span.range()).unwrap_or_default(),
            rendered: marked(&thrown.segments),
            total: thrown.total.and_then(|total| match total {
                Value::Int(total) => Some(Number::Whole(total)),
                Value::Float(total) => Some(Number::Float(total)),
                Value::Bool(_) | Value::Degree(_) => None,
            }),
            test: thrown.test.map(tested),
            dice: thrown.table.iter().map(die).collect(),
            remembered: thrown.new == 0,
            new: thrown.new,
            start: thrown.span.start,
            end: thrown.span.end,
        }
    }

    /// The name of a statistic of [`Played::stats`], and the number that was noted.
    pub fn noted<'n>(&'n self, stat: &'n StatKey, value: i64) -> (&'n str, Number) {
        let module = self.program().hir();
        let (name, kind) = match stat {
            StatKey::Known(stat) => (&module.stats[stat.index()], module.stat_kind(*stat)),
            StatKey::Named(name) => (name, module.named_stat_kind()),
        };
        (name, Number::new(kind.scale(), value))
    }
}

fn tested(test: Test) -> TestEntry {
    TestEntry {
        success: test.success(),
        degrees: test.degrees,
        target: test.target,
    }
}

fn subtotal(part: &Subtotal<Value>) -> SubtotalEntry {
    SubtotalEntry {
        label: part.label.clone(),
        total: match part.value {
            Value::Float(total) => Number::Float(total),
            total => Number::Whole(total.to_cell()),
        },
    }
}

fn die(die: &RolledDie) -> DieEntry {
    let kept = die.is_kept().then_some("kept");
    let words = WORDS.iter().filter(|(flag, _)| die.flags.contains(*flag));
    DieEntry {
        sides: die.sides,
        face: die.face,
        value: die.value,
        kept: die.is_kept(),
        flags: kept
            .into_iter()
            .chain(words.map(|(_, word)| *word))
            .collect(),
        start: die.span.start,
        end: die.span.end,
    }
}

fn step(step: &Step) -> StepEntry<'_> {
    match step {
        Step::Line(line) => StepEntry::Line(line),
        Step::Roll(place) => StepEntry::Roll(*place),
        Step::Option(place) => StepEntry::Option(*place),
        Step::Group(steps) => StepEntry::Group(steps.iter().map(self::step).collect()),
    }
}

fn option(option: &Asked) -> OptionEntry<'_> {
    let (taken, offer) = match &option.answer {
        Answered::Taken(taken) => (Some(*taken), OfferEntry::default()),
        Answered::Number { bounds, chosen } => {
            let offer = OfferEntry {
                numbers: Some(*bounds),
                answer: Some(AnswerEntry::Number(*chosen)),
                answers: None,
            };
            (None, offer)
        }
        Answered::OneOf { answers, chosen } => {
            let answer = answers.get(*chosen).map(|answer| AnswerEntry::Text(answer));
            let offer = OfferEntry {
                answers: Some(answers),
                answer,
                numbers: None,
            };
            (None, offer)
        }
    };
    OptionEntry {
        path: &option.path,
        who: &option.who,
        text: &option.text,
        taken,
        offer,
    }
}
