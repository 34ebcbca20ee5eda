//! How far dice and groups reach in a script's text. What they mean is read by the notation's front end.
//!
//! ```text
//! dice     = "d" ( digits | "%" | "F" | value | faces ) { modifier }
//! group    = "{" text without ";" "}" { modifier }
//! modifier = letters [ compare, behind a word that takes one ] [ digits | value ]
//!          | ( "!" | "!!" | "!p" ) [ compare ( digits | value ) ] | "!==" ( digits | value )
//!          | blanks ( "count" | "fail" | "cs" | "cf" ) [ compare ] ( digits | value )
//! value    = "(" text without ";" ")" | "[" name "]"
//! ```

use super::token::{Input, Lexed};
use winnow::ascii::{Caseless, digit1};
use winnow::combinator::{alt, fail, opt, peek, preceded, repeat};
use winnow::prelude::*;
use winnow::token::{any, literal, one_of, take_while};

/// Dice without a count: `d20`, `d%`, `dF`, `d{1,1,2}` and what follows. `d(n, s)` is a call, and `d[0]` an element.
pub(super) fn dice(input: &mut Input<'_>) -> Lexed<()> {
    letter(input)?;
    let faces = preceded(peek('{'), balanced);
    alt((digit1.void(), percent, fate, faces)).parse_next(input)?;
    modifiers(input)
}

/// Dice directly behind their count.
pub(super) fn counted_dice(input: &mut Input<'_>) -> Lexed<()> {
    letter(input)?;
    alt((digit1.void(), percent, fate, balanced)).parse_next(input)?;
    modifiers(input)
}

/// Dice directly behind a number, which can only be their count: whatever is wrong with them is theirs.
pub(super) fn numbered_dice(input: &mut Input<'_>) -> Lexed<()> {
    alt((counted_dice, (letter, letters).void(), letter)).parse_next(input)
}

/// A group, where an operand can begin.
pub(super) fn group(input: &mut Input<'_>) -> Lexed<()> {
    peek('{').parse_next(input)?;
    balanced(input)?;
    modifiers(input)
}

fn letter(input: &mut Input<'_>) -> Lexed<()> {
    one_of(['d', 'D']).void().parse_next(input)
}

fn letters<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    take_while(1.., |c: char| c.is_ascii_alphabetic()).parse_next(input)
}

/// `%`, unless it divides: `d%2`.
fn percent(input: &mut Input<'_>) -> Lexed<()> {
    '%'.parse_next(input)?;
    let divides = |c: char| c.is_alphanumeric() || matches!(c, '(' | '_' | '[');
    match peek(opt(one_of(divides))).parse_next(input)? {
        // `d%kh1` has a modifier behind it.
        Some(c) if !c.is_ascii_alphabetic() => fail(input),
        _ => Ok(()),
    }
}

/// The `F` of `dF`; `dFoo` is a name.
fn fate(input: &mut Input<'_>) -> Lexed<()> {
    one_of(['F', 'f']).parse_next(input)?;
    let mut rest = peek(take_while(0.., |c: char| c.is_alphanumeric() || c == '_'));
    let rest = rest.parse_next(input)?;
    let word = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = [
        "", "k", "kh", "kl", "dh", "dl", "r", "ro", "min", "max", "s", "sa", "sd",
    ];
    if known.iter().any(|known| known.eq_ignore_ascii_case(word)) {
        Ok(())
    } else {
        fail(input)
    }
}

/// Something in brackets, to the bracket that closes it; none of it is a `;`, which ends what was not closed.
fn balanced(input: &mut Input<'_>) -> Lexed<()> {
    let mut depth = 0_usize;
    loop {
        match any.parse_next(input)? {
            // Deeper than anything may nest: so many that are not closed cost little.
            '(' | '{' | '[' if depth == 256 => return fail(input),
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ';' | '"' => return fail(input),
            _ => {}
        }
        if depth == 0 {
            return Ok(());
        }
    }
}

fn modifiers(input: &mut Input<'_>) -> Lexed<()> {
    repeat(0.., alt((word, explosion, distant_word))).parse_next(input)
}

/// Letters, what they compare with and their value.
fn word(input: &mut Input<'_>) -> Lexed<()> {
    let word = letters(input)?.to_ascii_lowercase();
    let compares = ["count", "fail", "cs", "cf", "ro", "r", "f"];
    if compares.iter().any(|end| word.ends_with(end)) {
        opt(compare).parse_next(input)?;
    }
    opt(value).void().parse_next(input)
}

/// A word of counting behind a blank, as the notation prints it.
fn distant_word(input: &mut Input<'_>) -> Lexed<()> {
    take_while(1.., |c| c == ' ' || c == '\t').parse_next(input)?;
    let words = ["count", "fail", "cs", "cf"].map(|word| literal(Caseless(word)));
    alt(words).parse_next(input)?;
    (opt(compare), value).void().parse_next(input)
}

fn explosion(input: &mut Input<'_>) -> Lexed<()> {
    let equal = (literal("!=="), value).void();
    let sign = alt((literal("!!"), literal("!p"), literal("!P"), literal("!")));
    let other = preceded(sign, opt((compare, value))).void();
    // `2d6!=7` compares.
    let compares = peek((literal("!="), opt(one_of('='))));
    if let Some((_, None)) = opt(compares).parse_next(input)? {
        return fail(input);
    }
    alt((equal, other)).parse_next(input)
}

fn compare(input: &mut Input<'_>) -> Lexed<()> {
    let two = alt(("<=", ">=", "!=", "==")).void();
    let one = one_of(['=', '<', '>', '≤', '≥', '≠']).void();
    alt((two, one)).parse_next(input)
}

fn value(input: &mut Input<'_>) -> Lexed<()> {
    let brackets = preceded(peek(one_of(['(', '['])), balanced);
    alt((digit1.void(), brackets)).parse_next(input)
}
