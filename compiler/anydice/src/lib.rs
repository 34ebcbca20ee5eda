//! AnyDice programs: parsed, and evaluated over exact distributions.
//!
//! An AnyDice program never rolls. It is a deterministic program over numbers, sequences and exact
//! distributions; dice are split into their outcomes only where a function takes a number or a
//! sequence. docs/anydice.md describes the language; the sections that comments cite are its.
//!
//! ```text
//! text --token--> tokens --parse--> ast --machine--> outputs
//!                                          |
//!                     engine: operations on values, over dicec_runtime::pmf
//! ```
//!
//! ```
//! use dicec_anydice::{Options, Program};
//! use dicec_lang::syntax::SourceLimits;
//! use dicec_runtime::pmf::Budget;
//!
//! let text = r#"output [highest 3 of 4d6] named "ability""#;
//! let program = Program::parse(text, SourceLimits::default())?;
//! let run = program.run::<f64>(&[], Options::default(), &mut Budget::default())?;
//! let ability = &run.outputs[0];
//! assert_eq!(ability.name, "ability");
//! let odds = ability.odds.as_ref().expect("it has outcomes");
//! assert!((odds.mean() - 12.2446).abs() < 1e-4);
//! # Ok::<(), dicec_anydice::Failure>(())
//! ```

mod arithmetic;
mod ast;
mod draws;
mod effects;
mod engine;
mod facts;
mod failure;
mod machine;
mod parse;
mod settable;
mod settings;
mod token;
mod translate;
mod value;

pub use failure::Failure;
pub use machine::Sampled;
pub use translate::Translation;

use ast::{Block, Names, Statement, Variable};
use dicec_lang::syntax::{Code, Diagnostic, SourceLimits, nearest};
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use dicec_runtime::span::Span;
use std::rc::Rc;

/// A parsed program.
#[derive(Clone, Debug)]
pub struct Program {
    statements: Block,
    names: Names,
}

/// Shortcuts that can be switched off; answers do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Calls with equal arguments are made once (premise: `effects`).
    pub remember: bool,
    /// Of rolls only the numbers that a function asks for are distinguished (premise:
    /// `machine/observing`).
    pub observe: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            remember: true,
            observe: true,
        }
    }
}

/// An output of a program.
#[derive(Clone, Debug)]
pub struct Output<W = f64> {
    /// Its name: `output 1`, or the one that the program gives it.
    pub name: String,
    /// The name with variables whose values are given as the program writes them: `[N] dice`. It is
    /// the same in runs that differ only in these values.
    pub heading: String,
    /// Its odds; none if it has no outcomes, as `d{}`.
    pub odds: Option<Rc<Pmf<W>>>,
}

/// The outputs of a program.
#[derive(Clone, Debug)]
pub struct Run<W = f64> {
    /// The outputs, in order.
    pub outputs: Vec<Output<W>>,
    /// What a reader may not expect, such as calls that were cut.
    pub notes: Vec<Diagnostic>,
}

impl Program {
    /// Parses a program.
    ///
    /// # Errors
    /// The first mistake.
    pub fn parse(text: &str, limits: SourceLimits) -> Result<Self, Failure> {
        let parsed = parse::parse(text, limits)?;
        Ok(Self {
            statements: parsed.statements,
            names: parsed.names,
        })
    }

    /// Runs the program; `given` are values of [`settable`](Self::settable) variables, which the
    /// assignments of the program do not change.
    ///
    /// # Errors
    /// A mistake that shows when the program runs, a variable that cannot be given, or a budget
    /// that is too small. One mistake discards all outputs.
    pub fn run<W: Weight>(
        &self,
        given: &[(&str, i64)],
        options: Options,
        budget: &mut Budget,
    ) -> Result<Run<W>, Failure> {
        let given = self.given(given)?;
        let machine = machine::Machine::new(&self.names, options, &given, budget);
        let (outputs, notes) = machine.run(&self.statements)?;
        Ok(Run { outputs, notes })
    }

    /// Runs trials until `each`, which is told the results and the work of one, has enough of
    /// them, and says what a reader may not expect. A trial is the program with one draw where its
    /// odds mix results. `budget` is for each of them. Equal seeds draw the same.
    ///
    /// # Errors
    /// As for [`run`](Self::run), and a program of which one trial says nothing about the odds.
    pub fn trials(
        &self,
        given: &[(&str, i64)],
        seed: u64,
        budget: &mut Budget,
        each: impl FnMut(&[Sampled], u64) -> bool,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let given = self.given(given)?;
        let machine = machine::Machine::<f64>::new(&self.names, Options::default(), &given, budget);
        machine.trials(&self.statements, seed, each)
    }

    /// Variables that can be given, with their values.
    fn given(&self, given: &[(&str, i64)]) -> Result<Vec<(Variable, i64)>, Failure> {
        let settable = settable::settable(&self.statements, &self.names);
        let known = given.iter().map(|&(name, value)| {
            let known = self.names.known(name).filter(|it| settable.contains(it));
            let known = known.ok_or_else(|| self.no_variable(name))?;
            Ok((known, value))
        });
        known.collect()
    }

    /// The same program, with values of variables as for [`run`](Self::run), as a script of the
    /// rolling language, and its outputs. The first script has all statements; the second one
    /// leaves out those that the program never gets to, about which nothing is known, so that the
    /// first one may not be a script.
    ///
    /// # Errors
    /// A construct without a translation, a mistake that shows when the program runs, a variable
    /// that cannot be given, or a budget that is too small.
    pub fn translated<W: Weight>(
        &self,
        given: &[(&str, i64)],
        budget: &mut Budget,
    ) -> Result<(Vec<Translation>, Vec<Output<W>>), Failure> {
        let given = self.given(given)?;
        let machine = machine::Machine::new(&self.names, Options::default(), &given, budget);
        let (outputs, facts) = machine.traced(&self.statements, &given)?;
        let all = [true, false].map(|keeps| translate::translate(&self.names, &facts, keeps));
        let all = all
            .into_iter()
            .collect::<Result<Vec<Translation>, Failure>>()?;
        Ok((all, outputs))
    }

    /// Whether the program shows anything.
    pub fn has_outputs(&self) -> bool {
        has_outputs(&self.statements)
    }

    /// The names of the variables whose values can be given from outside: the global ones, without
    /// those of loops.
    pub fn settable(&self) -> Vec<&str> {
        let settable = settable::settable(&self.statements, &self.names);
        settable.iter().map(|it| self.names.of(*it)).collect()
    }

    fn no_variable(&self, name: &str) -> Diagnostic {
        let message = match self.names.known(name) {
            None => format!("the program has no variable {name}"),
            Some(_) => format!("{name} gets its values from a loop or from calls of a function"),
        };
        let found = Diagnostic::error(Code::AnyDiceVariable, Span::default(), message);
        let settable = self.settable();
        match nearest(name, settable.iter().copied()) {
            Some(near) => found.help(format!("did you mean {near}?")),
            None if settable.is_empty() => {
                found.help("assign a variable before the outputs, and use it: N: 3 output Nd6")
            }
            None => found.help(format!("it has {}", settable.join(", "))),
        }
    }
}

fn has_outputs(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Output(..) => true,
        Statement::If(arms, otherwise) => {
            arms.iter().any(|(_, block)| has_outputs(block))
                || otherwise.as_ref().is_some_and(has_outputs)
        }
        Statement::Loop(_, _, body) => has_outputs(body),
        _ => false,
    })
}
