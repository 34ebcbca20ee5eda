//! The pipeline: everything that is done to a module before an engine runs it.

use super::fuel::fuel;
use super::fuse::fuse;
use super::manager::Pass;
use super::scalar_replacement::scalar_replacement;
use crate::analysis::KnownRanges;
use crate::ir::{Module, verify};

/// The maximum number of iterations of the pipeline over a module of known arguments.
const MAX_ITERATIONS: usize = 4;

/// How often lists from which elements are drawn are looked for.
const MAX_ROUNDS: usize = 2;

/// Which random words become which dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Every die takes a word of its own, in source order, as at the table.
    Faithful,
    /// Several dice may share a word. The odds are the same, exactly; a seed gives other rolls.
    #[default]
    Fused,
}

/// Runs passes until nothing changes: what one iteration finds lets the next one find more.
fn repeat(module: &mut Module, passes: &[Pass], ranges: &mut KnownRanges) {
    let known = module.tables.known.is_some();
    for _ in 0..if known { MAX_ITERATIONS } else { 1 } {
        let before = module.clone();
        for pass in passes {
            pass.run_knowing(module, ranges);
        }
        fuel(module);
        if *module == before {
            break;
        }
    }
}

/// What is a list in memory by now stays there, if it is not only drawn from; returns whether there
/// was one that is. Other passes may find more afterwards.
fn without_shifts(module: &mut Module, fused: bool, ranges: &mut KnownRanges) -> bool {
    for pass in [Pass::SHIFT, Pass::SIMPLIFY, Pass::DCE] {
        pass.run_knowing(module, ranges);
    }
    let before = module.clone();
    for pass in [Pass::UNSHIFT, Pass::CONSTANT_LISTS] {
        pass.run_knowing(module, ranges);
    }
    if fused {
        Pass::DRAWN_LISTS.run_knowing(module, ranges);
    }
    *module != before
}

/// Optimises a module, and fuses its draws if `sampling` asks for it. If the arguments are known,
/// fields that are only read and written at known addresses become values.
///
/// A seed gives other rolls for a rule than for a script with the same dice, and both are pinned.
/// The difference follows from the shape of the module ([`Module::is_script`]):
///
/// * A rule is fused before its resources are known (`specialise` comes later), so that a seed
///   gives the same rolls whether they are known or not.
/// * A script is fused after its arguments are known: they decide which branches and dice there
///   are. Its branches become selects first, and dice that nobody reads are dropped.
pub fn optimise(module: &mut Module, sampling: Sampling) {
    let fused = sampling == Sampling::Fused;
    let known = module.tables.known.is_some();
    if known {
        scalar_replacement(module, None);
    }
    let passes: &[Pass] = if fused && module.is_script() {
        &Pass::FUSED_PIPELINE
    } else {
        &Pass::PIPELINE
    };
    let mut ranges = KnownRanges::default();
    repeat(module, passes, &mut ranges);
    if module.is_script() {
        let mut rounds = 0..MAX_ROUNDS;
        while without_shifts(module, fused, &mut ranges) && rounds.next().is_some() {
            repeat(module, passes, &mut ranges);
        }
    }
    if fused {
        fuse(module);
        for function in module.functions.values_mut() {
            function.compact();
        }
    }
    debug_assert_eq!(verify(module), Ok(()), "optimised:\n{module}");
}
