//! Lists of records whose order nothing observes. States that differ only by a permutation of the
//! records of such a list have the same odds from there on ([`super::interchange`]).
//!
//! The order is not observed by what only reaches the records one by one (`roles`):
//!
//! * their number, and aggregates: `count`, `sum`, `any`, `all`, `min`, `max` (over what reads a
//!   record and does nothing else, `nature`), and `pick`;
//! * `least` and `most` by the only field that is ever assigned: records that tie are equal, as the
//!   states are permuted only where all other fields of the records are equal;
//! * loops that count or search (`can_be_in_any_order`), that change nothing but the record at hand
//!   (`own`), or in which all records that act do the same (`alike`).
//!
//! Anything else observes it: an index, a loop that does other things, a list that is changed or
//! joined to another, a reference that is kept in a list or a record.
//!
//! Two orders of a list burn different fuel, and sums may overflow in one of them only.
//! [`super::interchange`] makes sure that neither matters.

mod alike;
mod nature;
mod own;
mod roles;

use super::shape::{FieldPlace, Shapes};
use crate::hir::{Function, FunctionId, LocalId, Module, Place, StmtKind, Type, each_stmt};
use nature::Nature;
use roles::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::ops::BitOrAssign;

/// What an expression may refer to: any of these, or something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Roles(u64);

/// How many lists there are bits for.
const MAX_LISTS: usize = 21;

impl Roles {
    const NONE: Self = Self(0);

    /// The bits that say of each list whether it is the list.
    const LISTS: u64 = 0o111_111_111_111_111_111_111;

    /// A list.
    fn list(list: usize) -> Self {
        Self(1 << (3 * list))
    }

    /// The records of these lists.
    fn members(self) -> Self {
        Self((self.0 & Self::LISTS) << 1)
    }

    /// The lists of these records.
    fn lists_of_members(self) -> Self {
        Self(self.0 >> 1 & Self::LISTS)
    }

    /// Records that a loop came to last.
    fn last(self) -> Self {
        Self((self.0 & Self::LISTS) << 2)
    }

    fn is_last(self) -> bool {
        self.0 & (Self::LISTS << 2) != 0
    }

    /// The only list that it may be.
    fn only_list(self) -> Option<usize> {
        let is_list = self.0.is_power_of_two() && self.0 & Self::LISTS != 0;
        is_list.then(|| self.indices()).into_iter().flatten().next()
    }

    /// The lists in question, or those whose records are.
    fn indices(self) -> impl Iterator<Item = usize> {
        (0..MAX_LISTS).filter(move |list| self.0 >> (3 * list) & 7 != 0)
    }

    /// Whether it may be several things.
    fn is_one_of_several(self) -> bool {
        self.0.count_ones() > 1
    }
}

impl BitOrAssign for Roles {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What a function does to the lists that it is given.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// What it returns.
    result: Roles,
    /// The lists of which it changes records.
    changes: FxHashSet<usize>,
}

/// The search in one function and those that it calls.
struct Search<'s> {
    script: &'s Module,
    shapes: &'s Shapes,
    /// What functions may do.
    natures: FxHashMap<FunctionId, Nature>,
    /// The lists whose order is observed.
    observed: FxHashSet<usize>,
    /// By function and the roles of its arguments; `None` while it is being looked at.
    effects: FxHashMap<(FunctionId, Vec<Roles>), Option<Effect>>,
    /// How many more calls are followed for the sake of a loop.
    calls: Cell<usize>,
    /// See [`Unobserved::calls`].
    calls_of_searches: u64,
    /// See [`Unobserved::leaves`].
    leaves: bool,
}

/// How many calls are followed, and how deep. Few scripts need more than some dozen.
const MAX_CALLS: usize = 10_000;
const MAX_DEPTH: usize = 8;

/// The lists of a function whose order nothing observes from its beginning to its end.
#[derive(Debug, Default)]
pub(super) struct Unobserved {
    /// The variables with the lists.
    pub(super) lists: Vec<usize>,
    /// How many calls a search makes for each record that it comes to, at most.
    calls: u64,
    /// Whether a loop in which records act may end before it came to all of them.
    leaves: bool,
}

impl Unobserved {
    /// How many times as much fuel another order of lists of at most this length may burn.
    ///
    /// A search ends after another record, the first or the last; each costs a unit and the calls
    /// of its condition. It may be all that a record costs that does not act, but for the loop and
    /// the call of its turn. A loop that is left may come to as many more of these.
    pub(super) fn fuel_of_orders(&self, length: u64) -> u64 {
        let search = length.saturating_add(2);
        let search = search.saturating_mul(self.calls.saturating_add(1));
        let loops = if self.leaves {
            length.saturating_add(2)
        } else {
            1
        };
        search.saturating_mul(loops)
    }
}

/// Finds the lists of records of a roll whose order nothing observes.
pub(super) fn unobserved(script: &Module, shapes: &Shapes, id: FunctionId) -> Unobserved {
    let function = script.function(id);
    let lists = lists(function);
    if lists.is_empty() {
        return Unobserved::default();
    }
    let mut search = Search {
        script,
        shapes,
        natures: FxHashMap::default(),
        observed: FxHashSet::default(),
        effects: FxHashMap::default(),
        calls: Cell::new(MAX_CALLS),
        calls_of_searches: 0,
        leaves: false,
    };
    Body::of_roll(&mut search, function, &lists).look();
    let unobserved = |index: &usize| !search.observed.contains(index);
    let unobserved = (0..lists.len()).filter(unobserved);
    Unobserved {
        lists: unobserved.map(|index| lists[index].index()).collect(),
        calls: search.calls_of_searches,
        leaves: search.leaves,
    }
}

/// The lists of records in parameters, and in variables that are assigned once.
fn lists(function: &Function) -> Vec<LocalId> {
    let mut assigned: FxHashMap<LocalId, usize> = FxHashMap::default();
    each_stmt(&function.body, &mut |stmt| {
        if let StmtKind::Assign(Place::Local(local), _) | StmtKind::For(local, ..) = &stmt.kind {
            *assigned.entry(*local).or_default() += 1;
        }
    });
    let is_list = |ty: &Type| match ty {
        Type::List(element) => matches!(**element, Type::Record(_)),
        _ => false,
    };
    let once = |id: LocalId| {
        let times = assigned.get(&id).copied().unwrap_or(0);
        times == usize::from(id.index() >= function.params)
    };
    let locals = (0..).map(LocalId).zip(&function.locals);
    let lists =
        locals.filter(|(id, local)| is_list(&local.ty) && !local.name.is_empty() && once(*id));
    lists.map(|(id, _)| id).take(MAX_LISTS).collect()
}

impl Search<'_> {
    fn observe(&mut self, roles: Roles) {
        self.observed.extend(roles.indices());
    }

    /// What a call with these arguments does.
    fn call(&mut self, id: FunctionId, roles: Vec<Roles>) -> Effect {
        if roles.iter().all(|roles| *roles == Roles::NONE) {
            // It knows of no list.
            return Effect::default();
        }
        let key = (id, roles);
        match self.effects.get(&key) {
            Some(Some(effect)) => return effect.clone(),
            Some(None) => {
                // It calls itself.
                key.1.iter().for_each(|roles| self.observe(*roles));
                return Effect::default();
            }
            None => {}
        }
        self.effects.insert(key.clone(), None);
        let function = self.script.function(id);
        let mut all = key.1.clone();
        all.resize(function.locals.len(), Roles::NONE);
        let effect = Body::of(self, function, all).look();
        self.effects.insert(key, Some(effect.clone()));
        effect
    }

    /// Whether a loop that looks at records of a list until it found one does the same for all
    /// orders of it, by what it does to look at one.
    fn can_be_a_search(&mut self, nature: Nature) -> bool {
        self.calls_of_searches = self.calls_of_searches.max(nature.calls);
        nature.is_safe() && !nature.loops
    }

    /// Whether a call that is this deep is followed.
    fn follows(&self, depth: usize) -> bool {
        let left = self.calls.get().checked_sub(1);
        self.calls.set(left.unwrap_or(0));
        left.is_some() && depth < MAX_DEPTH
    }

    /// Whether a field of a record is ever assigned.
    fn is_assigned(&self, ty: &Type, field: u32) -> bool {
        let Type::Record(id) = ty else {
            return true;
        };
        let layout = self.shapes.layout(*id);
        let place = layout.and_then(|layout| layout.fields.get(field as usize));
        !matches!(place, Some(FieldPlace::Fixed(_)))
    }

    /// Whether it is the only field of its type that is.
    fn is_only_assigned(&self, ty: &Type, field: u32) -> bool {
        let Type::Record(id) = ty else {
            return false;
        };
        let fields = self.script.record(*id).fields.len() as u32;
        (0..fields).all(|other| self.is_assigned(ty, other) == (other == field))
    }
}
