//! The interface of the library: it fits on one page, and no module of it is hidden.

use std::fs;
use std::path::Path;
use syn::{Item, UseTree, Visibility};

/// The maximum number of names at the root of the crate.
const NAMES: usize = 28;

fn names(tree: &UseTree) -> usize {
    match tree {
        UseTree::Path(path) => names(&path.tree),
        UseTree::Group(group) => group.items.iter().map(names).sum(),
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => 1,
    }
}

#[test]
fn the_interface_fits_on_one_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/src");
    let text = fs::read_to_string(folder.join("lib.rs")).expect("the crate has a root");
    let root = syn::parse_file(&text).expect("it compiles");
    let uses = root.items.iter().filter_map(|item| match item {
        Item::Use(one) if matches!(one.vis, Visibility::Public(_)) => Some(names(&one.tree)),
        _ => None,
    });
    let count: usize = uses.sum();
    assert!(
        (1..=NAMES).contains(&count),
        "{count} names: those that few applications need belong to unstable.rs"
    );
    assert!(!text.contains("doc(hidden)"), "what is public is shown");
}
