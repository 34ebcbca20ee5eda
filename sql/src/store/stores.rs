//! Which store a URL stands for: that of the files of this machine, or none.

use super::Store;
use crate::SqlError;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::object_store::ObjectStore;
use dicec_lang::syntax::{FileCode, Finding};
use std::sync::Arc;
use url::Url;

/// The only store that a session has.
#[derive(Debug)]
pub struct Stores(Arc<Store>);

impl Stores {
    /// A session that has this store.
    pub fn new(store: Arc<Store>) -> Self {
        Self(store)
    }
}

impl ObjectStoreRegistry for Stores {
    /// No statement adds a store.
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if url.scheme() == "file" && url.host_str().is_none() {
            return Ok(Arc::clone(&self.0) as Arc<dyn ObjectStore>);
        }
        let message = format!("{url} is not a file of this machine, and only those are read");
        let finding = Finding::general(FileCode::Unreadable.as_str(), message);
        Err(SqlError::from(finding).into())
    }
}
