//! The rule libraries that come with the compiler, written in the language itself: `import
//! std.NAME;`.

/// The libraries: their names and texts.
const LIBRARIES: [(&str, &str); 5] = [
    ("dh2e", include_str!("../../std/dh2e.dice")),
    ("dnd", include_str!("../../std/dnd.dice")),
    ("pathfinder", include_str!("../../std/pathfinder.dice")),
    ("percentile", include_str!("../../std/percentile.dice")),
    ("pools", include_str!("../../std/pools.dice")),
];

/// The text of a library.
pub fn library(name: &str) -> Option<&'static str> {
    let mut libraries = LIBRARIES.iter();
    libraries
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
}

/// The functions of a library, in written order.
pub fn library_functions(name: &str) -> impl Iterator<Item = &'static str> {
    let text = library(name).unwrap_or_default();
    let definitions = text.lines().filter_map(|line| line.strip_prefix("deffun "));
    definitions.filter_map(|rest| rest.split('(').next())
}

/// The names of all libraries, in order.
pub fn libraries() -> impl Iterator<Item = &'static str> {
    LIBRARIES.iter().map(|(name, _)| *name)
}
