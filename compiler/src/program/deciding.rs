//! Reads the policies of simulated players as people write them: `Reroll?` is `always` taken, or
//! with a chance of `0.3`, or answered by `3`.

use super::bind::Bound;
use super::program::Program;
use dicec_lang::hir::Policy;
use dicec_lang::syntax::{FileCode, Finding, nearest};

impl Program {
    /// The policies for these decisions, by the texts of their options.
    ///
    /// # Errors
    /// An option that the script does not have, or a decision that it does not offer.
    pub fn decisions(
        &self,
        decisions: &[(String, String)],
    ) -> Result<Vec<(String, Policy)>, Box<Finding>> {
        let decided = decisions.iter().map(|(text, how)| {
            let Some(offers) = self.offers(text) else {
                return Err(Box::new(unknown("option", text, self.options())));
            };
            let policy = offers.decided(how).ok_or_else(|| {
                let message = format!("the option {text:?} cannot be decided by {how:?}");
                let finding = Finding::general(FileCode::UnknownOption.as_str(), message);
                Box::new(finding.help(offers.help(how)))
            })?;
            Ok((text.clone(), policy))
        });
        decided.collect()
    }

    /// Refuses the text of an option that the script does not have.
    ///
    /// # Errors
    /// There is such a text.
    pub fn check_options(&self, texts: &[String]) -> Result<(), Box<Finding>> {
        let known = self.options();
        match texts.iter().find(|text| !known.contains(text)) {
            Some(text) => Err(Box::new(unknown("option", text, known))),
            None => Ok(()),
        }
    }

    /// Refuses the name of a statistic that the script does not have.
    ///
    /// # Errors
    /// There is such a name.
    pub fn check_stats(&self, names: &[String]) -> Result<(), Box<Finding>> {
        let known = self.stats();
        match names.iter().find(|name| !known.contains(name)) {
            // A name may be joined at run time.
            Some(name) if !self.hir().has_named_stats() => {
                Err(Box::new(unknown("statistic", name, known)))
            }
            _ => Ok(()),
        }
    }
}

impl Bound {
    /// The roll with these policies.
    ///
    /// # Errors
    /// An option of another script.
    pub fn decided(self, decisions: &[(String, Policy)]) -> Result<Self, Box<Finding>> {
        let mut decisions = decisions.iter();
        let decided = decisions.try_fold(self, |bound, (text, policy)| {
            bound.with_policy(text, *policy)
        });
        decided.map_err(|error| {
            let code = FileCode::UnknownOption.as_str();
            Box::new(Finding::general(code, error.to_string()))
        })
    }
}

fn unknown(what: &str, name: &str, known: &[String]) -> Finding {
    let help = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.is_empty() => format!("it has no {what} at all"),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
            format!("there are: {}", known.join(", "))
        }
    };
    let message = format!("the script has no {what} {name:?}");
    Finding::general(FileCode::UnknownOption.as_str(), message).help(help)
}
