//! Symmetry reduction: states that differ only by a permutation of the records of a list, whose
//! order nothing observes, are merged by sorting the records. Two goblins of which one is wounded
//! are one state, whichever goblin it is.

use super::activation::Activation;
use super::cost::OUTCOME_COST;
use super::dist::Dist;
use super::engine::{Engine, Frame};
use super::live::Live;
use super::packed::Layout;
use super::shape::{Shape, ShapeId, Shapes};
use crate::{ExactError, Shortcuts};
use dicec_runtime::pmf::Weight;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// Interchangeable records: the columns of their first words.
struct Group {
    /// The number of words of a record.
    words: usize,
    places: Vec<usize>,
}

impl Group {
    /// The columns of a word of all records.
    fn columns(&self, word: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        self.places.iter().map(move |place| place + word)
    }

    /// A range that covers a word of all records.
    fn range(&self, layout: &Layout, word: usize) -> RangeInclusive<i64> {
        let ranges = || self.columns(word).map(|column| layout.range(column));
        let least = ranges().map(|range| *range.start()).min();
        let most = ranges().map(|range| *range.end()).max();
        least.unwrap_or(0)..=most.unwrap_or(0)
    }

    fn compare(&self, layout: &Layout, key: &[u64], left: usize, right: usize) -> Ordering {
        let word = |place: usize, word| layout.read(key, place + word);
        let words = (0..self.words).map(|at| word(left, at).cmp(&word(right, at)));
        words.fold(Ordering::Equal, Ordering::then)
    }

    /// Sorts the records of a state.
    fn sort(&self, layout: &Layout, from: &[u64], into: &mut [u64], sorted: &mut Vec<usize>) {
        sorted.clone_from(&self.places);
        sorted.sort_by(|left, right| self.compare(layout, from, *left, *right));
        for (new, old) in self.places.iter().zip(&*sorted) {
            for word in 0..self.words {
                let [before, after] = [new, old].map(|place| {
                    let number = layout.read(from, place + word);
                    layout.code(new + word, number)
                });
                into[before.0] = into[before.0].wrapping_add(after.1.wrapping_sub(before.1));
            }
        }
    }
}

/// The objects of the states of a distribution, if the references are the same in all of them.
struct Objects<'o> {
    layout: &'o Layout,
    shapes: &'o Shapes,
    /// The column of their first word.
    base: usize,
    /// The number of references to each object.
    references: FxHashMap<i64, usize>,
}

impl Objects<'_> {
    /// The number in a column, if it is the same in all states.
    fn constant(&self, column: usize) -> Option<i64> {
        let range = self.layout.range(column);
        (range.start() == range.end()).then_some(*range.start())
    }

    fn word(&self, at: i64) -> Option<i64> {
        self.constant(self.base + usize::try_from(at).ok()?)
    }

    /// The elements of a list.
    fn elements(&self, list: i64) -> Option<Vec<i64>> {
        let body = self.word(list)?;
        let length = self.word(body)?;
        (1..=length).map(|place| self.word(body + place)).collect()
    }

    /// Counts a reference to an object, and the references in the object.
    fn refer(&mut self, object: i64, shape: ShapeId) -> Option<()> {
        let count = self.references.entry(object).or_default();
        *count += 1;
        if *count > 1 || object < 0 {
            return Some(());
        }
        match self.shapes.get(shape) {
            Shape::Value => {}
            Shape::Record(_, objects) => {
                for (slot, shape) in objects.clone() {
                    let object = self.word(object + slot as i64)?;
                    self.refer(object, shape)?;
                }
            }
            Shape::List(element) if element.is_object() => {
                let element = *element;
                for object in self.elements(object)? {
                    self.refer(object, element)?;
                }
            }
            Shape::List(_) => {}
        }
        Some(())
    }

    fn group(&self, list: i64, element: ShapeId) -> Option<Group> {
        let Shape::Record(words, objects) = self.shapes.get(element) else {
            return None;
        };
        if self.references.get(&list) != Some(&1) || !objects.is_empty() {
            return None;
        }
        let elements = self.elements(list)?;
        let first = self.word(*elements.first()?)?;
        let alike = |object: &i64| {
            self.references.get(object) == Some(&1) && self.word(*object) == Some(first)
        };
        if elements.len() < 2 || !elements.iter().all(alike) {
            return None;
        }
        let places = elements.iter().map(|object| self.base + *object as usize);
        Some(Group {
            words: *words,
            places: places.collect(),
        })
    }
}

/// The groups of interchangeable records at this point: those of live lists whose order nothing
/// observes.
fn groups(
    (shapes, unobserved): (&Shapes, &[usize]),
    live: &Live,
    layout: &Layout,
) -> Option<Vec<Group>> {
    let first = 1 + live.values.len();
    let base = first + live.objects.len();
    let mut objects = Objects {
        layout,
        shapes,
        base,
        references: FxHashMap::default(),
    };
    let roots = live.objects.iter().zip(first..);
    for ((_, shape), column) in roots.clone() {
        let object = objects.constant(column)?;
        objects.refer(object, *shape)?;
    }
    let groups = roots.filter_map(|((local, shape), column)| {
        if !unobserved.contains(local) {
            return None;
        }
        let Shape::List(element) = objects.shapes.get(*shape) else {
            return None;
        };
        objects.group(objects.constant(column)?, *element)
    });
    Some(groups.collect())
}

impl<W: Weight> Engine<'_, W> {
    /// Merges states that differ only by such a permutation.
    pub(super) fn interchange(
        &mut self,
        frame: &Frame<'_, W>,
        mut input: Dist<W>,
    ) -> Result<Dist<W>, ExactError> {
        let unobserved = &frame.plan.unobserved;
        let is_packed = input.column().is_none() && input.len() > 1;
        let allowed = self.shortcuts.contains(Shortcuts::ORDERS);
        let may_merge = allowed && frame.pins.is_empty() && is_packed;
        if unobserved.lists.is_empty() || !may_merge {
            return Ok(input);
        }
        let lists = (self.shapes, unobserved.lists.as_slice());
        let groups = groups(lists, &input.live, input.layout()).unwrap_or_default();
        let Some(longest) = groups.iter().map(|group| group.places.len()).max() else {
            return Ok(input);
        };
        let times = unobserved.fuel_of_orders(longest as u64);
        if self.interchanged == 0 && !self.has_fuel(input.fuel(), times) {
            return Ok(input);
        }
        self.interchanged = self.interchanged.max(times);
        self.takes(Shortcuts::ORDERS);
        let words = groups.iter().map(|group| group.words * group.places.len());
        let cost = OUTCOME_COST + words.sum::<usize>() as u64;
        let work = cost.saturating_mul(input.len() as u64);
        self.budget.spend(work, 2 * input.size())?;
        let layout = input.layout().clone();
        for group in &groups {
            for word in 0..group.words {
                let range = group.range(&layout, word);
                input.cover(group.columns(word).map(|column| (column, range.clone())));
            }
        }
        Ok(merged(&groups, &input))
    }

    /// Whether `times` this fuel is within the limit of a trial.
    fn has_fuel(&self, fuel: u64, times: u64) -> bool {
        fuel.saturating_mul(times) <= self.world.limits.fuel.into()
    }

    /// Whether merging orders hides no trap: in no order does a trial run out of fuel, and no sum
    /// was so large that it could overflow in another order.
    pub(super) fn is_the_same_in_any_order(&self, last: &Activation<W>) -> bool {
        let orders = self.fuel_of_orders();
        orders == 0 || (self.has_fuel(last.fuel, orders) && !self.machine.large)
    }

    /// The factor by which another order may burn more fuel; 0 if no orders were merged.
    pub(super) fn fuel_of_orders(&self) -> u64 {
        let lists = &self.plans.unordered;
        let of_lists = lists.fuel_of_orders(self.machine.longest_sorted);
        self.interchanged
            .saturating_mul(of_lists.max(1))
            .max(of_lists)
    }
}

/// The distribution with the records of each group sorted.
fn merged<W: Weight>(groups: &[Group], input: &Dist<W>) -> Dist<W> {
    let layout = input.layout();
    let mut merged = Dist::new(input.live.clone());
    merged.total = input.total.clone();
    merged.layout = layout.clone();
    let (mut key, mut sorted) = (Vec::new(), Vec::new());
    for state in 0..input.len() {
        let from = input.key(state);
        key.clear();
        key.extend_from_slice(from);
        for group in groups {
            group.sort(layout, from, &mut key, &mut sorted);
        }
        merged.insert(&key, input.share(state).clone());
    }
    merged
}
