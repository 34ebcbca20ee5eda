//! The scheduler: it takes plans, cuts them into tasks, and hands those to executors.

use crate::ClusterError;
use ballista_core::utils::default_session_builder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::execution::FunctionRegistry;
use dicec_sql::{Questions, functions};
use std::net::SocketAddr;
use std::sync::Arc;

/// What a scheduler is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduler {
    /// Where it listens, for clients and executors.
    pub address: SocketAddr,
    /// After how many seconds without a sign of life an executor is lost, and its work done again
    /// by others.
    pub timeout: u64,
}

/// Runs a scheduler until it is stopped.
///
/// # Errors
/// It cannot listen there.
pub async fn run_scheduler(told: Scheduler) -> Result<(), ClusterError> {
    let questions = Arc::new(Questions::default());
    let config = SchedulerConfig {
        bind_host: told.address.ip().to_string(),
        bind_port: told.address.port(),
        executor_timeout_seconds: told.timeout,
        no_executors_grace_period_seconds: told.timeout,
        expire_dead_executor_interval_seconds: told.timeout.div_ceil(2).max(1),
        override_session_builder: Some(Arc::new(move |config| {
            let mut state = default_session_builder(config)?;
            for function in functions(&questions) {
                state.register_udf(Arc::new(function))?;
            }
            Ok(state)
        })),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, told.address, Arc::new(config)).await?;
    Ok(())
}
