//! The cookie of browsers that opened the page with the token. Browsers send cookies to all ports
//! of a host, so the name has the port in it, and the value is not the token: it is drawn when the
//! server starts, and no other server takes it.

use axum::http::{HeaderMap, header};
use std::io;
use subtle::ConstantTimeEq;

/// What the server gives to those who know the token, instead of the token.
pub(crate) struct Session {
    name: String,
    value: String,
}

impl Session {
    /// Draws the value of a server that listens at this port.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self {
            name: format!("dicec_{port}"),
            value: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// Whether a request brings the cookie. Others of the same name may stand before it.
    pub(crate) fn is_in(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        pairs.any(|(name, value)| {
            name == self.name && bool::from(value.as_bytes().ct_eq(self.value.as_bytes()))
        })
    }

    /// What sets the cookie, until the browser is closed. A `secure` one is never sent unencrypted.
    pub(crate) fn cookie(&self, secure: bool) -> String {
        let Self { name, value } = self;
        let secure = if secure { "; Secure" } else { "" };
        format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/{secure}")
    }
}
