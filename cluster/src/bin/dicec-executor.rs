//! The program `dicec-executor`: a member of a cluster that works.

use clap::Parser;
use dicec_cluster::{Executor, run_executor};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Do the tasks of a scheduler. The tables that they read have to be there under the same paths as
/// on the machine of who asks, in a folder of --files. Whoever reaches its ports can have it read
/// those, and use its time: keep it in a network that you trust. RUST_LOG=info tells what it does
#[derive(Parser, Debug)]
#[command(version)]
struct Args {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050", value_parser = host_and_port)]
    scheduler: (String, u16),
    /// The address at which it listens
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The name under which others reach it [default: the address that the scheduler sees]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The port from which clients and other executors fetch rows
    #[arg(long, value_name = "PORT", default_value_t = 50051)]
    port: u16,
    /// The port at which it gets tasks
    #[arg(long, value_name = "PORT", default_value_t = 50052)]
    task_port: u16,
    /// How many tasks it does at a time [default: one for each thread of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    tasks: Option<u16>,
    /// How often it tells the scheduler that it is there
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,
    /// Where it keeps rows until they are fetched [default: a temporary folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// A folder whose files it reads, with those in it; may be given several times [default: none,
    /// so it reads no tables]
    #[arg(long, value_name = "FOLDER")]
    files: Vec<PathBuf>,
}

fn host_and_port(text: &str) -> Result<(String, u16), String> {
    let wrong = || "it has a host and a port, such as localhost:50050".to_owned();
    let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
    let port = port.parse().map_err(|_| wrong())?;
    Ok((host.to_owned(), port))
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    if args.files.is_empty() {
        eprintln!("note: without --files, this executor reads no tables");
    }
    let (scheduler_host, scheduler_port) = args.scheduler;
    let told = Executor {
        scheduler_host,
        scheduler_port,
        bind: args.bind,
        host: args.host,
        port: args.port,
        task_port: args.task_port,
        tasks: args.tasks.map_or(0, usize::from),
        heartbeat: args.heartbeat,
        folder: args.folder,
        files: args.files,
    };
    match run_executor(told).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: the executor stopped: {why}");
            ExitCode::FAILURE
        }
    }
}
