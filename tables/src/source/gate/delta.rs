//! Delta-encoded numbers, such as the lengths of texts in Parquet. The library's reader allocates
//! as many as the header states.

use super::levels::{take_varint, unpacked};

/// Reads such numbers, at most `most` of them, and tells the greatest. What follows is left of the
/// bytes.
/// None of them if they make no sense or one is negative.
pub(super) fn greatest(bytes: &mut &[u8], most: usize) -> Option<usize> {
    let block = usize::try_from(take_varint(bytes)?).ok()?;
    let parts = usize::try_from(take_varint(bytes)?).ok()?;
    let values = usize::try_from(take_varint(bytes)?).ok()?;
    let mut value = take_zigzag(bytes)?;
    let part = block.checked_div(parts)?;
    let is_possible = values <= most && part > 0 && part.is_multiple_of(8) && block <= 1 << 20;
    is_possible.then_some(())?;
    if values == 0 {
        return Some(0);
    }
    let mut greatest = usize::try_from(value).ok()?;
    let mut left = values - 1;
    while left > 0 {
        let least = take_zigzag(bytes)?;
        let (widths, rest) = bytes.split_at_checked(parts)?;
        *bytes = rest;
        for width in widths.iter().map(|width| usize::from(*width)) {
            if left == 0 {
                break;
            }
            (width <= 64).then_some(())?;
            let (packed, rest) = bytes.split_at_checked(part.checked_mul(width)? / 8)?;
            *bytes = rest;
            for at in 0..part.min(left) {
                let more = unpacked(packed, at * width, width) as i64;
                value = value.wrapping_add(least).wrapping_add(more);
                greatest = greatest.max(usize::try_from(value).ok()?);
            }
            left -= part.min(left);
        }
    }
    Some(greatest)
}

fn take_zigzag(bytes: &mut &[u8]) -> Option<i64> {
    let value = take_varint(bytes)?;
    Some((value >> 1) as i64 ^ -((value & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::greatest;

    #[test]
    fn the_greatest_of_numbers_as_differences() {
        // Blocks of 128 in 4 parts; 7, 5, 3, 1, 2, 3, 4, 5, as the format's own text has it.
        let head = [128, 1, 4, 8, 14];
        let block = [3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0];
        let bytes = [&head[..], &block, b"rest"].concat();
        let mut left = &bytes[..];
        assert_eq!(greatest(&mut left, 8), Some(7));
        assert_eq!(left, b"rest");
        assert_eq!(greatest(&mut &bytes[..], 7), None, "more than there may be");
        assert_eq!(greatest(&mut &bytes[..12], 8), None, "it is cut off");
        let endless = [128, 1, 4, 0xff, 0xff, 0xff, 0xff, 0x7f, 14];
        assert_eq!(greatest(&mut &endless[..], 8), None);
    }
}
