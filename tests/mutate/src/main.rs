//! Writes mutants into a copy of the compiler's source: `dicec-mutate TREE OUT.tsv --one-in N
//! --seed S [--skip FILE] PATH...`
//!
//! A mutant is one small fault: `<` for `<=`, a function that returns nothing, an arm that is gone.
//! All of them are in one build, each behind a switch, so that a suite is built once and run with
//! one mutant at a time. `.ci/mutants` does this.
//!
//! ```text
//! PATH... --find--> mutants --chosen, apart--> --edited--> the same files
//!                                  \--> OUT.tsv             \--switch--> mutants.rs
//! ```
//!
//! `operators` and `values` say what is replaced with what. A mutant has the same number whatever
//! others are chosen. Those of `--skip`, lines as in OUT.tsv but for the number, do not compile:
//! they are not written, and have the number 0 in OUT.tsv.

mod find;
mod mutant;
mod operators;
mod switch;
#[cfg(test)]
mod tests;
mod values;

use fnv::FnvHasher;
use mutant::Mutant;
use std::collections::HashSet;
use std::error::Error;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use switch::CRATES;

type Outcome<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "dicec-mutate TREE OUT.tsv --one-in N --seed S [--skip FILE] PATH...";

/// What the command line says.
struct Wanted {
    tree: PathBuf,
    out: PathBuf,
    one_in: u64,
    seed: u64,
    skip: Option<PathBuf>,
    paths: Vec<String>,
}

fn wanted(mut words: impl Iterator<Item = String>) -> Outcome<Wanted> {
    let mut plain = Vec::new();
    let (mut one_in, mut seed, mut skip) = (1, 0, None);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE);
        match word.as_str() {
            "--one-in" => one_in = value()?.parse::<u64>()?.max(1),
            "--seed" => seed = value()?.parse()?,
            "--skip" => skip = Some(value()?.into()),
            _ => plain.push(word),
        }
    }
    if plain.len() < 3 {
        return Err(USAGE.into());
    }
    let paths = plain.split_off(2);
    if let Some(other) = paths.iter().find(|path| {
        !CRATES
            .iter()
            .any(|source| Path::new(path).starts_with(source))
    }) {
        return Err(format!("{other} is not in {}", CRATES.join(" or ")).into());
    }
    let [tree, out] = [0, 1].map(|index: usize| PathBuf::from(&plain[index]));
    Ok(Wanted {
        tree,
        out,
        one_in,
        seed,
        skip,
        paths,
    })
}

/// The Rust files at a path of a tree but those of tests, in the order of their names.
fn sources(tree: &Path, path: &str, found: &mut Vec<String>) -> io::Result<()> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let full = tree.join(path);
    if full.is_dir() && name != "tests" {
        let mut names = Vec::new();
        for entry in fs::read_dir(full)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        for name in names {
            sources(
                tree,
                &format!("{}/{name}", path.trim_end_matches('/')),
                found,
            )?;
        }
    } else if name.ends_with(".rs") && name != "tests.rs" {
        fs::metadata(full)?;
        found.push(path.to_owned());
    }
    Ok(())
}

/// A number for a mutant that looks random, and is the same each time.
fn dice(mutant: &Mutant, seed: u64) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write_u64(seed);
    hasher.write(mutant.key().as_bytes());
    // The low bits of the sum alone follow those of its last bytes.
    let sum = hasher.finish();
    (sum ^ (sum >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// Every nth mutant, without those that would be in others, in the order of the sources.
fn chosen(mutants: Vec<Mutant>, one_in: u64, seed: u64) -> Vec<Mutant> {
    let mut lucky = mutants;
    lucky.retain(|mutant| dice(mutant, seed).is_multiple_of(one_in));
    lucky.sort_by_key(|mutant| dice(mutant, seed));
    let mut chosen = mutant::apart(lucky);
    chosen.sort_by_key(|mutant| mutant.id);
    chosen
}

fn main() -> Outcome<()> {
    let wanted = wanted(env::args().skip(1))?;
    let mut files = Vec::new();
    for path in &wanted.paths {
        sources(&wanted.tree, path, &mut files)?;
    }
    files.sort();
    files.dedup();
    let mut all = Vec::new();
    for file in &files {
        let source = fs::read_to_string(wanted.tree.join(file))?;
        let found = find::mutants(&source).map_err(|error| format!("{file}: {error}"))?;
        for mut mutant in found {
            mutant.file.clone_from(file);
            mutant.id = u32::try_from(all.len() + 1)?;
            all.push(mutant);
        }
    }
    let (count, last) = (all.len(), u32::try_from(all.len())?);

    let skip = wanted
        .skip
        .map(fs::read_to_string)
        .transpose()?
        .unwrap_or_default();
    let skip: HashSet<&str> = skip.lines().collect();
    let mut chosen = chosen(all, wanted.one_in, wanted.seed);
    for mutant in &mut chosen {
        if skip.contains(mutant.key().as_str()) {
            mutant.id = 0;
        }
    }
    let rows = chosen
        .iter()
        .map(|mutant| format!("{}\t{}\n", mutant.id, mutant.key()));
    fs::write(wanted.out, rows.collect::<String>())?;
    chosen.retain(|mutant| mutant.id > 0);
    for of_file in chosen.chunk_by(|a, b| a.file == b.file) {
        let path = wanted.tree.join(&of_file[0].file);
        let source = fs::read_to_string(&path)?;
        fs::write(path, mutant::edited(&source, of_file))?;
    }
    switch::add(&wanted.tree, last)?;
    println!("{} of {count} mutants", chosen.len());
    Ok(())
}
