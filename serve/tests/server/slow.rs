//! Clients that send or read slowly, or not at all: they hold no place, not for ever, and little
//! memory.

use super::client::{Running, settings, start};
use dicec_serve::{Pace, Settings};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const HIT: &str = "/api/batch?e=hit%3D1d20%2B%5BAttack%5D%3E%3D%5BAC%5D";

fn one_worker() -> Settings {
    let mut settings = settings();
    settings.workers = 1;
    settings
}

/// A pace that nobody keeps who does nothing for a tenth of a second.
fn brisk() -> Pace {
    Pace {
        grace: Duration::from_millis(100),
        rate: 1 << 30,
    }
}

/// Begins to send a table of some type, of which these bytes come.
fn upload(server: &Running, kind: &str, length: usize, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    let host = server.address;
    write!(
        stream,
        "POST {HIT} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{sent}"
    )
    .expect("a request");
    stream
}

fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset ends as well.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn answers(server: &Running) {
    assert_eq!(server.ask("odds", r#"{"rule": "2d6"}"#).status, 200);
}

#[test]
fn tables_that_do_not_come_hold_no_place() {
    let server = start(one_worker());
    let parquet = "application/vnd.apache.parquet";
    let arrow = "application/vnd.apache.arrow.stream";
    let idle = [
        ("text/csv", ""),
        ("text/csv", "Attack,AC\n5,15\n"),
        (parquet, "PAR1"),
    ];
    let idle = idle.into_iter().chain([(arrow, ""), ("", "")]);
    let _open: Vec<TcpStream> = idle
        .map(|(kind, sent)| upload(&server, kind, 100_000, sent))
        .collect();
    answers(&server);
    let csv = [("Content-Type", "text/csv")];
    let table = server.post(HIT, &csv, b"Attack,AC\n5,15\n");
    assert_eq!(table.body, "Attack,AC,hit_p\n5,15,0.55\n");
}

#[test]
fn answers_that_nobody_reads_hold_no_place() {
    let server = start(one_worker());
    // Its answer is larger than what the system keeps of it.
    let rows = "5,15\n".repeat(2_000_000);
    let table = format!("Attack,AC\n{rows}");
    let mut stream = upload(&server, "text/csv", table.len(), "");
    let mut sending = stream.try_clone().expect("the connection");
    let sender = std::thread::spawn(move || {
        // It stops when the server stops reading.
        let _ = sending.write_all(table.as_bytes());
    });
    let mut first = [0; 1];
    stream.read_exact(&mut first).expect("the answer begins");
    answers(&server);
    drop(stream);
    drop(server);
    sender.join().expect("the sender ends");
}

#[test]
fn tables_that_come_too_slowly_end() {
    let mut settings = one_worker();
    settings.pace = brisk();
    let server = start(settings);
    let answer = rest(upload(&server, "text/csv", 100_000, "Attack,AC\n5,15\n"));
    assert!(answer.contains("the table stopped coming"), "{answer}");
    let answer = rest(upload(
        &server,
        "application/vnd.apache.parquet",
        1000,
        "PAR1",
    ));
    assert!(answer.contains("D0544"), "{answer}");
    answers(&server);
}

#[test]
fn answers_that_nobody_reads_end() {
    let mut settings = one_worker();
    settings.tables = 1;
    settings.pace = Pace {
        grace: Duration::from_millis(500),
        rate: 1 << 30,
    };
    let server = start(settings);
    let table = format!("Attack,AC\n{}", "5,15\n".repeat(12_000_000));
    let mut unread = upload(&server, "text/csv", table.len(), "");
    // The server closes the connection, so that not all of it can be sent.
    let sent = unread.write_all(table.as_bytes());
    let answer = rest(unread);
    assert!(
        sent.is_err() || !answer.ends_with("0\r\n\r\n"),
        "{}",
        answer.len()
    );
    // The only place for tables is free again.
    let csv = [("Content-Type", "text/csv")];
    let small = b"Attack,AC\n5,15\n";
    let is_free = |_: &u32| server.post(HIT, &csv, small).status == 200;
    assert!((0..1000).find(is_free).is_some());
}

#[test]
fn memory_is_bounded() {
    let mut settings = one_worker();
    settings.memory = 64 << 10;
    let server = start(settings);
    let kind = [("Content-Type", "application/vnd.apache.parquet")];
    let answer = server.post(HIT, &kind, &[0; 128 << 10]);
    assert_eq!((answer.status, answer.code().as_str()), (429, "D0542"));
    // Whatever was held is free again.
    for _ in 0..100 {
        answers(&server);
    }
}
