//! Modifiers that cannot have any effect, and counts that are always the same: `4d6!!>=7`,
//! `4d6kh4`, `10d10 count>=11`. Only what is written is judged: the sides, the number of dice and
//! the numbers of the modifiers.

use super::Source;
use crate::front::notation::ast::Ast;
use crate::front::notation::ast::pool::{
    Bound, Condition, Dice, Die, Explosion, Face, Modifier, ModifierKind, Selector,
};
use crate::front::notation::dialect::Dialect;
use crate::syntax::{Code, Diagnostic, Diagnostics};

/// Larger pools are not judged: each die is looked at.
const MAX_DICE: i64 = 1_000;

/// The values that a die may have: all numbers between two, or a list of them.
enum Values {
    Between(i64, i64),
    Listed(Vec<i64>),
}

impl Values {
    fn of(die: &Die) -> Option<Self> {
        Some(match die {
            Die::Sides(sides) => Self::Between(1, sides.written().filter(|sides| *sides > 0)?),
            Die::Percent => Self::Between(1, 100),
            Die::Fate => Self::Between(-1, 1),
            Die::Faces(faces) => Self::Listed(faces.iter().map(Face::value).collect()),
        })
    }

    fn ends(&self) -> (i64, i64) {
        match self {
            Self::Between(low, high) => (*low, *high),
            Self::Listed(values) => {
                let ends = values.iter().min().zip(values.iter().max());
                ends.map_or((0, 0), |(low, high)| (*low, *high))
            }
        }
    }

    /// How many values the conditions hold for: none, all, or some.
    fn meet(&self, conditions: &[Condition]) -> Option<Share> {
        let mut tests = Vec::new();
        for condition in conditions {
            tests.push((condition.op, condition.threshold.written()?));
        }
        let holds = |value: i64| {
            let mut tests = tests.iter();
            tests.any(|(op, threshold)| op.holds(value.cmp(threshold)))
        };
        let of = |values: &mut dyn Iterator<Item = i64>| {
            let (mut any, mut all) = (false, true);
            for value in values {
                any |= holds(value);
                all &= holds(value);
            }
            match (any, all) {
                (false, _) => Share::None,
                (true, true) => Share::All,
                (true, false) => Share::Some,
            }
        };
        Some(match self {
            Self::Listed(values) => of(&mut values.iter().copied()),
            Self::Between(low, high) => {
                // The answer changes only at thresholds.
                let near = tests.iter().flat_map(|(_, threshold)| {
                    [-1, 0, 1].map(|step| threshold.saturating_add(step))
                });
                let near = near.filter(|value| (low..=high).contains(&value));
                of(&mut [*low, *high].into_iter().chain(near))
            }
        })
    }

    fn bounded(self, how: Bound, bound: i64) -> Self {
        match self {
            Self::Between(low, high) => {
                Self::Between(how.apply(low, bound), how.apply(high, bound))
            }
            Self::Listed(values) => {
                let values = values.into_iter().map(|value| how.apply(value, bound));
                Self::Listed(values.collect())
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    None,
    Some,
    All,
}

/// Reports the modifiers of dice that change nothing, and those that decide everything.
pub(super) fn report(dice: &Dice, source: Source<'_>, found: &mut Diagnostics) {
    let (Some(faces), Some(values)) = (Values::of(&dice.die), Values::of(&dice.die)) else {
        return;
    };
    let mut values = Some(values);
    for modifier in &dice.modifiers {
        match &modifier.kind {
            ModifierKind::Explode(how, condition) => {
                let never = condition.as_ref().is_some_and(|condition| {
                    faces.meet(std::slice::from_ref(condition)) == Some(Share::None)
                });
                if never {
                    let message = format!("these dice never explode: {}", shown(&faces));
                    found.push(needless(modifier, message, source));
                } else if *how != Explosion::Extra {
                    values = None;
                }
            }
            ModifierKind::Reroll { condition, .. } => {
                if faces.meet(std::slice::from_ref(condition)) == Some(Share::None) {
                    let message = format!("no die is rerolled: {}", shown(&faces));
                    found.push(needless(modifier, message, source));
                }
                // A die that is rolled again has lost its bound.
                let is_bounded = |other: &Modifier| matches!(other.kind, ModifierKind::Bound(..));
                if dice.modifiers.iter().any(is_bounded) {
                    values = None;
                }
            }
            ModifierKind::Bound(how, bound) => {
                values = match (values, bound.written()) {
                    (Some(values), Some(bound)) => {
                        let ends = values.ends();
                        let bounded = values.bounded(*how, bound);
                        if bounded.ends() == ends {
                            let message = format!("this changes no die: {}", shown(&faces));
                            found.push(needless(modifier, message, source));
                        }
                        Some(bounded)
                    }
                    _ => None,
                };
            }
            ModifierKind::Success(_) | ModifierKind::Double(_) | ModifierKind::Failure(_) => {}
            ModifierKind::Select(..)
            | ModifierKind::Middle(_)
            | ModifierKind::Critical(_)
            | ModifierKind::Fumble(_)
            | ModifierKind::Sort(_) => {}
        }
    }
    if let Some(values) = values {
        counts(dice, &values, found);
    }
    selections(dice, source, found);
}

/// The numbers of a die, in words.
fn shown(faces: &Values) -> String {
    let (low, high) = faces.ends();
    format!("each shows {low} to {high}")
}

/// A note on a modifier that can be left out.
fn needless(modifier: &Modifier, message: String, source: Source<'_>) -> Diagnostic {
    let rule = source.with(modifier.span, "");
    Diagnostic::note(Code::Idle, modifier.span, message).help(format!("`{rule}` has the same odds"))
}

/// Counts that no die meets, or each.
fn counts(dice: &Dice, values: &Values, found: &mut Diagnostics) {
    let doubles = |modifier: &Modifier| matches!(modifier.kind, ModifierKind::Double(_));
    let has_doubles = dice.modifiers.iter().any(doubles);
    for modifier in &dice.modifiers {
        if !modifier.is_count() {
            continue;
        }
        let is_success = matches!(modifier.kind, ModifierKind::Success(_));
        let what = match (values.meet(modifier.kind.conditions()), &modifier.kind) {
            (Some(Share::None), ModifierKind::Success(_)) if !has_doubles => "no die can succeed",
            (Some(Share::None), ModifierKind::Double(_)) => "no die can count twice",
            (Some(Share::None), ModifierKind::Failure(_)) => "no die can fail",
            (Some(Share::All), _) if is_success && !has_doubles => "each die succeeds",
            _ => continue,
        };
        let (low, high) = values.ends();
        let message = format!("{what}: each counts {low} to {high}");
        let help = format!("compare with numbers between {low} and {high}");
        found.push(Diagnostic::note(Code::Idle, modifier.span, message).help(help));
    }
}

/// Selections that keep all dice, or none.
fn selections(dice: &Dice, source: Source<'_>, found: &mut Diagnostics) {
    let Some(number) = number(dice, source.dialect) else {
        return;
    };
    let selects: Vec<(&Modifier, Vec<(Selector, i64)>)> = dice
        .modifiers
        .iter()
        .filter_map(|modifier| Some((modifier, selected(modifier, number)?)))
        .collect();
    let all = dice
        .modifiers
        .iter()
        .filter(|modifier| modifier.kind.selects());
    if selects.len() < all.count() || number == 0 {
        return;
    }
    let kept = |selects: &[(Selector, i64)]| {
        let ranks = 0..number;
        ranks.filter(|rank| keeps(selects, *rank, number)).count() as i64
    };
    let together: Vec<(Selector, i64)> = selects.iter().flat_map(|(_, one)| one.clone()).collect();
    if let [(first, _), ..] = &selects[..]
        && kept(&together) == 0
    {
        let span = selects
            .iter()
            .fold(first.span, |span, (one, _)| span.to(one.span));
        let message = "no die is left: the result is always 0";
        let help = "each of these sees all dice, and a die stays only if all of them keep it";
        found.push(Diagnostic::note(Code::Idle, span, message).help(help));
        return;
    }
    for (modifier, one) in &selects {
        if kept(one) == number {
            let message = match number {
                1 => "this keeps the only die".to_owned(),
                _ => format!("this keeps all {number} dice"),
            };
            found.push(needless(modifier, message, source));
        }
    }
}

/// The number of dice that selections see, if it is written and all of them see the same dice.
fn number(dice: &Dice, dialect: Dialect) -> Option<i64> {
    let number = dice.count.as_ref().map_or(Some(1), Ast::written)?;
    let adds = |modifier: &Modifier| match modifier.kind {
        ModifierKind::Explode(how, _) => how != Explosion::Compound,
        _ => false,
    };
    let first = dice
        .modifiers
        .iter()
        .position(|modifier| modifier.kind.selects())?;
    let later = &dice.modifiers[first + 1..];
    let settles = |modifier: &Modifier| modifier.changes_dice() || modifier.closes > 0;
    let is_one_run = dialect == Dialect::Rulebook || !later.iter().any(settles);
    let fits = (0..=MAX_DICE).contains(&number);
    (fits && is_one_run && !dice.modifiers.iter().any(adds)).then_some(number)
}

/// The selections of a modifier, if their numbers are written.
fn selected(modifier: &Modifier, number: i64) -> Option<Vec<(Selector, i64)>> {
    let written = |count: &Option<Ast>| count.as_ref().map_or(Some(1), Ast::written);
    match &modifier.kind {
        ModifierKind::Select(selector, count) => Some(vec![(*selector, written(count)?)]),
        ModifierKind::Middle(count) => {
            let sum = written(count)?.checked_add(number)?;
            Some(vec![
                (Selector::KeepHigh, sum.div_euclid(2)),
                (Selector::KeepLow, sum.checked_add(1)?.div_euclid(2)),
            ])
        }
        _ => None,
    }
}

/// Whether the die of a rank, counted from the highest, is kept.
fn keeps(selects: &[(Selector, i64)], rank: i64, number: i64) -> bool {
    selects.iter().all(|(selector, count)| {
        let rank = match selector.is_high() {
            true => rank,
            false => number - 1 - rank,
        };
        selector.keeps(rank.unsigned_abs(), *count)
    })
}
