//! `dicec serve`: a page on your own machine, and the API behind it.
//!
//! ```text
//! connection --listen--> request --guard--> page: files of the binary
//!                                   |
//!                                   +--> ask, batch --work: a queue, a time limit--> dicec_api
//!                                                        |
//!                                        events: progress and partial results, as they come
//! ```
//!
//! Clients may be slow: `pace` limits how long one can delay the server, `memory` the data that it
//! holds meanwhile for all of them, and waiting for a client does not occupy a worker.
//!
//! A [`Server`] accepts requests only from this machine, unless it has another address and a token.
//! It reads no files and writes none.

mod answer;
mod ask;
mod batch;
mod events;
mod guard;
mod isolated;
mod listen;
mod memory;
mod origin;
mod pace;
mod page;
mod places;
mod response;
mod session;
mod settings;
mod state;
mod work;

pub use isolated::{Isolation, answer_question};
pub use listen::{Server, Stop};
pub use origin::{NotAnOrigin, Origin};
pub use pace::Pace;
pub use places::{NoPlace, Places};
pub use settings::{Settings, Unusable};
