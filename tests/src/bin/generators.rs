//! Runs a generator of programs for some minutes and holds every answer against the reference:
//! `generators KIND MINUTES SEED [FOLDER]`. Prints what was compared, stores small programs that
//! have faults in the folder, and fails if there are any.

use arbitrary::Unstructured;
use dicec_runtime::rng::Stream;
use dicec_tests::answers::{Counts, Effort, check_text};
use dicec_tests::generate::natural::natural;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The bytes of a program.
const BYTES: usize = 2048;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, minutes, seed, rest @ ..] = &args[..] else {
        eprintln!("generators KIND MINUTES SEED [FOLDER]");
        return ExitCode::from(2);
    };
    let (Ok(minutes), Ok(seed)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        eprintln!("minutes and seed are numbers");
        return ExitCode::from(2);
    };
    let folder = rest.first().map(PathBuf::from);
    let start = Instant::now();
    let until = Duration::from_secs_f64(60.0 * minutes);
    let (mut counts, mut programs, mut refused, mut wrong) = (Counts::default(), 0_u64, 0, 0);
    while start.elapsed() < until {
        let seed = seed + programs;
        // All engines, trial by trial, take most of the time.
        let effort = match programs.is_multiple_of(8) {
            true => Effort::ALL,
            false => Effort {
                engines: 0,
                ..Effort::ALL
            },
        };
        programs += 1;
        let mut stream = Stream::from_seed(seed);
        let bytes: Vec<u8> = (0..BYTES / 8)
            .flat_map(|_| stream.word().to_le_bytes())
            .collect();
        let text = natural(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        match check_text(&text, &effort, &mut counts) {
            Ok(true) => {}
            Ok(false) => refused += 1,
            Err((fault, small)) => {
                wrong += 1;
                println!("== {kind} {seed}: {fault}\n{small}\n");
                if let Some(folder) = &folder {
                    let path = folder.join(format!("{kind}-{seed}.dice"));
                    let written = format!("{small}\n/*\n{text}*/\n");
                    std::fs::write(path, written).expect("the folder can be written to");
                }
            }
        }
    }
    let rate = programs as f64 / start.elapsed().as_secs_f64();
    println!(
        "{kind}: {programs} programs, {rate:.1} a second, {refused} refused by the compiler, {wrong} wrong; {counts}"
    );
    ExitCode::from(u8::from(wrong > 0))
}
