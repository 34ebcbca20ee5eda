//! AnyDice programs: a second reading of the language, that knows nothing of the compiler's.
//!
//! [`generate`] makes programs from bytes, [`mod@print`] writes them, and [`read`] reads them.
//! [`naive`] evaluates them in the slow and obvious way, and [`mod@compare`] holds the compiler's
//! answers against it. [`smaller`] makes programs with faults small.

pub mod ast;
pub mod compare;
pub mod generate;
pub mod naive;
pub mod print;
pub mod read;
pub mod smaller;

use arbitrary::{Result, Unstructured};
use compare::{Compared, compare};
use dicec_runtime::pmf::Limits;

/// The steps of the naive evaluator for a generated program.
const STEPS: u64 = 20_000;

/// The limits of the compiler for one: a text of strangers may ask for anything.
const LIMITS: Limits = Limits {
    work: 500_000,
    outcomes: 10_000,
};

/// What became of a program; or the difference, and a small program that has one.
type Checked = std::result::Result<Compared, (String, String)>;

/// The text of a program from bytes.
///
/// # Errors
/// The bytes run out.
pub fn text(bytes: &mut Unstructured<'_>) -> Result<String> {
    let tree = generate::program(bytes)?;
    let tokens = print::tokens(&tree);
    let text = print::styled(&tokens, bytes)?;
    let again = read::read(&text);
    assert_eq!(
        again.as_ref(),
        Ok(&tree),
        "{text} is read as it was written"
    );
    Ok(text)
}

/// Compares a program with what the naive evaluator says.
///
/// # Errors
/// The difference, and a small program that has one.
pub fn check(text: &str) -> Checked {
    let compared = |text: &str| compare(text, LIMITS, STEPS);
    compared(text).map_err(|difference| {
        let small = smaller::smallest(text, |text| compared(text).is_err());
        let difference = compared(&small).err().unwrap_or(difference);
        (difference, small)
    })
}

/// Any bytes as a text, as a program, and as a program of which some tokens are lost, moved or
/// repeated.
///
/// # Panics
/// The compiler's answer differs from that of the naive evaluator.
pub fn any(bytes: &[u8]) {
    let compared = |text: &str| {
        if let Err((difference, small)) = check(text) {
            panic!("{difference}\n{small}\n{text}");
        }
    };
    compared(&String::from_utf8_lossy(bytes));
    if let Ok(text) = text(&mut Unstructured::new(bytes)) {
        compared(&text);
    }
    if let Ok(text) = damaged(&mut Unstructured::new(bytes)) {
        compared(&text);
    }
}

fn damaged(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut tokens = print::tokens(&generate::program(bytes)?);
    for _ in 0..bytes.int_in_range(1..=3)? {
        let place = bytes.choose_index(tokens.len())?;
        let other = bytes.choose_index(tokens.len())?;
        match bytes.int_in_range(0..=3)? {
            0 if tokens.len() > 1 => drop(tokens.remove(place)),
            1 => tokens.swap(place, other),
            2 => tokens.insert(place, tokens[other].clone()),
            _ => tokens[place] = tokens[other].clone(),
        }
    }
    Ok(print::spaced(&tokens))
}
