//! Descriptions in Arrow's own format: what they unfold to, and how deep.

use super::{MAX_DEPTH, MAX_FIELDS, MAX_UNFOLDED, Refusal, damaged};
use arrow_ipc::{
    Field, Footer, Message, Schema, root_as_footer_with_opts, root_as_message_with_opts,
};
use flatbuffers::VerifierOptions;

/// Reads a message's description. Its parts may refer to the same bytes many times, so what they
/// unfold to is bounded, not only their bytes.
pub(super) fn message(bytes: &[u8]) -> Result<Message<'_>, Refusal> {
    let message = root_as_message_with_opts(&bounds(), bytes);
    let message = message.map_err(|_| damaged("the description of a message makes no sense"))?;
    if let Some(schema) = message.header_as_schema() {
        check(schema)?;
    }
    Ok(message)
}

/// Reads the directory of a file, within the same bounds.
pub(super) fn footer(bytes: &[u8]) -> Result<Footer<'_>, Refusal> {
    let footer = root_as_footer_with_opts(&bounds(), bytes);
    let footer = footer.map_err(|_| damaged("its directory makes no sense"))?;
    let schema = footer.schema();
    check(schema.ok_or_else(|| damaged("its directory has no columns"))?)?;
    Ok(footer)
}

fn bounds() -> VerifierOptions {
    VerifierOptions {
        // A field is a table, and so are its type and what is noted about it.
        max_tables: 8 * MAX_FIELDS,
        max_apparent_size: MAX_UNFOLDED,
        ..VerifierOptions::default()
    }
}

/// Checks how many columns there are, and how deep.
fn check(schema: Schema<'_>) -> Result<(), Refusal> {
    let mut left = MAX_FIELDS;
    for field in schema.fields().into_iter().flatten() {
        count(field, MAX_DEPTH, &mut left)?;
    }
    Ok(())
}

/// Takes a field and those in it from the number of those that may be.
fn count(field: Field<'_>, depth: usize, left: &mut usize) -> Result<(), Refusal> {
    let depth = depth.checked_sub(1);
    let depth = depth.ok_or_else(|| format!("columns are more than {MAX_DEPTH} deep"))?;
    let rest = left.checked_sub(1);
    *left = rest.ok_or_else(|| format!("it has more than {MAX_FIELDS} columns"))?;
    for child in field.children().into_iter().flatten() {
        count(child, depth, left)?;
    }
    Ok(())
}
