//! The rules of the house that a machine can hold: which folder knows which, and how long files are.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
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

/// The stages of the compiler, by folder, and the stages that each may use. Data goes one way: nothing below `lower` knows a front
/// end, nothing above it knows a back end.
const MAY_USE: [(&str, &[&str]); 8] = [
    ("syntax", &[]),
    ("hir", &[]),
    ("front", &["syntax", "hir"]),
    ("check", &["syntax", "hir"]),
    ("ir", &[]),
    ("lower", &["hir", "ir"]),
    ("pass", &["ir"]),
    ("engine", &["hir", "ir", "pass"]),
];

#[test]
fn data_goes_one_way() {
    let compiler = root().join("compiler/src");
    for (stage, allowed) in MAY_USE {
        let files = sources(&compiler.join(stage));
        assert!(!files.is_empty(), "{stage} is gone");
        for file in files {
            let text = fs::read_to_string(&file).expect("a readable file");
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for used in code.flat_map(|line| line.split("crate::").skip(1)) {
                let end = used.find(|c: char| !c.is_alphanumeric() && c != '_');
                let used = &used[..end.unwrap_or(used.len())];
                assert!(
                    used == stage || allowed.contains(&used),
                    "{} uses crate::{used}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn every_stage_is_listed() {
    let compiler = root().join("compiler/src");
    let folders = fs::read_dir(compiler).expect("the folder is part of the project");
    for entry in folders {
        let path = entry.expect("a readable folder").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let listed = MAY_USE.iter().any(|(stage, _)| *stage == name);
        // The library's entry stands above all stages; `std` holds scripts, which are no stage.
        assert!(
            !path.is_dir() || listed || matches!(name.as_str(), "program" | "std"),
            "{name} has no rule"
        );
    }
}

#[test]
fn files_stay_short_and_say_what_they_are_for() {
    for member in ["runtime", "compiler", "cli", "tests", "benches", "fuzz"] {
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
        }
    }
}
