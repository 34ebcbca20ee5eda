//! Scans of files: only as many rows at once as fit into the budget, and what panics in a reader
//! as an error about its file.

use crate::error::in_file;
use crate::store::{Store, in_table};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::datasource::physical_plan::{FileScanConfig, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use dicec_tables::{BadTable, unwound};
use futures::StreamExt;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;

/// A plan whose scans of Parquet decode as many rows at once as fit into the budget, and read no
/// part of a file that nobody looked at.
///
/// # Errors
/// A file may not be read.
pub fn bounded(plan: Arc<dyn ExecutionPlan>, store: &Store) -> Result<Arc<dyn ExecutionPlan>> {
    let plan = plan.transform_up(|node| match scan_of_parquet(&node, store)? {
        Some(scan) => Ok(Transformed::yes(scan)),
        None => Ok(Transformed::no(node)),
    });
    Ok(plan?.data)
}

fn scan_of_parquet(
    node: &Arc<dyn ExecutionPlan>,
    store: &Store,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some(scan) = node.downcast_ref::<DataSourceExec>() else {
        return Ok(None);
    };
    let Some((config, source)) = scan.downcast_to_file_source::<ParquetSource>() else {
        return Ok(None);
    };
    let mut rows = config.batch_size;
    for file in config.file_groups.iter().flat_map(|group| group.iter()) {
        let most = store.rows_at_once(&file.object_meta.location)?;
        rows = Some(rows.map_or(most, |rows| rows.min(most)));
    }
    let source = source.clone().with_bloom_filter_on_read(false);
    let config = FileScanConfigBuilder::from(config.clone())
        .with_source(Arc::new(source))
        .with_batch_size(rows);
    let scan = scan.clone().with_data_source(Arc::new(config.build()));
    Ok(Some(Arc::new(scan)))
}

/// The last change to a plan: its scans are bounded, and panics in them are errors.
#[derive(Debug)]
pub(crate) struct Guarded(pub(crate) Arc<Store>);

impl PhysicalOptimizerRule for Guarded {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = bounded(plan, &self.0)?.transform_up(|node| {
            let scan = node.downcast_ref::<DataSourceExec>();
            match scan.and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>()) {
                Some(files) => {
                    let scan = Scan::new(Arc::clone(&node), files);
                    Ok(Transformed::yes(Arc::new(scan) as Arc<dyn ExecutionPlan>))
                }
                None => Ok(Transformed::no(node)),
            }
        });
        Ok(plan?.data)
    }

    fn name(&self) -> &str {
        "guarded_scans"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The most files that an error names.
const MAX_NAMED: usize = 3;

/// A scan in which panics are errors about the files that it reads.
#[derive(Clone, Debug)]
struct Scan {
    scan: Arc<dyn ExecutionPlan>,
    /// The names of its files. Which of them a partition reads is decided while it runs.
    files: Arc<Path>,
}

impl Scan {
    fn new(scan: Arc<dyn ExecutionPlan>, config: &FileScanConfig) -> Self {
        let files = config.file_groups.iter().flat_map(|group| group.iter());
        let mut names: Vec<String> = files
            .map(|file| format!("/{}", file.object_meta.location))
            .collect();
        names.sort_unstable();
        names.dedup();
        let more = names.len().saturating_sub(MAX_NAMED);
        names.truncate(MAX_NAMED);
        let mut files = names.join(", ");
        if more > 0 {
            files += &format!(" and {more} more");
        }
        Self {
            scan,
            files: PathBuf::from(files).into(),
        }
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuardedScan")
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &'static str {
        "GuardedScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.scan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.scan]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [scan] = <[_; 1]>::try_from(children)
            .map_err(|_| DataFusionError::Internal("a guarded scan has one scan".to_owned()))?;
        let files = Arc::clone(&self.files);
        Ok(Arc::new(Self { scan, files }))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let files = Arc::clone(&self.files);
        let mut rows = reading(&files, || self.scan.execute(partition, context))??;
        let mut has_panicked = false;
        let guarded = futures::stream::poll_fn(move |task| {
            if has_panicked {
                return Poll::Ready(None);
            }
            match reading(&files, || rows.poll_next_unpin(task)) {
                Ok(Poll::Ready(Some(Err(why)))) => Poll::Ready(Some(Err(in_file(&files, why)))),
                Ok(polled) => polled,
                Err(why) => {
                    has_panicked = true;
                    Poll::Ready(Some(Err(why)))
                }
            }
        });
        let guarded = RecordBatchStreamAdapter::new(self.schema(), guarded);
        Ok(Box::pin(guarded))
    }
}

/// Runs what reads these files; a panic in it is an error about them.
fn reading<T>(files: &Path, run: impl FnOnce() -> T) -> Result<T> {
    unwound(run).map_err(|why| in_table(files, BadTable::damaged(&why)).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
    use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

    /// Rows whose reader panics.
    #[derive(Debug)]
    struct Panics(SchemaRef);

    impl PartitionStream for Panics {
        fn schema(&self) -> &SchemaRef {
            &self.0
        }

        fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
            let rows = futures::stream::poll_fn(|_| panic!("index 7 is out of range\nsecret"));
            let schema = SchemaRef::clone(&self.0);
            Box::pin(RecordBatchStreamAdapter::new(schema, rows))
        }
    }

    #[tokio::test]
    async fn a_panic_names_the_file() -> Result<()> {
        let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
        let rows: Vec<Arc<dyn PartitionStream>> = vec![Arc::new(Panics(SchemaRef::clone(&schema)))];
        let scan = StreamingTableExec::try_new(schema, rows, None, [], false, None)?;
        let scan = Scan {
            scan: Arc::new(scan),
            files: Path::new("/tables/foes.parquet").into(),
        };
        let mut rows = scan.execute(0, Arc::default())?;
        let told = rows.next().await.and_then(|rows| rows.err());
        let told = crate::SqlError::from(
            told.ok_or_else(|| DataFusionError::Internal("it does not fail".to_owned()))?,
        );
        assert_eq!(told.findings[0].code, "D0501");
        let told = told.to_string();
        assert!(
            told.contains("foes.parquet") && told.contains("index 7"),
            "{told}"
        );
        assert!(!told.contains("secret"), "{told}");
        assert!(rows.next().await.is_none());
        Ok(())
    }
}
