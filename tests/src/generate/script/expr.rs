//! Expressions of generated scripts, each of a given type and with a limited depth.

use super::{OPTIONS, Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    pub(super) fn value(&mut self, ty: Ty, depth: u32) -> Result<String> {
        match ty {
            Ty::Int => self.int(depth),
            Ty::Float => self.float(depth),
            Ty::Floats => self.floats(depth),
            Ty::Bool => self.truth(depth),
            Ty::Text => self.plain_text(depth),
            Ty::Line => self.text(depth),
            Ty::Ints => self.ints(depth),
            Ty::Buff => self.buff(depth),
            Ty::Buffs => self.buffs(depth),
            Ty::Creature => self.creature(depth),
            Ty::Stance => self.stance(depth),
            Ty::Signs => self.signs(depth),
            Ty::Test => self.test(depth),
        }
    }

    pub(super) fn int(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return self.small_int();
        }
        let less = depth - 1;
        Ok(match self.bytes.int_in_range(0..=28)? {
            28 => format!("{}.degrees", self.test(less)?),
            26 | 27 => self.dice(less)?,
            24 => self.matched(Ty::Int, less)?,
            25 => format!("fate({})", self.int(less)?),
            0 | 1 => self.small_int()?,
            19 | 20 => self.taken(less)?,
            22 => {
                let (first, last) = (self.bound()?, self.bound()?);
                format!("userOption(\"How many?\", {first}..{last})")
            }
            23 => format!("userOption(\"Which number?\", {})", self.ints(less)?),
            21 => format!("indexOf({}, {})", self.buffs(less)?, self.buff(less)?),
            16..=18 => self.reduced(Ty::Int, less)?,
            2 => {
                let op = *self.bytes.choose(&["+", "-", "*", "/", "%"])?;
                format!("({} {op} {})", self.int(less)?, self.int(less)?)
            }
            3 => {
                let function = *self.bytes.choose(&["max", "min"])?;
                format!("{function}({}, {})", self.int(less)?, self.int(less)?)
            }
            4 => format!("abs({})", self.int(less)?),
            5 => format!("-({})", self.int(less)?),
            6 => {
                let (condition, yes, no) = (self.truth(less)?, self.int(less)?, self.int(less)?);
                format!("({condition} ? {yes} : {no})")
            }
            7 => format!("len({})", self.ints(less)?),
            8 => {
                let index = match self.bytes.ratio(1, 4)? {
                    true => self.int(less)?,
                    false => self.bytes.int_in_range(0..=2)?.to_string(),
                };
                format!("{}[{index}]", self.list_name(Ty::Ints, "list(1, 2, 3)")?)
            }
            9 => self.call(less)?,
            10 => format!("{}.amount", self.buff(less)?),
            11 if self.floats => {
                let function = *self.bytes.choose(&["floor", "ceil", "round"])?;
                format!("{function}({})", self.float(less)?)
            }
            _ => self.roll()?,
        })
    }

    pub(super) fn float(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return self.small_float();
        }
        let less = depth - 1;
        Ok(match self.bytes.int_in_range(0..=12)? {
            0 | 1 => self.small_float()?,
            11 | 12 => self.reduced(Ty::Float, less)?,
            2 => {
                let op = *self.bytes.choose(&["+", "-", "*", "/", "%"])?;
                format!("({} {op} {})", self.float(less)?, self.int(less)?)
            }
            3 => {
                let op = *self.bytes.choose(&["+", "-", "*", "/", "%"])?;
                format!("({} {op} {})", self.int(less)?, self.float(less)?)
            }
            4 => {
                let function = *self.bytes.choose(&["max", "min"])?;
                format!("{function}({}, {})", self.float(less)?, self.int(less)?)
            }
            5 => format!("abs({})", self.float(less)?),
            6 => format!("-({})", self.float(less)?),
            7 => {
                let condition = self.truth(less)?;
                format!(
                    "({condition} ? {} : {})",
                    self.float(less)?,
                    self.int(less)?
                )
            }
            8 => format!("sqrt({})", self.int(less)?),
            9 => format!("pow({}, {})", self.int(less)?, self.small_float()?),
            _ => format!(
                "roll(2d4 * {} + {})",
                self.small_float()?,
                self.small_int()?
            ),
        })
    }

    fn small_float(&mut self) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=5)? {
            0 | 1 => match self.named(Ty::Float)? {
                Some(name) => name,
                None => "0.5".to_owned(),
            },
            2 => format!("{}.luck", self.creature(0)?),
            3 => format!("{}[0]", self.list_name(Ty::Floats, "list(0.25, 1)")?),
            _ => format!("{}.25", self.bytes.int_in_range(0..=9)?),
        })
    }

    pub(super) fn floats(&mut self, depth: u32) -> Result<String> {
        Ok(match self.named(Ty::Floats)? {
            Some(name) if self.bytes.ratio(2, 3)? => name,
            _ => {
                let (first, second) = (self.float(depth.min(1))?, self.int(0)?);
                self.list_of_two(&first, &second)?
            }
        })
    }

    fn small_int(&mut self) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=7)? {
            0 => "DC".to_owned(),
            1..=3 => match self.named(Ty::Int)? {
                Some(name) => name,
                None => "7".to_owned(),
            },
            4 => format!("{}.hp", self.creature(0)?),
            5 => format!("{}.best.amount", self.creature(0)?),
            _ => self.bytes.int_in_range(0..=9)?.to_string(),
        })
    }

    /// Dice in every form.
    fn roll(&mut self) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=13)? {
            0 => "roll(d20)".to_owned(),
            1 => "2d6".to_owned(),
            2 => "roll(4d6kh3)".to_owned(),
            3 => "roll(\"1d4-5\")".to_owned(),
            4 => format!("roll(2d6 + {})", self.small_int()?),
            5 => format!("d({}, {})", self.small_int()?, self.sides()?),
            6 => {
                let (count, sides) = (self.small_int()?, self.sides()?);
                format!("roll({count} + \"d\" + {sides} + \"+1\")")
            }
            7 => "roll(3d6!)".to_owned(),
            8 => "{2d6, 1d10}kh1".to_owned(),
            9 => format!("d({}, {})kh2", self.small_int()?, self.sides()?),
            10 => "{2d4, 1d6}ro<4".to_owned(),
            11 => "roll(4d6 count={2,5} double=6 fail=1)".to_owned(),
            12 => "roll(3d6km1)".to_owned(),
            _ => "roll(2d4r<2)".to_owned(),
        })
    }

    /// Dice that are a value.
    fn dice(&mut self, depth: u32) -> Result<String> {
        let dice = match self.bytes.int_in_range(0..=5)? {
            0 => "BOLT".to_owned(),
            1 => format!("({} ? 1d4 + 2 : 1d8)", self.truth(depth)?),
            2 => format!("({}.blow + {})", self.creature(0)?, self.small_int()?),
            3 => format!(
                "most(x by average(x) for x : [{}.blow, 1d4, BOLT])",
                self.creature(0)?
            ),
            _ => format!("{}.blow", self.creature(0)?),
        };
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => format!("maximum({dice})"),
            1 => format!("floor(average({dice}))"),
            2 => format!("roll(critical({dice}))"),
            // A choice between dice would be a roll of its own.
            _ if dice.contains("1d") => format!("maximum(critical({dice}))"),
            _ => format!("roll({dice})"),
        })
    }

    /// A number of sides; a written 0 is refused.
    fn sides(&mut self) -> Result<String> {
        let sides = self.small_int()?;
        Ok(if sides == "0" { "6".to_owned() } else { sides })
    }

    pub(super) fn truth(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return Ok(match (self.bytes.arbitrary()?, self.named(Ty::Bool)?) {
                (true, Some(name)) => name,
                _ => self.bytes.choose(&["true", "false"])?.to_string(),
            });
        }
        let less = depth - 1;
        Ok(match self.bytes.int_in_range(0..=17)? {
            15 => self.compared_signs(less)?,
            12 | 13 => self.sameness(less)?,
            14 => self.compared_stances(less)?,
            0 => self.truth(0)?,
            10 => self.decided(less)?,
            11 => format!("contains({}, {})", self.ints(less)?, self.int(less)?),
            1..=3 => {
                let op = *self.bytes.choose(&["==", "!=", "<", "<=", ">", ">="])?;
                let ty = self.number()?;
                format!("({} {op} {})", self.value(ty, less)?, self.int(less)?)
            }
            4 => {
                let not = *self.bytes.choose(&["!", "not "])?;
                format!("({not}{})", self.truth(0)?)
            }
            5 => {
                let and = *self.bytes.choose(&["&&", "and"])?;
                format!("({} {and} {})", self.truth(less)?, self.truth(less)?)
            }
            6 => {
                let or = *self.bytes.choose(&["||", "or"])?;
                format!("({} {or} {})", self.truth(less)?, self.truth(less)?)
            }
            7 => format!("({} == {})", self.plain_text(less)?, self.plain_text(less)?),
            8 => {
                let option = match self.bytes.ratio(1, 4)? {
                    true => format!("\"Use \" + {}", self.text(0)?),
                    false => format!("\"{}\"", self.bytes.choose(&OPTIONS)?),
                };
                match self.bytes.arbitrary()? {
                    true => format!("userOption({}, {option})", self.creature(0)?),
                    false => format!("userOption({option})"),
                }
            }
            16 => format!("{}.success", self.test(less)?),
            17 => {
                let op = *self.bytes.choose(&["==", "!=", "<", "<=", ">", ">="])?;
                format!("({} {op} {})", self.test(less)?, self.test(less)?)
            }
            _ => {
                let asked = *self.bytes.choose(&[" >= success", ".success"])?;
                format!("((roll(d20) + {} vs DC){asked})", self.small_int()?)
            }
        })
    }

    /// Whether two records are the same.
    fn sameness(&mut self, depth: u32) -> Result<String> {
        let op = *self.bytes.choose(&["==", "!="])?;
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => format!("({} {op} {})", self.creature(depth)?, self.creature(0)?),
            1 => format!("contains({}, {})", self.buffs(depth)?, self.buff(0)?),
            _ => format!("({} {op} {})", self.buff(depth)?, self.buff(0)?),
        })
    }

    pub(super) fn plain_text(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=6)? {
            6 if depth > 0 => format!("shout({})", self.int(depth - 1)?),
            5 if self.bytes.arbitrary()? => self.signs_as_text(depth.min(1))?,
            5 => format!("(\"\" + {})", self.stance(depth.min(1))?),
            0 | 1 => match self.named(Ty::Text)? {
                Some(name) => name,
                None => "\"Hit\"".to_owned(),
            },
            2 => format!("{}.name", self.creature(0)?),
            3 if depth > 0 => {
                let (left, right) = (self.plain_text(0)?, self.plain_text(0)?);
                format!("({left} + {right})")
            }
            _ => self
                .bytes
                .choose(&["\"Hit\"", "\"Miss\"", "\"\""])?
                .to_string(),
        })
    }

    pub(super) fn text(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => self.plain_text(depth)?,
            1 => match self.named(Ty::Line)? {
                Some(name) => name,
                None => "\"line\"".to_owned(),
            },
            2 => {
                let text = self.plain_text(0)?;
                let ty = self.number()?;
                format!("({text} + {})", self.value(ty, depth.min(1))?)
            }
            _ => {
                let text = self.plain_text(0)?;
                format!("({text} + {} + \"!\")", self.truth(0)?)
            }
        })
    }

    pub(super) fn ints(&mut self, depth: u32) -> Result<String> {
        Ok(match self.named(Ty::Ints)? {
            Some(name) if self.bytes.ratio(2, 3)? => name,
            _ if depth > 0 && self.bytes.ratio(1, 3)? => self.collected(Ty::Int, depth - 1)?,
            _ if depth > 0 && self.bytes.ratio(1, 6)? => {
                format!("({} + {})", self.ints(depth - 1)?, self.ints(0)?)
            }
            _ if depth > 0 && self.bytes.ratio(1, 3)? => self.derived(depth - 1)?,
            _ => {
                let (first, second) = (self.int(depth.min(1))?, self.int(0)?);
                self.list_of_two(&first, &second)?
            }
        })
    }

    pub(super) fn buff(&mut self, depth: u32) -> Result<String> {
        Ok(
            match (self.bytes.int_in_range(0..=3)?, self.named(Ty::Buff)?) {
                (0, Some(name)) => name,
                (1, _) if depth > 0 && self.bytes.ratio(1, 3)? => {
                    let (who, of) = (self.creature(0)?, self.creature(0)?);
                    format!("userOption({who}, \"Which buff?\", {of}.buffs)")
                }
                (1, _) if depth > 0 => format!("buff{{amount: {}}}", self.int(depth - 1)?),
                (2, _) => format!("{}.buffs[0]", self.creature(0)?),
                _ => format!("{}.best", self.creature(0)?),
            },
        )
    }

    fn buffs(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.ratio(1, 3)? {
            true if self.bytes.arbitrary()? => format!("list({})", self.buff(depth.min(1))?),
            true if self.bytes.ratio(1, 3)? && depth > 0 => self.collected(Ty::Buff, depth - 1)?,
            true => format!("[{},]", self.buff(depth.min(1))?),
            false => format!("{}.buffs", self.creature(0)?),
        })
    }

    pub(super) fn creature(&mut self, depth: u32) -> Result<String> {
        let name = self.named(Ty::Creature)?;
        Ok(match name {
            Some(name) if depth == 0 || self.bytes.ratio(5, 6)? => name,
            _ => {
                let (hp, best) = (self.int(0)?, self.buff(0)?);
                format!("creature{{hp: {hp}, best: {best}}}")
            }
        })
    }

    fn list_of_two(&mut self, first: &str, second: &str) -> Result<String> {
        Ok(match self.bytes.arbitrary()? {
            true => format!("list({first}, {second})"),
            false => format!("[{first}, {second}]"),
        })
    }

    /// A list by its name, or a new one.
    fn list_name(&mut self, ty: Ty, new: &str) -> Result<String> {
        Ok(self.named(ty)?.unwrap_or_else(|| new.to_owned()))
    }
}
