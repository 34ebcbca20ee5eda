//! Parses postfix text into trees. This file classifies each word; `build` keeps the stack.

use super::build::{Builder, Context};
use super::operator::{BINARY, Binary};
use super::query::{QUERIES, Query};
use super::{Area, Expr, ExprKind, Place, Type};
use crate::features::attribute::{ALL, Attribute, Kind, numbered};
use crate::features::document::Piece;
use crate::features::event::{EVENTS, EventKind};
use crate::features::findings::{At, Findings};
use crate::features::noun::Noun;
use dicec_lang::syntax::{Code, nearest};

/// More words than this make a tree too high for the stages after it.
const MAX_WORDS: usize = 500;

/// The operators that do not have two sides.
const OTHERS: [&str; 5] = ["!", "ifelse", "consume", "duplicate", "store"];

/// Reads an expression that gives a number, a truth value or whatever else, but no trigger.
pub(in crate::features) fn parse(piece: Piece<'_>, findings: &mut Findings) -> Option<Expr> {
    parse_kind(piece, Context::Value, findings)
}

/// Reads an expression, which may hold triggers in the context of one. `None` if it is wrong, which
/// is a finding.
pub(in crate::features) fn parse_kind(
    piece: Piece<'_>,
    context: Context,
    findings: &mut Findings,
) -> Option<Expr> {
    let inner = piece.without('(', ')');
    let words = inner.split(',');
    if words.len() > MAX_WORDS {
        let what = format!(
            "has {} parts, and at most {MAX_WORDS} are possible",
            words.len()
        );
        let help = "split it with `store` and a variable such as NV1";
        findings.error(Code::BadPostfix, &inner, what, help);
        return None;
    }
    if inner.text.is_empty() {
        findings.error(
            Code::BadPostfix,
            &inner,
            "is empty",
            "write values and operators: (8,STR,+)",
        );
        return None;
    }
    let mut builder = Builder::new(context);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let area = area_words(word);
        let taken = match area {
            Some(area) => {
                let next = words.next_if(|next| next.text == "in");
                in_area(word, &area, next, &mut builder, findings)
            }
            None => take(word, &mut builder, findings),
        };
        // What comes after a mistake is not told: the stack would be another one.
        taken?;
    }
    builder.finish(inner, findings)
}

/// Reads a word.
fn take(word: Piece<'_>, builder: &mut Builder, findings: &mut Findings) -> Option<()> {
    let text = word.text;
    if text.is_empty() {
        let help = "write a number, an attribute or an operator between two commas";
        findings.error(
            Code::BadPostfix,
            &word,
            "has nothing between two commas",
            help,
        );
        return None;
    }
    if let Some(operator) = Binary::of_symbol(text) {
        return builder.binary(operator, word, findings);
    }
    match text {
        "!" => return builder.not(word, findings),
        "ifelse" => return builder.if_else(word, findings),
        "consume" => return builder.consume(word, findings),
        "duplicate" => return builder.duplicate(word, findings),
        "store" => return builder.store(word, findings),
        _ => {}
    }
    if let Some(query) = Query::named(text) {
        return builder.query(query, word, findings);
    }
    if let Some(kind) = EventKind::named(text) {
        if builder.context() == Context::Trigger {
            return builder.event(kind, word, findings);
        }
        let what = format!("has `{text}`, which is a trigger, where a condition is wanted");
        let help = "a trigger stands in the member `trigger`, or in a `duration`";
        findings.error(Code::BadPostfix, &word, what, help);
        return None;
    }
    let expr = operand(word, findings)?;
    builder.push(expr);
    Some(())
}

/// Reads a word that is a value of its own.
fn operand(word: Piece<'_>, findings: &mut Findings) -> Option<Expr> {
    let (text, span) = (word.text, word.span());
    let known = |kind, ty| Some(Expr::new(kind, ty, span));
    if let Some(number) = number(word, findings) {
        return known(ExprKind::Number(number), Type::Number);
    }
    if let Some(variable) = text.strip_prefix('V').and_then(numbered) {
        return known(ExprKind::Variable(variable), Type::Unknown);
    }
    if let Some(place) = place(text) {
        let ty = match place.attribute.kind() {
            Kind::Number => Type::Number,
            Kind::Truth => Type::Truth,
            Kind::Source => Type::Creature,
            Kind::Word => Type::Word,
        };
        return known(ExprKind::Attribute(place), ty);
    }
    if let Some(noun) = Noun::of_word(text) {
        return known(ExprKind::Noun(noun), Type::Creature);
    }
    if let Some((what, help)) = unknown(text) {
        findings.error(Code::UnknownAttribute, &word, what, help);
        return None;
    }
    // A NAME, or a word of some TYPE; if it is like a word of the format, it may be a typo.
    if let Some(near) = near(text) {
        let what = format!("has `{text}`, which is read as a name");
        findings.odd(&word, what, format!("did you mean `{near}`?"));
    }
    known(ExprKind::Word(text.to_owned()), Type::Word)
}

/// A number: `8`, `-1`, `.5`, and with a note `15'`.
fn number(word: Piece<'_>, findings: &mut Findings) -> Option<f64> {
    let text = word.text;
    let plain = |text: &str| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_number = digits.contains(|c: char| c.is_ascii_digit())
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = is_number.then(|| text.parse::<f64>().ok()).flatten();
        number.filter(|number| number.abs() <= MAX_NUMBER)
    };
    if let Some(number) = plain(text) {
        return Some(number + 0.0);
    }
    let units = ["'", " feet", " ft", "-foot", " foot"];
    let cut = units.iter().find_map(|unit| text.strip_suffix(unit))?;
    let number = plain(cut.trim())?;
    let what = format!("has `{text}`, which is read as {cut} feet");
    findings.odd(&word, what, format!("distances are numbers: write {cut}"));
    Some(number)
}

/// The greatest number that may be written. Sums and products of a few stay exact.
const MAX_NUMBER: f64 = 1e9;

/// An attribute, of self or of the noun before a point.
fn place(text: &str) -> Option<Place> {
    if let Some(attribute) = Attribute::named(text) {
        let owner = Noun::Myself;
        return Some(Place { owner, attribute });
    }
    let mut points = text.match_indices('.');
    points.find_map(|(at, _)| {
        let attribute = Attribute::named(text.get(at + 1..)?)?;
        let owner = text.get(..at)?.trim();
        let owner = match Noun::of_word(owner) {
            Some(noun) => noun,
            None if owner.is_empty() => return None,
            None => Noun::Named(owner.to_owned()),
        };
        Some(Place { owner, attribute })
    })
}

/// The error for a word that cannot be a name, with a suggestion.
fn unknown(text: &str) -> Option<(String, String)> {
    if matches!(text, "DAMAGE" | "ATTACK") || text.ends_with(".DAMAGE") || text.ends_with(".ATTACK")
    {
        let parts = ALL.iter().map(|info| info.name);
        let object = text.rsplit('.').next().unwrap_or(text);
        let parts = parts.filter(|name| {
            let mut rest = name.strip_prefix(object).into_iter();
            rest.any(|rest| rest.starts_with('.'))
        });
        let parts: Vec<String> = parts.map(|name| format!("`{name}`")).collect();
        let what = format!("has `{text}`, which is an object and has no value of its own");
        return Some((what, format!("write a part of it: {}", parts.join(", "))));
    }
    if text.contains(['(', ')', '[', ']', '{', '}']) {
        let what = format!("has a parenthesis or brace in `{text}`");
        let help = "one pair of parentheses may enclose all of it; inside there are commas only";
        return Some((what, help.to_owned()));
    }
    if !text.contains(char::is_alphanumeric) {
        let symbols = BINARY.iter().map(|(symbol, _)| *symbol).chain(OTHERS);
        let symbols: Vec<&str> = symbols.collect();
        let what = format!("has `{text}`, which is not an operator");
        return Some((what, format!("there are {}", symbols.join(" "))));
    }
    let name = text.rsplit('.').next().unwrap_or(text);
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let is_capital = name.len() > 1 && name.chars().all(is_name);
    if is_capital && name.starts_with(|c: char| c.is_ascii_uppercase()) {
        let names = ALL.iter().map(|info| info.name);
        let help = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "docs/features.md lists the attributes".to_owned(),
        };
        return Some((format!("has `{name}`, which is not an attribute"), help));
    }
    is_capital.then(|| {
        let what = format!("has `{text}`, which is neither a number nor a name");
        (
            what,
            "write a number such as 8 or .5, or a name in letters".to_owned(),
        )
    })
}

/// The word of the format that a name is like.
fn near(text: &str) -> Option<&'static str> {
    let operators = BINARY.iter().map(|(symbol, _)| *symbol).chain(OTHERS);
    let words = operators.filter(|word| word.len() > 3);
    let queries = QUERIES.iter().map(|info| info.name);
    let events = EVENTS.iter().map(|info| info.name);
    let names = words.chain(queries).chain(events).chain(Noun::words());
    // A shorter word is like too many others, a longer one like none.
    match (4..40).contains(&text.len()) {
        true => nearest(text, names.collect::<Vec<_>>()),
        false => None,
    }
}

/// The words of an area: `line 60 5` or `cone 30`, whose numbers may be variables in braces.
pub(in crate::features) fn area_words(piece: Piece<'_>) -> Option<Vec<Piece<'_>>> {
    let words = piece.words();
    let is_area = words.first().is_some_and(|first| {
        first.text.eq_ignore_ascii_case("line") || first.text.eq_ignore_ascii_case("cone")
    });
    is_area.then_some(words)
}

/// Reads an area: a line has a length and a width, a cone a length.
pub(in crate::features) fn area(
    whole: Piece<'_>,
    words: &[Piece<'_>],
    findings: &mut Findings,
) -> Option<Area> {
    let is_line = words[0].text.eq_ignore_ascii_case("line");
    let numbers: Vec<Option<Expr>> = words[1..]
        .iter()
        .map(|word| number_of(word.without('{', '}'), findings))
        .collect();
    let numbers: Vec<Expr> = numbers.into_iter().collect::<Option<_>>()?;
    match (is_line, <[Expr; 2]>::try_from(numbers)) {
        (true, Ok([length, width])) => Some(Area::Line(Box::new(length), Box::new(width))),
        (false, Err(numbers)) if numbers.len() == 1 => {
            numbers.into_iter().next().map(Box::new).map(Area::Cone)
        }
        _ => {
            let what = format!(
                "has the area `{}`, which lacks a number or has too many",
                whole.text
            );
            let help = "an area is `line LENGTH WIDTH` or `cone LENGTH`, in feet";
            findings.error(Code::BadFeature, &whole, what, help);
            None
        }
    }
}

/// Reads an expression that has to give a number.
pub(in crate::features) fn number_of(piece: Piece<'_>, findings: &mut Findings) -> Option<Expr> {
    let expr = parse(piece, findings)?;
    if expr.ty.is_number() {
        return Some(expr);
    }
    let what = format!(
        "has `{}`, which is {}, not a number",
        piece.text,
        expr.ty.words()
    );
    findings.error(
        Code::PostfixType,
        &piece,
        what,
        "write a number, an attribute or V0",
    );
    None
}

/// Reads an area and the `in` after it.
fn in_area(
    word: Piece<'_>,
    words: &[Piece<'_>],
    operator: Option<Piece<'_>>,
    builder: &mut Builder,
    findings: &mut Findings,
) -> Option<()> {
    let Some(operator) = operator else {
        let help = "an area is asked about with `in`: (creature,cone 30,in)";
        findings.error(
            Code::BadPostfix,
            &word,
            "has an area without `in` after it",
            help,
        );
        return None;
    };
    let area = area(word, words, findings)?;
    builder.in_area(area, operator, findings)
}
