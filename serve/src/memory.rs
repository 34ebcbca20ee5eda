//! Limits the total memory of requests that wait for a slow client: bodies that arrive, and answers
//! that are being read.

use crate::pace::Pace;
use crate::response::Refused;
use axum::body::{Body, Bytes, HttpBody};
use futures_util::StreamExt;
use hyper::body::{Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Bytes are counted in pages of this size.
const PAGE: usize = 4096;

/// A document is sent in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// The memory of all requests together.
#[derive(Clone)]
pub(crate) struct Memory(Arc<Semaphore>);

/// The memory of one request.
pub(crate) struct Held {
    _pages: OwnedSemaphorePermit,
}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        let pages = (bytes / PAGE).min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(pages)))
    }

    /// Holds this many bytes.
    ///
    /// # Errors
    /// Fewer are free.
    pub(crate) fn hold(&self, bytes: usize) -> Result<Held, Refused> {
        let pages = u32::try_from(bytes.div_ceil(PAGE)).map_err(|_| Refused::busy())?;
        let pages = Arc::clone(&self.0).try_acquire_many_owned(pages);
        pages
            .map(|pages| Held { _pages: pages })
            .map_err(|_| Refused::busy())
    }

    /// Reads a whole body of at most this many bytes, which are held until it is dropped.
    ///
    /// # Errors
    /// It is larger, comes too slowly or breaks off, or there is not enough memory.
    pub(crate) async fn read(
        &self,
        body: Body,
        most: usize,
        pace: Pace,
    ) -> Result<(Vec<u8>, Held), Refused> {
        let told = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if told > most {
            return Err(Refused::too_large(most as u64));
        }
        let start = Instant::now();
        let mut held = self.hold(0)?;
        let mut body = body.into_data_stream();
        let mut bytes = Vec::new();
        loop {
            let allowed = pace.allowed(bytes.len() as u64);
            let Ok(piece) = timeout_at(start + allowed, body.next()).await else {
                return Err(Refused::too_slow(allowed.as_secs()));
            };
            let Some(piece) = piece else {
                return Ok((bytes, held));
            };
            let piece = piece.map_err(|_| Refused::broken_off())?;
            if bytes.len() + piece.len() > most {
                return Err(Refused::too_large(most as u64));
            }
            held._pages.merge(self.hold(piece.len())?._pages);
            bytes.extend_from_slice(&piece);
        }
    }
}

/// A body that holds its memory until it is sent. It is sent in pieces: hyper asks for the next one
/// when the last ones are written.
pub(crate) struct HeldBody {
    rest: Bytes,
    _held: Held,
}

impl HeldBody {
    pub(crate) fn new(document: String, held: Held) -> Self {
        Self {
            rest: document.into(),
            _held: held,
        }
    }
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
