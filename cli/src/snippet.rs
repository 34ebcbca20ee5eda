//! A finding as annotated source, for people. Lays out with annotate-snippets; what part of a long source is shown is
//! decided in [`crate::excerpt`].

use crate::error::{Finding, Place};
use crate::excerpt::Excerpt;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use dicec_runtime::span::Span;

/// What the gutter takes from a line, for line numbers of a few digits.
const GUTTER: usize = 8;

/// Lays out a finding for `width` columns, with styles.
pub(crate) fn render(finding: &Finding, width: usize) -> String {
    let level = if finding.is_error {
        Level::ERROR
    } else {
        Level::NOTE
    };
    let mut group = Group::with_title(
        level
            .primary_title(finding.message.as_str())
            .id(finding.code),
    );
    group = match &finding.place {
        Place::Nowhere => group,
        Place::Rule {
            origin,
            text,
            span,
            labels,
        } => group.element(source(origin, text, *span, labels, width)),
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
        group = group.element(Level::HELP.message(help.as_str()));
    }
    // The excerpt is as narrow as it has to be already.
    Renderer::styled().term_width(10_000).render(&[group])
}

fn source<'f>(
    origin: &'f str,
    text: &str,
    span: Span,
    labels: &'f [(Span, String)],
    width: usize,
) -> Snippet<'f, annotate_snippets::Annotation<'f>> {
    let mut places = vec![span.range()];
    places.extend(labels.iter().map(|(span, _)| span.range()));
    let excerpt = Excerpt::new(text, &places, width.saturating_sub(GUTTER).max(16));
    let mut places = excerpt.places.into_iter();
    let primary = places.next().unwrap_or_default();
    let secondary = places
        .zip(labels)
        .map(|(place, (_, label))| AnnotationKind::Context.span(place).label(label.as_str()));
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .path((!origin.is_empty()).then_some(origin))
        .annotation(AnnotationKind::Primary.span(primary))
        .annotations(secondary)
}
