//! Filetests: each `.ir` file of tests/filetests contains a function, and comments that say how to
//! test it.
//!
//! ```text
//! ; test: roundtrip            the function prints as it is written (without comments)
//! ; test: fold cse             after these passes it prints as the text after `; expect:`, and a
//!                              trial does the same if they are exact; `fuse` stands for all that
//!                              fuses draws
//! ; test: invalid 7            the verifier refuses it for invariant 7
//! ; test: unreadable           it does not parse; the error is after `; expect:`
//! ; run: 3, 4 seed 7 = 5 6 7   with these resources, from this seed, the trials give these
//!                              results; or `= trap CODE a..b`
//! ```
//!
//! A file may hold a script's module instead of a function; its resources are an argument block
//! (`compiler/native/src/ir/argument_block.rs`).
//!
//! A `run` line runs the function unchanged and after all passes, evaluated and native.
//! `UPDATE_FILETESTS=1` writes the actual result after `; expect:`.

use dicec_compiler::unstable::diagnose;
use dicec_native::eval::EvalKernel;
use dicec_native::ir::cfg::ControlFlow;
use dicec_native::ir::{Module, verify};
use dicec_native::ir_text::parse;
use dicec_native::jit::JitKernel;
use dicec_native::pass::{Contract, Pass, Rewrites, Sampling, Switches, Watch, fuse, optimise};
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::rng::Stream;
use dicec_tests::engines;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const EXPECT: &str = "; expect:\n";

/// How many trials an exact pass has to keep.
const TRIALS: usize = 100;

/// Why a file failed.
type Failed = Box<dyn Error>;

#[test]
fn every_file_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder is part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ir"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no filetests in {}", folder.display());
    let failed = files.iter().filter_map(|path| {
        let error = run_file(path).err()?;
        Some(format!("{}: {error}\n", path.display()))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn run_file(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let (input, expected) = match text.split_once(EXPECT) {
        Some((input, expected)) => (input, Some(expected)),
        None => (text.as_str(), None),
    };
    let mut tested = false;
    for line in input.lines() {
        if let Some(test) = line.strip_prefix("; test: ") {
            let actual = run_test(test, input)?;
            compare(path, input, expected, actual)?;
            tested = true;
        } else if let Some(run) = line.strip_prefix("; run: ") {
            run_trials(run, &parse(input)?)?;
            tested = true;
        }
    }
    if tested {
        Ok(())
    } else {
        Err("the file tests nothing".into())
    }
}

/// Performs a `test` line; returns the text to compare, if there is one.
fn run_test(test: &str, input: &str) -> Result<Option<String>, Failed> {
    if test == "unreadable" {
        return match parse(input) {
            Ok(_) => Err("it parses".into()),
            Err(error) => Ok(Some(format!("{error}\n"))),
        };
    }
    let mut module = parse(input)?;
    if let Some(invariant) = test.strip_prefix("invalid ") {
        let error = verify(&module).err().ok_or("the verifier accepts it")?;
        return if error.invariant.to_string() == invariant {
            Ok(None)
        } else {
            Err(error.to_string().into())
        };
    }
    verify(&module)?;
    if test == "roundtrip" {
        let code = input.lines().filter(|line| !line.starts_with(';'));
        let stands = code.collect::<Vec<_>>().join("\n");
        let prints = module.to_string();
        return if stands.trim() == prints.trim() {
            Ok(None)
        } else {
            Err(format!("prints as\n{prints}").into())
        };
    }
    let mut same = Same::new(&module);
    let mut rewrites = Rewrites::new(Switches::ALL_ON).watched(&mut same);
    for name in test.split_whitespace() {
        if name == "fuse" {
            fuse(&mut module, &mut rewrites);
            continue;
        }
        let pass = Pass::named(name).ok_or_else(|| format!("there is no pass `{name}`"))?;
        rewrites.run(pass, &mut module);
    }
    drop(rewrites);
    same.wrong.map_or(Ok(()), Err)?;
    Ok(Some(module.to_string()))
}

/// Evaluates some trials before and after each rewrite that has to keep them.
struct Same {
    inputs: Vec<i64>,
    wrong: Option<Failed>,
}

impl Same {
    /// With the known arguments, or with other numbers for each resource.
    fn new(module: &Module) -> Self {
        let count = module.trial().resources.len() as i64;
        let known = module.tables.known.as_deref().map(<[i64]>::to_vec);
        Self {
            inputs: known.unwrap_or_else(|| (3..3 + count).collect()),
            wrong: None,
        }
    }
}

impl Watch for Same {
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        let runs = match before.is_script() {
            true => before.tables.known.is_some(),
            // Without fuel, a loop may never end.
            false => !ControlFlow::new(before.trial()).has_loops(),
        };
        if pass.contract == Contract::Redraw || !runs {
            return;
        }
        let [was, is] = [before, after].map(|module| {
            let kernel = EvalKernel::new(module.clone(), Sink::Values);
            engines::run(&kernel, &self.inputs, 5, TRIALS)
        });
        if was != is && self.wrong.is_none() {
            let name = pass.name;
            self.wrong = Some(format!("{name} changes trials: {was:?}, {is:?}\n{after}").into());
        }
    }
}

fn compare(
    path: &Path,
    input: &str,
    expected: Option<&str>,
    actual: Option<String>,
) -> Result<(), Failed> {
    let Some(actual) = actual else { return Ok(()) };
    if expected == Some(actual.as_str()) {
        return Ok(());
    }
    if std::env::var_os("UPDATE_FILETESTS").is_some() {
        fs::write(path, format!("{input}{EXPECT}{actual}"))?;
        return Ok(());
    }
    Err(format!(
        "expected\n{}\nbut got\n{actual}",
        expected.unwrap_or("nothing")
    )
    .into())
}

fn run_trials(line: &str, module: &Module) -> Result<(), Failed> {
    let (given, expected) = line.split_once(" = ").ok_or("a run line needs ` = `")?;
    let (resources, seed) = given.split_once("seed ").ok_or("a run line needs a seed")?;
    let resources: Result<Vec<i64>, _> = resources
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::parse)
        .collect();
    let (resources, seed) = (resources?, seed.trim().parse()?);
    let mut optimised = module.clone();
    optimise(
        &mut optimised,
        Sampling::Faithful,
        &mut Rewrites::new(Switches::ALL_ON),
    );
    for (name, module) in [("as it stands", module), ("optimised", &optimised)] {
        let native = JitKernel::compile(module.clone(), Sink::Values)?;
        let kernels: [(&str, &dyn Kernel); 2] = [
            ("evaluated", &EvalKernel::new(module.clone(), Sink::Values)),
            ("native", &native),
        ];
        for (engine, kernel) in kernels {
            let trials = expected.split_whitespace().count();
            let got = results(kernel, &resources, seed, trials);
            if got != expected {
                return Err(format!("{name}, {engine}: {got}").into());
            }
        }
    }
    Ok(())
}

/// The results of some trials, or the trap that ended them, as run lines write them.
fn results(kernel: &dyn Kernel, resources: &[i64], seed: u64, trials: usize) -> String {
    let mut cells = vec![0; trials];
    let mut stream = Stream::from_seed(seed);
    match kernel.run(
        &mut stream,
        resources,
        trials,
        &mut cells,
        &mut kernel.events(),
    ) {
        Ok(()) => {
            let results: Vec<String> = cells.iter().map(ToString::to_string).collect();
            results.join(" ")
        }
        Err(stopped) => {
            let trap = stopped.trap;
            format!("trap {} {}", diagnose(trap).code, trap.span)
        }
    }
}
