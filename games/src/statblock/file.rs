//! Files of stat blocks: recognises the format, reads them, and adds them to a bestiary.

use super::block::{Block, Format};
use super::creature::block;
use super::format;
use super::text::stat_blocks;
use crate::edition::Edition;
use crate::encounter::{Bestiary, Source, Wrong};
use dicec_lang::syntax::{FileCode, Finding, Location, json_in};
use dicec_runtime::span::Span;
use serde_json::Value;

/// Whether bytes are JSON: they begin like an object or a list.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|byte| [b'{', b'['].contains(byte))
}

/// The stat blocks of a file: text, or JSON of a known format. `edition` is the edition of the
/// rules, if the file does not tell.
///
/// # Errors
/// A file that is neither, or a stat block without armour class or hit points (D0524).
pub fn read_blocks(
    origin: &str,
    bytes: &[u8],
    edition: Option<Edition>,
) -> Result<Vec<Block>, Box<Finding>> {
    if is_json(bytes) {
        let json = json_in(origin, bytes, FileCode::BadEncounter)?;
        let (format, all) = match format::read(&json) {
            Some((format, read)) => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                let source = Source::document(origin, text, json.clone());
                let named = |wrong: Wrong| {
                    let what = format!("{} (read as {})", wrong.what, format.name());
                    Box::new(source.wrong(&Wrong { what, ..wrong }))
                };
                (format, read.map_err(named)?)
            }
            None => return Ok(own_blocks(json)),
        };
        return Ok(all.iter().map(|raw| block(raw, format, edition)).collect());
    }
    let text = String::from_utf8_lossy(bytes);
    let all = stat_blocks(&text).map_err(|mistake| {
        let span = [mistake.at.start, mistake.at.end].map(u32::try_from);
        let finding = Finding::general(FileCode::BadEncounter.as_str(), mistake.what);
        let location = match span {
            [Ok(start), Ok(end)] => Location::Text {
                origin: origin.to_owned(),
                span: Span { start, end },
                text: text.clone().into_owned(),
                labels: Vec::new(),
            },
            _ => finding.location.clone(),
        };
        Box::new(
            Finding {
                location,
                ..finding
            }
            .help(mistake.help),
        )
    })?;
    if all.is_empty() {
        let code = FileCode::BadEncounter.as_str();
        let finding = Finding::in_file(code, origin, None, "there is no stat block in it");
        return Err(Box::new(
            finding.help("paste the text of a stat block, from its name on"),
        ));
    }
    let blocks = all.iter().map(|raw| block(raw, Format::Text, edition));
    Ok(blocks.collect())
}

/// Stat blocks that are in our own layout already.
fn own_blocks(json: Value) -> Vec<Block> {
    let all = match json {
        Value::Array(all) => all,
        one => vec![one],
    };
    let blocks = all.into_iter().map(|creature| Block {
        format: Format::Own,
        edition: Edition::Srd51,
        creature,
        entries: Vec::new(),
    });
    blocks.collect()
}

/// Adds the stat blocks of a file to a bestiary: text, or JSON of a known format. Returns notes on
/// members that nothing knows.
///
/// # Errors
/// As for [`read_blocks`], and a value that is not a stat block.
pub fn add_blocks(
    bestiary: &mut Bestiary,
    origin: &str,
    bytes: &[u8],
) -> Result<Vec<Finding>, Box<Finding>> {
    let json = match is_json(bytes) {
        true => Some(json_in(origin, bytes, FileCode::BadEncounter)?),
        false => None,
    };
    if let Some(json) = json.filter(|json| format::read(json).is_none()) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let source = Source::document(origin, text, json.clone());
        let unknown = bestiary
            .add(json)
            .map_err(|wrong| Box::new(source.wrong(&wrong)))?;
        let notes = unknown.iter();
        let notes = notes.map(|note| source.finding(FileCode::EncounterNote, note).note());
        return Ok(notes.collect());
    }
    let mut notes = Vec::new();
    for block in read_blocks(origin, bytes, None)? {
        let name = block.name().to_owned();
        let code = FileCode::EncounterNote.as_str();
        let found =
            |wrong: &Wrong| Finding::in_file(code, origin, None, format!("{name}: {wrong}"));
        let unknown = bestiary.add(block.creature).map_err(|wrong| {
            let code = FileCode::BadEncounter.as_str();
            Box::new(Finding::in_file(
                code,
                origin,
                None,
                format!("{name}: {wrong}"),
            ))
        })?;
        notes.extend(unknown.iter().map(|wrong| found(wrong).note()));
    }
    Ok(notes)
}
