//! Project rules that a test can check: which folder may use which, and how long files and
//! comments are.

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

/// The stages of the compiler, by folder, and the stages that each may use. Data goes one way:
/// nothing below `lower` knows a front end, nothing above it knows a back end.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("syntax", &[]),
    ("hir", &[]),
    ("front", &["syntax", "hir"]),
    ("check", &["syntax", "hir"]),
    ("ir", &[]),
    ("lower", &["hir", "ir"]),
    ("analysis", &["ir"]),
    ("ir_text", &["ir", "analysis"]),
    ("pass", &["ir", "analysis"]),
    ("engine", &["hir", "ir", "analysis", "pass"]),
    ("verify", &["ir", "pass", "engine"]),
    ("answer", &["syntax", "hir", "engine"]),
];

/// The folders without import cycles between their files.
const WITHOUT_CYCLES: [&str; 5] = ["ir", "ir_text", "analysis", "pass", "engine/jit"];

/// The code of a file without comments and unit tests, which may use anything.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a readable file");
    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..tests].lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

#[test]
fn data_goes_one_way() {
    let compiler = root().join("compiler/src");
    for (stage, allowed) in MAY_USE {
        let files = sources(&compiler.join(stage));
        assert!(!files.is_empty(), "{stage} is gone");
        for file in files {
            let code = code(&file);
            for used in code.split("crate::").skip(1) {
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

/// The paths that `use` declarations of some code name, without what they import: `super::edge`,
/// say.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for declaration in code.split("\nuse ").skip(1) {
        let end = declaration.find(';').expect("a declaration ends");
        let declaration: String = declaration[..end].split_whitespace().collect();
        match declaration.split_once('{') {
            None => found.push(declaration),
            Some((path, names)) => {
                let names = names.trim_end_matches('}').split([',', '{']);
                found.extend(names.map(|name| format!("{path}{name}")));
            }
        }
    }
    found
}

/// The files that a file imports, of those in `folder`. A name that is not that of a file is one of
/// the folder's `mod.rs`.
fn imported(folder: &str, files: &[PathBuf], file: &Path) -> Vec<PathBuf> {
    let compiler = root().join("compiler/src");
    let here = file.parent().expect("a folder");
    let is_mod = file.ends_with("mod.rs");
    let inside = folder.replace('/', "::");
    let mut found = Vec::new();
    for path in imports(&format!("\n{}", code(file))) {
        let mut steps = path.split("::").peekable();
        let mut at = match steps.next() {
            Some("super") if is_mod => here.parent().expect("a folder").to_owned(),
            Some("super") => here.to_owned(),
            Some("crate") if path.starts_with(&format!("crate::{inside}")) => compiler.clone(),
            _ => continue,
        };
        while steps.next_if_eq(&"super").is_some() {
            at = at.parent().expect("a folder").to_owned();
        }
        for step in steps {
            at.push(step);
            if !at.is_dir() {
                break;
            }
        }
        let as_file = at.with_extension("rs");
        let target = if files.contains(&as_file) {
            as_file
        } else if at.is_dir() {
            at.join("mod.rs")
        } else {
            at.parent().expect("a folder").join("mod.rs")
        };
        if target != file && files.contains(&target) {
            found.push(target);
        }
    }
    // A folder's `mod.rs` shows what is in its files.
    if is_mod {
        let code = code(file);
        for used in code.split("use ").skip(1) {
            let name = used.split("::").next().expect("the first of some").trim();
            let target = here.join(name).with_extension("rs");
            if files.contains(&target) {
                found.push(target);
            }
        }
    }
    found
}

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    for folder in WITHOUT_CYCLES {
        let files = sources(&root().join("compiler/src").join(folder));
        let mut left: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
        for file in &files {
            left.push((file.clone(), imported(folder, &files, file)));
        }
        // Files whose imports are all gone go, until none is left but those of circles.
        loop {
            let names: Vec<PathBuf> = left.iter().map(|(file, _)| file.clone()).collect();
            let before = left.len();
            left.retain(|(_, imports)| imports.iter().any(|import| names.contains(import)));
            if left.len() == before {
                break;
            }
        }
        let told = |path: &PathBuf| path.file_name().map(|name| name.to_owned());
        let circles: Vec<_> = left
            .iter()
            .map(|(file, imports)| (told(file), imports.iter().map(told).collect::<Vec<_>>()))
            .collect();
        assert!(circles.is_empty(), "{folder}: {circles:#?}");
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
        // The library's entry is above all stages; `std` holds scripts, which are not a stage.
        assert!(
            !path.is_dir() || listed || matches!(name.as_str(), "program" | "std"),
            "{name} has no rule"
        );
    }
}

#[test]
fn files_and_comments_stay_short_and_say_what_they_are_for() {
    for member in [
        "runtime",
        "compiler",
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
