//! The command `dicec`; all of it is in the library of this package.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> dicec::ExitCode {
    dicec::run(std::env::args_os())
}
