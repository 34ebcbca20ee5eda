//! The index of a Parquet file's pages, which this crate does not read, but others do.

use super::thrift::{Read, Thrift, ty};
use super::{MAX_DIRECTORY, Refusal, damaged, too_large};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::ChunkReader;

/// The most bytes of the whole index, which is read at once.
const MAX_INDEX: u64 = 64 << 20;

/// The most numbers and texts in it.
const MAX_ELEMENTS: usize = 1 << 21;

/// The field of a column's index that says which pages have no values, in a list of truth values.
const EMPTY_PAGES: i16 = 1;

/// A part of a file.
type Part = (Option<i64>, Option<i32>);

/// Checks the index of groups of rows.
pub(super) fn check(file: &impl ChunkReader, groups: &[RowGroupMetaData]) -> Result<(), Refusal> {
    let mut left = MAX_ELEMENTS;
    let (mut from, mut to) = (u64::MAX, 0);
    for chunk in groups.iter().flat_map(RowGroupMetaData::columns) {
        let values = (chunk.column_index_offset(), chunk.column_index_length());
        let places = (chunk.offset_index_offset(), chunk.offset_index_length());
        for (part, has_truths) in [(values, true), (places, false)] {
            let Some((start, length)) = range(part, file.len())? else {
                continue;
            };
            (from, to) = (from.min(start), to.max(start + length));
            if to - from > MAX_INDEX {
                return Err(too_large("the index of pages", to - from, MAX_INDEX));
            }
            let length = usize::try_from(length).map_err(|error| error.to_string())?;
            let bytes = file.get_bytes(start, length);
            let bytes = bytes.map_err(|error| error.to_string())?;
            left = elements(&bytes, has_truths, left)
                .ok_or_else(|| damaged("the index of pages makes no sense"))?;
        }
    }
    Ok(())
}

/// Where a part begins, and its length; none if there is no such part.
fn range((from, length): Part, file: u64) -> Result<Option<(u64, u64)>, Refusal> {
    let (Some(from), Some(length)) = (from, length) else {
        return Ok(None);
    };
    let outside = || damaged("the index of pages is not within the file");
    let from = u64::try_from(from).map_err(|_| outside())?;
    let length = u64::try_from(length).map_err(|_| outside())?;
    let end = from.checked_add(length).filter(|end| *end <= file);
    end.ok_or_else(outside)?;
    match length > MAX_DIRECTORY {
        true => Err(too_large("the index of pages", length, MAX_DIRECTORY)),
        false => Ok(Some((from, length))),
    }
}

/// Reads the index of a column, and tells how many elements there may be after it.
fn elements(bytes: &[u8], has_truths: bool, left: usize) -> Option<usize> {
    let mut thrift = Thrift::new(bytes, left);
    thrift.fields(ty::STRUCT, &mut |thrift, id, is| {
        if !has_truths || id != EMPTY_PAGES {
            return Some(Read::Not);
        }
        thrift.list(is, &mut |thrift, _| thrift.byte().map(drop))?;
        Some(Read::Done)
    })?;
    Some(thrift.elements())
}
