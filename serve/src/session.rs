//! The cookie of browsers that opened the page with the token. Browsers send cookies to all ports
//! of a host, so its name contains the port, and its value is not the token: it is drawn when the
//! server starts, and no other server accepts it.

use axum::http::{HeaderMap, header};
use std::io;
use subtle::ConstantTimeEq;

/// The secret that the server gives to clients that know the token, in its place.
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

    /// Whether a request has the cookie. Others with the same name may precede it.
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

    /// The header that sets the cookie until the browser is closed. A `secure` one is never sent
    /// unencrypted.
    pub(crate) fn cookie(&self, secure: bool) -> String {
        let Self { name, value } = self;
        let secure = if secure { "; Secure" } else { "" };
        format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/{secure}")
    }
}
