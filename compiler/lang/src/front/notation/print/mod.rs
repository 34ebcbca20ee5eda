//! The printer: a tree as text, with the fewest parentheses, so that it parses back to the same
//! tree in its dialect.
//!
//! [`Faces`] determines how resources and pools are printed: without it, as source text; with a
//! roll's trace, die by die. A shown roll is written in full (`1d20` for `d20`, `1d100` for `d%`),
//! keeps the parentheses that were written, and leaves out keeps and drops that nothing follows,
//! because the dice show them. Source text can be written in full, too.

mod pool;

use super::ast::pool::{Dice, Modifier, ModifierKind};
use super::ast::{Ast, AstKind, BinaryOp, Float};
use super::dialect::Dialect;
use super::page::{Page, Segment};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

/// The parts of a shown roll in addition to its source.
pub trait Faces {
    /// The value of a resource.
    fn resource(&self, name: &ResourceName) -> Option<i64>;
    /// Writes the faces of the dice at `span`.
    fn dice(&self, dice: &Dice, span: Span, page: &mut Page);
    /// Whether the member of a group at the span `member` was dropped.
    fn is_dropped(&self, member: Span) -> bool;
}

/// Prints a tree as source text. Trees are at most as high as
/// [`crate::syntax::SourceLimits::HEIGHT`], which bounds the recursion.
pub fn print(ast: &Ast, dialect: Dialect) -> String {
    source(ast, dialect, false)
}

/// The same with implied counts written and percent dice as `d100`: `1d20` for `d20`, `1d100` for
/// `d%`. The text is another tree of the same meaning.
pub fn print_in_full(ast: &Ast, dialect: Dialect) -> String {
    source(ast, dialect, true)
}

/// Prints a roll: the rule with its dice.
pub fn print_roll(ast: &Ast, dialect: Dialect, faces: &dyn Faces) -> Vec<Segment> {
    write(ast, dialect, Some(faces), true)
}

fn source(ast: &Ast, dialect: Dialect, in_full: bool) -> String {
    let segments = write(ast, dialect, None, in_full);
    segments.into_iter().map(|segment| segment.text).collect()
}

fn write(ast: &Ast, dialect: Dialect, faces: Option<&dyn Faces>, in_full: bool) -> Vec<Segment> {
    let mut printer = Printer {
        dialect,
        faces,
        in_full,
        page: Page::default(),
    };
    printer.node(ast);
    printer.page.into_segments()
}

// How tightly nodes hold together: the parser's table.
const LOOSEST: u8 = 0;
const COMPARISON: u8 = 1;
const SUM: u8 = 2;
const PRODUCT: u8 = 3;
const NEGATION: u8 = 4;
const POWER: u8 = 5;
const POOL: u8 = 6;
/// A call may be before the `d` of dice, but not after it.
const CALL: u8 = 7;
/// The precedence of nodes that never need parentheses.
const TIGHTEST: u8 = 8;

fn tightness_of(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Add | BinaryOp::Sub => SUM,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => PRODUCT,
        BinaryOp::Pow => POWER,
    }
}

/// Whether brackets after this would not be its label: after a resource, and after a modifier that
/// may have a value.
fn takes_brackets(term: &Ast) -> bool {
    let modifiers = match &term.kind {
        AstKind::Resource(_) => return true,
        AstKind::Dice(dice) => &dice.modifiers,
        AstKind::Group(group) => &group.modifiers,
        _ => return false,
    };
    let last = modifiers.last().map(|modifier| &modifier.kind);
    matches!(
        last,
        Some(
            ModifierKind::Select(_, None)
                | ModifierKind::Middle(None)
                | ModifierKind::Critical(None)
                | ModifierKind::Fumble(None)
        )
    )
}

struct Printer<'f> {
    dialect: Dialect,
    /// Absent in source text.
    faces: Option<&'f dyn Faces>,
    /// Whether implied counts are written and percent dice are `d100`.
    in_full: bool,
    page: Page,
}

impl Printer<'_> {
    fn tightness(&self, ast: &Ast) -> u8 {
        match &ast.kind {
            AstKind::Versus(..) => LOOSEST,
            AstKind::Compare(..) => COMPARISON,
            AstKind::Binary(op, ..) => tightness_of(*op),
            AstKind::Negate(_) => NEGATION,
            AstKind::Dice(dice) => self.pool_tightness(&dice.modifiers),
            AstKind::Group(group) => self.pool_tightness(&group.modifiers),
            AstKind::Call(..) => CALL,
            AstKind::Labelled(..) => POOL,
            AstKind::Number(_)
            | AstKind::Float(_)
            | AstKind::Resource(_)
            | AstKind::Hole(_)
            | AstKind::Error => TIGHTEST,
        }
    }

    fn pool_tightness(&self, modifiers: &[Modifier]) -> u8 {
        let counts = modifiers.iter().any(Modifier::is_count);
        match self.dialect {
            Dialect::Notation if counts => LOOSEST,
            Dialect::Notation | Dialect::Rulebook => POOL,
        }
    }

    fn node(&mut self, ast: &Ast) {
        let parens = self.written_parens(ast);
        for _ in 0..parens {
            self.page.push("(");
        }
        self.bare_node(ast);
        for _ in 0..parens {
            self.page.push(")");
        }
    }

    fn bare_node(&mut self, ast: &Ast) {
        match &ast.kind {
            AstKind::Number(value) => self.page.show(value),
            AstKind::Float(value) => self.decimal(*value),
            AstKind::Resource(name) => self.resource(name),
            AstKind::Negate(value) => {
                self.page.push("-");
                self.at(value, NEGATION);
            }
            AstKind::Binary(op, left, right) => self.binary(*op, left, right),
            AstKind::Compare(op, left, right) => {
                self.left_of_comparison(left);
                self.operator(op);
                self.at(right, SUM);
            }
            AstKind::Versus(against, left, right) => {
                self.at(left, SUM);
                self.operator(&against.word());
                self.at(right, SUM);
            }
            AstKind::Call(function, arguments) => {
                self.page.push(function.name());
                self.page.push("(");
                self.list(arguments);
                self.page.push(")");
            }
            AstKind::Dice(dice) => self.dice(dice, ast.span),
            AstKind::Group(group) => self.group(group),
            AstKind::Labelled(label, term) => {
                match takes_brackets(term) {
                    true => self.parenthesised(term),
                    false => self.at(term, POOL),
                }
                self.page.show(format_args!("[{label}]"));
            }
            AstKind::Hole(_) | AstKind::Error => self.page.push("?"),
        }
    }

    /// Prints a node, in parentheses if it binds less tightly than `least`.
    fn at(&mut self, ast: &Ast, least: u8) {
        if self.tightness(ast) >= least {
            self.node(ast);
        } else {
            self.parenthesised(ast);
        }
    }

    fn parenthesised(&mut self, ast: &Ast) {
        if self.written_parens(ast) > 0 {
            return self.node(ast);
        }
        self.page.push("(");
        self.node(ast);
        self.page.push(")");
    }

    /// The number of written parentheses around a node of a shown roll.
    fn written_parens(&self, ast: &Ast) -> u32 {
        match self.faces {
            Some(_) => ast.parens,
            None => 0,
        }
    }

    fn list(&mut self, items: &[Ast]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.page.push(", ");
            }
            self.node(item);
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Ast, right: &Ast) {
        let tightness = tightness_of(op);
        // Operators associate to the left, powers to the right; a sign may follow `**`.
        let (least_left, least_right) = match op {
            BinaryOp::Pow => (tightness + 1, NEGATION),
            _ => (tightness, tightness + 1),
        };
        self.at(left, least_left);
        self.operator(&op);
        self.at(right, least_right);
    }

    fn operator(&mut self, op: &dyn std::fmt::Display) {
        self.page.show(format_args!(" {op} "));
    }

    /// In the notation dialect, a comparison directly after dice counts them, so a check has
    /// parentheses there.
    fn left_of_comparison(&mut self, left: &Ast) {
        if self.dialect == Dialect::Notation && self.ends_in_pool(left, SUM) {
            self.parenthesised(left);
        } else {
            self.at(left, SUM);
        }
    }

    /// Whether the output of [`Printer::at`] ends in a pool or group.
    fn ends_in_pool(&self, mut ast: &Ast, mut least: u8) -> bool {
        loop {
            if self.tightness(ast) < least || self.written_parens(ast) > 0 {
                return false;
            }
            (ast, least) = match &ast.kind {
                AstKind::Dice(_) | AstKind::Group(_) => return true,
                AstKind::Negate(value) => (value, NEGATION),
                AstKind::Binary(BinaryOp::Pow, _, right) => (right, NEGATION),
                AstKind::Binary(op, _, right) => (right, tightness_of(*op) + 1),
                _ => return false,
            };
        }
    }

    /// With a decimal point, so that it reads back as a decimal.
    fn decimal(&mut self, value: Float) {
        let value = value.get();
        let point = if value.fract() == 0.0 { ".0" } else { "" };
        self.page.show(format_args!("{value}{point}"));
    }

    fn resource(&mut self, name: &ResourceName) {
        match self.faces.and_then(|faces| faces.resource(name)) {
            Some(value) => self.page.show(format_args!("[{name}: {value}]")),
            None => self.page.show(format_args!("[{name}]")),
        }
    }
}
