//! Statements of generated scripts. Loops count their iterations, so that most of them end.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// Some statements; the names that they declare go out of scope.
    pub(super) fn block(&mut self, depth: u32) -> Result<()> {
        let outer = self.scope.len();
        let count = self.bytes.int_in_range(1..=4)?;
        for _ in 0..count {
            if self.room == 0 {
                break;
            }
            self.room -= 1;
            self.stmt(depth)?;
        }
        self.scope.truncate(outer);
        Ok(())
    }

    fn stmt(&mut self, depth: u32) -> Result<()> {
        let kind = match depth {
            0 => self.bytes.int_in_range(0..=9)?,
            _ => self.bytes.int_in_range(0..=21)?,
        };
        match kind {
            0 | 1 => self.declare()?,
            2 | 3 => self.assign()?,
            4 => self.field()?,
            5 => {
                let line = self.text(1)?;
                self.line(&format!("output({line});"));
            }
            6 => {
                let name = match self.bytes.ratio(1, 3)? {
                    true => self.text(1)?,
                    false => format!("\"{}\"", self.bytes.choose(&["rounds", "damage"])?),
                };
                let ty = self.number()?;
                let value = self.value(ty, 1)?;
                self.line(&format!("stat({name}, {value});"));
            }
            7 => self.list_change()?,
            8 => {
                let call = self.call(1)?;
                let name = self.new_name();
                self.line(&format!("{name} = {call};"));
                self.scope.push((name, Ty::Int));
            }
            9 => {
                self.line("startGroup();");
                let line = self.text(1)?;
                self.line(&format!("output({line});"));
                self.line("endGroup();");
            }
            10..=12 => self.choice(depth)?,
            13 => self.counted_loop(depth)?,
            16 | 17 => self.match_blocks(depth)?,
            18 => self.attacks()?,
            19 => self.deck()?,
            20 => self.board()?,
            21 => self.rolled()?,
            _ => self.for_loop(depth)?,
        }
        Ok(())
    }

    fn declare(&mut self) -> Result<()> {
        let ty = match *self.bytes.choose(&Ty::ALL)? {
            Ty::Float | Ty::Floats if !self.floats => Ty::Int,
            ty => ty,
        };
        let value = self.value(ty, 2)?;
        let name = self.new_name();
        let word = *self.bytes.choose(&["", "let "])?;
        self.line(&format!("{word}{name} = {value};"));
        self.scope.push((name, ty));
        Ok(())
    }

    fn assign(&mut self) -> Result<()> {
        let place = self.bytes.choose_index(self.scope.len())?;
        let (name, ty) = self.scope[place].clone();
        if ty == Ty::Float && !self.floats {
            return Ok(());
        }
        let value = self.value(ty, 2)?;
        let line = match ty {
            Ty::Int => match self.bytes.int_in_range(0..=3)? {
                0 => format!("{name}++;"),
                1 => format!("{name}--;"),
                2 => {
                    let op = *self.bytes.choose(&["+=", "-=", "*=", "/="])?;
                    format!("{name} {op} {value};")
                }
                _ => format!("{name} = {value};"),
            },
            Ty::Float if self.bytes.arbitrary()? => {
                let op = *self.bytes.choose(&["+=", "-=", "*=", "/="])?;
                format!("{name} {op} {value};")
            }
            Ty::Signs => {
                let op = *self.bytes.choose(&["=", "+=", "-="])?;
                format!("{name} {op} {value};")
            }
            Ty::Line => format!("{name} += {value};"),
            _ => format!("{name} = {value};"),
        };
        self.line(&line);
        Ok(())
    }

    fn field(&mut self) -> Result<()> {
        let creature = self.creature(0)?;
        let line = match self.bytes.int_in_range(0..=8)? {
            8 => format!(
                "if ({creature}.hp > 0) {{ {creature}.hp -= {}; }}",
                self.int(2)?
            ),
            7 => format!("{creature}.marks {};", self.marked()?),
            6 => format!("{creature}.stance = high;"),
            0 => format!("{creature}.hp -= {};", self.int(2)?),
            1 => format!("{creature}.best = {};", self.buff(1)?),
            2 => format!("{creature}.best.amount = {};", self.int(2)?),
            4 if self.floats => format!("{creature}.luck *= {};", self.float(1)?),
            3 => format!("{creature}.name = {};", self.plain_text(1)?),
            _ => format!("{creature}.buffs[0].amount += {};", self.int(1)?),
        };
        self.line(&line);
        Ok(())
    }

    fn list_change(&mut self) -> Result<()> {
        if let (Some(name), true) = (self.named(Ty::Floats)?, self.bytes.arbitrary()?) {
            let value = self.float(1)?;
            let line = match self.bytes.arbitrary()? {
                true => format!("append({name}, {value});"),
                false => format!("{name}[0] += {value};"),
            };
            self.line(&line);
            return Ok(());
        }
        let name = self.named(Ty::Ints)?;
        let line = match (name, self.bytes.arbitrary()?) {
            (Some(name), true) if self.bytes.arbitrary()? => self.changed(&name)?,
            (Some(name), true) => format!("append({name}, {});", self.int(1)?),
            (Some(name), false) => format!("{name}[0] = {};", self.int(1)?),
            (None, _) => format!("append({}.buffs, {});", self.creature(0)?, self.buff(1)?),
        };
        self.line(&line);
        Ok(())
    }

    fn choice(&mut self, depth: u32) -> Result<()> {
        let condition = self.truth(2)?;
        self.line(&format!("if ({condition}) {{"));
        self.block(depth - 1)?;
        if self.bytes.ratio(1, 3)? {
            self.way_out()?;
        }
        if self.bytes.arbitrary()? {
            self.line("} else {");
            self.block(depth - 1)?;
        }
        self.line("}");
        Ok(())
    }

    /// Leaves a loop or the function; nothing may follow in its block.
    fn way_out(&mut self) -> Result<()> {
        let line = match (self.loops > 0, self.bytes.int_in_range(0..=2)?) {
            (true, 0) => "break;".to_owned(),
            (true, 1) => "continue;".to_owned(),
            _ => {
                let result = self.returned(1)?;
                format!("return {result};")
            }
        };
        self.line(&line);
        Ok(())
    }

    fn counted_loop(&mut self, depth: u32) -> Result<()> {
        let name = self.new_name();
        let most = self.bytes.int_in_range(0..=4)?;
        let condition = self.truth(1)?;
        self.line(&format!("{name} = 0;"));
        self.line(&format!("while ({name} < {most} && {condition}) {{"));
        self.line(&format!("{name}++;"));
        self.scope.push((name, Ty::Int));
        self.inside_loop(depth)
    }

    fn for_loop(&mut self, depth: u32) -> Result<()> {
        let name = self.new_name();
        let (list, ty) = match self.bytes.int_in_range(0..=8)? {
            0 | 1 => (self.ints(1)?, Ty::Int),
            5 => {
                let count = self.bound()?;
                self.line(&format!("repeat ({count}) {{"));
                return self.inside_loop(depth);
            }
            6..=8 => (format!("{}..{}", self.bound()?, self.bound()?), Ty::Int),
            2 if self.floats => (self.floats(1)?, Ty::Float),
            _ => (format!("{}.buffs", self.creature(0)?), Ty::Buff),
        };
        self.line(&format!("for ({name} : {list}) {{"));
        let outer = self.scope.len();
        self.scope.push((name, ty));
        self.inside_loop(depth)?;
        self.scope.truncate(outer);
        Ok(())
    }

    /// Attacks on hit points that a variable or a creature has.
    fn attacks(&mut self) -> Result<()> {
        let natural = self.new_name();
        let target = match self.bytes.arbitrary()? {
            true => format!("{}.hp", self.creature(0)?),
            false => {
                let (left, value) = (self.new_name(), self.int(1)?);
                self.line(&format!("{left} = {value};"));
                self.scope.push((left.clone(), Ty::Int));
                left
            }
        };
        let (times, bonus) = (self.bytes.int_in_range(1..=2)?, self.int(0)?);
        let strike = format!("{target} -= roll(2d2);");
        self.line(&format!("repeat ({times}) {{ {natural} = roll(d3);"));
        self.line(&format!("if ({natural} == 3) {{ {strike} }}"));
        let hits = format!("{natural} + {bonus} >= 3");
        self.line(&format!("else if ({hits}) {{ {target} -= roll(d3); }} }}"));
        Ok(())
    }

    /// A bound of a loop that counts, most often a small one.
    pub(super) fn bound(&mut self) -> Result<String> {
        match self.bytes.ratio(1, 3)? {
            true => self.int(1),
            false => Ok(self.bytes.int_in_range(0..=4)?.to_string()),
        }
    }

    fn inside_loop(&mut self, depth: u32) -> Result<()> {
        self.loops += 1;
        self.block(depth - 1)?;
        self.loops -= 1;
        self.line("}");
        Ok(())
    }
}
