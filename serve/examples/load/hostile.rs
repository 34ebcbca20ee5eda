//! Clients that do not mean well: they keep connections open and silent, send a byte now and then,
//! leave before they are answered, send too much, ask for as much work as they can, or do not read.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a client that sends slowly waits between two bytes.
const SLOW: Duration = Duration::from_millis(500);

/// A question that takes as long as a question may.
const HARD: &str = r#"{"rule": "100d100!", "precision": 1e-9}"#;

/// A question with a long answer.
const LONG: &str = r#"{"rule": "1d99999"}"#;

/// Bothers the server until the end, in a way that follows from the client's number.
pub(crate) fn bother(end: Instant, address: &str, client: usize) {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    while Instant::now() < end {
        // A server that refuses to listen has defended itself.
        if let Ok(mut stream) = TcpStream::connect(host) {
            let _ = stream.set_read_timeout(Some(SLOW));
            let _ = stream.set_write_timeout(Some(SLOW));
            let _ = one_way(client, &mut stream, end);
        }
        sleep(Duration::from_millis(50));
    }
}

fn one_way(client: usize, stream: &mut TcpStream, end: Instant) -> std::io::Result<()> {
    match client % 7 {
        // Silent.
        0 => wait(stream, end),
        // Half a head, and then a letter at a time.
        1 => drip(
            stream,
            end,
            "POST /api/odds HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        ),
        // A body that does not come.
        2 => drip(stream, end, &head("odds", 1_000_000)),
        // A table that does not come.
        3 => drip(stream, end, &head("batch?e=1d20", 200_000_000)),
        // Away before the answer.
        4 => {
            stream.write_all(post("sim", HARD).as_bytes())?;
            sleep(SLOW);
            Ok(())
        }
        // Too much.
        5 => {
            let piece = vec![b'1'; 1 << 16];
            stream.write_all(head("odds", 1 << 40).as_bytes())?;
            while Instant::now() < end {
                stream.write_all(&piece)?;
            }
            Ok(())
        }
        // Answers that nobody reads.
        _ => {
            for _ in 0..50 {
                stream.write_all(post("odds", LONG).as_bytes())?;
            }
            wait(stream, end)
        }
    }
}

fn head(path: &str, length: u64) -> String {
    format!(
        "POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: {length}\r\n\r\n"
    )
}

fn post(path: &str, body: &str) -> String {
    head(path, body.len() as u64) + body
}

/// Sends a start, and then a letter now and then, until the server has enough of it.
fn drip(stream: &mut TcpStream, end: Instant, start: &str) -> std::io::Result<()> {
    stream.write_all(start.as_bytes())?;
    while Instant::now() < end {
        sleep(SLOW);
        stream.write_all(b"1")?;
    }
    Ok(())
}

/// Waits until the server closes the connection, and reads little of what it says.
fn wait(stream: &mut TcpStream, end: Instant) -> std::io::Result<()> {
    let mut byte = [0];
    while Instant::now() < end {
        match stream.read(&mut byte) {
            Ok(0) => return Ok(()),
            Ok(_) | Err(_) => sleep(SLOW),
        }
    }
    Ok(())
}
