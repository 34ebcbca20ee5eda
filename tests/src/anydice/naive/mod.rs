//! AnyDice programs, evaluated in the slow and obvious way: every roll of every pool, in the order
//! of its dice, and every call, each time. It is written from the description of the language, not
//! from the compiler; comments cite the sections.

mod calls;
mod library;
mod operators;
mod value;

pub use value::{Odds, Value};

use super::ast::{Block, Expr, Function, Part, Setting, Statement};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program is wrong.
    Refused(Refusal),
    /// It takes too many steps here, or fractions that are too long.
    TooLong,
}

/// The mistakes of a program that show when it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A number that leaves 64 bits, or is not whole.
    Number,
    /// A value of another kind than the place needs.
    Kind,
    /// A condition that is not a number.
    Condition,
    /// A variable without a value.
    Variable,
    /// A function that is not there.
    Function,
    /// A setting or its value.
    Setting,
}

/// The result of a step.
pub type Naive<T> = Result<T, Stop>;

/// The steps that are left.
#[derive(Clone, Copy, Debug)]
pub struct Steps(u64);

impl Steps {
    fn take(&mut self, steps: u64) -> Naive<()> {
        self.0 = self.0.checked_sub(steps).ok_or(Stop::TooLong)?;
        Ok(())
    }
}

/// The outputs of a program, each with its name.
pub type Outputs = Vec<(String, Odds)>;

/// The outputs of a program that takes at most this many steps.
///
/// # Errors
/// It is wrong, or takes more.
pub fn run(program: &Block, steps: u64) -> Naive<Outputs> {
    let mut machine = Machine {
        steps: Steps(steps),
        frames: vec![BTreeMap::new()],
        functions: BTreeMap::new(),
        lowest_first: false,
        explode_depth: 2,
        function_depth: 10,
        outputs: Vec::new(),
    };
    machine.block(program)?;
    Ok(machine.outputs)
}

/// A run of a program.
struct Machine {
    steps: Steps,
    /// The global variables, and those of the calls that are running.
    frames: Vec<BTreeMap<String, Value>>,
    functions: BTreeMap<String, Rc<Function>>,
    lowest_first: bool,
    explode_depth: i64,
    function_depth: i64,
    outputs: Outputs,
}

impl Machine {
    /// Dynamic scope: the variable of this call, of its caller, and so on (section 6).
    fn read(&self, name: &str) -> Naive<Value> {
        let mut frames = self.frames.iter().rev();
        let found = frames.find_map(|frame| frame.get(name));
        found.cloned().ok_or(Stop::Refused(Refusal::Variable))
    }

    fn assign(&mut self, name: &str, value: Value) {
        let frame = self
            .frames
            .last_mut()
            .expect("the global one is always there");
        frame.insert(name.to_owned(), value);
    }

    /// The result that ended the block, if one did.
    fn block(&mut self, block: &Block) -> Naive<Option<Value>> {
        for statement in block {
            self.steps.take(1)?;
            if let Some(result) = self.statement(statement)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    fn statement(&mut self, statement: &Statement) -> Naive<Option<Value>> {
        match statement {
            Statement::Assign(name, value) => {
                let value = self.value(value)?;
                self.assign(name, value);
            }
            Statement::If(arms, otherwise) => {
                for (condition, block) in arms {
                    match self.value(condition)? {
                        Value::Number(0) => {}
                        Value::Number(_) => return self.block(block),
                        _ => return Err(Stop::Refused(Refusal::Condition)),
                    }
                }
                if let Some(block) = otherwise {
                    return self.block(block);
                }
            }
            Statement::Loop(name, over, body) => {
                let Value::Sequence(elements) = self.value(over)? else {
                    return Err(Stop::Refused(Refusal::Kind));
                };
                for element in elements {
                    self.assign(name, Value::Number(element));
                    if let Some(result) = self.block(body)? {
                        return Ok(Some(result));
                    }
                }
            }
            Statement::Output(value, name) => self.output(value, name.as_deref())?,
            Statement::Set(key, value) => self.set(key, value)?,
            Statement::Function(function) => {
                self.functions
                    .insert(function.signature(), Rc::clone(function));
            }
            Statement::Result(value) => return self.value(value).map(Some),
        }
        Ok(None)
    }

    /// An output: of a sequence, its elements are equally likely (section 9).
    fn output(&mut self, value: &Expr, name: Option<&str>) -> Naive<()> {
        let odds = match self.value(value)? {
            Value::Sequence(elements) => Odds::of(elements.into_iter().map(|one| (one, 1)))?,
            other => other.summed(&mut self.steps)?,
        };
        let name = match name {
            Some(name) => self.name(name)?,
            None => format!("output {}", self.outputs.len() + 1),
        };
        self.outputs.push((name, odds));
        Ok(())
    }

    /// A name with the values of the variables in its brackets; other brackets stay.
    fn name(&self, name: &str) -> Naive<String> {
        let mut shown = String::new();
        let mut rest = name;
        while let Some(open) = rest.find('[') {
            let (before, after) = rest.split_at(open);
            shown.push_str(before);
            let inside = after[1..].split_once(']').filter(|(inside, _)| {
                let is_letter = |c: char| c.is_ascii_uppercase() || c == '_';
                !inside.is_empty() && inside.chars().all(is_letter)
            });
            match inside {
                Some((variable, after)) => {
                    shown.push_str(&self.read(variable)?.shown());
                    rest = after;
                }
                None => {
                    shown.push('[');
                    rest = &after[1..];
                }
            }
        }
        Ok(shown + rest)
    }

    /// A setting (section 8).
    fn set(&mut self, key: &str, value: &Setting) -> Naive<()> {
        const WRONG: Stop = Stop::Refused(Refusal::Setting);
        match (key, value) {
            ("position order", Setting::Text(order)) => {
                self.lowest_first = match order.as_str() {
                    "highest first" => false,
                    "lowest first" => true,
                    _ => return Err(WRONG),
                };
            }
            ("explode depth", Setting::Value(value)) => {
                self.explode_depth = self.positive(value)?
            }
            ("maximum function depth", Setting::Value(value)) => {
                self.function_depth = self.positive(value)?;
            }
            _ => return Err(WRONG),
        }
        Ok(())
    }

    fn positive(&mut self, value: &Expr) -> Naive<i64> {
        match self.value(value)? {
            Value::Number(number) if number > 0 => Ok(number),
            _ => Err(Stop::Refused(Refusal::Setting)),
        }
    }

    fn value(&mut self, expr: &Expr) -> Naive<Value> {
        self.steps.take(1)?;
        match expr {
            Expr::Number(number) => Ok(Value::Number(*number)),
            Expr::Variable(name) => self.read(name),
            Expr::Prefix(operator, inner) => {
                let inner = self.value(inner)?;
                operators::prefix(operator, &inner, &mut self.steps)
            }
            Expr::Binary(operator, left, right) => {
                let left = self.value(left)?;
                if *operator == "@" && matches!(left, Value::Dice(_)) {
                    return Err(Stop::Refused(Refusal::Kind));
                }
                let right = self.value(right)?;
                operators::binary(operator, &left, &right, self.lowest_first, &mut self.steps)
            }
            Expr::Sequence(parts) => self.sequence(parts),
            Expr::Call(pieces) => self.call(pieces),
        }
    }

    /// A sequence, of which dice are each of their values once (section 4).
    fn sequence(&mut self, parts: &[Part]) -> Naive<Value> {
        let mut elements = Vec::new();
        for part in parts {
            let piece: Vec<i64> = match (self.value(&part.from)?, &part.to) {
                (from, Some(to)) => {
                    let from = operators::number(&from)?;
                    let to = operators::number(&self.value(to)?)?;
                    self.steps.take(to.abs_diff(from))?;
                    (from..=to).collect()
                }
                (Value::Number(number), None) => vec![number],
                (Value::Sequence(inner), None) => inner,
                (Value::Dice(dice), None) => {
                    let sum = dice.sum(&mut self.steps)?;
                    sum.0.into_iter().map(|(value, _)| value).collect()
                }
            };
            let times = match &part.times {
                Some(times) => operators::number(&self.value(times)?)?,
                None => 1,
            };
            for _ in 0..times {
                self.steps.take(1 + piece.len() as u64)?;
                elements.extend(&piece);
            }
        }
        Ok(Value::Sequence(elements))
    }
}
