//! Checks the pages of a column in a group of rows: their places, their sizes, and the sizes of
//! their largest values.

use super::delta::greatest;
use super::levels::{Elements, width};
use super::thrift::{Read, Thrift, ty};
use super::{MAX_PAGE, Refusal, codec, damaged, too_large};
use bytes::Bytes;
use parquet::basic::{Compression, Type};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

/// What is read of a page's header first, and if it is longer, for it may hold two values.
const HEADER_BYTES: [u64; 2] = [1 << 9, 1 << 20];

/// Values in a page of this many bytes need no look at their lengths.
const SMALL: usize = 1 << 12;

/// The most lengths in a page that are written as differences, for all of them are held.
const MAX_LENGTHS: usize = 1 << 22;

/// The numbers of types of pages and of encodings, as the format has them.
const DATA_PAGE: i32 = 0;
const INDEX_PAGE: i32 = 1;
const DICTIONARY_PAGE: i32 = 2;
const DATA_PAGE_V2: i32 = 3;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const DELTA_LENGTH_BYTE_ARRAY: i32 = 6;
const DELTA_BYTE_ARRAY: i32 = 7;

/// The memory that reading a column takes.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// The bytes of its dictionary, and of its greatest other page.
    pub(super) dictionary: u64,
    pub(super) page: u64,
    /// The bytes of its greatest value, if they vary or are many.
    pub(super) value: usize,
    /// The most values in a row.
    pub(super) elements: Elements,
}

/// A page's header.
#[derive(Debug, Default)]
struct Header {
    kind: i32,
    unpacked: i32,
    packed: i32,
    values: i32,
    encoding: i32,
    /// The encodings of the levels, or their lengths.
    define: i32,
    repeat: i32,
    is_plain: bool,
    /// Which type's part is there, and how many are.
    part: i32,
    parts: usize,
}

/// Looks at all pages of a column that is before this place of the file.
pub(super) fn column(
    file: &impl ChunkReader,
    chunk: &ColumnChunkMetaData,
    end: u64,
) -> Result<Column, Refusal> {
    let from = chunk.dictionary_page_offset();
    let from = from.unwrap_or(chunk.data_page_offset());
    let [from, length] = [from, chunk.compressed_size()].map(u64::try_from);
    let (Ok(mut from), Ok(length)) = (from, length) else {
        return Err(damaged("a column begins before the file"));
    };
    let chunk_end = from.checked_add(length).filter(|to| *to <= end);
    let chunk_end = chunk_end.ok_or_else(|| damaged("a column is not within the file"))?;
    let mut column = Column::default();
    if chunk.column_type() == Type::FIXED_LEN_BYTE_ARRAY {
        let length = chunk.column_descr().type_length();
        column.value = usize::try_from(length).map_err(|_| damaged("values have no length"))?;
    }
    while from < chunk_end {
        let (header, length) = header(file, from, chunk_end - from)?;
        from += length;
        let sizes = header.sizes(chunk_end - from)?;
        if header.kind != INDEX_PAGE {
            column.add(file, chunk, &header, from)?;
        }
        from += sizes.0 as u64;
    }
    Ok(column)
}

/// Reads a page's header from here, where a number of bytes are left, and tells its length.
fn header(file: &impl ChunkReader, from: u64, left: u64) -> Result<(Header, u64), Refusal> {
    for most in HEADER_BYTES {
        let bytes = bytes(file, from, most.min(left))?;
        // Statistics have no lists worth mentioning.
        let mut thrift = Thrift::new(&bytes, 16);
        if let Some(header) = Header::read(&mut thrift) {
            return Ok((header, thrift.at() as u64));
        }
        if !thrift.is_at_end() {
            break;
        }
    }
    Err(damaged("the header of a page makes no sense"))
}

fn bytes(file: &impl ChunkReader, from: u64, length: u64) -> Result<Bytes, Refusal> {
    let length = usize::try_from(length).map_err(|error| error.to_string())?;
    let bytes = file.get_bytes(from, length);
    bytes.map_err(|error| error.to_string())
}

impl Header {
    fn read(thrift: &mut Thrift<'_>) -> Option<Self> {
        let mut header = Self {
            kind: -1,
            part: -1,
            ..Self::default()
        };
        thrift.fields(ty::STRUCT, &mut |thrift, id, is| {
            match id {
                1 => header.kind = thrift.int(is)?,
                2 => header.unpacked = thrift.int(is)?,
                3 => header.packed = thrift.int(is)?,
                5 => header.part(thrift, is, DATA_PAGE)?,
                7 => header.part(thrift, is, DICTIONARY_PAGE)?,
                8 => header.part(thrift, is, DATA_PAGE_V2)?,
                _ => return Some(Read::Not),
            }
            Some(Read::Done)
        })?;
        Some(header)
    }

    /// Reads the part for pages of a type.
    fn part(&mut self, thrift: &mut Thrift<'_>, is: u8, of: i32) -> Option<()> {
        self.part = of;
        self.parts += 1;
        thrift.fields(is, &mut |thrift, id, is| {
            match (id, of) {
                (1, _) => self.values = thrift.int(is)?,
                (2, DATA_PAGE | DICTIONARY_PAGE) | (4, DATA_PAGE_V2) => {
                    self.encoding = thrift.int(is)?;
                }
                (3, DATA_PAGE) | (5, DATA_PAGE_V2) => self.define = thrift.int(is)?,
                (4, DATA_PAGE) | (6, DATA_PAGE_V2) => self.repeat = thrift.int(is)?,
                (7, DATA_PAGE_V2) => {
                    self.is_plain = is == ty::FALSE;
                    return Some(Read::Not);
                }
                _ => return Some(Read::Not),
            }
            Some(Read::Done)
        })
    }

    /// The bytes of the page in the file, where a number of them are left, and decompressed.
    fn sizes(&self, left: u64) -> Result<(usize, usize), Refusal> {
        let sizes = [self.packed, self.unpacked, self.values].map(usize::try_from);
        let [Ok(packed), Ok(unpacked), Ok(_)] = sizes else {
            return Err(damaged("a page has a negative length"));
        };
        let is_of_its_type = match self.kind {
            INDEX_PAGE => self.parts == 0,
            kind => self.parts == 1 && self.part == kind,
        };
        if !is_of_its_type {
            return Err(damaged("the header of a page makes no sense"));
        }
        if packed as u64 > left {
            return Err(damaged("a page is not within its column"));
        }
        let most = packed.max(unpacked) as u64;
        if most > MAX_PAGE {
            return Err(too_large("a page", most, MAX_PAGE));
        }
        Ok((packed, unpacked))
    }

    /// Of pages of the second version, the bytes of levels, which are never compressed.
    fn level_bytes(&self) -> Result<(usize, usize), Refusal> {
        let lengths = match self.kind {
            DATA_PAGE_V2 => [self.repeat, self.define],
            _ => [0, 0],
        };
        match lengths.map(usize::try_from) {
            [Ok(repeat), Ok(define)] => Ok((repeat, define)),
            _ => Err(damaged("levels have a negative length")),
        }
    }

    fn values(&self) -> usize {
        usize::try_from(self.values).unwrap_or(0)
    }

    fn is_delta(&self) -> bool {
        self.kind != DICTIONARY_PAGE
            && matches!(self.encoding, DELTA_LENGTH_BYTE_ARRAY | DELTA_BYTE_ARRAY)
    }
}

impl Column {
    /// Takes account of a page that begins here.
    fn add(
        &mut self,
        file: &impl ChunkReader,
        chunk: &ColumnChunkMetaData,
        header: &Header,
        from: u64,
    ) -> Result<(), Refusal> {
        let (packed, mut size) = header.sizes(u64::MAX)?;
        if chunk.compression() == Compression::UNCOMPRESSED || header.is_plain {
            size = packed;
        }
        let is_dictionary = header.kind == DICTIONARY_PAGE;
        if is_dictionary {
            self.dictionary = self.dictionary.max(size as u64);
            check_dictionary(chunk, header.values(), size)?;
        } else {
            self.page = self.page.max(size as u64);
        }
        let has_lists = !is_dictionary && chunk.column_descr().max_rep_level() > 0;
        let has_texts =
            chunk.column_type() == Type::BYTE_ARRAY && (is_dictionary || header.encoding == PLAIN);
        let is_bounded = !matches!(
            chunk.compression(),
            Compression::GZIP(_) | Compression::BROTLI(_) | Compression::LZ4
        );
        if has_texts && size <= SMALL {
            self.value = self.value.max(size);
        }
        if has_lists || has_texts && size > SMALL || header.is_delta() || !is_bounded {
            let page = bytes(file, from, packed as u64)?;
            let page = unpacked(chunk.compression(), header, page)?;
            self.look(chunk, header, &page)?;
        }
        Ok(())
    }

    /// Looks into a page: at its levels, and the lengths of its values.
    fn look(
        &mut self,
        chunk: &ColumnChunkMetaData,
        header: &Header,
        page: &[u8],
    ) -> Result<(), Refusal> {
        let is_texts = chunk.column_type() == Type::BYTE_ARRAY;
        if header.kind == DICTIONARY_PAGE {
            if is_texts {
                self.value = self.value.max(longest(page));
            }
            return Ok(());
        }
        let (mut rest, values) = (page, header.values());
        let repeat = chunk.column_descr().max_rep_level();
        let levels = levels(&mut rest, header, repeat, true)?;
        if repeat > 0 {
            self.elements.count(levels, repeat, values)?;
        }
        let define = chunk.column_descr().max_def_level();
        self::levels(&mut rest, header, define, false)?;
        let wrong = || damaged("the lengths of texts make no sense");
        if header.is_delta() && !rest.is_empty() {
            let most = values.min(MAX_LENGTHS);
            let mut length = greatest(&mut rest, most).ok_or_else(wrong)?;
            if header.encoding == DELTA_BYTE_ARRAY {
                // What a text has of the one before it, and what is new.
                length = length.saturating_add(greatest(&mut rest, most).ok_or_else(wrong)?);
            }
            self.value = self.value.max(length);
        } else if is_texts && header.encoding == PLAIN {
            self.value = self.value.max(longest(rest));
        }
        Ok(())
    }
}

/// Checks that a dictionary has the values that it says: its reader allocates as many.
fn check_dictionary(
    chunk: &ColumnChunkMetaData,
    values: usize,
    size: usize,
) -> Result<(), Refusal> {
    let width = match chunk.column_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::FIXED_LEN_BYTE_ARRAY => chunk.column_descr().type_length().max(1) as usize,
    };
    match values.checked_mul(width).is_some_and(|bytes| bytes <= size) {
        true => Ok(()),
        false => Err(damaged("a dictionary has fewer values than it says")),
    }
}

/// A page decompressed.
fn unpacked(codec: Compression, header: &Header, page: Bytes) -> Result<Bytes, Refusal> {
    if codec == Compression::UNCOMPRESSED || header.is_plain {
        return Ok(page);
    }
    let (repeat, define) = header.level_bytes()?;
    let (_, size) = header.sizes(u64::MAX)?;
    let plain = repeat.checked_add(define);
    let plain = plain.filter(|plain| *plain <= page.len().min(size));
    let plain = plain.ok_or_else(|| damaged("a page ends within its levels"))?;
    if plain == size {
        return Ok(page.slice(..plain));
    }
    let packed = codec::exactly(codec, &page[plain..], size - plain)?;
    if plain == 0 {
        return Ok(packed.into());
    }
    Ok([&page[..plain], &packed].concat().into())
}

/// Takes levels off the bytes of a page.
fn levels<'p>(
    page: &mut &'p [u8],
    header: &Header,
    max_level: i16,
    is_repeat: bool,
) -> Result<&'p [u8], Refusal> {
    let cut = || damaged("a page ends within its levels");
    let (repeat, define) = header.level_bytes()?;
    let encoding = if is_repeat {
        header.repeat
    } else {
        header.define
    };
    let length = match (header.kind, is_repeat) {
        (DATA_PAGE_V2, true) => repeat,
        (DATA_PAGE_V2, false) => define,
        _ if max_level == 0 => 0,
        _ if encoding == RLE => {
            let (length, rest) = page.split_first_chunk::<4>().ok_or_else(cut)?;
            *page = rest;
            u32::from_le_bytes(*length) as usize
        }
        // An old way to write levels, which says nothing of lists here.
        _ if !is_repeat => (header.values() * width(max_level)).div_ceil(8),
        _ => return Err("the levels of its lists are written in an old way".to_owned()),
    };
    let (levels, rest) = page.split_at_checked(length).ok_or_else(cut)?;
    *page = rest;
    Ok(levels)
}

/// The bytes of the longest of texts, each with its length in front.
fn longest(mut texts: &[u8]) -> usize {
    let mut longest = 0;
    while let Some((length, rest)) = texts.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        // Nothing longer than the page is a text.
        let length = length.min(rest.len());
        longest = longest.max(length);
        texts = &rest[length..];
    }
    longest
}
