//! Files that are being written when the command is killed: at any moment there is the old one or
//! the new one, as a whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the command is killed for each format: 200 times for the four.
const KILLS: u32 = 50;

/// The rows of the table. Each has a text of its own, so that what is written does not fit into a
/// buffer.
const ROWS: u32 = 400;

/// What was there before.
const OLD: &[u8] = b"the old file";

/// Starts to write a table.
fn start(folder: &Path, output: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicec"));
    command
        .args(["batch", "table.csv", "-e", "hit=2d20kh1 + [Attack] >= 12"])
        .args(["-e", "damage=2d6 + [Attack]", "--no-check", "-o"])
        .arg(output)
        .env("DICEC_CONFIG", "")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().expect("the command starts")
}

/// How many files there are that were being written.
fn left(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let hidden = names.filter(|name| name.as_encoded_bytes().starts_with(b".dicec-"));
    hidden.count()
}

/// A number from 0 to 1, the same for the same seed (a step of SplitMix64).
fn share(seed: u32) -> f64 {
    let mixed = (u64::from(seed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
}

/// The table that is asked about.
fn table() -> String {
    let rows = (0..ROWS).map(|row| {
        let parts = (0..32).map(|part| share(row * 32 + part).to_string());
        format!("{},{row}\n", parts.collect::<String>())
    });
    "Name,Attack\n".to_owned() + &rows.collect::<String>()
}

/// Kills the command again and again while it writes a file of this ending.
fn kill_at_random(ending: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("table.csv"), table()).expect("a table");
    let output = folder.join("output").with_extension(ending);
    let mut whole = Duration::ZERO;
    // The first one also loads the command.
    for _ in 0..2 {
        let begun = Instant::now();
        let status = start(folder, &output).wait().expect("it ends");
        assert!(status.success(), "{ending}");
        whole = begun.elapsed();
    }
    let new = fs::read(&output).expect("a file");
    assert!(new.len() > 1 << 16, "{ending}: {} bytes", new.len());
    fs::write(&output, OLD).expect("a file");
    let (mut olds, mut while_writing) = (0, 0);
    for kill in 0..KILLS {
        let mut child = start(folder, &output);
        // Somewhere in each part of the time that it takes, and of a little more.
        let moment = (f64::from(kill) + share(kill)) / f64::from(KILLS);
        thread::sleep(whole.mul_f64(1.1 * moment));
        // It may have ended.
        let _ = child.kill();
        child.wait().expect("it ends");
        let found = fs::read(&output).expect("a file");
        match found == OLD {
            true => olds += 1,
            false => {
                assert!(found == new, "{ending}, {kill}: {} bytes", found.len());
                fs::write(&output, OLD).expect("a file");
            }
        }
        let left = left(folder);
        assert!(left <= 1, "{ending}, {kill}: {left} files are left");
        while_writing += left;
    }
    println!(
        "{ending}: {olds} of {KILLS} left the old file, {while_writing} a part of the new one"
    );
    assert!(
        while_writing > 0,
        "{ending}: it was never killed while it wrote"
    );
    // The next run cleans up.
    let status = start(folder, &output).wait().expect("it ends");
    assert!(status.success(), "{ending}");
    assert!(fs::read(&output).expect("a file") == new, "{ending}");
    assert_eq!(left(folder), 0, "{ending}");
}

#[test]
fn csv_is_old_or_new() {
    kill_at_random("csv");
}

#[test]
fn json_is_old_or_new() {
    kill_at_random("json");
}

#[test]
fn parquet_is_old_or_new() {
    kill_at_random("parquet");
}

#[test]
fn arrow_is_old_or_new() {
    kill_at_random("arrow");
}
