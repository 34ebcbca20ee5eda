//! Random AnyDice programs: small, typed for the most part, and with few names, so that variables
//! of functions, parameters and global ones meet.

mod expr;
mod function;

use super::ast::{Block, Expr, Setting, Statement};
use arbitrary::{Result, Unstructured};
use function::Signature;

/// The variables of programs.
const NAMES: [&str; 6] = ["A", "B", "C", "N", "R", "X_Y"];

/// The kinds of value that an expression is meant to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Sequence,
    Dice,
}

/// A program from bytes.
///
/// # Errors
/// The bytes run out.
pub fn program(bytes: &mut Unstructured<'_>) -> Result<Block> {
    let mut maker = Maker {
        bytes,
        known: Vec::new(),
        functions: Vec::new(),
        result: None,
        roll: None,
    };
    let mut program = Vec::new();
    maker.setting_at_first(&mut program)?;
    for (place, name) in NAMES[..maker.bytes.int_in_range(0..=4)?].iter().enumerate() {
        let kind = match place {
            0 => Kind::Number,
            _ => maker.kind()?,
        };
        program.push(maker.assignment(name, kind)?);
    }
    for _ in 0..maker.bytes.int_in_range(0..=3)? {
        program.push(match maker.one_in(2)? {
            true => maker.function()?,
            false => maker.function_of_rolls()?,
        });
    }
    for _ in 0..maker.bytes.int_in_range(0..=3)? {
        program.push(maker.statement(2)?);
    }
    for _ in 0..maker.bytes.int_in_range(1..=2)? {
        program.push(maker.output()?);
    }
    Ok(program)
}

/// Makes programs from bytes.
struct Maker<'b, 'd> {
    bytes: &'b mut Unstructured<'d>,
    /// Variables that have a value here, with its kind.
    known: Vec<(String, Kind)>,
    functions: Vec<Signature>,
    /// The kind of the result, in a function.
    result: Option<Kind>,
    /// The parameter that the function is about.
    roll: Option<String>,
}

impl Maker<'_, '_> {
    fn kind(&mut self) -> Result<Kind> {
        Ok(*self
            .bytes
            .choose(&[Kind::Number, Kind::Sequence, Kind::Dice, Kind::Dice])?)
    }

    fn name(&mut self) -> Result<String> {
        Ok((*self.bytes.choose(&NAMES)?).to_owned())
    }

    /// Whether one of this many cases happens.
    fn one_in(&mut self, cases: u32) -> Result<bool> {
        self.bytes.ratio(1, cases)
    }

    fn knows(&mut self, name: &str, kind: Kind) {
        self.known.retain(|(known, _)| known != name);
        self.known.push((name.to_owned(), kind));
    }

    fn assignment(&mut self, name: &str, kind: Kind) -> Result<Statement> {
        let value = self.expr(kind, 2)?;
        self.knows(name, kind);
        Ok(Statement::Assign(name.to_owned(), value))
    }

    fn setting_at_first(&mut self, program: &mut Block) -> Result<()> {
        if self.one_in(4)? {
            program.push(self.setting()?);
        }
        Ok(())
    }

    fn setting(&mut self) -> Result<Statement> {
        let order = |order: &str| ("position order", Setting::Text(order.to_owned()));
        let (key, value) = match self.bytes.int_in_range(0..=9)? {
            0..=2 => order("lowest first"),
            3 => order("highest first"),
            4 | 5 => (
                "explode depth",
                Setting::Value(Expr::Number(self.bytes.int_in_range(1..=4)?)),
            ),
            6..=8 => {
                let depth = Expr::Number(self.bytes.int_in_range(1..=4)?);
                ("maximum function depth", Setting::Value(depth))
            }
            _ => match self.bytes.int_in_range(0..=4)? {
                0 => order("middle first"),
                4 => ("explode depths", Setting::Value(Expr::Number(3))),
                1 => ("position order", Setting::Value(Expr::Number(1))),
                2 => ("explode depth", Setting::Value(self.expr(Kind::Number, 1)?)),
                _ => ("maximum function depth", Setting::Text("deep".to_owned())),
            },
        };
        Ok(Statement::Set(key.to_owned(), value))
    }

    fn output(&mut self) -> Result<Statement> {
        let kind = self.kind()?;
        let called = match self.functions.is_empty() || self.one_in(3)? {
            true => None,
            false => self.own_call(Kind::Dice, 1)?,
        };
        let value = match called {
            Some(call) => call,
            None => self.expr(kind, 3)?,
        };
        let name = match self.bytes.int_in_range(0..=5)? {
            0 => Some("all".to_owned()),
            1 => {
                let name = match self.bytes.choose(&self.known) {
                    Ok((name, _)) => name.clone(),
                    Err(_) => self.name()?,
                };
                Some(format!("[x] [{name}] ]["))
            }
            _ => None,
        };
        Ok(Statement::Output(value, name))
    }

    /// A statement; outside of functions also an output or a setting.
    fn statement(&mut self, depth: u32) -> Result<Statement> {
        let last = if depth == 0 { 4 } else { 9 };
        match self.bytes.int_in_range(0..=last)? {
            0..=2 => {
                let (name, kind) = (self.name()?, self.kind()?);
                self.assignment(&name, kind)
            }
            3 if self.result.is_none() => match self.bytes.int_in_range(0..=3)? {
                0 => self.setting(),
                1 if depth > 0 => self.function(),
                _ => self.output(),
            },
            // A variable that goes on from call to call, or from turn to turn.
            3 | 4 => {
                let name = self.variable(Kind::Number)?;
                let more = self.expr(Kind::Number, 1)?;
                let old = Box::new(Expr::Variable(name.clone()));
                Ok(Statement::Assign(
                    name,
                    Expr::Binary("+", old, Box::new(more)),
                ))
            }
            // What one call of an expansion leaves for the next one.
            5 => {
                let name = self.variable(Kind::Number)?;
                let mut block = vec![self.assignment(&name, Kind::Number)?];
                block.extend(self.block(depth - 1)?);
                Ok(Statement::If(vec![(Expr::Variable(name), block)], None))
            }
            6 | 7 => self.condition(depth - 1),
            _ => {
                let name = self.name()?;
                let over = self.expr(Kind::Sequence, 1)?;
                let before = self.known.clone();
                self.knows(&name, Kind::Number);
                let body = self.block(depth - 1)?;
                self.known = before;
                Ok(Statement::Loop(name, over, body))
            }
        }
    }

    /// What blocks assign is known to be there only if all of them do, so nothing of it is.
    fn condition(&mut self, depth: u32) -> Result<Statement> {
        let before = self.known.clone();
        let mut arms = Vec::new();
        for _ in 0..self.bytes.int_in_range(1..=2)? {
            let condition = self.expr(Kind::Number, 2)?;
            arms.push((condition, self.block(depth)?));
            self.known.clone_from(&before);
        }
        let otherwise = match self.bytes.ratio(1, 2)? {
            true => Some(self.block(depth)?),
            false => None,
        };
        self.known = before;
        Ok(Statement::If(arms, otherwise))
    }

    fn block(&mut self, depth: u32) -> Result<Block> {
        let mut block = Vec::new();
        for _ in 0..self.bytes.int_in_range(0..=2)? {
            block.push(self.statement(depth)?);
        }
        if let Some(kind) = self.result
            && self.bytes.ratio(1, 2)?
        {
            block.push(self.result(kind)?);
        }
        Ok(block)
    }

    fn result(&mut self, kind: Kind) -> Result<Statement> {
        let value = match self.one_in(12)? {
            true => Expr::Prefix("d", Box::new(Expr::Sequence(Vec::new()))),
            false => self.expr(kind, 2)?,
        };
        Ok(Statement::Result(value))
    }

    /// A variable of this kind if there is one.
    fn variable(&mut self, kind: Kind) -> Result<String> {
        let known: Vec<String> = self
            .known
            .iter()
            .filter(|(_, of)| *of == kind)
            .map(|(name, _)| name.clone())
            .collect();
        match known.is_empty() || self.one_in(40)? {
            true => self.name(),
            false => Ok(self.bytes.choose(&known)?.clone()),
        }
    }
}
