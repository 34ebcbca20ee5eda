//! Checks that each `match` has exactly one arm for each value.

use super::bounds;
use super::named::not_of_type;
use crate::hir::{Case, CaseKind, Match, Module, Type};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;

/// At most this many missing values are listed.
const MAX_LISTED: usize = 5;

/// Refuses values without an arm, or with two.
pub(super) fn check(script: &Module, found: &mut Diagnostics) {
    for choice in &script.matches {
        let local = &script.function(choice.function).locals[choice.subject.index()];
        let judge = Judge {
            script,
            choice,
            ty: &local.ty,
        };
        judge.run(found);
    }
}

struct Judge<'s> {
    script: &'s Module,
    choice: &'s Match,
    /// The type of the value.
    ty: &'s Type,
}

impl Judge<'_> {
    fn run(&self, found: &mut Diagnostics) {
        let names: Vec<String> = match self.ty {
            Type::Enum(id) => self.script.choice(*id).constants.to_vec(),
            Type::Degree(ladder) => ladder.words().map(str::to_owned).collect(),
            Type::Bool => vec!["true".to_owned(), "false".to_owned()],
            Type::Int => {
                self.strangers(&[], found);
                return self.numbers(found);
            }
            Type::Text => {
                self.strangers(&[], found);
                return self.texts(found);
            }
            // It was reported.
            Type::Unknown => return,
            _ => {
                found.push(self.not_matched());
                return;
            }
        };
        if self.strangers(&names, found) {
            self.listed(&names, found);
        }
    }

    /// Reports the cases of the last arm that are of another type or name: the others are compared,
    /// and reported there. Whether there are none in all arms.
    fn strangers(&self, names: &[String], found: &mut Diagnostics) -> bool {
        let mut all_fit = true;
        for case in &self.choice.cases {
            let fits = match (&case.kind, self.ty) {
                (CaseKind::Named(name), Type::Enum(_) | Type::Degree(_)) => names.contains(name),
                (CaseKind::Truth(_), Type::Bool)
                | (CaseKind::Whole(..), Type::Int)
                | (CaseKind::Text(_), Type::Text) => true,
                _ => false,
            };
            all_fit &= fits;
            if fits || case.is_compared {
                continue;
            }
            found.push(match &case.kind {
                CaseKind::Named(name) => not_of_type(self.script, name, case.span, self.ty),
                _ => self.other_type(case),
            });
        }
        all_fit
    }

    /// Values that have names.
    fn listed(&self, names: &[String], found: &mut Diagnostics) {
        let mut missing = Vec::new();
        for name in names {
            let has_arm = self.choice.cases.iter().any(|case| case.name() == *name);
            if !has_arm && self.choice.otherwise.is_none() {
                missing.push(format!("`{name}`"));
            }
        }
        self.doubled(|a, b| a.kind == b.kind, found);
        if !missing.is_empty() {
            found.push(self.missing(&missing));
        }
        let arms = |name: &String| self.choice.cases.iter().any(|case| case.name() == *name);
        if let Some(otherwise) = self.choice.otherwise
            && names.iter().all(arms)
        {
            found.push(self.needless(otherwise));
        }
    }

    fn texts(&self, found: &mut Diagnostics) {
        self.doubled(|a, b| a.kind == b.kind, found);
        if self.choice.otherwise.is_none() {
            found.push(self.missing(&["other texts".to_owned()]));
        }
    }

    fn numbers(&self, found: &mut Diagnostics) {
        self.doubled(Case::overlaps, found);
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for case in &self.choice.cases {
            if let CaseKind::Whole(first, last) = case.kind {
                ranges.push((first, last));
            }
        }
        ranges.sort_unstable();
        let gaps = gaps(&ranges);
        match self.choice.otherwise {
            None if !gaps.is_empty() => {
                let function = self.script.function(self.choice.function);
                let bounds = bounds::of_local(function, self.choice.subject);
                let missing = gaps.iter().filter_map(|gap| possible(*gap, bounds));
                let missing: Vec<String> = missing.map(shown).collect();
                if !missing.is_empty() {
                    found.push(self.missing(&missing));
                }
            }
            Some(otherwise) if gaps.is_empty() => found.push(self.needless(otherwise)),
            _ => {}
        }
    }

    /// Reports each case that an earlier one is for as well.
    fn doubled(&self, same: impl Fn(&Case, &Case) -> bool, found: &mut Diagnostics) {
        for (place, case) in self.choice.cases.iter().enumerate() {
            let mut before = self.choice.cases[..place].iter();
            if let Some(first) = before.find(|before| same(before, case)) {
                found.push(second(first, case));
            }
        }
    }
}

impl Case {
    /// Its name if it is a constant or a truth value.
    fn name(&self) -> &str {
        match &self.kind {
            CaseKind::Named(name) => name,
            CaseKind::Truth(true) => "true",
            CaseKind::Truth(false) => "false",
            CaseKind::Whole(..) | CaseKind::Text(_) => "",
        }
    }

    /// Whether some whole number is one of both.
    fn overlaps(&self, other: &Case) -> bool {
        match (&self.kind, &other.kind) {
            (CaseKind::Whole(a, b), CaseKind::Whole(c, d)) => a <= d && c <= b,
            _ => false,
        }
    }
}

/// The whole numbers that are in none of these ranges, which are sorted.
fn gaps(ranges: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut gaps = Vec::new();
    let mut next = Some(i64::MIN);
    for (first, last) in ranges {
        if let Some(from) = next
            && from < *first
        {
            gaps.push((from, first - 1));
        }
        next = next.and_then(|next| Some(next.max(last.checked_add(1)?)));
    }
    gaps.extend(next.map(|from| (from, i64::MAX)));
    gaps
}

/// The part of a gap that is within bounds, if they are known.
fn possible((first, last): (i64, i64), bounds: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (least, greatest) = bounds.unwrap_or((i64::MIN, i64::MAX));
    let gap = (first.max(least), last.min(greatest));
    (gap.0 <= gap.1).then_some(gap)
}

/// Numbers as a message lists them.
fn shown((first, last): (i64, i64)) -> String {
    match (first, last) {
        (i64::MIN, i64::MAX) => "numbers".to_owned(),
        (i64::MIN, last) => format!("numbers up to {last}"),
        (first, i64::MAX) => format!("numbers from {first} on"),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    }
}

/// Messages.
impl Judge<'_> {
    fn missing(&self, values: &[String]) -> Diagnostic {
        let mut listed = values.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>();
        if values.len() > MAX_LISTED {
            listed.push(format!("{} more", values.len() - MAX_LISTED));
        }
        let message = format!("this `match` has no arm for {}", worded(&listed));
        let found = Diagnostic::error(Code::MissingArm, self.choice.span, message);
        found.help("add an arm for each, or an `else:` for the rest")
    }

    fn needless(&self, otherwise: Span) -> Diagnostic {
        let message = "every value has an arm, so `else` is never reached";
        let found = Diagnostic::error(Code::Unreachable, otherwise, message);
        found.help("remove it")
    }

    fn other_type(&self, case: &Case) -> Diagnostic {
        let ty = self.script.words(self.ty);
        let message = format!("what is matched is {ty}, and this is something else");
        let found = Diagnostic::error(Code::WrongType, case.span, message);
        found.help("write values of its type, or `else`")
    }

    fn not_matched(&self) -> Diagnostic {
        let ty = self.script.words(self.ty);
        let message = format!("{ty} cannot be matched");
        let found = Diagnostic::error(Code::WrongType, self.choice.span, message);
        found.help("match a constant of an enum, a degree, a whole number, a text or a truth value")
    }
}

fn second(first: &Case, case: &Case) -> Diagnostic {
    let message = match (&first.kind, &case.kind) {
        (CaseKind::Whole(a, b), CaseKind::Whole(c, d)) => {
            let both = shown((*a.max(c), *b.min(d)));
            format!("there is an arm for {both} already")
        }
        (_, CaseKind::Text(text)) => format!("there is an arm for {text:?} already"),
        _ => format!("there is an arm for `{}` already", case.name()),
    };
    let found = Diagnostic::error(Code::SecondArm, case.span, message);
    found
        .label(first.span, "the first one")
        .help("remove one of them")
}

/// `a`, `a and b`, `a, b and c`
fn worded(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
