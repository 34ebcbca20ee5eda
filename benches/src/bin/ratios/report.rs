//! The results, as tables and as JSON.

use crate::latency::{Compile, Threads};
use dicec_benches::measure::{Variant, medians};
use dicec_benches::table::ROWS;
use dicec_benches::workload::JUDGED;
use serde_json::{Map, Value, json};

/// Everything that is measured.
pub(crate) struct Found {
    pub(crate) throughput: Vec<Row>,
    /// The corpus of scripts.
    pub(crate) scripts: Vec<Row>,
    /// Rules of many different results.
    pub(crate) wide: Vec<Row>,
    /// Tables of scripts.
    pub(crate) tables: Vec<Row>,
    pub(crate) exact: Vec<Row>,
    pub(crate) compile: Compile,
    /// The few trials at which native code begins to be worth it.
    pub(crate) few: Vec<Row>,
    pub(crate) threads: Threads,
}

/// A piece of work, and the nanoseconds that each variant takes for it.
pub(crate) struct Row {
    name: &'static str,
    times: Vec<(&'static str, f64)>,
}

impl Row {
    /// Measures.
    pub(crate) fn new(name: &'static str, variants: &[Variant<'_>]) -> Self {
        let times = medians(variants);
        Self {
            name,
            times: variants.iter().map(|v| v.name).zip(times).collect(),
        }
    }

    fn time(&self, variant: &str) -> Option<f64> {
        let found = self.times.iter().find(|(name, _)| *name == variant);
        found.map(|(_, time)| *time)
    }

    /// The fastest of the variants that are dicec's, or that are not, and count outcomes.
    fn best(&self, ours: bool) -> Option<(&'static str, f64)> {
        let counts = self.times.iter().filter(|(name, _)| *name != "jit_moments");
        let candidates = counts.filter(|(name, _)| is_ours(name) == ours);
        candidates.min_by(|a, b| a.1.total_cmp(&b.1)).copied()
    }

    /// Which is faster, the best of dicec or the best of the others, and by how much.
    fn verdict(&self) -> String {
        let (Some((our, ours)), Some((their, theirs))) = (self.best(true), self.best(false)) else {
            return "-".to_owned();
        };
        if ours <= theirs {
            format!("{our}, {:.2}x {their}", theirs / ours)
        } else {
            format!("{their}, {:.2}x {our}", ours / theirs)
        }
    }

    /// How many times the second variant's time the first one's is.
    fn ratio(&self, slow: &str, fast: &str) -> Option<f64> {
        Some(self.time(slow)? / self.time(fast)?)
    }
}

fn is_ours(variant: &str) -> bool {
    ["interp", "jit", "dicec"]
        .iter()
        .any(|ours| variant.starts_with(ours))
}

/// The names of all variants, in the order of their first row.
fn variants(rows: &[Row]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.times) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    names
}

impl Found {
    /// How much faster fused native code is than plain Rust: the geometric mean over the rules that
    /// it is judged by.
    fn geometric_mean(&self) -> f64 {
        let judged = |row: &&Row| JUDGED.contains(&row.name);
        geometric_mean(
            self.throughput.iter().filter(judged),
            "plain_rust",
            "jit_fused",
        )
    }

    /// Nanoseconds a roll, the rest in microseconds.
    pub(crate) fn json(&self) -> Value {
        json!({
            "throughput": nested(self.throughput.iter().chain(&self.wide), 1.0),
            "scripts": nested(self.scripts.iter(), 1.0),
            "geometric_mean": {
                "fused/plain": self.geometric_mean(),
                "scripts": geometric_mean(&self.scripts, "plain_rust", "jit_fused"),
            },
            "tables": nested(self.tables.iter(), ROW),
            "exact": nested(self.exact.iter(), 1000.0),
            "compile": { "cold": self.compile.cold, "warm": self.compile.warm,
                "fight_for_any": self.compile.fight[0], "fight_for_known": self.compile.fight[1] },
            "few": nested(self.few.iter(), 1000.0),
            "threads": {
                "one": self.threads.one,
                "two": self.threads.two,
                "ratio": self.threads.one / self.threads.two,
            },
        })
    }

    pub(crate) fn print(&self) {
        println!("sampling: nanoseconds a roll, one core, medians\n");
        times(&self.throughput, 1.0);
        println!(
            "\nsampling: how many times as fast (hand_faithful takes a word a die, as jit_faithful does)\n"
        );
        let ratios = [
            ("faithful/hand", "hand_faithful", "jit_faithful"),
            ("fused/plain", "plain_rust", "jit_fused"),
            ("fused/scalar", "hand_scalar", "jit_fused"),
            ("fused/simd", "hand_simd", "jit_fused"),
            ("fused/xdy", "xdy", "jit_fused"),
            ("moments/fused", "jit_fused", "jit_moments"),
        ];
        comparison(&self.throughput, &ratios);
        println!(
            "\nfused/plain, geometric mean of the rules {}: {:.2}x",
            JUDGED.join(", "),
            self.geometric_mean()
        );
        println!();
        print_scripts(&self.scripts);
        println!(
            "\nmany different results, counted (jit_fused) and summed up (jit_moments): nanoseconds a roll\n"
        );
        times(&self.wide, 1.0);
        println!();
        comparison(&self.wide, &[("moments/fused", "jit_fused", "jit_moments")]);
        println!();
        print_tables(&self.tables);
        println!("\nexact odds: microseconds an answer\n");
        times(&self.exact, 1000.0);
        println!();
        comparison(&self.exact, &[("dicec/xdy", "xdy", "dicec")]);
        println!(
            "\nthe trials from which on each is compiled, compilation included: microseconds\n"
        );
        times(&self.few, 1000.0);
        let Compile { cold, warm, fight } = self.compile;
        println!("\n3d6 from text to callable native code: {cold:.0} us cold, {warm:.0} us warm");
        print_fight(fight);
        let Threads { one, two } = self.threads;
        println!(
            "3d6 on two threads: {two:.2} ns a roll, on one {one:.2}: {:.2}x",
            one / two
        );
    }
}

/// How many times the second variant's time the first one's is: the geometric mean over rows that
/// have both.
fn geometric_mean<'r>(rows: impl IntoIterator<Item = &'r Row>, slow: &str, fast: &str) -> f64 {
    let ratios: Vec<f64> = rows
        .into_iter()
        .filter_map(|row| row.ratio(slow, fast))
        .collect();
    libm::exp(ratios.iter().map(|&ratio| libm::log(ratio)).sum::<f64>() / ratios.len() as f64)
}

/// How long it takes to compile a fight.
pub(crate) fn print_fight([any, known]: [f64; 2]) {
    println!(
        "fight from text to callable native code: {any:.0} us for any arguments, {known:.0} us for known ones"
    );
}

/// The corpus of scripts.
pub(crate) fn print_scripts(rows: &[Row]) {
    println!("scripts: nanoseconds a trial, one core, medians\n");
    times(rows, 1.0);
    println!();
    let ratios = [
        ("fused/plain", "plain_rust", "jit_fused"),
        ("fused/scalar", "hand_scalar", "jit_fused"),
        ("any/fused", "jit_fused", "jit_any"),
    ];
    comparison(rows, &ratios);
    for (title, slow, fast) in ratios {
        let mean = geometric_mean(rows, slow, fast);
        println!("\n{title}, geometric mean of the scripts: {mean:.2}x");
    }
    let judged = |row: &Row| row.ratio("plain_rust", "jit_fused").unwrap_or(f64::NAN);
    if let Some(slowest) = rows.iter().min_by(|a, b| judged(a).total_cmp(&judged(b))) {
        println!(
            "\nthe slowest compared with plain Rust: {}, {:.2}x",
            slowest.name,
            judged(slowest)
        );
    }
}

/// Nanoseconds of a whole table in microseconds a row.
const ROW: f64 = 1000.0 * ROWS as f64;

/// Tables of scripts.
pub(crate) fn print_tables(rows: &[Row]) {
    println!("tables of scripts: microseconds a row, one core, medians\n");
    times(rows, ROW);
    println!();
    let ratios = [
        ("exact/plain", "plain_rust", "dicec_exact"),
        ("sampled/plain", "plain_rust", "dicec_sampled"),
    ];
    comparison(rows, &ratios);
}

/// A table of rows as an object of objects, in another unit.
fn nested<'r>(rows: impl Iterator<Item = &'r Row>, unit: f64) -> Value {
    let rows = rows.map(|row| {
        let times = row.times.iter();
        let times: Map<String, Value> = times
            .map(|(name, time)| ((*name).to_owned(), json!(time / unit)))
            .collect();
        (row.name.to_owned(), Value::Object(times))
    });
    Value::Object(rows.collect())
}

/// Prints the times, one row per line.
fn times(rows: &[Row], unit: f64) {
    let variants = variants(rows);
    let lines = rows.iter().map(|row| {
        let times = variants.iter().map(|variant| row.time(variant));
        times
            .map(|time| shown(time, |time| format!("{:.2}", time / unit)))
            .collect()
    });
    table(rows, &variants, lines.collect());
}

/// Prints how many times as fast the first variant of each ratio's name is, and who wins.
fn comparison(rows: &[Row], ratios: &[(&str, &str, &str)]) {
    let titles = ratios.iter().map(|(title, ..)| *title);
    let titles: Vec<_> = titles.chain(["fastest"]).collect();
    let lines = rows.iter().map(|row| {
        let ratios = ratios.iter().map(|(_, slow, fast)| row.ratio(slow, fast));
        ratios
            .map(|ratio| shown(ratio, |ratio| format!("{ratio:.2}x")))
            .chain([row.verdict()])
            .collect()
    });
    table(rows, &titles, lines.collect());
}

fn shown(number: Option<f64>, show: impl Fn(f64) -> String) -> String {
    number.map_or("-".to_owned(), show)
}

/// Prints a table whose lines are known by the names of `rows`.
fn table(rows: &[Row], titles: &[&str], lines: Vec<Vec<String>>) {
    let widths = titles.iter().enumerate().map(|(column, title)| {
        let cells = lines.iter().map(|line| line[column].len());
        cells.max().unwrap_or_default().max(title.len())
    });
    let widths: Vec<usize> = widths.collect();
    let line = |name: &str, cells: &[&str]| {
        print!("| {name:<24} |");
        for (cell, width) in cells.iter().zip(&widths) {
            print!(" {cell:>width$} |");
        }
        println!();
    };
    line("", titles);
    let rules: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
    line(
        &"-".repeat(24),
        &rules.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    for (row, cells) in rows.iter().zip(&lines) {
        let cells: Vec<_> = cells.iter().map(String::as_str).collect();
        line(&format!("`{}`", row.name), &cells);
    }
}
