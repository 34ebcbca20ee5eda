//! The server: connections, each with the router of the API and the page.

use crate::pace::{Pace, Paced};
use crate::session::Session;
use crate::settings::Settings;
use crate::state::State;
use crate::{ask, batch, guard, page};
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;

/// How long a client may take to send the head of a request, or to begin the next one.
const HEAD: Duration = Duration::from_secs(30);

/// A server that listens already and takes requests when it [runs](Server::run).
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
    session: Session,
    stop: watch::Sender<bool>,
}

/// Stops a server; clones stop the same one.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// Ends the server. Work that is going on is cancelled.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens the address of the settings.
    ///
    /// # Errors
    /// The address is taken, or is not one of this machine; or threads cannot be started, or the
    /// system has no random bytes.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            // Work that was cancelled may end while the next has begun, and tables wait on theirs.
            .max_blocking_threads(2 * settings.workers.max(1) + 2 + settings.tables)
            .enable_io()
            .enable_time()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(settings.address))?;
        let address = listener.local_addr()?;
        Ok(Self {
            runtime,
            listener,
            address,
            settings,
            session: Session::new(address.port())?,
            stop: watch::Sender::new(false),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that stops it.
    pub fn stop(&self) -> Stop {
        Stop(self.stop.clone())
    }

    /// Answers requests until it is stopped.
    pub fn run(self) {
        let connections = Arc::new(Semaphore::new(self.settings.connections));
        let pace = self.settings.pace;
        let router = router(State::new(self.settings, self.session));
        let mut stopped = self.stop.subscribe();
        self.runtime.block_on(async {
            let accepting = accept(&self.listener, &router, &connections, pace);
            tokio::select! {
                () = accepting => {}
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
        });
        // Dropping the connections cancels their work; its threads need not be waited for.
        self.runtime.shutdown_background();
    }
}

/// The routes.
fn router(state: State) -> Router {
    Router::new()
        .route("/api/creatures", get(ask::creatures))
        .route("/api/openapi.json", get(ask::openapi))
        .route("/api/batch", post(batch::batch))
        .route("/api/{endpoint}", post(ask::ask))
        .route("/places.json", get(page::places))
        .fallback(page::page)
        .method_not_allowed_fallback(ask::other_method)
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}

/// Accepts connections, as many at the same time as there are permits.
async fn accept(listener: &TcpListener, router: &Router, connections: &Arc<Semaphore>, pace: Pace) {
    loop {
        let Ok(permit) = Arc::clone(connections).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router, pace).await;
                    drop(permit);
                });
            }
            // Too many open files, say: some will be closed soon.
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Answers the requests of a connection.
async fn serve(stream: TcpStream, router: Router, pace: Pace) {
    // Answers are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(
            TokioIo::new(Paced::new(stream, pace)),
            TowerToHyperService::new(router),
        );
    // A client that breaks the connection is told nothing.
    let _ = connection.await;
}
