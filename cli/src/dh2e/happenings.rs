//! Critical injuries, conditions and other lines with their mean numbers, as text.

use std::fmt::Write;

/// The most lines about one fighter, unless all are asked for.
const MAX_LINES: usize = 6;

/// What happens to somebody, and how often on average: the most frequent first.
pub(super) fn by_frequency<'l>(
    all: impl IntoIterator<Item = (&'l str, f64)>,
) -> Vec<(&'l str, f64)> {
    let mut all: Vec<(&str, f64)> = all.into_iter().collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    all
}

/// Lines with how often each happens in a hundred trials, below a heading; nothing without lines.
/// Those of somebody with a name stand below it.
pub(super) fn listed<'l>(
    heading: &str,
    happenings: impl IntoIterator<Item = (Option<&'l str>, &'l [(&'l str, f64)])>,
    all: bool,
) -> String {
    let most = if all { usize::MAX } else { MAX_LINES };
    let mut text = String::new();
    for (name, happenings) in happenings {
        let (shown, others) = happenings.split_at(happenings.len().min(most));
        if let Some(name) = name.filter(|_| !shown.is_empty()) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {name}");
        }
        let mut line = |times: f64, what: &str| {
            let often = match times * 100.0 {
                often if often < 0.005 => "<0.01".to_owned(),
                often => format!("{often:.2}"),
            };
            let _ = writeln!(text, "  {often:>8}  {what}");
        };
        shown.iter().for_each(|(what, times)| line(*times, what));
        if !others.is_empty() {
            let times = others.iter().map(|(_, times)| times).sum();
            line(times, &format!("{} others (see --all)", others.len()));
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("\n{heading}\n{text}"),
    }
}
