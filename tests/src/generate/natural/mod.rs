//! Programs as people write them, from bytes: pools that are kept and dropped, lists that grow
//! under conditions, fighters with wounds, functions that take and return lists, library calls.
//!
//! The dice of most of them are few and small, so that brute force knows all rolls. Nearly all
//! compile.

mod crowd;
mod fighter;
mod grow;
mod helper;
mod list;
mod rule;
mod value;
mod word;

use arbitrary::{Result, Unstructured};
use std::fmt::Write;

pub use rule::natural_rule;

/// A program has at most about this many rolls of its dice.
const MAX_ROLLS: f64 = 6_000.0;

/// A program of one roll, called `main`, whose parameters have defaults.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn natural(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut writer = Writer {
        bytes,
        text: String::new(),
        before: String::new(),
        ints: Vec::new(),
        lists: Vec::new(),
        fighters: Vec::new(),
        bands: Vec::new(),
        helpers: Vec::new(),
        has_pools: false,
        names: 0,
        rolls: 1.0,
        is_large: false,
        params: Vec::new(),
        times: 1,
        depth: 0,
    };
    writer.program()
}

/// A list of whole numbers in scope.
#[derive(Clone, Debug)]
struct List {
    name: String,
    /// It has at least this many elements, as long as nothing is taken out of it.
    least: usize,
}

/// Writes a program, and keeps track of the names in scope and of the number of rolls.
struct Writer<'b, 'u> {
    bytes: &'b mut Unstructured<'u>,
    /// The statements of the roll.
    text: String,
    /// The definitions before the roll.
    before: String,
    ints: Vec<String>,
    lists: Vec<List>,
    fighters: Vec<String>,
    /// Lists of fighters.
    bands: Vec<String>,
    /// The functions that are defined.
    helpers: Vec<&'static str>,
    /// Whether `std.pools` is imported.
    has_pools: bool,
    names: usize,
    /// About how many rolls the dice so far have.
    rolls: f64,
    /// Whether dice and numbers are large: brute force does not know such programs.
    is_large: bool,
    /// The parameters of the roll.
    params: Vec<String>,
    /// How often the current statement is executed, at most.
    times: u32,
    /// How many blocks enclose it.
    depth: u32,
}

impl Writer<'_, '_> {
    fn program(&mut self) -> Result<String> {
        self.has_pools = self.chance(1, 3)?;
        self.is_large = self.chance(1, 6)?;
        if self.chance(1, 3)? {
            self.parameters()?;
        }
        let total = self.name();
        let begins = self.number(0, 2)?;
        self.line(&format!("{total} = {begins};"));
        self.ints.push(total);
        if self.chance(1, 3)? {
            self.band()?;
        }
        if self.lists.is_empty() || self.chance(2, 3)? {
            self.made_list()?;
        }
        for _ in 0..self.number(1, 6)? {
            self.statement()?;
        }
        if self.chance(1, 6)? {
            self.crowd()?;
        }
        self.result()?;
        let mut program = String::new();
        if self.has_pools {
            program.push_str("import std.pools;\n");
        }
        program.push_str(&self.before);
        let params = self.params.join(", ");
        program.push_str(&format!("defroll \"Main\" main({params}) {{\n"));
        program.push_str(&self.text);
        program.push_str("}\n");
        Ok(program)
    }

    /// Numbers and lists that are arguments.
    fn parameters(&mut self) -> Result<()> {
        for _ in 0..self.number(1, 2)? {
            let (name, value) = (self.name(), self.number(0, 4)?);
            if self.chance(1, 2)? {
                self.params.push(format!("{name}: int = {value}"));
                self.ints.push(name);
            } else {
                self.params
                    .push(format!("{name}: int list = [{value}, 2, 1]"));
                self.lists.push(List { name, least: 3 });
            }
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        match self.number(0, 18)? {
            0 => self.made_list(),
            1 | 2 => self.grown_list(),
            3..=5 => self.changed_list(),
            6 | 7 => self.walked_list(),
            8..=10 => self.added(),
            11 if self.depth < 2 => self.branch(),
            12 if self.depth < 2 => self.repeated(),
            13 if !self.bands.is_empty() => self.deed(),
            14 => self.told(),
            15 | 16 => self.words(),
            _ => self.new_number(),
        }
    }

    /// `total += value;` and its like.
    fn added(&mut self) -> Result<()> {
        let target = self.int_name()?;
        let value = self.int(2)?;
        let line = match self.number(0, 5)? {
            0 => format!("{target} = {target} * 3 + {value};"),
            1 => format!("{target} -= {value};"),
            2 => format!("{target} = max({target}, {value});"),
            3 => format!("if ({}) {{ {target} += {value}; }}", self.truth(1)?),
            _ => format!("{target} += {value};"),
        };
        self.line(&line);
        Ok(())
    }

    fn new_number(&mut self) -> Result<()> {
        let value = self.int(2)?;
        let name = self.name();
        self.line(&format!("{name} = {value};"));
        self.ints.push(name);
        Ok(())
    }

    fn branch(&mut self) -> Result<()> {
        let truth = self.truth(1)?;
        self.line(&format!("if ({truth}) {{"));
        self.block(2)?;
        if self.chance(1, 2)? {
            self.line("} else {");
            self.block(2)?;
        }
        self.line("}");
        Ok(())
    }

    fn repeated(&mut self) -> Result<()> {
        let times = self.number(2, 3)?;
        let head = match self.number(0, 2)? {
            0 => format!("repeat ({times}) {{"),
            1 => format!("for ({} : 1..{times}) {{", self.name()),
            _ => {
                let count = self.name();
                self.line(&format!("{count} = 0;"));
                self.line(&format!("while ({count} < {times}) {{"));
                format!("{count}++;")
            }
        };
        self.line(&head);
        self.times *= times;
        self.block(3)?;
        self.times /= times;
        self.line("}");
        Ok(())
    }

    /// Up to `most` statements, whose names are gone afterwards.
    fn block(&mut self, most: u32) -> Result<()> {
        let (ints, lists) = (self.ints.len(), self.lists.len());
        self.depth += 1;
        for _ in 0..self.number(1, most)? {
            self.statement()?;
        }
        self.depth -= 1;
        self.ints.truncate(ints);
        self.lists.truncate(lists);
        Ok(())
    }

    /// A line or a number that is noted.
    fn told(&mut self) -> Result<()> {
        let value = self.int(1)?;
        let truth = self.truth(1)?;
        let line = match self.number(0, 3)? {
            0 => format!("output(\"Rolled \" + {value});"),
            1 => format!("if ({truth}) {{ output(\"Hit\"); }}"),
            2 => format!("if ({truth}) {{ stat(\"seen\", {value}); }}"),
            _ => format!("stat(\"seen\", {value});"),
        };
        self.line(&line);
        Ok(())
    }

    /// What the roll returns: a number, a truth value, a text or a constant.
    fn result(&mut self) -> Result<()> {
        let value = self.int(2)?;
        let line = match self.number(0, 9)? {
            0 => format!("return {};", self.truth(2)?),
            1 => {
                self.define("enum outcome { miss, hit, crit }");
                format!("return match ({value}) {{ ..2: miss, 3..6: outcome.hit, else: crit }};")
            }
            2 => format!("return {} * 100 + {value};", self.int_name()?),
            3 => format!("return {} + {value};", self.observed()?),
            4 => {
                let (other, truth) = (self.int_name()?, self.truth(1)?);
                format!("return {{ total: {value}, other: {other}, met: {truth} }};")
            }
            _ => format!("return {value} + {};", self.int_name()?),
        };
        self.line(&line);
        Ok(())
    }

    /// Defines this before the roll, once.
    fn define(&mut self, text: &'static str) {
        if !self.helpers.contains(&text) {
            self.helpers.push(text);
            // Writing to a String cannot fail.
            let _ = writeln!(self.before, "{text}");
        }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn number(&mut self, least: u32, most: u32) -> Result<u32> {
        self.bytes.int_in_range(least..=most)
    }

    fn chance(&mut self, numerator: u32, denominator: u32) -> Result<bool> {
        self.bytes.ratio(numerator, denominator)
    }

    /// Sides for `count` dice that are rolled here, if there may be as many more rolls.
    fn sides(&mut self, count: u32) -> Result<Option<u32>> {
        if self.is_large {
            return Ok(Some(*self.bytes.choose(&[4, 6, 8, 10, 20])?));
        }
        let sides = self.number(2, 4)?;
        let more = f64::from(sides).powi((count * self.times).min(60) as i32);
        if self.rolls * more > MAX_ROLLS {
            return Ok(None);
        }
        self.rolls *= more;
        Ok(Some(sides))
    }
}
