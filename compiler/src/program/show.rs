//! A roll die by die: the rule, printed with the dice of a trace.

use super::bind::Bound;
use dicec_lang::front::notation::{
    Ast, Dialect, Dice, Die, Face, Faces, ModifierKind, Page, Segment, SortOrder, Style, print_roll,
};
use dicec_lang::interp::{RolledDie, Trace};
use dicec_runtime::pool::Flags;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The rule with the dice of `trace`.
pub(super) fn show(bound: &Bound, rule: (&Ast, Dialect), trace: &Trace) -> Vec<Segment> {
    let pools = trace.pools.iter().map(|pool| {
        let dice = &trace.dice[pool.first..pool.first + pool.count];
        (pool.span, dice)
    });
    let dropped = trace
        .members
        .iter()
        .filter(|member| member.flags.contains(Flags::DROPPED));
    let shown = Shown {
        bound,
        pools: pools.collect(),
        dropped: dropped.map(|member| member.span).collect(),
    };
    print_roll(rule.0, rule.1, &shown)
}

/// A trace, by location in the source.
struct Shown<'r> {
    bound: &'r Bound,
    pools: FxHashMap<Span, &'r [RolledDie]>,
    dropped: FxHashSet<Span>,
}

impl Faces for Shown<'_> {
    fn resource(&self, name: &ResourceName) -> Option<i64> {
        let slot = self.bound.program().slot_of(name)?;
        self.bound.resources().get(slot).copied()
    }

    fn dice(&self, dice: &Dice, span: Span, page: &mut Page) {
        let Some(rolled) = self.pools.get(&span) else {
            return;
        };
        let mut rolled: Vec<&RolledDie> = rolled.iter().collect();
        match order(dice) {
            Some(SortOrder::Ascending) => rolled.sort_by_key(|die| counted(die)),
            Some(SortOrder::Descending) => {
                rolled.sort_by_key(|die| std::cmp::Reverse(counted(die)));
            }
            None => {}
        }
        if rolled.is_empty() {
            return;
        }
        page.push("[");
        for (index, die) in rolled.into_iter().enumerate() {
            if index > 0 {
                page.push(", ");
            }
            let result = self.bound.program().label(counted(die));
            match result.or_else(|| label(dice, die)) {
                Some(label) => page.styled(label, style(die.flags)),
                None => page.styled(&counted(die).to_string(), style(die.flags)),
            }
        }
        page.push("]");
    }

    fn is_dropped(&self, member: Span) -> bool {
        self.dropped.contains(&member)
    }
}

/// The order in which dice are shown: the last sort modifier.
fn order(dice: &Dice) -> Option<SortOrder> {
    let mut modifiers = dice.modifiers.iter().rev();
    modifiers.find_map(|modifier| match modifier.kind {
        ModifierKind::Sort(order) => Some(order),
        _ => None,
    })
}

/// The value of a die; for a rerolled one, its face.
pub(super) fn counted(die: &RolledDie) -> i64 {
    if die.flags.contains(Flags::REROLLED) {
        die.face
    } else {
        die.value
    }
}

/// The label of a die, unless a clamp turned it into a number.
fn label<'d>(dice: &'d Dice, die: &RolledDie) -> Option<&'d str> {
    let Die::Faces(faces) = &dice.die else {
        return None;
    };
    let index = usize::try_from(die.place).ok()?.checked_sub(1)?;
    match faces.get(index) {
        Some(Face::Label(label)) if counted(die) == die.face => Some(label),
        _ => None,
    }
}

pub(super) fn style(flags: Flags) -> Style {
    if flags.intersects(Flags::DROPPED | Flags::REROLLED) {
        Style::Dropped
    } else if flags.contains(Flags::SUCCESS) {
        Style::Success
    } else if flags.contains(Flags::FAILURE) {
        Style::Failure
    } else if flags.contains(Flags::CRITICAL) {
        Style::Critical
    } else if flags.contains(Flags::FUMBLE) {
        Style::Fumble
    } else {
        Style::Plain
    }
}
