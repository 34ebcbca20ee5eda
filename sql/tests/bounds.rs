//! What bounds a statement: looks at tables before they are read, and memory.

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use dicec_sql::{MEMORY, Session, SqlError, answering};
use parquet::arrow::ArrowWriter;
use std::fs;
use std::path::Path;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The batches of a statement.
async fn batches(session: &Session, sql: &str) -> std::result::Result<Vec<RecordBatch>, SqlError> {
    Ok(session.sql(sql).await?.collect().await?)
}

/// What is wrong with a statement.
async fn wrong(session: &Session, sql: &str) -> Result<SqlError> {
    let told = batches(session, sql).await.err();
    Ok(told.ok_or_else(|| format!("nothing is wrong with {sql}"))?)
}

/// A Parquet file with these texts.
fn parquet(path: &Path, texts: &[String]) -> Result<()> {
    let texts: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", texts)])?;
    let mut writer = ArrowWriter::try_new(fs::File::create(path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

#[tokio::test]
async fn damaged_tables_are_refused_however_they_are_named() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let session = Session::new(Some(1), MEMORY)?;
    let name = |name: &str| folder.path().join(name).display().to_string();
    parquet(&folder.path().join("good.parquet"), &["a".to_owned()])?;
    let mut bytes = fs::read(name("good.parquet"))?;
    // The directory is longer than the file.
    let at = bytes.len() - 8;
    bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    for other in ["bad.parquet", "bad.bin"] {
        fs::write(name(other), &bytes)?;
    }
    let statements = [
        format!("SELECT * FROM '{}'", name("bad.parquet")),
        format!("SELECT * FROM '{}'", name("b*.parquet")),
        format!(
            "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{}'",
            name("bad.parquet")
        ),
        format!(
            "CREATE EXTERNAL TABLE u STORED AS PARQUET LOCATION '{}'",
            name("bad.bin")
        ),
    ];
    for sql in statements {
        let told = wrong(&session, &sql).await?;
        assert_eq!(told.findings[0].code, "D0501", "{sql}: {told}");
        assert!(told.to_string().contains("bad."), "{sql}: {told}");
    }
    let good = format!("SELECT * FROM '{}'", name("good.parquet"));
    assert_eq!(batches(&session, &good).await?[0].num_rows(), 1);
    // A table that changed is looked at again.
    fs::write(name("good.parquet"), &bytes)?;
    assert_eq!(wrong(&session, &good).await?.findings[0].code, "D0501");
    let elsewhere = wrong(&session, "SELECT * FROM 's3://bucket/a.csv'").await?;
    assert!(elsewhere.to_string().contains("s3://bucket"), "{elsewhere}");
    Ok(())
}

#[tokio::test]
async fn long_rows_are_decoded_a_few_at_once() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("long.parquet");
    let texts: Vec<String> = (0..100)
        .map(|row| format!("{row} ").repeat(250_000))
        .collect();
    parquet(&path, &texts)?;
    let session = Session::new(Some(1), MEMORY)?;
    let found = batches(&session, &format!("SELECT * FROM '{}'", path.display())).await?;
    let rows = found.iter().map(RecordBatch::num_rows);
    assert_eq!(rows.clone().sum::<usize>(), 100);
    assert!(
        rows.clone().all(|rows| rows <= 64),
        "{:?}",
        rows.collect::<Vec<_>>()
    );
    Ok(())
}

#[tokio::test]
async fn too_much_memory_is_told() -> Result<()> {
    let sql = "SELECT count(DISTINCT value) FROM generate_series(1, 1000000)";
    let told = wrong(&Session::new(Some(2), 1 << 20)?, sql).await?;
    assert_eq!(told.findings[0].code, "D0536", "{told}");
    assert!(told.to_string().contains("--memory"), "{told}");
    // Sorting goes on in temporary files.
    let sorted = "SELECT repeat(CAST(value AS VARCHAR), 50) AS text \
                  FROM generate_series(100000, 200000) ORDER BY text DESC";
    let rows = batches(&Session::new(Some(1), 24 << 20)?, sorted).await?;
    assert_eq!(
        rows.iter().map(RecordBatch::num_rows).sum::<usize>(),
        100_001
    );
    Ok(())
}

#[tokio::test]
async fn a_statement_of_ones_own_writes_files() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("one.csv");
    let session = Session::new(Some(1), MEMORY)?;
    batches(
        &session,
        &format!("COPY (SELECT 1 AS a) TO '{}'", path.display()),
    )
    .await?;
    assert_eq!(fs::read_to_string(path)?, "a\n1\n");
    Ok(())
}

#[tokio::test]
async fn a_panic_of_the_engine_is_told() {
    let told: std::result::Result<(), SqlError> =
        answering(async { panic!("no such index") }).await;
    let told = told.err().map(|told| told.to_string());
    assert!(told.is_some_and(|told| told.contains("gave up: no such index")));
}
