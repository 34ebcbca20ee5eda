//! Stat blocks as people have them: pasted text in the wording of the System Reference Documents
//! 5.1 and 5.2, and the JSON of other tools.
//!
//! ```text
//! text --repair, text, head--> Raw: numbers, entries with their texts
//! JSON of other tools --format--> Raw
//!     Raw --entry--> sentences --reader, traits--> members of our JSON, and a verdict for each
//!         --creature--> Block
//! ```
//!
//! The grammar knows words and short phrases (`words`), and no sentences. A clause that it does
//! not know is a note on every fight of the creature.

mod abilities;
mod block;
mod casting;
mod creature;
mod draft;
mod effects;
mod entry;
mod file;
mod format;
mod head;
mod idle;
mod multiattack;
mod numbers;
mod raw;
mod reader;
mod repair;
mod rolls;
mod sentences;
mod targets;
mod text;
mod traits;
mod usage;
mod words;

pub use crate::edition::Edition;
pub use block::{Block, Entry, Format, Section, Sentence, Verdict};
pub use file::{add_blocks, read_blocks};
