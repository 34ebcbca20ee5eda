//! The policy of best play: the states in which each option is met, with the best answer and the
//! loss by others, and rules that say the same in few words.

use super::Advisor;
use super::naming::Named;
use super::sample::Sampled;
use super::tree::{Case, Feature, Rule, rules};
use crate::program::failure::Failure;
use dicec_exact::{Best, Choice, Mover, Shown};
use dicec_lang::hir::{Data, Offers, Type};
use indexmap::IndexMap;

/// The best play of a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    /// The value, its error and the results.
    pub best: Best,
    /// The trials that the value was compared with; none if checks are off.
    pub sampled: Option<Sampled>,
    /// The policy of each option that best play meets, by player, in the order of the script.
    pub options: Vec<OptionPolicy>,
}

/// The best answers to an option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionPolicy {
    /// Its text.
    pub option: String,
    /// Who decides; empty if nobody is named.
    pub who: String,
    /// Whether the player wants little of the goal.
    pub minimises: bool,
    /// How often it is met in a trial.
    pub times: f64,
    /// The states in which it is met, the most frequent first.
    pub states: Vec<PolicyState>,
    /// Rules for the answer.
    pub rules: Rule,
    /// The expected loss in a trial by following the rules, to first order; 0 if they say what is
    /// best in all states.
    pub loss: f64,
    /// Its name and type of answers for a function: whether they are yes or no.
    pub yes_or_no: bool,
}

/// A state in which an option is met.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyState {
    /// The variables that can matter, and their values as texts.
    pub variables: Vec<(String, String)>,
    /// How often the state is met in a trial.
    pub times: f64,
    /// The best answer.
    pub best: String,
    /// The value of play after it.
    pub value: f64,
    /// The second best answer, and the value that it loses.
    pub second: Option<(String, f64)>,
}

impl PolicyState {
    /// The value of a variable, if the state has it.
    pub fn value_of(&self, name: &str) -> Option<&str> {
        let mut variables = self.variables.iter();
        let found = variables.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Advisor<'_, '_, '_> {
    /// The best play, after a check of its value.
    ///
    /// # Errors
    /// Trials refute the value; or as for
    /// [`Bound::with_best`](crate::Bound::with_best).
    pub fn best_play(&mut self) -> Result<BestPlay, Failure> {
        let best = self.solved.best();
        let sampled = self.check(&best)?;
        let choices = self.solved.choices();
        let choices = choices.map_err(|error| self.bound.failed(error.into()))?;
        let mut groups: IndexMap<(u32, String), Vec<Choice>> = IndexMap::new();
        for choice in choices {
            let key = (choice.option.0, choice.who.clone());
            groups.entry(key).or_default().push(choice);
        }
        groups.sort_keys();
        let options = groups.into_iter().map(|((option, who), choices)| {
            let option = option as usize;
            let yes_or_no = self.bound.program().hir().offers[option] == Offers::YesNo;
            let text = self.bound.program().options()[option].clone();
            self.policy((text, who), yes_or_no, &choices)
        });
        Ok(BestPlay {
            options: options.collect(),
            best,
            sampled,
        })
    }

    fn policy(
        &self,
        (option, who): (String, String),
        yes_or_no: bool,
        choices: &[Choice],
    ) -> OptionPolicy {
        let minimises = choices
            .iter()
            .any(|choice| choice.mover == Mover::Minimiser);
        let (rules, loss) = rules(&cases(choices, yes_or_no));
        OptionPolicy {
            option,
            who,
            minimises,
            times: choices.iter().map(|choice| choice.times).sum(),
            states: choices
                .iter()
                .map(|choice| self.state(choice, yes_or_no))
                .collect(),
            rules,
            loss,
            yes_or_no,
        }
    }

    fn state(&self, choice: &Choice, yes_or_no: bool) -> PolicyState {
        let module = self.bound.program().hir();
        let variables = choice.variables.iter();
        let variables = variables.map(|shown| (shown.name.clone(), shown.text(module)));
        let best = &choice.answers[choice.best];
        let others = choice.answers.iter().enumerate();
        let others = others.filter(|(index, _)| *index != choice.best);
        let losses = others.map(|(_, answer)| (answer, (best.value - answer.value).abs()));
        let second = losses.min_by(|one, other| one.1.total_cmp(&other.1));
        PolicyState {
            variables: variables.collect(),
            times: choice.times,
            best: best.name(yes_or_no),
            value: best.value,
            second: second.map(|(answer, loss)| (answer.name(yes_or_no), loss)),
        }
    }
}

/// The states of an option as cases to find rules for.
fn cases(choices: &[Choice], yes_or_no: bool) -> Vec<Case> {
    choices
        .iter()
        .map(|choice| {
            let best = choice.answers[choice.best].value;
            let losses = choice.answers.iter();
            let losses = losses.map(|answer| {
                let loss = choice.times * (best - answer.value).abs();
                (answer.name(yes_or_no), loss)
            });
            Case {
                features: choice.variables.iter().flat_map(features).collect(),
                losses: losses.collect(),
            }
        })
        .collect()
}

/// The numbers and texts of a variable that rules may be about.
fn features(shown: &Shown) -> Vec<(String, Feature)> {
    let name = shown.name.clone();
    match (&shown.value, &shown.ty) {
        (Data::Int(number), _) => vec![(name, Feature::Number(*number as f64))],
        (Data::Float(number), _) => vec![(name, Feature::Number(number.get()))],
        (Data::Bool(truth), _) => vec![(name, Feature::Truth(*truth))],
        (Data::Text(text), _) => vec![(name, Feature::Text(text.clone()))],
        (Data::List(parts), Type::List(element)) => {
            let parts = parts.iter().enumerate().flat_map(|(index, part)| {
                features(&Shown {
                    name: format!("{name}[{index}]"),
                    ty: (**element).clone(),
                    value: part.clone(),
                })
            });
            let length = (
                format!("len({name})"),
                Feature::Number(parts.clone().count() as f64),
            );
            parts.chain([length]).collect()
        }
        (Data::Named(_) | Data::List(_) | Data::Record(_), _) => Vec::new(),
    }
}
