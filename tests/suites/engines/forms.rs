//! The code and the work that each program of the corpus becomes are those of `tests/forms.tsv`: a
//! change that is not meant to change programs leaves the file as it is, and one that no longer
//! recognises something, or makes code longer or odds dearer, shows where.
//!
//! A line has the program's name (a hash of its text), its file, the lines of the scalar code, of
//! the code for lanes and of Cranelift's IR of that, each with a hash of its text, and the work of
//! exact odds in the budget's units. `UPDATE_FORMS=1` writes what they are now. Programs that are
//! not in the file are not compared, nor are lines without a program.

use dicec_compiler::unstable::Sampling;
use dicec_compiler::{Bound, Compiler};
use dicec_exact::solve;
use dicec_native::jit::vector_listing;
use dicec_native::pass::VectorForm;
use dicec_native::vector_sink;
use dicec_runtime::pmf::{Budget, Limits};
use dicec_tests::answers::bound;
use dicec_tests::conformance::rows;
use dicec_tests::corpus::sources;
use dicec_tests::stages;
use fnv::FnvHasher;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

/// Odds that need more are not compared.
const WORK: u64 = 5_000_000;

/// If fewer lines have a program, it is time to write the file again.
const MIN_COMPARED: usize = 500;

/// The column of Cranelift's IR, among those of [`forms`].
const CLIF: usize = 2;

/// A program's name and what it is made of, as in the file.
type Line = (String, String);

fn hash(text: &str) -> u32 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    (hasher.finish() >> 32) as u32 ^ hasher.finish() as u32
}

/// The size of a text, and its hash.
fn measured(text: &str) -> String {
    format!("{} {:08x}", text.lines().count(), hash(text))
}

/// The columns of a program.
fn forms(roll: &Bound) -> [String; 4] {
    let module = stages::module(roll, true, Sampling::Fused);
    let lanes = stages::form(roll, true).map(|form| (form.module.to_string(), clif(&form)));
    let (lanes, clif) = lanes.unzip();
    let work = work(roll).map(|work| work.to_string());
    let sizes = [Some(module.to_string()), lanes, clif].map(|text| Some(measured(&text?)));
    let [scalar, lanes, clif] = sizes;
    [scalar, lanes, clif, work].map(|cell| cell.unwrap_or_else(|| "-".to_owned()))
}

/// Cranelift's IR without the addresses of functions.
fn clif(form: &VectorForm) -> String {
    let listed = vector_listing(form, vector_sink(form)).expect("it compiles");
    let words = listed.clif.split_inclusive([' ', ',', '\n']);
    let words = words.filter(|word| !is_address(word.trim_end_matches([' ', ',', '\n'])));
    words.collect()
}

/// Whether a word is a hexadecimal number of 48 bits, as addresses are.
fn is_address(word: &str) -> bool {
    word.starts_with("0x") && word.len() == "0x7fff_ffff_ffff".len()
}

/// Whether this machine has the instructions for which the file has Cranelift's IR.
fn has_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The work of exact odds, if they have an answer.
fn work(roll: &Bound) -> Option<u64> {
    let limits = Limits {
        work: WORK,
        ..Limits::default()
    };
    let mut budget = Budget::new(limits);
    solve::<f64>(&roll.question(), &mut budget).ok()?;
    Some(budget.spent())
}

fn line(text: &str, file: &str, roll: &Bound) -> Line {
    let name = format!("{:08x}\t{file}", hash(text));
    (name, forms(roll).join("\t"))
}

/// All programs, as they are now.
fn lines() -> BTreeMap<String, String> {
    let root = format!("{}/../", env!("CARGO_MANIFEST_DIR"));
    let scripts = sources().par_iter().filter_map(|source| {
        let file = source.file.replace(&root, "");
        Some(line(&source.text, &file, &bound(&source.text)?))
    });
    let rows = rows();
    let rules = rows.par_iter().filter_map(|row| {
        let compiler = Compiler::new().dialect(*row.dialects.last()?);
        let roll = compiler.rule(&row.text).ok()?.bind(&row.resources).ok()?;
        Some(line(
            &row.text,
            &format!("tests/conformance/{}", row.file),
            &roll,
        ))
    });
    scripts.chain(rules).collect()
}

/// The columns that are the same on this machine as on any other.
fn comparable(forms: &str) -> Vec<&str> {
    let mut cells: Vec<&str> = forms.split('\t').collect();
    if !has_instructions() {
        cells.remove(CLIF);
    }
    cells
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("forms.tsv")
}

#[test]
fn programs_become_what_they_did() {
    let lines = lines();
    if std::env::var_os("UPDATE_FORMS").is_some() {
        let text: String = lines
            .iter()
            .map(|(name, forms)| format!("{name}\t{forms}\n"))
            .collect();
        fs::write(path(), text).expect("the file can be written");
        return;
    }
    let kept = fs::read_to_string(path()).expect("the file is part of the project");
    let (mut compared, mut different) = (0, String::new());
    for was in kept.lines() {
        let mut cells = was.splitn(3, '\t');
        let [name, file, was] = [(); 3].map(|()| cells.next().expect("three columns"));
        let Some(is) = lines.get(&format!("{name}\t{file}")) else {
            continue;
        };
        compared += 1;
        if comparable(is) != comparable(was) {
            different += &format!("{name} {file}:\n  was {was}\n  is  {is}\n");
        }
    }
    assert!(
        different.is_empty(),
        "{different}UPDATE_FORMS=1 writes them"
    );
    assert!(compared >= MIN_COMPARED, "{compared} lines have a program");
}
