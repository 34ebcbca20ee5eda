//! Sets of flags in generated scripts. `high` is also a constant of two enums.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    pub(super) fn signs(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=7)? {
            0..=2 => match self.named(Ty::Signs)? {
                Some(name) => name,
                None => "sign.red".to_owned(),
            },
            3 if depth > 0 => {
                let op = *self.bytes.choose(&["+", "-"])?;
                let right = match self.bytes.arbitrary()? {
                    true => self.signs(depth - 1)?,
                    false => "[high, blue]".to_owned(),
                };
                format!("({} {op} {right})", self.signs(depth - 1)?)
            }
            4 if depth > 0 => {
                let (condition, yes) = (self.truth(depth - 1)?, self.signs(depth - 1)?);
                format!("({condition} ? {yes} : {})", self.signs(depth - 1)?)
            }
            5 if depth > 0 => self.matched(Ty::Signs, depth - 1)?,
            _ => {
                let written = ["red", "blue", "sign.high", "(red + sign.high)"];
                (*self.bytes.choose(&written)?).to_owned()
            }
        })
    }

    /// Whether a set has flags, or two are equal.
    pub(super) fn compared_signs(&mut self, depth: u32) -> Result<String> {
        let flags = match self.bytes.int_in_range(0..=3)? {
            0 => "high".to_owned(),
            1 => "[]".to_owned(),
            2 => "[blue, high]".to_owned(),
            _ => self.signs(depth)?,
        };
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => format!("({} == {flags})", self.signs(depth)?),
            1 => format!("({} != {flags})", self.signs(depth)?),
            2 => format!("contains({}.marks, [one, two])", self.creature(0)?),
            _ => format!("contains({}, {flags})", self.signs(depth)?),
        })
    }

    pub(super) fn signs_as_text(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.arbitrary()? {
            true => format!("(\"\" + {}.marks)", self.creature(0)?),
            false => format!("(\"\" + {})", self.signs(depth)?),
        })
    }

    /// A change of marks.
    pub(super) fn marked(&mut self) -> Result<&'static str> {
        let changes = ["= []", "= three", "+= five", "-= [one, four]"];
        Ok(*self.bytes.choose(&changes)?)
    }
}
