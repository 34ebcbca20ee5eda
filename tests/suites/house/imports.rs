//! Which files of a crate import which others, read from their `use` declarations.

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree};

/// The path of a module in its crate: empty for the root.
pub(crate) type Module = Vec<String>;

/// All Rust files below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The modules of a crate that are files, each with those that it imports something from. Unit
/// tests may import anything.
pub(crate) fn imports(source: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let files: BTreeMap<Module, PathBuf> = sources(source)
        .into_iter()
        .map(|file| (module_of(source, &file), file))
        .collect();
    let imported = files.iter().map(|(module, file)| {
        let text = fs::read_to_string(file).expect("a readable file");
        let parsed = syn::parse_file(&text);
        let parsed = parsed.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut uses = Uses::default();
        uses.visit_file(&parsed);
        let paths = uses.0.iter();
        let targets = paths.filter_map(|path| target(path, module, &files));
        (module.clone(), targets.collect())
    });
    imported.collect()
}

fn module_of(source: &Path, file: &Path) -> Module {
    let inside = file.strip_prefix(source).expect("a file of the crate");
    let inside = inside.with_extension("");
    let mut steps: Module = inside
        .iter()
        .map(|step| step.to_string_lossy().into_owned())
        .collect();
    if steps
        .last()
        .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
    {
        steps.pop();
    }
    steps
}

/// The paths of `use` declarations.
#[derive(Default)]
struct Uses(Vec<Vec<String>>);

impl Visit<'_> for Uses {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !item.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !item.attrs.iter().any(is_for_tests) {
            self.gather(Vec::new(), &item.tree);
        }
    }
}

fn is_for_tests(attribute: &Attribute) -> bool {
    let argument = attribute.parse_args::<syn::Path>();
    attribute.path().is_ident("cfg") && argument.is_ok_and(|path| path.is_ident("test"))
}

impl Uses {
    fn gather(&mut self, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.gather(path, &step.tree);
            }
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.0.push(path);
            }
            UseTree::Rename(name) => {
                path.push(name.ident.to_string());
                self.0.push(path);
            }
            UseTree::Glob(_) => self.0.push(path),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.gather(path.clone(), tree);
                }
            }
        }
    }
}

/// The module that a path names something of, if it is another one of the crate.
fn target(path: &[String], from: &Module, files: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let mut steps = path.iter().peekable();
    let first = *steps.peek()?;
    let mut at = match first.as_str() {
        "crate" => {
            steps.next();
            Module::new()
        }
        "self" => {
            steps.next();
            from.clone()
        }
        "super" => from.clone(),
        // A child of the module itself, or another crate.
        _ => from.clone(),
    };
    while steps.next_if(|step| *step == "super").is_some() {
        at.pop();
    }
    let start = at.clone();
    for step in steps {
        at.push(step.clone());
        if !files.contains_key(&at) {
            at.pop();
            break;
        }
    }
    let is_outside = at == start && !matches!(first.as_str(), "crate" | "self" | "super");
    (!is_outside && at != *from).then_some(at)
}

/// Files of a crate that import each other in a circle, each circle as the names of its modules. A
/// module and its parents may import each other.
pub(crate) fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<String>> {
    let modules: Vec<&Module> = imports.keys().collect();
    let number = |module: &Module| modules.binary_search(&module).ok();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = modules.iter().map(|_| graph.add_node(())).collect();
    for (module, targets) in imports {
        for other in targets {
            let is_family = module.starts_with(other) || other.starts_with(module);
            if let (Some(from), Some(to), false) = (number(module), number(other), is_family) {
                graph.add_edge(nodes[from], nodes[to], ());
            }
        }
    }
    let found = tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1);
    let named = found.map(|circle| {
        circle
            .iter()
            .map(|one| modules[one.index()].join("/"))
            .collect()
    });
    named.collect()
}

#[test]
fn circles_are_found() {
    let module = |name: &str| name.split('/').map(str::to_owned).collect::<Module>();
    let graph = |edges: &[(&str, &str)]| {
        let mut imports: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (from, to) in edges {
            imports.entry(module(to)).or_default();
            imports.entry(module(from)).or_default().insert(module(to));
        }
        circles(&imports).len()
    };
    assert_eq!(graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]), 1);
    assert_eq!(graph(&[("a", "b"), ("b", "c"), ("a", "c")]), 0);
    assert_eq!(graph(&[("a", "a/b"), ("a/b", "a")]), 0);
}
