//! AnyDice programs in dicec and in `eurydice_engine`, from the text to all outputs, in one run:
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml
//! ```
//!
//! The programs are those of `tests/suites/anydice/programs` and the files that are given:
//! `.anydice`, or JSON with `cases`. A program is timed where both have the same outputs; others
//! are listed.

use dicec_benches::measure::{Variant, medians};
use dicec_compiler::{Compiler, Control};
use dicec_runtime::pmf::Limits;
use eurydice_engine::Engine;
use serde_json::Value;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A run of either that takes longer is timed once.
const LONG: Duration = Duration::from_millis(200);

/// Probabilities that differ by more are not equal: one of the two has floats.
const TOLERANCE: f64 = 1e-9;

/// The results of an output, with their probabilities.
type Outcomes = Vec<(i64, f64)>;

/// A program and where it is from.
struct Case {
    name: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/anydice/programs");
    let mut files: Vec<PathBuf> = fs::read_dir(own)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    files.sort();
    files.extend(std::env::args_os().skip(1).map(PathBuf::from));
    let mut cases = Vec::new();
    for file in &files {
        cases.extend(read(file)?);
    }
    let mut rows = Vec::new();
    for case in &cases {
        match timed(case) {
            Ok(row) => rows.push(row),
            Err(why) => println!("not timed: {}: {why}", case.name),
        }
    }
    report(rows);
    Ok(())
}

/// The programs of a file.
fn read(file: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let is = |ending: &str| file.extension().is_some_and(|found| found == ending);
    if is("anydice") {
        let name = name.into_owned();
        return Ok(vec![Case { name, text }]);
    }
    if !is("json") {
        return Ok(Vec::new());
    }
    let document: Value = serde_json::from_str(&text)?;
    let cases = document["cases"].as_array().ok_or("no list of cases")?;
    let good = cases.iter().filter(|case| case.get("error").is_none());
    let case = |case: &Value| {
        Some(Case {
            name: case["id"].as_str()?.to_owned(),
            text: case["program"].as_str()?.to_owned(),
        })
    };
    Ok(good.filter_map(case).collect())
}

/// The nanoseconds of dicec and of the other.
fn timed(case: &Case) -> Result<(String, f64, f64), String> {
    let start = Instant::now();
    let ours = by_us(&case.text)?;
    let our_time = start.elapsed();
    let start = Instant::now();
    let theirs = catch_unwind(|| by_them(&case.text)).map_err(|_| "the other panicked")??;
    let their_time = start.elapsed();
    if !are_equal(&ours, &theirs) {
        return Err("the outputs differ".to_owned());
    }
    if our_time.max(their_time) > LONG {
        let nanos = [our_time, their_time].map(|time| time.as_nanos() as f64);
        return Ok((case.name.clone(), nanos[0], nanos[1]));
    }
    let repeat = |run: fn(&str)| {
        let text = &case.text;
        move |times| (0..times).for_each(|_| run(black_box(text)))
    };
    let times = medians(&[
        Variant::new("dicec", repeat(|text| drop(black_box(by_us(text))))),
        Variant::new("eurydice", repeat(|text| drop(black_box(by_them(text))))),
    ]);
    Ok((case.name.clone(), times[0], times[1]))
}

fn by_us(text: &str) -> Result<Vec<Outcomes>, String> {
    let program = Compiler::new().anydice(text);
    let program = program.map_err(|found| format!("dicec refuses it: {found:?}"))?;
    let outputs = program.outputs(&[], &Limits::default(), &Control::default());
    let outputs = outputs.map_err(|why| format!("dicec fails: {why}"))?;
    let answers = outputs.answers.iter();
    Ok(answers
        .map(|named| {
            let odds = named.answer.result.iter();
            odds.flat_map(|odds| odds.probabilities()).collect()
        })
        .collect())
}

fn by_them(text: &str) -> Result<Vec<Outcomes>, String> {
    let report = Engine::new().run_source(text);
    if let Some(error) = report.diagnostics.first_error() {
        let why = error.primary_label.message.as_deref();
        return Err(format!("the other refuses it: {}", why.unwrap_or_default()));
    }
    let outputs = report.outputs.iter();
    Ok(outputs
        .map(|output| {
            let entries = output.distribution.entries();
            entries.map(|(value, p)| (i64::from(value[0]), p)).collect()
        })
        .collect())
}

fn are_equal(ours: &[Outcomes], theirs: &[Outcomes]) -> bool {
    let pairs = || ours.iter().zip(theirs);
    ours.len() == theirs.len()
        && pairs().all(|(ours, theirs)| ours.len() == theirs.len())
        && pairs().all(|(ours, theirs)| {
            let mut pairs = ours.iter().zip(theirs);
            pairs.all(|(ours, theirs)| ours.0 == theirs.0 && (ours.1 - theirs.1).abs() < TOLERANCE)
        })
}

/// The other takes about this long for a program that does nothing, in nanoseconds.
const THEIR_START: f64 = 170_000.0;

/// The geometric means, the number of programs in which dicec is slower, and the extremes.
fn report(mut rows: Vec<(String, f64, f64)>) {
    rows.sort_by(|a, b| (a.2 / a.1).total_cmp(&(b.2 / b.1)));
    let is_long = |row: &&(String, f64, f64)| row.2 > 2.0 * THEIR_START;
    let long: Vec<_> = rows.iter().filter(is_long).cloned().collect();
    let slower = rows.iter().filter(|(_, ours, theirs)| ours > theirs);
    println!(
        "{} programs: dicec is {:.1} times as fast in the geometric mean; slower in {}",
        rows.len(),
        mean(&rows),
        slower.count()
    );
    println!(
        "{} of them take the other longer than twice its start: {:.1} times as fast",
        long.len(),
        mean(&long)
    );
    println!(
        "{:32} {:>12} {:>12} {:>8}",
        "microseconds", "dicec", "eurydice", "ratio"
    );
    let ends = rows.len().saturating_sub(8);
    for (place, (name, ours, theirs)) in rows.iter().enumerate() {
        if place < 15 || place >= ends {
            let (ours, theirs) = (ours / 1000.0, theirs / 1000.0);
            println!("{name:32} {ours:12.1} {theirs:12.1} {:8.1}", theirs / ours);
        }
    }
}

/// The geometric mean of how often dicec is as fast.
fn mean(rows: &[(String, f64, f64)]) -> f64 {
    let logs = rows.iter().map(|(_, ours, theirs)| (theirs / ours).ln());
    (logs.sum::<f64>() / rows.len() as f64).exp()
}
