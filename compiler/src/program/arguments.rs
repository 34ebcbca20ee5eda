//! Reads arguments: checks JSON against the types of a roll's parameters and converts it to
//! [`Data`].

use super::argument_errors::{ArgumentError, ArgumentErrors, InText};
use super::program::Roll;
use dicec_lang::front::notation::dice_value;
use dicec_lang::hir::{DICE_HELP, Data, DiceValue, EnumId, Float, Local, Module, NO_FLAGS, Type};
use dicec_lang::syntax::{SourceLimits, nearest, whole};
use dicec_runtime::limits::{MAX_TEXT, ScriptLimits};
use serde_json::{Map, Value};

impl Roll {
    /// Its arguments from a JSON object with a member for each parameter.
    ///
    /// # Errors
    /// Every mismatch, with its path in the JSON.
    pub fn arguments(&self, json: &Value) -> Result<Vec<Data>, ArgumentErrors> {
        let program = self.program();
        let mut reader = Reader {
            script: program.hir(),
            limits: program.limits().script,
            source: program.limits().source,
            path: String::new(),
            errors: Vec::new(),
        };
        let params = parameters(self).iter().zip(&self.function().defaults);
        let params: Vec<Member<'_>> = params
            .map(|(local, default)| Member {
                name: &local.name,
                ty: &local.ty,
                default: default.as_ref(),
            })
            .collect();
        let data = match json {
            Value::Object(members) => reader.members(members, &params, "a parameter of the roll"),
            other => {
                reader.wrong("an object with a value for each parameter", other);
                Vec::new()
            }
        };
        if reader.errors.is_empty() {
            Ok(data)
        } else {
            Err(ArgumentErrors(reader.errors))
        }
    }
}

fn parameters(roll: &Roll) -> &[Local] {
    let function = roll.function();
    &function.locals[..function.params]
}

/// Checks values that the caller made against the parameters of a roll.
///
/// # Errors
/// The number of values is wrong, or each that is not of its parameter's type.
pub(super) fn check(roll: &Roll, args: &[Data]) -> Result<(), ArgumentErrors> {
    let params = parameters(roll);
    if params.len() != args.len() {
        return Err(ArgumentErrors(vec![ArgumentError {
            path: String::new(),
            expected: format!("{} values, one for each parameter", params.len()),
            found: format!("{} values", args.len()),
            help: None,
            in_text: None,
        }]));
    }
    let script = roll.program().hir();
    let wrong = params.iter().zip(args);
    let wrong = wrong.filter(|(param, data)| !fits(script, &param.ty, data));
    let errors = wrong.map(|(param, _)| ArgumentError {
        path: param.name.clone(),
        expected: script.type_name(&param.ty),
        found: "a value of another type".to_owned(),
        help: None,
        in_text: None,
    });
    let errors: Vec<ArgumentError> = errors.collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ArgumentErrors(errors))
    }
}

/// Whether a value has a type.
fn fits(script: &Module, ty: &Type, data: &Data) -> bool {
    match (ty, data) {
        (Type::Int | Type::Test, Data::Int(_))
        | (Type::Float, Data::Float(_))
        | (Type::Bool, Data::Bool(_)) => true,
        (Type::Degree(ladder), Data::Named(rung)) => {
            usize::try_from(*rung).is_ok_and(|rung| rung < ladder.rungs().len())
        }
        (Type::Enum(id) | Type::Flags(id), Data::Named(value)) => script.choice(*id).holds(*value),
        (Type::Text, Data::Text(text)) => text.len() <= MAX_TEXT,
        (Type::List(of), Data::List(elements)) => {
            elements.iter().all(|element| fits(script, of, element))
        }
        (Type::Record(id), Data::Record(values)) => {
            let fields = &script.record(*id).fields;
            let mut both = fields.iter().zip(values);
            fields.len() == values.len() && both.all(|(field, data)| fits(script, &field.ty, data))
        }
        _ => false,
    }
}

/// A parameter or a field.
struct Member<'s> {
    name: &'s str,
    ty: &'s Type,
    default: Option<&'s Data>,
}

struct Reader<'s> {
    script: &'s Module,
    limits: ScriptLimits,
    source: SourceLimits,
    /// The current path in the JSON.
    path: String,
    errors: Vec<ArgumentError>,
}

impl<'s> Reader<'s> {
    fn value(&mut self, ty: &'s Type, json: &Value) -> Data {
        match (ty, json) {
            (Type::Int | Type::Test, Value::Number(number)) => match whole(number) {
                Some(value) => return Data::Int(value),
                None => self.wrong("a whole number of at most 18 digits", json),
            },
            (Type::Int | Type::Test, _) => self.wrong("a whole number", json),
            (Type::Float, Value::Number(number)) => match number.as_f64().and_then(Float::new) {
                Some(value) => return Data::Float(value),
                None => self.wrong("a number that is finite", json),
            },
            (Type::Float, _) => self.wrong("a number", json),
            (Type::Bool, Value::Bool(value)) => return Data::Bool(*value),
            (Type::Bool, _) => self.wrong("true or false", json),
            (Type::Text, Value::String(text)) if text.len() <= MAX_TEXT => {
                return Data::Text(text.clone());
            }
            (Type::Text, Value::String(_)) => {
                self.wrong(&format!("a text of at most {MAX_TEXT} bytes"), json);
            }
            (Type::Text, _) => self.wrong("a text in quotes", json),
            (Type::Degree(ladder), _) => {
                match json.as_str().and_then(|word| ladder.rung_of(word)) {
                    Some(rung) => return Data::Named(rung),
                    None => {
                        let words: Vec<&str> = ladder.words().collect();
                        self.wrong(&format!("a degree: {}", words.join(", ")), json);
                    }
                }
            }
            (Type::Enum(id), _) => {
                if let Some(number) = self.constant(*id, json) {
                    return Data::Named(number);
                }
            }
            (Type::Flags(id), _) => return Data::Named(self.flags(*id, json)),
            (Type::List(of), Value::Array(elements)) => return self.list(of, elements, json),
            (Type::List(of), _) => {
                let name = self.script.type_name(of);
                self.wrong(&format!("a list of {name} in brackets"), json);
            }
            (Type::Record(_), _) if self.script.dice_types(ty).is_some() => {
                return self.dice(json);
            }
            (Type::Record(id), Value::Object(members)) => {
                let ty = self.script.record(*id);
                let fields: Vec<Member<'s>> = ty
                    .fields
                    .iter()
                    .map(|field| Member {
                        name: &field.name,
                        ty: &field.ty,
                        default: field.default.as_ref(),
                    })
                    .collect();
                let whose = format!("a field of {}", ty.name);
                return Data::Record(self.members(members, &fields, &whose));
            }
            (Type::Record(id), _) => {
                let name = &self.script.record(*id).name;
                self.wrong(&format!("a {name}, an object in braces"), json);
            }
            // Parameters and fields have none of these types.
            (Type::Unknown | Type::Unit, _) => self.wrong("nothing", json),
        }
        Data::Int(0)
    }

    /// The number of a constant of an enum, given by name.
    fn constant(&mut self, id: EnumId, json: &Value) -> Option<i64> {
        let choice = self.script.choice(id);
        let number = json.as_str().and_then(|name| choice.number(name));
        if number.is_none() {
            let near = json.as_str().and_then(|name| {
                let names = choice.constants.iter().map(String::as_str);
                nearest(name, names)
            });
            let help = near.map(|near| format!("did you mean {near}?"));
            let expected = format!("a {}: {}", choice.name, choice.list());
            self.error(expected, described(json), help);
        }
        number
    }

    /// A dice value: a text, or a whole number.
    fn dice(&mut self, json: &Value) -> Data {
        let in_text = match json {
            Value::String(text) => match dice_value(text, self.source) {
                Ok(value) => return value.data(),
                Err(diagnostic) => Some(Box::new(InText {
                    text: text.clone(),
                    diagnostic,
                })),
            },
            json => {
                if let Some(number) = json.as_number().and_then(whole) {
                    return DiceValue::number(number).data();
                }
                None
            }
        };
        let help = in_text
            .as_ref()
            .map(|found| found.diagnostic.message.clone());
        self.errors.push(ArgumentError {
            path: self.path.clone(),
            expected: "dice in quotes".to_owned(),
            found: described(json),
            help: help.or_else(|| Some(DICE_HELP.to_owned())),
            in_text,
        });
        Data::Int(0)
    }

    /// A set of flags: a list of names, or a text of names separated by commas.
    fn flags(&mut self, id: EnumId, json: &Value) -> i64 {
        let choice = self.script.choice(id);
        let mut set = 0;
        match json {
            Value::Array(names) => {
                for (index, name) in names.iter().enumerate() {
                    let flag = self.at(&format!("[{index}]"), |reader| reader.constant(id, name));
                    set |= flag.unwrap_or(0);
                }
            }
            Value::String(text) if choice.number(text).is_none() && text == NO_FLAGS => {}
            Value::String(text) => {
                let names = text.split(',').map(str::trim);
                for name in names.filter(|name| !name.is_empty()) {
                    let flag = self.constant(id, &Value::from(name));
                    set |= flag.unwrap_or(0);
                }
            }
            _ => {
                let expected = format!("a list of {} in brackets", choice.name);
                let help = format!("there are: {}", choice.list());
                self.error(expected, described(json), Some(help));
            }
        }
        set
    }

    fn list(&mut self, of: &'s Type, elements: &[Value], json: &Value) -> Data {
        if elements.len() > self.limits.list as usize {
            let most = self.limits.list;
            self.wrong(&format!("a list of at most {most} elements"), json);
            return Data::List(Vec::new());
        }
        let mut data = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            data.push(self.at(&format!("[{index}]"), |reader| reader.value(of, element)));
        }
        Data::List(data)
    }

    fn members(
        &mut self,
        members: &Map<String, Value>,
        expected: &[Member<'s>],
        whose: &str,
    ) -> Vec<Data> {
        self.refuse_strangers(members, expected, whose);
        let mut data = Vec::with_capacity(expected.len());
        for member in expected {
            let step = self.step(member.name);
            data.push(match (members.get(member.name), member.default) {
                (Some(json), _) => self.at(&step, |reader| reader.value(member.ty, json)),
                (None, Some(default)) => default.clone(),
                (None, None) => {
                    self.at(&step, |reader| {
                        let name = reader.script.type_name(member.ty);
                        reader.error(name, "nothing".to_owned(), None);
                    });
                    Data::Int(0)
                }
            });
        }
        data
    }

    fn refuse_strangers(
        &mut self,
        members: &Map<String, Value>,
        expected: &[Member<'_>],
        whose: &str,
    ) {
        let names = || expected.iter().map(|member| member.name);
        for name in members.keys() {
            if names().any(|known| known == name) {
                continue;
            }
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            let found = format!("the unknown name {name:?}");
            self.error(whose.to_owned(), found, Some(help));
        }
    }

    /// The path step to a member, with a dot if it needs one.
    fn step(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!(".{name}")
        }
    }

    /// Runs `read` one step deeper in the JSON.
    fn at<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push_str(step);
        let value = read(self);
        self.path.truncate(length);
        value
    }

    fn wrong(&mut self, expected: &str, json: &Value) {
        self.error(expected.to_owned(), described(json), None);
    }

    fn error(&mut self, expected: String, found: String, help: Option<String>) {
        self.errors.push(ArgumentError {
            path: self.path.clone(),
            expected,
            found,
            help,
            in_text: None,
        });
    }
}

/// A JSON value in a few words.
fn described(json: &Value) -> String {
    match json {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => json.to_string(),
        Value::String(text) if text.chars().count() <= 40 => format!("{text:?}"),
        Value::String(text) => format!("a text of {} bytes", text.len()),
        Value::Array(elements) => format!("a list of {}", elements.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
