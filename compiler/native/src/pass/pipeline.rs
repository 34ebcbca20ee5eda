//! The pipeline: all rewrites of a module before an engine runs it.

use super::contract::Pass;
use super::fuse::fuse;
use super::rewrites::Rewrites;
use crate::ir::Module;

/// The maximum number of iterations of the pipeline over a module of known arguments.
const MAX_ITERATIONS: usize = 4;

/// The maximum number of searches for lists whose elements are only drawn.
const MAX_ROUNDS: usize = 2;

/// The mapping of random words to dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Every die takes a word of its own, in source order, as if rolled by hand.
    Faithful,
    /// Several dice may share a word. The odds are the same, exactly; a seed gives other rolls.
    #[default]
    Fused,
}

/// Runs passes until nothing changes: each iteration may enable rewrites for the next.
fn repeat(module: &mut Module, passes: &[Pass], rewrites: &mut Rewrites<'_>) {
    let known = module.tables.known.is_some();
    for _ in 0..if known { MAX_ITERATIONS } else { 1 } {
        let before = module.clone();
        rewrites.run_all(passes, module);
        rewrites.run(Pass::FUEL, module);
        if *module == before {
            break;
        }
    }
}

/// Handles lists that are still in memory and only drawn from; returns whether there was one. Other
/// passes may find more afterwards.
fn without_shifts(module: &mut Module, fused: bool, rewrites: &mut Rewrites<'_>) -> bool {
    rewrites.run_all(&[Pass::SHIFT, Pass::SIMPLIFY, Pass::DCE], module);
    let before = module.clone();
    rewrites.run_all(&[Pass::UNSHIFT, Pass::CONSTANT_LISTS], module);
    if fused {
        rewrites.run(Pass::DRAWN_LISTS, module);
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
pub fn optimise(module: &mut Module, sampling: Sampling, rewrites: &mut Rewrites<'_>) {
    let fused = sampling == Sampling::Fused;
    let known = module.tables.known.is_some();
    if known {
        rewrites.run(Pass::SCALAR_REPLACEMENT, module);
    }
    let passes: &[Pass] = if fused && module.is_script() {
        &Pass::FUSED_PIPELINE
    } else {
        &Pass::PIPELINE
    };
    repeat(module, passes, rewrites);
    if module.is_script() {
        let mut rounds = 0..MAX_ROUNDS;
        while without_shifts(module, fused, rewrites) && rounds.next().is_some() {
            repeat(module, passes, rewrites);
        }
    }
    if fused {
        fuse(module, rewrites);
    }
}
