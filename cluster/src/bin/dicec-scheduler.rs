//! The program `dicec-scheduler`: the member of a cluster that clients talk to.

use clap::Parser;
use dicec_cluster::{Scheduler, run_scheduler};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Take plans of `dicec sql --cluster` and `dicec batch --cluster`, and hand their tasks to
/// executors. Whoever reaches it can read the tables in the folders of --files, and use the time of
/// all machines: keep it in a network that you trust. RUST_LOG=info tells what it does
#[derive(Parser, Debug)]
#[command(version)]
struct Args {
    /// Where it listens
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,
    /// After this long without a sign of life an executor is lost, and its work done by others
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    timeout: u64,
    /// A folder in which it looks at tables while it plans, the same as those of the executors; may
    /// be given several times [default: none, so it plans no tables]
    #[arg(long, value_name = "FOLDER")]
    files: Vec<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    if args.files.is_empty() {
        eprintln!("note: without --files, this scheduler plans no tables");
    }
    let told = Scheduler {
        address: args.bind,
        timeout: args.timeout,
        files: args.files,
    };
    match run_scheduler(told).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: the scheduler at {} stopped: {why}", args.bind);
            ExitCode::FAILURE
        }
    }
}
