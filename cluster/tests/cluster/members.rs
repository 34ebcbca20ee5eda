//! Members of a cluster as processes on this machine.

use crate::Result;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often something is looked at, and how many times before the test gives up.
pub(crate) const LOOK: Duration = Duration::from_millis(10);
pub(crate) const LOOKS: usize = 12_000;

/// A process that ends with the test.
pub(crate) struct Process(Child);

impl Process {
    fn start(program: &str, args: &[String]) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null());
        Ok(Self(command.spawn()?))
    }

    /// Ends it at once, without a word to the others.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.kill();
    }
}

/// Ports that nobody uses at the moment.
pub(crate) fn free_ports<const N: usize>() -> Result<[u16; N]> {
    let mut ports = [0; N];
    let mut listeners = Vec::new();
    for port in &mut ports {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        *port = listener.local_addr()?.port();
        listeners.push(listener);
    }
    Ok(ports)
}

/// A cluster whose members read the files in one folder, and where its executors keep rows.
pub(crate) struct Cluster {
    pub(crate) address: String,
    pub(crate) executors: Vec<(Process, PathBuf)>,
    _scheduler: Process,
}

impl Cluster {
    pub(crate) async fn start(folder: &Path, executors: usize) -> Result<Self> {
        let files = folder.display().to_string();
        let [port] = free_ports()?;
        let address = format!("127.0.0.1:{port}");
        let args = ["--bind", &address, "--timeout", "3", "--files", &files].map(str::to_owned);
        let scheduler = Process::start(env!("CARGO_BIN_EXE_dicec-scheduler"), &args)?;
        wait_for(port).await?;
        let mut started = Vec::new();
        for number in 0..executors {
            let [rows, tasks] = free_ports()?;
            let kept = folder.join(format!("executor{number}"));
            std::fs::create_dir(&kept)?;
            let (rows_port, tasks_port) = (rows.to_string(), tasks.to_string());
            let kept_name = kept.display().to_string();
            let args = [
                "--scheduler",
                &address,
                "--port",
                &rows_port,
                "--task-port",
                &tasks_port,
                "--tasks",
                "1",
                "--heartbeat",
                "1",
                "--folder",
                &kept_name,
                "--files",
                &files,
            ];
            let args = args.map(str::to_owned);
            let process = Process::start(env!("CARGO_BIN_EXE_dicec-executor"), &args)?;
            wait_for(rows).await?;
            started.push((process, kept));
        }
        Ok(Self {
            address,
            executors: started,
            _scheduler: scheduler,
        })
    }
}

/// Waits until somebody listens.
async fn wait_for(port: u16) -> Result<()> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    for _ in 0..LOOKS {
        if TcpStream::connect(address).is_ok() {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(format!("nobody listens at {address}").into())
}
