//! Interprets typed decisions: for an execution, [`Played`] and two texts give a [`Choice`] for the
//! session; for many trials, [`Offers`] and a text give a [`Policy`].

use super::played::{Answered, Asked, Played};
use super::session::Choice;
use dicec_lang::hir::Offers;
use dicec_lang::syntax::nearest;
use thiserror::Error;

/// Reasons why a typed decision gives no choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// The execution had no options.
    #[error("this roll met no option")]
    NoOptions,
    /// The execution had no option with this path or text.
    #[error("this roll met no option {option:?}")]
    Unknown {
        /// The typed option.
        option: String,
        /// The texts and the paths of its options.
        met: Vec<(String, String)>,
    },
    /// Several options match the text.
    #[error("{} options match {option:?}", found.len())]
    Ambiguous {
        /// The typed option.
        option: String,
        /// Their numbers, counted from 1, with texts and paths.
        found: Vec<(usize, String, String)>,
    },
    /// Several answers match the text.
    #[error("{} answers of the option {option:?} match {answer:?}", found.len())]
    AmbiguousAnswer {
        /// The text of the option.
        option: String,
        /// The typed answer.
        answer: String,
        /// The answers.
        found: Vec<String>,
    },
    /// The option does not offer this answer.
    #[error("the option {option:?} has no answer {answer:?}")]
    NotOffered {
        /// The text of the option.
        option: String,
        /// The typed answer.
        answer: String,
        /// The answers that it offers.
        offers: Offers,
    },
}

impl ChoiceError {
    /// A suggestion; none if there is nothing to choose.
    pub fn help(&self) -> Option<String> {
        let texts;
        let (typed, known, all) = match self {
            ChoiceError::NoOptions => return None,
            ChoiceError::Unknown { option, met } => {
                texts = met.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>();
                let all = met.iter().map(|(text, path)| format!("{text:?} at {path}"));
                let all = all.collect::<Vec<_>>().join(", ");
                (option, texts.as_slice(), format!("there are: {all}"))
            }
            ChoiceError::Ambiguous { found, .. } => {
                let named = found
                    .iter()
                    .map(|(number, text, path)| match path.as_str() {
                        "" => format!("{number} is {text:?}"),
                        path => format!("{number} is {text:?} at {path}"),
                    });
                let named = named.collect::<Vec<_>>().join(", ");
                return Some(format!("name one by its number: {named}"));
            }
            ChoiceError::AmbiguousAnswer { found, .. } => {
                let found: Vec<String> = found.iter().map(|text| format!("{text:?}")).collect();
                return Some(format!("write more of one of them: {}", found.join(", ")));
            }
            ChoiceError::NotOffered { answer, offers, .. } => match offers {
                Offers::YesNo => return Some("answer with yes or no".to_owned()),
                Offers::OneOf(Some(labels)) => {
                    let all = format!("answer with one of {}", offers.words());
                    (answer, labels.as_slice(), all)
                }
                offers => return Some(format!("answer with {}", offers.words())),
            },
        };
        Some(match nearest(typed, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {near:?}?"),
            None => all,
        })
    }
}

impl Played {
    /// The path of the option that `option` names, and the choice that `answer` names. The option
    /// is a path, a text, a part of a text that only one option has, or a number, counted from 1.
    /// The answer is `true` or `false`, a number, an answer as players read it, a part that only
    /// one answer has, or its index.
    ///
    /// # Errors
    /// The execution met no such option or several, or the option does not offer the answer.
    pub fn choice(&self, option: &str, answer: &str) -> Result<(&str, Choice), ChoiceError> {
        let asked = self.asked(option)?;
        Ok((&asked.path, asked.choice(answer)?))
    }

    fn asked(&self, wanted: &str) -> Result<&Asked, ChoiceError> {
        let options = &self.options;
        if let Some(option) = options.iter().find(|option| option.path == wanted) {
            return Ok(option);
        }
        let texts = options.iter().map(|option| option.text.as_str());
        match matching(texts, wanted).as_slice() {
            [place] => Ok(&options[*place]),
            [] if options.is_empty() => Err(ChoiceError::NoOptions),
            [] => Err(ChoiceError::Unknown {
                option: wanted.to_owned(),
                met: options
                    .iter()
                    .map(|option| (option.text.clone(), option.path.clone()))
                    .collect(),
            }),
            several => Err(ChoiceError::Ambiguous {
                option: wanted.to_owned(),
                found: several
                    .iter()
                    .map(|&place| {
                        let Asked { text, path, .. } = &options[place];
                        (place + 1, text.clone(), path.clone())
                    })
                    .collect(),
            }),
        }
    }
}

/// The indices of the matching texts: equal ones, or the one with this number, counted from 1, or
/// those that contain the wanted text, ignoring case.
fn matching<'t>(texts: impl Iterator<Item = &'t str> + Clone, wanted: &str) -> Vec<usize> {
    let places = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = texts.clone().enumerate().filter(|(_, text)| fits(text));
        fitting.map(|(place, _)| place).collect()
    };
    let same = places(&|text| text == wanted);
    if !same.is_empty() {
        return same;
    }
    let wanted = wanted.trim().to_lowercase();
    let count = texts.clone().count();
    match wanted.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => vec![number - 1],
        _ if wanted.is_empty() => Vec::new(),
        _ => places(&|text| text.to_lowercase().contains(&wanted)),
    }
}

impl Asked {
    /// The choice that an answer names.
    ///
    /// # Errors
    /// The option does not offer it, or several answers match.
    pub fn choice(&self, answer: &str) -> Result<Choice, ChoiceError> {
        if let Some(choice) = self.answer.choice(answer) {
            return Ok(choice);
        }
        let (option, answer) = (self.text.clone(), answer.to_owned());
        Err(match self.answer.matching(&answer) {
            found if found.len() > 1 => ChoiceError::AmbiguousAnswer {
                option,
                answer,
                found: found.into_iter().map(str::to_owned).collect(),
            },
            _ => ChoiceError::NotOffered {
                option,
                answer,
                offers: self.answer.offers(),
            },
        })
    }
}

impl Answered {
    /// The choice that an answer names, if there is one.
    pub fn choice(&self, answer: &str) -> Option<Choice> {
        match self {
            Answered::Taken(_) => match answer.trim().to_lowercase().as_str() {
                "true" | "yes" | "y" => Some(Choice::Taken(true)),
                "false" | "no" | "n" => Some(Choice::Taken(false)),
                _ => None,
            },
            Answered::Number { bounds, .. } => {
                let number = answer.trim().parse().ok();
                let offered = |number: &i64| (bounds[0]..=bounds[1]).contains(number);
                number.filter(offered).map(Choice::Number)
            }
            Answered::OneOf { .. } => match self.matching(answer).as_slice() {
                [answer] => Some(Choice::Answer((*answer).to_owned())),
                _ => None,
            },
        }
    }

    /// The answers that this text matches.
    fn matching(&self, answer: &str) -> Vec<&str> {
        let Answered::OneOf { answers, .. } = self else {
            return Vec::new();
        };
        let answers = || answers.iter().map(String::as_str);
        let places = matching(answers(), answer);
        places
            .into_iter()
            .filter_map(|place| answers().nth(place))
            .collect()
    }

    /// The answers that were offered.
    pub fn offers(&self) -> Offers {
        match self {
            Answered::Taken(_) => Offers::YesNo,
            Answered::Number { bounds, .. } => Offers::Numbers(Some(*bounds)),
            Answered::OneOf { answers, .. } => Offers::OneOf(Some(answers.clone())),
        }
    }
}
