//! Answers as server-sent events: progress, intermediate results, and finally the result.

use crate::answer;
use crate::isolated::Hears;
use crate::memory::Held;
use crate::response::{Answer, Refused, with_type};
use crate::state::State;
use crate::work::Cancel;
use axum::body::{Body, Bytes};
use axum::response::Response;
use dicec_api::{Endpoint, Partial};
use dicec_compiler::Control;
use futures_util::stream::poll_fn;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};

/// The minimum time between progress events, in milliseconds; partial results take longer.
const TICK: u64 = 100;
const PARTIAL: u64 = 250;

/// The maximum number of events that wait for a slow client; it misses later ones.
const WAITING: usize = 16;

/// Answers a question with events.
pub(crate) fn answer(state: State, endpoint: Endpoint, body: (Vec<u8>, Held)) -> Response {
    let (sender, receiver) = channel(WAITING);
    let progress = Arc::new(Progress::new(sender.downgrade()));
    let told = Arc::clone(&progress);
    let control = Control::with_progress(move |done, most| told.tell(done, most));
    let cancel = Cancel(control.clone());
    tokio::spawn(async move {
        let closed = sender.clone();
        let answered = work(&state, endpoint, body, control, progress);
        let answered = tokio::select! {
            answered = answered => answered,
            // Nobody listens any more.
            () = closed.closed() => return,
        };
        tell(&sender, answered).await;
    });
    with_type(
        Body::from_stream(stream(receiver, cancel)),
        "text/event-stream",
    )
}

/// Works on a question, on a worker of its own.
async fn work(
    state: &State,
    endpoint: Endpoint,
    body: (Vec<u8>, Held),
    control: Control,
    progress: Arc<Progress>,
) -> Result<Answer, Refused> {
    let place = state.workers.enter().await?;
    let (asking, asked) = (state.clone(), control.clone());
    let work = move || {
        let (body, _held) = body;
        let question = (endpoint, &*body);
        answer::answer(&asking.settings, question, &asked, Some(&*progress))
    };
    state.workers.run(place, &control, work).await
}

/// The last events: notes, and the result or the error.
async fn tell(sender: &Sender<Bytes>, answered: Result<Answer, Refused>) {
    let mut events = Vec::new();
    match &answered {
        Ok(answer) => {
            events.extend(answer.notes.iter().map(|note| event("note", note)));
            events.push(event("result", &answer.document));
        }
        Err(refused) => events.push(event("error", refused.document())),
    }
    for event in events {
        // A client that has left does not hear the rest.
        if sender.send(event).await.is_err() {
            return;
        }
    }
}

/// An event; a document of JSON has no line breaks.
fn event(name: &str, document: &str) -> Bytes {
    format!("event: {name}\ndata: {document}\n\n").into()
}

/// The events as the stream of a body; dropping it cancels the work.
fn stream(
    mut receiver: Receiver<Bytes>,
    cancel: Cancel,
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    poll_fn(move |context| {
        let _ = &cancel;
        receiver.poll_recv(context).map(|event| event.map(Ok))
    })
}

/// The progress that was sent. It does not keep the answer open.
struct Progress {
    sender: WeakSender<Bytes>,
    start: Instant,
    /// The time of the last progress event, in milliseconds since the start.
    told: AtomicU64,
    /// When a partial result was.
    partial: AtomicU64,
    done: AtomicU64,
    most: AtomicU64,
}

impl Progress {
    fn new(sender: WeakSender<Bytes>) -> Self {
        Self {
            sender,
            start: Instant::now(),
            told: AtomicU64::new(0),
            partial: AtomicU64::new(0),
            done: AtomicU64::new(0),
            most: AtomicU64::new(0),
        }
    }

    /// Reports progress; an event is sent if the last one is long enough ago.
    fn tell(&self, done: u64, most: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.most.store(most, Ordering::Relaxed);
        if self.is_time() {
            self.send("null");
        }
    }

    /// The milliseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Whether the last event is long enough ago; of several threads, one hears so.
    fn is_time(&self) -> bool {
        let now = self.now();
        let told = self.told.load(Ordering::Relaxed);
        let order = Ordering::Relaxed;
        now.saturating_sub(told) >= TICK
            && self.told.compare_exchange(told, now, order, order).is_ok()
    }

    fn send(&self, partial: &str) {
        let done = self.done.load(Ordering::Relaxed);
        let most = self.most.load(Ordering::Relaxed);
        let data = format!("{{\"done\":{done},\"of\":{most},\"partial\":{partial}}}");
        // A client that reads slowly misses some of it.
        if let Some(sender) = self.sender.upgrade() {
            let _ = sender.try_send(event("progress", &data));
        }
    }
}

impl Hears for Progress {
    fn progress(&self, done: u64, most: u64) {
        self.tell(done, most);
    }

    fn partial(&self, document: &str) {
        self.send(document);
    }
}

impl Partial for Progress {
    fn is_due(&self) -> bool {
        let now = self.now();
        let last = self.partial.load(Ordering::Relaxed);
        let is_due = now.saturating_sub(last) >= PARTIAL;
        if is_due {
            self.partial.store(now, Ordering::Relaxed);
        }
        is_due
    }

    fn take(&self, document: &str) {
        self.send(document);
    }
}
