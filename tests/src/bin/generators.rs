//! Runs a generator of programs for some minutes: `generators KIND MINUTES SEED [FOLDER]`. Of
//! `natural` programs and those of the `corpus`, every answer is held against the reference; of
//! `pairs`, both scripts must have equal odds. Prints what was compared, stores small programs that
//! have faults in the folder, and fails if there are any.

use arbitrary::Unstructured;
use dicec_runtime::rng::Stream;
use dicec_tests::answers::{Counts, Effort, check_text};
use dicec_tests::corpus::mutant;
use dicec_tests::generate::natural::natural;
use dicec_tests::metamorphic::pair;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The bytes of a program.
const BYTES: usize = 2048;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, minutes, seed, rest @ ..] = &args[..] else {
        return usage();
    };
    let (Ok(minutes), Ok(seed)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        return usage();
    };
    let mut run = Run {
        folder: rest.first().map(PathBuf::from),
        kind: kind.clone(),
        programs: 0,
        refused: 0,
        wrong: 0,
        counts: Counts::default(),
        pairs: BTreeMap::new(),
    };
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs_f64(60.0 * minutes) {
        let seed = seed + run.programs;
        let mut stream = Stream::from_seed(seed);
        let bytes: Vec<u8> = (0..BYTES / 8)
            .flat_map(|_| stream.word().to_le_bytes())
            .collect();
        let mut bytes = Unstructured::new(&bytes);
        match kind.as_str() {
            "natural" => run.program(seed, &natural(&mut bytes).expect("bytes never run out")),
            "corpus" => run.program(seed, &mutant(&mut bytes).expect("bytes never run out")),
            "pairs" => run.pair(seed, &mut bytes),
            _ => return usage(),
        }
        run.programs += 1;
    }
    let rate = run.programs as f64 / start.elapsed().as_secs_f64();
    println!(
        "{kind}: {} programs, {rate:.1} a second, {} not compared, {} wrong; {}",
        run.programs, run.refused, run.wrong, run.counts
    );
    for (kind, compared) in &run.pairs {
        println!("{kind}: {compared:?}");
    }
    ExitCode::from(u8::from(run.wrong > 0))
}

fn usage() -> ExitCode {
    eprintln!("generators natural|corpus|pairs MINUTES SEED [FOLDER]");
    ExitCode::from(2)
}

/// A run and what was found.
struct Run {
    folder: Option<PathBuf>,
    kind: String,
    programs: u64,
    refused: u64,
    wrong: u64,
    counts: Counts,
    /// What became of the pairs, by the kind of change.
    pairs: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

impl Run {
    fn program(&mut self, seed: u64, text: &str) {
        match check_text(text, &Effort::of(self.programs), &mut self.counts) {
            Ok(true) => {}
            Ok(false) => self.refused += 1,
            Err((fault, small)) => self.tell(seed, &fault, &small, text),
        }
    }

    fn pair(&mut self, seed: u64, bytes: &mut Unstructured<'_>) {
        let Some((kind, compared)) = pair(bytes).expect("bytes never run out") else {
            self.refused += 1;
            return;
        };
        let name = match compared {
            Ok(compared) => format!("{compared:?}"),
            Err(found) => {
                let what = format!("{kind}: {}", found.what);
                self.tell(seed, &what, &found.one, &found.other);
                "Different".to_owned()
            }
        };
        *self.pairs.entry(kind).or_default().entry(name).or_default() += 1;
    }

    /// Prints and stores a small script, and another one that belongs to it.
    fn tell(&mut self, seed: u64, what: &dyn Display, small: &str, other: &str) {
        self.wrong += 1;
        println!("== {} {seed}: {what}\n{small}\n", self.kind);
        if let Some(folder) = &self.folder {
            let path = folder.join(format!("{}-{seed}.dice", self.kind));
            let written = format!("// {what}\n{small}\n/*\n{other}*/\n");
            std::fs::write(path, written).expect("the folder can be written to");
        }
    }
}
