//! Smaller programs with the same fault: tokens are left out as long as it stays.

use super::print::spaced;
use super::read::tokens;

/// The shortest text that was found of which `is_wrong` still holds.
pub fn smallest(text: &str, is_wrong: impl Fn(&str) -> bool) -> String {
    let Ok(found) = tokens(text) else {
        return text.to_owned();
    };
    // The tokens of texts are without their last quote.
    let whole = |token: String| match token.starts_with('"') {
        true => token + "\"",
        false => token,
    };
    let mut left: Vec<String> = found.into_iter().map(whole).collect();
    if !is_wrong(&spaced(&left)) {
        return text.to_owned();
    }
    let mut length = left.len() / 2;
    while length > 0 {
        let mut start = 0;
        let mut is_shorter = false;
        while start + length <= left.len() {
            let fewer = [&left[..start], &left[start + length..]].concat();
            match is_wrong(&spaced(&fewer)) {
                true => (left, is_shorter) = (fewer, true),
                false => start += 1,
            }
        }
        if !is_shorter {
            length -= 1;
        }
        length = length.min(left.len() / 2);
    }
    spaced(&left)
}
