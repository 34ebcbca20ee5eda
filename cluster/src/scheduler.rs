//! The scheduler: it takes plans, cuts them into tasks, and hands those to executors.

use crate::ClusterError;
use crate::guard::codec::Outward;
use crate::guard::logical::Planner;
use ballista_core::extension::{
    ballista_aggregate_functions, ballista_scalar_functions, ballista_window_functions,
};
use ballista_core::optimizer::ballista_default_optimizer_rules;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{FunctionRegistry, SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use dicec_sql::{Questions, Reach, Store, Stores, functions};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// What a scheduler is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduler {
    /// Where it listens, for clients and executors.
    pub address: SocketAddr,
    /// After how many seconds without a sign of life an executor is lost, and its work done again
    /// by others.
    pub timeout: u64,
    /// The folders whose files it looks at while it plans; no file if there are none.
    pub files: Vec<PathBuf>,
}

/// Runs a scheduler until it is stopped.
///
/// # Errors
/// It cannot listen there, or one of the folders is not there.
pub async fn run_scheduler(told: Scheduler) -> std::result::Result<(), ClusterError> {
    let questions = Arc::new(Questions::default());
    let store = Arc::new(Store::new(Reach::folders(&told.files)?));
    let config = SchedulerConfig {
        bind_host: told.address.ip().to_string(),
        bind_port: told.address.port(),
        executor_timeout_seconds: told.timeout,
        no_executors_grace_period_seconds: told.timeout,
        expire_dead_executor_interval_seconds: told.timeout.div_ceil(2).max(1),
        override_session_builder: Some(Arc::new(move |config| {
            let mut state = session(config, &store)?;
            for function in functions(&questions) {
                state.register_udf(Arc::new(function))?;
            }
            Ok(state)
        })),
        override_physical_codec: Some(Arc::new(Outward::default())),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, told.address, Arc::new(config)).await?;
    Ok(())
}

/// A session as Ballista's own, but for files and for what may be planned. It is built anew, so
/// that nothing of it has seen another store: settings of clients name places of catalogs.
fn session(config: SessionConfig, store: &Arc<Store>) -> Result<SessionState> {
    let stores = Arc::new(Stores::new(Arc::clone(store)));
    let runtime = RuntimeEnvBuilder::new().with_object_store_registry(stores);
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(runtime.build_arc()?)
        .with_query_planner(Arc::new(Planner))
        .with_optimizer_rules(ballista_default_optimizer_rules())
        .with_scalar_functions(ballista_scalar_functions())
        .with_aggregate_functions(ballista_aggregate_functions())
        .with_window_functions(ballista_window_functions());
    Ok(state.build())
}
