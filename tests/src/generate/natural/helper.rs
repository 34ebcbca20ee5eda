//! Functions of natural programs that take lists, and that return them.

use super::Writer;
use arbitrary::Result;

/// Functions that return a list, and whether it is as long as the one that they take.
const LISTS: [(&str, &str, bool); 9] = [
    (
        "same",
        "deffun same(xs: int list) : int list { return xs; }",
        true,
    ),
    (
        "copied",
        "deffun copied(xs: int list) : int list { return [x for x : xs]; }",
        true,
    ),
    (
        "down",
        "deffun down(xs: int list) : int list { return sorted(x by x descending for x : xs); }",
        true,
    ),
    (
        "up",
        "deffun up(xs: int list) : int list { ys = [x for x : xs]; sort(ys); return ys; }",
        true,
    ),
    (
        "turned",
        "deffun turned(xs: int list) : int list { ys = []; for (x : xs) { insert(ys, 0, x); } return ys; }",
        true,
    ),
    (
        "high",
        "deffun high(xs: int list) : int list { ys = []; for (x : xs) { if (x > 1) { append(ys, x); } } return ys; }",
        false,
    ),
    (
        "tail",
        "deffun tail(xs: int list) : int list { return xs[1..len(xs) - 1]; }",
        false,
    ),
    (
        "best",
        "deffun best(xs: int list) : int list { ys = sorted(x by x descending for x : xs); return ys[0..min(1, len(ys) - 1)]; }",
        false,
    ),
    (
        "evens",
        "deffun evens(xs: int list) : int list { return [x for x : xs if x % 2 == 0]; }",
        false,
    ),
];

/// Functions that return a number.
const NUMBERS: [(&str, &str); 8] = [
    (
        "first",
        "deffun first(xs: int list) : int { for (x : xs) { return x; } return 0; }",
    ),
    (
        "last",
        "deffun last(xs: int list) : int { y = 0; for (x : xs) { y = x; } return y; }",
    ),
    (
        "total",
        "deffun total(xs: int list) : int { t = 0; for (x : xs) { t += x; } return t; }",
    ),
    (
        "highest",
        "deffun highest(xs: int list) : int { b = 0; for (x : xs) { if (x > b) { b = x; } } return b; }",
    ),
    (
        "keepTwo",
        "deffun keepTwo(xs: int list) : int { ys = sorted(x by x descending for x : xs); return sum(ys[i] for i : 0..min(2, len(ys)) - 1); }",
    ),
    (
        "dropLow",
        "deffun dropLow(xs: int list) : int { return sum(xs) - min(xs + [9,]); }",
    ),
    (
        "pairs",
        "deffun pairs(xs: int list) : int { n = 0; for (i : 0..len(xs) - 2) { if (xs[i] == xs[i + 1]) { n++; } } return n; }",
    ),
    (
        "spread",
        "deffun spread(xs: int list) : int { ys = sorted(xs); return len(ys) > 1 ? ys[len(ys) - 1] - ys[0] : 0; }",
    ),
];

impl Writer<'_, '_> {
    /// The list that a function gives for another one, and how long it is at least.
    pub(super) fn of_helper(&mut self, list: &str, least: usize) -> (String, usize) {
        // Without bytes the first one.
        let index = self.bytes.choose_index(LISTS.len()).unwrap_or(0);
        let (name, text, keeps_length) = LISTS[index];
        self.define(text);
        (
            format!("{name}({list})"),
            if keeps_length { least } else { 0 },
        )
    }

    /// The number that a function gives for a list.
    pub(super) fn asked_helper(&mut self, list: &str) -> Result<String> {
        let (name, text) = *self.bytes.choose(&NUMBERS)?;
        self.define(text);
        Ok(format!("{name}({list})"))
    }
}
