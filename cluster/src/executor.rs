//! An executor: it does tasks, and keeps their rows until somebody fetches them.

use crate::ClusterError;
use crate::guard::engine::GuardedEngine;
use crate::guard::flight::serve;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;
use dicec_sql::{Questions, Reach, Store, Stores, functions};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// How many seconds an executor waits for its scheduler.
const CONNECT_SECONDS: u16 = 60;

/// What an executor is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executor {
    /// The host of the scheduler.
    pub scheduler_host: String,
    /// Its port.
    pub scheduler_port: u16,
    /// The address at which it listens.
    pub bind: IpAddr,
    /// The name under which others reach it; none if that is where the scheduler sees it.
    pub host: Option<String>,
    /// The port from which rows are fetched.
    pub port: u16,
    /// The port at which it gets tasks.
    pub task_port: u16,
    /// How many tasks it does at a time; 0 for one for each thread of the machine.
    pub tasks: usize,
    /// Seconds between signs of life.
    pub heartbeat: u64,
    /// Where rows are kept; a temporary folder if it is not given.
    pub folder: Option<PathBuf>,
    /// The folders whose files it reads; no file if there are none.
    pub files: Vec<PathBuf>,
}

/// Runs an executor until it is stopped.
///
/// # Errors
/// It cannot listen there, finds no scheduler, or one of the folders is not there.
pub async fn run_executor(told: Executor) -> Result<(), ClusterError> {
    // Held until the executor ends, which removes it.
    let temporary = tempfile::tempdir()?;
    let folder = told.folder.unwrap_or_else(|| temporary.path().to_owned());
    let folder = folder.into_os_string().into_string();
    let folder = folder.map_err(|name| ClusterError::NotText(name.display().to_string()))?;
    let store = Arc::new(Store::new(Reach::folders(&told.files)?));
    let engine = GuardedEngine::new(Arc::clone(&store));
    let spilled = folder.clone();
    let runtime = move |_: &SessionConfig| {
        let stores = Arc::new(Stores::new(Arc::clone(&store)));
        let runtime = RuntimeEnvBuilder::new().with_object_store_registry(stores);
        runtime.with_temp_file_path(&spilled).build_arc()
    };
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions(&Arc::new(Questions::default())) {
        let name = function.name().to_owned();
        registry.scalar_functions.insert(name, Arc::new(function));
    }
    let config = ExecutorProcessConfig {
        scheduler_host: told.scheduler_host,
        scheduler_port: told.scheduler_port,
        scheduler_connect_timeout_seconds: CONNECT_SECONDS,
        bind_host: told.bind.to_string(),
        external_host: told.host,
        port: told.port,
        grpc_port: told.task_port,
        vcores: told.tasks,
        executor_heartbeat_interval_seconds: told.heartbeat,
        work_dir: Some(folder),
        override_function_registry: Some(Arc::new(registry)),
        override_execution_engine: Some(Arc::new(engine)),
        override_runtime_producer: Some(Arc::new(runtime)),
        override_arrow_flight_service: Some(Arc::new(serve)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await?;
    Ok(())
}
