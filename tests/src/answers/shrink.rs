//! Makes a program that shows a fault small: lines, statements and parts of them are left out, and
//! numbers made smaller, as long as the fault stays.

/// At most this many candidates are tried.
const MAX_TRIED: usize = 600;

/// A small text for which `is_wrong` still holds, as it does for `text`.
pub fn shrink(text: &str, is_wrong: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = spread(text);
    if !is_wrong(&best) {
        return text.to_owned();
    }
    let mut tried = 0;
    loop {
        let before = best.clone();
        for step in [without_lines, without_braces, simpler_words] {
            step(&mut best, &mut |candidate| {
                tried += 1;
                tried <= MAX_TRIED && is_wrong(candidate)
            });
        }
        if best == before || tried > MAX_TRIED {
            return best;
        }
    }
}

/// One statement per line, so that lines can be left out; loops' heads stay whole.
fn spread(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut quoted) = (0, false);
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        let starts = letter == '}' && !quoted && depth == 0;
        if starts && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push(letter);
        if matches!(letter, ';' | '{' | '}') && !quoted && depth == 0 {
            out.push('\n');
        }
    }
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

type Wrong<'w> = &'w mut dyn FnMut(&str) -> bool;

/// Leaves out runs of lines, the longest first.
fn without_lines(best: &mut String, is_wrong: Wrong<'_>) {
    let mut length = best.lines().count() / 2;
    while length > 0 {
        let mut first = 0;
        while first < best.lines().count() {
            let kept = best.lines().enumerate();
            let kept = kept.filter(|(line, _)| !(first..first + length).contains(line));
            let candidate: Vec<&str> = kept.map(|(_, line)| line).collect();
            let candidate = candidate.join("\n");
            match is_wrong(&candidate) {
                true => *best = candidate,
                false => first += length,
            }
        }
        length /= 2;
    }
}

/// Leaves out blocks: with their statements, or around them.
fn without_braces(best: &mut String, is_wrong: Wrong<'_>) {
    let mut first = 0;
    while first < best.lines().count() {
        let lines: Vec<&str> = best.lines().collect();
        let opens = lines[first].ends_with('{');
        let Some(last) = opens.then(|| end_of(&lines, first)).flatten() else {
            first += 1;
            continue;
        };
        let whole = [&lines[..first], &lines[last + 1..]].concat().join("\n");
        let inside = [&lines[..first], &lines[first + 1..last], &lines[last + 1..]];
        let inside = inside.concat().join("\n");
        match [whole, inside]
            .into_iter()
            .find(|candidate| is_wrong(candidate))
        {
            Some(smaller) => *best = smaller,
            None => first += 1,
        }
    }
}

/// The line of the brace that ends the block of a line.
fn end_of(lines: &[&str], first: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().skip(first) {
        let opened = line.matches('{').count();
        let closed = line.matches('}').count();
        depth = depth + opened - closed.min(depth + opened);
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// Replaces expressions in parentheses and calls by small numbers, and numbers by smaller ones.
fn simpler_words(best: &mut String, is_wrong: Wrong<'_>) {
    let mut at = 0;
    while at < best.len() {
        let rest = &best[at..];
        let piece = piece(rest);
        if piece == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let (before, after) = (&best[..at], &best[at + piece..]);
        let number: Option<u64> = rest[..piece].parse().ok();
        let smaller = ["0", "1", "2"].into_iter();
        let smaller = smaller.filter(|word| {
            number.is_none_or(|number| word.parse::<u64>().is_ok_and(|word| word < number))
        });
        let candidates = smaller.map(|word| format!("{before}{word}{after}"));
        let found = candidates.into_iter().find(|candidate| is_wrong(candidate));
        match found {
            Some(candidate) => {
                *best = candidate;
                at += 1;
            }
            // What is inside may be made smaller.
            None => at += if number.is_some() { piece } else { 1 },
        }
    }
}

/// The length of what begins a text: a number, something in parentheses, a call or a list; 0 if
/// nothing of these does.
fn piece(text: &str) -> usize {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return digits;
    }
    let name = text.len()
        - text
            .trim_start_matches(|c: char| c.is_alphanumeric() || c == '.')
            .len();
    match text[name..].chars().next() {
        Some('(' | '[') => {}
        _ => return 0,
    }
    let mut depth = 0;
    for (index, letter) in text.char_indices().skip(name) {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '\n' => return 0,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn only_what_is_wrong_stays() {
        let text = "deffun f() { a = 1; }\ndefroll \"R\" r() { x = 3; if (x > 17) { y = f(4); z = 12; } return 2; }";
        let mut is_wrong = |text: &str| {
            let braces = |brace| text.matches(brace).count();
            text.contains("y = ") && braces('{') == braces('}')
        };
        assert_eq!(shrink(text, &mut is_wrong), "y = 0;");
    }
}
