//! The odds of results with several parts: of all parts together, and of each as of a statistic.

use super::activation::Activation;
use super::notes::Noted;
use super::values::Values;
use super::{Odds, Question};
use dicec_lang::hir::{Module, PartNote, Parts, Type};
use dicec_runtime::bug;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::{Pmf, Weight};
use std::collections::BTreeMap;

/// The odds of all parts of a result together.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<W = f64> {
    /// The results, ascending, each with the value of every part; of a text its index.
    pub rows: Vec<Vec<i64>>,
    /// The texts, in the order of the alphabet.
    pub texts: Vec<String>,
    /// The distribution of the index of the result.
    pub odds: Pmf<W>,
}

/// The odds of the parts of the results of a call; `None` if everything was left out.
pub(super) fn joint<W: Weight>(
    call: &Activation<W>,
    (module, parts): (&Module, &Parts),
    values: &Values,
) -> Option<Joint<W>> {
    let is_text = |index: usize| parts.all[index].ty == Type::Text;
    let is_record = matches!(module.function(parts.function).result, Type::Record(_));
    let outcomes = &call.outcomes;
    let cells = |outcome: usize| {
        let word = outcomes.row(outcome).first().copied();
        let word = word.unwrap_or_else(|| bug!("a result without a word").raise());
        match is_record {
            true => values.words(word).to_vec(),
            false => vec![word],
        }
    };
    let all: Vec<Vec<i64>> = (0..outcomes.len()).map(cells).collect();
    let words = all.iter().flat_map(|row| row.iter().enumerate());
    let words = words.filter(|(index, _)| is_text(*index));
    let mut texts: Vec<&str> = words.map(|(_, word)| values.template(*word)).collect();
    texts.sort_unstable();
    texts.dedup();
    let mut rows: BTreeMap<Vec<i64>, (W, u64)> = BTreeMap::new();
    for (outcome, mut row) in all.into_iter().enumerate() {
        let words = row.iter_mut().enumerate();
        for (_, word) in words.filter(|(index, _)| is_text(*index)) {
            *word = texts.partition_point(|text| *text < values.template(*word)) as i64;
        }
        let share = outcomes.share(outcome);
        let known = rows.entry(row).or_insert_with(|| (W::from_u64(0), 0));
        known.0.add(&share.weight);
        known.1 = known.1.max(share.roundings()).saturating_add(1);
    }
    let roundings = rows.values().map(|(_, roundings)| *roundings).max()?;
    let (rows, weights): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let weights = (0..).zip(weights.into_iter().map(|(weight, _)| weight));
    Some(Joint {
        rows,
        texts: texts.into_iter().map(str::to_owned).collect(),
        odds: Pmf::from_weights(weights)?.with_roundings(roundings),
    })
}

/// The limits on the function that returns the results of a question's roll: a body that notes
/// their parts has called it.
pub(super) fn limits(question: &Question<'_>) -> ScriptLimits {
    let returning = question.module.returning(question.function);
    let calls = u32::from(returning != question.function);
    ScriptLimits {
        fuel: question.limits.fuel.saturating_sub(calls),
        depth: question.limits.depth.saturating_sub(calls),
        ..question.limits
    }
}

impl<W: Weight> Odds<W> {
    /// Adds the odds of all parts together, and those of each as notes: trials note them.
    pub(super) fn add_joint(&mut self, joint: Joint<W>, parts: &Parts) {
        for (index, part) in parts.all.iter().enumerate() {
            let mut chances: BTreeMap<i64, f64> = BTreeMap::new();
            for (row, p) in joint.odds.probabilities() {
                // The odds are of the indices of the rows.
                *chances.entry(joint.rows[row as usize][index]).or_default() += p;
            }
            let noted = |chances: Vec<(i64, f64)>, times| Noted {
                pmf: Pmf::from_weights(chances)
                    .map(|pmf| pmf.with_roundings(joint.odds.len() as u64)),
                times,
            };
            match &part.note {
                PartNote::Number(stat) => {
                    self.stats[stat.index()] = noted(chances.into_iter().collect(), 1.0);
                }
                PartNote::Text(before) => {
                    self.named.extend(chances.into_iter().map(|(text, p)| {
                        let name = format!("{before}{}", joint.texts[text as usize]);
                        (name, noted(vec![(1, 1.0)], p))
                    }))
                }
            }
        }
        self.named.sort_by(|one, other| one.0.cmp(&other.0));
        self.joint = Some(joint);
    }
}
