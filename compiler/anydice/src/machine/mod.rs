//! The interpreter of programs. It never rolls: values are numbers, sequences and distributions.

mod call;
mod drawing;
mod expression;
mod frames;
mod library;
mod memory;
mod observing;
mod outcome;
mod shown;

use crate::ast::{
    Block, Function, Name, NamePart, Names, Setting, SettingValue, Statement, Variable,
};
use crate::effects::Effects;
use crate::engine::Engine;
use crate::facts::{Event, Facts};
use crate::failure::{Failure, Unplaced};
use crate::settings::Settings;
use crate::value::Value;
use crate::{Options, Output};
pub use drawing::Sampled;

use dicec_lang::syntax::{Code, Diagnostic, nearest};
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use dicec_runtime::span::Span;
use drawing::Drawing;
use frames::Frames;
use memory::Memory;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Whether a block ended with a result.
enum Flow<W> {
    On,
    Result(Value<W>),
}

/// The outputs of a run, and the facts about it.
pub(crate) type Traced<W> = (Vec<Output<W>>, Facts);

/// A run of a program.
pub(crate) struct Machine<'p, 'b, W> {
    names: &'p Names,
    engine: Engine<'b, W>,
    settings: Settings,
    options: Options,
    /// Functions by their signatures.
    functions: FxHashMap<u32, Arc<Function>>,
    effects: Effects,
    /// The global variables, and those of the calls that are running.
    frames: Frames<W>,
    /// Global variables whose values were given from outside.
    given: FxHashMap<Variable, i64>,
    memory: Memory<W>,
    outputs: Vec<Output<W>>,
    /// What was noted, each kind once.
    notes: Vec<Diagnostic>,
    /// The facts about this run, if somebody wants them.
    facts: Option<Facts>,
    /// The state of a trial, if this is one.
    drawing: Option<Drawing>,
}

impl<'p, 'b, W: Weight> Machine<'p, 'b, W> {
    pub(crate) fn new(
        names: &'p Names,
        options: Options,
        given: &[(Variable, i64)],
        budget: &'b mut Budget,
    ) -> Self {
        let mut frames = Frames::new(names.variables());
        for &(variable, value) in given {
            frames.assign(variable, Value::Number(value));
        }
        Self {
            names,
            engine: Engine::new(budget),
            settings: Settings::default(),
            options,
            functions: FxHashMap::default(),
            effects: Effects::default(),
            frames,
            given: given.iter().copied().collect(),
            memory: Memory::default(),
            outputs: Vec::new(),
            notes: Vec::new(),
            facts: None,
            drawing: None,
        }
    }

    /// Runs the whole program, and says what held in this run, in which these values were given
    /// from outside.
    pub(crate) fn traced(
        mut self,
        program: &Block,
        given: &[(Variable, i64)],
    ) -> Result<Traced<W>, Failure> {
        let mut facts = Facts::default();
        for &(variable, value) in given {
            facts
                .events
                .push((Event::Number(variable, value), self.settings));
        }
        self.facts = Some(facts);
        self.block(program)?;
        let facts = self.facts.take().unwrap_or_default();
        Ok((self.outputs, facts))
    }

    /// Runs the whole program.
    pub(crate) fn run(
        mut self,
        program: &Block,
    ) -> Result<(Vec<Output<W>>, Vec<Diagnostic>), Failure> {
        self.block(program)?;
        if self.outputs.is_empty() {
            let message = "this program shows nothing: it reaches no output";
            let note = Diagnostic::note(Code::AnyDiceNoOutput, Span::default(), message);
            self.note(note.help("write output before a value: output 3d6"));
        }
        Ok((self.outputs, self.notes))
    }

    /// Something happens outside of functions.
    fn happened(&mut self, event: impl FnOnce() -> Event) {
        if self.frames.len() == 1
            && let Some(facts) = &mut self.facts
        {
            facts.events.push((event(), self.settings));
        }
    }

    /// The value of a variable: of this call, of its caller, and so on.
    fn read(&self, variable: Variable) -> Option<&Value<W>> {
        self.frames.read(variable)
    }

    fn assign(&mut self, variable: Variable, value: Value<W>) {
        self.frames.assign(variable, value);
    }

    fn block(&mut self, block: &Block) -> Result<Flow<W>, Failure> {
        for statement in block {
            if let Flow::Result(result) = self.statement(statement)? {
                return Ok(Flow::Result(result));
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow<W>, Failure> {
        match statement {
            Statement::Assign(variable, value) => {
                // A value that was given from outside stays.
                if self.frames.len() > 1 || !self.given.contains_key(variable) {
                    let given = self.value(value)?;
                    self.happened(|| match &given {
                        Value::Number(number) => Event::Number(*variable, *number),
                        Value::Sequence(elements) => Event::Sequence(*variable, elements.to_vec()),
                        Value::Dice(_) => Event::Dice(*variable, value.clone()),
                    });
                    self.assign(*variable, given);
                }
            }
            Statement::If(arms, otherwise) => return self.condition(arms, otherwise.as_ref()),
            Statement::Loop(variable, over, body) => {
                let elements = match self.value(over)? {
                    Value::Sequence(elements) => elements,
                    other => return Err(no_sequence(&other, over.span).into()),
                };
                for &element in elements.iter() {
                    self.happened(|| Event::Number(*variable, element));
                    self.assign(*variable, Value::Number(element));
                    if let Flow::Result(result) = self.block(body)? {
                        return Ok(Flow::Result(result));
                    }
                }
            }
            Statement::Output(value, name) => {
                let shown = self.value(value)?;
                let odds = self.odds(&shown).map_err(|why| why.at(value.span))?;
                let (name, heading) = match name {
                    Some(name) => self.name(name)?,
                    None => {
                        let name = format!("output {}", self.outputs.len() + 1);
                        (name.clone(), name)
                    }
                };
                self.happened(|| Event::Output(value.clone(), name.clone()));
                self.outputs.push(Output {
                    name,
                    heading,
                    odds,
                });
            }
            Statement::Set(setting) => self.set(setting)?,
            Statement::Function(function) => {
                self.functions
                    .insert(function.signature.0, Arc::clone(function));
                self.happened(|| Event::Function(Arc::clone(function)));
                self.effects.forget();
                self.memory.forget();
            }
            Statement::Result(value) => return Ok(Flow::Result(self.value(value)?)),
        }
        Ok(Flow::On)
    }

    fn condition(
        &mut self,
        arms: &[(crate::ast::Expr, Block)],
        otherwise: Option<&Block>,
    ) -> Result<Flow<W>, Failure> {
        for (condition, block) in arms {
            match self.value(condition)? {
                Value::Number(0) => {}
                Value::Number(_) => return self.block(block),
                other => return Err(no_condition(&other, condition.span).into()),
            }
        }
        otherwise.map_or(Ok(Flow::On), |block| self.block(block))
    }

    /// The distribution of an output: of a sequence, its elements are equally likely.
    fn odds(&mut self, value: &Value<W>) -> Result<Option<Rc<Pmf<W>>>, Unplaced> {
        match value {
            Value::Number(number) => Ok(Some(Rc::new(Pmf::point(*number)))),
            Value::Sequence(elements) => self.engine.listed(elements),
            Value::Dice(dice) => self.engine.sum(dice),
        }
    }

    /// The name of an output, and its heading.
    fn name(&mut self, name: &Name) -> Result<(String, String), Failure> {
        let (mut text, mut heading) = (String::new(), String::new());
        for part in &name.parts {
            let (shown, written) = match part {
                NamePart::Text(part) => (part.clone(), part.clone()),
                NamePart::Value(variable) => {
                    let value = self.read(*variable);
                    let value = value.ok_or_else(|| self.no_variable(*variable, name.span))?;
                    let shown = shown::shown(value);
                    let written = match self.given.contains_key(variable) {
                        true => format!("[{}]", self.names.of(*variable)),
                        false => shown.clone(),
                    };
                    (shown, written)
                }
            };
            text.push_str(&shown);
            heading.push_str(&written);
        }
        Ok((text, heading))
    }

    fn set(&mut self, setting: &Setting) -> Result<(), Failure> {
        let key = setting.key.as_str();
        let wrong = |span, help: &str| {
            let message = format!("\"{key}\" cannot be set to this");
            let found = Diagnostic::error(Code::AnyDiceSetting, span, message);
            Failure::from(found.help(help))
        };
        match (key, &setting.value) {
            ("position order", SettingValue::Text(order, span)) => {
                self.settings.lowest_first = match order.as_str() {
                    "highest first" => false,
                    "lowest first" => true,
                    _ => return Err(wrong(*span, ORDERS)),
                };
            }
            ("position order", SettingValue::Number(value)) => {
                return Err(wrong(value.span, ORDERS));
            }
            ("explode depth", SettingValue::Number(value)) => {
                let most = self.positive(value)?;
                let most = most.ok_or_else(|| wrong(value.span, EXPLOSIONS))?;
                self.settings.explode_depth = most;
            }
            ("explode depth", SettingValue::Text(_, span)) => {
                return Err(wrong(*span, EXPLOSIONS));
            }
            ("maximum function depth", SettingValue::Number(value)) => {
                let most = self.positive(value)?;
                let most = most.ok_or_else(|| wrong(value.span, DEPTHS))?;
                self.settings.function_depth = most;
            }
            ("maximum function depth", SettingValue::Text(_, span)) => {
                return Err(wrong(*span, DEPTHS));
            }
            _ => {
                let known = ["position order", "explode depth", "maximum function depth"];
                let help = match nearest(key, known) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("there are: \"{}\"", known.join("\", \"")),
                };
                let message = format!("AnyDice has no setting \"{key}\"");
                let found = Diagnostic::error(Code::AnyDiceSetting, setting.key_span, message);
                return Err(found.help(help).into());
            }
        }
        Ok(())
    }

    /// A number from 1 on; nothing if it is another one.
    fn positive(&mut self, value: &crate::ast::Expr) -> Result<Option<u64>, Failure> {
        Ok(match self.value(value)? {
            Value::Number(number) => u64::try_from(number).ok().filter(|number| *number > 0),
            _ => None,
        })
    }

    /// Notes something, unless something of this kind was noted.
    fn note(&mut self, note: Diagnostic) {
        let is_known =
            |known: &Diagnostic| known.code == note.code && known.message == note.message;
        if !self.notes.iter().any(is_known) {
            self.notes.push(note);
        }
    }

    fn no_variable(&self, variable: Variable, span: Span) -> Diagnostic {
        let name = self.names.of(variable);
        let message = format!("the variable {name} has no value here");
        let found = Diagnostic::error(Code::AnyDiceVariable, span, message);
        let known = |variable: &&str| {
            let place = self.names.known(variable);
            place.is_some_and(|place| self.read(place).is_some())
        };
        match nearest(name, self.names.all_variables().filter(known)) {
            Some(near) => found.help(format!("did you mean {near}?")),
            None => found.help(format!("give it one before: {name}: 5")),
        }
    }
}

const ORDERS: &str = "it is \"highest first\" or \"lowest first\"";
const EXPLOSIONS: &str = "it is a number from 1 on; without the setting it is 2";
const DEPTHS: &str = "it is a number from 1 on; without the setting it is 10";

fn no_sequence<W: Weight>(value: &Value<W>, span: Span) -> Diagnostic {
    let message = format!("a loop goes over a sequence, and this is {}", value.kind());
    let found = Diagnostic::error(Code::AnyDiceKind, span, message);
    found.help(match value {
        Value::Number(_) => "write loop N over {1..6} { ... }",
        _ => "write loop N over {d6} { ... } for each face of a die",
    })
}

fn no_condition<W: Weight>(value: &Value<W>, span: Span) -> Diagnostic {
    let message = format!("a condition is a number, and this is {}", value.kind());
    let found = Diagnostic::error(Code::AnyDiceCondition, span, message);
    found.help(match value {
        Value::Sequence(_) => "compare it with a number, which counts: if ROLL = 6 { ... }",
        _ => {
            "put the condition into a function with a parameter N:n, and call it with the dice: \
             function: hit N:n { if N > 10 { result: 1 } result: 0 } output [hit d20]"
        }
    })
}
