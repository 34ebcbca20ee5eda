//! Several answers to one question, each with a name: rules that are compared or asked about
//! together, the rolls of a script, the statistics of a picture.

use super::relation::are_comparable;
use super::{Answer, Distribution, Side};

/// An answer with a name.
#[derive(Clone, Debug)]
pub struct NamedAnswer {
    /// The name; that of a roll, or of a rule the one that it was given.
    pub name: String,
    /// The label of the roll, or the rule in its normal form.
    pub label: String,
    /// The answer.
    pub answer: Answer,
}

/// Several answers to one question, in the order of the question.
#[derive(Clone, Debug, Default)]
pub struct NamedAnswers(Vec<NamedAnswer>);

impl NamedAnswer {
    /// Odds that are shown under this name.
    pub fn of_odds(name: impl Into<String>, odds: Distribution) -> Self {
        let name = name.into();
        Self {
            label: name.clone(),
            name,
            answer: Answer::of_odds(odds),
        }
    }
}

impl NamedAnswers {
    /// These answers.
    pub fn new(answers: Vec<NamedAnswer>) -> Self {
        Self(answers)
    }

    /// The parts of an answer as answers.
    pub fn of_parts(answer: &Answer) -> Self {
        let parts = answer.parts.iter();
        let parts = parts.map(|part| NamedAnswer::of_odds(&part.name, part.odds.clone()));
        Self(parts.collect())
    }

    /// Each answer.
    pub fn iter(&self) -> impl Iterator<Item = &NamedAnswer> {
        self.0.iter()
    }

    /// Each answer, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut NamedAnswer> {
        self.0.iter_mut()
    }

    /// Adds others after these.
    pub fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// These as parts of another answer: with its name before theirs.
    #[must_use]
    pub fn within(mut self, whole: &str) -> Self {
        for named in &mut self.0 {
            named.name = format!("{whole}.{}", named.name);
        }
        self
    }

    /// The results of those that have any.
    pub fn sides(&self) -> Vec<Side<'_>> {
        let sides = self.0.iter().filter_map(|named| {
            let odds = named.answer.result.as_ref()?;
            let expression = &named.name;
            Some(Side { expression, odds })
        });
        sides.collect()
    }

    /// These with numbers as floats if some are floats: they share an axis.
    #[must_use]
    pub fn aligned(mut self) -> Self {
        let sides = self.sides();
        let scale = sides.first().map(|first| first.odds.scale());
        if sides.iter().any(|side| Some(side.odds.scale()) != scale) {
            let results = self.0.iter_mut();
            let results = results.filter_map(|named| named.answer.result.as_mut());
            results.for_each(Distribution::make_float);
        }
        self
    }

    /// The first answer whose results cannot share an axis with those of the first one.
    pub fn odd_one(&self) -> Option<&NamedAnswer> {
        let odds = |named: &NamedAnswer| named.answer.result.clone();
        let first = self.0.iter().find_map(odds)?;
        self.0.iter().find(|named| {
            let Some(other) = &named.answer.result else {
                return false;
            };
            let same_labels = first.labels() == other.labels();
            let are_labels = first.kind() == other.kind() && first.kind().is_label() && same_labels;
            !are_labels && !are_comparable(first.kind(), other.kind(), same_labels)
        })
    }
}
