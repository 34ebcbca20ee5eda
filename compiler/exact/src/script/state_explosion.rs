//! Explains a state explosion: where a script has too many states for an exact answer, and which
//! variables and fields multiply them, so that its author knows what to change.

use super::dist::Dist;
use super::live::Live;
use super::machine::Pin;
use super::shape::{FieldPlace, Shape, ShapeId, Shapes};
use dicec_lang::hir::{Module, TypeId};
use dicec_runtime::pmf::{Exhausted, Weight};
use dicec_runtime::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of states that are examined.
const LOOKED_AT: usize = 20_000;

/// The maximum number of names that are reported.
const NAMED: usize = 3;

/// The states of a script at the location where the exact answer was given up.
#[derive(Clone, Debug, PartialEq)]
pub struct StateExplosion {
    /// The exceeded limit.
    pub exhausted: Exhausted,
    /// The statement at that location.
    pub span: Span,
    /// The number of states.
    pub states: u64,
    /// The variables and fields that multiply the states, the one with the most combinations first.
    pub parts: Vec<VariedPart>,
}

/// A variable, or one field of all records of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariedPart {
    /// Its name.
    pub name: String,
    /// How many variables or fields of this name a state has.
    pub instances: usize,
    /// The number of values of the most varied one, among the examined states.
    pub values: usize,
}

impl VariedPart {
    /// The logarithm of its number of combinations.
    fn weight(&self) -> f64 {
        self.instances as f64 * libm::log(self.values as f64)
    }
}

/// The variables and fields in which the states differ.
pub(super) fn parts<W: Weight>(
    (script, shapes): (&Module, &Shapes),
    names: &[String],
    pins: &[Pin],
    states: &Dist<W>,
) -> Vec<VariedPart> {
    let every = states.len().div_ceil(LOOKED_AT).max(1);
    let rows = (0..states.len()).step_by(every);
    let rows: Vec<Vec<i64>> = rows.map(|state| states.row(state)).collect();
    let mut found: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let Some(row) = rows.first() else {
        return Vec::new();
    };
    let mut walk = Walk {
        script,
        shapes,
        heap: states.live.values.len() + states.live.objects.len() + pins.len(),
        row,
        seen: FxHashSet::default(),
        names: Vec::new(),
    };
    walk.all(&states.live, names, pins);
    for (index, name) in walk.names {
        let words = rows.iter().filter_map(|row| row.get(index));
        let values = words.collect::<FxHashSet<_>>().len();
        if values > 1 {
            found.entry(name).or_default().push(values);
        }
    }
    let part = |(name, values): (String, Vec<usize>)| VariedPart {
        name,
        instances: values.len(),
        values: values.into_iter().fold(0, usize::max),
    };
    let mut parts: Vec<VariedPart> = found.into_iter().map(part).collect();
    parts.sort_by(|left, right| {
        let order = right.weight().total_cmp(&left.weight());
        order.then_with(|| left.name.cmp(&right.name))
    });
    parts.truncate(NAMED);
    parts
}

/// Finds the name of each word of a row.
struct Walk<'w> {
    script: &'w Module,
    shapes: &'w Shapes,
    /// The index of the first word of the objects.
    heap: usize,
    row: &'w [i64],
    seen: FxHashSet<usize>,
    names: Vec<(usize, String)>,
}

impl Walk<'_> {
    fn all(&mut self, live: &Live, names: &[String], pins: &[Pin]) {
        let objects = live.objects.iter().map(|(local, _)| local);
        for (index, local) in live.values.iter().chain(objects).enumerate() {
            let name = match names.get(*local).map(String::as_str) {
                // A temporary, such as the index of a draw.
                Some("") => "a number that is worked out",
                Some(name) => name,
                None => "a roll that waits",
            };
            self.names.push((index, name.to_owned()));
        }
        let mut work: Vec<(usize, ShapeId)> = Vec::new();
        for (index, (_, shape)) in (live.values.len()..).zip(live.objects.iter().chain(pins)) {
            self.reach(index, *shape, &mut work);
        }
        while let Some((at, shape)) = work.pop() {
            match self.shapes.get(shape) {
                Shape::Value => {}
                Shape::Record(_, objects) => {
                    self.fields(at, shape);
                    for (slot, shape) in objects {
                        self.reach(at + slot, *shape, &mut work);
                    }
                }
                Shape::List(element) => {
                    let body = self.row.get(at).map_or(usize::MAX, |body| *body as usize);
                    let first = self.heap.saturating_add(body).saturating_add(1);
                    let length = self.row.get(first.wrapping_sub(1)).copied().unwrap_or(0);
                    for index in first..first.saturating_add(length as usize) {
                        self.names
                            .push((index, "the elements of a list".to_owned()));
                        self.reach(index, *element, &mut work);
                    }
                }
            }
        }
    }

    /// Queues the object that a word refers to, if it was not visited before.
    fn reach(&mut self, index: usize, shape: ShapeId, work: &mut Vec<(usize, ShapeId)>) {
        let at = self.row.get(index).and_then(|at| usize::try_from(*at).ok());
        if let Some(at) = at
            && shape.is_object()
            && self.heap + at < self.row.len()
            && self.seen.insert(at)
        {
            work.push((self.heap + at, shape));
        }
    }

    fn fields(&mut self, at: usize, shape: ShapeId) {
        for (id, record) in self.script.types.iter().enumerate() {
            let layout = self.shapes.layout(TypeId(id as u32));
            let Some(layout) = layout.filter(|layout| layout.shape == shape) else {
                continue;
            };
            for (field, index) in record.fields.iter().zip(&layout.fields) {
                if let FieldPlace::Slot(slot) = index {
                    let name = format!("{}.{}", record.name, field.name);
                    self.names.push((at + slot, name));
                }
            }
        }
    }
}
