//! Where a script has too many states for an exact answer, and what keeps them apart: so that whoever wrote it knows what to change.

use super::dist::Dist;
use super::live::Live;
use super::machine::Pin;
use super::shape::{FieldPlace, Shape, ShapeId, Shapes};
use crate::hir::{Module, TypeId};
use dicec_runtime::pmf::{Exhausted, Weight};
use dicec_runtime::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// States that are looked at, at most.
const LOOKED_AT: usize = 20_000;

/// Names that are told, at most.
const NAMED: usize = 3;

/// The states of a script at the place where an exact answer was given up.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    /// What was too small.
    pub exhausted: Exhausted,
    /// What was going on.
    pub span: Span,
    /// How many there were.
    pub states: u64,
    /// What keeps them apart, that with the most combinations first.
    pub parts: Vec<Part>,
}

/// A variable, or a field of all records of a type that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// How many of it there are.
    pub places: usize,
    /// How many values the most varied one takes, among the states that were looked at.
    pub values: usize,
}

impl Part {
    /// The logarithm of the combinations.
    fn weight(&self) -> f64 {
        self.places as f64 * libm::log(self.values as f64)
    }
}

/// What keeps states apart.
pub(super) fn parts<W: Weight>(
    (script, shapes): (&Module, &Shapes),
    names: &[String],
    pins: &[Pin],
    crowd: &Dist<W>,
) -> Vec<Part> {
    let every = crowd.len().div_ceil(LOOKED_AT).max(1);
    let rows = (0..crowd.len()).step_by(every);
    let rows: Vec<Vec<i64>> = rows.map(|state| crowd.row(state)).collect();
    let mut found: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let Some(row) = rows.first() else {
        return Vec::new();
    };
    let mut walk = Walk {
        script,
        shapes,
        heap: crowd.live.values.len() + crowd.live.objects.len() + pins.len(),
        row,
        seen: FxHashSet::default(),
        places: Vec::new(),
    };
    walk.all(&crowd.live, names, pins);
    for (place, name) in walk.places {
        let words = rows.iter().filter_map(|row| row.get(place));
        let values = words.collect::<FxHashSet<_>>().len();
        if values > 1 {
            found.entry(name).or_default().push(values);
        }
    }
    let part = |(name, values): (String, Vec<usize>)| Part {
        name,
        places: values.len(),
        values: values.into_iter().max().unwrap_or(0),
    };
    let mut parts: Vec<Part> = found.into_iter().map(part).collect();
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
    /// Where the objects begin.
    heap: usize,
    row: &'w [i64],
    seen: FxHashSet<usize>,
    places: Vec<(usize, String)>,
}

impl Walk<'_> {
    fn all(&mut self, live: &Live, names: &[String], pins: &[Pin]) {
        let objects = live.objects.iter().map(|(local, _)| local);
        for (place, local) in live.values.iter().chain(objects).enumerate() {
            let name = names
                .get(*local)
                .map_or("a roll that waits", String::as_str);
            self.places.push((place, name.to_owned()));
        }
        let mut work: Vec<(usize, ShapeId)> = Vec::new();
        for (place, (_, shape)) in (live.values.len()..).zip(live.objects.iter().chain(pins)) {
            self.reach(place, *shape, &mut work);
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
                    for place in first..first.saturating_add(length as usize) {
                        self.places
                            .push((place, "the elements of a list".to_owned()));
                        self.reach(place, *element, &mut work);
                    }
                }
            }
        }
    }

    /// Goes on with the object that a word refers to, if it was not met before.
    fn reach(&mut self, place: usize, shape: ShapeId, work: &mut Vec<(usize, ShapeId)>) {
        let at = self.row.get(place).and_then(|at| usize::try_from(*at).ok());
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
            for (field, place) in record.fields.iter().zip(&layout.fields) {
                if let FieldPlace::Slot(slot) = place {
                    let name = format!("{}.{}", record.name, field.name);
                    self.places.push((at + slot, name));
                }
            }
        }
    }
}
