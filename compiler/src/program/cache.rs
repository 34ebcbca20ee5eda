//! The stages of compilation that a program keeps, each made once per roll and policies of
//! simulated players.

use super::checked::kept::KeptChecks;
use super::failure::Failure;
use super::kept::locked;
use super::kernels::Compiled;
use super::patterns::Patterns;
use super::simulation::{Backend, Wanted};
use dicec_lang::hir::Policy;
use dicec_native::ir::Module;
use dicec_native::pass::{NoLanes, Sampling, Switches, VectorForm};
use std::sync::{Arc, Mutex, OnceLock};

/// The maximum number of pairs of a roll and policies whose stages a program keeps; those of other
/// pairs are recomputed.
const MAX_KEPT: usize = 16;

/// The maximum number of kernels for any arguments that are kept with the stages.
const MAX_KERNELS: usize = 4;

/// The stages of a program's rolls.
#[derive(Default)]
pub(super) struct Cache(Mutex<Vec<(Key, Arc<Stages>)>>);

/// A roll's index, and policies.
type Key = (usize, Arc<[Policy]>);

impl Cache {
    /// The stages of a roll under these policies, which may still be uncomputed.
    pub(super) fn stages(&self, roll: usize, policies: &Arc<[Policy]>) -> Arc<Stages> {
        let mut kept = locked(&self.0);
        let is_ours = |(key, _): &&(Key, _)| key.0 == roll && key.1 == *policies;
        if let Some((_, stages)) = kept.iter().find(is_ours) {
            return Arc::clone(stages);
        }
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        let stages = Arc::new(Stages::default());
        kept.push(((roll, Arc::clone(policies)), Arc::clone(&stages)));
        stages
    }
}

/// The stages of a roll under some policies, for any arguments and resources.
#[derive(Default)]
pub(super) struct Stages {
    pub(super) lowered: OnceLock<Arc<Module>>,
    pub(super) faithful: OnceLock<Optimised>,
    pub(super) fused: OnceLock<Optimised>,
    pub(super) form: OnceLock<Result<Arc<VectorForm>, NoLanes>>,
    kernels: Mutex<Vec<(KernelKey, Arc<Compiled>)>>,
    pub(super) patterns: Patterns,
    pub(super) checks: KeptChecks,
}

/// An optimised module, and the rewrites that are still allowed on modules derived from it.
pub(super) struct Optimised {
    pub(super) module: Arc<Module>,
    pub(super) left: Switches,
}

/// The key of a kernel for any arguments, besides its module.
pub(super) type KernelKey = (Sampling, Backend, Wanted);

impl Stages {
    /// The kernel with this key; `make` compiles it if there is none yet.
    pub(super) fn kernel(
        &self,
        key: KernelKey,
        make: impl FnOnce() -> Result<Arc<Compiled>, Failure>,
    ) -> Result<Arc<Compiled>, Failure> {
        // The lock is held during compilation, so that rows that need the kernel at the same time
        // share one.
        let mut kernels = locked(&self.kernels);
        if let Some((_, kernel)) = kernels.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(kernel));
        }
        let kernel = make()?;
        if kernels.len() == MAX_KERNELS {
            kernels.remove(0);
        }
        kernels.push((key, Arc::clone(&kernel)));
        Ok(kernel)
    }
}
