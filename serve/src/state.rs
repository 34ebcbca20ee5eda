//! The state that all requests share.

use crate::memory::{HeldBody, Memory};
use crate::response::{self, Answer, Refused};
use crate::session::Session;
use crate::settings::Settings;
use crate::work::Workers;
use axum::body::Body;
use axum::response::Response;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The state of a server; clones share it.
#[derive(Clone)]
pub(crate) struct State(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) session: Session,
    pub(crate) workers: Workers,
    pub(crate) memory: Memory,
    /// The number of tables that may be open.
    pub(crate) tables: Arc<Semaphore>,
}

impl State {
    pub(crate) fn new(settings: Settings, session: Session) -> Self {
        let workers = Workers::new(&settings);
        let memory = Memory::new(settings.memory);
        let tables = Arc::new(Semaphore::new(settings.tables));
        Self(Arc::new(Inner {
            settings,
            session,
            workers,
            memory,
            tables,
        }))
    }

    /// An answer as a response, which holds its memory until it is sent.
    ///
    /// # Errors
    /// There is not enough memory for one more that waits for its reader.
    pub(crate) fn reply(&self, answer: Answer) -> Result<Response, Refused> {
        let held = self.memory.hold(answer.document.len())?;
        let body = Body::new(HeldBody::new(answer.document, held));
        Ok(response::reply(body, &answer.notes))
    }
}

impl std::ops::Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
