//! Paths to parts of a roll's arguments, as the headers of tables write them: `bonus`, `target.ac`,
//! `attacker.attacks[0].attackbon`. A path is checked against the types of the script before any
//! row is read.

use dicec_lang::hir::{Data, Local, Module, Type};
use dicec_lang::syntax::nearest;
use serde_json::{Map, Value};

/// A path, and the type at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Without spaces, as errors in arguments write it.
    pub(crate) text: String,
    pub(crate) ty: Type,
    /// The same as indices: of the parameter, then of fields and elements.
    steps: Vec<usize>,
}

/// The reason why a path is invalid, with a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoSuchPart {
    pub(crate) message: String,
    pub(crate) help: String,
}

/// A header up to its first dot or bracket.
pub(crate) fn first_step(header: &str) -> &str {
    let end = header.find(['.', '[']).unwrap_or(header.len());
    header[..end].trim()
}

/// The path that a header writes; none if it does not begin with a parameter.
///
/// # Errors
/// It begins with one and does not go on as its type does.
pub(crate) fn parse(
    script: &Module,
    params: &[Local],
    header: &str,
) -> Option<Result<Path, NoSuchPart>> {
    let first = first_step(header);
    let index = params.iter().position(|param| param.name == first)?;
    let mut path = Path {
        text: first.to_owned(),
        ty: params[index].ty.clone(),
        steps: vec![index],
    };
    let mut rest = header.trim_start()[first.len()..].trim();
    while !rest.is_empty() {
        match path.step(script, rest) {
            Ok(after) => rest = after.trim(),
            Err(why) => return Some(Err(why)),
        }
    }
    Some(Ok(path))
}

impl Path {
    /// Takes the first step of `rest`; returns the remaining path.
    fn step<'r>(&mut self, script: &Module, rest: &'r str) -> Result<&'r str, NoSuchPart> {
        if let Some(rest) = rest.strip_prefix('.') {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            self.field(script, rest[..end].trim())?;
            return Ok(&rest[end..]);
        }
        let element = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let number = element.map(|(number, _)| number.trim().parse::<usize>());
        match (element, number, &self.ty) {
            (Some((_, rest)), Some(Ok(number)), Type::List(of)) => {
                self.text += &format!("[{number}]");
                self.ty = (**of).clone();
                self.steps.push(number);
                Ok(rest)
            }
            (_, Some(Ok(_)), _) => Err(NoSuchPart {
                message: format!("{} is not a list", self.text),
                help: "leave the brackets out".to_owned(),
            }),
            _ => Err(NoSuchPart {
                message: format!("{:?} is not a part of {}", rest.trim(), self.text),
                help: "write fields and elements: target.ac, attacks[0].bonus".to_owned(),
            }),
        }
    }

    fn field(&mut self, script: &Module, name: &str) -> Result<(), NoSuchPart> {
        let Type::Record(id) = self.ty else {
            return Err(NoSuchPart {
                message: format!("{} has no fields", self.text),
                help: match self.ty {
                    Type::List(_) => "name the element: attacks[0].bonus".to_owned(),
                    _ => format!("leave out what follows {}", self.text),
                },
            });
        };
        let record = script.record(id);
        let names = || record.fields.iter().map(|field| field.name.as_str());
        let Some(index) = names().position(|field| field == name) else {
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean {}.{near}?", self.text),
                None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(NoSuchPart {
                message: format!("{} has no field {name}", self.text),
                help,
            });
        };
        self.text += &format!(".{name}");
        self.ty = record.fields[index].ty.clone();
        self.steps.push(index);
        Ok(())
    }

    /// The type at this path in a roll's arguments.
    pub(crate) fn of<'d>(&self, arguments: &'d mut [Data]) -> Option<&'d mut Data> {
        let (first, steps) = self.steps.split_first()?;
        let mut here = arguments.get_mut(*first)?;
        for step in steps {
            here = match here {
                Data::Record(parts) | Data::List(parts) => parts.get_mut(*step)?,
                _ => return None,
            };
        }
        Some(here)
    }

    /// Whether `other` is this path or a part of it.
    pub(crate) fn holds(&self, other: &str) -> bool {
        let rest = other.strip_prefix(self.text.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

/// The part of a JSON value at a path such as `target.ac`; missing members are created.
pub fn part<'j>(json: &'j mut Value, path: &str) -> Option<&'j mut Value> {
    let mut here = json;
    for step in path.split('.') {
        let (name, indices) = match step.find('[') {
            Some(bracket) => step.split_at(bracket),
            None => (step, ""),
        };
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        let members = here.as_object_mut()?;
        here = members.entry(name.trim().to_owned()).or_insert(Value::Null);
        for index in indices.split_terminator(']') {
            let index = index
                .trim()
                .strip_prefix('[')?
                .trim()
                .parse::<usize>()
                .ok()?;
            here = here.as_array_mut()?.get_mut(index)?;
        }
    }
    Some(here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::Compiler;

    const SCRIPT: &str = r#"
        deftype blow { bonus: int, dice: int list }
        deftype fighter { name: string, blows: blow list }
        defroll "Fight" fight(who: fighter, rounds: int) { output(who.name + rounds); }
    "#;

    /// The path and its type, or the message; none for a header of its own.
    fn found(header: &str) -> Option<Result<(String, Type), String>> {
        let script = Compiler::new().script(SCRIPT).expect("a good script");
        let hir = script.hir();
        let function = hir.function(hir.rolls[0].function);
        let path = parse(hir, &function.locals[..function.params], header)?;
        Some(match path {
            Ok(path) => Ok((path.text, path.ty)),
            Err(why) => Err(why.message),
        })
    }

    #[test]
    fn paths_follow_the_types() {
        for (header, text, ty) in [
            ("rounds", "rounds", Type::Int),
            (" rounds ", "rounds", Type::Int),
            ("who.name", "who.name", Type::Text),
            (
                "who . blows [ 01 ] . bonus",
                "who.blows[1].bonus",
                Type::Int,
            ),
            ("who.blows[0].dice[2]", "who.blows[0].dice[2]", Type::Int),
        ] {
            assert_eq!(found(header), Some(Ok((text.to_owned(), ty))), "{header}");
        }
    }

    #[test]
    fn strangers_and_mistakes() {
        for header in ["Rounds", "whom", "", "roundsx", "x.who", "rounds left"] {
            assert_eq!(found(header), None, "{header}");
        }
        for (header, message) in [
            ("who.nam", "who has no field nam"),
            ("rounds.x", "rounds has no fields"),
            ("rounds[0]", "rounds is not a list"),
            ("who.blows.bonus", "who.blows has no fields"),
            ("who.blows[x]", "\"[x]\" is not a part of who.blows"),
            ("who.blows[0", "\"[0\" is not a part of who.blows"),
            ("who.blows[0]x", "\"x\" is not a part of who.blows[0]"),
            ("who.", "who has no field "),
        ] {
            assert_eq!(found(header), Some(Err(message.to_owned())), "{header}");
        }
    }
}
