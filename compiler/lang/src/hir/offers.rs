//! The possible answers to an option, as far as they are known before a trial.

use super::Policy;

/// The answers to an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Offers {
    /// Yes or no.
    #[default]
    YesNo,
    /// A number from the first to the last one, if they are known.
    Numbers(Option<[i64; 2]>),
    /// An element of a list, with the names of its elements for players, if they are known.
    OneOf(Option<Vec<String>>),
}

impl Offers {
    /// The policy of players who always give this answer, if it is valid: a label or a number. If
    /// the elements of a list are not known, it is the number of one, counted from 1.
    pub fn policy(&self, answer: &str) -> Option<Policy> {
        let number = || answer.trim().parse::<i64>().ok();
        let known = match self {
            Offers::YesNo => None,
            Offers::Numbers(bounds) => number().filter(|number| {
                bounds.is_none_or(|[first, last]| (first..=last).contains(number))
            }),
            Offers::OneOf(Some(labels)) => {
                let place = labels.iter().position(|label| label == answer);
                place.map(|place| place as i64)
            }
            Offers::OneOf(None) => number()
                .map(|number| number - 1)
                .filter(|place| *place >= 0),
        };
        known.map(Policy::Answer)
    }

    /// Whether players can decide like this.
    pub fn takes(&self, policy: Policy) -> bool {
        match (self, policy) {
            (_, Policy::Never) => true,
            (Offers::YesNo, Policy::Always | Policy::Chance(_)) => true,
            (Offers::YesNo, _) | (_, Policy::Always | Policy::Chance(_)) => false,
            (Offers::Numbers(Some([first, last])), Policy::Answer(number)) => {
                (first..=last).contains(&&number)
            }
            (Offers::OneOf(Some(labels)), Policy::Answer(place)) => {
                usize::try_from(place).is_ok_and(|place| place < labels.len())
            }
            (_, Policy::Answer(_) | Policy::Random) => true,
        }
    }

    /// The possible answers, in words.
    pub fn words(&self) -> String {
        match self {
            Offers::YesNo => "yes or no".to_owned(),
            Offers::Numbers(Some([first, last])) => format!("a number from {first} to {last}"),
            Offers::Numbers(None) => "a number".to_owned(),
            Offers::OneOf(Some(labels)) => {
                let labels: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
                labels.join(", ")
            }
            Offers::OneOf(None) => {
                "the number of an answer, counted from 1: which answers there are is not known \
                 before"
                    .to_owned()
            }
        }
    }
}
