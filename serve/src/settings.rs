//! The settings of a server.

use crate::isolated::Isolation;
use crate::origin::Origin;
use crate::pace::Pace;
use crate::places::Places;
use dicec_api::Bounds;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// How a server is set up.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Where it listens; port 0 takes any that is free.
    pub address: SocketAddr,
    /// The token that every request needs; none on this machine.
    pub token: Option<String>,
    /// The limits on the cost of a request.
    pub bounds: Bounds,
    /// How long the work of a request may take.
    pub time: Duration,
    /// The number of requests that are worked on at the same time.
    pub workers: usize,
    /// The number of requests that may wait for them.
    pub queue: usize,
    /// The number of connections that may be open at the same time.
    pub connections: usize,
    /// The number of them that may be sending or receiving a table.
    pub tables: usize,
    /// The bytes of all bodies that arrive and of all answers that wait for their readers.
    pub memory: usize,
    /// How slow clients may be.
    pub pace: Pace,
    /// The maximum number of bytes of a question.
    pub body: usize,
    /// The maximum number of bytes of a table.
    pub table: u64,
    /// The maximum number of bytes of a table in a Parquet file, which is kept in memory.
    pub parquet: usize,
    /// Whether questions, but not tables, are answered by processes of their own.
    pub isolation: Option<Isolation>,
    /// The addresses elsewhere that the page links to.
    pub places: Places,
    /// The origins of pages of other hosts that may ask the API.
    pub origins: Vec<Origin>,
}

/// Why a server cannot be set up like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unusable {
    /// Other machines could send requests without a token.
    #[error("an address that other machines reach needs a token")]
    NoToken,
    /// A token that can be guessed.
    #[error("a token has at least {SHORTEST} characters")]
    ShortToken,
    /// A token that a browser could not send.
    #[error("a token has letters and digits only, and - or _")]
    StrangeToken,
}

/// The minimum number of characters of a token.
const SHORTEST: usize = 16;

impl Settings {
    /// A server for this machine.
    pub fn local(port: u16) -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            token: None,
            bounds: Bounds::untrusted(),
            time: Duration::from_secs(60),
            workers: thread::available_parallelism().map_or(1, NonZero::get),
            queue: 512,
            connections: 1024,
            tables: 64,
            memory: 256 << 20,
            pace: Pace::USUAL,
            body: 1 << 20,
            table: 256 << 20,
            parquet: 32 << 20,
            isolation: None,
            places: Places::default(),
            origins: Vec::new(),
        }
    }

    /// A server at this address, for clients that know the token.
    ///
    /// # Errors
    /// A token that is missing although it is needed, or too short.
    pub fn listening(address: SocketAddr, token: Option<String>) -> Result<Self, Unusable> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match &token {
            None if !address.ip().is_loopback() => return Err(Unusable::NoToken),
            Some(token) if token.chars().count() < SHORTEST => return Err(Unusable::ShortToken),
            Some(token) if !token.bytes().all(is_plain) => return Err(Unusable::StrangeToken),
            _ => {}
        }
        Ok(Self {
            address,
            token,
            ..Self::local(address.port())
        })
    }
}
