//! A session of DataFusion as `dicec sql` uses it: with the functions, and with files as tables.

use crate::error::SqlError;
use crate::files::Files;
use crate::functions::register;
use crate::questions::Questions;
use crate::scans::Guarded;
use crate::store::{Reach, Store, Stores};
use ballista::prelude::SessionContextExt;
use datafusion::catalog::{DynamicFileCatalog, UrlTableFactory};
use datafusion::dataframe::DataFrame;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use dicec_lang::syntax::{FileCode, Finding};
use std::sync::Arc;
use tokio::net::TcpStream;

/// The parts of a table on a cluster, if nobody says how many: enough for many machines, and little
/// is lost with one of them.
const REMOTE_PARTS: usize = 64;

/// A file from this size on is cut into parts for a cluster. Odds take longer than reading, so
/// that it is worth it even for small files.
const MIN_SPLIT_BYTES: usize = 1 << 16;

/// The bytes that sorting, grouping and joining may take in a session, if nobody says how many.
pub const MEMORY: usize = 2 << 30;

/// A session.
pub struct Session {
    context: SessionContext,
    questions: Arc<Questions>,
}

impl Session {
    /// A session on this machine, whose plans have this many partitions, or as many as the machine
    /// has threads. Sorting, grouping and joining take at most `memory` bytes, and what they write
    /// to temporary files then.
    ///
    /// # Errors
    /// It has no folder for temporary files.
    pub fn new(partitions: Option<usize>, memory: usize) -> Result<Self, SqlError> {
        let store = Arc::new(Store::new(Reach::User));
        let runtime = RuntimeEnvBuilder::new()
            .with_object_store_registry(Arc::new(Stores::new(Arc::clone(&store))))
            .with_memory_pool(Arc::new(FairSpillPool::new(memory)));
        let state = SessionStateBuilder::new()
            .with_config(config(partitions))
            .with_runtime_env(runtime.build_arc()?)
            .with_default_features()
            .with_physical_optimizer_rule(Arc::new(Guarded(store)))
            .build();
        Ok(Self::of(SessionContext::new_with_state(state), false))
    }

    /// A session whose plans run on a cluster of Ballista, whose scheduler is at `address`, such as
    /// `localhost:50050`. Its machines need the functions, too, as `dicec-executor` has them.
    /// Tables are cut into this many parts, or into 64.
    ///
    /// # Errors
    /// Nobody answers there.
    pub async fn remote(address: &str, partitions: Option<usize>) -> Result<Self, SqlError> {
        TcpStream::connect(address).await.map_err(|why| {
            let message = format!("cannot reach the cluster at {address}: {why}");
            let help = "start its scheduler with `dicec-scheduler`, or name another one as \
                        HOST:PORT";
            Finding::general(FileCode::NoCluster.as_str(), message).help(help)
        })?;
        let mut config = config(Some(partitions.unwrap_or(REMOTE_PARTS)));
        config.options_mut().optimizer.repartition_file_min_size = MIN_SPLIT_BYTES;
        // This machine reads the heads of tables only.
        let store = Arc::new(Store::new(Reach::User));
        let runtime =
            RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::new(store)));
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(runtime.build_arc()?)
            .with_default_features()
            .build();
        let url = format!("df://{address}");
        let context = SessionContext::remote_with_state(&url, state).await?;
        Ok(Self::of(context, true))
    }

    /// Adds the functions, and files as tables, which other machines read or this one.
    fn of(context: SessionContext, is_remote: bool) -> Self {
        let questions = Arc::new(Questions::default());
        let files = Arc::new(Files::new(is_remote));
        let known = Arc::clone(context.state_ref().read().catalog_list());
        let factory = Arc::clone(&files) as Arc<dyn UrlTableFactory>;
        let catalog = Arc::new(DynamicFileCatalog::new(known, factory));
        let state = context.into_state_builder().with_catalog_list(catalog);
        let context = SessionContext::new_with_state(state.build());
        files.of_session(&context);
        register(&context, &questions);
        Self { context, questions }
    }

    /// The session of DataFusion.
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// What the functions remember.
    pub fn questions(&self) -> &Questions {
        &self.questions
    }

    /// Plans a statement.
    ///
    /// # Errors
    /// What is wrong with it, or with the calls in it.
    pub async fn sql(&self, statement: &str) -> Result<DataFrame, SqlError> {
        Ok(self.context.sql(statement).await?)
    }
}

/// The settings of a session: names are as they are written, for the columns of tables begin with
/// capitals as often as not.
fn config(partitions: Option<usize>) -> SessionConfig {
    let mut config = SessionConfig::new();
    config.options_mut().sql_parser.enable_ident_normalization = false;
    match partitions {
        Some(partitions) => config.with_target_partitions(partitions),
        None => config,
    }
}
