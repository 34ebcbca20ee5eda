//! The test kit, shared by the suites, the fuzz targets and the stable smoke test.
//!
//! [`generate`] makes programs from bytes, and [`syntax`] any syntax tree. [`engines`] compares all
//! engines with each other. [`enumerate`], [`enumerate_script`] and [`likely`] compare the exact
//! engine with brute force, and [`fit`] samples with the exact engine. [`answers`] holds every
//! answer about a script against brute force and makes faults small, [`corpus`] changes the
//! repository's own scripts, and [`metamorphic`] compares two that say the same. [`programs`] makes
//! programs from text; [`rows`] checks functions of scripts. [`json_schema`] holds documents to
//! their schemas, and [`anydice`] is a second reading of AnyDice programs. [`properties`] turns
//! each check into a function of bytes, and [`strangers`] what people send.

pub mod answers;
pub mod anydice;
pub mod by_hand;
pub mod checked;
pub mod conformance;
pub mod corpus;
pub mod encounter;
pub mod engines;
pub mod enumerate;
pub mod enumerate_script;
pub mod expectimax;
pub mod fit;
pub mod generate;
pub mod json_schema;
pub mod likely;
pub mod metamorphic;
pub mod programs;
pub mod properties;
pub mod rows;
pub mod script;
pub mod stages;
pub mod strangers;
pub mod syntax;

/// The example on the page about the library is a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
struct Library;
