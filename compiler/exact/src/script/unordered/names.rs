//! Alias analysis: the names of lists, and which of them may denote the same list.

use crate::script::shape::Shapes;
use dicec_lang::hir::{FunctionId, LocalId, Module, Type, TypeId};
use rustc_hash::FxHashSet;

/// A variable that may hold lists, or the result of a function, by its number.
pub(super) type Name = usize;

/// The uses of lists in all functions.
pub(super) struct Names<'s> {
    script: &'s Module,
    /// The types of records that are words.
    records: FxHashSet<TypeId>,
    /// The number of each function's first variable; its result comes after its last one.
    first: Vec<Name>,
    /// Whether something observes the order of the lists.
    ordered: Vec<bool>,
    /// The names whose lists are all known. All others count as ordered.
    held: FxHashSet<Name>,
    /// Pairs of names that may denote the same list.
    same: Vec<(Name, Name)>,
    /// Implications: if the first is ordered, so is the second.
    follows: Vec<(Name, Name)>,
    /// Pairs of names whose order is observed if they may denote the same list: a loop over one
    /// appends to the other.
    apart: Vec<(Name, Name)>,
    /// The names whose order is observed only after they were sorted.
    settled: FxHashSet<Name>,
}

impl<'s> Names<'s> {
    pub(super) fn of(script: &'s Module, shapes: &Shapes) -> Self {
        let types = (0..script.types.len() as u32).map(TypeId);
        let is_word = |id: &TypeId| {
            let layout = shapes.layout(*id);
            layout.is_some_and(|layout| !layout.shape.is_object())
        };
        let mut all = 0;
        let first = script.functions.iter().map(|function| {
            let first = all;
            all += function.locals.len() + 1;
            first
        });
        let mut names = Self {
            first: first.collect(),
            ordered: vec![false; all],
            held: FxHashSet::default(),
            same: Vec::new(),
            follows: Vec::new(),
            apart: Vec::new(),
            settled: FxHashSet::default(),
            records: types.filter(is_word).collect(),
            script,
        };
        for roll in &script.rolls {
            // Lists from outside the script.
            let parts = roll.parts.as_ref().map(|parts| parts.function);
            for function in std::iter::once(roll.function).chain(parts) {
                let params = names.script.function(function).params as u32;
                (0..params).for_each(|param| names.order(names.variable(function, LocalId(param))));
            }
        }
        names
    }

    /// Whether the elements of a list are words that identify them completely.
    pub(super) fn is_list_of_words(&self, ty: &Type) -> bool {
        let Type::List(element) = ty else {
            return false;
        };
        match &**element {
            Type::Int | Type::Bool | Type::Degree(_) | Type::Enum(_) => true,
            Type::Record(id) => self.records.contains(id),
            _ => false,
        }
    }

    pub(super) fn variable(&self, function: FunctionId, local: LocalId) -> Name {
        self.first[function.index()] + local.index()
    }

    pub(super) fn result(&self, function: FunctionId) -> Name {
        self.first[function.index()] + self.script.function(function).locals.len()
    }

    /// Marks the order of the lists with a name as observed.
    pub(super) fn order(&mut self, name: Name) {
        self.ordered[name] = true;
    }

    /// Notes that all lists with a name are known.
    pub(super) fn hold(&mut self, name: Name) {
        self.held.insert(name);
    }

    /// Notes that their order is observed after they were sorted.
    pub(super) fn settle(&mut self, name: Name) {
        self.settled.insert(name);
    }

    /// Notes that both names may denote the same list.
    pub(super) fn tie(&mut self, left: Name, right: Name) {
        self.same.push((left, right));
    }

    /// Notes that if the first is ordered, so is the second.
    pub(super) fn follow(&mut self, first: Name, second: Name) {
        self.follows.push((first, second));
    }

    /// Notes that a loop over the second appends to the first. If they are the same list, the loop
    /// visits the appended elements at its end.
    pub(super) fn apart(&mut self, appended: Name, list: Name) {
        self.apart.push((appended, list));
    }

    /// The names that may denote the same list as this one.
    fn all_of(&self, name: Name, same: &[(Name, Name)]) -> FxHashSet<Name> {
        let mut all = FxHashSet::from_iter([name]);
        let mut work = vec![name];
        while let Some(name) = work.pop() {
            let others = same.iter().filter(|(left, _)| *left == name);
            work.extend(
                others
                    .map(|(_, right)| *right)
                    .filter(|right| all.insert(*right)),
            );
        }
        all
    }

    /// Whether it is hidden from scripts: the list of a comprehension.
    fn is_hidden(&self, name: Name) -> bool {
        let function = self.first.partition_point(|first| *first <= name) - 1;
        let locals = &self.script.functions[function].locals;
        let local = locals.get(name - self.first[function]);
        local.is_some_and(|local| local.name.is_empty())
    }

    /// The variables with lists whose order nothing observes.
    pub(super) fn unordered(mut self) -> FxHashSet<(FunctionId, LocalId)> {
        let swapped = self.same.iter().map(|(left, right)| (*right, *left));
        let same: Vec<_> = self.same.iter().copied().chain(swapped).collect();
        for (left, right) in &same {
            // A sorted list may be changed through another name.
            if self.settled.contains(left) && !self.is_hidden(*right) {
                self.order(*left);
            }
        }
        for (appended, list) in std::mem::take(&mut self.apart) {
            if self.all_of(list, &same).contains(&appended) {
                self.order(list);
            }
        }
        self.follows.extend(same);
        loop {
            let mut grown = false;
            for (left, right) in &self.follows {
                grown |= self.ordered[*left] && !self.ordered[*right];
                self.ordered[*right] |= self.ordered[*left];
            }
            if !grown {
                break;
            }
        }
        let functions = (0..).map(FunctionId).zip(&self.script.functions);
        let all = functions.flat_map(|(id, function)| {
            let locals = (0..).map(LocalId).zip(&function.locals);
            let lists = locals.filter(|(_, local)| self.is_list_of_words(&local.ty));
            lists.map(move |(local, _)| (id, local))
        });
        let unordered = all.filter(|(id, local)| {
            let name = self.variable(*id, *local);
            self.held.contains(&name) && !self.ordered[name]
        });
        unordered.collect()
    }
}
