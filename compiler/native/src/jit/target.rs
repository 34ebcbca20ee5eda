//! The machine for which code is compiled. Determined once per process.

use super::error::JitError;
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::codegen::settings::{self, Configurable, Flags};
use std::fmt;
use std::sync::OnceLock;

/// The effort of Cranelift's optimiser.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// It optimises divisions by constants, common subexpressions and loop invariants.
    Optimised,
    /// No optimisation: the emitter left nothing to find. Compiling takes a quarter less time.
    AsEmitted,
}

/// This machine's instruction set, with the settings that all kernels of this effort share.
pub(super) fn host(effort: Effort) -> Result<OwnedTargetIsa, JitError> {
    static OPTIMISED: OnceLock<Result<OwnedTargetIsa, JitError>> = OnceLock::new();
    static AS_EMITTED: OnceLock<Result<OwnedTargetIsa, JitError>> = OnceLock::new();
    let found = match effort {
        Effort::Optimised => &OPTIMISED,
        Effort::AsEmitted => &AS_EMITTED,
    };
    found.get_or_init(|| find_host(effort)).clone()
}

fn find_host(effort: Effort) -> Result<OwnedTargetIsa, JitError> {
    let builder = cranelift_native::builder().map_err(unsupported)?;
    builder.finish(flags(effort)?).map_err(unsupported)
}

/// Another machine's.
#[cfg(feature = "aarch64")]
pub(super) fn aarch64(effort: Effort) -> Result<OwnedTargetIsa, JitError> {
    let builder = cranelift::codegen::isa::lookup_by_name("aarch64");
    let builder = builder.map_err(unsupported)?;
    builder.finish(flags(effort)?).map_err(unsupported)
}

fn unsupported(error: impl fmt::Display) -> JitError {
    JitError::Target(error.to_string())
}

fn flags(effort: Effort) -> Result<Flags, JitError> {
    let mut flags = settings::builder();
    let level = match effort {
        Effort::Optimised => "speed",
        Effort::AsEmitted => "none",
    };
    // The verifier costs 50 us per program, so it runs in debug builds only.
    let verifier = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", level),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
    ] {
        let set = flags.set(name, value);
        set.map_err(unsupported)?;
    }
    Ok(Flags::new(flags))
}
