//! Answers and errors as responses.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use dicec_api::{Reply, Wrong};
use dicec_lang::syntax::{Code, FileCode, Finding};

/// The header that has the notes on an answer, a list of documents.
const NOTES: &str = "dicec-notes";

/// The maximum number of bytes of notes: more do not fit into a header of every client.
const MAX_NOTES: usize = 4096;

/// The delay before a client retries with a busy server, in seconds.
const RETRY: &str = "1";

/// An answer: its document, and the documents of its notes.
pub(crate) struct Answer {
    pub(crate) document: String,
    pub(crate) notes: Vec<String>,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        let notes = reply.notes();
        Self {
            document: reply.document,
            notes,
        }
    }
}

/// A refused request, with its status.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    document: String,
    /// Whether the work was cancelled.
    pub(crate) is_cancelled: bool,
}

impl Refused {
    /// An error of the server's own.
    pub(crate) fn new(status: StatusCode, code: FileCode, message: &str, help: &str) -> Self {
        let finding = Finding::general(code.as_str(), message).help(help);
        Self::told(status, Wrong::from(finding).document())
    }

    /// An error with this document.
    pub(crate) fn told(status: StatusCode, document: String) -> Self {
        Self {
            status,
            document,
            is_cancelled: false,
        }
    }

    /// There are too many requests.
    pub(crate) fn busy() -> Self {
        let message = "too many questions are waiting for an answer";
        let help = "ask again in a moment";
        Self::new(StatusCode::TOO_MANY_REQUESTS, FileCode::Busy, message, help)
    }

    /// The body is larger than it may be.
    pub(crate) fn too_large(most: u64) -> Self {
        let message = format!("a request has at most {most} bytes here");
        let help = "send less at once, or use the command";
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        Self::new(status, FileCode::TooLarge, &message, help)
    }

    /// The body did not come as a whole.
    pub(crate) fn broken_off() -> Self {
        let message = "the request breaks off";
        let help = "send it again";
        Self::new(StatusCode::BAD_REQUEST, FileCode::BadRequest, message, help)
    }

    /// There is nothing of this name.
    pub(crate) fn not_found(path: &str) -> Self {
        let message = format!("there is nothing at {path}");
        let help = "/api/openapi.json lists what there is";
        Self::new(StatusCode::NOT_FOUND, FileCode::BadRequest, &message, help)
    }

    /// The path exists, but not with this method.
    pub(crate) fn other_method(path: &str) -> Self {
        let message = format!("{path} takes no request of this method");
        let help = "questions are sent with POST; /api/openapi.json describes them";
        let status = StatusCode::METHOD_NOT_ALLOWED;
        Self::new(status, FileCode::BadRequest, &message, help)
    }

    /// The time limit ended the work.
    pub(crate) fn out_of_time(seconds: u64) -> Self {
        let message = format!("this takes longer than {seconds} seconds, the limit here");
        let help = "ask for less at once, or use the command, which has no such limit";
        let status = StatusCode::GATEWAY_TIMEOUT;
        Self::new(status, FileCode::OutOfTime, &message, help)
    }

    /// The question was not sent in time.
    pub(crate) fn too_slow(seconds: u64) -> Self {
        let message = format!("the request did not arrive within {seconds} seconds");
        let help = "send it again, or send less at once";
        let status = StatusCode::REQUEST_TIMEOUT;
        Self::new(status, FileCode::OutOfTime, &message, help)
    }

    /// An internal error.
    pub(crate) fn internal() -> Self {
        let finding = Finding::general(Code::Internal.as_str(), "the work ended unexpectedly");
        let document = Wrong::from(finding.help("please report it")).document();
        Self::told(StatusCode::INTERNAL_SERVER_ERROR, document)
    }

    /// The process that worked on the question, with this many bytes of memory, ended without an
    /// answer.
    pub(crate) fn ended(memory: u64) -> Self {
        let message = format!(
            "the process that worked on this ended: it needs more than {} MiB of memory, or found a fault of ours",
            memory >> 20
        );
        let help = "ask for less at once; please report it if a small question does this";
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, FileCode::ProcessEnded, &message, help)
    }

    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// The document of the error.
    pub(crate) fn document(&self) -> &str {
        &self.document
    }
}

impl From<Wrong> for Refused {
    fn from(wrong: Wrong) -> Self {
        let status = match wrong.code() {
            code if code == FileCode::BadRequest.as_str() => StatusCode::BAD_REQUEST,
            _ if wrong.is_internal() => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self {
            is_cancelled: wrong.is_cancelled(),
            ..Self::told(status, wrong.document())
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let is_busy = self.status == StatusCode::TOO_MANY_REQUESTS;
        let mut response = json(self.document);
        *response.status_mut() = self.status;
        if is_busy {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY));
        }
        response
    }
}

/// A document as a response.
pub(crate) fn json(document: String) -> Response {
    with_type(Body::from(document), "application/json")
}

/// A body of this type as a response.
pub(crate) fn with_type(body: Body, of: &'static str) -> Response {
    let mut response = Response::new(body);
    let of = HeaderValue::from_static(of);
    response.headers_mut().insert(header::CONTENT_TYPE, of);
    response
}

/// The document of an answer as a response, with its notes in a header.
pub(crate) fn reply(document: Body, notes: &[String]) -> Response {
    let mut response = with_type(document, "application/json");
    if let Some(notes) = header_of(notes) {
        response.headers_mut().insert(NOTES, notes);
    }
    response
}

/// The first notes, as many as fit into a header.
fn header_of(notes: &[String]) -> Option<HeaderValue> {
    let mut text = String::new();
    for note in notes {
        let note = ascii(note);
        if text.len() + note.len() + 2 > MAX_NOTES {
            break;
        }
        text += if text.is_empty() { "[" } else { "," };
        text += &note;
    }
    let is_there = !text.is_empty();
    is_there.then(|| HeaderValue::from_str(&(text + "]")).ok())?
}

/// JSON with characters outside of ASCII escaped, as headers require.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() && !character.is_ascii_control() {
            text.push(character);
            continue;
        }
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            text += &format!("\\u{unit:04x}");
        }
    }
    text
}
