//! Lists of numbers in natural programs: how they are made, changed and asked.

use super::{List, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A list in scope; the last ones are the likeliest.
    pub(super) fn list(&mut self) -> Result<List> {
        if self.chance(1, 2)?
            && let Some(last) = self.lists.last()
        {
            return Ok(last.clone());
        }
        Ok(self.bytes.choose(&self.lists)?.clone())
    }

    pub(super) fn list_name(&mut self) -> Result<String> {
        Ok(self.list()?.name)
    }

    /// Declares a list.
    pub(super) fn made_list(&mut self) -> Result<()> {
        let (value, least) = self.list_value()?;
        let name = self.name();
        self.line(&format!("{name} = {value};"));
        self.lists.push(List { name, least });
        Ok(())
    }

    /// A new list, and how many elements it has at least.
    pub(super) fn list_value(&mut self) -> Result<(String, usize)> {
        if self.lists.is_empty() || self.chance(1, 3)? {
            return self.rolled_list();
        }
        let List { name, least } = self.list()?;
        let one = self.name();
        Ok(match self.number(0, 10)? {
            0 => (format!("sorted({name})"), least),
            1 => {
                let down = *self.bytes.choose(&["", " descending"])?;
                let key = *self.bytes.choose(&["", "-", "5 - ", "2 * "])?;
                let list = format!("sorted({one} by {key}{one}{down} for {one} : {name})");
                (list, least)
            }
            2 => {
                let (op, value) = (self.comparison()?, self.number(1, 4)?);
                (
                    format!("[{one} for {one} : {name} if {one} {op} {value}]"),
                    0,
                )
            }
            3 => (format!("[{one} for {one} : {name}]"), least),
            4 => {
                let change = self.change_of(&one, least)?;
                (format!("[{change} for {one} : {name}]"), least)
            }
            5 => {
                let (other, first) = (self.list()?, self.number(0, 1)?);
                let sum = match first {
                    0 => format!("{name} + {}", other.name),
                    _ => format!("{name} + [{}, 1]", self.number(1, 3)?),
                };
                (sum, least)
            }
            6 => {
                let (first, last) = (self.number(0, 1)?, self.number(1, 2)?);
                (format!("{name}[{first}..min({last}, len({name}) - 1)]"), 0)
            }
            7 => (name, least),
            8 if self.has_pools => (format!("pools.sorted({name})"), least),
            _ => self.of_helper(&name, least),
        })
    }

    /// A list of rolled numbers.
    pub(super) fn rolled_list(&mut self) -> Result<(String, usize)> {
        let count = self.number(2, 4)?;
        let Some(sides) = self.sides(count)? else {
            return Ok(("[3, 1, 2]".to_owned(), 3));
        };
        let name = self.name();
        let list = match self.number(0, 6)? {
            0 => format!("[roll(d{sides}); {count}]"),
            1 => {
                let die = format!("roll(d{sides})");
                format!("[{}]", vec![die; count as usize].join(", "))
            }
            2 if self.has_pools => format!("rollDice({count}, {sides})"),
            3 => {
                self.define("deffun pool(n: int, s: int) : int list { return [roll(d(1, s)) for i : 1..n]; }");
                format!("pool({count}, {sides})")
            }
            4 => {
                self.define("deffun gathered(n: int, s: int) : int list { xs = []; repeat (n) { append(xs, roll(d(1, s))); } return xs; }");
                format!("gathered({count}, {sides})")
            }
            _ => format!("[roll(d{sides}) for {name} : 1..{count}]"),
        };
        Ok((list, count as usize))
    }

    /// An element after a change.
    fn change_of(&mut self, one: &str, least: usize) -> Result<String> {
        let value = self.number(1, 3)?;
        // A new roll for some of the elements.
        if self.chance(1, 3)?
            && let Some(sides) = self.sides(least.max(2) as u32)?
        {
            return Ok(format!("({one} == {value} ? roll(d{sides}) : {one})"));
        }
        let op = *self.bytes.choose(&["+", "-", "*", "%"])?;
        Ok(match self.number(0, 2)? {
            0 => format!("max({one}, {value})"),
            1 => format!("min({one}, {value})"),
            _ => format!("{one} {op} {value}"),
        })
    }

    /// Something is done to a list.
    pub(super) fn changed_list(&mut self) -> Result<()> {
        if self.lists.is_empty() {
            return self.made_list();
        }
        let List { name, least } = self.list()?;
        let one = self.name();
        let value = self.int(1)?;
        let line = match self.number(0, 12)? {
            0 => format!("sort({name});"),
            1 => format!("sort({one} by {one} descending for {one} : {name});"),
            2 => format!("sort({one} by {one} % 2 for {one} : {name});"),
            3 => format!("append({name}, {value});"),
            4 => format!("insert({name}, 0, {value});"),
            5 if least > 0 => format!("{name}[{}] = {value};", self.index(least)?),
            6 if least > 0 => format!("{name}[{}] += 1;", self.index(least)?),
            7 => return self.taken(&name),
            8 if self.depth == 0 && self.shuffled(least)? => format!("shuffle({name});"),
            9 => {
                self.define(
                    "deffun doubled(xs: int list) { for (i : 0..len(xs) - 1) { xs[i] *= 2; } }",
                );
                format!("doubled({name});")
            }
            10 => {
                self.define("deffun add(xs: int list, x: int) { append(xs, x); }");
                format!("add({name}, {value});")
            }
            11 => {
                let (list, least) = self.list_value()?;
                self.shorten(least);
                format!("{name} = {list};")
            }
            _ => format!("if ({}) {{ append({name}, {value}); }}", self.truth(1)?),
        };
        self.line(&line);
        Ok(())
    }

    /// Whether the rolls of a shuffle of about this many elements are not too many.
    fn shuffled(&mut self, least: usize) -> Result<bool> {
        Ok(least < 4 && self.sides(least as u32)?.is_some())
    }

    /// Takes an element out, if there is one.
    fn taken(&mut self, name: &str) -> Result<()> {
        self.shorten(0);
        let target = self.int_name()?;
        let take = match self.number(0, 3)? {
            0 => format!("pop({name})"),
            1 if self.sides(1)?.is_some() => format!("draw({name})"),
            2 => format!("remove({name}, indexOf({name}, max({name})))"),
            _ => format!("remove({name}, 0)"),
        };
        self.line(&format!("if (len({name}) > 0) {{ {target} += {take}; }}"));
        Ok(())
    }

    /// No list is longer than this for certain: one may be known by several names.
    fn shorten(&mut self, least: usize) {
        for list in &mut self.lists {
            list.least = list.least.min(least);
        }
    }

    fn index(&mut self, least: usize) -> Result<usize> {
        self.bytes.int_in_range(0..=least - 1)
    }

    /// A number that does not depend on the order of a list, or does.
    pub(super) fn found(&mut self) -> Result<String> {
        if self.lists.is_empty() {
            return self.int_name();
        }
        let name = self.list_name()?;
        let one = self.name();
        let (value, op) = (self.number(1, 4)?, self.comparison()?);
        Ok(match self.number(0, 14)? {
            0 => format!("sum({name})"),
            1 => format!("count({one} {op} {value} for {one} : {name})"),
            2 => format!("sum({one} for {one} : {name} if {one} {op} {value})"),
            3 => format!("max({one} for {one} : {name} + [0, 1])"),
            4 => format!("min({one} for {one} : {name} + [9,])"),
            5 => format!("len({name})"),
            6 => format!("sum({one} * {one} for {one} : {name})"),
            7 => format!("max(count({one} == k for {one} : {name}) for k : 1..3)"),
            8 if self.has_pools => format!("keepHighest({name}, {})", self.number(1, 3)?),
            9 if self.has_pools => format!("keepLowest({name}, {})", self.number(1, 3)?),
            10 if self.has_pools => format!("countAtLeast({name}, {value})"),
            11 => format!("sum(count({one} == w for w : {name}) for {one} : {name})"),
            12 => format!("(any({one} {op} {value} for {one} : {name}) ? 1 : 0)"),
            13 => self.asked_helper(&name)?,
            _ => self.observed()?,
        })
    }

    /// A number that depends on the order of a list.
    pub(super) fn observed(&mut self) -> Result<String> {
        if self.lists.is_empty() {
            return self.int_name();
        }
        let List { name, least } = self.list()?;
        let one = self.name();
        Ok(match self.number(0, 6)? {
            0 if least > 0 => format!("{name}[{}]", self.index(least)?),
            1 if least > 0 => {
                let last = self.index(least)?;
                let first = self.bytes.int_in_range(0..=last)?;
                format!("sum({name}[{one}] for {one} : {first}..{last})")
            }
            2 => format!("indexOf({name}, {})", self.number(1, 3)?),
            3 => format!("(len({name}) > 1 ? {name}[len({name}) - 1] : 0)"),
            4 => format!("sum({name}[{one}] * ({one} + 1) for {one} : 0..len({name}) - 1)"),
            5 if least > 0 => format!("max({name}[{one}] for {one} : 0..{})", self.index(least)?),
            _ => format!("(len({name}) > 0 ? {name}[0] : 0)"),
        })
    }

    /// A loop over a list.
    pub(super) fn walked_list(&mut self) -> Result<()> {
        if self.lists.is_empty() {
            return self.made_list();
        }
        let name = self.list_name()?;
        let (one, target) = (self.name(), self.int_name()?);
        let (op, value) = (self.comparison()?, self.number(1, 4)?);
        let act = match self.number(0, 8)? {
            0 => format!("{target}++;"),
            1 => format!("{target} += {one};"),
            2 => format!("{target} = max({target}, {one});"),
            3 => format!("{target} = {target} * 3 + {one};"),
            4 => format!("{target} = {one}; break;"),
            5 => format!("{target} = 7; break;"),
            6 => "continue;".to_owned(),
            7 => format!("twice = {one} * 2; {target} -= twice;"),
            _ => {
                let kept = self.list_name()?;
                match kept == name {
                    true => format!("{target} -= {one};"),
                    false => format!("append({kept}, {one});"),
                }
            }
        };
        let after = match self.chance(1, 4)? {
            true => format!(" {target} += {one};"),
            false => String::new(),
        };
        let filter = match self.chance(2, 3)? {
            true => format!("if ({one} {op} {value}) {{ {act} }}{after}"),
            false => format!("{target} += {one};{after}"),
        };
        self.line(&format!("for ({one} : {name}) {{ {filter} }}"));
        Ok(())
    }
}
