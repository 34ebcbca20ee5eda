//! Damaged tables in binary formats, in statements: each is answered or an error with a code,
//! without a panic. `DICEC_MUTATED` says how many of each format; `DICEC_SEED` which one only.

#[path = "../../tables/tests/mutated/files.rs"]
mod files;

use dicec_sql::{MEMORY, Session, SqlError, answering};
use files::{Random, files, mutate};
use futures::StreamExt;
use std::collections::BTreeMap;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Rows after which a table is read enough.
const MAX_ROWS: usize = 10_000;

/// Reads a table as the command does, and tells how many rows it has.
async fn read(session: &Session, path: &Path) -> std::result::Result<usize, SqlError> {
    answering(async {
        let sql = format!("SELECT * FROM '{}'", path.display());
        let mut batches = session.sql(&sql).await?.execute_stream().await?;
        let mut rows = 0;
        while rows < MAX_ROWS
            && let Some(batch) = batches.next().await.transpose()?
        {
            rows += batch.num_rows();
        }
        Ok(rows)
    })
    .await
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_tables_are_errors_of_statements() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let session = Session::new(Some(2), MEMORY)?;
    let files_each = number("DICEC_MUTATED").unwrap_or(40);
    for (number_of_file, (name, is_parquet, whole)) in files().into_iter().enumerate() {
        let ending = if is_parquet { "parquet" } else { "arrow" };
        let path = folder.path().join(format!("{number_of_file}.{ending}"));
        std::fs::write(&path, &whole)?;
        assert!(read(&session, &path).await? >= 60, "{name}");
        let mut told: BTreeMap<&str, u64> = BTreeMap::new();
        let seeds = match number("DICEC_SEED") {
            Some(seed) => seed..seed + 1,
            None => 0..files_each,
        };
        for seed in seeds {
            let mut random = Random(seed << 8 | number_of_file as u64);
            let mut bytes = whole.clone();
            mutate(&mut bytes, &mut random);
            // Under a name of its own: what is known about a table holds as long as it is the same.
            let path = folder
                .path()
                .join(format!("{number_of_file}-{seed}.{ending}"));
            std::fs::write(&path, &bytes)?;
            let code = match read(&session, &path).await {
                Ok(_) => "read well",
                Err(wrong) => {
                    let named = format!("{wrong:?}");
                    let is_named = named.contains(&format!("{number_of_file}-{seed}"));
                    assert!(is_named, "{name}: seed {seed}: {wrong}");
                    wrong.findings[0].code
                }
            };
            *told.entry(code).or_default() += 1;
        }
        println!("{name}: {told:?}");
    }
    Ok(())
}
