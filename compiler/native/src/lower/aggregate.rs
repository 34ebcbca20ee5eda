//! Allocates records and lists: from the values of expressions, and from constants.

use super::body::Body;
use crate::ir::{Imm, ListKind, Op, Shape, Value};
use dicec_lang::hir::{Data, Expr, TypeId};
use dicec_runtime::bug;
use dicec_runtime::float::key;
use dicec_runtime::script::HEADER;
use dicec_runtime::span::Span;

impl<'s> Body<'_, 's> {
    /// A new record: the written fields in written order, then the others.
    pub(super) fn record(&mut self, id: TypeId, written: &'s [(u32, Expr)], span: Span) -> Value {
        let script = self.shared.script;
        let fields = &script.record(id).fields;
        let mut given: Vec<Option<Value>> = vec![None; fields.len()];
        for (place, value) in written {
            given[*place as usize] = Some(self.word(value));
        }
        let left_out: Vec<Option<Data>> = fields
            .iter()
            .zip(&given)
            .map(|(field, given)| given.is_none().then(|| script.left_out(field)))
            .collect();
        let inner: u64 = left_out.iter().flatten().map(Data::cost).sum();
        self.fuel(script.record_cost(id) + inner, span);
        let shapes = self.shapes(id);
        let words: Vec<Value> = given
            .into_iter()
            .zip(left_out.iter().zip(shapes))
            .map(|(given, (data, shape))| match (given, data) {
                (Some(value), _) => value,
                (None, Some(data)) => self.data(data, shape, span),
                (None, None) => self.builder.iconst(0),
            })
            .collect();
        self.new_record(id, &words)
    }

    /// The contents of a record's fields.
    fn shapes(&self, id: TypeId) -> Vec<Shape> {
        let fields = &self.shared.layout.tables.records[id.index()].fields;
        fields.iter().map(|&(_, shape)| shape).collect()
    }

    fn new_record(&mut self, id: TypeId, words: &[Value]) -> Value {
        let count = self.shared.layout.tables.records[id.index()].words();
        let address = self.builder.inst(Op::Alloc, &[], Imm::Int(count as i64));
        for (place, &word) in (0..).zip(words) {
            let field = self.shared.layout.field_of(id.0, place);
            self.builder
                .inst(Op::Store, &[address, word], Imm::Field(field));
        }
        address
    }

    /// A new list of these words.
    pub(super) fn list(&mut self, words: &[Value], kind: ListKind) -> Value {
        let list = self.shared.layout.tables.lists[kind];
        let count = Imm::Int(words.len() as i64);
        let address = self.builder.inst(Op::NewList, &[], count);
        for (place, &word) in (HEADER..).zip(words) {
            let place = self.builder.iconst(place);
            let here = self
                .builder
                .inst(Op::IaddWrap, &[address, place], Imm::None);
            let element = Imm::Field(list.element);
            self.builder.inst(Op::Store, &[here, word], element);
        }
        address
    }

    /// The word of a constant, in new records and lists.
    fn data(&mut self, data: &Data, shape: Shape, span: Span) -> Value {
        self.builder.set_span(span);
        match (data, shape) {
            (Data::Int(value) | Data::Named(value), _) => self.builder.iconst(*value),
            (Data::Float(value), _) => self.builder.iconst(key(value.get())),
            (Data::Bool(value), _) => self.builder.iconst(i64::from(*value)),
            (Data::Text(text), _) => self.text(text, span),
            (Data::List(values), Shape::List(kind)) => {
                let element = self.shared.layout.tables.lists[kind].shape;
                let words: Vec<Value> = values
                    .iter()
                    .map(|value| self.data(value, element, span))
                    .collect();
                self.list(&words, kind)
            }
            (Data::Record(values), Shape::Record(number)) => {
                let id = TypeId(number);
                let words: Vec<Value> = values
                    .iter()
                    .zip(self.shapes(id))
                    .map(|(value, shape)| self.data(value, shape, span))
                    .collect();
                self.new_record(id, &words)
            }
            (Data::List(_) | Data::Record(_), _) => bug!("data that is not {shape:?}").raise(),
        }
    }
}
