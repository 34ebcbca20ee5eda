//! The textual form of a module: its tables, one line per entry, then its functions. A rule has no
//! tables, so its text is that of its only function.
//!
//! ```text
//! module fuel 1000000 depth 200 list 10000
//! text "Hit"
//! site "" ""
//! stat "rounds"
//! field0 "fighter.hp" 0 written
//! record "fighter" field0 word
//! kind0 length field1 capacity field2 start field3 element field4 word
//! input record 0
//! constants 4, 8            ; the records and lists of its constants
//! known 3, 0, 1, 7          ; a module of known arguments
//! open 1, 3                 ; these words of them may hold other numbers; `open small` if only
//!                           ; those of `OpenRange::Small`
//! placed record 2, list 4   ; objects after them
//!
//! function i64
//! ...
//! ```

use super::function::{ParseError, RawFunction, raw_function};
use super::lexer::{Read, blank_lines, ends, field, kind, unsigned};
use super::quote::{quoted, text};
use crate::ir::{
    FieldData, Function, ListData, Module, OpenRange, OpenWords, Placed, RecordData, Shape, Tables,
};
use cranelift_entity::PrimaryMap;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::script::Site;
use std::fmt;
use winnow::ascii::dec_int;
use winnow::combinator::{alt, delimited, opt, preceded, repeat, separated, terminated};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::literal;

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_script = self.is_script();
        if is_script {
            self.tables.fmt(f)?;
        }
        for (func, function) in &self.functions {
            if is_script || func.as_u32() > 0 {
                writeln!(f)?;
            }
            function.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScriptLimits { fuel, depth, list } = self.limits;
        writeln!(f, "module fuel {fuel} depth {depth} list {list}")?;
        for text in self.texts.iter() {
            writeln!(f, "text {}", quoted(text))?;
        }
        for text in self.joined.iter() {
            writeln!(f, "joined_text {}", quoted(text))?;
        }
        for site in self.sites.iter() {
            let joined = if site.joined { " joined" } else { "" };
            let (before, after) = (quoted(&site.before), quoted(&site.after));
            writeln!(f, "site {before} {after}{joined}")?;
        }
        for stat in &self.stats {
            writeln!(f, "stat {}", quoted(stat))?;
        }
        for stat in self.named_stats.iter() {
            writeln!(f, "named_stat {}", quoted(stat))?;
        }
        for (field, data) in &self.fields {
            let written = if data.written { " written" } else { "" };
            let (name, offset) = (quoted(&data.name), data.offset);
            writeln!(f, "{field} {name} {offset}{written}")?;
        }
        for record in &self.records {
            write!(f, "record {}", quoted(&record.name))?;
            for (field, shape) in &record.fields {
                write!(f, " {field} {shape}")?;
            }
            writeln!(f)?;
        }
        for (kind, list) in &self.lists {
            let ListData {
                length,
                capacity,
                start,
                element,
                shape,
            } = list;
            writeln!(
                f,
                "{kind} length {length} capacity {capacity} start {start} element {element} {shape}"
            )?;
        }
        for shape in &self.inputs {
            writeln!(f, "input {shape}")?;
        }
        if !self.constants.is_empty() {
            write_words(f, "constants", &self.constants)?;
        }
        if let Some(known) = &self.known {
            write_words(f, "known", known)?;
        }
        if !self.open.is_empty() {
            let name = match self.open.range {
                OpenRange::Small => "open small",
                OpenRange::Usual => "open",
            };
            write_words(f, name, &self.open.addresses)?;
        }
        if !self.placed.is_empty() {
            write_words(f, "placed", &self.placed)?;
        }
        Ok(())
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, name: &str, words: &[impl ToString]) -> fmt::Result {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    writeln!(f, "{name} {}", words.join(", "))
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placed::Record(words) => write!(f, "record {words}"),
            Placed::List(elements) => write!(f, "list {elements}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Word => f.write_str("word"),
            Shape::Text => f.write_str("text"),
            Shape::Record(number) => write!(f, "record {number}"),
            Shape::List(kind) => kind.fmt(f),
        }
    }
}

/// The module that `text` describes. It is read, not verified: [`crate::ir::verify`] does that.
///
/// Comments run from `;` to the end of the line.
///
/// # Errors
/// See [`ParseError`].
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut rest = text;
    let (tables, raw) = raw_module(&mut rest).map_err(|_| ParseError::at(text, rest))?;
    let functions: Result<PrimaryMap<_, Function>, ParseError> =
        raw.into_iter().map(RawFunction::build).collect();
    Ok(Module {
        functions: functions?,
        tables: tables.unwrap_or_default(),
    })
}

fn raw_module(input: &mut &str) -> Read<(Option<Tables>, Vec<RawFunction>)> {
    blank_lines(input)?;
    let tables = if input.starts_with("module ") {
        Some(tables(input)?)
    } else {
        None
    };
    let mut functions = Vec::new();
    while functions.is_empty() || !input.is_empty() {
        functions.push(raw_function(input)?);
    }
    Ok((tables, functions))
}

fn tables(input: &mut &str) -> Read<Tables> {
    let limit = |name: &'static str| preceded((name, ' '), unsigned);
    let (fuel, depth, list) =
        preceded("module", (limit(" fuel"), limit(" depth"), limit(" list"))).parse_next(input)?;
    ends(input)?;
    let line = |name: &'static str| preceded((name, ' '), text);
    let texts: Vec<String> = repeat(0.., terminated(line("text"), ends)).parse_next(input)?;
    let joined: Vec<String> =
        repeat(0.., terminated(line("joined_text"), ends)).parse_next(input)?;
    let sites: Vec<Site> = repeat(0.., terminated(site, ends)).parse_next(input)?;
    let stats = repeat(0.., terminated(line("stat"), ends)).parse_next(input)?;
    let named: Vec<String> = repeat(0.., terminated(line("named_stat"), ends)).parse_next(input)?;
    let fields: Vec<FieldData> = repeat(0.., terminated(field_data, ends)).parse_next(input)?;
    let records = repeat(0.., terminated(record, ends)).parse_next(input)?;
    let lists: Vec<ListData> = repeat(0.., terminated(list_data, ends)).parse_next(input)?;
    let inputs = repeat(0.., terminated(preceded("input ", shape), ends)).parse_next(input)?;
    let constants = opt(delimited("constants ", words, ends)).parse_next(input)?;
    let known = opt(delimited("known ", words, ends)).parse_next(input)?;
    let open = opt(delimited("open ", open_words, ends)).parse_next(input)?;
    let placed = opt(delimited("placed ", placed_objects, ends)).parse_next(input)?;
    Ok(Tables {
        limits: ScriptLimits { fuel, depth, list },
        texts: texts.into(),
        joined: joined.into(),
        sites: sites.into(),
        stats,
        named_stats: named.into(),
        fields: fields.into_iter().collect(),
        records,
        lists: lists.into_iter().collect(),
        inputs,
        constants: constants.unwrap_or_default().into(),
        known: known.map(Into::into),
        open: open.unwrap_or_default(),
        placed: placed.unwrap_or_default().into(),
    })
}

fn placed_objects(input: &mut &str) -> Read<Vec<Placed>> {
    let object = alt((
        preceded("record ", unsigned).map(Placed::Record),
        preceded("list ", unsigned).map(Placed::List),
    ));
    separated(1.., object, ", ").parse_next(input)
}

fn open_words(input: &mut &str) -> Read<OpenWords> {
    let range = opt("small ").parse_next(input)?;
    let addresses: Vec<u32> = separated(1.., unsigned, ", ").parse_next(input)?;
    Ok(OpenWords {
        addresses: addresses.into(),
        range: range.map_or(OpenRange::Usual, |_| OpenRange::Small),
    })
}

fn words(input: &mut &str) -> Read<Vec<i64>> {
    separated(1.., dec_int::<_, i64, EmptyError>, ", ").parse_next(input)
}

fn site(input: &mut &str) -> Read<Site> {
    let (_, before, _, after) = ("site ", text, ' ', text).parse_next(input)?;
    let joined = opt(" joined").parse_next(input)?.is_some();
    Ok(Site {
        before,
        after,
        joined,
    })
}

fn shape(input: &mut &str) -> Read<Shape> {
    alt((
        literal("word").value(Shape::Word),
        literal("text").value(Shape::Text),
        preceded("record ", unsigned).map(Shape::Record),
        kind.map(Shape::List),
    ))
    .parse_next(input)
}

fn field_data(input: &mut &str) -> Read<FieldData> {
    let (_, _, name, _, offset, written) =
        (field, ' ', text, ' ', unsigned, opt(" written")).parse_next(input)?;
    Ok(FieldData {
        name,
        offset,
        written: written.is_some(),
    })
}

fn record(input: &mut &str) -> Read<RecordData> {
    let one = (preceded(' ', field), preceded(' ', shape));
    let (_, name, fields) = ("record ", text, repeat(0.., one)).parse_next(input)?;
    Ok(RecordData { name, fields })
}

fn list_data(input: &mut &str) -> Read<ListData> {
    kind(input)?;
    let mut part = |name: &'static str| preceded((' ', name, ' '), field).parse_next(input);
    let (length, capacity) = (part("length")?, part("capacity")?);
    let (start, element) = (part("start")?, part("element")?);
    let shape = preceded(' ', shape).parse_next(input)?;
    Ok(ListData {
        length,
        capacity,
        start,
        element,
        shape,
    })
}
