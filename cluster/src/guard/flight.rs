//! The port from which rows are fetched: Ballista's service, for jobs whose names do not lead to
//! another folder.

use super::physical::check_job;
use arrow_flight::flight_service_server::{FlightService, FlightServiceServer};
use arrow_flight::{
    Action, Criteria, Empty, FlightData, FlightDescriptor, FlightInfo, HandshakeRequest, PollInfo,
    SchemaResult, Ticket,
};
use async_trait::async_trait;
use ballista_core::error::BallistaError;
use ballista_core::serde::decode_protobuf;
use ballista_core::serde::scheduler::Action as Request;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::shutdown::Shutdown;
use std::net::SocketAddr;
use tokio::task::JoinHandle;
use tonic::{Request as Asked, Response, Status, Streaming};

/// The most bytes of a message, as Ballista's executors have it.
const MAX_MESSAGE: usize = 16 << 20;

/// Serves the rows in a folder until the executor stops.
pub(crate) fn serve(
    folder: String,
    address: SocketAddr,
    mut stopped: Shutdown,
    config: GrpcServerConfig,
) -> JoinHandle<Result<(), BallistaError>> {
    let rows = FlightServiceServer::new(Rows(BallistaFlightService::new(folder)))
        .max_decoding_message_size(MAX_MESSAGE)
        .max_encoding_message_size(MAX_MESSAGE);
    tokio::spawn(async move {
        let server = create_grpc_server(&config).add_service(rows);
        let ended = server.serve_with_shutdown(address, stopped.recv()).await;
        ended.map_err(BallistaError::TonicError)
    })
}

/// The rows in a folder.
struct Rows(BallistaFlightService);

/// Checks which job's rows a request asks for.
fn check(request: &[u8]) -> Result<(), Status> {
    let request = decode_protobuf(request);
    let request = request.map_err(|why| Status::invalid_argument(why.to_string()))?;
    let Request::FetchPartition { job_id, .. } = request;
    let checked = check_job(job_id.as_str());
    checked.map_err(|why| Status::permission_denied(why.to_string()))
}

type Answer<T> = Result<Response<T>, Status>;

/// Ballista answers these two requests, and no other with rows.
#[async_trait]
impl FlightService for Rows {
    type DoActionStream = <BallistaFlightService as FlightService>::DoActionStream;
    type DoExchangeStream = <BallistaFlightService as FlightService>::DoExchangeStream;
    type DoGetStream = <BallistaFlightService as FlightService>::DoGetStream;
    type DoPutStream = <BallistaFlightService as FlightService>::DoPutStream;
    type HandshakeStream = <BallistaFlightService as FlightService>::HandshakeStream;
    type ListActionsStream = <BallistaFlightService as FlightService>::ListActionsStream;
    type ListFlightsStream = <BallistaFlightService as FlightService>::ListFlightsStream;

    async fn do_get(&self, asked: Asked<Ticket>) -> Answer<Self::DoGetStream> {
        check(&asked.get_ref().ticket)?;
        self.0.do_get(asked).await
    }

    async fn do_action(&self, asked: Asked<Action>) -> Answer<Self::DoActionStream> {
        check(&asked.get_ref().body)?;
        self.0.do_action(asked).await
    }

    async fn handshake(
        &self,
        asked: Asked<Streaming<HandshakeRequest>>,
    ) -> Answer<Self::HandshakeStream> {
        self.0.handshake(asked).await
    }

    async fn list_actions(&self, asked: Asked<Empty>) -> Answer<Self::ListActionsStream> {
        self.0.list_actions(asked).await
    }

    async fn get_schema(&self, asked: Asked<FlightDescriptor>) -> Answer<SchemaResult> {
        self.0.get_schema(asked).await
    }

    async fn get_flight_info(&self, asked: Asked<FlightDescriptor>) -> Answer<FlightInfo> {
        self.0.get_flight_info(asked).await
    }

    async fn poll_flight_info(&self, asked: Asked<FlightDescriptor>) -> Answer<PollInfo> {
        self.0.poll_flight_info(asked).await
    }

    async fn list_flights(&self, asked: Asked<Criteria>) -> Answer<Self::ListFlightsStream> {
        self.0.list_flights(asked).await
    }

    async fn do_put(&self, asked: Asked<Streaming<FlightData>>) -> Answer<Self::DoPutStream> {
        self.0.do_put(asked).await
    }

    async fn do_exchange(
        &self,
        asked: Asked<Streaming<FlightData>>,
    ) -> Answer<Self::DoExchangeStream> {
        self.0.do_exchange(asked).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ballista_core::serde::protobuf;
    use ballista_core::serde::scheduler::{ShuffleFileKind, ShuffleLayout};
    use prost::Message;
    use tonic::Code;

    /// Asks for rows of a job, in either way.
    async fn asked(rows: &Rows, job: &str) -> [Option<Code>; 2] {
        let request = Request::FetchPartition {
            job_id: job.into(),
            stage_id: 1,
            partition_id: 0,
            host: String::new(),
            port: 0,
            file_id: None,
            layout: ShuffleLayout::Passthrough,
            file_kind: ShuffleFileKind::Data,
            byte_ranges: Vec::new(),
        };
        let request: Result<protobuf::Action, _> = request.try_into();
        let request = request.expect("a request").encode_to_vec();
        let ticket = Ticket {
            ticket: request.clone().into(),
        };
        let action = Action {
            r#type: "IO_BLOCK_TRANSPORT".to_owned(),
            body: request.into(),
        };
        let got = rows.do_get(Asked::new(ticket)).await.err();
        let done = rows.do_action(Asked::new(action)).await.err();
        [got, done].map(|wrong| wrong.map(|wrong| wrong.code()))
    }

    #[tokio::test]
    async fn rows_of_jobs_in_other_folders_are_refused() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let kept = folder.path().join("kept");
        for job in ["kept/job", "other"] {
            let stage = folder.path().join(job).join("1/0");
            std::fs::create_dir_all(&stage)?;
            std::fs::write(stage.join("data.arrow"), "rows")?;
        }
        let rows = Rows(BallistaFlightService::new(kept.display().to_string()));
        let other = folder.path().join("other").display().to_string();
        for job in ["../other", &other, ""] {
            assert_eq!(
                asked(&rows, job).await,
                [Some(Code::PermissionDenied); 2],
                "{job}"
            );
        }
        // What is no stream of Arrow is not decoded, but sent as it is.
        assert_eq!(asked(&rows, "job").await[1], None);
        Ok(())
    }
}
