//! Takes the parts of a result out of the statistics that note them.

use super::distribution::Distribution;
use super::joint::PartOdds;
use super::script::{Answer, Statistic};
use dicec_lang::hir::{Kind, Module, Part, PartNote, Parts, Type};
use dicec_runtime::scale::Scale;
use dicec_runtime::stats::Tally;
use std::sync::Arc;

impl Answer {
    /// The same with the odds of its parts taken from the statistics that note them. The parts of
    /// other rolls are not statistics, either.
    pub(crate) fn in_parts(mut self, parts: Option<&Parts>, module: &Module) -> Self {
        if let Some(parts) = parts {
            self = self.with_parts(parts, module);
        }
        for parts in module.rolls.iter().filter_map(|roll| roll.parts.as_ref()) {
            for part in &parts.all {
                self.take_notes(part, module);
            }
        }
        self
    }

    fn with_parts(mut self, parts: &Parts, module: &Module) -> Self {
        let mut all: Vec<PartOdds> = Vec::new();
        for (index, part) in parts.all.iter().enumerate() {
            let noted = self.noted(part, module);
            let odds = match (&mut self.joint, noted) {
                (Some(joint), noted) => {
                    let ends = noted
                        .filter(|_| part.ty != Type::Text)
                        .map(|odds| odds.unbounded());
                    Some(
                        joint
                            .take_part(index, part, module)
                            .unbounded_at(ends.unwrap_or_default()),
                    )
                }
                (None, noted) => noted,
            };
            let name = part.name.clone();
            all.extend(odds.map(|odds| PartOdds { name, odds }));
        }
        match parts.is_text() {
            true => self.result = all.pop().map(|part| part.odds),
            false => self.parts = all,
        }
        self
    }

    /// Takes the notes of a part out of the statistics.
    fn take_notes(&mut self, part: &Part, module: &Module) -> Vec<Statistic> {
        let is_its = |stat: &Statistic| match &part.note {
            PartNote::Number(id) => stat.name == module.stats[id.index()],
            PartNote::Text(before) => stat.name.starts_with(before),
        };
        let (own, others) = std::mem::take(&mut self.stats)
            .into_iter()
            .partition(is_its);
        self.stats = others;
        own
    }

    /// The odds of a part from its notes.
    fn noted(&mut self, part: &Part, module: &Module) -> Option<Distribution> {
        let own = self.take_notes(part, module);
        let kind = module.kind_of_type(&part.ty)?;
        let PartNote::Text(before) = &part.note else {
            let odds = own.into_iter().find_map(|stat| stat.odds)?;
            let labels = module.labels_of_type(&part.ty);
            return Some(odds.of_kind(kind, Arc::default()).labelled(labels));
        };
        let texts = own.iter().map(|stat| stat.name[before.len()..].to_owned());
        let labels: Arc<[String]> = texts.collect();
        let mut tally = Tally::new(Scale::Whole, None);
        for (stat, text) in own.iter().zip(0..) {
            // A text that no trial gave has no odds.
            if let Some(trials) = stat.odds.as_ref().and_then(Distribution::trials) {
                tally.add_counts(text, &[trials]);
            }
        }
        (tally.count() > 0).then(|| Distribution::sampled(Kind::Label, tally).of_kind(kind, labels))
    }
}
