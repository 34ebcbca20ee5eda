//! Tables of Arrow: what cells of each type are, files and streams, and what is wrong with some.

use super::{Record, Shape, Source};
use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
    StructArray, UInt8Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field};
use std::io::{Cursor, Seek, Write};
use std::sync::Arc;

/// Columns of many types, two rows each.
fn batch() -> RecordBatch {
    let mut lists = ListBuilder::new(Int64Builder::new());
    lists.append_value([Some(3), None]);
    lists.append_null();
    let save = Field::new("dex", DataType::Int32, true);
    let save: (Arc<Field>, ArrayRef) = (Arc::new(save), Arc::new(Int32Array::from(vec![2, -1])));
    let decimals = Decimal128Array::from(vec![1250, 300]).with_precision_and_scale(6, 2);
    let columns: [(&str, ArrayRef); 10] = [
        ("Name", Arc::new(StringArray::from(vec!["Orc", "7"]))),
        ("Attack", Arc::new(Int64Array::from(vec![Some(5), None]))),
        ("AC", Arc::new(UInt8Array::from(vec![13, 255]))),
        ("weight", Arc::new(Float64Array::from(vec![0.5, f64::NAN]))),
        ("speed", Arc::new(Float32Array::from(vec![0.1, 30.0]))),
        ("flies", Arc::new(BooleanArray::from(vec![true, false]))),
        (
            "kind",
            Arc::new(DictionaryArray::<Int32Type>::from_iter(["a", "b"])),
        ),
        ("born", Arc::new(Date32Array::from(vec![0, 1]))),
        ("price", Arc::new(decimals.expect("they fit"))),
        ("dice", Arc::new(lists.finish())),
    ];
    let save: (&str, ArrayRef) = ("save", Arc::new(StructArray::from(vec![save])));
    RecordBatch::try_from_iter(columns.into_iter().chain([save])).expect("columns")
}

const EXPECTED: [&str; 3] = [
    "Name|Attack|AC|weight|speed|flies|kind|born|price|dice|save.dex",
    "1 Orc|5|13|0.5|0.1|true|a|1970-01-01|12.5|[3,null]|2",
    "2 7||255|NaN|30|false|b|1970-01-02|3||-1",
];

#[test]
fn cells_are_written_as_in_json() {
    let batch = batch();
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let source = Source::batches(Box::new(batches)).expect("a good table");
    assert_eq!(source.types()[1], Some(DataType::Int64));
    assert_eq!(source.types()[10], Some(DataType::Int32));
    assert_eq!(source.shown().expect("good rows"), EXPECTED);
}

#[test]
fn a_text_is_no_number() {
    let batch = batch();
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let mut source = Source::batches(Box::new(batches)).expect("a good table");
    let mut row = Record::default();
    assert_eq!(source.read(&mut row), Ok(true));
    assert_eq!(row.value(1), Some(5.into()));
    assert_eq!(source.read(&mut row), Ok(true));
    assert_eq!(row.value(0), None, "`7` is a name");
    assert_eq!(row.value(1), Some(serde_json::Value::Null));
}

#[test]
fn files_and_streams_are_told_apart() {
    let batch = batch();
    let schema = batch.schema();
    let mut file = FileWriter::try_new(Vec::new(), &schema).expect("memory");
    file.write(&batch).expect("memory");
    file.finish().expect("memory");
    let mut stream = StreamWriter::try_new(Vec::new(), &schema).expect("memory");
    stream.write(&batch).expect("memory");
    stream.finish().expect("memory");
    let file = file.into_inner().expect("memory");
    let stream = stream.into_inner().expect("memory");
    for bytes in [file, stream] {
        for shape in [Shape::Arrow, Shape::Guess(b',')] {
            let bytes = Box::new(Cursor::new(bytes.clone()));
            let source = Source::open(bytes, shape).expect("a good table");
            assert_eq!(source.shown().expect("good rows"), EXPECTED);
        }
    }
}

#[test]
fn parquet_files_have_a_directory() {
    let mut file = tempfile::tempfile().expect("a file");
    let batch = batch();
    let copy = file.try_clone().expect("a file");
    let mut writer = parquet::arrow::ArrowWriter::try_new(copy, batch.schema(), None);
    let writer = writer.as_mut().expect("a writer");
    writer.write(&batch).expect("a disk");
    writer.finish().expect("a disk");
    file.rewind().expect("a disk");
    let size = file.metadata().expect("a file").len();
    let mut source = Source::parquet(file).expect("a good table");
    let mut row = Record::default();
    assert_eq!(source.read(&mut row), Ok(true));
    assert_eq!(source.bytes_read(), size / 2);
}

#[test]
fn what_is_no_table_is_unreadable() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(b"Name,Attack\nOrc,5\n").expect("a disk");
    file.rewind().expect("a disk");
    let wrong = Source::parquet(file).err().expect("no Parquet");
    assert!(wrong.is_unreadable, "{wrong:?}");
    let cut = Box::new(Cursor::new(b"ARROW1\0\0\xff\xff\xff\xff".to_vec()));
    let wrong = Source::open(cut, Shape::Arrow).err().expect("no Arrow");
    assert!(wrong.is_unreadable, "{wrong:?}");
}
