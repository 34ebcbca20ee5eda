//! How types go together. An unknown one, be it a list's element, goes with all.

use crate::hir::Type;

/// How deep lists may nest.
pub(super) const MOST_LISTS: usize = 32;

/// The one type that both are, what is unknown in one being what it is in the other.
pub(super) fn unify(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Unknown, other) | (other, Type::Unknown) => Some(other.clone()),
        (Type::List(a), Type::List(b)) => Some(Type::List(Box::new(unify(a, b)?))),
        _ => (a == b).then(|| a.clone()),
    }
}

/// Whether something about it is unknown.
pub(super) fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::List(element) => is_open(element),
        _ => false,
    }
}

/// How many lists it is deep.
pub(super) fn lists(ty: &Type) -> usize {
    match ty {
        Type::List(element) => 1 + lists(element),
        _ => 0,
    }
}

/// A list of these.
pub(super) fn list_of(element: Type) -> Type {
    Type::List(Box::new(element))
}
