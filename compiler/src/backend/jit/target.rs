//! The machine that code is made for. Looked up once a process.

use super::JitError;
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::codegen::settings::{self, Configurable, Flags};
use std::fmt;
use std::sync::OnceLock;

/// This machine's instruction set, with the settings that all kernels share.
pub(super) fn host() -> Result<OwnedTargetIsa, JitError> {
    static HOST: OnceLock<Result<OwnedTargetIsa, JitError>> = OnceLock::new();
    HOST.get_or_init(find_host).clone()
}

fn find_host() -> Result<OwnedTargetIsa, JitError> {
    let builder = cranelift_native::builder().map_err(unsupported)?;
    builder.finish(flags()?).map_err(unsupported)
}

/// Another machine's.
#[cfg(feature = "aarch64")]
pub(super) fn aarch64() -> Result<OwnedTargetIsa, JitError> {
    let builder = cranelift::codegen::isa::lookup_by_name("aarch64");
    let builder = builder.map_err(unsupported)?;
    builder.finish(flags()?).map_err(unsupported)
}

fn unsupported(error: impl fmt::Display) -> JitError {
    JitError::Target(error.to_string())
}

fn flags() -> Result<Flags, JitError> {
    let mut flags = settings::builder();
    // `speed` for division by constants; the verifier costs 50 us a program, so only where programs are tested.
    let verifier = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", &std::env::var("OPT").unwrap_or("speed".into())),
        ("enable_verifier", verifier),
        ("unwind_info", &std::env::var("UNW").unwrap_or("true".into())),
        ("is_pic", "false"),
    ] {
        let set = flags.set(name, value);
        set.map_err(unsupported)?;
    }
    Ok(Flags::new(flags))
}
