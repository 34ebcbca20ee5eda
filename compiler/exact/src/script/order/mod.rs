//! Symmetry of lists of records: finds the lists whose order nothing observes. States that differ
//! only by a permutation of such a list have the same odds from there on ([`super::interchange`]).
//!
//! Uses that reach the records one by one do not observe the order (`roles`):
//!
//! * the number of records, and aggregates: `count`, `sum`, `any`, `all`, `min`, `max` (over an
//!   expression that reads a record and has no effects, `nature`), and `pick`;
//! * `least` and `most` by the only field that is ever assigned: records that tie are equal,
//!   because only records with equal other fields are permuted;
//! * loops that count or search (`can_be_in_any_order`), that change only the current record
//!   (`own`), or in which all records that act do the same (`alike`).
//!
//! Everything else observes it: an index, a loop with other statements, a list that is changed or
//! joined to another, a reference that is stored in a list or a record.
//!
//! Different orders of a list burn different fuel, and sums may overflow in only one of them;
//! [`super::interchange`] makes sure that neither matters.

mod alike;
mod nature;
mod own;
mod roles;

use super::shape::{FieldPlace, Shapes};
use dicec_lang::hir::{Function, FunctionId, LocalId, Module, Place, StmtKind, Type, each_stmt};
use nature::Nature;
use roles::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::ops::BitOrAssign;

/// A set of lists and records, one bit each: what an expression may refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Roles(u64);

/// The maximum number of lists, limited by the bits.
const MAX_LISTS: usize = 21;

impl Roles {
    const NONE: Self = Self(0);

    /// The bits of the lists themselves.
    const LISTS: u64 = 0o111_111_111_111_111_111_111;

    /// The set with one list.
    fn list(list: usize) -> Self {
        Self(1 << (3 * list))
    }

    /// The records of these lists.
    fn members(self) -> Self {
        Self((self.0 & Self::LISTS) << 1)
    }

    /// The lists that have these records.
    fn lists_of_members(self) -> Self {
        Self(self.0 >> 1 & Self::LISTS)
    }

    /// These records, as the last ones that a loop reached.
    fn last(self) -> Self {
        Self((self.0 & Self::LISTS) << 2)
    }

    fn is_last(self) -> bool {
        self.0 & (Self::LISTS << 2) != 0
    }

    /// The list, if the set has exactly one member and that is a list.
    fn only_list(self) -> Option<usize> {
        let is_list = self.0.is_power_of_two() && self.0 & Self::LISTS != 0;
        is_list.then(|| self.indices()).into_iter().flatten().next()
    }

    /// The indices of the lists in the set, or of the lists whose records are in it.
    fn indices(self) -> impl Iterator<Item = usize> {
        (0..MAX_LISTS).filter(move |list| self.0 >> (3 * list) & 7 != 0)
    }

    /// Whether it has several members.
    fn is_one_of_several(self) -> bool {
        self.0.count_ones() > 1
    }
}

impl BitOrAssign for Roles {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The effect of a function on the lists that it is given.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// What its result may refer to.
    result: Roles,
    /// The lists whose records it changes.
    changes: FxHashSet<usize>,
}

/// The analysis of one function and those that it calls.
struct Search<'s> {
    script: &'s Module,
    shapes: &'s Shapes,
    /// The effects that functions may have.
    natures: FxHashMap<FunctionId, Nature>,
    /// The lists whose order is observed.
    observed: FxHashSet<usize>,
    /// By function and the roles of its arguments; `None` while it is being analysed.
    effects: FxHashMap<(FunctionId, Vec<Roles>), Option<Effect>>,
    /// How many more calls are followed when a loop is analysed.
    calls: Cell<usize>,
    /// See [`Unobserved::calls`].
    calls_of_searches: u64,
    /// See [`Unobserved::leaves`].
    leaves: bool,
}

/// The maximum number of calls that are followed, and their depth. Few scripts need more than
/// dozens.
const MAX_CALLS: usize = 10_000;
const MAX_DEPTH: usize = 8;

/// The lists of a function whose order nothing observes from its beginning to its end.
#[derive(Debug, Default)]
pub(super) struct Unobserved {
    /// The variables that hold the lists.
    pub(super) lists: Vec<usize>,
    /// The maximum number of calls that a search makes for each record.
    calls: u64,
    /// Whether a loop in which records act may end before its last record.
    leaves: bool,
}

impl Unobserved {
    /// The factor by which another order of lists of at most this length may burn more fuel.
    ///
    /// A search ends at another record, the first or the last; each record costs a unit and the
    /// calls of the condition. For a record that does not act, that may be all its fuel besides the
    /// loop and the call of its turn. A loop that is left early may visit this many more records.
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

    /// The effect of a call with these arguments.
    fn call(&mut self, id: FunctionId, roles: Vec<Roles>) -> Effect {
        if roles.iter().all(|roles| *roles == Roles::NONE) {
            // None of its arguments is a list or a record of one.
            return Effect::default();
        }
        let key = (id, roles);
        match self.effects.get(&key) {
            Some(Some(effect)) => return effect.clone(),
            Some(None) => {
                // A recursive call.
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

    /// Whether a loop that searches a list of records has the same effect for all its orders, as
    /// far as the evaluation of its condition matters.
    fn can_be_a_search(&mut self, nature: Nature) -> bool {
        self.calls_of_searches = self.calls_of_searches.max(nature.calls);
        nature.is_safe() && !nature.loops
    }

    /// Whether a call at this depth is followed.
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

    /// Whether it is the only assigned field of its type.
    fn is_only_assigned(&self, ty: &Type, field: u32) -> bool {
        let Type::Record(id) = ty else {
            return false;
        };
        let fields = self.script.record(*id).fields.len() as u32;
        (0..fields).all(|other| self.is_assigned(ty, other) == (other == field))
    }
}
