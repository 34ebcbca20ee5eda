//! Sources of a roll's arguments: a JSON file or text, then `--set`; later ones override earlier
//! ones.

use crate::advice::words;
use crate::error::{CliError, FileCode, Finding};
use crate::json::{json_of, parse_json};
use dicec_compiler::Roll;
use dicec_compiler::unstable::ArgumentError;
use dicec_games::dh2e::{Change, ROUNDS, Scenario};
use dicec_lang::hir::Data;
use dicec_lang::syntax::nearest;
use dicec_tables::part;
use serde_json::{Map, Value};

/// Arguments as the user gave them.
pub(crate) struct Given {
    /// The file that they are from; empty if from none.
    origin: String,
    pub(crate) json: Value,
}

impl Given {
    /// The text of `--args`, or else what a session remembers, and over it those of `--set`.
    ///
    /// # Errors
    /// A file that cannot be read or is not JSON; a part that cannot be set.
    pub(crate) fn read(
        given: Option<&str>,
        set: &[String],
        remembered: Option<&Value>,
    ) -> Result<Self, CliError> {
        let (origin, mut json) = match given {
            None => {
                let nothing = || Value::Object(Map::new());
                (String::new(), remembered.cloned().unwrap_or_else(nothing))
            }
            Some(text) if text.trim_start().starts_with('{') => (
                String::new(),
                parse_json("--args", text.as_bytes(), FileCode::BadArguments)?,
            ),
            Some(path) => (
                path.to_owned(),
                json_of(path, FileCode::BadArguments, "arguments")?,
            ),
        };
        for one in set {
            set_part(&mut json, one)?;
        }
        Ok(Self { origin, json })
    }

    /// Refuses rounds that the scenario of the script, if it is of a fight, may not have, either.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn suit(&self, scenario: Option<&Scenario>) -> Result<(), CliError> {
        let (Some(scenario), Some(rounds)) = (scenario, self.json.get(ROUNDS)) else {
            return Ok(());
        };
        let applied = match Change::named(ROUNDS, scenario) {
            Ok(Some(change)) => change.apply(&rounds.to_string(), &mut scenario.clone()),
            Ok(None) => Ok(()),
            Err(wrong) => Err(wrong),
        };
        let Err(wrong) = applied else { return Ok(()) };
        let (code, message) = (FileCode::BadArguments.as_str(), wrong.to_string());
        let finding = match self.origin.as_str() {
            "" => Finding::general(code, message),
            file => Finding::in_file(code, file, None, message),
        };
        let help = wrong.help;
        Err(Finding { help, ..finding }.into())
    }

    /// Those that a roll has parameters for.
    pub(crate) fn of(&self, roll: &Roll) -> Self {
        let mut json = self.json.clone();
        if let Value::Object(members) = &mut json {
            let names: Vec<String> = roll
                .parameters()
                .into_iter()
                .map(|(name, _)| name)
                .collect();
            members.retain(|name, _| names.contains(name));
        }
        Self {
            origin: self.origin.clone(),
            json,
        }
    }

    /// Refuses arguments that none of these rolls has a parameter for.
    ///
    /// # Errors
    /// There is such an argument.
    pub(crate) fn taken(&self, rolls: &[Roll]) -> Result<(), CliError> {
        let names: Vec<String> = rolls
            .iter()
            .flat_map(Roll::parameters)
            .map(|(name, _)| name)
            .collect();
        let members = self.json.as_object().into_iter().flat_map(Map::keys);
        let unknown = members.filter(|member| !names.contains(member));
        CliError::of(unknown.map(|name| {
            let message = format!("no roll takes an argument {name}");
            let finding = Finding::general(FileCode::BadArguments.as_str(), message);
            let near = nearest(name, names.iter().map(String::as_str));
            finding.help(match near {
                Some(near) => format!("did you mean {near}?"),
                None => "leave it out; `dicec describe` lists what each roll takes".to_owned(),
            })
        }))
    }

    /// What is wrong with them, as a finding.
    pub(crate) fn finding(&self, roll: &Roll, error: &ArgumentError) -> Finding {
        if let Some(found) = in_text(error) {
            let place = match self.origin.as_str() {
                "" => String::new(),
                file => format!("{file}: "),
            };
            return Finding {
                message: format!("{place}{}", found.message),
                ..found
            };
        }
        let finding = match self.origin.as_str() {
            "" => Finding::general(FileCode::BadArguments.as_str(), error.to_string()),
            file => Finding::in_file(
                FileCode::BadArguments.as_str(),
                file,
                None,
                error.to_string(),
            ),
        };
        finding.help(advice(roll, error))
    }
}

/// The arguments of `roll`.
///
/// # Errors
/// Everything that does not fit.
pub(crate) fn read_arguments(roll: &Roll, given: &Given) -> Result<Vec<Data>, CliError> {
    let errors = match roll.arguments(&given.json) {
        Ok(data) => return Ok(data),
        Err(errors) => errors,
    };
    let findings = errors.0.iter().map(|error| given.finding(roll, error));
    Err(CliError {
        findings: findings.collect(),
    })
}

/// What is wrong in an argument that is a text with dice.
pub(crate) fn in_text(error: &ArgumentError) -> Option<Finding> {
    error.finding_in_text(words)
}

/// What to do about an argument that does not fit.
pub(crate) fn advice(roll: &Roll, error: &ArgumentError) -> String {
    error.help.clone().unwrap_or_else(|| {
        let (name, takes) = (roll.name(), roll.parameter_list());
        format!("{name} takes ({takes}); `dicec describe` prints what each type holds")
    })
}

/// Sets a part: `target.ac=15`, `attacks[0].name=axe`. A value that is not JSON is a text.
pub(crate) fn set_part(json: &mut Value, text: &str) -> Result<(), CliError> {
    let wrong = |message: String| {
        let finding = Finding::general(FileCode::BadArguments.as_str(), message);
        CliError::from(finding.help("write a parameter, then its parts: --set target.ac=15"))
    };
    let Some((path, value)) = text.split_once('=') else {
        return Err(wrong(format!("{text:?} sets nothing")));
    };
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    let place = part(json, path.trim()).ok_or_else(|| wrong(format!("there is no {path}")))?;
    *place = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_set_and_made() {
        let mut args = json!({"target": {"ac": 10, "attacks": [{"bonus": 1}]}});
        for set in [
            "target.ac=15",
            "target.attacks[0].bonus=-2",
            "target.name=Orc",
            "deep=true",
        ] {
            set_part(&mut args, set).expect(set);
        }
        let expected = json!({
            "target": {"ac": 15, "attacks": [{"bonus": -2}], "name": "Orc"}, "deep": true
        });
        assert_eq!(args, expected);
        for wrong in ["target", "target.attacks[1].bonus=2", "target.attacks[x]=1"] {
            assert!(set_part(&mut args, wrong).is_err(), "{wrong}");
        }
    }
}
