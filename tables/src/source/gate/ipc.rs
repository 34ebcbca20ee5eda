//! Messages of Arrow's stream format, one at a time: whole, and within the budget.

use super::{
    MAX_COMPRESSED, MAX_DICTIONARIES, MAX_DIRECTORY, MAX_MESSAGE, Refusal, codec, damaged, schema,
    too_large,
};
use arrow_ipc::{CompressionType, Message, RecordBatch};
use hashbrown::HashMap;
use std::io::{self, Read};

/// The prefix of a message's length, except in old files.
pub(in crate::source) const CONTINUATION: [u8; 4] = [0xff; 4];

/// Rows that a batch may have without bytes for them, as columns of nothing but missing cells do.
const MAX_FREE_ROWS: u64 = 1 << 20;

/// A stream of messages that are checked before they are given on.
pub(in crate::source) struct Gated<R> {
    source: R,
    /// The bytes that were checked and may be read.
    ready: io::Cursor<Vec<u8>>,
    /// Bytes of the source that may be read after it.
    passed: u64,
    is_over: bool,
    /// The bytes of each dictionary, and of all of them.
    dictionaries: Dictionaries,
}

/// The bytes of each dictionary.
pub(super) type Dictionaries = HashMap<i64, u64>;

impl<R: Read> Gated<R> {
    pub(in crate::source) fn new(source: R) -> Self {
        Self::after(Dictionaries::new(), source)
    }

    /// Messages of a table of which these dictionaries were read before.
    pub(super) fn after(dictionaries: Dictionaries, source: R) -> Self {
        Self {
            source,
            ready: io::Cursor::default(),
            passed: 0,
            is_over: false,
            dictionaries,
        }
    }

    /// Reads on to the end, and tells which dictionaries there are.
    pub(in crate::source) fn checked(mut self) -> Result<Dictionaries, Refusal> {
        let read = io::copy(&mut self, &mut io::sink());
        read.map_err(|error| error.to_string())?;
        Ok(self.dictionaries)
    }

    /// Reads the next message up to its end, or up to its body if nothing in that needs a check.
    fn advance(&mut self) -> io::Result<()> {
        let mut ready = self.some(4)?;
        let mut length = ready.clone();
        if ready == CONTINUATION {
            length = self.some(4)?;
            ready.extend(&length);
        }
        // A stream may end without a word, but not within one.
        let Ok(length) = <[u8; 4]>::try_from(length) else {
            self.is_over = true;
            return if ready.is_empty() { Ok(()) } else { Err(cut()) };
        };
        let length = i32::from_le_bytes(length);
        if length == 0 {
            self.is_over = true;
        } else {
            let from = ready.len();
            self.describe(&mut ready, length)?;
            let wrong = |why: Refusal| io::Error::new(io::ErrorKind::InvalidData, why);
            let message = schema::message(&ready[from..]).map_err(wrong)?;
            let (body, is_compressed) = body(&message).map_err(wrong)?;
            let mut unpacked = body;
            let mut bytes = Vec::new();
            if is_compressed {
                bytes = self.some(body)?;
                if bytes.len() as u64 != body {
                    return Err(cut());
                }
                unpacked = unpack(&message, &bytes).map_err(wrong)?;
            } else {
                self.passed = body;
            }
            check_rows(&message, unpacked).map_err(wrong)?;
            if let Some(dictionary) = message.header_as_dictionary_batch() {
                let held = (dictionary.id(), dictionary.isDelta());
                self.hold(held, unpacked).map_err(wrong)?;
            }
            ready.append(&mut bytes);
        }
        self.ready = io::Cursor::new(ready);
        Ok(())
    }

    /// Reads a message's description of a stated length.
    fn describe(&mut self, ready: &mut Vec<u8>, length: i32) -> io::Result<()> {
        let length = match u64::try_from(length) {
            Ok(length) if length <= MAX_DIRECTORY => length,
            _ => {
                let why = damaged("the description of a message has no possible length");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        };
        let mut description = self.some(length)?;
        if description.len() as u64 != length {
            return Err(cut());
        }
        ready.append(&mut description);
        Ok(())
    }

    /// Reads this many bytes, or those that are there. The memory grows with what is there.
    fn some(&mut self, wanted: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.source.by_ref().take(wanted).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Notes a dictionary, or what is added to one.
    fn hold(&mut self, (id, is_added): (i64, bool), bytes: u64) -> Result<(), Refusal> {
        let held = self.dictionaries.entry(id).or_default();
        let before = if is_added { *held } else { 0 };
        *held = before.saturating_add(bytes);
        let all = self.dictionaries.values().sum::<u64>();
        match all > MAX_DICTIONARIES {
            true => Err(too_large(
                "what texts are looked up in",
                all,
                MAX_DICTIONARIES,
            )),
            false => Ok(()),
        }
    }
}

impl<R: Read> Read for Gated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.ready.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        if self.passed > 0 {
            let most = buffer
                .len()
                .min(usize::try_from(self.passed).unwrap_or(usize::MAX));
            let read = self.source.read(&mut buffer[..most])?;
            self.passed -= read as u64;
            return if read == 0 { Err(cut()) } else { Ok(read) };
        }
        if self.is_over {
            return Ok(0);
        }
        self.advance()?;
        self.ready.read(buffer)
    }
}

fn cut() -> io::Error {
    let why = damaged("it ends within a message");
    // Not as an end, for which a library takes the table's own.
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn batch<'m>(message: &Message<'m>) -> Option<RecordBatch<'m>> {
    let dictionary = message.header_as_dictionary_batch();
    let dictionary = dictionary.and_then(|dictionary| dictionary.data());
    message.header_as_record_batch().or(dictionary)
}

/// The length of a message's body, and whether its buffers are compressed. The buffers must be in
/// it, and may not be in each other: a library copies those that do not begin where it likes.
fn body(message: &Message<'_>) -> Result<(u64, bool), Refusal> {
    let body = u64::try_from(message.bodyLength());
    let body = body.map_err(|_| damaged("a message has a negative length"))?;
    let batch = batch(message);
    let is_compressed = batch.is_some_and(|batch| batch.compression().is_some());
    let most = if is_compressed {
        MAX_COMPRESSED
    } else {
        MAX_MESSAGE
    };
    if body > most {
        return Err(too_large("a batch of rows", body, most));
    }
    let mut all: u64 = 0;
    for buffer in batch
        .and_then(|batch| batch.buffers())
        .into_iter()
        .flatten()
    {
        let [from, length] = [buffer.offset(), buffer.length()].map(u64::try_from);
        let (Ok(from), Ok(length)) = (from, length) else {
            return Err(damaged("a column has a negative length"));
        };
        let end = from.checked_add(length);
        if end.is_none_or(|end| end > body) {
            return Err(damaged("a column is not within its message"));
        }
        all = all.saturating_add(length);
    }
    if all > body {
        return Err(damaged("columns are at the same place"));
    }
    Ok((body, is_compressed))
}

/// The bytes that a message's compressed buffers become.
fn unpack(message: &Message<'_>, body: &[u8]) -> Result<u64, Refusal> {
    let Some(batch) = batch(message) else {
        return Ok(0);
    };
    let is_lz4 = batch
        .compression()
        .is_some_and(|by| by.codec() == CompressionType::LZ4_FRAME);
    let mut all: u64 = 0;
    for buffer in batch.buffers().into_iter().flatten() {
        let (from, length) = (buffer.offset() as usize, buffer.length() as usize);
        let bytes = &body[from..from + length];
        if bytes.is_empty() {
            continue;
        }
        let Some((stated, packed)) = bytes.split_first_chunk::<8>() else {
            return Err(damaged("a compressed column does not say how long it is"));
        };
        let stated = match i64::from_le_bytes(*stated) {
            -1 => packed.len() as u64,
            stated => u64::try_from(stated)
                .map_err(|_| damaged("a compressed column has a negative length"))?,
        };
        all = all.saturating_add(stated);
        if all > MAX_MESSAGE {
            return Err(too_large(
                "a batch of rows, decompressed,",
                all,
                MAX_MESSAGE,
            ));
        }
        let is_packed = i64::from_le_bytes(*bytes.first_chunk().unwrap_or(&[0; 8])) > 0;
        if is_lz4 && is_packed {
            codec::check_lz4_frame(packed, stated)?;
        }
    }
    Ok(all)
}

/// Checks that there are bytes for as many rows as a batch says that it has: a bit each at least.
fn check_rows(message: &Message<'_>, bytes: u64) -> Result<(), Refusal> {
    let Some(batch) = batch(message) else {
        return Ok(());
    };
    let most = (8 * bytes).max(MAX_FREE_ROWS);
    let is_possible = |rows: i64| u64::try_from(rows).is_ok_and(|rows| rows <= most);
    let nodes = batch.nodes().into_iter().flatten();
    let mut nodes = nodes.map(|node| (node.length(), node.null_count()));
    let is_sound = is_possible(batch.length())
        && nodes.all(|(rows, missing)| is_possible(rows) && (0..=rows).contains(&missing));
    match is_sound {
        true => Ok(()),
        false => Err(damaged("a batch has other rows than it says")),
    }
}
