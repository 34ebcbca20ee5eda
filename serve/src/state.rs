//! What all requests share.

use crate::settings::Settings;
use crate::work::Workers;
use std::sync::Arc;

/// The state of a server; clones share it.
#[derive(Clone)]
pub(crate) struct State(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) workers: Workers,
}

impl State {
    pub(crate) fn new(settings: Settings) -> Self {
        let workers = Workers::new(&settings);
        Self(Arc::new(Inner { settings, workers }))
    }
}

impl std::ops::Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
