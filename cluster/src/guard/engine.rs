//! The engine of an executor: every task goes through it, wherever it comes from.

use super::physical::{check, check_job};
use ballista_core::JobId;
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use dicec_sql::{Store, bounded};
use std::sync::Arc;

/// Ballista's engine, for plans that only read and compute, and for files that may be read.
pub struct GuardedEngine {
    engine: DefaultExecutionEngine,
    store: Arc<Store>,
}

impl GuardedEngine {
    /// An engine that reads these files.
    pub fn new(store: Arc<Store>) -> Self {
        // Ballista's pool of connections is private; without it, each fetch of rows has its own.
        let engine = DefaultExecutionEngine::new();
        Self { engine, store }
    }
}

impl ExecutionEngine for GuardedEngine {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        folder: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        check_job(job.as_str())?;
        check(&plan, &self.store)?;
        let plan = bounded(plan, &self.store)?;
        let engine = &self.engine;
        engine.create_query_stage_exec(job, stage, task, partitions, plan, folder, config)
    }
}
