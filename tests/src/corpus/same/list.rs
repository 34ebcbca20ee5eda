//! Lists, loops over them and values of each element in other words.

use super::{ADDED, Same, is_pure, mentions, name_of};
use crate::corpus::edit::{Edit, before, replace};
use arbitrary::Result;
use dicec_lang::front::script::{AssignOp, Expr, ExprKind, ItemKind, StmtKind};
use dicec_runtime::span::Span;

impl Same<'_, '_> {
    /// `xs` as `[x for x : xs]`, where elements are only read: `sort` would sort the copy.
    pub(super) fn copied_list(&mut self) -> Result<Option<Vec<Edit>>> {
        let list = self.found(|expr| match &expr.kind {
            ExprKind::Gather(name, _) if name.kind.as_str() == "sort" => None,
            ExprKind::Gather(_, each) | ExprKind::ListOf(each)
                if each.last.is_none() && each.parts().all(is_pure) =>
            {
                Some(&each.list)
            }
            ExprKind::Call(name, arguments) if matches!(name.kind.as_str(), "sum" | "len") => {
                arguments.values.first()
            }
            ExprKind::Index(list, index) if is_pure(index) => Some(&**list),
            _ => None,
        })?;
        let name = self.new_name();
        Ok(list.filter(|list| is_pure(list)).map(|list| {
            let written = self.of(list.span);
            vec![replace(
                list.span,
                format!("[{name} for {name} : {written}]"),
            )]
        }))
    }

    /// `t += sum(e for x : xs if c);` as a loop, and the same of `count`, `any`, `all` and lists.
    pub(super) fn comprehension_as_loop(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::Assign(target, op, value) if is_pure(target) && is_pure(value) => {
                match &value.kind {
                    ExprKind::Gather(..) | ExprKind::ListOf(_) => Some((span, target, *op, value)),
                    _ => None,
                }
            }
            _ => None,
        })?;
        let Some((span, target, op, value)) = found else {
            return Ok(None);
        };
        let (each, kind) = match &value.kind {
            ExprKind::Gather(name, each) => (each, name.kind.as_str()),
            ExprKind::ListOf(each) => (each, ""),
            _ => return Ok(None),
        };
        let (all, part) = (self.new_name(), self.of(each.value.span));
        let (begins, act) = match kind {
            _ if each.key.is_some() => return Ok(None),
            "" => ("[]", format!("append({all}, {part});")),
            "sum" => ("0", format!("{all} += {part};")),
            "count" => ("0", format!("if ({part}) {{ {all}++; }}")),
            "any" => ("false", format!("if ({part}) {{ {all} = true; break; }}")),
            "all" => (
                "true",
                format!("if (!({part})) {{ {all} = false; break; }}"),
            ),
            _ => return Ok(None),
        };
        let act = match &each.filter {
            Some(filter) => format!("if ({}) {{ {act} }}", self.of(filter.span)),
            None => act,
        };
        let list = self.of(each.list.span);
        let over = match &each.last {
            Some(last) => format!("{list}..{}", self.of(last.span)),
            None => list.to_owned(),
        };
        let (name, target) = (&each.name.kind, self.of(target.span));
        let new =
            format!("{all} = {begins}; for ({name} : {over}) {{ {act} }} {target} {op} {all};");
        Ok(Some(vec![replace(span, new)]))
    }

    /// `for (x : xs) { if (c) { t += e; } }` as `t += sum(e for x : xs if c);`
    pub(super) fn loop_as_comprehension(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::For(name, list, block) => {
                let [only] = &block.kind[..] else { return None };
                let (filter, only) = match &only.kind {
                    StmtKind::If(arms, None) => match &arms[..] {
                        [(condition, inner)] if inner.kind.len() == 1 => {
                            (Some(condition), &inner.kind[0].kind)
                        }
                        _ => return None,
                    },
                    other => (None, other),
                };
                let StmtKind::Assign(target, AssignOp::Add, value) = only else {
                    return None;
                };
                let total = name_of(target)?;
                let mut read = filter.into_iter().chain([value, list]);
                read.all(|expr| is_pure(expr) && !mentions(expr, total))
                    .then_some((span, name, list, filter, total, value))
            }
            _ => None,
        })?;
        Ok(found.map(|(span, name, list, filter, total, value)| {
            let filter = filter.map(|filter| format!(" if {}", self.of(filter.span)));
            let (value, list) = (self.of(value.span), self.of(list.span));
            let new = format!(
                "{total} += sum({value} for {} : {list}{});",
                name.kind,
                filter.unwrap_or_default()
            );
            vec![replace(span, new)]
        }))
    }

    /// `for (x : xs) { ... }` as a loop over indices, if the list is not touched in it.
    pub(super) fn loop_over_indices(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|_, stmt| match stmt {
            StmtKind::For(name, list, block) => Some((name, list, block)),
            _ => None,
        })?;
        let Some((name, list, block)) = found else {
            return Ok(None);
        };
        let (one, written) = (name.kind.as_str(), self.of(list.span));
        let inside = self.of(block.span);
        let is_touched =
            name_of(list).is_none() || inside.contains(written) || inside.contains('(');
        // An assignment to a name that is there before the loop would not make a new variable.
        if is_touched || self.assigned().contains(&one) || self.params().contains(&one) {
            return Ok(None);
        }
        let index = self.new_name();
        let open = block.span.range().start;
        let head = (
            name.span.range().start..list.span.range().end,
            format!("{index} : 0..len({written}) - 1"),
        );
        let first = (open + 1..open + 1, format!(" {one} = {written}[{index}];"));
        Ok(Some(vec![head, first]))
    }

    /// A statistic that observes the order of a list, before the roll returns.
    pub(super) fn added_statistic(&mut self) -> Result<Option<Vec<Edit>>> {
        if !matches!(self.place.item.kind, ItemKind::Roll(_)) {
            return Ok(None);
        }
        let Some(at) = self.found_stmt(|span, _| Some(span))? else {
            return Ok(None);
        };
        let names: Vec<&str> = self.place.names();
        let Some(list) = self.one(names)? else {
            return Ok(None);
        };
        let index = self.new_name();
        let value = match self.bytes.int_in_range(0..=2)? {
            0 => format!("(len({list}) > 0 ? {list}[0] : 0)"),
            1 => format!("(len({list}) > 0 ? {list}[len({list}) - 1] : 0)"),
            _ => format!("sum({list}[{index}] * ({index} + 1) for {index} : 0..len({list}) - 1)"),
        };
        Ok(Some(vec![before(
            at,
            format!("stat(\"{ADDED}\", {value}); "),
        )]))
    }

    /// `sum(xs)` as `sum(x for x : xs)`, and the same of `min`, `max`, `count` and `sorted`.
    pub(super) fn sum_of_each(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found(|expr| match &expr.kind {
            ExprKind::Call(name, arguments)
                if matches!(
                    name.kind.as_str(),
                    "sum" | "min" | "max" | "count" | "any" | "all"
                ) && arguments.values.len() == 1 =>
            {
                arguments.values.first()
            }
            _ => None,
        })?;
        let name = self.new_name();
        Ok(found.map(|list: &Expr| {
            let written = self.of(list.span);
            vec![replace(list.span, format!("{name} for {name} : {written}"))]
        }))
    }

    /// `for (i : 1..n) { ... }` that does not read `i` as `repeat (n) { ... }`, and back.
    pub(super) fn for_as_repeat(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|_, stmt| match stmt {
            StmtKind::Repeat(count, block) => Some((None, count, block)),
            StmtKind::Count(name, bounds, block) if bounds[0].kind == ExprKind::Int(1) => {
                Some((Some(name), &bounds[1], block))
            }
            _ => None,
        })?;
        let Some((name, count, block)) = found else {
            return Ok(None);
        };
        let number = self.of(count.span);
        let (open, close) = (block.span.range().start, count.span.range().end);
        let head =
            |start: usize, new: String| vec![(start..close, new), (close..open, ") ".to_owned())];
        Ok(match name {
            None => {
                let start = self.text[..count.span.range().start].rfind("repeat");
                start.map(|start| head(start, format!("for ({} : 1..{number}", self.new_name())))
            }
            Some(name) => {
                let is_read = self.of(block.span).contains(name.kind.as_str());
                let start = self.text[..name.span.range().start].rfind("for");
                let start = start.filter(|_| !is_read);
                start.map(|start| head(start, format!("repeat ({number}")))
            }
        })
    }

    /// A value that is assigned gets a name first: `t += e;` as `v = e; t += v;`.
    pub(super) fn named_value(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::Assign(target, op, value) if name_of(target).is_some() => {
                Some((span, target, *op, value))
            }
            _ => None,
        })?;
        let name = self.new_name();
        Ok(found.map(
            |(span, target, op, value): (Span, &Expr, AssignOp, &Expr)| {
                let (target, value) = (self.of(target.span), self.of(value.span));
                vec![replace(
                    span,
                    format!("{name} = {value}; {target} {op} {name};"),
                )]
            },
        ))
    }
}
