//! Shows a roll of a script or a compound rule die by die: its annotated source text, its label and
//! its total.

use super::roll::Test;
use super::show::{counted, style};
use dicec_lang::front::notation::{Page, Segment, Style};
use dicec_lang::hir::{
    Die, Expr, ExprKind, Face, Function, FunctionId, Module, Place, Roll, StmtKind, each_stmt,
};
use dicec_lang::interp::{Outcome, RolledDie, Trace, Value};
use dicec_lang::syntax::Sources;
use dicec_runtime::against::{Against, Degrees};
use dicec_runtime::scale::Shortest;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// The purposes of rolls: the variable that a roll is assigned to, or else the function that rolls.
/// Rolls of an entry point that are not assigned have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Purposes(FxHashMap<Span, String>);

impl Purposes {
    /// The purposes of all rolls of a module.
    pub(super) fn of(module: &Module) -> Self {
        let mut purposes = Self::default();
        for (function, id) in module.functions.iter().zip(0..) {
            let is_entry = module
                .rolls
                .iter()
                .any(|roll| roll.function == FunctionId(id));
            let own = (!is_entry).then_some(function.name.as_str());
            each_stmt(&function.body, &mut |stmt| {
                let variable = match &stmt.kind {
                    StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => {
                        variable(function, place)
                    }
                    _ => None,
                };
                stmt.each_expr(&mut |expr| purposes.note(expr, variable.or(own)));
            });
        }
        purposes
    }

    fn note(&mut self, expr: &Expr, purpose: Option<&str>) {
        let Some(purpose) = purpose else {
            return;
        };
        expr.each(&mut |part| {
            if let ExprKind::Roll(_) = part.kind {
                // An enclosing statement comes first, and knows the variable's name.
                let entry = self.0.entry(part.span);
                entry.or_insert_with(|| purpose.to_owned());
            }
        });
    }

    /// The purpose of the roll at a location.
    pub(super) fn get(&self, span: Span) -> Option<&str> {
        self.0.get(&span).map(String::as_str)
    }
}

/// The name of the variable that a place is, if it has a name in the source.
fn variable<'f>(function: &'f Function, place: &Place) -> Option<&'f str> {
    let Place::Local(local) = place else {
        return None;
    };
    let name = function.locals[local.index()].name.as_str();
    (!name.is_empty()).then_some(name)
}

/// A roll in progress, with the context for showing it.
pub(super) struct Site<'s> {
    pub(super) sources: &'s Sources,
    pub(super) module: &'s Module,
    pub(super) resources: &'s [i64],
    pub(super) span: Span,
    pub(super) roll: &'s Roll,
    /// The values of its holes.
    pub(super) holes: &'s [Value],
}

/// A replacement of a part of the source text, or an addition after it.
struct Edit<'s> {
    at: Span,
    with: With<'s>,
}

enum With<'s> {
    Text(String),
    /// The faces of a pool.
    Dice(&'s Pool<'s>),
    /// The faces of a pool, after its number and sides.
    Sizes(&'s Pool<'s>),
    /// The same, and a space: for the implicit d100 of a bare `under`.
    Unwritten(&'s Pool<'s>),
}

/// The dice of a pool.
struct Pool<'s> {
    dice: &'s [RolledDie],
    faces: &'s [Face],
}

impl Site<'_> {
    /// The roll with the dice of its trace, without its result.
    pub(super) fn segments(&self, trace: &Trace) -> Vec<Segment> {
        let mut page = Page::default();
        let pools = self.pools(trace);
        // A joined text shows its parts, not its dice.
        let is_one = !self.slice(self.inside()).contains('"');
        if is_one && pools.iter().all(|(span, _)| self.is_written(*span)) {
            self.written(&pools, &mut page);
        } else {
            by_size(&trace.dice, &mut page);
        }
        page.into_segments()
    }

    /// Whether the text at a location is a dice expression, or a call of `d`, rather than a call of
    /// something that rolls. The d100 of a bare `under` has a location without text.
    fn is_written(&self, span: Span) -> bool {
        let text = self.slice(span);
        let die = text.trim_start_matches(|c: char| c.is_ascii_digit());
        span.start == span.end || die.starts_with(['d', 'D', '(', '[', '{'])
    }

    fn slice(&self, span: Span) -> &str {
        self.sources.text().get(span.range()).unwrap_or_default()
    }

    fn pools<'t>(&'t self, trace: &'t Trace) -> Vec<(Span, Pool<'t>)> {
        let mut faces: FxHashMap<Span, &[Face]> = FxHashMap::default();
        self.roll.body.each(&mut |part| {
            if let ExprKind::Pool(pool) = &part.kind
                && let Die::Faces(listed) = &pool.die
            {
                faces.insert(part.span, listed);
            }
        });
        let pools = trace.pools.iter().map(|pool| {
            let dice = &trace.dice[pool.first..pool.first + pool.count];
            let faces = faces.get(&pool.span).copied().unwrap_or_default();
            (pool.span, Pool { dice, faces })
        });
        pools.collect()
    }

    /// The source text with variables replaced by values, and faces after dice.
    fn written(&self, pools: &[(Span, Pool<'_>)], page: &mut Page) {
        let mut edits: Vec<Edit<'_>> = pools
            .iter()
            .map(|(span, pool)| match self.slice(*span) {
                "" => Edit {
                    at: *span,
                    with: With::Unwritten(pool),
                },
                text if text.starts_with("d(") => Edit {
                    at: *span,
                    with: With::Sizes(pool),
                },
                _ => Edit {
                    at: Span::new(span.end, span.end),
                    with: With::Dice(pool),
                },
            })
            .collect();
        self.roll.body.each(&mut |part| {
            edits.extend(self.value(part).map(|text| Edit {
                at: part.span,
                with: With::Text(text),
            }));
        });
        edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
        let whole = self.inside();
        let mut at = whole.start;
        for edit in edits {
            // Generated code of a built-in function may share a location.
            if edit.at.start < at || edit.at.end > whole.end {
                continue;
            }
            page.push(self.slice(Span::new(at, edit.at.start)));
            match edit.with {
                With::Text(text) => page.push(&text),
                With::Dice(pool) => self.faces(pool, page),
                With::Sizes(pool) => by_size(pool.dice, page),
                With::Unwritten(pool) => {
                    by_size(pool.dice, page);
                    page.push(" ");
                }
            }
            at = edit.at.end;
        }
        page.push(self.slice(Span::new(at, whole.end)));
    }

    /// The rolled part of the source text: inside the parentheses of `roll(...)` and the quotes of
    /// a text.
    fn inside(&self) -> Span {
        let mut span = self.span;
        for (open, close) in [("roll(", ')'), ("\"", '"')] {
            let text = self.slice(span);
            if text.len() > open.len() && text.starts_with(open) && text.ends_with(close) {
                span = Span::new(span.start + open.len() as u32, span.end - 1);
            }
        }
        span
    }

    /// The value of a variable or a resource in the roll.
    fn value(&self, part: &Expr) -> Option<String> {
        match &part.kind {
            ExprKind::Local(local) => {
                let mut holes = self.roll.holes.iter().zip(self.holes);
                let (_, value) = holes.find(|(hole, _)| hole.local == *local)?;
                Some(number(*value))
            }
            ExprKind::Resource(slot) => {
                let name = &self.module.resources.get(slot.index())?.name;
                let value = self.resources.get(slot.index())?;
                Some(format!("[{name}: {value}]"))
            }
            _ => None,
        }
    }

    fn faces(&self, pool: &Pool<'_>, page: &mut Page) {
        page.push("[");
        for (index, die) in pool.dice.iter().enumerate() {
            if index > 0 {
                page.push(", ");
            }
            let place = (die.place as usize).checked_sub(1);
            let face = place.and_then(|place| pool.faces.get(place));
            let label = self
                .roll
                .labels
                .get(usize::try_from(counted(die)).unwrap_or(usize::MAX));
            match (label, face) {
                (Some(label), _) => page.styled(label, style(die.flags)),
                (None, Some(Face::Label(label))) if counted(die) == die.face => {
                    page.styled(label, style(die.flags));
                }
                _ => page.styled(&counted(die).to_string(), style(die.flags)),
            }
        }
        page.push("]");
    }
}

/// Dice that are not written where they are rolled; equal neighbours are grouped: `2d6[3, 4]
/// d8[1]`.
fn by_size(dice: &[RolledDie], page: &mut Page) {
    for (index, pool) in dice
        .chunk_by(|one, other| one.sides == other.sides)
        .enumerate()
    {
        if index > 0 {
            page.push(" + ");
        }
        let count = pool.iter().filter(|die| die.is_kept()).count().max(1);
        let sides = pool.first().map_or(0, |die| die.sides);
        page.push(&match count {
            1 => format!("d{sides}["),
            count => format!("{count}d{sides}["),
        });
        for (index, die) in pool.iter().enumerate() {
            if index > 0 {
                page.push(", ");
            }
            page.styled(&counted(die).to_string(), style(die.flags));
        }
        page.push("]");
    }
    if dice.is_empty() {
        page.push("no dice");
    }
}

/// A value as text.
fn number(value: Value) -> String {
    match value {
        Value::Int(value) | Value::Degree(value) => value.to_string(),
        Value::Float(value) => Shortest(value).to_string(),
        Value::Bool(truth) => truth.to_string(),
    }
}

/// The result of a roll, after an equals sign: for a `vs`, its total and its degree; for an
/// `under`, its total and its degrees.
pub(super) fn result(outcome: &Outcome, roll: &Roll) -> Segment {
    let label = match outcome.value {
        Value::Int(index) => usize::try_from(index).ok(),
        _ => None,
    };
    let label = label.and_then(|index| roll.labels.get(index));
    let shown = match (label, outcome.value) {
        (Some(label), _) => label.clone(),
        (None, Value::Degree(grade)) => {
            let total = outcome.raw.map_or_else(String::new, number);
            match against(&roll.body) {
                Some(Against::Class(ladder)) => format!("{total}, {}", ladder.name(grade)),
                Some(Against::Target(_)) => format!("{total}, {}", Degrees(grade)),
                None => number(outcome.value),
            }
        }
        (None, value) => number(value),
    };
    Segment {
        text: format!(" = {shown}"),
        style: Style::Plain,
    }
}

/// The result of the `under` in a roll, if there is one and it was not dropped.
pub(super) fn test(outcome: &Outcome, roll: &Roll) -> Option<Test> {
    let (Value::Degree(degrees), Some(target)) = (outcome.value, outcome.against) else {
        return None;
    };
    matches!(against(&roll.body), Some(Against::Target(_))).then_some(Test { degrees, target })
}

/// The `vs` or `under` in a roll.
fn against(body: &Expr) -> Option<Against> {
    let mut found = None;
    body.each(&mut |part| {
        if let ExprKind::Versus(against, ..) = part.kind {
            found = Some(against);
        }
    });
    found
}
