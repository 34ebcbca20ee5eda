//! A file in Arrow's format as libraries read it that go by its directory: each message that this
//! names is checked as one of a stream.

use super::ipc::{CONTINUATION, Dictionaries, Gated};
use super::{MAX_DIRECTORY, Refusal, damaged, schema, too_large};
use arrow_ipc::Block;
use std::io::{Read, Seek, SeekFrom};

/// What a file begins and ends with. In front, two bytes of padding follow.
pub(in crate::source) const MARK: &[u8; 6] = b"ARROW1";

/// The length of the directory and the mark after it.
const TAIL: u64 = 10;

/// Checks a file of this many bytes.
pub(in crate::source) fn check(file: &mut (impl Read + Seek), bytes: u64) -> Result<(), Refusal> {
    let cut = || damaged("it is not the whole of a file");
    let end = bytes.checked_sub(TAIL).ok_or_else(cut)?;
    let tail = part(file, end, TAIL)?;
    let (length, mark) = tail.split_first_chunk::<4>().ok_or_else(cut)?;
    // Where a directory makes no sense to a library, it may read a stream from the front.
    if mark != MARK || part(file, 0, MARK.len() as u64)? != MARK {
        return Err(cut());
    }
    let length = u64::try_from(i32::from_le_bytes(*length));
    let length = length.map_err(|_| damaged("its directory has a negative length"))?;
    if length > MAX_DIRECTORY {
        return Err(too_large("the directory", length, MAX_DIRECTORY));
    }
    let end = end.checked_sub(length);
    let end = end.ok_or_else(|| damaged("its directory is longer than the file"))?;
    let directory = part(file, end, length)?;
    let directory = schema::footer(&directory)?;
    let blocks = [directory.dictionaries(), directory.recordBatches()];
    let mut messages = Messages {
        end,
        read: 0,
        dictionaries: Dictionaries::new(),
    };
    for block in blocks.into_iter().flatten().flatten() {
        messages.check(file, block)?;
    }
    Ok(())
}

/// The messages of a file.
struct Messages {
    /// Where the directory begins.
    end: u64,
    /// The bytes of those that were read.
    read: u64,
    dictionaries: Dictionaries,
}

impl Messages {
    /// Checks the message of a block.
    fn check(&mut self, file: &mut (impl Read + Seek), block: &Block) -> Result<(), Refusal> {
        let description = i64::from(block.metaDataLength());
        let numbers = [block.offset(), description, block.bodyLength()];
        let [Ok(from), Ok(described), Ok(body)] = numbers.map(u64::try_from) else {
            return Err(damaged("a message has a negative length"));
        };
        let length = described.saturating_add(body);
        if from.checked_add(length).is_none_or(|to| to > self.end) {
            return Err(damaged("a message is not within the file"));
        }
        self.read = self.read.saturating_add(length);
        if self.read > self.end {
            return Err(damaged("messages are at the same place"));
        }
        // The body begins where the block says, so the message has to say the same.
        let start = part(file, from, length.min(8))?;
        let (before, stated) = match start.strip_prefix(&CONTINUATION) {
            Some(rest) => (8, rest.first_chunk::<4>()),
            None => (4, start.first_chunk::<4>()),
        };
        let stated = stated.map(|stated| i64::from(i32::from_le_bytes(*stated)) + before);
        if stated != Some(description) {
            return Err(damaged("a message is not as long as the directory says"));
        }
        let sought = file.seek(SeekFrom::Start(from));
        sought.map_err(|error| error.to_string())?;
        let dictionaries = std::mem::take(&mut self.dictionaries);
        let message = Gated::after(dictionaries, file.by_ref().take(length));
        self.dictionaries = message.checked()?;
        Ok(())
    }
}

/// Reads a part of a file; less, where that ends before.
fn part(file: &mut (impl Read + Seek), from: u64, length: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let read = file.seek(SeekFrom::Start(from));
    let read = read.and_then(|_| file.by_ref().take(length).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}
