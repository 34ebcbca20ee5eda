//! Look-up tables: functions of a number that search for its row.
//!
//! ```text
//! table wound { 1-40: "arm", 41-100: "leg" }
//! require 1 <= n; require n <= 100; if (n <= 40) { return "arm"; } else { return "leg"; }
//! ```
//!
//! The search is a balanced tree, whose leaves become selects if the rows are constants.

use super::body::Body;
use super::make::{Make, Var};
use super::{Lowering, items};
use crate::front::script::ast::{self, Arm, ItemKind, Name, Node};
use crate::hir::{Block, CompareOp, Expr, Function, FunctionId, Local, LocalId, StmtKind, Type};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The maximum number of rows: they are compared and returned one by one.
const MAX_ROWS: usize = 1_000;

/// Whole numbers in a row, and the row that they lead to; none if it is the `else`.
struct Range {
    first: i64,
    last: i64,
    span: Span,
    row: usize,
}

impl Lowering<'_> {
    /// The signatures of all tables.
    pub(super) fn define_tables<'s>(
        &mut self,
        script: &'s ast::Script,
    ) -> Vec<(FunctionId, &'s ast::Table)> {
        let mut tables = Vec::new();
        let definitions = items(script, |item| match item {
            ItemKind::Table(table) => Some(table),
            _ => None,
        });
        for table in definitions {
            let id = FunctionId(self.out.module.functions.len() as u32);
            let number = Local {
                name: "number".to_owned(),
                ty: Type::Int,
                span: table.name.span,
            };
            let result = table.result.as_ref().map(|ty| self.ty(ty));
            self.out.module.functions.push(Function {
                name: table.name.kind.clone(),
                params: 1,
                defaults: vec![None],
                locals: vec![number],
                result: result.unwrap_or_default(),
                body: Vec::new(),
                rolls: false,
                is_table: true,
                span: table.name.span,
            });
            self.define_name("table", &table.name, id);
            tables.push((id, table));
        }
        tables
    }

    /// Writes the body of a table.
    pub(super) fn rows(&mut self, id: FunctionId, table: &ast::Table) {
        let mut body = self.empty_body(id);
        let statements = body.table(table);
        body.finish(statements);
    }
}

impl Body<'_, '_> {
    fn table(&mut self, table: &ast::Table) -> Block {
        let rows = &table.rows.kind;
        let Some(ranges) = self.ranges(table) else {
            // The rows are looked at, so that their mistakes are reported, too.
            let values = rows.iter().map(|row| self.expr(&row.kind.value));
            let values: Vec<Expr> = values.collect();
            return values.into_iter().next().map(returned).unwrap_or_default();
        };
        let number = Var {
            id: LocalId(0),
            span: table.name.span,
        };
        let make = Make(table.name.span);
        let mut statements = Block::new();
        let ends = (ranges.first(), ranges.last());
        if let (Some(Range { first, .. }), Some(Range { last, .. })) = ends {
            if *first > i64::MIN {
                let low = make.int(*first);
                let inside = make.compare(CompareOp::LessEqual, low, make.local(number));
                statements.push(make.require(inside));
            }
            if *last < i64::MAX {
                let high = make.int(*last);
                let inside = make.compare(CompareOp::LessEqual, make.local(number), high);
                statements.push(make.require(inside));
            }
        }
        statements.append(&mut self.search(&ranges, rows, number));
        statements
    }

    /// Returns the row of a number that is in one of these ranges.
    fn search(&mut self, ranges: &[Range], rows: &[Node<Arm<ast::Expr>>], number: Var) -> Block {
        let (left, right) = ranges.split_at(ranges.len() / 2);
        match (left.last(), right.first()) {
            (None, Some(range)) => {
                let value = self.expr(&rows[range.row].kind.value);
                returned(value)
            }
            (Some(range), _) => {
                let make = Make(range.span);
                let last = make.int(range.last);
                let is_left = make.compare(CompareOp::LessEqual, make.local(number), last);
                let yes = self.search(left, rows, number);
                let no = self.search(right, rows, number);
                vec![make.stmt(StmtKind::If(is_left, yes, no))]
            }
            (None, None) => Block::new(),
        }
    }

    /// The ranges of all rows, in order and without gaps; none if something is wrong with them.
    fn ranges(&mut self, table: &ast::Table) -> Option<Vec<Range>> {
        let rows = &table.rows.kind;
        let Some((last, before)) = rows.split_last() else {
            self.no_rows(&table.name);
            return None;
        };
        if let Some(early) = before.iter().find(|row| row.kind.patterns.is_empty()) {
            self.early_else(early);
            return None;
        }
        let mut ranges = Vec::new();
        let mut fits = true;
        for (row, Node { kind, .. }) in rows.iter().enumerate() {
            for pattern in &kind.patterns {
                match self.row_numbers(pattern) {
                    Some((first, last)) => ranges.push(Range {
                        first,
                        last,
                        span: pattern.span,
                        row,
                    }),
                    None => fits = false,
                }
            }
        }
        if ranges.len() > MAX_ROWS {
            self.too_many_rows(&table.name);
            return None;
        }
        ranges.sort_by_key(|range| (range.first, range.last));
        let otherwise = last
            .kind
            .patterns
            .is_empty()
            .then_some((rows.len() - 1, last.span));
        fits &= self.is_whole(table, &ranges, otherwise.is_some());
        if !fits {
            return None;
        }
        Some(match otherwise {
            Some((row, span)) => filled(ranges, row, span),
            None => ranges,
        })
    }

    /// Reports overlaps, and gaps if nothing is for them.
    fn is_whole(&mut self, table: &ast::Table, ranges: &[Range], has_else: bool) -> bool {
        let mut is_whole = true;
        for pair in ranges.windows(2) {
            let [one, next] = pair else { continue };
            if next.first <= one.last {
                self.overlap(one, next);
            } else if next.first - 1 > one.last && !has_else {
                self.gap(table, one, next);
            } else {
                continue;
            }
            is_whole = false;
        }
        is_whole
    }
}

/// The ranges, with the row of the `else` wherever there is none.
fn filled(ranges: Vec<Range>, row: usize, span: Span) -> Vec<Range> {
    let mut filled = Vec::new();
    let mut next = Some(i64::MIN);
    for range in ranges {
        if let Some(first) = next
            && first < range.first
        {
            filled.push(Range {
                first,
                last: range.first - 1,
                span,
                row,
            });
        }
        next = range.last.checked_add(1);
        filled.push(range);
    }
    filled.extend(next.map(|first| Range {
        first,
        last: i64::MAX,
        span,
        row,
    }));
    filled
}

fn returned(value: Expr) -> Block {
    let make = Make(value.span);
    vec![make.stmt(StmtKind::Return(Some(value)))]
}

/// Mistakes.
impl Body<'_, '_> {
    fn no_rows(&mut self, name: &Name) {
        let message = format!("the table `{}` has no rows", name.kind);
        let found = Diagnostic::error(Code::MissingArm, name.span, message);
        let example = format!(
            "write some: `table {} {{ 1-40: \"arm\", 41-100: \"leg\" }}`",
            name.kind
        );
        self.report(found.help(example));
    }

    fn too_many_rows(&mut self, name: &Name) {
        let message = format!("the table `{}` has more than {MAX_ROWS} rows", name.kind);
        let found = Diagnostic::error(Code::TooLargeType, name.span, message);
        self.report(found.help("let rows call other tables"));
    }

    fn overlap(&mut self, one: &Range, next: &Range) {
        let (first, last) = (next.first, next.last.min(one.last));
        let both = numbers(first, last);
        let [this, other] = match one.span.start < next.span.start {
            true => [next, one],
            false => [one, next],
        };
        let message = format!("two rows are for {both}");
        let found = Diagnostic::error(Code::SecondArm, this.span, message);
        let found = found.label(other.span, "the other one");
        self.report(found.help("change their numbers, so that each number has one row"));
    }

    fn gap(&mut self, table: &ast::Table, one: &Range, next: &Range) {
        let missing = numbers(one.last + 1, next.first - 1);
        let message = format!("the table `{}` has no row for {missing}", table.name.kind);
        let found = Diagnostic::error(Code::MissingArm, next.span, message);
        let found = found.label(one.span, "the row before");
        self.report(found.help("add a row, or `else:` for all numbers without one"));
    }
}

/// Whole numbers in a row, as a message writes them.
fn numbers(first: i64, last: i64) -> String {
    match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    }
}
