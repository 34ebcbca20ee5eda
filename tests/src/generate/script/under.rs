//! Tests against targets: `a under b`.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A test, in most cases one that is made here.
    pub(super) fn test(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=5)? {
            0 | 1 => match self.named(Ty::Test)? {
                Some(name) => name,
                None => self.tested()?,
            },
            2 if depth > 0 => {
                let (condition, yes) = (self.truth(depth - 1)?, self.test(depth - 1)?);
                format!("({condition} ? {yes} : {})", self.tested()?)
            }
            _ => self.tested()?,
        })
    }

    fn tested(&mut self) -> Result<String> {
        let target = match self.bytes.int_in_range(0..=3)? {
            0 => "45".to_owned(),
            1 => "-15".to_owned(),
            2 => format!("10 * {}", self.int(0)?),
            _ => self.int(0)?,
        };
        Ok(match self.bytes.int_in_range(0..=6)? {
            0 => format!("({} under {target})", self.int(0)?),
            1 => format!("(roll(2d100kl1) under {target})"),
            2 => format!("roll(d100 + 5 under {target})"),
            3 => format!("(roll(2d10) + {} under {target})", self.int(0)?),
            4 if !target.starts_with('-') => format!("(under {target})"),
            _ => format!("(roll(d100) under {target})"),
        })
    }
}
