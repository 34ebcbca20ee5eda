//! Values of AnyDice as expressions of the rolling language. A number or a sequence is an
//! expression without dice. Dice are a distribution, so each time that they are used they are
//! rolled again: their expression is written again.

use super::code::{Code, Level, list};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Number(Code),
    Sequence(List),
    Dice(Dice),
    /// A number or a single die that is rolled already: it may be used once.
    Rolled(Code),
}

/// A sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Known(Vec<i64>),
    Code(Code),
}

/// Dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dice {
    /// The number of dice; unknown for results of functions of which only the sum is there.
    pub(super) count: Option<Code>,
    /// Whether the number can be 0. Then they are one die that shows 0.
    pub(super) may_be_none: bool,
    pub(super) face: Face,
}

/// A die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Face {
    /// The faces from 1 to this number.
    Sides(Code),
    /// These faces, at least one.
    Faces(Vec<i64>),
    /// The elements of a list.
    List(Code),
    /// The result of an expression that rolls.
    Total(Code),
}

impl List {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::Known(elements) => Code::atom(list(elements), &[]),
            Self::Code(code) => code.clone(),
        }
    }

    pub(super) fn sum(&self) -> Code {
        match self {
            Self::Known(elements) => {
                let sum = elements
                    .iter()
                    .try_fold(0_i64, |sum, &one| sum.checked_add(one));
                sum.map_or_else(|| Code::call("sum", &[&self.code()]), Code::number)
            }
            Self::Code(code) => Code::call("sum", &[code]),
        }
    }
}

impl Dice {
    /// A single die with the result of this expression.
    pub(super) fn single(code: Code) -> Self {
        Self {
            count: Some(Code::number(1)),
            may_be_none: false,
            face: Face::Total(code.int()),
        }
    }

    pub(super) fn is_single(&self) -> bool {
        self.count.as_ref().and_then(Code::known) == Some(1)
    }

    /// The roll of one of the dice.
    pub(super) fn one(&self) -> Code {
        match &self.face {
            Face::Total(code) => code.clone(),
            Face::List(of) => Code::call("pick", &[of]),
            _ => self.notation(&Code::number(1), ""),
        }
    }

    /// `roll(3d6MODIFIERS)`, or `roll(d(count, 6)MODIFIERS)`.
    pub(super) fn notation(&self, count: &Code, modifiers: &str) -> Code {
        let sides = match &self.face {
            Face::Sides(sides) => sides.clone(),
            Face::Faces(faces) => Code::atom(weighed(faces), &[]),
            Face::List(code) | Face::Total(code) => return code.clone(),
        };
        let is_written = sides.is_literal() || matches!(self.face, Face::Faces(_));
        let text = match (count.is_literal(), is_written) {
            (true, true) => {
                let number = if count.known() == Some(1) {
                    ""
                } else {
                    count.text()
                };
                format!("roll({number}d{}{modifiers})", sides.text())
            }
            // Calls cannot be in a roll, as they may roll themselves.
            _ if count.has_call() || sides.has_call() => {
                format!("sum(rollDice({}, {}))", count.text(), sides.text())
            }
            _ => format!("roll(d({}, {}){modifiers})", count.text(), sides.text()),
        };
        Code::atom(text, &[count, &sides])
    }

    /// Whether dice of this kind can be counted and kept by modifiers of the notation.
    pub(super) fn has_notation(&self) -> bool {
        let is_literal = |code: &Code| code.is_literal();
        match &self.face {
            Face::Sides(sides) => sides.is_literal() && self.count.as_ref().is_some_and(is_literal),
            _ => false,
        }
    }

    /// The sum of a roll.
    pub(super) fn total(&self) -> Code {
        let Some(count) = &self.count else {
            return self.one();
        };
        if self.is_single() {
            return self.one();
        }
        match &self.face {
            Face::Sides(_) => self.notation(count, ""),
            Face::Faces(_) if count.is_literal() => self.notation(count, ""),
            _ => {
                let one = self.one();
                let name = free("die", &[count, &one]);
                let text = format!(
                    "sum({} for {name} : 1..{})",
                    one.text(),
                    count.within(Level::Sum)
                );
                Code::atom(text, &[&one, count])
            }
        }
    }

    /// Dice of which only the sum is there.
    pub(super) fn summed(code: Code) -> Self {
        Self {
            count: None,
            ..Self::single(code)
        }
    }

    /// The number of dice as AnyDice counts them.
    pub(super) fn length(&self) -> Option<Code> {
        let count = self.count.as_ref()?;
        Some(match self.may_be_none {
            true => Code::call("max", &[count, &Code::number(1)]),
            false => count.clone(),
        })
    }

    /// A roll as a list, in any order; nothing if only the sum is there.
    pub(super) fn faces(&self) -> Option<Code> {
        let count = self.count.as_ref()?;
        let one = self.one();
        let faces = match &self.face {
            _ if self.is_single() => Code::atom(format!("[{},]", one.text()), &[&one]),
            Face::Sides(sides) => Code::call("rollDice", &[count, sides]),
            _ => Code::atom(
                format!("[{}; {}]", one.text(), count.text()),
                &[&one, count],
            ),
        };
        Some(match self.may_be_none {
            true => {
                let zeros = format!("[0; max(1 - {}, 0)]", count.within(Level::Product));
                Code::binary(Level::Sum, "+", &faces, &Code::atom(zeros, &[count]))
            }
            false => faces,
        })
    }

    /// A roll as a sequence, in the order of positions; nothing if only the sum is there.
    pub(super) fn sequence(&self, lowest_first: bool) -> Option<Code> {
        let faces = self.faces()?;
        Some(match &self.face {
            _ if self.is_single() => faces,
            // This is a function of the same library.
            Face::Sides(_) if !lowest_first => Code::call("sorted", &[&faces]),
            _ => sorted(&faces, lowest_first),
        })
    }
}

impl Value {
    /// As a number: the sum of a sequence, and the total of a roll.
    pub(super) fn total(&self) -> Code {
        match self {
            Self::Number(code) | Self::Rolled(code) => code.clone(),
            Self::Sequence(list) => list.sum(),
            Self::Dice(dice) => dice.total(),
        }
    }

    /// The result of an operation on these: a die if one of them is dice.
    pub(super) fn of(code: Code, operands: &[&Self]) -> Self {
        if operands.iter().any(|one| matches!(one, Self::Dice(_))) {
            return Self::Dice(Dice::single(code));
        }
        match operands.iter().any(|one| matches!(one, Self::Rolled(_))) {
            true => Self::Rolled(code.int()),
            false => Self::Number(code),
        }
    }
}

/// A list in the order of positions.
pub(super) fn sorted(list: &Code, lowest_first: bool) -> Code {
    let face = free("face", &[list]);
    let order = if lowest_first { "" } else { " descending" };
    let text = format!(
        "sorted({face} by {face}{order} for {face} : {})",
        list.text()
    );
    Code::atom(text, &[list])
}

/// A name for a variable of a comprehension, which none of these expressions has.
pub(super) fn free(base: &str, beside: &[&Code]) -> String {
    let is_taken = |name: &str| {
        let mut words = beside.iter().flat_map(|code| {
            code.text()
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        });
        words.any(|word| word == name)
    };
    let mut name = base.to_owned();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

/// `{1:2, 3}`: equal faces that follow each other are written once.
fn weighed(faces: &[i64]) -> String {
    let runs = faces.chunk_by(|one, two| one == two);
    let texts = runs.map(|run| match run.len() {
        1 => run[0].to_string(),
        times => format!("{}:{times}", run[0]),
    });
    format!("{{{}}}", texts.collect::<Vec<_>>().join(", "))
}
