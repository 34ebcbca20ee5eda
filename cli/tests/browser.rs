//! The page of `dicec serve` in a browser, as people use it: the tests of `serve/browser`, a file
//! of them each. `.ci/browser` installs what they need; if something is missing, they are reported
//! as ignored, with the reason. If `SITE` names the folder that `wasm/build` has written, they test
//! the page without a server (`.ci/site`).

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::available_parallelism;

/// Where browsers are, but for the one that `CHROMIUM` names.
const BROWSERS: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// Lines of tests that measure something begin like this.
const MEASURED: &str = "# measured: ";

/// The tests that nothing else may run next to, as they measure how long something takes.
const ALONE: &str = "speed";

/// The maximum number of browsers at a time.
const MAX_BROWSERS: usize = 2;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../serve/browser")
}

fn main() {
    let mut args = Arguments::from_args();
    // Each has a browser of its own, which waits half of the time and then takes what the machine
    // has.
    let threads = available_parallelism().map_or(1, usize::from);
    args.test_threads = Some(args.test_threads.unwrap_or(threads).min(MAX_BROWSERS));
    let files = files().expect("the tests are part of the project");
    let machine = Arc::new(RwLock::new(()));
    let trials = files.into_iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".test.js").to_owned();
        let machine = Arc::clone(&machine);
        Trial::ignorable_test(format!("browser::{name}"), move || match name.as_str() {
            ALONE => {
                let _alone = machine.write().unwrap_or_else(PoisonError::into_inner);
                tested(&file)
            }
            _ => {
                let _with_others = machine.read().unwrap_or_else(PoisonError::into_inner);
                tested(&file)
            }
        })
    });
    libtest_mimic::run(&args, trials.collect()).exit();
}

/// The files with tests.
fn files() -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder())?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut files = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    files.retain(|path| path.to_string_lossy().ends_with(".test.js"));
    files.sort();
    Ok(files)
}

/// Runs the tests of a file, if all is there that they need.
fn tested(file: &Path) -> Result<Completion, Failed> {
    if let Some(reason) = missing() {
        return Ok(Completion::ignored_with(reason));
    }
    let run = Command::new("node")
        .args(["--test", "--test-reporter=tap"])
        .arg(file)
        .env("DICEC", env!("CARGO_BIN_EXE_dicec"))
        .current_dir(folder())
        .output()?;
    let printed = String::from_utf8_lossy(&run.stdout);
    for line in printed
        .lines()
        .filter_map(|line| line.strip_prefix(MEASURED))
    {
        println!("{line}");
    }
    match run.status.success() {
        true => Ok(Completion::Completed),
        false => {
            let wrong = String::from_utf8_lossy(&run.stderr);
            Err(format!("{}\n{printed}{wrong}", run.status).into())
        }
    }
}

/// What the tests need and is not there.
fn missing() -> Option<&'static str> {
    let node = Command::new("node").arg("--version").output();
    let version = node.map(|node| String::from_utf8_lossy(&node.stdout).into_owned());
    let major = version.unwrap_or_default();
    let major = major
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse::<u32>();
    let is_browser = |path: &str| Path::new(path).exists();
    if major.unwrap_or(0) < 20 {
        return Some("no node of version 20 or newer");
    }
    if !folder().join("node_modules/playwright-core").exists() {
        return Some("no packages for the browser: .ci/browser installs them");
    }
    let named = std::env::var("CHROMIUM").is_ok_and(|path| is_browser(&path));
    let is_there = named || BROWSERS.into_iter().any(is_browser);
    (!is_there).then_some("no browser: .ci/browser installs chromium")
}
