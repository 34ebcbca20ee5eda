//! The command `dicec`; all of it is in the library of this package.

fn main() -> dicec::ExitCode {
    dicec::run(std::env::args_os())
}
