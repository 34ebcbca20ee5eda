//! The test kit: what the suites, the fuzz targets and the stable smoke test share.
//!
//! [`generate`] makes programs from bytes and [`syntax`] whatever can be written; [`engines`] lists every way of running one; [`differential`] holds them to
//! each other, [`enumerate`], [`enumerate_script`] and [`likely`] hold the exact engine to brute force, [`fused`] fused code to it, [`fit`] holds samples to it, and [`properties`]
//! packs each check into a function of bytes.

pub mod checked;
pub mod conformance;
pub mod differential;
pub mod engines;
pub mod enumerate;
pub mod enumerate_script;
pub mod fit;
pub mod fused;
pub mod generate;
pub mod likely;
pub mod native;
pub mod properties;
pub mod script;
pub mod stages;
pub mod syntax;

/// The README's example of the library is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
