//! The operators with two sides, and what they give (seed 001, "Variables").

use libm::pow;

/// An operator with two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// The sum.
    Add,
    /// The first minus the second.
    Sub,
    /// The product.
    Mul,
    /// The first divided by the second, with decimals.
    Div,
    /// The first to the power of the second.
    Pow,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// `&`: 0 if the second is 0, else the first.
    And,
    /// `|`: the second if the first is 0, else the first.
    Or,
    /// 1 if the first is smaller, else 0.
    Lt,
    /// 1 if the first is smaller or equal, else 0.
    Le,
    /// 1 if the first is larger, else 0.
    Gt,
    /// 1 if the first is larger or equal, else 0.
    Ge,
    /// 1 if both are equal, else 0.
    Eq,
}

/// Why an operator gives no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoNumber {
    DivisionByZero,
    NotReal,
    TooLarge,
}

/// The operators as they are written.
pub(super) const BINARY: [(&str, Binary); 14] = [
    ("+", Binary::Add),
    ("-", Binary::Sub),
    ("*", Binary::Mul),
    ("/", Binary::Div),
    ("^", Binary::Pow),
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("&", Binary::And),
    ("|", Binary::Or),
    ("<", Binary::Lt),
    ("<=", Binary::Le),
    (">", Binary::Gt),
    (">=", Binary::Ge),
    ("==", Binary::Eq),
];

impl Binary {
    /// The operator of a symbol.
    pub(super) fn of_symbol(symbol: &str) -> Option<Self> {
        let mut all = BINARY.iter();
        all.find_map(|(text, operator)| (*text == symbol).then_some(*operator))
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        let mut all = BINARY.iter();
        let found = all.find_map(|(text, operator)| (*operator == self).then_some(*text));
        found.unwrap_or_default()
    }

    /// Whether it compares.
    pub fn compares(self) -> bool {
        matches!(self, Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::Eq)
    }

    /// What it gives of two numbers.
    ///
    /// # Errors
    /// The result is not a number.
    pub(super) fn of_numbers(self, left: f64, right: f64) -> Result<f64, NoNumber> {
        let value = match self {
            Self::Add => left + right,
            Self::Sub => left - right,
            Self::Mul => left * right,
            Self::Div if right == 0.0 => return Err(NoNumber::DivisionByZero),
            Self::Div => left / right,
            Self::Pow if left == 0.0 && right < 0.0 => return Err(NoNumber::DivisionByZero),
            Self::Pow => pow(left, right),
            Self::Min => left.min(right),
            Self::Max => left.max(right),
            Self::And if right == 0.0 => 0.0,
            Self::And => left,
            Self::Or if left == 0.0 => right,
            Self::Or => left,
            Self::Lt => truth(left < right),
            Self::Le => truth(left <= right),
            Self::Gt => truth(left > right),
            Self::Ge => truth(left >= right),
            Self::Eq => truth(left == right),
        };
        if value.is_nan() {
            return Err(NoNumber::NotReal);
        }
        match value.is_finite() {
            // There is one zero.
            true => Ok(value + 0.0),
            false => Err(NoNumber::TooLarge),
        }
    }
}

/// A truth value as a number.
pub(super) fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seed 001: "The following rules are respected; note order matters".
    #[test]
    fn the_operators_of_the_seed() {
        let cases: [(&str, f64, f64, f64); 18] = [
            ("&", 5.0, 7.0, 5.0),
            ("&", 5.0, 0.0, 0.0),
            ("&", 0.0, 7.0, 0.0),
            ("|", 0.0, 7.0, 7.0),
            ("|", 5.0, 7.0, 5.0),
            ("|", 5.0, 0.0, 5.0),
            ("<", 1.0, 2.0, 1.0),
            ("<", 2.0, 2.0, 0.0),
            ("<=", 2.0, 2.0, 1.0),
            (">", 2.0, 2.0, 0.0),
            (">=", 2.0, 2.0, 1.0),
            ("==", 2.0, 2.0, 1.0),
            ("-", 2.0, 5.0, -3.0),
            ("/", 1.0, 4.0, 0.25),
            ("^", 2.0, -1.0, 0.5),
            ("min", 2.0, 5.0, 2.0),
            ("max", 2.0, 5.0, 5.0),
            ("*", 0.0, -1.0, 0.0),
        ];
        for (symbol, left, right, expected) in cases {
            let operator = Binary::of_symbol(symbol).expect(symbol);
            let value = operator.of_numbers(left, right).expect(symbol);
            assert_eq!(
                value.to_bits(),
                expected.to_bits(),
                "({left},{right},{symbol})"
            );
        }
    }

    #[test]
    fn there_is_not_always_a_number() {
        for (operator, left, right, why) in [
            (Binary::Div, 1.0, 0.0, NoNumber::DivisionByZero),
            (Binary::Pow, 0.0, -1.0, NoNumber::DivisionByZero),
            (Binary::Pow, -2.0, 0.5, NoNumber::NotReal),
            (Binary::Pow, 10.0, 1e6, NoNumber::TooLarge),
        ] {
            assert_eq!(operator.of_numbers(left, right), Err(why));
        }
    }
}
