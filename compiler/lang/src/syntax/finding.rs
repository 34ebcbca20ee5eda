//! Findings that every front end makes: unreadable text, and limits.

use super::{Advice, Code, Diagnostic, Diagnostics, Limit, SourceLimits, nearest};
use dicec_runtime::against::Against;
use dicec_runtime::span::Span;

/// Nesting beyond the limit. `instead` says what to do, in a few words.
pub(crate) fn nested_too_deep(opener: Span, limits: SourceLimits, instead: &str) -> Diagnostic {
    let message = format!("nested deeper than {} levels", limits.nesting);
    let found = Diagnostic::error(Code::NestedTooDeep, opener, message).help(instead);
    if limits.nesting < SourceLimits::NESTING_CEILING {
        found.advise(Advice::RaiseLimit(Limit::Nesting))
    } else {
        found
    }
}

/// A `vs` or `under` after another at `span`, or a second one in a rule.
pub(crate) fn second_versus(span: Span, against: Against) -> Diagnostic {
    let noun = against.noun();
    let message = format!("a roll is held against one {noun} only");
    let found = Diagnostic::error(Code::NestedVersus, span, message);
    found.help(format!("roll once against each {noun}"))
}

/// A `vs` or `under` where what it gives cannot be used: `place`.
pub(crate) fn misplaced_versus(
    span: Span,
    against: Against,
    place: &str,
    help: &str,
) -> Diagnostic {
    let given = match against {
        Against::Class(_) => "a `vs` gives a degree, which",
        Against::Target(_) => "an `under` gives degrees of success, which",
    };
    Diagnostic::error(Code::MisplacedVersus, span, format!("{given} {place}")).help(help)
}

/// A tree higher than [`SourceLimits::HEIGHT`]. `instead` says what to do.
pub(crate) fn too_high(span: Span, instead: &str) -> Diagnostic {
    let message = format!(
        "more than {} operators follow one another here",
        SourceLimits::HEIGHT - 1
    );
    Diagnostic::error(Code::ChainTooLong, span, message).help(instead)
}

/// Adds a stray character; characters that follow one another are one finding.
pub(crate) fn stray(span: Span, text: &str, help: &str, diagnostics: &mut Diagnostics) {
    if let Some(last) = diagnostics.last_mut()
        && last.code == Code::StrayCharacter
        && last.span.end == span.start
    {
        last.span = last.span.to(span);
        "these characters mean nothing here".clone_into(&mut last.message);
        return;
    }
    let shown: String = text
        .get(span.range())
        .unwrap_or_default()
        .chars()
        .flat_map(char::escape_debug)
        .collect();
    diagnostics.push(
        Diagnostic::error(
            Code::StrayCharacter,
            span,
            format!("the character `{shown}` means nothing here"),
        )
        .help(help),
    );
}

/// The maximum number of fields of a type that are searched for a suggestion.
const MAX_FIELDS: usize = 100;

/// A field that a type of records does not have.
pub(crate) fn unknown_field<'f>(
    name: &str,
    span: Span,
    record: &str,
    fields: impl Iterator<Item = &'f str> + Clone,
) -> Diagnostic {
    let help = match nearest(name, fields.clone().take(MAX_FIELDS)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let fields = fields.take(MAX_FIELDS);
            let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
            match fields.is_empty() {
                true => "it has no fields".to_owned(),
                false => format!("it has {}", fields.join(", ")),
            }
        }
    };
    let message = format!("`{record}` has no field `{name}`");
    Diagnostic::error(Code::UnknownName, span, message).help(help)
}

/// A name that is not a constant of an enum, or of the ladder of degrees.
pub(crate) fn unknown_constant(
    name: &str,
    span: Span,
    owner: &str,
    known: &[impl AsRef<str>],
) -> Diagnostic {
    let names = || known.iter().map(AsRef::as_ref).take(MAX_FIELDS);
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            format!("it has {}", names.join(", "))
        }
    };
    let message = format!("`{owner}` has no constant `{name}`");
    Diagnostic::error(Code::UnknownName, span, message).help(help)
}

/// A roll without dice.
pub(crate) fn nothing_rolled(span: Span) -> Diagnostic {
    let help = "write dice: `roll(2d6 + x)`, `roll(d(count, sides))`, a text with dice: \
                `roll(\"2d6\")`, or a value of type `dice`";
    Diagnostic::error(Code::NothingRolled, span, "this has no dice").help(help)
}

/// Something in dice that are to be a value and cannot be part of one.
pub(crate) fn not_dice_value(span: Span, help: &str) -> Diagnostic {
    let message = "this cannot be a part of a `dice`, which is a sum of dice and numbers";
    Diagnostic::error(Code::NotDiceValue, span, message).help(help)
}

/// A constant of several enums, where nothing decides which one is meant.
pub(crate) fn ambiguous_constant(name: &str, span: Span, owners: &[&str]) -> Diagnostic {
    let quoted: Vec<String> = owners.iter().map(|owner| format!("`{owner}`")).collect();
    let message = format!("`{name}` is a constant of {}", quoted.join(" and of "));
    let full: Vec<String> = owners
        .iter()
        .map(|owner| format!("`{owner}.{name}`"))
        .collect();
    Diagnostic::error(Code::AmbiguousName, span, message)
        .help(format!("write {}", full.join(" or ")))
}

/// A name in brackets where a list is wanted.
pub(crate) const RESOURCE_OR_LIST: &str =
    "brackets without a comma read a resource; a list of one element is written `[a,]`";

/// A name in brackets where a set of flags is wanted.
pub(crate) const RESOURCE_OR_FLAG: &str =
    "brackets without a comma read a resource; one flag is written without them: `prone`";
