//! Arguments of a roll of which some parts differ from row to row.

use crate::path::{Path, first_step, parse, part};
use dicec_compiler::Roll;
use dicec_compiler::unstable::{ArgumentError, ArgumentErrors};
use dicec_lang::hir::{Data, Local, Module, Type};
use dicec_lang::syntax::nearest;
use serde_json::Value;

/// A roll's arguments: those that all rows share, and the parts that columns give.
#[derive(Clone, Debug)]
pub struct Varying {
    roll: Roll,
    params: Vec<String>,
    given: Value,
    /// Whole values stand before their parts, so that the parts change them.
    parts: Vec<Part>,
}

/// A part that a column gives.
#[derive(Clone, Debug)]
pub struct Part {
    /// The column, from 0.
    pub column: usize,
    path: Path,
}

/// What is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadHeader {
    /// The column, from 0.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Part {
    /// What belongs there.
    pub fn ty(&self) -> &Type {
        &self.path.ty
    }
}

impl Varying {
    /// The arguments of a roll, of which this header's columns give parts.
    ///
    /// # Errors
    /// The columns that name a parameter, but no part of it, or a part that an earlier one gives.
    pub fn new(roll: Roll, given: Value, header: &[String]) -> Result<Self, Vec<BadHeader>> {
        let program = roll.program().clone();
        let hir = program.hir();
        let params = params(hir, &roll);
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
            params: params.iter().map(|param| param.name.clone()).collect(),
            given,
            parts,
        })
    }

    /// Whether a header names a parameter of a roll, or a part of one.
    pub fn names_part(roll: &Roll, header: &str) -> bool {
        let hir = roll.program().hir();
        parse(hir, params(hir, roll), header).is_some()
    }

    /// The roll.
    pub fn roll(&self) -> &Roll {
        &self.roll
    }

    /// The parts that columns give, in the order in which they are set.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parameter that a header was perhaps meant to name, if it names none.
    pub fn near(&self, header: &str) -> Option<&str> {
        let first = first_step(header);
        let params = || self.params.iter().map(String::as_str);
        if params().any(|param| param == first) {
            return None;
        }
        nearest(first, params())
    }

    /// What is wrong with the arguments whatever the columns hold.
    pub fn never_right(&self) -> Vec<ArgumentError> {
        let mut json = self.given.clone();
        for Part { path, .. } in &self.parts {
            // Makes the records that it is in; no value is right, but a column may give one.
            let _ = part(&mut json, &path.text);
        }
        let errors = self.roll.arguments(&json).err();
        let mut errors = errors.map_or_else(Vec::new, |errors| errors.0);
        errors.retain(|error| self.column(&error.path).is_none());
        errors
    }

    /// What a part holds where its column holds nothing; none if that is not known, or if another
    /// column may change it.
    pub fn shared(&self, at: usize) -> Option<Value> {
        let path = &self.parts.get(at)?.path;
        let is_within = |other: &Part| other.path != *path && other.path.holds(&path.text);
        if self.parts.iter().any(is_within) {
            return None;
        }
        let mut json = self.given.clone();
        let value = part(&mut json, &path.text)?;
        (!value.is_null()).then(|| value.take())
    }

    /// A row's arguments: the shared ones with the values of some parts, ascending.
    ///
    /// # Errors
    /// Everything that does not fit.
    pub fn arguments<'v>(
        &self,
        values: impl Iterator<Item = (usize, &'v Value)>,
    ) -> Result<Vec<Data>, ArgumentErrors> {
        let mut json = self.given.clone();
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
                    help: Some("give the whole list, in a column or for all rows".to_owned()),
                    in_text: None,
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

    /// Sets a part that is a whole number, in arguments that have another one there; `None` if it
    /// is not such a part.
    pub(crate) fn set(&self, at: usize, value: &Value, arguments: &mut [Data]) -> Option<()> {
        let path = &self.parts.get(at)?.path;
        let place = path.of(arguments)?;
        match (&path.ty, &*place) {
            (Type::Int, Data::Int(_)) => *place = Data::Int(value.as_i64()?),
            _ => return None,
        }
        Some(())
    }

    /// The part that what is at `path` comes from.
    pub fn part_of(&self, path: &str) -> Option<&Part> {
        let mut parts = self.parts.iter().rev();
        parts.find(|part| part.path.holds(path))
    }

    fn column(&self, path: &str) -> Option<usize> {
        self.part_of(path).map(|part| part.column)
    }
}

/// The parameters of a roll.
fn params<'h>(hir: &'h Module, roll: &Roll) -> &'h [Local] {
    let definition = hir.roll(roll.name());
    let function = definition.map(|roll| hir.function(roll.function));
    function.map_or(&[], |function| &function.locals[..function.params])
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

    fn with<T>(base: Value, header: &[&str], ask: impl FnOnce(&Varying) -> T) -> T {
        let script = Compiler::new().script(SCRIPT).expect("a good script");
        let roll = script.roll("fight").expect("it is there");
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let varying = Varying::new(roll, base, &header);
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
