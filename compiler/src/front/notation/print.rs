//! The printer: a tree as text, with the fewest parentheses, so that it parses back to the same tree.
//!
//! What a resource and a pool look like is the [`Faces`]' to say: [`Plain`] gives source text, a roll's trace
//! gives the roll shown die by die.

use super::ast::{Ast, AstKind, BinaryOp};
use dicec_runtime::resource::ResourceName;
use std::fmt::Write;

/// What is written for resources and dice. The printer asks in the order in which a roll evaluates them.
pub trait Faces {
    /// Appends a resource.
    fn resource(&mut self, name: &ResourceName, out: &mut String);
    /// Appends what stands before the `d` of dice without a count.
    fn implied_count(&mut self, out: &mut String);
    /// Appends what follows a pool's sides.
    fn pool(&mut self, out: &mut String);
}

/// Source text: `[Strength]`, `d20`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Faces for Plain {
    fn resource(&mut self, name: &ResourceName, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(out, "[{name}]");
    }

    fn implied_count(&mut self, _out: &mut String) {}

    fn pool(&mut self, _out: &mut String) {}
}

/// Prints a tree. Trees are no higher than [`crate::syntax::SourceLimits::HEIGHT`], which bounds the recursion.
pub fn print(ast: &Ast, faces: &mut impl Faces) -> String {
    let mut out = String::new();
    print_into(ast, faces, &mut out);
    out
}

/// How tightly a node holds together: the parser's table, and [`TIGHTEST`] for what needs no parentheses anywhere.
fn tightness(ast: &Ast) -> u8 {
    match &ast.kind {
        AstKind::Versus(..) => 0,
        AstKind::Compare(..) => 1,
        AstKind::Binary(op, ..) => tightness_of(*op),
        AstKind::Negate(_) => NEGATION,
        AstKind::Dice(..) => NEGATION + 1,
        AstKind::Number(_) | AstKind::Resource(_) | AstKind::Error => TIGHTEST,
    }
}

const SUM: u8 = 2;
const NEGATION: u8 = 4;
const TIGHTEST: u8 = 6;

fn tightness_of(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Add | BinaryOp::Sub => SUM,
        _ => SUM + 1,
    }
}

fn print_into(ast: &Ast, faces: &mut impl Faces, out: &mut String) {
    // Writing to a String cannot fail.
    match &ast.kind {
        AstKind::Number(value) => {
            let _ = write!(out, "{value}");
        }
        AstKind::Resource(name) => faces.resource(name, out),
        AstKind::Negate(value) => {
            out.push('-');
            print_at(value, NEGATION, faces, out);
        }
        AstKind::Binary(op, left, right) => {
            print_at(left, tightness_of(*op), faces, out);
            let _ = write!(out, " {op} ");
            print_at(right, tightness_of(*op) + 1, faces, out);
        }
        AstKind::Compare(op, left, right) => {
            print_at(left, SUM, faces, out);
            let _ = write!(out, " {op} ");
            print_at(right, SUM, faces, out);
        }
        AstKind::Versus(left, right) => {
            print_at(left, SUM, faces, out);
            out.push_str(" vs ");
            print_at(right, SUM, faces, out);
        }
        AstKind::Dice(count, sides) => {
            match count {
                Some(count) => print_at(count, TIGHTEST, faces, out),
                None => faces.implied_count(out),
            }
            out.push('d');
            print_at(sides, TIGHTEST, faces, out);
            faces.pool(out);
        }
        AstKind::Error => out.push('?'),
    }
}

/// Prints a node, in parentheses if it holds together less tightly than `least`.
fn print_at(ast: &Ast, least: u8, faces: &mut impl Faces, out: &mut String) {
    if tightness(ast) >= least {
        print_into(ast, faces, out);
    } else {
        out.push('(');
        print_into(ast, faces, out);
        out.push(')');
    }
}
