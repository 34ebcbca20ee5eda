//! What a function may return in place of its result, by the type of that.

use syn::{GenericArgument, PathArguments, PathSegment, ReturnType, Type};

/// Types that are empty by default.
const COLLECTIONS: [&str; 13] = [
    "Vec",
    "VecDeque",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "FxHashMap",
    "FxHashSet",
    "IndexMap",
    "IndexSet",
    "String",
    "SmallVec",
];

const INTEGERS: [&str; 12] = [
    "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
];

/// The values that may be returned: none if the type has none that every program could name.
pub(crate) fn returned(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec!["()".to_owned()],
        ReturnType::Type(_, ty) => of(ty),
    }
}

fn of(ty: &Type) -> Vec<String> {
    let known = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => known(&["()"]),
        Type::Path(path) if path.qself.is_none() => {
            let segment = path.path.segments.last().expect("a path has segments");
            let name = segment.ident.to_string();
            match name.as_str() {
                "bool" => known(&["true", "false"]),
                "f32" | "f64" => known(&["0.0", "1.0"]),
                "Option" => {
                    let mut values = known(&["None"]);
                    values.extend(wrapped("Some", segment));
                    values
                }
                "Result" => wrapped("Ok", segment),
                _ if INTEGERS.contains(&name.as_str()) => known(&["0", "1"]),
                _ if COLLECTIONS.contains(&name.as_str()) => known(&["Default::default()"]),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The values of the first type in brackets, each in a call of this name.
fn wrapped(name: &str, segment: &PathSegment) -> Vec<String> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Vec::new();
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => {
            let inner = of(inner);
            inner
                .iter()
                .map(|value| format!("{name}({value})"))
                .collect()
        }
        _ => Vec::new(),
    }
}
