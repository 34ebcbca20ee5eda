//! Changes of a script: constants, operators, directions, copies of lists, statements and calls.
//! Most of them change its odds, and all of them are programs that somebody may write.

use super::edit::{Edit, after, before, replace};
use super::same;
use super::site::{Place, places};
use arbitrary::{Result, Unstructured};
use dicec_lang::front::script::{
    AssignOp, BinaryOp, Expr, ExprKind, Script, Stmt, StmtKind, parse,
};
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::span::Span;

/// One change.
///
/// # Errors
/// Never for lack of bytes.
pub(super) fn edits(text: &str, bytes: &mut Unstructured<'_>) -> Result<Vec<Edit>> {
    let script = parse(text, SourceLimits::default()).script;
    let places = places(&script);
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let place = bytes.choose(&places)?;
    let mut change = Change {
        text,
        script: &script,
        place,
        bytes,
    };
    Ok(change.any()?.unwrap_or_default())
}

/// What a change is made of.
struct Change<'c, 'u> {
    text: &'c str,
    script: &'c Script,
    place: &'c Place<'c>,
    bytes: &'c mut Unstructured<'u>,
}

/// Values with dice that libraries give, and the libraries.
const CALLS: [(&str, &str); 16] = [
    ("keepHighest(rollDice(3, 3), 2)", "pools"),
    ("keepLowest(rollDice(3, 2), 1)", "pools"),
    ("countAtLeast(rollDice(3, 3), 2)", "pools"),
    ("countEqual(rollDice(2, 3), roll(d2))", "pools"),
    ("pools.sorted(rollDice(2, 3))[0]", "pools"),
    ("pools.sorted([roll(d2), roll(d3), 2])[1]", "pools"),
    ("rollDice(2, 3)[roll(d2) - 1]", "pools"),
    ("dnd.weaponDamage(1, 3, 1, roll(d2) == 1)", "dnd"),
    ("dnd.damageTaken(roll(d4), roll(d2) == 1)", "dnd"),
    ("dnd.halfOnSave(roll(2d3), roll(d2) == 2)", "dnd"),
    ("dnd.abilityModifier(roll(d4) + 9)", "dnd"),
    (
        "pathfinder.basicSave(roll(d4), roll(d4) vs 2)",
        "pathfinder",
    ),
    ("pathfinder.successes(roll(d3) vs 2)", "pathfinder"),
    ("percentile.margin(roll(d4), 2)", "percentile"),
    ("dh2e.wounds(roll(d4) + 3, 2, 1, 1)", "dh2e"),
    ("dh2e.damageDice(2, 3, [])", "dh2e"),
];

/// Statements about a list and a number.
const STATEMENTS: [&str; 16] = [
    "append(LIST, NUMBER);",
    "append(LIST, roll(d3));",
    "if (NUMBER > 1) { append(LIST, 2); }",
    "for (zz : [1, 2]) { if (NUMBER > zz) { append(LIST, NUMBER); } }",
    "sort(LIST);",
    "sort(zz by zz descending for zz : LIST);",
    "insert(LIST, 0, NUMBER);",
    "if (len(LIST) > 0) { NUMBER += pop(LIST); }",
    "if (len(LIST) > 0) { NUMBER += LIST[0]; }",
    "if (len(LIST) > 0) { NUMBER = NUMBER * 3 + LIST[len(LIST) - 1]; }",
    "NUMBER += sum(LIST[zz] for zz : 0..min(1, len(LIST)) - 1);",
    "NUMBER += sum(zz for zz : LIST if zz > 1);",
    "for (zz : LIST) { NUMBER = max(NUMBER, zz); }",
    "LIST = sorted(zz by zz descending for zz : LIST);",
    "LIST = [zz for zz : LIST if zz != NUMBER];",
    "LIST = LIST + [NUMBER, roll(d2)];",
];

impl<'c> Change<'c, '_> {
    fn any(&mut self) -> Result<Option<Vec<Edit>>> {
        match self.bytes.int_in_range(0..=19)? {
            0 | 1 => self.number(),
            2..=4 => self.operator(),
            5 | 6 => self.direction(),
            7 | 8 => self.list_copy(),
            9 => self.other_expression(),
            10 | 11 => self.statement_moved(),
            12..=14 => self.new_statement(),
            15 => self.call(),
            16 => self.aggregate(),
            17 => self.result(),
            _ => Ok(Some(same::random(self.text, self.script, self.bytes)?)),
        }
    }

    /// An expression of those that pass.
    fn expr(&mut self, passes: impl Fn(&Expr) -> bool) -> Result<Option<&'c Expr>> {
        let exprs = self.place.exprs.iter().copied();
        let exprs: Vec<&Expr> = exprs.filter(|expr| passes(expr)).collect();
        match exprs.is_empty() {
            true => Ok(None),
            false => Ok(Some(*self.bytes.choose(&exprs)?)),
        }
    }

    fn stmt(&mut self) -> Result<Option<&'c Stmt>> {
        match self.place.stmts.is_empty() {
            true => Ok(None),
            false => Ok(Some(*self.bytes.choose(&self.place.stmts)?)),
        }
    }

    fn of(&self, span: Span) -> &'c str {
        &self.text[span.range()]
    }

    fn number(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(expr) = self.expr(|expr| matches!(expr.kind, ExprKind::Int(_)))? else {
            return Ok(None);
        };
        let ExprKind::Int(old) = expr.kind else {
            return Ok(None);
        };
        let new = match self.bytes.int_in_range(0..=4)? {
            0 => old.saturating_add(1),
            1 => old.saturating_sub(1).max(0),
            _ => self.bytes.int_in_range(0..=3)?,
        };
        Ok(Some(vec![replace(expr.span, new.to_string())]))
    }

    fn operator(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(expr) = self.expr(|expr| matches!(expr.kind, ExprKind::Binary(..)))? else {
            return self.assignment();
        };
        let ExprKind::Binary(op, left, right) = &expr.kind else {
            return Ok(None);
        };
        let others: &[&str] = match op {
            BinaryOp::Or | BinaryOp::And => &["&&", "||"],
            BinaryOp::Compare(CompareOp::Equal | CompareOp::NotEqual) => &["==", "!="],
            BinaryOp::Compare(_) => &["<", "<=", ">", ">=", "==", "!="],
            BinaryOp::Versus(_) => return Ok(None),
            _ => &["+", "-", "*", "%", "/"],
        };
        let new = format!(" {} ", self.bytes.choose(others)?);
        let between = left.span.range().end..right.span.range().start;
        Ok(Some(vec![(between, new)]))
    }

    /// `+=` as `-=` and the like.
    fn assignment(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(stmt) = self.stmt()? else {
            return Ok(None);
        };
        let StmtKind::Assign(target, op, value) = &stmt.kind else {
            return Ok(None);
        };
        if *op == AssignOp::Set {
            return Ok(None);
        }
        let new = *self.bytes.choose(&[" = ", " += ", " -= ", " *= "])?;
        let between = target.span.range().end..value.span.range().start;
        Ok(Some(vec![(between, new.to_owned())]))
    }

    /// Sorts the other way round.
    fn direction(&mut self) -> Result<Option<Vec<Edit>>> {
        let is_sort = |expr: &Expr| match &expr.kind {
            ExprKind::Gather(_, each) => each.key.is_some(),
            ExprKind::Call(name, arguments) => {
                matches!(name.kind.as_str(), "sorted" | "sort") && arguments.values.len() == 1
            }
            _ => false,
        };
        let Some(expr) = self.expr(is_sort)? else {
            return Ok(None);
        };
        Ok(match &expr.kind {
            ExprKind::Gather(_, each) => each.key.as_ref().map(|key| {
                let end = key.value.span.range().end;
                match self.text[end..].trim_start().starts_with("descending") {
                    true => {
                        let length = self.text[end..].find("descending").unwrap_or(0) + 10;
                        vec![(end..end + length, String::new())]
                    }
                    false => vec![after(key.value.span, " descending")],
                }
            }),
            ExprKind::Call(_, arguments) => arguments.values.first().map(|list| {
                let written = self.of(list.span);
                vec![replace(
                    list.span,
                    format!("zs by zs descending for zs : {written}"),
                )]
            }),
            _ => None,
        })
    }

    /// A list as another one of it.
    fn list_copy(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(expr) = self.expr(|expr| matches!(expr.kind, ExprKind::Name(_)))? else {
            return Ok(None);
        };
        let name = self.of(expr.span);
        let new = match self.bytes.int_in_range(0..=5)? {
            0 => format!("[zc for zc : {name}]"),
            1 => format!("sorted({name})"),
            2 => format!("sorted(zc by zc descending for zc : {name})"),
            3 => format!("{name}[0..len({name}) - 1]"),
            4 => format!("({name} + {name})"),
            _ => format!("[zc for zc : {name} if zc != 2]"),
        };
        Ok(Some(vec![replace(expr.span, new)]))
    }

    /// One expression in the place of another one.
    fn other_expression(&mut self) -> Result<Option<Vec<Edit>>> {
        let is_value = |expr: &Expr| !matches!(expr.kind, ExprKind::Dice(_) | ExprKind::Range(_));
        let (Some(old), Some(new)) = (self.expr(is_value)?, self.expr(is_value)?) else {
            return Ok(None);
        };
        Ok(Some(vec![replace(
            old.span,
            format!("({})", self.of(new.span)),
        )]))
    }

    /// A statement is left out, repeated, or put under a condition or into a loop.
    fn statement_moved(&mut self) -> Result<Option<Vec<Edit>>> {
        let (Some(one), Some(other)) = (self.stmt()?, self.stmt()?) else {
            return Ok(None);
        };
        let span = one.span;
        Ok(Some(match self.bytes.int_in_range(0..=5)? {
            0 => vec![replace(span, "")],
            1 => vec![after(span, format!(" {}", self.of(span)))],
            2 => vec![before(span, "if (roll(d2) == 1) { "), after(span, " }")],
            3 => vec![before(span, "repeat (2) { "), after(span, " }")],
            4 => vec![
                before(span, "for (zr : [1, 2]) { if (roll(d3) > zr) { "),
                after(span, " } }"),
            ],
            _ => vec![
                replace(span, self.of(other.span)),
                replace(other.span, self.of(span)),
            ],
        }))
    }

    /// A new statement about variables that are there.
    fn new_statement(&mut self) -> Result<Option<Vec<Edit>>> {
        let names = self.place.names();
        let Some(stmt) = self.stmt()? else {
            return Ok(None);
        };
        if names.is_empty() {
            return Ok(None);
        }
        // Names of lists are those that are used as lists.
        let lists: Vec<&str> = self
            .place
            .exprs
            .iter()
            .filter_map(|expr| used_as_list(expr))
            .collect();
        let list = match lists.is_empty() {
            true => *self.bytes.choose(&names)?,
            false => *self.bytes.choose(&lists)?,
        };
        let number = *self.bytes.choose(&names)?;
        let template = *self.bytes.choose(&STATEMENTS)?;
        let new = template.replace("LIST", list).replace("NUMBER", number);
        Ok(Some(match self.bytes.arbitrary()? {
            true => vec![before(stmt.span, format!("{new} "))],
            false => vec![after(stmt.span, format!(" {new}"))],
        }))
    }

    /// A call of a library with dice, in the place of a number.
    fn call(&mut self) -> Result<Option<Vec<Edit>>> {
        let is_number = |expr: &Expr| {
            matches!(
                expr.kind,
                ExprKind::Int(_) | ExprKind::Call(..) | ExprKind::Name(_)
            )
        };
        let Some(expr) = self.expr(is_number)? else {
            return Ok(None);
        };
        let (call, library) = *self.bytes.choose(&CALLS)?;
        let import = format!("import std.{library};");
        let mut edits = vec![replace(expr.span, call)];
        if !self.text.contains(&import) {
            edits.push((0..0, format!("{import}\n")));
        }
        Ok(Some(edits))
    }

    /// `sum` as `max` and the like.
    fn aggregate(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(expr) = self.expr(|expr| matches!(expr.kind, ExprKind::Gather(..)))? else {
            return Ok(None);
        };
        let ExprKind::Gather(name, _) = &expr.kind else {
            return Ok(None);
        };
        let others: &[&str] = match name.kind.as_str() {
            "any" | "all" | "count" => &["any", "all", "count"],
            "least" | "most" | "sorted" => &["least", "most"],
            _ => &["sum", "max", "min"],
        };
        let new = *self.bytes.choose(others)?;
        Ok(Some(vec![replace(name.span, new)]))
    }

    /// Another kind of result.
    fn result(&mut self) -> Result<Option<Vec<Edit>>> {
        let stmts = self.place.stmts.iter();
        let values = stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::Return(Some(value)) => Some(value),
            _ => None,
        });
        let values: Vec<&Expr> = values.collect();
        if values.is_empty() {
            return Ok(None);
        }
        let form = self.bytes.int_in_range(0..=3)?;
        let edits = values.iter().map(|value| {
            let old = self.of(value.span);
            let new = match form {
                0 => format!("({old}) > 1"),
                1 => format!("match ({old}) {{ ..1: failure, 2: success, else: criticalSuccess }}"),
                2 => format!("({old}) * 2 + 1"),
                _ => format!("(({old}) ? 3 : roll(d2))"),
            };
            replace(value.span, new)
        });
        Ok(Some(edits.collect()))
    }
}

/// The name that an expression uses as a list.
fn used_as_list(expr: &Expr) -> Option<&str> {
    let list = match &expr.kind {
        ExprKind::Index(list, _) => list,
        ExprKind::Gather(_, each) | ExprKind::ListOf(each) => &each.list,
        ExprKind::Call(called, arguments)
            if matches!(
                called.kind.as_str(),
                "len" | "append" | "sort" | "sum" | "pop"
            ) =>
        {
            arguments.values.first()?
        }
        _ => return None,
    };
    match &list.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}
