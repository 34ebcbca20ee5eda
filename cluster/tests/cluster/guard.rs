//! What members refuse: files outside of their folders, whatever leads there, and plans that write.

use crate::Result;
use crate::members::Cluster;
use ballista_core::execution_plans::ShuffleWriterExec;
use ballista_executor::execution_engine::ExecutionEngine;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use dicec_cluster::GuardedEngine;
use dicec_sql::{MEMORY, Reach, Session, SqlError, Store};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The code of a refusal.
const REFUSED: &str = "D0535";

/// A folder with one inside that may be read, and a table in each. Links lead from the inner one
/// to the outer.
struct Folders {
    _all: TempDir,
    outside: PathBuf,
    inside: PathBuf,
}

impl Folders {
    fn new() -> Result<Self> {
        let all = tempfile::tempdir()?;
        let outside = all.path().canonicalize()?;
        let inside = outside.join("tables");
        fs::create_dir_all(inside.join("more"))?;
        fs::write(outside.join("secret.csv"), "Name\nBrenna\n")?;
        fs::write(inside.join("open.csv"), "Name\nCorin\n")?;
        fs::write(inside.join("more/one.csv"), "Name\nAyla\n")?;
        symlink(outside.join("secret.csv"), inside.join("link.csv"))?;
        symlink(&outside, inside.join("up"))?;
        symlink(inside.join("open.csv"), inside.join("same.csv"))?;
        symlink(outside.join("secret.csv"), inside.join("more/two.csv"))?;
        Ok(Self {
            _all: all,
            outside,
            inside,
        })
    }

    /// Paths of tables that may be read.
    fn open(&self) -> [PathBuf; 3] {
        let inside = &self.inside;
        [
            inside.join("open.csv"),
            inside.join("same.csv"),
            inside.join("more/../open.csv"),
        ]
    }

    /// Paths that lead outside.
    fn secret(&self) -> [PathBuf; 4] {
        let inside = &self.inside;
        [
            self.outside.join("secret.csv"),
            inside.join("../secret.csv"),
            inside.join("link.csv"),
            inside.join("up/secret.csv"),
        ]
    }
}

/// The number of rows of a statement, or what is wrong.
async fn rows(session: &Session, sql: &str) -> std::result::Result<usize, SqlError> {
    let batches = session.sql(sql).await?.collect().await?;
    Ok(batches.iter().map(|batch| batch.num_rows()).sum())
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_read_in_the_folders_only() -> Result<()> {
    let folders = Folders::new()?;
    let cluster = Cluster::start(&folders.inside, 1).await?;
    let session = Session::remote(&cluster.address, Some(1)).await?;
    for path in folders.open() {
        let sql = format!("SELECT * FROM '{}'", path.display());
        assert_eq!(rows(&session, &sql).await?, 1, "{sql}");
    }
    for path in folders.secret() {
        let sql = format!("SELECT * FROM '{}'", path.display());
        let wrong = rows(&session, &sql).await.err().ok_or(sql)?;
        assert_eq!(wrong.findings[0].code, REFUSED, "{wrong}");
        assert!(wrong.to_string().contains(".csv"), "{wrong}");
    }
    // A folder that has a link to the outside is not read as if it had none.
    let sql = format!("SELECT * FROM '{}/more'", folders.inside.display());
    let wrong = rows(&session, &sql).await.err().ok_or(sql)?;
    assert_eq!(wrong.findings[0].code, REFUSED, "{wrong}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_that_write_are_refused() -> Result<()> {
    let folders = Folders::new()?;
    let cluster = Cluster::start(&folders.inside, 1).await?;
    let session = Session::remote(&cluster.address, Some(1)).await?;
    for folder in [&folders.inside, &folders.outside] {
        let target = folder.join("written.csv");
        let sql = format!("COPY (SELECT 1) TO '{}'", target.display());
        let wrong = rows(&session, &sql).await.err().ok_or("it was copied")?;
        assert_eq!(wrong.findings[0].code, REFUSED, "{wrong}");
        assert!(wrong.to_string().contains("COPY"), "{wrong}");
        assert!(!target.exists());
    }
    Ok(())
}

/// Queries of every kind, of the tables in place of `{t}`.
const QUERIES: [&str; 23] = [
    "SELECT count(*), max(Armour), count(DISTINCT Kind) FROM {t}",
    "SELECT Kind, avg(Armour) FROM {t} GROUP BY Kind ORDER BY Kind",
    "SELECT * FROM {t} ORDER BY Armour DESC, Name LIMIT 3",
    "SELECT DISTINCT Kind FROM {t} ORDER BY Kind",
    "SELECT a.Name, b.Name FROM {t} a JOIN {t} b ON a.Kind = b.Kind ORDER BY a.Name, b.Name",
    "SELECT a.Name, b.Name FROM {t} a LEFT JOIN {t} b ON a.Armour = b.Armour + 1 ORDER BY 1, 2",
    "SELECT a.Name, b.Name FROM {t} a JOIN {t} b ON a.Armour < b.Armour ORDER BY 1, 2",
    "SELECT a.Name, b.Name FROM {t} a RIGHT JOIN {t} b ON a.Armour = b.Armour + 1 ORDER BY 1, 2",
    "SELECT a.Name, b.Name FROM {t} a FULL JOIN {t} b ON a.Armour = b.Armour + 1 ORDER BY 1, 2",
    "SELECT Name FROM {t} EXCEPT SELECT Name FROM {t} WHERE Armour > 14 ORDER BY Name",
    "SELECT Name FROM {t} INTERSECT SELECT Name FROM {t} WHERE Armour > 14 ORDER BY Name",
    "SELECT Name FROM {t} WHERE Kind NOT IN (SELECT Kind FROM {t} WHERE Armour > 17) ORDER BY Name",
    "SELECT Name FROM {t} a WHERE NOT EXISTS (SELECT 1 FROM {t} b WHERE b.Armour > a.Armour) ORDER BY 1",
    "SELECT Kind, Armour, count(*) FROM {t} GROUP BY ROLLUP (Kind, Armour) ORDER BY 1, 2, 3",
    "SELECT Kind, count(*) AS n FROM {t} GROUP BY Kind HAVING count(*) > 7 ORDER BY Kind",
    "SELECT Name FROM {t} ORDER BY Name LIMIT 4 OFFSET 5",
    "SELECT a.Name, b.Name FROM {t} a CROSS JOIN {t} b ORDER BY 1, 2",
    "SELECT Name, row_number() OVER (PARTITION BY Kind ORDER BY Name) AS n FROM {t} ORDER BY Name",
    "SELECT Name, sum(Armour) OVER (ORDER BY Name) AS n FROM {t} ORDER BY Name",
    "SELECT Name FROM {t} WHERE Armour > (SELECT avg(Armour) FROM {t}) ORDER BY Name",
    "SELECT Name FROM {t} WHERE Kind IN (SELECT Kind FROM {t} WHERE Armour > 16) ORDER BY Name",
    "SELECT unnest([1, 2]) AS n, Name FROM {t} ORDER BY Name, n",
    "SELECT dice_p('1d20 + 5 >= [AC]', Armour) AS hit FROM {t} ORDER BY hit",
];

#[tokio::test(flavor = "multi_thread")]
async fn queries_of_every_kind_are_answered() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut text = String::from("Name,Kind,Armour\n");
    for row in 0..30 {
        text += &format!("foe {row},kind {},{}\n", row % 4, 10 + row * 7 % 9);
    }
    let csv = folder.path().join("foes.csv");
    fs::write(&csv, text)?;
    let here = Session::new(Some(2), MEMORY)?;
    let parquet = folder.path().join("foes.parquet");
    let copy = format!(
        "COPY (SELECT * FROM '{}') TO '{}'",
        csv.display(),
        parquet.display()
    );
    rows(&here, &copy).await?;
    let cluster = Cluster::start(folder.path(), 2).await?;
    let there = Session::remote(&cluster.address, Some(2)).await?;
    for table in [&csv, &parquet] {
        for query in QUERIES {
            let sql = query.replace("{t}", &format!("'{}'", table.display()));
            let [here, there] = [shown(&here, &sql).await?, shown(&there, &sql).await?];
            assert_eq!(here, there, "{sql}");
        }
    }
    Ok(())
}

/// The rows of a statement as text.
async fn shown(session: &Session, sql: &str) -> Result<String> {
    let batches = session.sql(sql).await?.collect().await;
    let batches = batches.map_err(|why| format!("{sql}: {why}"))?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// A plan as it comes to an executor.
async fn task(sql: &str) -> Result<Arc<dyn ExecutionPlan>> {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    let plan = context.sql(sql).await?.create_physical_plan().await?;
    let writer = ShuffleWriterExec::try_new("job".into(), 1, plan, String::new())?;
    Ok(Arc::new(writer))
}

/// What an engine says to a task, as text.
fn refusal(engine: &GuardedEngine, job: &str, plan: Arc<dyn ExecutionPlan>) -> Result<String> {
    let config = SessionConfig::new();
    let folder = std::env::temp_dir().display().to_string();
    let told = engine.create_query_stage_exec(job.into(), 1, 1, vec![0], plan, &folder, &config);
    let wrong = told.err().ok_or("the engine takes it")?;
    let wrong = SqlError::from(wrong);
    assert_eq!(wrong.findings[0].code, REFUSED, "{wrong}");
    Ok(wrong.to_string())
}

#[tokio::test]
async fn an_engine_refuses_tasks_that_come_without_the_scheduler() -> Result<()> {
    let folders = Folders::new()?;
    let reach = Reach::folders(std::slice::from_ref(&folders.inside))?;
    let engine = GuardedEngine::new(Arc::new(Store::new(reach)));
    let files = async |path: &Path| {
        // DataFusion's own session lets statements name files, and looks at them without a guard.
        let context = SessionContext::new().enable_url_table();
        let plan = context
            .sql(&format!("SELECT * FROM '{}'", path.display()))
            .await?;
        let plan = plan.create_physical_plan().await?;
        let writer = ShuffleWriterExec::try_new("job".into(), 1, plan, String::new())?;
        Result::Ok(Arc::new(writer) as Arc<dyn ExecutionPlan>)
    };
    for path in folders.open() {
        let plan = files(&path).await?;
        let config = SessionConfig::new();
        let told = engine.create_query_stage_exec("job".into(), 1, 1, vec![0], plan, "/", &config);
        told.map_err(|why| format!("{}: {why}", path.display()))?;
    }
    for path in folders.secret() {
        let told = refusal(&engine, "job", files(&path).await?)?;
        assert!(told.contains(".csv"), "{told}");
    }
    let target = folders.inside.join("written.csv");
    let copy = task(&format!("COPY (SELECT 1) TO '{}'", target.display())).await?;
    let told = refusal(&engine, "job", copy)?;
    assert!(told.contains("DataSinkExec"), "{told}");
    assert!(!target.exists());
    for job in ["../job", "/job", "", ".", "a/b"] {
        let told = refusal(&engine, job, task("SELECT 1").await?)?;
        assert!(told.contains("another folder"), "{told}");
    }
    Ok(())
}
