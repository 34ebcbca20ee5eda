//! Sums whose terms have labels.

use super::{binary, expression, node};
use arbitrary::{Result, Unstructured};
use dicec_lang::front::notation::{Ast, AstKind, BinaryOp, Dialect};

const LABELS: [&str; 3] = ["fire", "cold", "magic weapon"];

/// A sum in which some terms have labels, some of these with factors or signs.
pub fn labelled(bytes: &mut Unstructured<'_>, dialect: Dialect) -> Result<Ast> {
    sum(bytes, dialect, 2)
}

fn sum(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let mut sum = term(bytes, dialect, depth)?;
    for _ in 0..bytes.int_in_range(0..=2)? {
        let op = *bytes.choose(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub])?;
        sum = binary(op, sum, term(bytes, dialect, depth)?);
    }
    Ok(sum)
}

fn term(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    Ok(match bytes.int_in_range(0..=7)? {
        0 => expression(bytes, dialect, 1)?,
        1 if depth > 0 => node(AstKind::Negate(Box::new(sum(bytes, dialect, depth - 1)?))),
        2 if depth > 0 => {
            let factor = expression(bytes, dialect, 1)?;
            binary(BinaryOp::Mul, sum(bytes, dialect, depth - 1)?, factor)
        }
        3 if depth > 0 => {
            let factor = expression(bytes, dialect, 1)?;
            binary(BinaryOp::Mul, factor, sum(bytes, dialect, depth - 1)?)
        }
        _ => {
            let label = (*bytes.choose(&LABELS)?).into();
            let term = expression(bytes, dialect, 2)?;
            node(AstKind::Labelled(label, Box::new(term)))
        }
    })
}
