//! Tables in every binary format, and damage to them: flipped bytes, numbers overwritten with
//! extreme ones, missing and repeated pieces. The tests of `dicec-sql` read them as well.

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array, RecordBatch,
    StringArray, StringViewArray, StructArray, UInt8Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::sync::Arc;

/// Numbers from a seed, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Columns of many types.
fn batch(rows: usize) -> RecordBatch {
    let texts = |of: usize| (0..rows).map(move |row| format!("monster {}", row % of));
    let mut lists = ListBuilder::new(Int64Builder::new());
    for row in 0..rows {
        lists.append_value((0..row % 4).map(|die| (die != 2).then_some(die as i64 + 4)));
    }
    let save = Int64Array::from_iter((0..rows).map(|row| (row % 3 > 0).then_some(row as i64)));
    let save: (Arc<Field>, ArrayRef) = (
        Arc::new(Field::new("dex", DataType::Int64, true)),
        Arc::new(save),
    );
    let kinds: Vec<String> = texts(3).collect();
    let kinds = kinds.iter().map(String::as_str);
    let columns: [(&str, ArrayRef); 9] = [
        ("Name", Arc::new(StringArray::from_iter_values(texts(rows)))),
        (
            "AC",
            Arc::new(UInt8Array::from_iter_values((0..rows).map(|row| row as u8))),
        ),
        (
            "w",
            Arc::new(Float64Array::from_iter_values(
                (0..rows).map(|row| row as f64 / 3.0),
            )),
        ),
        (
            "flies",
            Arc::new(BooleanArray::from_iter(
                (0..rows).map(|row| Some(row % 5 == 0)),
            )),
        ),
        (
            "kind",
            Arc::new(DictionaryArray::<Int32Type>::from_iter(kinds)),
        ),
        (
            "view",
            Arc::new(StringViewArray::from_iter_values(
                texts(7).map(|text| text + " seen"),
            )),
        ),
        (
            "born",
            Arc::new(Date32Array::from_iter_values(
                (0..rows).map(|row| row as i32),
            )),
        ),
        ("dice", Arc::new(lists.finish())),
        ("save", Arc::new(StructArray::from(vec![save]))),
    ];
    RecordBatch::try_from_iter(columns).expect("columns")
}

fn stream(compression: Option<CompressionType>) -> Vec<u8> {
    let batch = batch(60);
    let options = IpcWriteOptions::default().try_with_compression(compression);
    let options = options.expect("it is built in");
    let schema = batch.schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options);
    let writer = writer.as_mut().expect("memory");
    writer.write(&batch.slice(0, 40)).expect("memory");
    writer.write(&batch.slice(40, 20)).expect("memory");
    writer.finish().expect("memory");
    std::mem::take(writer.get_mut())
}

fn file() -> Vec<u8> {
    let batch = batch(60);
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).expect("memory");
    writer.write(&batch).expect("memory");
    writer.finish().expect("memory");
    writer.into_inner().expect("memory")
}

fn parquet(compression: Compression, version: WriterVersion) -> Vec<u8> {
    let batch = batch(300);
    let mut properties = WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_max_row_group_row_count(Some(200))
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50);
    if version == WriterVersion::PARQUET_2_0 {
        properties = properties
            .set_dictionary_enabled(false)
            .set_column_encoding("Name".into(), Encoding::DELTA_BYTE_ARRAY)
            .set_column_encoding("view".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY);
    }
    let properties = Some(properties.build());
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), properties).expect("memory");
    writer.write(&batch).expect("memory");
    writer.into_inner().expect("memory")
}

/// A file of each format, and whether it is one of Parquet.
pub(crate) fn files() -> Vec<(&'static str, bool, Vec<u8>)> {
    use WriterVersion::{PARQUET_1_0 as V1, PARQUET_2_0 as V2};
    let (gzip, zstd) = (GzipLevel::default(), ZstdLevel::default());
    vec![
        ("stream", false, stream(None)),
        (
            "stream, LZ4",
            false,
            stream(Some(CompressionType::LZ4_FRAME)),
        ),
        (
            "stream, Zstandard",
            false,
            stream(Some(CompressionType::ZSTD)),
        ),
        ("file", false, file()),
        ("Parquet", true, parquet(Compression::UNCOMPRESSED, V1)),
        ("Parquet, Snappy", true, parquet(Compression::SNAPPY, V1)),
        (
            "Parquet, Zstandard",
            true,
            parquet(Compression::ZSTD(zstd), V1),
        ),
        ("Parquet, gzip", true, parquet(Compression::GZIP(gzip), V1)),
        (
            "Parquet, Brotli",
            true,
            parquet(Compression::BROTLI(BrotliLevel::default()), V1),
        ),
        ("Parquet, LZ4", true, parquet(Compression::LZ4_RAW, V1)),
        (
            "Parquet 2, differences",
            true,
            parquet(Compression::UNCOMPRESSED, V2),
        ),
        ("Parquet 2, Snappy", true, parquet(Compression::SNAPPY, V2)),
    ]
}

/// Damages a table in one to three places; half of the time near its end, where directories are.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const EXTREME: [u64; 10] = [
        0,
        1,
        0x7f,
        0xff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 60,
        i64::MAX as u64,
        u64::MAX,
    ];
    for _ in 0..=random.below(3) {
        let from = match random.below(2) {
            0 => 0,
            _ => bytes.len().saturating_sub(2000),
        };
        let at = from + random.below(bytes.len() - from);
        match random.below(8) {
            0..=2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = random.next() as u8,
            kind @ 4..=5 => {
                let length = if kind == 4 { 4 } else { 8 };
                let at = at & !3;
                let value = EXTREME[random.below(EXTREME.len())].to_le_bytes();
                let end = bytes.len().min(at + length);
                bytes[at..end].copy_from_slice(&value[..end - at]);
            }
            6 => bytes.truncate(at),
            _ => {
                let end = bytes.len().min(at + random.below(200));
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
        if bytes.is_empty() {
            return;
        }
    }
}
