//! The server, asked over a connection of this machine: who may ask, what a request may cost, and
//! what becomes of work that nobody waits for. That its answers are those of the command is tested
//! where the command is.

mod client;
mod costs;
mod events;
mod guard;
#[cfg(unix)]
mod isolated;
mod origins;
mod rolls;
mod slow;
mod tables;
