//! Damaged tables in binary formats: each is read to its end or to the first error, without a panic
//! and within a bound of memory. `DICEC_MUTATED` says how many of each format; `DICEC_SEED` which
//! one only.

#[path = "mutated/files.rs"]
mod files;

use dicec_tables::{BadTable, Record, Shape, Source};
use files::{Random, files, mutate};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum number of bytes that reading a table takes at once.
const MAX_BYTES: u64 = 512 << 20;

/// Rows after which a table is read enough: a page may say that it has billions of missing cells.
const MAX_ROWS: usize = 10_000;

/// Reads a table, and tells how many rows it has.
fn read(bytes: &[u8], is_parquet: bool) -> Result<usize, BadTable> {
    let mut source = match is_parquet {
        true => Source::parquet_bytes(bytes.to_vec()),
        false => Source::open(Box::new(Cursor::new(bytes.to_vec())), Shape::Arrow),
    }?;
    let (mut row, mut rows) = (Record::default(), 0);
    while rows < MAX_ROWS && source.read(&mut row)? {
        rows += 1;
    }
    Ok(rows)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn damaged_tables_are_errors_within_bounds() {
    let files_each = number("DICEC_MUTATED").unwrap_or(150);
    for (number_of_file, (name, is_parquet, whole)) in files().into_iter().enumerate() {
        let rows = read(&whole, is_parquet).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
        assert!(rows >= 60, "{name}: {rows} rows");
        let (mut good, mut greatest_peak) = (0, 0);
        let seeds = match number("DICEC_SEED") {
            Some(seed) => seed..seed + 1,
            None => 0..files_each,
        };
        for seed in seeds {
            let mut random = Random(seed << 8 | number_of_file as u64);
            let mut bytes = whole.clone();
            mutate(&mut bytes, &mut random);
            let mut found = None;
            let counted = allocation_counter::measure(|| {
                let read = || read(&bytes, is_parquet).is_ok();
                found = catch_unwind(AssertUnwindSafe(read)).ok();
            });
            let is_good = found.unwrap_or_else(|| panic!("{name}: seed {seed} panics"));
            let peak = counted.bytes_max;
            assert!(peak <= MAX_BYTES, "{name}: seed {seed} takes {peak} bytes");
            greatest_peak = peak.max(greatest_peak);
            good += u64::from(is_good);
        }
        let peak = greatest_peak >> 10;
        println!("{name}: {files_each} files, {good} read well, at most {peak} KiB at once");
    }
}
