//! Where DataFusion finds files: on this machine only, those that [`Reach`] allows, and tables in
//! binary formats after a look at them ([`Vetted`]).
//!
//! ```text
//!  a URL --`Stores`--> the only store --`Reach`--> a file, without links and `..`
//!                                                    |
//!                                     `Vetted`: whether it is what it says
//!                                                    |
//!                                                  bytes
//! ```

mod reach;
mod stores;
mod vetted;

pub use reach::Reach;
pub use stores::Stores;
pub(crate) use vetted::in_table;

use crate::SqlError;
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path as Location;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vetted::Vetted;

/// The files of this machine, as far as somebody may reach them.
#[derive(Clone, Debug)]
pub struct Store {
    files: LocalFileSystem,
    reach: Reach,
    vetted: Arc<Vetted>,
}

impl Store {
    /// The files that `reach` allows.
    pub fn new(reach: Reach) -> Self {
        Self {
            files: LocalFileSystem::new(),
            reach,
            vetted: Arc::new(Vetted::default()),
        }
    }

    /// Looks at a table before it is read, and tells how many of its rows may be decoded at once.
    ///
    /// # Errors
    /// It may not be read.
    pub fn rows_at_once(&self, location: &Location) -> Result<usize> {
        let file = self.readable(location)?;
        self.vetted.rows_at_once(&file).map_err(damaged)
    }

    /// The file at a location, if it may be read.
    ///
    /// # Errors
    /// It may not.
    pub fn readable(&self, location: &Location) -> Result<PathBuf> {
        let file = self.files.path_to_filesystem(location)?;
        self.reach.readable(&file).map_err(|why| match why {
            Some(why) => refused(&file, why),
            None => Error::NotFound {
                path: file.display().to_string(),
                source: "there is no such file".into(),
            },
        })
    }

    /// Looks at a table before its bytes are handed out.
    async fn look(&self, file: &Path) -> Result<()> {
        let (vetted, file) = (Arc::clone(&self.vetted), file.to_owned());
        let look = tokio::task::spawn_blocking(move || vetted.rows_at_once(&file));
        let looked = look.await.map_err(|source| Error::JoinError { source })?;
        looked.map(drop).map_err(damaged)
    }

    /// Checks that something may be written.
    fn writable(&self, location: &Location) -> Result<()> {
        let file = self.files.path_to_filesystem(location)?;
        let checked = self.reach.writable(&file);
        checked.map_err(|why| refused(&file, why))
    }

    /// What was found in a folder, or why it may not be.
    fn listed(&self, found: ObjectMeta) -> Result<ObjectMeta> {
        self.readable(&found.location)?;
        Ok(found)
    }
}

/// Where a file is, not what leads to it.
fn real(file: &Path) -> Result<Location> {
    Ok(Location::from_absolute_path(file)?)
}

/// A refusal as DataFusion hands it on.
fn refused(file: &Path, why: SqlError) -> Error {
    Error::PermissionDenied {
        path: file.display().to_string(),
        source: Box::new(why),
    }
}

/// What is wrong with a table, in the same way.
fn damaged(why: SqlError) -> Error {
    Error::Generic {
        store: "file",
        source: Box::new(why),
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the files of this machine")
    }
}

#[async_trait]
impl ObjectStore for Store {
    async fn get_opts(&self, location: &Location, options: GetOptions) -> Result<GetResult> {
        let file = self.readable(location)?;
        if !options.head {
            self.look(&file).await?;
        }
        let mut found = self.files.get_opts(&real(&file)?, options).await?;
        found.meta.location = location.clone();
        Ok(found)
    }

    async fn get_ranges(&self, location: &Location, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let file = self.readable(location)?;
        self.look(&file).await?;
        self.files.get_ranges(&real(&file)?, ranges).await
    }

    fn list(&self, prefix: Option<&Location>) -> BoxStream<'static, Result<ObjectMeta>> {
        let root = Location::default();
        if let Err(why) = self.readable(prefix.unwrap_or(&root)) {
            return stream::once(async { Err(why) }).boxed();
        }
        let files = self.clone();
        let found = self.files.list(prefix);
        found.map(move |found| files.listed(found?)).boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Location>) -> Result<ListResult> {
        self.readable(prefix.unwrap_or(&Location::default()))?;
        let found = self.files.list_with_delimiter(prefix).await?;
        let inner = found.common_prefixes.iter();
        let inner = inner.chain(found.objects.iter().map(|found| &found.location));
        for location in inner {
            self.readable(location)?;
        }
        Ok(found)
    }

    async fn put_opts(
        &self,
        location: &Location,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.writable(location)?;
        self.files.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Location,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.writable(location)?;
        self.files.put_multipart_opts(location, options).await
    }

    /// No statement removes a file.
    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Location>>,
    ) -> BoxStream<'static, Result<Location>> {
        let refuse = |location: Result<Location>| {
            Err(Error::NotSupported {
                source: format!("{} is not removed", location?).into(),
            })
        };
        locations.map(refuse).boxed()
    }

    /// No statement copies a file.
    async fn copy_opts(&self, from: &Location, _: &Location, _: CopyOptions) -> Result<()> {
        Err(Error::NotSupported {
            source: format!("{from} is not copied").into(),
        })
    }
}
