//! Sentences of a text. Nothing is lost between them but spaces.

/// Labels with which a sentence begins even if the one before has no full stop.
const LABELS: [&str; 8] = [
    "Hit:",
    "Miss:",
    "Failure:",
    "Success:",
    "Failure or Success:",
    "Trigger:",
    "Response:",
    "First Failure",
];

/// The sentences of a text whose lines are paragraphs.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    text.split('\n').flat_map(of_paragraph).collect()
}

fn of_paragraph(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut start = 0;
    for (at, sign) in text.char_indices() {
        let next = at + sign.len_utf8();
        let (before, after) = text.split_at(next);
        let ends = match sign {
            '.' | '!' | '?' => is_end(before, after),
            '"' | ')' => {
                let inner = before.trim_end_matches(['"', ')']);
                inner.ends_with(['.', '!', '?']) && is_end(inner, after)
            }
            ' ' => !before.ends_with("or ") && LABELS.iter().any(|label| after.starts_with(label)),
            _ => false,
        };
        if ends {
            all.push(text[start..next].trim());
            start = next;
        }
    }
    all.push(text[start..].trim());
    all.retain(|sentence| !sentence.is_empty());
    all
}

/// Whether a sentence ends between two texts: a new one begins with a capital.
fn is_end(before: &str, after: &str) -> bool {
    let next = after
        .strip_prefix(' ')
        .map(|after| after.trim_start_matches(['"', '(']));
    let is_new = next.is_some_and(|next| next.starts_with(char::is_uppercase));
    let is_short = ["vs.", "St.", "e.g.", "i.e."]
        .iter()
        .any(|one| before.ends_with(one));
    is_new && !is_short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_before_capitals_and_labels() {
        let text = "Reach 5 ft. of it. It bites! (Once.) Failure: 3 damage\nNext";
        let wanted = [
            "Reach 5 ft. of it.",
            "It bites!",
            "(Once.)",
            "Failure: 3 damage",
            "Next",
        ];
        assert_eq!(sentences(text), wanted);
    }
}
