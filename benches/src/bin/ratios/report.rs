//! What was found, as tables and as JSON.

use crate::latency::{Compile, Threads};
use dicec_benches::measure::{Variant, medians};
use dicec_compiler::NATIVE_FROM;
use serde_json::{Map, Value, json};

/// Everything that is measured.
pub(crate) struct Found {
    pub(crate) throughput: Vec<Row>,
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
    pub(crate) fn new(name: &'static str, variants: &[Variant<'_>], trials: u64) -> Self {
        let times = medians(variants, trials);
        Self {
            name,
            times: variants.iter().map(|v| v.name).zip(times).collect(),
        }
    }

    fn time(&self, variant: &str) -> Option<f64> {
        let found = self.times.iter().find(|(name, _)| *name == variant);
        found.map(|(_, time)| *time)
    }

    /// The fastest of the variants that are dicec's, or that are not.
    fn best(&self, ours: bool) -> Option<(&'static str, f64)> {
        let candidates = self.times.iter().filter(|(name, _)| is_ours(name) == ours);
        candidates.min_by(|a, b| a.1.total_cmp(&b.1)).copied()
    }

    /// Who is faster, the best of dicec or the best of the others, and by how much.
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
    fn ratio(&self, slow: &str, fast: &str) -> String {
        match (self.time(slow), self.time(fast)) {
            (Some(slow), Some(fast)) => format!("{:.2}x", slow / fast),
            _ => "-".to_owned(),
        }
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
    /// Nanoseconds a roll, the rest in microseconds.
    pub(crate) fn json(&self) -> Value {
        json!({
            "throughput": nested(&self.throughput, 1.0),
            "exact": nested(&self.exact, 1000.0),
            "compile": { "cold": self.compile.cold, "warm": self.compile.warm },
            "few": nested(&self.few, 1000.0),
            "threads": {
                "one": self.threads.one,
                "two": self.threads.two,
                "ratio": self.threads.one / self.threads.two,
            },
        })
    }

    pub(crate) fn print(&self) {
        println!(
            "sampling: nanoseconds a roll, one core, medians; hand = hand_scalar, one word a die like jit_faithful\n"
        );
        let ratios = [
            ("faithful/hand", "hand_scalar", "jit_faithful"),
            ("fused/plain", "plain_rust", "jit_fused"),
            ("fused/xdy", "xdy", "jit_fused"),
        ];
        table(&self.throughput, 1.0, &ratios);
        println!("\nexact odds: microseconds an answer\n");
        table(&self.exact, 1000.0, &[("dicec/xdy", "xdy", "dicec")]);
        println!("\n{NATIVE_FROM} trials, compilation included: microseconds\n");
        table(&self.few, 1000.0, &[("jit/interp", "interp", "jit")]);
        let Compile { cold, warm } = self.compile;
        println!("\n3d6 from text to callable native code: {cold:.0} us cold, {warm:.0} us warm");
        let Threads { one, two } = self.threads;
        println!(
            "3d6 on two threads: {two:.2} ns a roll, on one {one:.2}: {:.2}x",
            one / two
        );
    }
}

/// A table of rows as an object of objects, in another unit.
fn nested(rows: &[Row], unit: f64) -> Value {
    let rows = rows.iter().map(|row| {
        let times = row.times.iter();
        let times: Map<String, Value> = times
            .map(|(name, time)| ((*name).to_owned(), json!(time / unit)))
            .collect();
        (row.name.to_owned(), Value::Object(times))
    });
    Value::Object(rows.collect())
}

/// Prints a row a line: the times, how much faster the first variant of each ratio's name is, and who wins.
fn table(rows: &[Row], unit: f64, ratios: &[(&str, &str, &str)]) {
    let variants = variants(rows);
    let titles = ratios.iter().map(|(title, ..)| *title);
    let columns: Vec<&str> = variants.iter().copied().chain(titles).collect();
    print!("| {:<24} |", "");
    columns.iter().for_each(|column| print!(" {column:>13} |"));
    println!(" {:<31} |", "fastest");
    print!("|{}|", "-".repeat(26));
    columns.iter().for_each(|_| print!("{}|", "-".repeat(15)));
    println!("{}|", "-".repeat(33));
    for row in rows {
        print!("| {:<24} |", format!("`{}`", row.name));
        for variant in &variants {
            let time = row.time(variant);
            let time = time.map_or("-".to_owned(), |time| format!("{:.2}", time / unit));
            print!(" {time:>13} |");
        }
        for (_, slow, fast) in ratios {
            print!(" {:>13} |", row.ratio(slow, fast));
        }
        println!(" {:<31} |", row.verdict());
    }
}
