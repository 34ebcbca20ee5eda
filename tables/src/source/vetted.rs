//! Files that another library reads: the gate's checks of a table in Arrow's or Parquet's format,
//! without its rows.

use super::BadTable;
use super::gate::parquet::Groups;
use super::gate::{blocks, caught, ipc};
use crate::format;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// What a Parquet file ends with.
const PARQUET: &[u8] = b"PAR1";

/// What a message of Arrow's stream begins with, except in old tables.
const STREAM: &[u8] = &ipc::CONTINUATION;

/// A format whose files say how long their parts are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Parquet,
    /// Arrow's file, with a directory.
    File,
    /// Arrow's stream.
    Stream,
}

/// Checks all that a table in Arrow's or Parquet's format says of itself, before a library reads
/// the file: what it states is within the file and a budget. Gives the number of its rows, up to
/// `max_rows`, that may be decoded at once within that. A table in another format is not read.
///
/// # Errors
/// The table is damaged or too large, or cannot be read.
pub fn vetted(path: &Path, max_rows: usize) -> Result<usize, BadTable> {
    let mut file = File::open(path).map_err(BadTable::unreadable)?;
    let bytes = file.metadata().map_err(BadTable::unreadable)?.len();
    match format(path, &mut file, bytes).map_err(BadTable::unreadable)? {
        None => Ok(max_rows),
        Some(Format::Parquet) => Groups::open(file, max_rows)?.checked(),
        Some(Format::File) => caught(|| {
            let checked = blocks::check(&mut file, bytes);
            checked.map_err(BadTable::unreadable)
        })
        .map(|()| max_rows),
        Some(Format::Stream) => caught(|| {
            let stream = ipc::Gated::new(BufReader::new(file));
            stream.checked().map_err(BadTable::unreadable)
        })
        .map(|_| max_rows),
    }
}

/// The format of a file: that of its name, and whatever its first or last bytes say.
fn format(path: &Path, file: &mut File, bytes: u64) -> std::io::Result<Option<Format>> {
    let mut end = |from: SeekFrom| -> std::io::Result<Vec<u8>> {
        let mut end = Vec::new();
        file.seek(from)?;
        file.by_ref().take(8).read_to_end(&mut end)?;
        Ok(end)
    };
    let last = end(SeekFrom::Start(bytes.saturating_sub(8)))?;
    let first = end(SeekFrom::Start(0))?;
    file.rewind()?;
    let is_file = first.starts_with(blocks::MARK) || last.ends_with(blocks::MARK);
    Ok(match named(path) {
        Some(Format::Parquet) => Some(Format::Parquet),
        Some(_) if is_file => Some(Format::File),
        Some(_) => Some(Format::Stream),
        None if last.ends_with(PARQUET) => Some(Format::Parquet),
        None if is_file => Some(Format::File),
        None if first.starts_with(STREAM) => Some(Format::Stream),
        None => None,
    })
}

/// The format that the ending of a name stands for. Of Arrow's two, files decide.
fn named(path: &Path) -> Option<Format> {
    match format::Format::of_file(path).ok()?? {
        format::Format::Parquet => Some(Format::Parquet),
        format::Format::Arrow => Some(Format::File),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, RecordBatch, StringArray};
    use arrow_ipc::root_as_footer;
    use arrow_ipc::writer::FileWriter;
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    /// Vets these bytes under this name.
    fn look(name: &str, bytes: &[u8]) -> Result<usize, String> {
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).map_err(|why| why.to_string())?;
        vetted(&path, 8192).map_err(|wrong| wrong.message)
    }

    fn batch(text: &str) -> Result<RecordBatch, Box<dyn std::error::Error>> {
        let numbers = Int64Array::from(vec![1, 2]);
        let texts = StringArray::from(vec!["a", text]);
        Ok(RecordBatch::try_from_iter([
            ("n", Arc::new(numbers) as _),
            ("t", Arc::new(texts) as _),
        ])?)
    }

    fn parquet(text: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let batch = batch(text)?;
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
        writer.write(&batch)?;
        Ok(writer.into_inner()?)
    }

    #[test]
    fn the_messages_of_a_file_are_those_of_its_directory() -> Tested {
        let batch = batch("b")?;
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema())?;
        writer.write(&batch)?;
        writer.finish()?;
        let whole = writer.into_inner()?;
        assert_eq!(look("a.arrow", &whole), Ok(8192));
        assert_eq!(look("a.txt", &whole), Ok(8192));
        let (directory, tail) = whole.split_at(whole.len() - 10);
        let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]) as usize;
        let from = directory.len() - length;
        let footer = root_as_footer(&directory[from..]).map_err(|why| why.to_string())?;
        let block = footer.recordBatches().ok_or("there is a batch")?.get(0).0;
        let at = whole.windows(24).rposition(|part| part == block);
        let at = at.ok_or("the block is there")?;
        for (field, value) in [
            (0, i64::MAX),
            (0, -8),
            (0, 16),
            (8, 64),
            (16, i64::MAX),
            (16, -1),
        ] {
            let mut changed = whole.clone();
            changed[at + field..at + field + 8].copy_from_slice(&value.to_le_bytes());
            for name in ["a.arrow", "a.txt"] {
                assert!(look(name, &changed).is_err(), "{field}: {value}");
            }
        }
        // A directory behind something else, and something else behind a head.
        let mut headless = whole.clone();
        headless[..6].fill(0);
        assert!(look("a.arrow", &headless).is_err());
        assert!(look("a.arrow", directory).is_err());
        Ok(())
    }

    #[test]
    fn the_index_of_pages_is_looked_at() -> Tested {
        let whole = parquet("b")?;
        assert_eq!(look("a.parquet", &whole), Ok(8192));
        let groups = Groups::open(bytes::Bytes::from(whole.clone()), 1);
        let groups = groups.map_err(|wrong| wrong.message)?;
        let chunk = groups.index_of_first().ok_or("it has an index")?;
        let mut changed = whole.clone();
        changed[chunk].fill(0xff);
        assert!(look("a.parquet", &changed).is_err());
        Ok(())
    }

    #[test]
    fn long_texts_are_decoded_a_few_at_once() -> Tested {
        let rows = look("a.parquet", &parquet(&"long ".repeat(200_000))?)?;
        assert!((1..100).contains(&rows), "{rows}");
        assert_eq!(look("a.csv", b"a,b\n1,2\n"), Ok(8192));
        assert_eq!(look("a.csv", b""), Ok(8192));
        assert!(look("a.parquet", b"a,b\n1,2\n").is_err());
        Ok(())
    }
}
