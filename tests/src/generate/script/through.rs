//! What goes through lists and ranges in generated scripts.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A number of many.
    pub(super) fn reduced(&mut self, ty: Ty, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=7)? {
            0 if ty == Ty::Int => {
                let function = *self.bytes.choose(&["sum", "max", "min"])?;
                format!("{function}({})", self.ints(depth)?)
            }
            0 => {
                let function = *self.bytes.choose(&["sum", "max", "min"])?;
                format!("{function}({})", self.floats(depth)?)
            }
            1 if ty == Ty::Int => self.each(depth, |writer| {
                Ok(format!("count({}", writer.truth(depth.min(1))?))
            })?,
            2 | 3 => {
                let function = *self.bytes.choose(&["least", "most"])?;
                let key = self.number()?;
                self.each(depth, |writer| {
                    let value = writer.value(ty, 0)?;
                    let key = writer.value(key, depth.min(1))?;
                    Ok(format!("{function}({value} by {key}"))
                })?
            }
            _ => {
                let function = *self.bytes.choose(&["sum", "sum", "max", "min"])?;
                self.each(depth, |writer| {
                    Ok(format!("{function}({}", writer.value(ty, depth.min(1))?))
                })?
            }
        })
    }

    /// Whether something holds for some or all elements.
    pub(super) fn decided(&mut self, depth: u32) -> Result<String> {
        let function = *self.bytes.choose(&["any", "all"])?;
        self.each(depth, |writer| {
            Ok(format!("{function}({}", writer.truth(depth.min(1))?))
        })
    }

    /// A number from a list, which may change.
    pub(super) fn taken(&mut self, depth: u32) -> Result<String> {
        let (own, list) = match self.named(Ty::Ints)? {
            Some(name) => (true, name),
            None => (false, self.ints(depth)?),
        };
        Ok(match self.bytes.int_in_range(0..=5)? {
            0 => format!("pop({list})"),
            1 => format!("draw({list})"),
            2 if own => format!("remove({list}, {})", self.small_index()?),
            3 => self.each(depth, |writer| {
                Ok(format!("pick({}", writer.int(depth.min(1))?))
            })?,
            _ => format!("pick({list})"),
        })
    }

    /// A statement that changes a list of numbers.
    pub(super) fn changed(&mut self, list: &str) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=6)? {
            0 => format!("pop({list});"),
            1 => {
                let index = self.small_index()?;
                format!("insert({list}, {index}, {});", self.int(1)?)
            }
            2 => format!("remove({list}, {});", self.small_index()?),
            3 => format!("shuffle({list});"),
            4 => format!("sort({list});"),
            _ => {
                let name = self.new_name();
                let outer = self.scope.len();
                self.scope.push((name.clone(), Ty::Int));
                let ty = self.number()?;
                let key = self.value(ty, 1)?;
                self.scope.truncate(outer);
                let direction = *self.bytes.choose(&["", " descending"])?;
                format!("sort({name} by {key}{direction} for {name} : {list});")
            }
        })
    }

    pub(super) fn small_index(&mut self) -> Result<String> {
        match self.bytes.ratio(1, 5)? {
            true => self.int(1),
            false => Ok(self.bytes.int_in_range(0..=2)?.to_string()),
        }
    }

    /// A part of a list, copies of a number, or a sorted list.
    pub(super) fn derived(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=4)? {
            4 => {
                let dice = [
                    "3d6kh2",
                    "2d4!",
                    "2d6min2",
                    "3d4dl1ro<2",
                    "2d8r<3 + d4",
                    "d(2, n)",
                ];
                let dice = *self.bytes.choose(&dice)?;
                let part = *self.bytes.choose(&["face", "value", "sides"])?;
                format!("[d.{part} for d : dice({dice}) if d.kept]")
            }
            0 => {
                let (first, last) = (self.small_index()?, self.small_index()?);
                format!("{}[{first}..{last}]", self.ints(depth)?)
            }
            1 => format!("[{}; {}]", self.int(depth)?, self.bound()?),
            2 => format!("sorted({})", self.ints(depth)?),
            _ => self.each(depth, |writer| {
                let value = writer.int(0)?;
                let ty = writer.number()?;
                let key = writer.value(ty, depth.min(1))?;
                let direction = *writer.bytes.choose(&["", " descending"])?;
                Ok(format!("sorted({value} by {key}{direction}"))
            })?,
        })
    }

    /// A new list of these values.
    pub(super) fn collected(&mut self, ty: Ty, depth: u32) -> Result<String> {
        let call = self.each(depth, |writer| {
            Ok(format!("({}", writer.value(ty, depth.min(1))?))
        })?;
        Ok(
            match call
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'))
            {
                Some(inside) => format!("[{inside}]"),
                None => call,
            },
        )
    }

    /// What `begin` writes, with the elements that it goes through; the variable is in scope there.
    fn each(
        &mut self,
        depth: u32,
        begin: impl FnOnce(&mut Self) -> Result<String>,
    ) -> Result<String> {
        let (list, ty) = match self.bytes.int_in_range(0..=6)? {
            0 | 1 => (self.ints(depth.min(1))?, Ty::Int),
            2 if self.floats => (self.floats(depth.min(1))?, Ty::Float),
            3 | 4 => (format!("{}..{}", self.bound()?, self.bound()?), Ty::Int),
            _ => (format!("{}.buffs", self.creature(0)?), Ty::Buff),
        };
        let name = self.new_name();
        let outer = self.scope.len();
        self.scope.push((name.clone(), ty));
        let begun = begin(self)?;
        let filter = match self.bytes.ratio(1, 3)? {
            true => format!(" if {}", self.truth(depth.min(1))?),
            false => String::new(),
        };
        self.scope.truncate(outer);
        Ok(format!("{begun} for {name} : {list}{filter})"))
    }
}
