//! The machine that code is made for. Looked up once a process.

use super::JitError;
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::codegen::settings::{self, Configurable, Flags};
use std::sync::OnceLock;

/// This machine's instruction set, with the settings that all kernels share.
pub(super) fn host() -> Result<OwnedTargetIsa, JitError> {
    static HOST: OnceLock<Result<OwnedTargetIsa, JitError>> = OnceLock::new();
    HOST.get_or_init(find_host).clone()
}

fn find_host() -> Result<OwnedTargetIsa, JitError> {
    let unsupported = |error: String| JitError::Target(error);
    let mut flags = settings::builder();
    // `speed` for division by constants; the verifier costs 50 us a program, so only where programs are tested.
    let verifier = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
    ] {
        let set = flags.set(name, value);
        set.map_err(|error| unsupported(error.to_string()))?;
    }
    let builder = cranelift_native::builder().map_err(|error| unsupported(error.to_owned()))?;
    builder
        .finish(Flags::new(flags))
        .map_err(|error| unsupported(error.to_string()))
}
