//! What `dicec batch TABLE FILE.dice` needs of a script: arguments of which some parts differ from row to row, and the answer for one row's
//! arguments. Nothing here knows of tables but for the order of their columns.

use super::arguments::{Given, advice, part};
use super::batch_path::{Path, first_step, parse};
use crate::error::Finding;
use dicec_compiler::hir::{Data, Type};
use dicec_compiler::syntax::nearest;
use dicec_compiler::{ArgumentError, ArgumentErrors, Program, Roll};
use serde_json::Value;

/// A roll's arguments: what all rows share, and the parts that columns give.
pub(crate) struct Varying<'s> {
    roll: Roll,
    params: Vec<&'s str>,
    given: Given,
    /// Whole values stand before their parts, so that the parts change them.
    parts: Vec<Part>,
}

/// A part that a column gives.
pub(crate) struct Part {
    /// The column, from 0.
    pub(crate) column: usize,
    path: Path,
}

/// What is wrong with a header.
pub(crate) struct BadHeader {
    /// The column, from 0.
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Part {
    /// What belongs there.
    pub(crate) fn ty(&self) -> &Type {
        &self.path.ty
    }
}

impl<'s> Varying<'s> {
    /// The arguments of a roll, of which this header's columns give parts.
    ///
    /// # Errors
    /// The columns that name a parameter, but no part of it, or a part that an earlier one gives.
    pub(crate) fn new(
        script: &'s Program,
        roll: Roll,
        given: Given,
        header: &[String],
    ) -> Result<Self, Vec<BadHeader>> {
        let hir = script.hir();
        let definition = hir
            .roll(roll.name())
            .map(|roll| hir.function(roll.function));
        let params = definition.map_or(&[][..], |function| &function.locals[..function.params]);
        let mut parts: Vec<Part> = Vec::new();
        let mut wrong = Vec::new();
        for (column, name) in header.iter().enumerate() {
            match parse(hir, params, name) {
                None => {}
                Some(Ok(path)) => match parts.iter().find(|part| part.path == path) {
                    None => parts.push(Part { column, path }),
                    Some(first) => wrong.push(BadHeader {
                        column,
                        message: format!("column {} gives {} already", first.column + 1, path.text),
                        help: "leave one of them out".to_owned(),
                    }),
                },
                Some(Err(why)) => wrong.push(BadHeader {
                    column,
                    message: why.message,
                    help: why.help,
                }),
            }
        }
        // A path is longer than those of the values that it is a part of.
        parts.sort_by_key(|part| part.path.text.len());
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Self {
            roll,
            params: params.iter().map(|param| param.name.as_str()).collect(),
            given,
            parts,
        })
    }

    pub(crate) fn roll(&self) -> &Roll {
        &self.roll
    }

    /// The parts that columns give, in the order in which they are set.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parameter that a header was perhaps meant to name, if it names none.
    pub(crate) fn near(&self, header: &str) -> Option<&'s str> {
        let first = first_step(header);
        let params = || self.params.iter().copied();
        if params().any(|param| param == first) {
            return None;
        }
        nearest(first, params())
    }

    /// What is wrong with the arguments whatever the columns hold.
    pub(crate) fn never_right(&self) -> Vec<ArgumentError> {
        let mut json = self.given.json.clone();
        for Part { path, .. } in &self.parts {
            // Makes the records that it is in; no value is right, but a column may give one.
            let _ = part(&mut json, &path.text);
        }
        let errors = self.roll.arguments(&json).err();
        let mut errors = errors.map_or_else(Vec::new, |errors| errors.0);
        errors.retain(|error| self.column(&error.path).is_none());
        errors
    }

    /// What a part holds where its column holds nothing; none if that is not known, or if another column may change it.
    pub(crate) fn shared(&self, at: usize) -> Option<Value> {
        let path = &self.parts.get(at)?.path;
        let is_within = |other: &Part| other.path != *path && other.path.holds(&path.text);
        if self.parts.iter().any(is_within) {
            return None;
        }
        let mut json = self.given.json.clone();
        let value = part(&mut json, &path.text)?;
        (!value.is_null()).then(|| value.take())
    }

    /// A row's arguments: the shared ones with the values of some parts, ascending.
    ///
    /// # Errors
    /// Everything that does not fit.
    pub(crate) fn arguments<'v>(
        &self,
        values: impl Iterator<Item = (usize, &'v Value)>,
    ) -> Result<Vec<Data>, ArgumentErrors> {
        let mut json = self.given.json.clone();
        let mut errors = Vec::new();
        for (at, value) in values {
            let Some(Part { path, .. }) = self.parts.get(at) else {
                continue;
            };
            match part(&mut json, &path.text) {
                Some(place) => *place = value.clone(),
                None => errors.push(ArgumentError {
                    path: path.text.clone(),
                    expected: "an element".to_owned(),
                    found: "a list that is too short for it".to_owned(),
                    help: Some("give the whole list with --args, or in a column".to_owned()),
                }),
            }
        }
        match self.roll.arguments(&json) {
            Ok(data) if errors.is_empty() => Ok(data),
            Ok(_) => Err(ArgumentErrors(errors)),
            Err(more) => {
                errors.extend(more);
                Err(ArgumentErrors(errors))
            }
        }
    }

    /// The part that what is at `path` comes from.
    pub(crate) fn part_of(&self, path: &str) -> Option<&Part> {
        let mut parts = self.parts.iter().rev();
        parts.find(|part| part.path.holds(path))
    }

    fn column(&self, path: &str) -> Option<usize> {
        self.part_of(path).map(|part| part.column)
    }

    /// An error in the shared arguments as a finding.
    pub(crate) fn finding(&self, error: &ArgumentError) -> Finding {
        self.given.finding(&self.roll, error)
    }

    /// What to do about an argument that does not fit.
    pub(crate) fn advice(&self, error: &ArgumentError) -> String {
        advice(&self.roll, error)
    }
}

/// What can come of a roll beside its result.
pub(crate) struct Described {
    /// The templates of its lines, in written order.
    pub(crate) lines: Vec<String>,
    /// The names of its statistics, in the order of the script's.
    pub(crate) stats: Vec<String>,
}

impl Described {
    pub(crate) fn new(script: &Program, roll: &Roll) -> Self {
        let described = script.describe();
        let mut rolls = described["rolls"].as_array().into_iter().flatten();
        let ours = rolls.find(|described| described["name"] == roll.name());
        let texts = |what| -> Vec<String> {
            let texts = ours.and_then(|roll| roll[what].as_array());
            let texts = texts.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let its_own = texts("stats");
        let stats = script.stats().iter();
        Self {
            lines: texts("outputs"),
            stats: stats
                .filter(|stat| its_own.contains(stat))
                .cloned()
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::Compiler;
    use serde_json::json;

    const SCRIPT: &str = r#"
        deftype blow { bonus: int }
        deftype fighter { hp: int, name: string = "nobody", blows: blow list }
        defroll "Fight" fight(who: fighter, rounds: int) { output(who.name + rounds); }
    "#;

    fn with<T>(base: Value, header: &[&str], ask: impl FnOnce(&Varying<'_>) -> T) -> T {
        let script = Compiler::new().script(SCRIPT).expect("a good script");
        let roll = script.roll("fight").expect("it is there");
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let given = Given::read(Some(&base.to_string()), &[]).expect("it is JSON");
        let varying = Varying::new(&script, roll, given, &header);
        ask(&varying.unwrap_or_else(|wrong| unreachable!("{}", wrong[0].message)))
    }

    fn paths(errors: impl IntoIterator<Item = ArgumentError>) -> Vec<String> {
        errors.into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn what_no_column_gives_is_never_right() {
        let never =
            |base, header: &[&str]| with(base, header, |varying| paths(varying.never_right()));
        let empty = || json!({});
        assert_eq!(never(empty(), &["Note"]), ["who", "rounds"]);
        assert_eq!(never(empty(), &["who", "rounds"]), [""; 0]);
        assert_eq!(never(empty(), &["who.hp", "rounds"]), ["who.blows"]);
        assert_eq!(never(empty(), &["who.hp", "who", "rounds"]), [""; 0]);
        assert_eq!(never(json!({"rounds": 1, "x": 2}), &["who"]), [""]);
    }

    #[test]
    fn parts_change_what_is_shared_and_whole_values() {
        let base = json!({"who": {"hp": 7, "blows": [{"bonus": 1}]}, "rounds": 3});
        let header = ["who.hp", "who.blows[0].bonus", "who"];
        with(base, &header, |varying| {
            let order: Vec<usize> = varying.parts().iter().map(|part| part.column).collect();
            assert_eq!(order, [2, 0, 1]);
            assert_eq!(varying.shared(1), None);
            assert!(varying.shared(0).is_some());
            let values = [json!({"hp": 1, "blows": []}), json!(5)];
            let data = varying.arguments(values.iter().enumerate());
            let record = vec![
                Data::Int(5),
                Data::Text("nobody".to_owned()),
                Data::List(Vec::new()),
            ];
            assert_eq!(data, Ok(vec![Data::Record(record), Data::Int(3)]));
            let bonus = json!(4);
            let values = values.iter().chain([&bonus]).enumerate();
            let errors = varying.arguments(values).expect_err("there is no blow");
            assert_eq!(paths(errors), ["who.blows[0].bonus"]);
        });
    }
}
