//! Tables: rows come in and go out as their answers are computed.
//!
//! ```text
//! body --forward--> Upload (a reader) --dicec_api--> Download (a writer) --stream--> body
//! ```
//!
//! Both directions hold at most a few pieces: a client that does not read the answer stops the
//! work, and with it the reading. Work that waits for its client does not occupy a worker.

use crate::memory::Held;
use crate::pace::Pace;
use crate::response::{Refused, with_type};
use crate::state::State;
use crate::work::{Cancel, Place};
use axum::body::{Body, Bytes};
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use dicec_api::{Format, Input, TableRequest, Watch, Wrong};
use dicec_compiler::Control;
use dicec_tables::Shape;
use futures_util::StreamExt;
use futures_util::stream::poll_fn;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::{TryRecvError, TrySendError};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

/// Pieces of a body that wait for the other side.
const WAITING: usize = 8;

/// The answer is sent in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

/// A piece of a body, or that there will be no more because something is wrong.
type Piece = io::Result<Bytes>;

/// Answers a question for each row of a table.
pub(crate) async fn batch(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Refused> {
    let query = request.uri().query().unwrap_or_default();
    let asked = TableRequest::read(form_urlencoded::parse(query.as_bytes()).into_owned())?;
    let kind = Kind::of(request.headers());
    let body = request.into_body();
    let control = Control::default();
    let cancel = Cancel(control.clone());
    let table = Arc::clone(&state.tables).try_acquire_owned();
    let table = table.map_err(|_| Refused::busy())?;
    let input = input(body, kind, &state).await?;
    let place = state.workers.enter().await?;
    let (sender, mut pieces) = channel(WAITING);
    let (format, bounds, pace) = (asked.format, state.settings.bounds, state.settings.pace);
    let work = {
        let (control, place) = (control.clone(), Arc::clone(&place));
        move || {
            let _table = table;
            let mut output = Download::new(sender, Arc::clone(&place), pace);
            let watch = Watch::unseen(&control);
            let (input, _held) = input.open(place);
            asked.answer(input, &mut output, &bounds, &watch)?;
            output.flush().map_err(|error| unsent(&error).into())
        }
    };
    let (done, over) = channel(1);
    let workers = state.clone();
    let working = control.clone();
    tokio::spawn(async move {
        let worked = workers.workers.run(place, &working, work).await;
        // Without a receiver, nobody waits for the answer any more.
        let _ = done.send(worked).await;
    });
    first(&mut pieces, over, cancel, format).await
}

/// The response: an error if there is one before the first piece of the answer. A later one aborts
/// the answer, so that it cannot be mistaken for a complete one.
async fn first(
    pieces: &mut Receiver<Bytes>,
    mut over: Receiver<Result<(), Refused>>,
    cancel: Cancel,
    format: Format,
) -> Result<Response, Refused> {
    let first = pieces.recv().await;
    if first.is_none() {
        over.recv().await.unwrap_or(Err(Refused::internal()))?;
    }
    let mut rest = std::mem::replace(pieces, channel(1).1);
    let mut first = first;
    let stream = poll_fn(move |context| {
        let _ = &cancel;
        if let Some(first) = first.take() {
            return std::task::Poll::Ready(Some(Ok(first)));
        }
        match rest.poll_recv(context) {
            std::task::Poll::Ready(None) => over.poll_recv(context).map(|worked| match worked {
                Some(Err(_)) => Some(Err(io::Error::other("the answer ends too early"))),
                Some(Ok(())) | None => None,
            }),
            ready => ready.map(|piece| piece.map(Ok)),
        }
    });
    Ok(with_type(Body::from_stream(stream), format.content_type()))
}

/// How a table is sent.
#[derive(Clone, Copy)]
enum Kind {
    Parquet,
    Streamed(Shape),
}

impl Kind {
    /// The format by the content type; without one, by the beginning of the table.
    fn of(headers: &HeaderMap) -> Self {
        let of = headers.get(header::CONTENT_TYPE);
        let of = of.and_then(|of| of.to_str().ok()).unwrap_or_default();
        match of.split(';').next().unwrap_or_default().trim() {
            "application/vnd.apache.parquet" => Self::Parquet,
            "application/vnd.apache.arrow.stream" | "application/vnd.apache.arrow.file" => {
                Self::Streamed(Shape::Arrow)
            }
            "application/json" | "application/x-ndjson" | "application/jsonl" => {
                Self::Streamed(Shape::Json)
            }
            "text/tab-separated-values" => Self::Streamed(Shape::Csv(b'\t')),
            "text/csv" => Self::Streamed(Shape::Csv(b',')),
            _ => Self::Streamed(Shape::Guess(b',')),
        }
    }
}

/// A table that is about to be read.
enum Sent {
    Parquet(Vec<u8>, Held),
    Streamed(Receiver<Piece>, Shape),
}

impl Sent {
    /// The table, for work at this place, and the memory that it holds.
    fn open(self, place: Arc<Place>) -> (Input, Option<Held>) {
        match self {
            Sent::Parquet(bytes, held) => (Input::Parquet(bytes), Some(held)),
            Sent::Streamed(pieces, shape) => {
                let upload = Box::new(Upload::new(pieces, place));
                (Input::Streamed(upload, shape), None)
            }
        }
    }
}

async fn input(body: Body, kind: Kind, state: &State) -> Result<Sent, Refused> {
    let settings = &state.settings;
    match kind {
        Kind::Parquet => {
            let read = state.memory.read(body, settings.parquet, settings.pace);
            let (bytes, held) = read.await?;
            Ok(Sent::Parquet(bytes, held))
        }
        Kind::Streamed(shape) => {
            let (sender, receiver) = channel(WAITING);
            tokio::spawn(forward(body, sender, settings.table, settings.pace));
            Ok(Sent::Streamed(receiver, shape))
        }
    }
}

/// Sends the pieces of a body on, up to this many bytes.
async fn forward(body: Body, sender: Sender<Piece>, most: u64, pace: Pace) {
    let mut body = body.into_data_stream();
    let mut sent: u64 = 0;
    // How long the client has kept us waiting.
    let mut waited = Duration::ZERO;
    loop {
        let start = Instant::now();
        let left = pace.allowed(sent).saturating_sub(waited);
        let next = timeout(left, body.next()).await;
        waited += start.elapsed();
        let piece = match next {
            Ok(None) => return,
            Ok(Some(piece)) => piece,
            Err(_) => Err(axum::Error::new("the table stopped coming")),
        };
        let piece = piece.map_err(io::Error::other).and_then(|piece| {
            sent += piece.len() as u64;
            match sent > most {
                true => Err(io::Error::other(format!(
                    "a table has at most {most} bytes here"
                ))),
                false => Ok(piece),
            }
        });
        let is_last = piece.is_err();
        if sender.send(piece).await.is_err() || is_last {
            return;
        }
    }
}

/// The body of a request as a reader, for a thread that may wait.
struct Upload {
    pieces: Receiver<Piece>,
    piece: Bytes,
    place: Arc<Place>,
}

impl Upload {
    fn new(pieces: Receiver<Piece>, place: Arc<Place>) -> Self {
        Self {
            pieces,
            piece: Bytes::new(),
            place,
        }
    }

    fn next(&mut self) -> Option<Piece> {
        match self.pieces.try_recv() {
            Ok(piece) => Some(piece),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => self.place.aside(|| self.pieces.blocking_recv()),
        }
    }
}

impl Read for Upload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.next() {
                None => return Ok(0),
                Some(piece) => self.piece = piece?,
            }
        }
        let read = (&self.piece[..]).read(buffer)?;
        let _ = self.piece.split_to(read);
        Ok(read)
    }
}

/// The body of a response as a writer.
struct Download {
    sender: Sender<Bytes>,
    buffer: Vec<u8>,
    place: Arc<Place>,
    pace: Pace,
    sent: u64,
    /// How long the client has kept us waiting.
    waited: Duration,
}

impl Download {
    fn new(sender: Sender<Bytes>, place: Arc<Place>, pace: Pace) -> Self {
        Self {
            sender,
            buffer: Vec::new(),
            place,
            pace,
            sent: 0,
            waited: Duration::ZERO,
        }
    }

    /// Sends a piece when there is room for it; whether somebody takes it.
    fn send(&mut self, piece: Bytes) -> bool {
        let left = self.pace.allowed(self.sent).saturating_sub(self.waited);
        self.sent += piece.len() as u64;
        let piece = match self.sender.try_send(piece) {
            Ok(()) => return true,
            Err(TrySendError::Closed(_)) => return false,
            Err(TrySendError::Full(piece)) => piece,
        };
        let start = Instant::now();
        let wait = || Handle::current().block_on(timeout(left, self.sender.send(piece)));
        let sent = self.place.aside(wait);
        self.waited += start.elapsed();
        matches!(sent, Ok(Ok(())))
    }
}

impl Write for Download {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let piece = std::mem::take(&mut self.buffer).into();
        match self.send(piece) {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
        }
    }
}

/// An answer whose client is gone.
fn unsent(error: &io::Error) -> Wrong {
    dicec_lang::syntax::Finding::general(
        dicec_lang::syntax::FileCode::Unwritable.as_str(),
        format!("the answer cannot be sent: {error}"),
    )
    .into()
}
