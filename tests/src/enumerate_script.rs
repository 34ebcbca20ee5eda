//! Brute force for scripts: every roll of their dice, through the interpreter; and the comparison
//! of the exact engine with it.

use crate::enumerate::Odometer;
use dicec_exact::{Joint, Noted, Odds, Question};
use dicec_lang::hir::{CHANCE_SIDES, Module, Part, PartNote, Parts, Policy, StatId, Type};
use dicec_lang::interp::{Decision, Dice, Host, Interpreter, Offer, OptionSite, Outcome, RollSite};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};
use std::collections::BTreeMap;

/// The outcomes of a script over all rolls of its dice.
#[derive(Debug, Default)]
pub struct ScriptEnumeration {
    /// The probability of each result, if there are any.
    pub results: BTreeMap<i64, f64>,
    /// The expected number of lines of each template.
    pub lines: BTreeMap<String, f64>,
    /// The expected number of times that each statistic records each number.
    pub stats: Vec<BTreeMap<i64, f64>>,
    /// The same of statistics whose names are put together, by name.
    pub named: BTreeMap<String, BTreeMap<i64, f64>>,
    /// The probability of each result with several parts, each of them as text.
    pub parts: BTreeMap<Vec<String>, f64>,
    /// Whether each part is a text.
    are_texts: Vec<bool>,
    /// How often a trial outputs each line, and notes each number of each statistic.
    pub events: BTreeMap<Event, Times>,
    /// All traps that occurred.
    pub traps: Vec<Trap>,
}

/// A thing that a trial does any number of times.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A line of this template.
    Line(String),
    /// A number of the statistic of this name.
    Stat(String, i64),
}

/// How often a trial does something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The expected number.
    pub mean: f64,
    /// The expected square of the number.
    pub square: f64,
    /// The greatest number.
    pub most: u32,
}

/// A trial with counted faces.
struct Counted<'t> {
    dice: &'t mut Odometer,
    policies: &'t [Policy],
    lines: Vec<String>,
    stats: Vec<(usize, i64)>,
    named: Vec<(String, i64)>,
    unwatched: (),
}

impl Host for Counted<'_> {
    type Dice = Odometer;
    type Observer = ();

    const PATHS: bool = false;

    fn dice(&mut self) -> &mut Odometer {
        self.dice
    }

    fn observer(&mut self) -> &mut () {
        &mut self.unwatched
    }

    fn begin_roll(&mut self, _site: RollSite<'_>) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_roll(&mut self, _site: RollSite<'_>, _outcome: Option<&Outcome>) {}

    /// Treats a chance as one half, because a million faces would be too many.
    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        Ok(match self.policies.get(site.option.index()) {
            None | Some(Policy::Never | Policy::Answer(_) | Policy::Random) => false,
            Some(Policy::Always) => true,
            Some(Policy::Chance(times)) => {
                assert_eq!(2 * times, CHANCE_SIDES, "brute force knows halves alone");
                self.dice.roll(2)? == 1
            }
        })
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let policy = self.policies.get(site.option.index());
        let answer = policy.and_then(|policy| policy.answer(offer.first, offer.last));
        Ok(match (policy, answer) {
            (None, _) => Decision::Number(offer.first),
            (_, Some(number)) => Decision::Number(number),
            (Some(_), None) => Decision::Random,
        })
    }

    fn output(&mut self, line: &Text) -> Result<(), TrapCode> {
        self.lines.push(line.template());
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_group(&mut self) {}

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.stats.push((stat.index(), value));
        Ok(())
    }

    fn named_stat(&mut self, name: &Text, value: i64) -> Result<(), TrapCode> {
        self.named.push((name.template(), value));
        Ok(())
    }
}

impl ScriptEnumeration {
    /// Compares the odds of all parts of results together with this enumeration.
    fn expect_joint<W: Weight>(&self, joint: &Joint<W>, left_out: f64, script: &str) {
        let row = |index: i64| -> Vec<String> {
            let row = joint.rows[index as usize].iter().enumerate();
            let text = |(part, value): (usize, &i64)| match self.are_texts[part] {
                true => joint.texts[*value as usize].clone(),
                false => value.to_string(),
            };
            row.map(text).collect()
        };
        let known: BTreeMap<Vec<String>, i64> = joint
            .odds
            .iter()
            .map(|(index, _)| (row(index), index))
            .collect();
        assert!(
            known.keys().eq(self.parts.keys()),
            "{joint:?}\n{self:?}\n{script}"
        );
        let expected = self.parts.iter().map(|(row, p)| (known[row], *p));
        expect_pmf(&joint.odds, &expected.collect(), left_out, script);
    }
}

/// After this many rolls, their share of all says about how many there are.
const FIRST_ROLLS: usize = 500;

impl ScriptEnumeration {
    /// Enumerates a roll; `None` if it has more than `most` rolls of its dice, or if the first ones
    /// are so unlikely that it has many times more.
    pub fn of(question: &Question<'_>, most: usize) -> Option<Self> {
        let Question {
            module,
            rolls,
            limits,
            ..
        } = *question;
        let interpreter = Interpreter::new(module, question.function, rolls, limits);
        let mut dice = Odometer::default();
        let mut all = Self {
            stats: vec![BTreeMap::new(); module.stats.len()],
            are_texts: parts_of(question).map_or_else(Vec::new, |parts| {
                let types = parts.all.iter().map(|part| part.ty == Type::Text);
                types.collect()
            }),
            ..Self::default()
        };
        let mut done = 0.0;
        for number in 0..most {
            if number == FIRST_ROLLS && done * ((8 * most) as f64) < number as f64 {
                return None;
            }
            let mut table = Counted {
                dice: &mut dice,
                policies: question.policies,
                lines: Vec::new(),
                stats: Vec::new(),
                named: Vec::new(),
                unwatched: (),
            };
            let outcome = interpreter.run(question.args, question.resources, &mut table);
            let (lines, stats, named) = (table.lines, table.stats, table.named);
            let probability = dice.probability();
            done += probability;
            match outcome {
                Ok(result) => {
                    if let Some(result) = result {
                        *all.results.entry(result.to_cell()).or_default() += probability;
                    }
                    all.note_events(&lines, &stats, &named, module, probability);
                    if let Some(parts) = parts_of(question) {
                        let row = parts.all.iter().map(|part| last(part, &stats, &named));
                        *all.parts.entry(row.collect()).or_default() += probability;
                    }
                    for line in lines {
                        *all.lines.entry(line).or_default() += probability;
                    }
                    for (stat, value) in stats {
                        *all.stats[stat].entry(value).or_default() += probability;
                    }
                    for (name, value) in named {
                        let known = module.stats.iter().position(|known| *known == name);
                        let numbers = match known {
                            Some(known) => &mut all.stats[known],
                            None => all.named.entry(name).or_default(),
                        };
                        *numbers.entry(value).or_default() += probability;
                    }
                }
                Err(trap) => all.traps.push(trap),
            }
            if !dice.advance() {
                return Some(all);
            }
        }
        None
    }

    /// Adds the events of a trial.
    fn note_events(
        &mut self,
        lines: &[String],
        stats: &[(usize, i64)],
        named: &[(String, i64)],
        module: &Module,
        probability: f64,
    ) {
        let lines = lines.iter().map(|line| Event::Line(line.clone()));
        let stats = stats.iter();
        let stats = stats.map(|&(stat, value)| Event::Stat(module.stats[stat].clone(), value));
        let named = named.iter();
        let named = named.map(|(name, value)| Event::Stat(name.clone(), *value));
        let mut here: BTreeMap<Event, u32> = BTreeMap::new();
        for event in lines.chain(stats).chain(named) {
            *here.entry(event).or_default() += 1;
        }
        for (event, number) in here {
            let times = self.events.entry(event).or_default();
            let number_here = f64::from(number);
            times.mean += probability * number_here;
            times.square += probability * number_here * number_here;
            times.most = times.most.max(number);
        }
    }

    /// Compares exact odds with this enumeration.
    ///
    /// # Panics
    /// If they differ by more than their bounds.
    pub fn expect<W: Weight>(&self, odds: &Odds<W>, script: &str) {
        match &odds.result {
            None => assert!(self.results.is_empty(), "{script}"),
            Some(pmf) => expect_pmf(pmf, &self.results, odds.residual, script),
        }
        assert_eq!(
            odds.lines.len(),
            self.lines.len(),
            "{odds:?}\n{self:?}\n{script}"
        );
        for ((template, times), (line, expected)) in odds.lines.iter().zip(&self.lines) {
            assert_eq!(template, line, "{script}");
            assert!(
                (times - expected).abs() < 1e-9,
                "{line}: {times}, {expected}\n{script}"
            );
        }
        if let Some(joint) = &odds.joint {
            self.expect_joint(joint, odds.residual, script);
        }
        assert_eq!(odds.stats.len(), self.stats.len(), "{script}");
        for (noted, expected) in odds.stats.iter().zip(&self.stats) {
            expect_noted(noted, expected, odds.residual, script);
        }
        assert_eq!(odds.named.len(), self.named.len(), "{script}");
        for ((name, noted), (known, expected)) in odds.named.iter().zip(&self.named) {
            assert_eq!(name, known, "{script}");
            expect_noted(noted, expected, odds.residual, script);
        }
    }
}

/// The parts of the result of a roll.
fn parts_of<'q>(question: &Question<'q>) -> Option<&'q Parts> {
    let mut rolls = question.module.rolls.iter();
    let roll = rolls.find(|roll| roll.function == question.function)?;
    roll.parts.as_ref()
}

/// A part of the result of a trial as text: the body of the roll notes it last.
fn last(part: &Part, stats: &[(usize, i64)], named: &[(String, i64)]) -> String {
    match &part.note {
        PartNote::Number(id) => {
            let mut noted = stats.iter().rev();
            let number = noted.find(|(stat, _)| *stat == id.index());
            number.expect("each part is noted").1.to_string()
        }
        PartNote::Text(before) => {
            let noted = named.iter().rev();
            let mut texts = noted.filter_map(|(name, _)| name.strip_prefix(before.as_str()));
            texts.next().expect("each part is noted").to_owned()
        }
    }
}

fn expect_pmf<W: Weight>(pmf: &Pmf<W>, expected: &BTreeMap<i64, f64>, left_out: f64, script: &str) {
    let values: Vec<i64> = pmf.iter().map(|(value, _)| value).collect();
    assert!(
        values.iter().eq(expected.keys()),
        "{pmf:?}\n{expected:?}\n{script}"
    );
    for (value, probability) in pmf.probabilities() {
        let wanted = expected[&value];
        // Brute force has rounding errors, too.
        let most = (pmf.error_bound() + 1e-10) * wanted + left_out;
        assert!(
            (probability - wanted).abs() <= most,
            "{value}: {probability}, {wanted}\n{script}"
        );
    }
}

fn expect_noted(noted: &Noted, expected: &BTreeMap<i64, f64>, left_out: f64, script: &str) {
    let times: f64 = expected.values().sum();
    assert!(
        (noted.times - times).abs() < 1e-9,
        "{noted:?}\n{expected:?}\n{script}"
    );
    match &noted.pmf {
        None => assert!(expected.is_empty(), "{script}"),
        Some(pmf) => {
            let shares = expected
                .iter()
                .map(|(value, number)| (*value, number / times));
            expect_pmf(pmf, &shares.collect(), left_out, script);
        }
    }
}
