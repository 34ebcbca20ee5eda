//! The seed contract: what a seed gives, for rules and scripts, faithful and fused, in scalar and
//! in vector code, on every engine. `golden/*.txt` hold the digests; a change there is a change of
//! what users were promised, and CHANGELOG names it.
//!
//! `UPDATE_GOLDEN=1 cargo test -p dicec --test golden` writes them again.

use serde_json::Value;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Too few for a script to be compiled for its arguments, and no whole number of lanes.
const FEW: &str = "3001";

/// Enough for all of it, in more than one chunk.
const MANY: &str = "150001";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// What the command prints as JSON.
fn dicec(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_dicec"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .args(args)
        .args(["--json", "--seed", "20_261"])
        .output()
        .expect("the command starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

/// Adds what was rolled to a digest: outcomes with their counts, lines, statistics; nothing that
/// depends on the clock.
fn digest(json: &Value, hash: &mut fnv::FnvHasher) {
    match json {
        Value::Object(members) => {
            for key in ["value", "count", "line", "per_trial", "name"] {
                if let Some(part) = members.get(key) {
                    hash.write(format!("{key}={part};").as_bytes());
                }
            }
            let parts = ["result", "outcomes", "lines", "stats", "odds"];
            for part in parts.iter().filter_map(|key| members.get(*key)) {
                digest(part, hash);
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| digest(part, hash)),
        _ => {}
    }
}

fn simulated(args: &[&str], sampling: &str, backend: &str, trials: &str) -> String {
    let how = ["-n", trials, "--sampling", sampling, "--backend", backend];
    let json = dicec(&[&["sim"], args, &how].concat());
    let mut hash = fnv::FnvHasher::default();
    digest(&json, &mut hash);
    format!("{:016x}", hash.finish())
}

/// The digests of one case; few trials give the same on both engines.
fn row(args: &[&str]) -> String {
    let both = |sampling| {
        let native = simulated(args, sampling, "jit", FEW);
        let interpreted = simulated(args, sampling, "interp", FEW);
        assert_eq!(native, interpreted, "{args:?}, {sampling}");
        native
    };
    [
        both("faithful"),
        both("fused"),
        simulated(args, "faithful", "jit", MANY),
        simulated(args, "fused", "jit", MANY),
    ]
    .join(" ")
}

/// Compares each line `arguments => digests` of a file with what `row` gives now.
fn hold(file: &str, row: impl Fn(&[&str]) -> String) {
    let path = folder().join(file);
    let text = fs::read_to_string(&path).expect("the file is part of the project");
    let mut now = String::new();
    for line in text.lines() {
        let (case, _) = line.split_once(" => ").unwrap_or((line, ""));
        if case.starts_with('#') || case.is_empty() {
            now += &format!("{case}\n");
            continue;
        }
        let args: Vec<&str> = case.split(" | ").collect();
        now += &format!("{case} => {}\n", row(&args));
    }
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, now).expect("the file can be written");
        return;
    }
    for (before, now) in text.lines().zip(now.lines()) {
        assert_eq!(now, before, "{file}: a seed gives other rolls");
    }
    assert_eq!(text.lines().count(), now.lines().count());
}

#[test]
fn simulations_of_rules() {
    hold("rules.txt", row);
}

#[test]
fn simulations_of_scripts() {
    hold("scripts.txt", row);
}

/// Single rolls, as they are shown.
#[test]
fn rolls() {
    hold("rolls.txt", |args| {
        let shown = ["0", "1", "2"].map(|trial| {
            let json = dicec(&[&["roll", "--trial", trial], args].concat());
            json["rendered"].as_str().unwrap_or_default().to_owned()
        });
        shown.join("; ")
    });
}
