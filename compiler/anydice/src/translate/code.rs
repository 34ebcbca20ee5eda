//! Pieces of expressions of the rolling language.

use std::collections::BTreeSet;

/// How tightly the outermost operator of a piece binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Level {
    Choice,
    Or,
    And,
    Equal,
    Compare,
    Sum,
    Product,
    Prefix,
    Atom,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Code {
    text: String,
    level: Level,
    /// Whether it is a truth value.
    is_truth: bool,
    /// Its value, if it is a written number.
    number: Option<i64>,
    /// The local variables that it reads.
    reads: BTreeSet<String>,
    /// Whether it reads one that holds a roll, so that it may be used once.
    is_rolled: bool,
}

impl Code {
    pub(super) fn number(number: i64) -> Self {
        let level = match number {
            0.. => Level::Atom,
            _ => Level::Prefix,
        };
        Self {
            number: Some(number),
            ..Self::atom(number.to_string(), &[]).at_level(level)
        }
    }

    /// A local variable.
    pub(super) fn local(name: &str) -> Self {
        let mut code = Self::atom(name.to_owned(), &[]);
        code.reads.insert(name.to_owned());
        code
    }

    /// A local variable that holds a roll.
    pub(super) fn rolled(name: &str) -> Self {
        Self {
            is_rolled: true,
            ..Self::local(name)
        }
    }

    /// A constant of the script, and its value.
    pub(super) fn constant(name: &str, number: i64) -> Self {
        Self {
            number: Some(number),
            ..Self::atom(name.to_owned(), &[])
        }
    }

    /// An expression in parentheses or a call, made of these.
    pub(super) fn atom(text: String, of: &[&Self]) -> Self {
        let reads = of.iter().flat_map(|code| code.reads.iter().cloned());
        Self {
            text,
            level: Level::Atom,
            is_truth: false,
            number: None,
            reads: reads.collect(),
            is_rolled: of.iter().any(|code| code.is_rolled),
        }
    }

    /// `NAME(arguments)`.
    pub(super) fn call(name: &str, arguments: &[&Self]) -> Self {
        let texts: Vec<String> = arguments.iter().map(|one| one.int().text).collect();
        Self::atom(format!("{name}({})", texts.join(", ")), arguments)
    }

    /// `left SIGN right`, of which neither side may bind less tightly.
    pub(super) fn binary(level: Level, sign: &str, left: &Self, right: &Self) -> Self {
        // Chains of these go to the left; comparisons have none.
        let loosest = match level {
            Level::Equal => Level::Compare,
            Level::Compare => Level::Sum,
            other => other,
        };
        let tighter = match level {
            Level::Or => Level::And,
            Level::And => Level::Equal,
            Level::Sum => Level::Product,
            Level::Product => Level::Prefix,
            _ => loosest,
        };
        let text = format!("{} {sign} {}", left.within(loosest), right.within(tighter));
        Self::atom(text, &[left, right]).at_level(level)
    }

    pub(super) fn minus(&self) -> Self {
        match self.number.and_then(i64::checked_neg) {
            Some(number) => Self::number(number),
            None => {
                let text = format!("-{}", self.int().within(Level::Atom));
                Self::atom(text, &[self]).at_level(Level::Prefix)
            }
        }
    }

    /// A choice, `condition ? a : b`, made of these.
    pub(super) fn choice(text: String, of: &[&Self]) -> Self {
        Self::atom(text, of).at_level(Level::Choice)
    }

    fn at_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// The same, as a truth value.
    pub(super) fn marked_truth(self) -> Self {
        Self {
            is_truth: true,
            number: None,
            ..self
        }
    }

    /// As a number: 1 if it is true.
    pub(super) fn int(&self) -> Self {
        if !self.is_truth {
            return self.clone();
        }
        let text = format!("{} ? 1 : 0", self.within(Level::Or));
        Self::atom(text, &[self]).at_level(Level::Choice)
    }

    /// As a truth value: whether it is another number than 0.
    pub(super) fn truth(&self) -> Self {
        match self.is_truth {
            true => self.clone(),
            false => Self::binary(Level::Equal, "!=", self, &Self::number(0)).marked_truth(),
        }
    }

    /// The text, in parentheses if it binds less tightly.
    pub(super) fn within(&self, level: Level) -> String {
        match self.level < level {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn known(&self) -> Option<i64> {
        self.number
    }

    /// Whether it is a number as it is written, and no name or sum.
    pub(super) fn is_literal(&self) -> bool {
        self.number
            .is_some_and(|number| self.text == number.to_string())
    }

    /// Whether it calls anything.
    pub(super) fn has_call(&self) -> bool {
        self.text.contains('(')
    }

    /// Whether it may be used once only.
    pub(super) fn is_rolled(&self) -> bool {
        self.is_rolled
    }

    pub(super) fn reads(&self) -> &BTreeSet<String> {
        &self.reads
    }
}

/// `[1, 2]`; one element has a comma, as it would be a resource without, and none has its type.
pub(super) fn list(elements: &[i64]) -> String {
    let texts: Vec<String> = elements.iter().map(i64::to_string).collect();
    match texts.as_slice() {
        [] => "[0; 0]".to_owned(),
        [one] => format!("[{one},]"),
        _ => format!("[{}]", texts.join(", ")),
    }
}
