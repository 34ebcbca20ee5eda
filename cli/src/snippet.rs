//! A finding as annotated source, for people. Lays out with annotate-snippets; what part of a long source is shown is
//! decided in [`crate::excerpt`].

use crate::error::{Finding, Place};
use crate::excerpt::{Excerpt, shorten};
use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use dicec_runtime::span::Span;

/// What the gutter takes from a line, for line numbers of a few digits.
const GUTTER: usize = 8;

/// Longer messages quote something that is not worth it.
const MOST_MESSAGE: usize = 300;

/// The same for advice, which may list names.
const MOST_HELP: usize = 800;

/// Lays out a finding for `width` columns, with styles.
pub(crate) fn render(finding: &Finding, width: usize) -> String {
    let level = if finding.is_error {
        Level::ERROR
    } else {
        Level::NOTE
    };
    // The title is one line, which `with_origin` counts on.
    let message = shorten(&finding.message, MOST_MESSAGE);
    let mut group = Group::with_title(level.primary_title(message).id(finding.code));
    group = match &finding.place {
        Place::Nowhere => group,
        Place::Rule {
            text, span, labels, ..
        } => group.element(source(text, *span, labels, width)),
        Place::File { path, at } => {
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
        group = group.element(Level::HELP.message(shorten(help, MOST_HELP)));
    }
    // The excerpt is as narrow as it has to be already.
    let rendered = Renderer::styled().term_width(10_000).render(&[group]);
    match &finding.place {
        Place::Rule {
            origin, text, span, ..
        } if !origin.is_empty() => with_origin(&rendered, origin, text, span.range().start),
        _ => rendered,
    }
}

/// Adds the line `--> file:line:column`. The renderer would count columns in the excerpt, which may be cut on the left.
fn with_origin(rendered: &str, origin: &str, text: &str, byte: usize) -> String {
    let mut lines = text.get(..byte).unwrap_or(text).split('\n');
    let column = lines.next_back().unwrap_or_default().chars().count() + 1;
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
    let mut places = vec![span.range()];
    places.extend(labels.iter().map(|(span, _)| span.range()));
    let excerpt = Excerpt::new(text, &places, width.saturating_sub(GUTTER).max(16));
    let mut places = excerpt.places.into_iter();
    let primary = places.next().unwrap_or_default();
    let secondary = places.zip(labels).map(|(place, (_, label))| {
        AnnotationKind::Context
            .span(place)
            .label(shorten(label, MOST_MESSAGE))
    });
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .annotation(AnnotationKind::Primary.span(primary))
        .annotations(secondary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;

    fn plain(message: &str, origin: &str, text: &str, span: Span, width: usize) -> String {
        let finding = Finding {
            code: "D0000",
            is_error: true,
            message: message.to_owned(),
            help: None,
            place: Place::Rule {
                origin: origin.to_owned(),
                text: text.to_owned(),
                span,
                labels: Vec::new(),
            },
        };
        strip_str(&render(&finding, width)).to_string()
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
