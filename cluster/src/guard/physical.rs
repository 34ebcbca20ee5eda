//! Plans that an executor runs: those whose nodes are known to read tables and to compute, no more.

use super::refused;
use ballista_core::execution_plans::{RangeShuffleReaderExec, ShuffleReaderExec};
use ballista_core::serde::scheduler::PartitionLocation;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use dicec_sql::Store;
use std::path::{Component, Path};
use std::sync::Arc;

/// Nodes that compute, and hand rows on. The rows that shufflers write are in the executor's own
/// folder, under the name of the job. What is not here is refused: sinks, which write files;
/// functions that wait for others; Ballista's `ChaosExec`, which fails on purpose.
const HARMLESS: [&str; 46] = [
    "AggregateExec",
    "AnalyzeExec",
    "BoundedWindowAggExec",
    "BufferExec",
    "CoalesceBatchesExec",
    "CoalescePartitionsExec",
    "CooperativeExec",
    "CrossJoinExec",
    "EmptyExec",
    "ExplainExec",
    "FilterExec",
    "GlobalLimitExec",
    "HashJoinExec",
    "InterleaveExec",
    "LazyMemoryExec",
    "LocalLimitExec",
    "NestedLoopJoinExec",
    "OrderedRangeRepartitionExec",
    "OutputRequirementExec",
    "PartialSortExec",
    "PartitionedBoundedWindowAggExec",
    "PartitionedTopKExec",
    "PerPartitionFilterExec",
    "PiecewiseMergeJoinExec",
    "PlaceholderRowExec",
    "PrefixMergeExec",
    "ProjectionExec",
    "RangeFilterExec",
    "RangeShuffleReaderExec",
    "RangeShuffleWriterExec",
    "RecursiveQueryExec",
    "RepartitionExec",
    "RuntimeStatsExec",
    "ScalarSubqueryExec",
    "ShuffleReaderExec",
    "ShuffleWriterExec",
    "SortExec",
    "SortMergeJoinExec",
    "SortPreservingMergeExec",
    "SortShuffleWriterExec",
    "SymmetricHashJoinExec",
    "UnionExec",
    "UnnestExec",
    "UnorderedRangeRepartitionExec",
    "WindowAggExec",
    "WorkTableExec",
];

/// Formats of tables, and the endings of files that are read as such. A table in a format that
/// says how long its parts are is looked at before, which goes by the ending.
const FORMATS: [(&str, Option<&[&str]>); 5] = [
    ("csv", None),
    ("json", None),
    ("parquet", Some(&["parquet"])),
    ("arrow", Some(&ARROW)),
    ("arrow_stream", Some(&ARROW)),
];

const ARROW: [&str; 3] = ["arrow", "feather", "ipc"];

/// Checks all nodes of a plan, and that its files may be read.
pub(super) fn check(plan: &Arc<dyn ExecutionPlan>, store: &Store) -> Result<()> {
    plan.apply(|node| {
        if let Some(scan) = node.downcast_ref::<DataSourceExec>() {
            check_scan(scan, store)?;
        } else if !HARMLESS.contains(&kind(node.name())) {
            let what = format!("plans with {}", node.name());
            return Err(refused(&what).into());
        }
        let parts = node.downcast_ref::<ShuffleReaderExec>();
        let parts = parts.map(|reader| &reader.partition);
        let ranges = node.downcast_ref::<RangeShuffleReaderExec>();
        let parts = parts.or(ranges.map(|reader| &reader.partition));
        for part in parts.into_iter().flatten().flatten() {
            check_part(part)?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

/// The kind of a node, without how it works: `SortExec(TopK)` sorts, too.
fn kind(name: &str) -> &str {
    name.split_once('(').map_or(name, |(kind, _)| kind)
}

/// Rows of another task are in a folder of its job, wherever they are fetched from.
fn check_part(part: &PartitionLocation) -> Result<()> {
    check_job(part.partition_id.job_id.as_str())
}

/// Checks that the name of a job is the name of a folder in the executor's own, and leads to no
/// other place.
pub(super) fn check_job(name: &str) -> Result<()> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(()),
        _ => Err(refused("a job whose name leads to another folder").into()),
    }
}

fn check_scan(scan: &DataSourceExec, store: &Store) -> Result<()> {
    let source = scan.data_source();
    if source.downcast_ref::<MemorySourceConfig>().is_some() {
        return Ok(());
    }
    let unknown = || refused("scans of what is no table in a file");
    let files = source
        .downcast_ref::<FileScanConfig>()
        .ok_or_else(unknown)?;
    if files.object_store_url.as_str() != "file:///" {
        let what = format!(
            "scans of {}, which is another machine",
            files.object_store_url
        );
        return Err(refused(&what).into());
    }
    let format = files.file_source().file_type();
    let format = FORMATS.iter().find(|(name, _)| *name == format);
    let (_, endings) = format.ok_or_else(unknown)?;
    for file in files.file_groups.iter().flat_map(|group| group.iter()) {
        let location = &file.object_meta.location;
        let path = store.readable(location)?;
        let ending = path.extension().unwrap_or_default();
        let is_one = |end: &&str| ending.eq_ignore_ascii_case(end);
        if endings.is_some_and(|endings| !endings.iter().any(is_one)) {
            let what = format!("scans of /{location} in a format that its name does not have");
            return Err(refused(&what).into());
        }
    }
    Ok(())
}
