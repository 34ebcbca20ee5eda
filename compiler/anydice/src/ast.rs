//! The syntax tree of AnyDice programs (the numbers in comments are sections of the description
//! of the language in docs/anydice.md).

use dicec_runtime::compare::CompareOp;
use dicec_runtime::span::Span;
use indexmap::IndexSet;
use std::sync::Arc;

/// A variable, by its place among the names of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Variable(pub(crate) u32);

/// The signature of a function: its words and the places of its parameters, as `highest ? of ?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Signature(pub(crate) u32);

/// An expression and its place; `id` is its number in the program.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    pub(crate) id: u32,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Variable(Variable),
    Prefix(Prefix, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `NdF`, or `dF`.
    Dice(Option<Box<Expr>>, Box<Expr>),
    /// `P@X`.
    At(Box<Expr>, Box<Expr>),
    Sequence(Vec<Part>),
    Call(Signature, Vec<Expr>),
}

/// A part of a sequence: `from`, `from..to`, each with `:times`.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) from: Expr,
    pub(crate) to: Option<Expr>,
    pub(crate) times: Option<Expr>,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Plus,
    Minus,
    Not,
    Length,
}

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    And,
    Or,
    Compare(CompareOp),
}

/// Statements in order.
pub(crate) type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Variable, Expr),
    /// Conditions with their blocks, and the block of `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    Loop(Variable, Expr, Block),
    Output(Expr, Option<Name>),
    Set(Setting),
    Function(Arc<Function>),
    /// The end of a call.
    Result(Expr),
}

/// The name of an output: texts and variables.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) parts: Vec<NamePart>,
    pub(crate) span: Span,
}

/// A part of a name.
#[derive(Clone, Debug)]
pub(crate) enum NamePart {
    Text(String),
    Value(Variable),
}

/// `set KEY to VALUE`.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: SettingValue,
}

/// The value of a setting.
#[derive(Clone, Debug)]
pub(crate) enum SettingValue {
    Text(String, Span),
    Number(Expr),
}

/// A definition of a function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Block,
    pub(crate) span: Span,
    /// Its number in the program.
    pub(crate) id: u32,
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) variable: Variable,
    pub(crate) of: Type,
}

/// The types of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Number,
    Sequence,
    Dice,
    Any,
}

/// The names of a program: those of variables and of functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    variables: IndexSet<String>,
    signatures: IndexSet<String>,
}

impl Names {
    pub(crate) fn variable(&mut self, name: &str) -> Variable {
        Variable(self.variables.insert_full(name.to_owned()).0 as u32)
    }

    pub(crate) fn signature(&mut self, text: &str) -> Signature {
        Signature(self.signatures.insert_full(text.to_owned()).0 as u32)
    }

    /// The variable of this name, if the program has it.
    pub(crate) fn known(&self, name: &str) -> Option<Variable> {
        let place = self.variables.get_index_of(name)?;
        Some(Variable(place as u32))
    }

    pub(crate) fn of(&self, variable: Variable) -> &str {
        &self.variables[variable.0 as usize]
    }

    pub(crate) fn signature_of(&self, signature: Signature) -> &str {
        &self.signatures[signature.0 as usize]
    }

    /// The number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.variables.len()
    }

    pub(crate) fn all_variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(String::as_str)
    }
}
