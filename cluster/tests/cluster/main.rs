//! A cluster of real processes on this machine: it gives the table that a single machine gives,
//! even if one of its executors dies in the middle.

mod guard;
mod members;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use dicec_sql::{MEMORY, Session, SqlError};
use members::{Cluster, LOOK, LOOKS, free_ports};
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const ROWS: usize = 200_000;

/// Parts of the table, each of which is a task.
const PARTS: usize = 24;

/// How many parts an executor has finished.
fn finished(kept: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(kept)? {
        let path = entry?.path();
        count += match path.is_dir() {
            true => finished(&path)?,
            false => usize::from(path.extension().is_some_and(|end| end == "arrow")),
        };
    }
    Ok(count)
}

/// A table of attacks, 500 of them different.
fn table(folder: &Path) -> Result<String> {
    let mut text = String::from("Id,Attack,Armour\n");
    for id in 0..ROWS {
        let (attack, armour) = (id * 7919 % 250, 10 + id * 104_729 % 20);
        text += &format!("{id},{attack},{armour}\n");
    }
    let path = folder.join("attacks.csv");
    std::fs::write(&path, text)?;
    Ok(path.display().to_string())
}

fn statement(table: &str) -> String {
    format!(
        "SELECT Id, dice_p('1d200 + [Attack] >= [Armour] * 10', Attack, Armour) AS hit, \
         dice_sim('6d6 + [Attack] - [Armour]', 20000, 11, Attack, Armour)['mean'] AS damage \
         FROM '{table}'"
    )
}

/// The rows of a statement by their numbers.
async fn rows(session: &Session, table: &str) -> Result<RecordBatch> {
    let frame = session.sql(&statement(table)).await?;
    let schema = frame.schema().inner().clone();
    let batches = frame.collect().await?;
    let all = concat_batches(&schema, &batches)?;
    let ids = datafusion::arrow::compute::sort_to_indices(all.column(0), None, None)?;
    Ok(datafusion::arrow::compute::take_record_batch(&all, &ids)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_executor_changes_no_row() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let table = table(folder.path())?;
    let mut cluster = Cluster::start(folder.path(), 2).await?;
    let session = Session::remote(&cluster.address, Some(PARTS)).await?;
    let asked = {
        let table = table.clone();
        tokio::spawn(async move { rows(&session, &table).await.map_err(|why| why.to_string()) })
    };
    let (victim, kept) = &mut cluster.executors[0];
    let mut looks = 0..LOOKS;
    while finished(kept)? == 0 {
        looks.next().ok_or("the executor finishes no part")?;
        tokio::time::sleep(LOOK).await;
    }
    victim.kill()?;
    let done = finished(kept)?;
    assert!(
        !asked.is_finished() && done < PARTS,
        "it died too late: {done}"
    );
    // Its rows are lost with it.
    std::fs::remove_dir_all(&*kept)?;
    let distributed = asked.await??;
    assert_eq!(distributed.num_rows(), ROWS);
    assert_eq!(
        distributed,
        rows(&Session::new(None, MEMORY)?, &table).await?
    );
    let other = finished(&cluster.executors[1].1)?;
    assert_eq!(other, PARTS, "the other one did all parts");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_on_another_machine_is_told_as_here() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let cluster = Cluster::start(folder.path(), 1).await?;
    let session = Session::remote(&cluster.address, Some(1)).await?;
    let party = folder.path().join("party.csv");
    std::fs::write(&party, "Name,Attack\nBrenna,7\nCorin,nine\n")?;
    let sql = format!(
        "SELECT dice_p('1d20 + [Attack] >= 15', Attack) FROM '{}'",
        party.display()
    );
    let mut told = Vec::new();
    for session in [&session, &Session::new(None, MEMORY)?] {
        let wrong = session.sql(&sql).await?.collect().await;
        let wrong = wrong.err().ok_or("the second row is wrong")?;
        told.push(SqlError::from(wrong));
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0].findings[0].code, "D0504");
    let array = folder.path().join("party.json");
    std::fs::write(&array, "[{\"Attack\": 7}]")?;
    let sql = format!("SELECT * FROM '{}'", array.display());
    let wrong = session.sql(&sql).await.err().ok_or("arrays are refused")?;
    assert_eq!(wrong.findings[0].code, "D0534");
    Ok(())
}

#[tokio::test]
async fn a_cluster_that_is_not_there_is_told() -> Result<()> {
    let [port] = free_ports()?;
    let wrong = Session::remote(&format!("127.0.0.1:{port}"), None).await;
    let wrong = wrong.err().ok_or("nobody listens there")?;
    assert_eq!(wrong.findings[0].code, "D0532");
    assert!(
        wrong.to_string().contains("cannot reach the cluster"),
        "{wrong}"
    );
    Ok(())
}
