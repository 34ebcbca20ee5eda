//! Project rules that a test can check: which crate and which folder may use which, and how long
//! files and comments are.

use crate::imports::{circles, imports, sources};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A crate or a folder, and those that it may use.
type Rule = (&'static str, &'static [&'static str]);

/// The crates of the product from the lowest to the highest, and those that each may use. Exact
/// odds know nothing of native code, and neither knows the games.
const CRATES: [Rule; 13] = [
    ("runtime", &[]),
    ("lang", &["runtime"]),
    ("exact", &["runtime", "lang"]),
    ("native", &["runtime", "lang"]),
    ("anydice", &["runtime", "lang"]),
    (
        "compiler",
        &["runtime", "lang", "exact", "native", "anydice"],
    ),
    ("games", &["runtime", "lang"]),
    ("fights", &["runtime", "lang", "compiler", "games"]),
    (
        "tables",
        &["runtime", "lang", "compiler", "games", "fights"],
    ),
    (
        "api",
        &["runtime", "lang", "compiler", "games", "fights", "tables"],
    ),
    ("serve", &["runtime", "lang", "compiler", "tables", "api"]),
    (
        "python",
        &[
            "runtime", "lang", "compiler", "games", "fights", "tables", "api",
        ],
    ),
    (
        "dicec",
        &[
            "runtime", "lang", "exact", "native", "compiler", "games", "fights", "tables", "serve",
        ],
    ),
];

/// The folders of a crate in which data goes one way, and those that each may use.
const STAGES: [(&str, &[Rule]); 3] = [
    (
        "compiler/lang",
        &[
            ("syntax", &[]),
            ("hir", &[]),
            ("front", &["syntax", "hir"]),
            ("check", &["syntax", "hir"]),
            ("interp", &["hir"]),
        ],
    ),
    (
        "compiler/native",
        &[
            ("ir", &[]),
            ("lower", &["ir"]),
            ("analysis", &["ir"]),
            ("ir_text", &["ir", "analysis"]),
            ("pass", &["ir", "analysis"]),
            ("eval", &["ir", "analysis", "pass", "sink", "workspaces"]),
            (
                "jit",
                &["ir", "analysis", "pass", "eval", "sink", "workspaces"],
            ),
        ],
    ),
    (
        "compiler",
        &[
            ("answer", &[]),
            ("verify", &[]),
            ("program", &["answer", "verify"]),
        ],
    ),
];

/// The crates of the product, by their folders.
const FOLDERS: [&str; 15] = [
    "runtime",
    "compiler/lang",
    "compiler/exact",
    "compiler/native",
    "compiler/anydice",
    "compiler",
    "games",
    "fights",
    "tables",
    "api",
    "serve",
    "python",
    "cli",
    "sql",
    "cluster",
];

#[test]
fn crates_use_only_those_below_them() {
    let metadata = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("a document");
    let short = |name: &str| name.strip_prefix("dicec-").unwrap_or(name).to_owned();
    for (name, allowed) in CRATES {
        let packages = metadata["packages"].as_array().expect("packages");
        let package = packages
            .iter()
            .find(|package| package["name"].as_str().map(short).as_deref() == Some(name))
            .unwrap_or_else(|| panic!("{name} is gone"));
        let used = package["dependencies"].as_array().expect("dependencies");
        for one in used.iter().filter(|one| one["kind"].is_null()) {
            let used = one["name"].as_str().expect("a name");
            let is_measured = one["optional"] == true && name == "python";
            assert!(
                !used.starts_with("dicec-")
                    || is_measured
                    || allowed.contains(&short(used).as_str()),
                "{name} uses {used}"
            );
        }
    }
}

#[test]
fn data_goes_one_way() {
    for (package, stages) in STAGES {
        let imports = imports(&root().join(package).join("src"));
        let folders: BTreeSet<&String> = imports.keys().filter_map(|file| file.first()).collect();
        for (stage, allowed) in stages {
            assert!(
                folders.contains(&(*stage).to_owned()),
                "{package}: {stage} is gone"
            );
            let files = imports
                .iter()
                .filter(|(file, _)| file.first().is_some_and(|first| first == stage));
            for (file, used) in files {
                for other in used.iter().filter_map(|other| other.first()) {
                    assert!(
                        other == stage || allowed.contains(&other.as_str()),
                        "{package}: {} uses {other}",
                        file.join("/")
                    );
                }
            }
        }
    }
}

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    for folder in FOLDERS {
        let found = circles(&imports(&root().join(folder).join("src")));
        assert!(found.is_empty(), "{folder}: {found:#?}");
    }
}

#[test]
fn files_and_comments_stay_short_and_say_what_they_are_for() {
    for member in [
        "runtime",
        "compiler",
        "games",
        "fights",
        "tables",
        "api",
        "serve",
        "cli",
        "tests",
        "benches",
        "fuzz",
        "python/src",
        "sql",
        "cluster",
    ] {
        for file in sources(&root().join(member)) {
            if file.components().any(|part| part.as_os_str() == "target") {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a readable file");
            let lines = text.lines().count();
            assert!(lines <= 500, "{} has {lines} lines", file.display());
            assert!(
                text.starts_with("//!"),
                "{} does not say what it is for",
                file.display()
            );
            for (number, line) in (1..).zip(text.lines()) {
                let is_comment = line.trim_start().starts_with("//");
                let columns = line.chars().count();
                assert!(
                    !is_comment || columns <= 100,
                    "{}:{number}: a comment of {columns} columns",
                    file.display()
                );
            }
        }
    }
}
