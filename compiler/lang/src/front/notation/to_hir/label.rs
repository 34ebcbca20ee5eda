//! A die with labels that is a whole rule: its result is the label, not a number.

use crate::front::notation::ast::pool::{Dice, Die};
use crate::front::notation::ast::{Ast, AstKind};
use crate::hir::{self, CompareOp, Condition, Expr, ExprKind, Face, Marks, Pool, Roll};
use dicec_runtime::span::Span;
use indexmap::IndexSet;

/// The roll of a rule that is one such die; `None` for any other rule. `place` maps spans of the
/// tree to those of the source.
///
/// The faces of the die become indices of [`Roll::labels`], so all later stages roll plain numbers.
pub(super) fn roll(ast: &Ast, place: &dyn Fn(Span) -> Span) -> Option<Roll> {
    let AstKind::Dice(dice) = &ast.kind else {
        return None;
    };
    let faces = labelled_faces(dice)?;
    let mut labels = IndexSet::new();
    let indices = faces.iter().map(|face| {
        let (index, _) = labels.insert_full(face.to_string());
        // At most as many as there are faces.
        Face::Number(index as i64)
    });
    let die = hir::Die::Faces(indices.collect());
    // No index is outstanding.
    let start = Span::new(ast.span.start, ast.span.start);
    let none = vec![Some(Condition {
        op: CompareOp::Less,
        threshold: Expr::new(ExprKind::Int(0), place(start)),
    })];
    let pool = Pool {
        count: Expr::new(ExprKind::Int(1), place(start)),
        die,
        stages: Vec::new(),
        selects: Vec::new(),
        counting: None,
        marks: Marks {
            critical: none.clone(),
            fumble: none,
        },
    };
    Some(Roll {
        holes: Vec::new(),
        body: Expr::new(ExprKind::Pool(Box::new(pool)), place(ast.span)),
        labels: labels.into_iter().collect(),
        cost: 0,
    })
}

/// The faces of a single die with labels and without modifiers.
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
