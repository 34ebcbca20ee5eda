//! Enums and `match` in generated scripts. `high` is a constant of two enums.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    pub(super) fn stance(&mut self, depth: u32) -> Result<String> {
        let written = |writer: &mut Self| {
            let constants = ["low", "mid", "stance.high"];
            Ok((*writer.bytes.choose(&constants)?).to_owned())
        };
        Ok(match self.bytes.int_in_range(0..=6)? {
            0 | 1 => match self.named(Ty::Stance)? {
                Some(name) => name,
                None => written(self)?,
            },
            2 => format!("{}.stance", self.creature(0)?),
            3 if depth > 0 => {
                let (condition, yes) = (self.truth(depth - 1)?, self.stance(depth - 1)?);
                format!("({condition} ? {yes} : {})", written(self)?)
            }
            4 if depth > 0 => self.matched(Ty::Stance, depth - 1)?,
            _ => written(self)?,
        })
    }

    /// Whether two stances are equal, or in an order, or whether one is a success.
    pub(super) fn compared_stances(&mut self, depth: u32) -> Result<String> {
        let op = *self.bytes.choose(&["==", "!=", "<", ">=", "success"])?;
        let left = self.stance(depth)?;
        if op == "success" {
            return Ok(format!("({left}).success"));
        }
        let right = match self.bytes.arbitrary()? {
            true => "high".to_owned(),
            false => self.stance(depth)?,
        };
        Ok(format!("({left} {op} {right})"))
    }

    /// A value by a `match`.
    pub(super) fn matched(&mut self, ty: Ty, depth: u32) -> Result<String> {
        let (subject, patterns) = self.patterns(depth)?;
        let mut arms = Vec::new();
        for pattern in patterns {
            arms.push(format!("{pattern}: {}", self.value(ty, depth)?));
        }
        Ok(format!("(match ({subject}) {{ {} }})", arms.join(", ")))
    }

    /// Blocks by a `match`.
    pub(super) fn match_blocks(&mut self, depth: u32) -> Result<()> {
        let (subject, patterns) = self.patterns(1)?;
        self.line(&format!("match ({subject}) {{"));
        for pattern in patterns {
            self.line(&format!("{pattern}: {{"));
            self.block(depth - 1)?;
            self.line("}");
        }
        self.line("}");
        Ok(())
    }

    /// What is matched, and the patterns of its arms.
    fn patterns(&mut self, depth: u32) -> Result<(String, &'static [&'static str])> {
        Ok(match self.bytes.int_in_range(0..=5)? {
            0 => (self.stance(depth)?, &["low", "mid, high"]),
            1 => (self.stance(depth)?, &["high", "mid", "low"]),
            2 => (self.stance(depth)?, &["mid", "else"]),
            3 => (self.int(depth)?, &["..-1", "0", "1..6", "7.."]),
            4 => (self.int(depth)?, &["3", "4-9, DC", "else"]),
            _ => (self.truth(depth)?, &["false", "true"]),
        })
    }
}
