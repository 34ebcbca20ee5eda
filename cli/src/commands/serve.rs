//! `dicec serve`: the page and the API behind it, until Ctrl-C.

use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::interrupt::{interrupted, on_interrupt};
use crate::output;
use crate::settings::bounded;
use clap::Args;
use dicec_serve::{Isolation, Origin, Places, Server, Settings, answer_question};
use std::env;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec serve                    a page at http://127.0.0.1:7777
  dicec serve --open             and a browser that shows it
  dicec serve --port 0           at any port that is free
  dicec serve --listen 192.168.1.5 --token-file token.txt
  dicec serve --allow-origin http://localhost:30000";

/// The token, for those who start the server by another program.
const TOKEN: &str = "DICEC_TOKEN";

/// Serve a page to ask and look at, on this machine: the same answers in a browser
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 7777)]
    port: u16,
    /// Show the page in a browser
    #[arg(long)]
    open: bool,
    /// Listen at this address of the network, too far for others to be kept out: every request
    /// needs the token
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// What every request has to bring, at least 16 letters or digits, in a file; or it is in the
    /// variable DICEC_TOKEN
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// The same in the command line, which every user of this machine can read
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Let pages of this origin ask the API, a module of a virtual tabletop for example; may be
    /// repeated
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    origins: Vec<Origin>,
    /// Answer each question, but not tables, in a process of its own, which may take 1 GiB of
    /// memory and write no files
    #[arg(long)]
    isolate: bool,
    /// The page without a server, to which the page offers links for others
    #[arg(long, value_name = "URL")]
    public_page: Option<String>,
    /// The documents, to which the page links
    #[arg(long, value_name = "URL")]
    documents: Option<String>,
    /// Answer the question of standard input to this endpoint: the process of its own
    #[arg(long, value_name = "NAME", hide = true)]
    answer: Option<String>,
}

impl ServeArgs {
    /// The token, if there is one: of a flag, of a file, of the environment.
    fn token(&self) -> Result<Option<String>, CliError> {
        let Some(file) = &self.token_file else {
            let variable = || env::var(TOKEN).ok().filter(|token| !token.is_empty());
            return Ok(self.token.clone().or_else(variable));
        };
        let text = bounded(file).map_err(|error| {
            let message = format!("cannot read the token: {error}");
            let (code, path) = (FileCode::Unreadable.as_str(), file.display().to_string());
            CliError::from(Finding::in_file(code, &path, None, message))
        })?;
        Ok(Some(text.trim().to_owned()))
    }
}

pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode, CliError> {
    let local = Settings::local(args.port);
    if let Some(endpoint) = &args.answer {
        return match answer_question(endpoint, &local) {
            Ok(()) => Ok(ExitCode::from(0)),
            Err(error) => {
                let message = format!("the question cannot be answered: {error}");
                Err(Finding::general(FileCode::BadRequest.as_str(), message).into())
            }
        };
    }
    let ip = args.listen.unwrap_or(local.address.ip());
    let token = args.token()?;
    let settings = Settings::listening(SocketAddr::new(ip, args.port), token.clone());
    let mut settings = settings.map_err(|why| {
        let finding = Finding::general(FileCode::NotAllowed.as_str(), why.to_string());
        CliError::from(finding.help("give one with --token-file, or in DICEC_TOKEN"))
    })?;
    settings.places = places(args)?;
    settings.origins.clone_from(&args.origins);
    if args.isolate {
        settings.isolation = Some(isolation()?);
    }
    let server = Server::bind(settings).map_err(|error| {
        let message = format!("cannot listen at {ip}, port {}: {error}", args.port);
        let finding = Finding::general(FileCode::Unreadable.as_str(), message);
        CliError::from(finding.help("take another port: --port 0 is any that is free"))
    })?;
    let mut address = format!("http://{}/", server.address());
    output::print(&format!("dicec is at {address}\n(Ctrl-C ends it)\n"))?;
    if let Some(token) = &token {
        address += &format!("?token={token}");
    }
    if args.open {
        // Without a browser, the address is there to read.
        let _ = open::that_detached(&address);
    }
    let stop = server.stop();
    on_interrupt(move || stop.stop());
    server.run();
    Ok(interrupted())
}

/// What the page links to.
fn places(args: &ServeArgs) -> Result<Places, CliError> {
    let places = Places::new(args.public_page.clone(), args.documents.clone());
    places.map_err(|why| {
        let finding = Finding::general(FileCode::NotAllowed.as_str(), why.to_string());
        CliError::from(finding.help("write it as in https://example.org/dice/"))
    })
}

/// Questions are answered by this command.
fn isolation() -> Result<Isolation, CliError> {
    if !cfg!(unix) {
        let message = "--isolate needs limits of processes, which this system does not have";
        let finding = Finding::general(FileCode::NotAllowed.as_str(), message);
        return Err(finding.help("leave it out").into());
    }
    let program = env::current_exe().map_err(|error| {
        let message = format!("the command does not find itself: {error}");
        CliError::from(Finding::general(FileCode::Unreadable.as_str(), message))
    })?;
    Ok(Isolation {
        program,
        arguments: ["serve", "--answer"].map(Into::into).to_vec(),
        // The allocator would take all the memory that there may be at once, to use it later.
        environment: vec![("MIMALLOC_ARENA_EAGER_COMMIT".into(), "0".into())],
    })
}
