//! The index (footer) of a Parquet file.

use super::thrift::{Read, Thrift, ty};
use super::{MAX_DEPTH, MAX_DIRECTORY, MAX_FIELDS, Refusal, damaged, schema, too_large};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;

/// What a Parquet file begins and ends with.
const MARK: &[u8; 4] = b"PAR1";

/// The length of the directory and the mark after it.
const TAIL: u64 = 8;

/// The most elements of lists in a directory. Each column of a group of rows is one, which takes
/// some 500 bytes when it is read, and has a few of a byte each.
const MAX_ELEMENTS: usize = 1 << 18;

/// The most bytes of the names of all columns, each with those that it is in.
const MAX_NAMES: usize = 16 << 20;

/// Under which name a schema of Arrow is noted.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Reads the index of a file, and returns the place where it begins.
pub(super) fn directory(file: &impl ChunkReader) -> Result<(ParquetMetaData, u64), Refusal> {
    let bytes = file.len();
    let no_file = || "it is no Parquet file, or not the whole of one".to_owned();
    let tail = bytes.checked_sub(TAIL).ok_or_else(no_file)?;
    let last = read(file, tail, TAIL)?;
    let (length, mark) = last.split_first_chunk::<4>().ok_or_else(no_file)?;
    if mark != MARK {
        return Err(no_file());
    }
    let length = u64::from(u32::from_le_bytes(*length));
    let Some(from) = tail.checked_sub(length) else {
        return Err(damaged("its directory is longer than the file"));
    };
    if length > MAX_DIRECTORY {
        return Err(too_large("the directory", length, MAX_DIRECTORY));
    }
    let directory = read(file, from, length)?;
    check(&directory)?;
    let directory = ParquetMetaDataReader::decode_metadata(&directory);
    let directory = directory.map_err(|error| damaged(&error.to_string()))?;
    check_arrow(&directory)?;
    Ok((directory, from))
}

fn read(file: &impl ChunkReader, from: u64, length: u64) -> Result<Bytes, Refusal> {
    let length = usize::try_from(length).map_err(|error| error.to_string())?;
    let bytes = file.get_bytes(from, length);
    bytes.map_err(|error| error.to_string())
}

/// Checks how much a directory unfolds to.
fn check(directory: &[u8]) -> Result<(), Refusal> {
    let mut elements = Vec::new();
    let mut thrift = Thrift::new(directory, MAX_ELEMENTS);
    let read = thrift.fields(ty::STRUCT, &mut |thrift, id, is| match id {
        2 => {
            thrift.list(is, &mut |thrift, is| {
                elements.push(element(thrift, is)?);
                Some(())
            })?;
            Some(Read::Done)
        }
        _ => Some(Read::Not),
    });
    if read.is_none() {
        return Err(damaged("its directory makes no sense"));
    }
    check_columns(&elements)
}

/// A column of the schema, or what has some in it: the length of its name, and how many.
struct Element {
    name: usize,
    children: usize,
}

fn element(thrift: &mut Thrift<'_>, is: u8) -> Option<Element> {
    let (mut name, mut children) = (0, 0);
    thrift.fields(is, &mut |thrift, id, is| match id {
        4 => {
            name = thrift.binary(is)?.len();
            Some(Read::Done)
        }
        5 => {
            children = usize::try_from(thrift.int(is)?).ok()?;
            Some(Read::Done)
        }
        _ => Some(Read::Not),
    })?;
    Some(Element { name, children })
}

/// Checks the number of columns, how deep they are, and the bytes of their names.
fn check_columns(elements: &[Element]) -> Result<(), Refusal> {
    if elements.len() > MAX_FIELDS {
        return Err(format!("it has more than {MAX_FIELDS} columns"));
    }
    // How many are still to come in each of those that are open, and the names down to there.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut names: usize = 0;
    for element in elements {
        while open.last().is_some_and(|(left, _)| *left == 0) {
            open.pop();
        }
        let before = match open.last_mut() {
            Some((left, name)) => {
                *left -= 1;
                *name
            }
            None => 0,
        };
        let name = before.saturating_add(element.name);
        names = names.saturating_add(name);
        if element.children > 0 {
            open.push((element.children, name));
        }
        if open.len() > MAX_DEPTH {
            return Err(format!("columns are more than {MAX_DEPTH} deep"));
        }
        if names > MAX_NAMES {
            return Err(too_large(
                "the names of columns",
                names as u64,
                MAX_NAMES as u64,
            ));
        }
    }
    Ok(())
}

/// Checks the schema of Arrow that a file may have besides its own.
fn check_arrow(directory: &ParquetMetaData) -> Result<(), Refusal> {
    let notes = directory.file_metadata().key_value_metadata();
    let mut notes = notes.into_iter().flatten();
    let noted = notes.find(|note| note.key == ARROW_SCHEMA);
    let Some(noted) = noted.and_then(|note| note.value.as_ref()) else {
        return Ok(());
    };
    let noted = BASE64_STANDARD.decode(noted);
    let noted = noted.map_err(|_| damaged("the schema of Arrow in it makes no sense"))?;
    let described = match noted.strip_prefix(&[0xff; 4]) {
        Some(rest) => rest.get(4..).unwrap_or_default(),
        None => &noted,
    };
    schema::message(described).map(drop)
}

#[cfg(test)]
mod tests {
    use super::{Element, MAX_NAMES, check_columns};

    fn element(name: usize, children: usize) -> Element {
        Element { name, children }
    }

    #[test]
    fn columns_may_not_be_deep_and_names_not_long() {
        let flat = [element(1, 2), element(1, 0), element(1, 0)];
        assert_eq!(check_columns(&flat), Ok(()));
        let deep: Vec<_> = (0..40).map(|_| element(1, 1)).collect();
        assert!(check_columns(&deep).is_err());
        // The name of the outer one is part of all those in it.
        let mut long = vec![element(MAX_NAMES / 100, 200)];
        long.extend((0..200).map(|_| element(1, 0)));
        assert!(check_columns(&long).is_err());
        assert_eq!(check_columns(&long[..50]), Ok(()));
    }
}
