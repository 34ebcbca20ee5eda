//! Whole runs over tables in a temporary folder: the same bytes for any number of threads, the numbers of the library, and
//! files that survive what goes wrong.

use super::run;
use crate::cli::{Cli, Command};
use crate::error::CliError;
use clap::Parser;
use dicec_compiler::{Backend, Compiler, Sampling, Simulation};
use dicec_runtime::driver::Extent;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with a table.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new(table: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("table.csv"), table).expect("space for a table");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `dicec batch table.csv -o out.csv` with more flags.
    fn run(&self, flags: &[&str]) -> Result<(), CliError> {
        self.run_to(&self.path("out.csv"), flags)
    }

    fn run_to(&self, output: &Path, flags: &[&str]) -> Result<(), CliError> {
        let mut line = vec!["dicec".to_owned(), "batch".to_owned()];
        line.push(self.path("table.csv").display().to_string());
        line.extend(["-o".to_owned(), output.display().to_string()]);
        line.extend(flags.iter().map(|flag| (*flag).to_owned()));
        match Cli::try_parse_from(line).expect("good flags").command {
            Some(Command::Batch(args)) => run(&args),
            _ => unreachable!("the second word is batch"),
        }
    }

    fn output(&self) -> String {
        fs::read_to_string(self.path("out.csv")).expect("an output")
    }

    /// The files of the folder, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Distinct tuples, repeated ones, bad cells and several blocks.
fn long_table(rows: usize) -> String {
    let mut table = "Attack,Damage,Target Defense\n".to_owned();
    for row in 0..rows {
        let attack = match row % 97 {
            96 => "none".to_owned(),
            _ => (row % 1000).to_string(),
        };
        let dice = 1 + row % 7;
        writeln!(table, "{attack},{dice}d6+[Attack],{}", row % 31).expect("memory");
    }
    table
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let exact = [
        "-e",
        "hit=1d20 + [Attack] >= [Target Defense]",
        "--expr-column",
        "Damage",
        "--on-error",
        "null",
    ];
    let sampled = [
        "-e",
        "hurt=([Attack] / 100)d6 + [Attack]",
        "-n",
        "70000",
        "--seed",
        "7",
        "--on-error",
        "skip",
    ];
    for (flags, rows) in [(&exact[..], 3000), (&sampled[..], 60)] {
        let case = Case::new(&long_table(rows));
        let outputs = ["1", "2", "3"].map(|threads| {
            let flags = [flags, &["--threads", threads]].concat();
            case.run(&flags).expect("odds");
            case.output()
        });
        assert!(outputs[0].lines().count() > rows / 2);
        assert_eq!(outputs[0], outputs[1]);
        assert_eq!(outputs[0], outputs[2]);
    }
}

/// `dicec sim` specialises a rule on its resources, a batch does not: the draws have to be the same all the same.
#[test]
fn sampled_rows_are_what_a_simulation_gives() {
    let rule = "([Count])d6 + 3d4 + (2)d[Sides]";
    let rows: [[i64; 2]; 3] = [[3, 8], [0, 1], [7, 100]];
    let mut table = "Count,Sides\n".to_owned();
    for [count, sides] in rows {
        writeln!(table, "{count},{sides}").expect("memory");
    }
    let case = Case::new(&table);
    let program = Compiler::new().compile(rule).expect("a good rule");
    for (flag, backend, sampling) in [
        ("--jit", Backend::Jit, Sampling::Fused),
        ("--interp", Backend::Interp, Sampling::Faithful),
    ] {
        case.run(&["-e", rule, flag, "-n", "2000", "--seed", "11"])
            .expect("odds");
        for (line, values) in case.output().lines().skip(1).zip(&rows) {
            let simulation = Simulation {
                extent: Extent::Trials(2000),
                seed: 11,
                threads: Some(1),
                backend,
                sampling,
            };
            let simulated = program.bind_values(values).simulate(&simulation);
            let tally = simulated.expect("no trap").tally;
            let mean: f64 = line
                .split(',')
                .nth(2)
                .expect("a mean")
                .parse()
                .expect("a number");
            assert_eq!(Some(mean), tally.mean(), "{flag}: {line}");
        }
    }
}

#[test]
fn a_failed_run_leaves_the_old_file_and_no_other() {
    let case = Case::new("Attack\n5\ntwelve\n");
    fs::write(case.path("out.csv"), "old").expect("space");
    assert!(case.run(&["-e", "1d20+[Attack]"]).is_err());
    assert!(case.run(&["-e", "1d20+[Attack]", "-e", "1d20+"]).is_err());
    assert!(
        case.run(&["-e", "1d20+[Attack]", "-e", "1d[Attack]"])
            .is_err()
    );
    assert_eq!(case.output(), "old");
    assert_eq!(case.files(), ["out.csv", "table.csv"]);
    case.run(&["-e", "1d20+[Attack]", "--on-error", "skip"])
        .expect("odds");
    assert!(case.output().starts_with("Attack,expr_mean,"));
    assert_eq!(case.files(), ["out.csv", "table.csv"]);
}

#[test]
fn a_table_can_replace_itself() {
    let case = Case::new("Attack\r\n5\r\n7\r\n");
    case.run_to(&case.path("table.csv"), &["-e", "1d20+[Attack]>=15"])
        .expect("odds");
    let text = fs::read_to_string(case.path("table.csv")).expect("a table");
    assert_eq!(text, "Attack,expr_p\n5,0.55\n7,0.65\n");
}

#[test]
fn what_cannot_be_written_is_told() {
    let case = Case::new("Attack\n5\n");
    let output = case.path("no/such/folder.csv");
    let error = case.run_to(&output, &["-e", "1d6"]).expect_err("no folder");
    assert_eq!(error.findings[0].code, "D0506");
}

#[cfg(unix)]
#[test]
fn a_new_file_can_be_read_by_others_and_an_old_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new("Attack\n5\n");
    let mode = |name: &str| {
        let found = fs::metadata(case.path(name)).expect("a file");
        found.permissions().mode() & 0o777
    };
    case.run(&["-e", "1d6"]).expect("odds");
    assert_eq!(mode("out.csv"), mode("table.csv"));
    let private = fs::Permissions::from_mode(0o640);
    fs::set_permissions(case.path("out.csv"), private).expect("our own file");
    case.run(&["-e", "1d6"]).expect("odds");
    assert_eq!(mode("out.csv"), 0o640);
}
