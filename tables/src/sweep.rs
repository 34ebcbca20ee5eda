//! Sweeps: values for a resource or an argument, one after the other: `Target AC=10..25`. The
//! combinations of several sweeps are generated rows.

use dicec_compiler::AnyDice;
use dicec_lang::syntax::{FileCode, Finding, nearest};
use dicec_runtime::resource::ResourceName;
use std::fmt;

/// The name of a sweep over rules.
pub const RULES: &str = "rule";

/// Values of one sweep, at most.
const MAX_VALUES: usize = 100_000;

/// Combinations, at most.
const MAX_POINTS: usize = 10_000_000;

/// Digits after the decimal point, at most.
const MAX_DECIMALS: usize = 9;

/// How a sweep is written.
const FORM: &str = "write NAME=FIRST..LAST, NAME=FIRST..LAST by STEP, or NAME=VALUE,VALUE,...";

/// A name, and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    name: String,
    values: Vec<String>,
}

/// All combinations of the values of some sweeps, the last one varying fastest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    sweeps: Vec<Sweep>,
    count: usize,
}

/// Why sweeps have no combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadGrid {
    /// Two have this name.
    Twice(String),
    /// There are too many combinations.
    TooMany,
}

impl fmt::Display for BadGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadGrid::Twice(name) => write!(f, "two sweeps are named \"{name}\""),
            BadGrid::TooMany => write!(
                f,
                "the sweeps have more than {} million combinations",
                MAX_POINTS / 1_000_000
            ),
        }
    }
}

impl Sweep {
    /// The sweep of this name, which may stand in brackets as in a rule, over these values.
    pub fn new(name: &str, values: Vec<String>) -> Self {
        let name = name.trim();
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let name = bare.unwrap_or(name).trim().to_owned();
        Self { name, values }
    }

    /// Reads `NAME=10..25`, `NAME=10..30 by 5` or `NAME=10,15,20`; the ends of a range are
    /// included, and lists may have ranges.
    ///
    /// # Errors
    /// The error in it, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or(FORM)?;
        let mut all: Vec<String> = Vec::new();
        for item in items(values) {
            let item = item.trim();
            if item.is_empty() {
                return Err(format!("a value is missing: {FORM}"));
            }
            match range(item)? {
                Some(values) => all.extend(values),
                None => all.push(item.to_owned()),
            }
            if all.len() > MAX_VALUES {
                return Err(too_many());
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|value| seen.insert(value.clone()));
        let sweep = Self::new(name, all);
        if sweep.name.is_empty() {
            return Err(format!("the name is missing: {FORM}"));
        }
        Ok(sweep)
    }

    /// What is wrong with sweeps of what a `reader` does not read: it reads resources or parameters
    /// of these names, and `is_part` says which others.
    pub fn unread(
        sweeps: &[Self],
        reader: &str,
        read: &[String],
        is_part: impl Fn(&Self) -> bool,
    ) -> Vec<Finding> {
        let reads = |sweep: &Self| {
            let resource = ResourceName::parse(sweep.name());
            let mut names = read.iter();
            names.any(|name| ResourceName::parse(name) == resource)
        };
        let unread = sweeps.iter();
        let unread = unread.filter(|sweep| !reads(sweep) && !is_part(sweep));
        let findings = unread.map(|sweep| {
            let name = sweep.name();
            let message =
                format!("the sweep of \"{name}\" changes nothing: {reader} does not read it");
            let help = match nearest(name, read.iter().map(String::as_str)) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if read.is_empty() => format!("write [{name}] in a rule to read it"),
                None => format!("{reader} reads \"{}\"", read.join("\", \"")),
            };
            Finding::general(FileCode::BadSweep.as_str(), message).help(help)
        });
        findings.collect()
    }

    /// What is wrong with sweeps of variables of an AnyDice program, some of which have these
    /// values.
    pub fn unsettable(sweeps: &[Self], program: &AnyDice, given: &[&str]) -> Vec<Finding> {
        let known = program.settable();
        let bad = |message: String| Finding::general(FileCode::BadSweep.as_str(), message);
        let findings = sweeps.iter().filter_map(|sweep| {
            let name = sweep.name();
            if given.contains(&name) {
                let found = bad(format!("{name} is swept, and has a value, too"));
                return Some(found.help("leave one of the two out"));
            }
            if known.contains(&name) {
                return None;
            }
            let message =
                format!("the sweep of \"{name}\" changes nothing: no global variable is named so");
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None if known.is_empty() => {
                    format!("assign one before the outputs, and use it: {name}: 3 output {name}d6")
                }
                None => format!("the program has {}", known.join(", ")),
            };
            Some(bad(message).help(help))
        });
        findings.collect()
    }

    /// The resource or argument that takes the values.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values, in order.
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

impl Grid {
    /// The combinations of these sweeps.
    ///
    /// # Errors
    /// Two of one name, or too many combinations.
    pub fn new(sweeps: Vec<Sweep>) -> Result<Self, BadGrid> {
        for (index, sweep) in sweeps.iter().enumerate() {
            let resource = ResourceName::parse(&sweep.name);
            let mut before = sweeps[..index].iter();
            if before.any(|other| ResourceName::parse(&other.name) == resource) {
                return Err(BadGrid::Twice(sweep.name.clone()));
            }
        }
        let sizes = sweeps.iter().map(|sweep| sweep.values.len());
        let count = sizes.fold(1, usize::saturating_mul);
        if count > MAX_POINTS {
            return Err(BadGrid::TooMany);
        }
        Ok(Self { sweeps, count })
    }

    /// The sweeps.
    pub fn sweeps(&self) -> &[Sweep] {
        &self.sweeps
    }

    /// Whether nothing is swept.
    pub fn is_empty(&self) -> bool {
        self.sweeps.is_empty()
    }

    /// The sweep that is the axis of a picture: the one with the most values.
    pub fn axis(&self) -> usize {
        let axes = self.sweeps.iter().enumerate();
        let axes = axes.filter(|(_, sweep)| sweep.name != RULES);
        let most = axes.rev().max_by_key(|(_, sweep)| sweep.values.len());
        most.map_or(0, |(axis, _)| axis)
    }

    /// The number of combinations; 1 without sweeps.
    pub fn count(&self) -> usize {
        self.count.max(1)
    }

    /// Which value of a sweep belongs to a combination.
    pub fn place(&self, point: usize, sweep: usize) -> usize {
        let later = self.sweeps.get(sweep + 1..).unwrap_or_default();
        let each: usize = later.iter().map(|sweep| sweep.values.len()).product();
        let count = self.sweeps.get(sweep).map_or(1, |sweep| sweep.values.len());
        point / each % count
    }

    /// The value of a sweep in a combination.
    pub fn value(&self, point: usize, sweep: usize) -> Option<&str> {
        let place = self.place(point, sweep);
        let value = self.sweeps.get(sweep)?.values.get(place)?;
        Some(value)
    }
}

/// Splits a list at its commas, but not at those within brackets or quotes.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut start) = (0_u32, false, 0);
    let mut items = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items
}

/// The values of a range, if the item is one. It may go down.
fn range(item: &str) -> Result<Option<Vec<String>>, String> {
    let Some((first, rest)) = item.split_once("..") else {
        return Ok(None);
    };
    let rest = rest.strip_prefix('=').unwrap_or(rest).trim();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (last, step) = match words[..] {
        [last] => (last, "1"),
        [last, "by" | "step", step] => (last, step),
        _ => return Err(format!("`{item}` is not a range: {FORM}")),
    };
    let ends = [first.trim(), last, step].map(Decimal::parse);
    let [Some(first), Some(last), Some(step)] = ends else {
        return Err(format!("`{item}` is not a range of numbers: {FORM}"));
    };
    let decimals = first.decimals.max(last.decimals).max(step.decimals);
    let [first, last, step] = [first, last, step].map(|number| number.at(decimals));
    if step <= 0 {
        return Err(format!("the step of `{item}` has to be above 0"));
    }
    let count = (last - first).unsigned_abs() / step.unsigned_abs() + 1;
    if count > MAX_VALUES as u128 {
        return Err(too_many());
    }
    let signed = if last < first { -step } else { step };
    let values = (0..count as i128).map(|index| shown(first + index * signed, decimals));
    Ok(Some(values.collect()))
}

fn too_many() -> String {
    format!("a sweep has at most {MAX_VALUES} values")
}

/// A number with few digits after its point.
#[derive(Clone, Copy)]
struct Decimal {
    /// The number without its point; far from the ends of an `i128`.
    digits: i128,
    decimals: usize,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let bare = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !bare.is_empty() && all_digits(bare) && all_digits(decimals);
        if !is_number || decimals.len() > MAX_DECIMALS || bare.len() > 19 {
            return None;
        }
        let digits = format!("{whole}{decimals}").parse().ok()?;
        let decimals = decimals.len();
        Some(Self { digits, decimals })
    }

    /// The number times a power of ten, for at least as many decimals.
    fn at(self, decimals: usize) -> i128 {
        let missing = decimals.saturating_sub(self.decimals);
        (0..missing).fold(self.digits, |digits, _| digits * 10)
    }
}

/// A number that was multiplied by a power of ten.
fn shown(number: i128, decimals: usize) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let digits = format!("{:0>1$}", number.unsigned_abs(), decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<String, String> {
        Sweep::parse(text).map(|sweep| format!("{}: {}", sweep.name, sweep.values.join(" ")))
    }

    #[test]
    fn ranges_and_lists() {
        for (text, read) in [
            ("Target AC=10..13", "Target AC: 10 11 12 13"),
            ("[Target AC] = 10..20 by 5", "Target AC: 10 15 20"),
            ("x=10..21 step 5", "x: 10 15 20"),
            ("x=1..=3", "x: 1 2 3"),
            ("x=-1..1", "x: -1 0 1"),
            ("x=3..1", "x: 3 2 1"),
            ("x=7", "x: 7"),
            ("x=10, 15,20", "x: 10 15 20"),
            ("x=1..3,10,2", "x: 1 2 3 10"),
            ("p=0.1..0.5 by 0.2", "p: 0.1 0.3 0.5"),
            ("p=-0.5..0.5 by 0.25", "p: -0.5 -0.25 0 0.25 0.5"),
            ("mode=single, full", "mode: single full"),
            ("hits=[1, 2],[3]", "hits: [1, 2] [3]"),
            ("Damage=1d6+2,d{1,2}", "Damage: 1d6+2 d{1,2}"),
        ] {
            assert_eq!(values(text).as_deref(), Ok(read), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for (text, start) in [
            ("Target AC", "write NAME="),
            ("=1..2", "the name is missing"),
            ("x=", "a value is missing"),
            ("x=1,,2", "a value is missing"),
            ("x=1..", "`1..` is not a range"),
            ("x=a..b", "`a..b` is not a range of numbers"),
            ("x=1..5 by 0", "the step of `1..5 by 0` has to be above 0"),
            ("x=1..5 by -1", "the step of"),
            ("x=1..5 in 2", "`1..5 in 2` is not a range"),
            ("x=1..1000000", "a sweep has at most"),
            ("x=1..99999999999999999999", "`1..9"),
        ] {
            let message = Sweep::parse(text).expect_err(text);
            assert!(message.starts_with(start), "{text}: {message}");
        }
    }

    #[test]
    fn combinations() {
        let sweep = |text| Sweep::parse(text).expect("a good sweep");
        let grid = Grid::new(vec![sweep("a=1..2"), sweep("b=x,y,z")]).expect("a grid");
        let point = |point| [0, 1].map(|sweep| grid.value(point, sweep).unwrap_or("-"));
        assert_eq!(grid.count(), 6);
        assert_eq!(
            [0, 1, 3, 5].map(point),
            [["1", "x"], ["1", "y"], ["2", "x"], ["2", "z"]]
        );
        assert_eq!((Grid::default().count(), grid.axis()), (1, 1));
        let twice = Grid::new(vec![sweep("Target A=1"), sweep("[Target  A]=2")]);
        assert_eq!(twice, Err(BadGrid::Twice("Target  A".to_owned())));
        let large = || sweep("a=1..99999");
        let many = Grid::new(vec![large(), sweep("b=1..1000")]);
        assert_eq!(many, Err(BadGrid::TooMany));
    }
}
