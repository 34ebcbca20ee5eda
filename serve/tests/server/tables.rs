//! Tables: rows go out while others still come in.

use super::client::{settings, start};
use std::io::{Read, Write};
use std::net::TcpStream;

const HIT: &str = "/api/batch?e=hit%3D1d20%2B%5BAttack%5D%3E%3D%5BAC%5D";

#[test]
fn rows_are_answered_in_every_format() {
    let server = start(settings());
    let table = "Attack,AC\n5,15\n7,12\n";
    let csv = [("Content-Type", "text/csv")];
    let answer = server.post(HIT, &csv, table.as_bytes());
    assert_eq!(answer.body, "Attack,AC,hit_p\n5,15,0.55\n7,12,0.8\n");
    assert_eq!(
        answer.header("content-type"),
        Some("text/csv; charset=utf-8")
    );
    let lines = server.post(&format!("{HIT}&format=jsonl"), &csv, table.as_bytes());
    assert!(
        lines
            .body
            .starts_with(r#"{"Attack":"5","AC":"15","hit":{"kind":"check""#)
    );
    let json = br#"[{"Attack": 5, "AC": 15}]"#;
    let answer = server.post(HIT, &[("Content-Type", "application/json")], json);
    assert_eq!(answer.body, "Attack,AC,hit_p\n5,15,0.55\n");
}

#[test]
fn columns_are_answered_and_taken() {
    let server = start(settings());
    let rows = "Attack,AC\n5,15\n7,12\n";
    let csv = [("Content-Type", "text/csv")];
    for (format, kind) in [
        ("parquet", "application/vnd.apache.parquet"),
        ("arrow", "application/vnd.apache.arrow.stream"),
    ] {
        let table = server.post(&format!("{HIT}&format={format}"), &csv, rows.as_bytes());
        assert_eq!(table.header("content-type"), Some(kind), "{}", table.body);
        let again = "/api/batch?e=miss%3D%5BAC%5D%3E%3D1d20%2B%5BAttack%5D%2B1";
        let answer = server.post(again, &[("Content-Type", kind)], &table.bytes);
        let expected = "Attack,AC,hit_p,miss_p\n5,15,0.55,0.45\n7,12,0.8,0.2\n";
        assert_eq!(answer.body, expected, "{format}");
    }
}

#[test]
fn wrong_tables_are_errors() {
    let server = start(settings());
    for (path, table, status, code) in [
        (HIT, "Attack,AC\n5,high\n", 422, "D0504"),
        (HIT, "Attack\n5\n", 422, "D0505"),
        (HIT, "Attack,AC\n", 422, "D0503"),
        (HIT, "", 422, "D0503"),
        ("/api/batch", "Attack,AC\n5,15\n", 400, "D0540"),
        ("/api/batch?e=2d&format=csv", "Attack\n5\n", 422, "D0006"),
        ("/api/batch?e=2d6&form=csv", "Attack\n5\n", 400, "D0540"),
        ("/api/batch?e=2d6&check=on", "Attack\n5\n", 400, "D0540"),
        (
            "/api/batch?encounter=true",
            "Party,Monsters\n1 Wolf,1 Nobody\n",
            422,
            "D0524",
        ),
    ] {
        let answer = server.post(path, &[("Content-Type", "text/csv")], table.as_bytes());
        let found = (answer.status, answer.code());
        assert_eq!(
            (found.0, found.1.as_str()),
            (status, code),
            "{path}: {table}"
        );
    }
    let table = "Attack,AC\n5,high\n5,15\n";
    let answer = server.post(
        &format!("{HIT}&on_error=null&check=off"),
        &[],
        table.as_bytes(),
    );
    assert_eq!(answer.body, "Attack,AC,hit_p\n5,high,\n5,15,0.55\n");
}

#[test]
fn rows_go_out_while_others_come_in() {
    let server = start(settings());
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    let host = server.address;
    write!(
        stream,
        "POST {HIT} HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/csv\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    .expect("a request");
    let mut send = |text: &str| {
        write!(stream, "{:x}\r\n{text}\r\n", text.len()).expect("a part of the table");
        stream.try_clone().expect("the connection")
    };
    let mut answer = send(&format!("Attack,AC\n{}", "5,15\n".repeat(300)));
    // The rest of the table is sent only after the first rows are there.
    let (mut text, mut piece) = (String::new(), [0; 4096]);
    while !text.contains("5,15,0.55") {
        let read = answer.read(&mut piece).expect("a part of the answer");
        assert!(read > 0, "{text}");
        text += &String::from_utf8_lossy(&piece[..read]);
    }
    send("7,12\n");
    send("");
    answer.read_to_string(&mut text).expect("the rest");
    assert!(text.contains("7,12,0.8"));
}
