//! Types of records.

use super::{Data, Type};
use dicec_runtime::span::Span;

/// A type of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// Its name.
    pub name: String,
    /// Its fields, in written order. No type contains itself, not even by a list.
    pub fields: Vec<Field>,
    /// Where it is defined.
    pub span: Span,
}

impl RecordType {
    /// Whether scripts cannot name its fields.
    pub fn is_opaque(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.name.starts_with(' '))
    }

    /// Whether the language itself defines it.
    pub fn is_built_in(&self) -> bool {
        self.span == Span::default()
    }
}

/// A field of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value if a literal or the arguments leave it out. Literals may leave out any field: one
    /// without a default is then 0, false, empty, or a record of these. Arguments may leave out
    /// only fields with a default.
    pub default: Option<Data>,
    /// Where it is defined.
    pub span: Span,
}
