//! Odds as tables of HTML, for notebooks.

use dicec_compiler::answer::{Distribution, figures, named_rows, rows, short_percent};

/// The width of the longest bar, in pixels.
const BAR: f64 = 200.0;

/// What ends a table.
const END: &str = "</tbody></table>";

/// The odds of a rule: its figures, and a bar for each result or range of results.
pub(crate) fn odds(expression: &str, odds: &Distribution) -> String {
    let figures = figures(odds, odds.standard_error());
    let how = match odds.is_exact() {
        true => "exact",
        false => "sampled",
    };
    let (expression, figures) = (escaped(expression), escaped(&figures));
    let rows = named_rows(&[odds]).unwrap_or_else(|| rows(&[odds], false).rows);
    let rows = rows
        .iter()
        .map(|row| (row.label.as_str(), row.p.iter().copied().sum()));
    format!(
        "<div><b><code>{expression}</code></b> ({how} odds)<br>{figures}{}</div>",
        bars(&rows.collect::<Vec<_>>())
    )
}

/// A table of names and probabilities, with a bar for each.
pub(crate) fn bars(rows: &[(&str, f64)]) -> String {
    let most = rows.iter().map(|(_, p)| *p).fold(0.0, f64::max);
    let mut table = "<table><tbody>".to_owned();
    for (label, p) in rows {
        let width = if most > 0.0 {
            (p / most * BAR).round()
        } else {
            0.0
        };
        table += &format!(
            "<tr><td style=\"text-align:right\">{}</td><td style=\"text-align:right\">{}</td>\
             <td style=\"text-align:left\"><div style=\"background:#4477aa;height:0.9em;\
             width:{width}px\"></div></td></tr>",
            escaped(label),
            short_percent(*p)
        );
    }
    table + END
}

/// A table with these headings.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = "<table><thead><tr>".to_owned();
    for heading in headings {
        text += &format!("<th>{}</th>", escaped(heading));
    }
    text += "</tr></thead><tbody>";
    for row in rows {
        text += "<tr>";
        for cell in row {
            text += &format!("<td>{}</td>", escaped(cell));
        }
        text += "</tr>";
    }
    text + END
}

/// Text between tags.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
