//! Numbers and truth values of natural programs.

use super::Writer;
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A number in scope.
    pub(super) fn int_name(&mut self) -> Result<String> {
        Ok(self.bytes.choose(&self.ints)?.clone())
    }

    /// A number: a constant, a variable, a roll, or what is found in a list.
    pub(super) fn int(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return match self.chance(1, 2)? {
                true => self.int_name(),
                false => Ok(self.number(0, 4)?.to_string()),
            };
        }
        match self.number(0, 11)? {
            0 if self.chance(1, 4)? => self.looked_up(),
            0 => self.constant(),
            1 => self.int_name(),
            2 => self.rolled(),
            3 => {
                let (left, right) = (self.int(depth - 1)?, self.int(depth - 1)?);
                let op = *self.bytes.choose(&["+", "-", "*", "%"])?;
                Ok(format!("({left} {op} {right})"))
            }
            4 => {
                let truth = self.truth(depth - 1)?;
                let (left, right) = (self.int(depth - 1)?, self.int(depth - 1)?);
                Ok(format!("({truth} ? {left} : {right})"))
            }
            5 if !self.bands.is_empty() => self.of_band(),
            6 => self.observed(),
            _ => self.found(),
        }
    }

    /// A row of a table that is longer than lists in memory usually are, as those of treasures.
    fn looked_up(&mut self) -> Result<String> {
        const ROWS: u32 = 40;
        let Some(sides) = self.sides(1)? else {
            return self.constant();
        };
        let (table, same) = (self.name(), self.number(1, 8)?);
        let rows: Vec<String> = (0..ROWS).map(|row| (row / same % 7).to_string()).collect();
        self.line(&format!("{table} = [{}];", rows.join(", ")));
        let apart = *self.bytes.choose(&[3, 7, 11])?;
        Ok(format!("{table}[roll(d{sides}) * {apart} % {ROWS}]"))
    }

    fn constant(&mut self) -> Result<String> {
        let number = self.number(0, 5)?;
        let factor = match self.is_large {
            true => *self.bytes.choose(&[1, 7, 30, 1000])?,
            false => 1,
        };
        Ok((number * factor).to_string())
    }

    /// A roll, or a constant if there are too many already.
    pub(super) fn rolled(&mut self) -> Result<String> {
        let count = self.number(1, 2)?;
        Ok(match (self.sides(count)?, count) {
            (None, _) => "2".to_owned(),
            (Some(sides), 1) => format!("roll(d{sides})"),
            (Some(sides), _) => {
                let kept = *self
                    .bytes
                    .choose(&["", "kh1", "kl1", "km1", " count={1,2}"])?;
                match self.bytes.ratio(1, 4)? && kept != "km1" {
                    true => format!("d(2, {sides}){kept}"),
                    false => format!("roll(2d{sides}{kept})"),
                }
            }
        })
    }

    /// A truth value.
    pub(super) fn truth(&mut self, depth: u32) -> Result<String> {
        match self.number(0, 6)? {
            0 if depth > 0 => {
                let (left, right) = (self.truth(depth - 1)?, self.truth(depth - 1)?);
                let op = *self.bytes.choose(&["&&", "||"])?;
                Ok(format!("({left} {op} {right})"))
            }
            1 if !self.lists.is_empty() => {
                let (list, value) = (self.list_name()?, self.number(1, 4)?);
                let (one, op) = (self.name(), self.comparison()?);
                Ok(match self.number(0, 3)? {
                    0 => format!("contains({list}, {value})"),
                    1 => format!("any({one} {op} {value} for {one} : {list})"),
                    2 => format!("all({one} {op} {value} for {one} : {list})"),
                    _ => format!("len({list}) {op} {value}"),
                })
            }
            _ => {
                let left = self.int(depth.min(1))?;
                let op = self.comparison()?;
                let right = self.number(0, 5)?;
                Ok(format!("{left} {op} {right}"))
            }
        }
    }

    pub(super) fn comparison(&mut self) -> Result<&'static str> {
        Ok(*self.bytes.choose(&["==", "!=", "<", "<=", ">", ">="])?)
    }
}
