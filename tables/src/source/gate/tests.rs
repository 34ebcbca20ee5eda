//! Tables that say of themselves what is not so, or that unfold to too much.

use super::caught;
use super::codec::{check_lz4_frame, exactly};
use super::thrift::{Read, Thrift, ty};
use crate::source::{BadTable, Record, Shape, Source};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray};
use arrow_array::{DictionaryArray, RecordBatchIterator};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel};
use std::io::{Cursor, Write};
use std::sync::Arc;

fn batch(column: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter([("a", column)]).expect("a column")
}

fn stream(column: ArrayRef, compression: Option<CompressionType>) -> Vec<u8> {
    let batch = batch(column);
    let options = IpcWriteOptions::default().try_with_compression(compression);
    let options = options.expect("it is built in");
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options);
    let writer = writer.as_mut().expect("memory");
    writer.write(&batch).expect("memory");
    writer.finish().expect("memory");
    std::mem::take(writer.get_mut())
}

fn parquet(column: ArrayRef) -> Vec<u8> {
    let batch = batch(column);
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("memory");
    writer.write(&batch).expect("memory");
    writer.into_inner().expect("memory")
}

fn rows(source: Result<Source, BadTable>) -> Result<usize, BadTable> {
    let (mut source, mut row, mut rows) = (source?, Record::default(), 0);
    while source.read(&mut row)? {
        rows += 1;
    }
    Ok(rows)
}

fn read(bytes: Vec<u8>) -> Result<usize, BadTable> {
    rows(Source::open(Box::new(Cursor::new(bytes)), Shape::Arrow))
}

/// Overwrites the first place that holds these bytes.
fn overwritten(mut bytes: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|part| part == old);
    let at = at.expect("it is there");
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn zeros(rows: usize) -> ArrayRef {
    Arc::new(Int64Array::from(vec![0; rows]))
}

fn says(found: Result<usize, BadTable>, part: &str) {
    let message = found.expect_err("a bad table").message;
    assert!(message.contains(part), "{message}");
}

#[test]
fn a_compressed_column_is_not_as_long_as_it_says() {
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let good = stream(zeros(3000), Some(codec));
        assert_eq!(read(good.clone()), Ok(3000));
        let old = 24_000_u64.to_le_bytes();
        let huge = overwritten(good.clone(), &old, &(1_u64 << 60).to_le_bytes());
        says(read(huge), "at most 64 MiB");
        let negative = overwritten(good.clone(), &old, &i64::MIN.to_le_bytes());
        says(read(negative), "negative length");
        let other = overwritten(good, &old, &23_992_u64.to_le_bytes());
        assert!(read(other).is_err());
    }
}

#[test]
fn zeros_do_not_unfold_without_bound() {
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        says(read(stream(zeros(9 << 20), Some(codec))), "decompressed");
    }
}

#[test]
fn a_text_is_no_stream() {
    says(read(b"Name,Attack\nOrc,".to_vec()), "no possible length");
    says(
        read(b"\xff\xff\xff\xff\xff\xff\xff\x7f".to_vec()),
        "no possible length",
    );
    says(read(b"\x10\0\0\0Orc".to_vec()), "ends within");
}

#[test]
fn a_message_is_as_long_as_it_says() {
    let good = stream(zeros(3000), None);
    // The body, and its only buffer.
    let old = 24_000_u64.to_le_bytes();
    for new in [1_u64 << 60, u64::MAX, 24_064, 0] {
        let bad = overwritten(good.clone(), &old, &new.to_le_bytes());
        assert!(read(bad).is_err(), "{new}");
    }
    let rows = overwritten(
        good.clone(),
        &3000_u64.to_le_bytes(),
        &(1_u64 << 50).to_le_bytes(),
    );
    says(read(rows), "other rows");
    let cut = good[..good.len() - 100].to_vec();
    says(read(cut), "ends within a message");
    let missing = stream(Arc::new(NullArray::new(2 << 20)), None);
    says(read(missing), "other rows");
}

#[test]
fn dictionaries_have_a_bound() {
    let text = "x".repeat(1 << 10);
    let texts = (0..40 << 10).map(|number| format!("{number}{text}"));
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    let keys = arrow_array::Int32Array::from(vec![0, 1]);
    let column = DictionaryArray::<Int32Type>::try_new(keys, texts).expect("good keys");
    says(
        read(stream(Arc::new(column), None)),
        "texts are looked up in",
    );
}

#[test]
fn a_parquet_file_is_whole() {
    let good = parquet(zeros(3000));
    let length = good.len();
    assert_eq!(rows(Source::parquet_bytes(good.clone())), Ok(3000));
    for new in [u32::MAX, 1 << 30, length as u32, 3] {
        let mut bad = good.clone();
        bad[length - 8..length - 4].copy_from_slice(&new.to_le_bytes());
        assert!(rows(Source::parquet_bytes(bad)).is_err(), "{new}");
    }
    let cut = good[..length - 1].to_vec();
    says(rows(Source::parquet_bytes(cut)), "not the whole of one");
    says(
        rows(Source::parquet_bytes(b"PAR1".to_vec())),
        "not the whole of one",
    );
    let without_pages = [&good[..4], &good[length - 8..]].concat();
    assert!(rows(Source::parquet_bytes(without_pages)).is_err());
}

#[test]
fn long_texts_are_read_one_by_one_and_too_long_ones_not() {
    let long = "x".repeat(900 << 10);
    let texts = LargeStringArray::from_iter_values(std::iter::repeat_n(&long, 400));
    assert_eq!(
        rows(Source::parquet_bytes(parquet(Arc::new(texts)))),
        Ok(400)
    );
    let text = "x".repeat(2 << 20);
    let column: ArrayRef = Arc::new(StringArray::from(vec!["a", &text]));
    let wrong = read(stream(column.clone(), None)).expect_err("too long");
    assert_eq!(wrong.place, Some((2, 1)));
    assert_eq!(wrong.message, "a row is longer than 1 MiB");
    assert!(wrong.help.is_some() && !wrong.is_unreadable);
    let wrong = rows(Source::parquet_bytes(parquet(column.clone())));
    assert_eq!(wrong.expect_err("too long").place, Some((2, 1)));
    let batch = batch(column);
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    says(
        rows(Source::batches(Box::new(batches))),
        "longer than 1 MiB",
    );
}

#[test]
fn what_is_decompressed_is_as_long_as_stated() {
    let bytes = vec![7; 100_000];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&bytes).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let mut brotli = brotli::CompressorWriter::new(Vec::new(), 4096, 1, 22);
    brotli.write_all(&bytes).expect("memory");
    let brotli = brotli.into_inner();
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(&bytes).expect("memory");
    let lz4 = lz4.finish().expect("memory");
    let snappy = snap::raw::Encoder::new()
        .compress_vec(&bytes)
        .expect("memory");
    for (codec, packed) in [
        (Compression::GZIP(GzipLevel::default()), &gzip),
        (Compression::BROTLI(BrotliLevel::default()), &brotli),
        (Compression::LZ4, &lz4),
        (Compression::SNAPPY, &snappy),
    ] {
        assert_eq!(
            exactly(codec, packed, bytes.len()),
            Ok(bytes.clone()),
            "{codec}"
        );
        for length in [0, 99_999, 100_001] {
            assert!(exactly(codec, packed, length).is_err(), "{codec} {length}");
        }
    }
    assert_eq!(check_lz4_frame(&lz4, 100_000), Ok(()));
    assert!(check_lz4_frame(&lz4, 99_999).is_err() && check_lz4_frame(&lz4, 100_001).is_err());
    let large_window = Compression::BROTLI(BrotliLevel::default());
    assert!(exactly(large_window, &[0x11, 30, 0, 0], 10).is_err());
}

#[test]
fn structures_of_thrift_are_bounded() {
    let read = |bytes: &[u8]| {
        let mut thrift = Thrift::new(bytes, 10);
        let read = thrift.fields(ty::STRUCT, &mut |_, _, _| Some(Read::Not));
        read.map(|()| thrift.at())
    };
    assert_eq!(read(&[0x15, 2, 0x18, 1, b'a', 0]), Some(6));
    assert_eq!(read(&[0x15, 2, 0x05, 2, 4, 0]), None, "a field twice");
    assert_eq!(read(&[0x19, 0xb5, 0, 0]), None, "too many elements");
    assert_eq!(read(&[0x19, 0x11, 1, 0]), None, "truth values");
    assert_eq!(
        read(&[0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]),
        None,
        "a text without end"
    );
    assert_eq!(read(&[0x1c; 100]), None, "too deep");
}

#[test]
fn a_panic_is_a_table_that_cannot_be_read() {
    let wrong = caught::<()>(|| panic!("offset {} is too far", 7)).expect_err("it panics");
    assert!(wrong.is_unreadable);
    assert_eq!(
        wrong.message,
        "cannot read the table: it is damaged, or of another format: offset 7 is too far"
    );
    assert_eq!(caught(|| Ok(1)), Ok(1));
    let told = caught::<()>(|| Err(BadTable::unreadable("no")));
    assert_eq!(told, Err(BadTable::unreadable("no")));
}
