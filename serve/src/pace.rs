//! Minimum transfer rates, so that no client holds a connection by sending or reading next to
//! nothing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The minimum rates of both directions.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long the other side may do nothing in all.
    pub grace: Duration,
    /// The bytes for which it gets a second more.
    pub rate: u64,
}

impl Pace {
    /// For connections that are slow but honest: half a minute, and 8 KiB a second.
    pub const USUAL: Self = Self {
        grace: Duration::from_secs(30),
        rate: 8 << 10,
    };

    /// How long the other side may keep us waiting until it has moved this many bytes.
    pub(crate) fn allowed(self, bytes: u64) -> Duration {
        self.grace + Duration::from_secs_f64(bytes as f64 / self.rate as f64)
    }
}

/// A connection that ends if the other side reads too slowly. The readers of requests enforce the
/// rate of sending.
pub(crate) struct Paced<S> {
    stream: S,
    pace: Pace,
    written: u64,
    /// How long it has kept us waiting, and since when it does now.
    waited: Duration,
    since: Option<Instant>,
    sleep: Pin<Box<Sleep>>,
}

impl<S> Paced<S> {
    pub(crate) fn new(stream: S, pace: Pace) -> Self {
        Self {
            stream,
            pace,
            written: 0,
            waited: Duration::ZERO,
            since: None,
            sleep: Box::pin(sleep(Duration::ZERO)),
        }
    }

    /// The other side takes nothing at the moment.
    fn waiting(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        if self.since.is_none() {
            let now = Instant::now();
            let left = self.pace.allowed(self.written).saturating_sub(self.waited);
            self.since = Some(now);
            self.sleep.as_mut().reset(now + left);
        }
        ready!(self.sleep.as_mut().poll(context));
        Poll::Ready(io::ErrorKind::TimedOut.into())
    }

    /// It has taken this much.
    fn taken(&mut self, bytes: usize) {
        self.written += bytes as u64;
        if let Some(since) = self.since.take() {
            self.waited += since.elapsed();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.waiting(context).map(Err),
            Poll::Ready(written) => {
                self.taken(*written.as_ref().unwrap_or(&0));
                Poll::Ready(written)
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
