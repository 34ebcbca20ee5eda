//! JSON requests to the compiler, for a server and a page.
//!
//! ```text
//! bytes --body--> a request --program--> Bound --odds, sim, roll, encounter--> Reply
//!                                                                     |
//!                     Watch: progress, partial results, cancellation -+
//! ```
//!
//! [`answer`] takes the body of a request to an [`Endpoint`] and returns the document that the
//! command prints with `--json` for the same question, or [`Wrong`], whose document is that of the
//! command's errors. Nothing here reads a file, opens a connection or starts a thread of its own;
//! [`Bounds`] limit the cost of a request. [`openapi`] describes all of it, from the types that
//! read the requests.

mod body;
mod bounds;
mod check;
mod creatures;
mod day;
mod dice;
mod encounter;
mod odds;
mod openapi;
mod program;
mod questions;
mod reply;
mod roll;
mod sample;
mod sim;
#[cfg(feature = "native")]
mod sweep;
#[cfg(feature = "native")]
mod table;
mod watch;
mod wording;
mod wrong;

pub use bounds::Bounds;
pub use creatures::creatures;
#[cfg(feature = "native")]
pub use dicec_tables::Shape;
pub use openapi::openapi;
pub use reply::{MAX_DOCUMENT, Reply};
#[cfg(feature = "native")]
pub use table::{Format, Input, TableRequest};
pub use watch::{Partial, Watch};
pub use wrong::Wrong;

/// A kind of question, with its own address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The errors or the description of a rule or a script.
    Check,
    /// The description of a script for applications.
    Describe,
    /// The exact odds.
    Odds,
    /// One roll.
    Roll,
    /// Sampled odds.
    Sim,
    /// The chances of the sides of a fight.
    Encounter,
    /// The chances of a party in a day of fights and rests.
    Day,
    /// The creatures that a text of stat blocks has.
    Bestiary,
}

impl Endpoint {
    /// All of them.
    pub const ALL: [Endpoint; 8] = [
        Endpoint::Check,
        Endpoint::Describe,
        Endpoint::Odds,
        Endpoint::Roll,
        Endpoint::Sim,
        Endpoint::Encounter,
        Endpoint::Day,
        Endpoint::Bestiary,
    ];

    /// Its name: the command's, and the last part of its address.
    pub fn name(self) -> &'static str {
        match self {
            Endpoint::Check => "check",
            Endpoint::Describe => "describe",
            Endpoint::Odds => "odds",
            Endpoint::Roll => "roll",
            Endpoint::Sim => "sim",
            Endpoint::Encounter => "encounter",
            Endpoint::Day => "day",
            Endpoint::Bestiary => "bestiary",
        }
    }

    /// The endpoint of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// Answers a request.
///
/// # Errors
/// The errors in the request or its rule, or the reason why there is no answer.
pub fn answer(
    endpoint: Endpoint,
    body: &[u8],
    bounds: &Bounds,
    watch: &Watch<'_>,
) -> Result<Reply, Wrong> {
    match endpoint {
        Endpoint::Check => check::check(body, bounds),
        Endpoint::Describe => check::describe(body, bounds),
        Endpoint::Odds => odds::odds(body, bounds, watch),
        Endpoint::Roll => roll::roll(body, bounds),
        Endpoint::Sim => sim::sim(body, bounds, watch),
        Endpoint::Encounter => encounter::encounter(body, bounds, watch),
        Endpoint::Day => day::day(body, bounds, watch),
        Endpoint::Bestiary => creatures::own(body),
    }
}
