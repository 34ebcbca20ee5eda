//! A die with labels that is a whole rule: its result is the label that comes up, not a number.

use super::node;
use crate::front::notation::ast::{Ast, AstKind};
use crate::front::notation::pool::{Dice, Die};
use crate::hir::{self, CompareOp, ExprKind, Face, Marks, Pool, Program};
use dicec_runtime::span::Span;
use indexmap::IndexSet;

/// The program of a rule that is one such die; none for any other rule.
///
/// The faces of the die become the labels' places in [`Program::labels`], so everything below rolls plain numbers.
pub(super) fn program(ast: &Ast) -> Option<Program> {
    let AstKind::Dice(dice) = &ast.kind else {
        return None;
    };
    let faces = labelled_faces(dice)?;
    let mut labels = IndexSet::new();
    let places = faces.iter().map(|face| {
        let (place, _) = labels.insert_full(face.to_string());
        // At most as many as there are faces.
        Face::Number(place as i64)
    });
    let die = hir::Die::Faces(places.collect());
    // No place among them is outstanding.
    let none = vec![(CompareOp::Less, 0)];
    let start = Span::new(ast.span.start, ast.span.start);
    let pool = Pool {
        count: node(ExprKind::Int(1), start),
        die,
        stages: Vec::new(),
        selects: Vec::new(),
        counting: None,
        marks: Marks {
            critical: none.clone(),
            fumble: none,
        },
    };
    let body = node(ExprKind::Pool(Box::new(pool)), ast.span);
    Some(Program {
        labels: labels.into_iter().collect(),
        ..Program::new(Vec::new(), body)
    })
}

/// The faces of a single die that has labels, to which nothing is done.
fn labelled_faces(dice: &Dice) -> Option<&[Face]> {
    let single = match &dice.count {
        None => true,
        Some(count) => count.kind == AstKind::Number(1),
    };
    let Die::Faces(faces) = &dice.die else {
        return None;
    };
    let has_label = faces.iter().any(|face| matches!(face, Face::Label(_)));
    (single && has_label && dice.modifiers.is_empty()).then_some(faces)
}
