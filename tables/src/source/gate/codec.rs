//! Decompression with a size limit. Some decoders of the libraries read until their input ends,
//! whatever size was stated.

use super::{Refusal, damaged};
use parquet::basic::Compression;
use std::io::Read;

/// The first byte of a Brotli stream with a window of up to a gigabyte, which no Parquet file has.
/// (Its highest bit belongs to what follows.)
const LARGE_WINDOW: u8 = 0x11;

/// Decompresses what must be exactly this long.
pub(super) fn exactly(codec: Compression, bytes: &[u8], length: usize) -> Result<Vec<u8>, Refusal> {
    let found = match codec {
        Compression::UNCOMPRESSED => bytes.get(..length).map(<[u8]>::to_vec),
        Compression::SNAPPY => snappy(bytes, length),
        Compression::GZIP(_) => bounded(flate2::read::MultiGzDecoder::new(bytes), length),
        Compression::BROTLI(_) => brotli(bytes, length),
        Compression::ZSTD(_) => zstd::bulk::decompress(bytes, length).ok(),
        Compression::LZ4_RAW => lz4_block(bytes, length),
        // As Hadoop frames them, of old, or as LZ4 does.
        Compression::LZ4 => {
            let found = hadoop(bytes, length).or_else(|| lz4_frame(bytes, length));
            found.or_else(|| lz4_block(bytes, length))
        }
        Compression::LZO => return Err("it is compressed by LZO, which is not read".to_owned()),
    };
    let found = found.filter(|found| found.len() == length);
    found.ok_or_else(|| damaged("compressed bytes are not as many as stated"))
}

/// Checks that a frame of LZ4 is exactly this long, without holding it.
pub(super) fn check_lz4_frame(bytes: &[u8], length: u64) -> Result<(), Refusal> {
    let decoder = lz4_flex::frame::FrameDecoder::new(bytes);
    let found = std::io::copy(&mut decoder.take(length + 1), &mut std::io::sink());
    match found {
        Ok(found) if found == length => Ok(()),
        _ => Err(damaged("compressed bytes are not as many as stated")),
    }
}

/// Reads to the end, but not past this length by more than a byte.
fn bounded(reader: impl Read, length: usize) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let most = length as u64 + 1;
    reader.take(most).read_to_end(&mut found).ok()?;
    Some(found)
}

fn snappy(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let stated = snap::raw::decompress_len(bytes).ok()?;
    (stated == length).then_some(())?;
    let mut found = vec![0; length];
    snap::raw::Decoder::new()
        .decompress(bytes, &mut found)
        .ok()?;
    Some(found)
}

fn brotli(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    if bytes.first()? & 0x7f == LARGE_WINDOW {
        return None;
    }
    bounded(brotli::Decompressor::new(bytes, 1 << 12), length)
}

fn lz4_frame(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    bounded(lz4_flex::frame::FrameDecoder::new(bytes), length)
}

fn lz4_block(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut found = vec![0; length];
    let written = lz4_flex::block::decompress_into(bytes, &mut found).ok()?;
    (written == length).then_some(found)
}

/// Blocks, each with its length decompressed and compressed in front.
fn hadoop(mut bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<8>() {
        let [a, b, c, d, e, f, g, h] = *head;
        let plain = u32::from_be_bytes([a, b, c, d]) as usize;
        let packed = u32::from_be_bytes([e, f, g, h]) as usize;
        (plain <= length - found.len()).then_some(())?;
        let (block, rest) = rest.split_at_checked(packed)?;
        found.extend(lz4_block(block, plain)?);
        bytes = rest;
    }
    bytes.is_empty().then_some(found)
}
