//! AnyDice programs as scripts of the rolling language: a die of AnyDice becomes an expression that
//! rolls, and a function that is called for each result of dice a function of one roll.
//!
//! A program has no input, so the translation follows a run of it: what happens outside of
//! functions is a sequence of events with known numbers, and [`Facts`] say what holds of all values
//! of each expression. The premises of a translation are these facts: no value is the empty die and
//! each call has a result, so that no expansion leaves calls out. Calls that are too deep may only
//! be terms of sums, where they count as 0. A die that a variable holds is rolled again each time
//! it is read; a variable that changes in a loop is rolled when it is assigned, if it is read at
//! most once after that.
//!
//! A construct without a translation is an error with its place, never a script with other odds.

mod body;
mod call;
mod code;
mod library;
mod making;
mod operators;
mod plan;
mod scope;
mod script;
mod value;

use crate::ast::{Expr, ExprKind, Function, Names, Variable};
use crate::effects::{Effects, assigned};
use crate::facts::{Event, Facts};
use crate::failure::Failure;
use crate::settings::Settings;
use call::Instance;
use code::Code;
use dicec_lang::front::script::quoted;
use dicec_lang::syntax::{Code as ErrorCode, Diagnostic};
use dicec_runtime::span::Span;
use operators::mixed;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scope;
use script::{Script, legal};
use std::sync::Arc;
use value::{Dice, Face, List, Value};

/// Dice of a global variable are written in place up to this many bytes.
const SHORT: usize = 40;

/// A script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The text, without its layout.
    pub text: String,
    /// The names of the rolls, one for each output.
    pub rolls: Vec<String>,
}

/// The program, and what is written so far.
struct Translator<'p> {
    names: &'p Names,
    facts: &'p Facts,
    settings: Settings,
    globals: Vec<Option<Value>>,
    /// Global variables that become constants, with their names.
    constants: FxHashMap<Variable, String>,
    functions: FxHashMap<u32, Arc<Function>>,
    effects: Effects,
    /// Variables that functions assign, or have as parameters.
    local: FxHashSet<Variable>,
    /// Whether statements that the program never gets to are written, too.
    keeps_dead: bool,
    /// The function whose body is translated.
    scope: Option<Scope>,
    instances: FxHashMap<Instance, String>,
    script: Script,
}

/// Translates the program of a run; with or without statements that it never gets to, of which
/// nothing is known.
pub(crate) fn translate(
    names: &Names,
    facts: &Facts,
    keeps_dead: bool,
) -> Result<Translation, Failure> {
    let refused = [
        (facts.empty, "this is the empty die, which no script has"),
        (
            facts.endless,
            "a call of this function ends without a result",
        ),
    ];
    for (span, message) in refused {
        if let Some(span) = span {
            let help = "AnyDice leaves such calls out of the odds: ask a script with --given \
                        instead, or give a number as the result";
            return Err(untranslated(span, message, help).into());
        }
    }
    let mut translator = Translator {
        names,
        facts,
        settings: Settings::default(),
        globals: vec![None; names.variables()],
        constants: FxHashMap::default(),
        functions: FxHashMap::default(),
        effects: Effects::default(),
        local: FxHashSet::default(),
        keeps_dead,
        scope: None,
        instances: FxHashMap::default(),
        script: Script::default(),
    };
    translator.name_constants();
    translator.all()
}

impl Translator<'_> {
    /// Global variables with one number, and a name that no function gives a meaning of its own.
    fn name_constants(&mut self) {
        let mut times: FxHashMap<Variable, u32> = FxHashMap::default();
        for (event, _) in &self.facts.events {
            match event {
                Event::Number(variable, _) | Event::Sequence(variable, _) => {
                    *times.entry(*variable).or_default() += 1;
                }
                Event::Dice(variable, _) => *times.entry(*variable).or_default() += 2,
                Event::Function(function) => {
                    self.local
                        .extend(function.parameters.iter().map(|one| one.variable));
                    assigned(&function.body, &mut self.local);
                }
                Event::Output(..) => {}
            }
        }
        for (event, _) in &self.facts.events {
            if let Event::Number(variable, _) = event
                && times.get(variable) == Some(&1)
                && !self.local.contains(variable)
            {
                let name = self.script.claim(self.names.of(*variable));
                self.constants.insert(*variable, name);
            }
        }
    }

    fn all(mut self) -> Result<Translation, Failure> {
        let facts = self.facts;
        let mut constants = Vec::new();
        let mut rolls = Vec::new();
        for (event, settings) in &facts.events {
            self.settings = *settings;
            match event {
                Event::Number(variable, number) => {
                    let code = match self.constants.get(variable) {
                        Some(name) => {
                            constants.push((name.clone(), number.to_string()));
                            Code::constant(name, *number)
                        }
                        None => Code::number(*number),
                    };
                    self.globals[variable.0 as usize] = Some(Value::Number(code));
                }
                Event::Sequence(variable, elements) => {
                    let list = List::Known(elements.clone());
                    self.globals[variable.0 as usize] = Some(Value::Sequence(list));
                }
                Event::Dice(variable, expr) => {
                    let dice = self.global_dice(*variable, expr)?;
                    self.globals[variable.0 as usize] = Some(Value::Dice(dice));
                }
                Event::Function(function) => {
                    self.functions
                        .insert(function.signature.0, Arc::clone(function));
                    self.effects.forget();
                }
                Event::Output(expr, name) => rolls.push(self.output(expr, name)?),
            }
        }
        Ok(Translation {
            text: self.script.text(&constants),
            rolls,
        })
    }

    /// The dice of a global variable: in place if they are short, else as a function of its name.
    fn global_dice(&mut self, variable: Variable, expr: &Expr) -> Result<Dice, Failure> {
        let Value::Dice(dice) = self.value(expr)? else {
            return Err(mixed(expr).into());
        };
        let one = dice.one();
        if one.text().len() <= SHORT || !matches!(dice.face, Face::Total(_)) {
            return Ok(dice);
        }
        let name = self.names.of(variable);
        let name = match self.local.contains(&variable) {
            true => self.script.claim(&format!("{name}_dice")),
            false => self.script.claim(name),
        };
        let text = format!("deffun {name}() : int {{ return {}; }}", one.text());
        self.script.function(&name, text);
        Ok(Dice {
            face: Face::Total(Code::call(&name, &[])),
            ..dice
        })
    }

    /// A roll for an output.
    fn output(&mut self, expr: &Expr, title: &str) -> Result<String, Failure> {
        let result = match self.value(expr)? {
            Value::Sequence(List::Known(elements)) if elements.is_empty() => {
                let message = "this output has no outcomes";
                return Err(untranslated(expr.span, message, "leave it out").into());
            }
            Value::Sequence(list) => Code::call("pick", &[&list.code()]),
            other => other.total().int(),
        };
        let name = self.script.claim(&identifier(title));
        let title = quoted(title);
        let text = format!("defroll {title} {name}() {{ return {}; }}", result.text());
        self.script.roll(text);
        Ok(name)
    }

    /// The value of an expression.
    fn value(&mut self, expr: &Expr) -> Result<Value, Failure> {
        let value = match &expr.kind {
            ExprKind::Number(number) => Value::Number(Code::number(*number)),
            ExprKind::Variable(variable) => self.read(*variable, expr)?,
            ExprKind::Prefix(operator, inner) => self.prefix(*operator, inner)?,
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            ExprKind::Dice(number, faces) => self.dice(number.as_deref(), faces)?,
            ExprKind::At(positions, of) => self.at(positions, of)?,
            ExprKind::Sequence(parts) => self.sequence(parts)?,
            ExprKind::Call(signature, arguments) => self.call(*signature, arguments, expr)?,
        };
        Ok(self.settled(value, expr))
    }

    /// A value that is a number or dice, as the one that it always is.
    fn settled(&self, value: Value, expr: &Expr) -> Value {
        let (Value::Rolled(code), Some(seen)) = (&value, self.facts.of(expr)) else {
            return value;
        };
        if !seen.kinds.dice && !seen.kinds.sequence {
            // Without dice, it is the same each time.
            return Value::Number(code.clone());
        }
        if seen.kinds.number || seen.kinds.sequence || code.is_rolled() {
            return value;
        }
        Value::Dice(match seen.dice {
            (1, 1) => Dice::single(code.clone()),
            _ => Dice::summed(code.int()),
        })
    }

    /// The value of a variable: of this call, or a global one.
    fn read(&mut self, variable: Variable, expr: &Expr) -> Result<Value, Failure> {
        let seen = self.facts.of(expr);
        let is_number = seen.is_some_and(|seen| !seen.kinds.dice && !seen.kinds.sequence);
        if let Some(scope) = &mut self.scope
            && let Some(found) = scope.read(variable, is_number, expr.span)
        {
            return found;
        }
        let global = self.globals[variable.0 as usize].clone();
        global.ok_or_else(|| {
            let message = "this variable has no value that a script can see";
            let help = "give the value to the function as a parameter";
            untranslated(expr.span, message, help).into()
        })
    }
}

/// An error: a construct has no translation.
fn untranslated(span: Span, message: &str, help: &str) -> Diagnostic {
    Diagnostic::error(ErrorCode::AnyDiceUntranslated, span, message).help(help)
}

/// A name in camel case, made of the words of a text.
fn identifier(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        let mut characters = word.chars();
        let first = characters.next();
        match name.is_empty() {
            true => name.extend(first.map(|first| first.to_ascii_lowercase())),
            false => name.extend(first.map(|first| first.to_ascii_uppercase())),
        }
        name.extend(characters);
    }
    legal(&name)
}
