//! Unification of types. An unknown type, also as an element of a list, is compatible with every
//! type.

use crate::hir::Type;

/// How deep lists may nest.
pub(super) const MAX_LISTS: usize = 32;

/// The common type of both: what is unknown in one is taken from the other.
pub(super) fn unify(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Unknown, other) | (other, Type::Unknown) => Some(other.clone()),
        (Type::List(a), Type::List(b)) => Some(Type::List(Box::new(unify(a, b)?))),
        _ => (a == b).then(|| a.clone()),
    }
}

/// Whether a part of it is unknown.
pub(super) fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::List(element) => is_open(element),
        _ => false,
    }
}

/// How deep its lists nest.
pub(super) fn lists(ty: &Type) -> usize {
    match ty {
        Type::List(element) => 1 + lists(element),
        _ => 0,
    }
}

/// A list of this type.
pub(super) fn list_of(element: Type) -> Type {
    Type::List(Box::new(element))
}
