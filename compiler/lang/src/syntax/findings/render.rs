//! A finding as annotated source, for people. annotate-snippets lays it out; [`super::excerpt`]
//! decides which part of a long source is shown.

use super::excerpt::Excerpt;
use super::{Finding, Location, shorten};
use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use dicec_runtime::span::Span;

/// The width of the gutter, for line numbers of a few digits.
const GUTTER: usize = 8;

/// Longer messages are cut: they quote long texts.
const MAX_MESSAGE: usize = 300;

/// The same for advice, which may list names.
const MAX_HELP: usize = 800;

/// Lays out a finding for `width` columns, with styles.
pub fn render(finding: &Finding, width: usize) -> String {
    let level = if finding.is_error {
        Level::ERROR
    } else {
        Level::NOTE
    };
    // The title is one line, which `with_origin` counts on.
    let message = shorten(&finding.message, MAX_MESSAGE);
    let mut group = Group::with_title(level.primary_title(message).id(finding.code));
    group = match &finding.location {
        Location::Nowhere => group,
        Location::Text {
            text, span, labels, ..
        } => group.element(source(text, *span, labels, width)),
        Location::File { path, at } => {
            let origin = Origin::path(path.as_str());
            group.element(match at {
                Some((line, column)) => origin
                    .line(usize::try_from(*line).unwrap_or(usize::MAX))
                    .char_column(usize::try_from(*column).unwrap_or(usize::MAX)),
                None => origin,
            })
        }
    };
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(shorten(help, MAX_HELP)));
    }
    // The excerpt is as narrow as it has to be already.
    let rendered = Renderer::styled().term_width(10_000).render(&[group]);
    match &finding.location {
        Location::Text {
            origin, text, span, ..
        } if !origin.is_empty() => with_origin(&rendered, origin, text, span.range().start),
        _ => rendered,
    }
}

/// Adds the line `--> file:line:column`. The renderer would count columns in the excerpt, which may
/// be cut on the left.
fn with_origin(rendered: &str, origin: &str, text: &str, byte: usize) -> String {
    let mut lines = text.get(..byte).unwrap_or(text).split('\n');
    let column = lines.next_back().unwrap_or("").chars().count() + 1;
    let line = lines.count() + 1;
    let gutter = " ".repeat(line.to_string().len());
    let style = DEFAULT_LINE_NUM_STYLE;
    let (title, rest) = rendered.split_once('\n').unwrap_or((rendered, ""));
    format!("{title}\n{gutter}{style}-->{style:#} {origin}:{line}:{column}\n{rest}")
}

fn source(
    text: &str,
    span: Span,
    labels: &[(Span, String)],
    width: usize,
) -> Snippet<'static, Annotation<'static>> {
    let mut locations = vec![span.range()];
    locations.extend(labels.iter().map(|(span, _)| span.range()));
    let excerpt = Excerpt::new(text, &locations, width.saturating_sub(GUTTER).max(16));
    let mut locations = excerpt.locations.into_iter();
    let primary = locations.next().unwrap_or(0..0);
    let secondary = locations.zip(labels).map(|(location, (_, label))| {
        AnnotationKind::Context
            .span(location)
            .label(shorten(label, MAX_MESSAGE))
    });
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .annotation(AnnotationKind::Primary.span(primary))
        .annotations(secondary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(message: &str, origin: &str, text: &str, span: Span, width: usize) -> String {
        let finding = Finding {
            code: "D0000",
            is_error: true,
            message: message.to_owned(),
            help: None,
            location: Location::Text {
                origin: origin.to_owned(),
                text: text.to_owned(),
                span,
                labels: Vec::new(),
            },
        };
        without_styles(&render(&finding, width))
    }

    /// Styles are sequences from an escape character to an `m`.
    fn without_styles(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().map(str::to_owned).into_iter();
        let rest = parts.filter_map(|part| part.split_once('m').map(|(_, rest)| rest.to_owned()));
        first.chain(rest).collect()
    }

    #[test]
    fn a_column_counts_in_the_whole_line() {
        let text = format!("1 +\n{}x{}", "1+".repeat(500), "+1".repeat(500));
        let shown = plain("m", "rule.txt", &text, Span::new(1004, 1005), 40);
        assert!(shown.contains("--> rule.txt:2:1001\n"), "{shown}");
        assert!(
            shown.lines().all(|line| line.chars().count() <= 40),
            "{shown}"
        );
    }

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        let shown = plain(
            "a\u{1b}[31m\nb",
            "",
            "1\u{1b}[2J+\t\u{7}x",
            Span::new(7, 8),
            80,
        );
        let sent = |character: char| character.is_control() && character != '\n';
        assert!(!shown.contains(sent), "{shown:?}");
    }

    #[test]
    fn empty_places_have_a_caret() {
        for (text, at) in [("", 0), ("1+", 2), ("1+\n", 3), ("é+", 3)] {
            let shown = plain("m", "", text, Span::new(at, at), 80);
            assert!(shown.contains('^'), "{text:?}: {shown}");
        }
    }
}
