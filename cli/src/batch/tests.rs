//! Whole runs over tables in a temporary folder: files survive errors.

use super::run;
use crate::cli::{Cli, Command};
use crate::error::CliError;
use clap::Parser;
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
            Some(Command::Batch(args)) => run(&args).map(drop),
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
