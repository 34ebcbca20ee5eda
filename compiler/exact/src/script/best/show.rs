//! The variables of a state as people know them: the script's own, with the parts of records and
//! lists.

use super::super::machine::Pin;
use super::super::plan::Plan;
use super::super::shape::{FieldPlace, Shape, ShapeId, Shapes};
use super::super::values::Values;
use super::control::Context;
use super::graph::{Graph, data};
use super::step::State;
use dicec_lang::hir::{Data, Function, Module, Type};
use dicec_runtime::scale::Shortest;
use rustc_hash::FxHashSet;

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its name, such as `total` or `hero.hp`.
    pub name: String,
    /// Its type; that of a list without objects is the list's.
    pub ty: Type,
    /// Its value.
    pub value: Data,
}

impl Graph<'_, '_> {
    /// The live variables of the functions in progress, the innermost first.
    pub(super) fn variables(&self, state: &State) -> Vec<Shown> {
        let engine = &self.stepper.engine;
        let control = &self.stepper.control;
        let live = &control.segment(state.spot).live;
        let (plan, pins) = control.function(state.spot.context);
        let firsts = live.values.len() + live.objects.len() + pins.len();
        let mut show = Show {
            module: engine.question.module,
            shapes: engine.shapes,
            values: &engine.world.values,
            heap: state.row.get(firsts..).unwrap_or_default(),
            all: Vec::new(),
            seen: FxHashSet::default(),
        };
        let locals = live.values.iter().copied();
        let locals = locals.chain(live.objects.iter().map(|(local, _)| *local));
        let words = state.row.iter().copied();
        show.function(plan, locals.zip(words));
        let mut pinned: Vec<(Pin, i64)> = Vec::new();
        let held = state.row[live.values.len() + live.objects.len()..firsts].iter();
        pinned.extend(pins.iter().copied().zip(held.copied()));
        let mut context = control.call(state.spot.context);
        while let Context::Call { caller, saved, .. } = control.context(context) {
            let live = &control.segment(*caller).live;
            let plan = control.function(caller.context).0;
            let values = live.values.iter().copied().zip(saved.iter().copied());
            let objects = live.objects.iter().map(|(local, _)| *local);
            let words = pinned.iter().map(|(_, word)| *word);
            show.function(plan, values.chain(objects.zip(words)));
            pinned.drain(..live.objects.len().min(pinned.len()));
            context = control.call(caller.context);
        }
        show.all
    }

    /// The answers that a state offers, as players read them; `None` for yes or no and for numbers.
    pub(super) fn labels(&self, list: (i64, &Type), state: &State) -> Vec<String> {
        let engine = &self.stepper.engine;
        let control = &self.stepper.control;
        let live = &control.segment(state.spot).live;
        let pins = control.function(state.spot.context).1;
        let firsts = live.values.len() + live.objects.len() + pins.len();
        let show = Show {
            module: engine.question.module,
            shapes: engine.shapes,
            values: &engine.world.values,
            heap: state.row.get(firsts..).unwrap_or_default(),
            all: Vec::new(),
            seen: FxHashSet::default(),
        };
        let Type::List(element) = list.1 else {
            return Vec::new();
        };
        let words = show.elements(list.0, list.1);
        words
            .iter()
            .map(|word| show.label(*word, element))
            .collect()
    }
}

struct Show<'s> {
    module: &'s Module,
    shapes: &'s Shapes,
    values: &'s Values,
    heap: &'s [i64],
    all: Vec<Shown>,
    seen: FxHashSet<String>,
}

impl<'s> Show<'s> {
    fn function(&mut self, plan: &Plan, words: impl Iterator<Item = (usize, i64)>) {
        let Some(function) = self.of_plan(plan) else {
            return;
        };
        let mut words: Vec<(usize, i64)> = words.collect();
        words.sort_unstable();
        for (local, word) in words {
            if let Some(variable) = function.locals.get(local)
                && !variable.name.is_empty()
            {
                self.add(variable.name.clone(), &variable.ty, word);
            }
        }
    }

    fn of_plan(&self, plan: &Plan) -> Option<&'s Function> {
        let names = |function: &&Function| {
            let names = function.locals.iter().map(|local| &local.name);
            names.eq(plan.names.iter())
        };
        self.module.functions.iter().find(names)
    }

    fn add(&mut self, name: String, ty: &Type, word: i64) {
        match ty {
            Type::Record(id) => {
                let Some(layout) = self.shapes.layout(*id) else {
                    return;
                };
                let fields = self.module.record(*id).fields.iter();
                let fields = fields.zip(&layout.fields).zip(&layout.read);
                for ((field, place), _) in fields.filter(|(_, read)| **read) {
                    let word = self.field(word, *place, layout.shape);
                    let name = format!("{name}.{}", field.name);
                    if let Some(word) = word {
                        self.add(name, &field.ty, word);
                    }
                }
            }
            Type::List(element) if matches!(**element, Type::Record(_) | Type::List(_)) => {
                for (index, word) in self.elements(word, ty).into_iter().enumerate() {
                    self.add(format!("{name}[{index}]"), element, word);
                }
            }
            Type::List(element) => {
                let words = self.elements(word, ty);
                let parts = words.iter().map(|word| data(*word, element, self.values));
                self.push(name, ty, Data::List(parts.collect()));
            }
            Type::Unit | Type::Unknown => {}
            _ => self.push(name, ty, data(word, ty, self.values)),
        }
    }

    /// Adds a value. A variable of a caller with the name of another one stays apart from it.
    fn push(&mut self, name: String, ty: &Type, value: Data) {
        let mut free = name.clone();
        let mut number = 1;
        while !self.seen.insert(free.clone()) {
            number += 1;
            free = format!("{name} ({number})");
        }
        self.all.push(Shown {
            name: free,
            ty: ty.clone(),
            value,
        });
    }

    fn object(&self, at: i64) -> Option<i64> {
        let at = usize::try_from(at).ok()?;
        self.heap.get(at).copied()
    }

    fn field(&self, record: i64, place: FieldPlace, shape: ShapeId) -> Option<i64> {
        match place {
            FieldPlace::Slot(slot) => self.object(record + slot as i64),
            FieldPlace::Fixed(fixed) => {
                let tuple = match shape.is_object() {
                    true => self.object(record)?,
                    false => record,
                };
                self.values.words(tuple).get(fixed).copied()
            }
        }
    }

    fn elements(&self, list: i64, ty: &Type) -> Vec<i64> {
        match self.shapes.of_list(ty).map(|shape| self.shapes.get(shape)) {
            Some(Shape::List(_)) => {
                let body = self.object(list);
                let length = body.and_then(|body| self.object(body)).unwrap_or(0);
                let body = body.unwrap_or(0);
                let elements = (1..=length).map(|index| self.object(body + index));
                elements.flatten().collect()
            }
            _ => self.values.words(list).to_vec(),
        }
    }

    /// The name of an answer; of a record, its first text.
    fn label(&self, word: i64, ty: &Type) -> String {
        match ty {
            Type::Record(id) => {
                let fields = &self.module.record(*id).fields;
                let field = fields.iter().position(|field| field.ty == Type::Text);
                let layout = self.shapes.layout(*id);
                let text = field.zip(layout).and_then(|(field, layout)| {
                    let word = self.field(word, layout.fields[field], layout.shape)?;
                    Some(self.values.template(word).to_owned())
                });
                text.unwrap_or_default()
            }
            Type::List(element) => {
                let words = self.elements(word, ty);
                let parts = words.iter().map(|word| self.label(*word, element));
                format!("[{}]", parts.collect::<Vec<_>>().join(", "))
            }
            _ => value_text(self.module, ty, &data(word, ty, self.values)),
        }
    }
}

/// A value of a type as players read it.
pub fn value_text(module: &Module, ty: &Type, value: &Data) -> String {
    match (ty, value) {
        (Type::Degree(ladder), Data::Named(rung)) => ladder.name(*rung).to_owned(),
        (Type::Enum(id) | Type::Flags(id), Data::Named(value)) => {
            let written = module.choice(*id).written(*value);
            written.map_or_else(String::new, |written| written.into_owned())
        }
        (Type::List(element), Data::List(parts)) => {
            let parts = parts.iter().map(|part| value_text(module, element, part));
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        (_, Data::Text(text)) => text.clone(),
        (_, Data::Bool(truth)) => truth.to_string(),
        (_, Data::Float(number)) => Shortest(number.get()).to_string(),
        (_, Data::Int(number) | Data::Named(number)) => number.to_string(),
        (_, Data::List(_) | Data::Record(_)) => String::new(),
    }
}

impl Shown {
    /// The value as players read it.
    pub fn text(&self, module: &Module) -> String {
        value_text(module, &self.ty, &self.value)
    }
}
