//! Words of the lexer that run together: `khkl` is `kh` and `kl`, `dFkh` is `d`, `F` and `kh`.
//!
//! A run of letters is split only if all of it splits; otherwise it is one word, known or not.
//! Capitals do not matter.

use super::ast::pool::{Bound, Selector, SortOrder};
use super::token::{ModifierWord, TokenKind};

use ModifierWord::{Cf, Count, Cs, Double, Fail, Middle, Reroll, Select, Sort};

/// The words, longer ones first, so that the longest one is found first.
const WORDS: [(&str, ModifierWord); 19] = [
    ("double", Double),
    ("count", Count),
    ("fail", Fail),
    ("min", ModifierWord::Bound(Bound::Min)),
    ("max", ModifierWord::Bound(Bound::Max)),
    ("kh", Select(Selector::KeepHigh)),
    ("kl", Select(Selector::KeepLow)),
    ("dh", Select(Selector::DropHigh)),
    ("dl", Select(Selector::DropLow)),
    ("km", Middle),
    ("ro", Reroll { once: true }),
    ("cs", Cs),
    ("cf", Cf),
    ("sa", Sort(SortOrder::Ascending)),
    ("sd", Sort(SortOrder::Descending)),
    ("k", Select(Selector::KeepHigh)),
    ("r", Reroll { once: false }),
    ("f", Fail),
    ("s", Sort(SortOrder::Ascending)),
];

/// The words that a misspelt one may have meant. Those of one letter are near everything.
pub(super) fn long_words() -> impl Iterator<Item = &'static str> {
    let words = WORDS.iter().map(|(word, _)| *word);
    words.filter(|word| word.len() > 1)
}

/// The tokens in a run of letters, each with the number of bytes up to its end; `None` if it does
/// not split.
pub(super) fn split(run: &str) -> Option<Vec<(TokenKind, usize)>> {
    if !run.is_ascii() {
        return None;
    }
    let run = run.to_ascii_lowercase();
    // From the end: at which places does the rest split? So the walk forward never has to turn
    // back.
    let mut splits = vec![false; run.len() + 1];
    splits[run.len()] = true;
    for at in (0..run.len()).rev() {
        splits[at] = pieces(&run, at).any(|(_, end)| splits[end]);
    }
    if !splits[0] {
        return None;
    }
    let (mut found, mut at) = (Vec::new(), 0);
    while at < run.len() {
        let (kind, end) = pieces(&run, at).find(|&(_, end)| splits[end])?;
        found.push((kind, end));
        at = end;
    }
    Some(found)
}

/// The tokens that can begin at an offset of a run in small letters, longer ones first, with the
/// offsets where they end.
fn pieces(run: &str, at: usize) -> impl Iterator<Item = (TokenKind, usize)> {
    let rest = &run[at..];
    let words = WORDS
        .iter()
        .filter(move |(word, _)| rest.starts_with(word))
        .map(move |&(word, kind)| (TokenKind::Modifier(kind), at + word.len()));
    // Fate dice first: `dF` is never a die and the beginning of `fail`. A `d` for other dice ends
    // the run.
    let fate = rest
        .starts_with("df")
        .then_some((TokenKind::FateDice, at + 2));
    let dice = (rest == "d").then_some((TokenKind::Dice, at + 1));
    fate.into_iter().chain(words).chain(dice)
}

#[cfg(test)]
mod tests {
    use super::split;

    fn ends(run: &str) -> Option<Vec<usize>> {
        let found = split(run)?;
        Some(found.into_iter().map(|(_, end)| end).collect())
    }

    #[test]
    fn runs_split_wholly_or_not_at_all() {
        assert_eq!(ends("khkl"), Some(vec![2, 4]));
        assert_eq!(ends("dFkh"), Some(vec![2, 4]));
        assert_eq!(ends("KLROd"), Some(vec![2, 4, 5]));
        assert_eq!(ends("sdl"), Some(vec![1, 3]));
        assert_eq!(ends("sddl"), Some(vec![2, 4]));
        assert_eq!(ends("kmin"), Some(vec![1, 4]));
        assert_eq!(ends("kmkh"), Some(vec![2, 4]));
        assert_eq!(ends("dfail"), None);
        for run in ["kg", "floor", "dx", "dd", "dkh", "é", "versus"] {
            assert_eq!(ends(run), None, "{run}");
        }
    }

    #[test]
    fn a_long_run_takes_no_long_time() {
        assert_eq!(ends(&("sd".repeat(30_000) + "x")), None);
    }
}
