//! Fields of records and elements of lists: their addresses, loads and stores.

use super::body::Body;
use crate::ir::{Field, Imm, Op, Shape, Value};
use dicec_lang::hir::{Expr, Type};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    fn read(&mut self, address: Value, field: Field, shape: Shape) -> Value {
        let data = &self.shared.layout.tables.fields[field];
        if data.written {
            return self.builder.inst(Op::Load, &[address], Imm::Field(field));
        }
        // Known addresses are those of arguments.
        let place = self.builder.as_iconst(address);
        let place = place.map(|address| address + i64::from(data.offset));
        match place.and_then(|place| self.shared.known(place, shape)) {
            Some(word) => self.known_word(word),
            None => self.builder.inst(Op::Peek, &[address], Imm::Field(field)),
        }
    }

    /// The length of the list that `list` gave.
    pub(super) fn length(&mut self, list: &Expr, address: Value) -> Value {
        let list = self.list_data(list).1;
        self.read(address, list.length, Shape::Word)
    }

    /// The index of an element, which traps if there is none.
    pub(super) fn index(&mut self, list: &Expr, address: Value, index: Value, span: Span) -> Value {
        self.builder.set_span(span);
        let length = self.length(list, address);
        self.builder.inst(Op::Index, &[index, length], Imm::None)
    }

    fn element_address(&mut self, list: &Expr, address: Value, index: Value) -> Value {
        let list = self.list_data(list).1;
        let start = self.read(address, list.start, Shape::Word);
        let known = |value| self.builder.as_iconst(value);
        match (known(start), known(index)) {
            (Some(start), Some(index)) => self.builder.iconst(start.wrapping_add(index)),
            _ => self.builder.inst(Op::IaddWrap, &[start, index], Imm::None),
        }
    }

    /// The value of an existing element.
    pub(super) fn element(
        &mut self,
        list: &Expr,
        address: Value,
        index: Value,
        span: Span,
    ) -> Value {
        self.builder.set_span(span);
        let here = self.element_address(list, address, index);
        let data = self.list_data(list).1;
        let word = self.read(here, data.element, data.shape);
        match &list.ty {
            Type::List(ty) => self.value_of(word, ty),
            _ => word,
        }
    }

    /// The last element of a list, which loses it.
    pub(super) fn pop(&mut self, list: &Expr, address: Value, span: Span) -> Value {
        self.builder.set_span(span);
        let length = self.length(list, address);
        let one_less = self.builder.iconst(-1);
        let last = [length, one_less];
        let last = self.builder.inst(Op::IaddWrap, &last, Imm::None);
        let last = self.builder.inst(Op::Index, &[last, length], Imm::None);
        let here = self.element_address(list, address, last);
        let data = self.list_data(list).1;
        let word = self.read(here, data.element, data.shape);
        let length = Imm::Field(data.length);
        self.builder.inst(Op::Store, &[address, last], length);
        word
    }

    pub(super) fn put_element(
        &mut self,
        list: &Expr,
        address: Value,
        index: Value,
        word: Value,
        span: Span,
    ) {
        self.builder.set_span(span);
        let here = self.element_address(list, address, index);
        let element = Imm::Field(self.list_data(list).1.element);
        self.builder.inst(Op::Store, &[here, word], element);
    }

    /// The word of a field of the record that `record` gave.
    pub(super) fn field(&mut self, record: &Expr, address: Value, place: u32, span: Span) -> Value {
        self.builder.set_span(span);
        match record.ty {
            Type::Record(id) => {
                let record = &self.shared.layout.tables.records[id.index()];
                let (field, shape) = record.fields[place as usize];
                self.read(address, field, shape)
            }
            _ => bug!("{:?} is not a record", record.ty).raise(),
        }
    }

    pub(super) fn put_field(
        &mut self,
        record: &Expr,
        address: Value,
        place: u32,
        word: Value,
        span: Span,
    ) {
        let Type::Record(id) = record.ty else {
            bug!("{:?} is not a record", record.ty).raise()
        };
        let field = Imm::Field(self.shared.layout.field_of(id.0, place));
        self.inst(span, Op::Store, &[address, word], field);
    }
}
