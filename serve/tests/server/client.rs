//! A server of its own for each test, and a client of it.

use dicec_serve::{Server, Settings, Stop};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use ureq::http::Response;
use ureq::{Agent, Body};

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Stop,
    agent: Agent,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// Settings for this machine, at any free port.
pub(crate) fn settings() -> Settings {
    Settings::local(0)
}

/// Starts a server.
pub(crate) fn start(settings: Settings) -> Running {
    let server = Server::bind(settings).expect("a free port");
    let (address, stop) = (server.address(), server.stop());
    thread::spawn(move || server.run());
    let agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        // A refusal closes its connection, maybe just when the next request would use it again.
        .max_idle_connections(0)
        .build();
    Running {
        address,
        stop,
        agent: agent.into(),
    }
}

/// A status and a body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Empty if the answer is not text.
    pub(crate) body: String,
    pub(crate) bytes: Vec<u8>,
    response: Response<()>,
}

impl Answer {
    fn new(response: Response<Body>) -> Self {
        let (parts, mut body) = response.into_parts();
        let bytes = body.read_to_vec().expect("a whole body");
        Self {
            status: parts.status.as_u16(),
            body: String::from_utf8(bytes.clone()).unwrap_or_default(),
            bytes,
            response: Response::from_parts(parts, ()),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let value = self.response.headers().get(name)?;
        value.to_str().ok()
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        let document: serde_json::Value = serde_json::from_str(&self.body).expect("a document");
        document["error"]["code"]
            .as_str()
            .expect("a code")
            .to_owned()
    }
}

impl Running {
    /// The address of something.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Asks, with headers.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = self.agent.post(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::new(request.send(body).expect("an answer"))
    }

    /// Asks a question.
    pub(crate) fn ask(&self, endpoint: &str, body: &str) -> Answer {
        self.post(&format!("/api/{endpoint}"), &[], body.as_bytes())
    }

    /// Gets something, with headers.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.agent.get(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::new(request.call().expect("an answer"))
    }

    /// Asks a question, and reads the events of its answer as they come.
    pub(crate) fn events(&self, endpoint: &str, body: &str) -> Events {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        let (host, length) = (self.address, body.len());
        write!(
            stream,
            "POST /api/{endpoint} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("a request");
        Events(BufReader::new(stream))
    }
}

/// The events of an answer; dropping them closes the connection.
pub(crate) struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    /// The name of an event, and its document.
    type Item = (String, serde_json::Value);

    fn next(&mut self) -> Option<Self::Item> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            // What is not part of an event is how the connection frames them.
            if self.0.read_line(&mut line).expect("a line") == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim().clone_into(&mut name);
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("a document")));
            }
        }
    }
}
