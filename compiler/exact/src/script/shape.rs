//! Maps types to the words of a state.
//!
//! Every value is one word: a number, a truth value, a rung, the index of a text's template
//! ([`super::values`]), or a reference. A record or list that the script never writes to is a
//! *value* too, although the language calls it a reference, because equal ones cannot be told
//! apart: it is the index of its words in a table of tuples. Only what can change is an *object* of
//! the state, to which the word refers; so are records of a type whose identity the script
//! compares. A list of rolled elements is an object, too: a step that reads one element is the same
//! for all lists with that element. Two references are equal if they refer to the same object. A
//! constant object is stored once for all states ([`super::constants`]).
//!
//! * An object of a record type: the index of the tuple of those of its fields that are values and
//!   never assigned, then a word for each other field. Fields that nothing reads, such as a name,
//!   are the same in all tuples.
//! * An object of a list type: the index of its body, which is its length and its elements.

use dicec_lang::hir::{
    Expr, ExprKind, Module, Place, StmtKind, Type, TypeId, each_expr, each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The index of a shape in [`Shapes::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeId(u32);

impl ShapeId {
    /// The shape of a word that refers to no object.
    pub(super) const VALUE: Self = Self(0);

    pub(super) fn is_object(self) -> bool {
        self != Self::VALUE
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a word.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A word that refers to no object.
    Value,
    /// A record of this many words; the list has those that refer to objects.
    Record(usize, Vec<(usize, ShapeId)>),
    /// A list whose elements have this shape.
    List(ShapeId),
}

impl Shape {
    /// Whether it is a record without references to objects.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Shape::Record(_, objects) if objects.is_empty())
    }
}

/// The place of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldPlace {
    /// In the tuple, by its index there.
    Fixed(usize),
    /// In the object, by its index there.
    Slot(usize),
}

/// A record type.
#[derive(Clone, Debug)]
pub(super) struct RecordLayout {
    /// Its fields.
    pub(super) fields: Vec<FieldPlace>,
    /// Whether the script reads each field somewhere.
    pub(super) read: Vec<bool>,
    /// The shape of its values.
    pub(super) shape: ShapeId,
}

/// The shapes of a script's types.
pub(super) struct Shapes {
    all: Vec<Shape>,
    records: Vec<Option<RecordLayout>>,
    lists: FxHashMap<Type, ShapeId>,
    assigned: FxHashSet<(TypeId, u32)>,
    read: FxHashSet<(TypeId, u32)>,
    changed: FxHashSet<Type>,
    /// The record types whose identity the script compares.
    compared: FxHashSet<TypeId>,
}

/// Whether a written element is rolled.
fn rolls(part: &Expr) -> bool {
    let mut rolls = false;
    part.each(&mut |part| rolls |= matches!(part.kind, ExprKind::Roll(_)));
    rolls
}

impl Shapes {
    pub(super) fn of(script: &Module) -> Self {
        Self::reading(script, FxHashSet::default())
    }

    /// The same, where the names of the players who decide, and of the records that they choose
    /// from, count as read.
    pub(super) fn with_names(script: &Module) -> Self {
        let mut read = FxHashSet::default();
        let mut name = |ty: &Type| {
            if let Type::Record(id) = ty {
                let fields = script.record(*id).fields.iter();
                let texts = (0..)
                    .zip(fields)
                    .filter(|(_, field)| field.ty == Type::Text);
                read.extend(texts.map(|(field, _)| (*id, field)).next());
            }
        };
        for function in &script.functions {
            each_expr(&function.body, &mut |expr| {
                let ExprKind::Option(option) = &expr.kind else {
                    return;
                };
                option.who.iter().for_each(|who| name(&who.ty));
                let lists = option
                    .answers
                    .iter()
                    .filter_map(|answers| answers.list.as_ref());
                for list in lists {
                    if let Type::List(element) = &list.ty {
                        name(element);
                    }
                }
            });
        }
        Self::reading(script, read)
    }

    fn reading(script: &Module, read: FxHashSet<(TypeId, u32)>) -> Self {
        let mut shapes = Self {
            all: vec![Shape::Value],
            records: vec![None; script.types.len()],
            lists: FxHashMap::default(),
            assigned: FxHashSet::default(),
            read,
            changed: FxHashSet::default(),
            compared: FxHashSet::default(),
        };
        for function in &script.functions {
            each_stmt(&function.body, &mut |stmt| {
                if let StmtKind::Assign(place, _) | StmtKind::Update(place, ..) = &stmt.kind {
                    shapes.changes(place);
                }
            });
            each_expr(&function.body, &mut |expr| match &expr.kind {
                ExprKind::Append(list, _) | ExprKind::Pop(list) => {
                    shapes.changed.insert(list.ty.clone());
                }
                ExprKind::List(parts) if parts.iter().any(rolls) => {
                    shapes.changed.insert(expr.ty.clone());
                }
                ExprKind::Field(record, field) => {
                    if let Type::Record(id) = record.ty {
                        shapes.read.insert((id, *field));
                    }
                }
                ExprKind::Same(_, record, _) => {
                    if let Type::Record(id) = record.ty {
                        shapes.compared.insert(id);
                    }
                }
                _ => {}
            });
        }
        for id in 0..script.types.len() {
            shapes.record(script, TypeId(id as u32));
        }
        shapes
    }

    /// Marks a place as assigned.
    fn changes(&mut self, place: &Place) {
        match place {
            Place::Local(_) => {}
            Place::Field(record, field) => {
                if let Type::Record(id) = record.ty {
                    self.assigned.insert((id, *field));
                }
            }
            Place::Element(list, _) => {
                self.changed.insert(list.ty.clone());
            }
        }
    }

    /// The shape of values of a type.
    pub(super) fn shape(&mut self, script: &Module, ty: &Type) -> ShapeId {
        match ty {
            Type::Record(id) => self.record(script, *id),
            Type::List(element) => {
                if let Some(shape) = self.lists.get(ty) {
                    return *shape;
                }
                // The depth of types is bounded by the text's nesting, and none contains itself.
                let element = self.shape(script, element);
                let shape = if element.is_object() || self.changed.contains(ty) {
                    self.add(Shape::List(element))
                } else {
                    ShapeId::VALUE
                };
                self.lists.insert(ty.clone(), shape);
                shape
            }
            _ => ShapeId::VALUE,
        }
    }

    fn record(&mut self, script: &Module, id: TypeId) -> ShapeId {
        if let Some(layout) = &self.records[id.index()] {
            return layout.shape;
        }
        let (mut fields, mut fixed, mut objects, mut size) = (Vec::new(), 0, Vec::new(), 1);
        for (place, field) in script.record(id).fields.iter().enumerate() {
            let shape = self.shape(script, &field.ty);
            fields.push(
                if shape.is_object() || self.assigned.contains(&(id, place as u32)) {
                    if shape.is_object() {
                        objects.push((size, shape));
                    }
                    size += 1;
                    FieldPlace::Slot(size - 1)
                } else {
                    fixed += 1;
                    FieldPlace::Fixed(fixed - 1)
                },
            );
        }
        let shape = if size > 1 || self.compared.contains(&id) {
            self.add(Shape::Record(size, objects))
        } else {
            ShapeId::VALUE
        };
        let read = (0..fields.len()).map(|field| self.read.contains(&(id, field as u32)));
        let read = read.collect();
        self.records[id.index()] = Some(RecordLayout {
            fields,
            read,
            shape,
        });
        shape
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        self.all.push(shape);
        ShapeId(self.all.len() as u32 - 1)
    }

    /// The places of the fields of a type.
    pub(super) fn layout(&self, id: TypeId) -> Option<&RecordLayout> {
        self.records[id.index()].as_ref()
    }

    /// The shape of a type of list that the script has.
    pub(super) fn of_list(&self, ty: &Type) -> Option<ShapeId> {
        self.lists.get(ty).copied()
    }

    /// The shape of an id.
    pub(super) fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.index()]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}
