//! Ranges of values whose dice are written as numbers: a `match` on `1d100` needs no arm for 101.
//! Bounds are never too narrow; most values have none.

use super::constant::constant;
use crate::hir::{
    ArithOp, Die, Expr, ExprKind, Face, Function, LocalId, Math, Module, Place, Pool, Select,
    Stage, StmtKind, each_stmt,
};
use crate::syntax::{Advice, Code, Diagnostic};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pool::Selector;

/// The maximum number of variables that are followed.
const MAX_STEPS: u32 = 8;

/// The least and the greatest number, both included.
type Range = (i64, i64);

/// The bounds of a variable that is assigned once.
pub(super) fn of_local(function: &Function, local: LocalId) -> Option<Range> {
    let values = Values {
        function: Some(function),
        resources: &[],
        steps: MAX_STEPS,
    };
    values.local(local)
}

/// Whether a number in the body of a roll may be below the bound of its clamp, with these values of
/// the resources.
pub fn clamps(body: &Expr, resources: &[i64]) -> bool {
    let values = Values {
        function: None,
        resources,
        steps: 0,
    };
    let mut any = false;
    body.each(&mut |part| {
        if let ExprKind::AtLeast(bound, value) = &part.kind {
            any |= values.value(value).is_none_or(|(least, _)| least < *bound);
        }
    });
    any
}

/// A note on a rule whose result is the same whatever its dice show.
pub fn certain(rule: &Module) -> Option<Diagnostic> {
    let body = &rule.rule()?.body;
    let values = Values {
        function: None,
        resources: &[],
        steps: 0,
    };
    let mut rolls = false;
    body.each(&mut |part| rolls |= matches!(part.kind, ExprKind::Pool(_)));
    if !rolls {
        return None;
    }
    let note = |message: String| Diagnostic::note(Code::Idle, body.span, message);
    if let ExprKind::Compare(op, left, right) = &body.kind {
        let (left, right) = (values.value(left)?, values.value(right)?);
        let of_ends = corners(left, right, |a, b| Some(op.holds(a.cmp(&b)).into()))?;
        // Equal numbers may be between the ends.
        let overlap = left.0 <= right.1 && right.0 <= left.1;
        let open = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let is_certain = of_ends.0 == of_ends.1 && !(open && overlap && left.0 != left.1);
        let is_certain = is_certain && !(open && overlap && right.0 != right.1);
        let truth = if of_ends.0 == 1 { "true" } else { "false" };
        let range = |(least, most): Range| match least == most {
            true => format!("{least}"),
            false => format!("{least} to {most}"),
        };
        let help = format!(
            "the left side is {}, the right side {}",
            range(left),
            range(right)
        );
        return is_certain.then(|| note(format!("this is always {truth}")).help(help));
    }
    let (least, most) = values.value(body)?;
    let found = (least == most).then(|| note(format!("the result is always {least}")))?;
    let below = match &body.kind {
        ExprKind::AtLeast(bound, value) => values.value(value)?.1 < *bound,
        _ => false,
    };
    Some(match below {
        true => found
            .help("a result below 0 counts as 0")
            .advise(Advice::UseNotation),
        false => found.help("no die changes it: look at the numbers of dice and sides"),
    })
}

#[derive(Clone, Copy)]
struct Values<'f> {
    /// The function whose variables are followed.
    function: Option<&'f Function>,
    /// The values of the resources, if they are known.
    resources: &'f [i64],
    steps: u32,
}

impl Values<'_> {
    fn local(self, local: LocalId) -> Option<Range> {
        let function = self.function.filter(|_| self.steps > 0)?;
        if local.index() < function.params {
            return None;
        }
        let (mut only, mut times) = (None, 0);
        each_stmt(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(Place::Local(to), value) if *to == local => {
                only = Some(value);
                times += 1;
            }
            StmtKind::Update(Place::Local(to), ..)
            | StmtKind::For(to, ..)
            | StmtKind::Count(to, ..)
                if *to == local =>
            {
                times += 2;
            }
            _ => {}
        });
        let steps = self.steps - 1;
        let value = only.filter(|_| times == 1)?;
        Self { steps, ..self }.value(value)
    }

    fn value(self, value: &Expr) -> Option<Range> {
        match &value.kind {
            ExprKind::Int(number) => Some((*number, *number)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Resource(slot) => {
                let value = *self.resources.get(slot.index())?;
                Some((value, value))
            }
            ExprKind::Roll(roll) if roll.labels.is_empty() => self.value(&roll.body),
            ExprKind::Negate(value) => {
                let (least, greatest) = self.value(value)?;
                Some((greatest.checked_neg()?, least.checked_neg()?))
            }
            ExprKind::AtLeast(bound, value) => {
                let (least, greatest) = self.value(value)?;
                Some((least.max(*bound), greatest.max(*bound)))
            }
            ExprKind::NotNegative(count) => {
                let (least, greatest) = self.value(count)?;
                Some((least.max(0), greatest.max(0)))
            }
            ExprKind::Arith(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match op {
                    ArithOp::Add => corners(left, right, i64::checked_add),
                    ArithOp::Sub => corners(left, right, i64::checked_sub),
                    ArithOp::Mul => corners(left, right, i64::checked_mul),
                    _ => None,
                }
            }
            ExprKind::Math(extreme @ (Math::Max | Math::Min), parts) => {
                let mut ranges = parts.iter().map(|part| self.value(part));
                let first = ranges.next()??;
                ranges.try_fold(first, |(least, greatest), range| {
                    let (low, high) = range?;
                    Some(match extreme {
                        Math::Max => (least.max(low), greatest.max(high)),
                        _ => (least.min(low), greatest.min(high)),
                    })
                })
            }
            ExprKind::Choose(parts) => {
                let [_, yes, no] = &**parts;
                let ((a, b), (c, d)) = (self.value(yes)?, self.value(no)?);
                Some((a.min(c), b.max(d)))
            }
            ExprKind::Pool(pool) => self.pool(pool),
            _ => None,
        }
    }

    fn pool(self, pool: &Pool) -> Option<Range> {
        let (fewest, most) = self.value(&pool.count)?;
        let selects: Vec<&Select> = pool.all_selects().collect();
        let kept =
            selects
                .iter()
                .try_fold((fewest.max(0), most.max(0)), |(fewest, most), select| {
                    let count = constant(&select.count)?.max(0);
                    Some(match select.selector {
                        // Several selections can drop different dice.
                        _ if selects.len() > 1 => (0, most),
                        Selector::KeepHigh | Selector::KeepLow => {
                            (fewest.min(count), most.min(count))
                        }
                        Selector::DropHigh | Selector::DropLow => {
                            ((fewest - count).max(0), (most - count).max(0))
                        }
                    })
                })?;
        if let Some(counting) = &pool.counting {
            let least = if counting.failure.is_empty() {
                0
            } else {
                -kept.1
            };
            let most = match counting.double.is_empty() {
                true => kept.1,
                false => kept.1.checked_mul(2)?,
            };
            // A stage that adds dice adds successes.
            return (!explodes(pool)).then_some((least, most));
        }
        corners(kept, self.die(pool)?, i64::checked_mul)
    }

    /// The value of a kept die of a pool.
    fn die(self, pool: &Pool) -> Option<Range> {
        let faces = match &pool.die {
            Die::Sides(sides) => (1, self.value(sides)?.1),
            Die::Faces(faces) => {
                let values = || faces.iter().map(Face::value);
                (values().min()?, values().max()?)
            }
        };
        let mut die = faces;
        for stage in &pool.stages {
            die = match stage {
                Stage::Explode(..) => return None,
                Stage::Select(_) => die,
                // A bound that was applied before does not apply to the die that is rolled again.
                Stage::Reroll { .. } => (die.0.min(faces.0), die.1.max(faces.1)),
                Stage::Bound(how, bound) => {
                    let (low, high) = self.value(bound)?;
                    (how.apply(die.0, low), how.apply(die.1, high))
                }
            };
        }
        Some(die)
    }
}

fn explodes(pool: &Pool) -> bool {
    let mut stages = pool.stages.iter();
    stages.any(|stage| matches!(stage, Stage::Explode(..)))
}

/// The range of an operation whose extremes are at the ends of its operands.
fn corners((a, b): Range, (c, d): Range, op: impl Fn(i64, i64) -> Option<i64>) -> Option<Range> {
    let ends = [op(a, c)?, op(a, d)?, op(b, c)?, op(b, d)?];
    let least = ends.into_iter().min()?;
    let greatest = ends.into_iter().max()?;
    Some((least, greatest))
}
