//! Compound rules: rules that are more than one roll, with names for dice, conditions, and calls of
//! functions.
//!
//! ```text
//! rule = { "let" name "=" expression ";" } expression [ ";" ]
//! ```
//!
//! The expressions are those of scripts, except that `=` compares, that libraries need no `import`,
//! and that a dialect decides how dice are read and numbers divided. The tree is that of a script
//! with one roll without parameters.

use super::{Parsed, Parser, too_long};
use crate::front::notation::Dialect;
use crate::front::script::ast::{
    AssignOp, Block, Expr, ExprKind, Import, Item, ItemKind, Name, Node, Roll, Script, Stmt,
    StmtKind, UnaryOp,
};
use crate::front::script::signs::Sign;
use crate::syntax::SourceLimits;
use dicec_runtime::span::Span;

/// The name of the roll.
const NAME: &str = "rule";

/// Parses the rule at `part` of a text; all spans are those in the whole text.
pub(in crate::front::script) fn parse_rule(
    text: &str,
    part: Span,
    dialect: Dialect,
    limits: SourceLimits,
) -> Parsed {
    if part.range().len() > limits.bytes as usize {
        return too_long(part.range().len(), part.start, limits);
    }
    Parser::run(text, part, Some(dialect), limits, |parser| parser.rule())
}

impl Parser<'_> {
    /// The whole text.
    fn rule(&mut self) -> Script {
        let start = self.cursor.here();
        let mut statements = Vec::new();
        while self.cursor.is_word_before_operand("let") {
            match self.definition() {
                Some(definition) => statements.push(definition),
                None => break,
            }
        }
        let mut value = self.expression();
        self.cursor.take(Sign::Semicolon);
        if self.cursor.peek().is_some() && !self.cursor.last_is_broken() {
            self.operator_missing();
        }
        let span = value.span;
        if self.clamps() && !self.keeps_sign(&value) {
            value = Expr::new(ExprKind::Unary(UnaryOp::Clamp, Box::new(value)), span);
        }
        statements.push(Stmt::new(StmtKind::Return(Some(value)), span));
        let whole = start.to(span);
        let roll = Roll {
            label: Node::new(String::new(), whole),
            name: Name::new(NAME.to_owned(), whole),
            params: Vec::new(),
            body: Block::new(statements, whole),
        };
        let libraries = std::mem::take(&mut self.implied).into_iter();
        let imports = libraries.map(|name| {
            let span = name.span;
            Item::new(ItemKind::Import(Import::Std(name)), span)
        });
        Script {
            items: imports
                .chain([Item::new(ItemKind::Roll(roll), whole)])
                .collect(),
            files: Vec::new(),
        }
    }

    /// `let name = expression;`
    fn definition(&mut self) -> Option<Stmt> {
        const HELP: &str = "write `let name = 1d20;`";
        let start = self.cursor.here();
        self.cursor.bump();
        let name = self.name("what is rolled")?;
        let target = Expr::new(ExprKind::Name(name.kind), name.span);
        self.require(Sign::Assign, '=', HELP);
        let value = self.expression();
        if self.keeps_sign(&value)
            && let ExprKind::Name(name) = &target.kind
        {
            self.signed.push(name.clone());
        }
        self.semicolon();
        let kind = StmtKind::Assign(target, AssignOp::Set, value);
        Some(Stmt::new(kind, start.to(self.cursor.last())))
    }

    /// Whether results and the sides of checks are at least 0 (seed 002, 3.5.3).
    pub(super) fn clamps(&self) -> bool {
        self.rule == Some(Dialect::Rulebook)
    }

    /// The sides of a check, each at least 0 if the dialect says so. What is compared with a value
    /// that keeps its sign keeps its own.
    pub(super) fn sides(&self, sides: [Expr; 2]) -> [Box<Expr>; 2] {
        let clamps = self.clamps() && !sides.iter().any(|side| self.keeps_sign(side));
        sides.map(|side| {
            let span = side.span;
            Box::new(match clamps {
                true => Expr::new(ExprKind::Unary(UnaryOp::Clamp, Box::new(side)), span),
                false => side,
            })
        })
    }

    /// Whether a value may be below 0 in any dialect. The expressions of seed 002 are dice,
    /// resources, numbers and arithmetic (3.3); what a function of a library gives, or a field such
    /// as the degrees of a test, is none of them.
    fn keeps_sign(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Paren(inner) => self.keeps_sign(inner),
            ExprKind::Name(name) => self.signed.contains(name),
            ExprKind::Call(function, _) => function.kind.contains('.'),
            ExprKind::Field(..) => true,
            _ => false,
        }
    }
}
