//! Routines from bytes: scripts that run in lanes, with small numbers, dice, branches and loops
//! that end. They have few enough states for the exact engine.

use arbitrary::{Result, Unstructured};

/// The variables of every routine.
const NAMES: [&str; 3] = ["x", "y", "z"];

/// The maximum nesting of statements.
const MAX_DEPTH: u32 = 3;

const MAX_LOOPS: u32 = 3;

const MAX_ROUNDS: u32 = 5;

/// The maximum number of lines of one text per trial.
pub const MAX_LINES: f64 = 1000.0;

/// A script with one roll, `main`, which takes no arguments.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn routine(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut writer = Writer {
        bytes,
        loops: 0,
        stats: 0,
        in_loop: false,
    };
    let mut body = String::from("x = roll(d6); y = 0; z = 3; ");
    for _ in 0..writer.bytes.int_in_range(2..=4)? {
        body += &writer.statement(0)?;
    }
    Ok(format!(
        "deftype pawn {{ order: int, worth: int }}
        defroll \"Routine\" main() {{ {body}stat(\"z\", z); return x + y; }}"
    ))
}

struct Writer<'w, 'b> {
    bytes: &'w mut Unstructured<'b>,
    /// How many loops there are.
    loops: u32,
    stats: u32,
    in_loop: bool,
}

impl Writer<'_, '_> {
    fn statement(&mut self, depth: u32) -> Result<String> {
        let kinds = if depth == MAX_DEPTH { 5 } else { 10 };
        Ok(match self.bytes.int_in_range(0..=kinds)? {
            0 => self.stat()?,
            1 => format!("output(\"{}\"); ", self.bytes.choose(&["hit", "miss"])?),
            2 | 3 => format!("{} = {}; ", self.name()?, self.dice()?),
            4 => format!("{} = {}; ", self.name()?, self.number()?),
            5 => self.way_out()?,
            6 | 7 => {
                let (then, otherwise) = (self.block(depth)?, self.block(depth)?);
                format!("if ({}) {{ {then}}} else {{ {otherwise}}} ", self.check()?)
            }
            8 => self.queue()?,
            _ if self.loops < MAX_LOOPS => self.counted(depth)?,
            _ => format!("if ({}) {{ {}}} ", self.check()?, self.block(depth)?),
        })
    }

    /// A separate statistic: the values that it records in one trial are independent, as chi-square
    /// requires.
    fn stat(&mut self) -> Result<String> {
        self.stats += 1;
        let noted = if self.in_loop {
            self.dice()?
        } else {
            self.name()?.to_owned()
        };
        Ok(format!("stat(\"s{}\", {noted}); ", self.stats))
    }

    fn block(&mut self, depth: u32) -> Result<String> {
        let count = self.bytes.int_in_range(1..=2)?;
        (0..count).map(|_| self.statement(depth + 1)).collect()
    }

    /// Records that the trial makes, in an order that it rolls.
    fn queue(&mut self) -> Result<String> {
        let direction = *self.bytes.choose(&["", " descending"])?;
        let (first, second) = (self.dice()?, self.number()?);
        let (name, order) = (self.name()?, self.dice()?);
        Ok(format!(
            "for (p : sorted(p by p.order{direction} for p : [pawn{{ order: {order}, worth: {first} }}, \
             pawn{{ order: 3, worth: {second} }}])) {{ {name} = p.worth; }} "
        ))
    }

    /// A loop that ends.
    fn counted(&mut self, depth: u32) -> Result<String> {
        self.loops += 1;
        let counter = format!("n{}", self.loops);
        let most = self.bytes.int_in_range(2..=MAX_ROUNDS)?;
        let step = self.bytes.choose(&["1", "roll(d4)", "roll(2d3)"])?;
        let outer = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(depth)?;
        self.in_loop = outer;
        Ok(format!(
            "{counter} = 0; while ({counter} < {most}) {{ {counter} += {step}; {body}}} "
        ))
    }

    /// A conditional exit from the loop, its iteration or the routine.
    fn way_out(&mut self) -> Result<String> {
        let check = self.check()?;
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => format!("if ({check}) {{ return {}; }} ", self.number()?),
            1 | 2 if self.in_loop => format!("if ({check}) {{ break; }} "),
            3 if self.in_loop => format!("if ({check}) {{ continue; }} "),
            _ => format!("if ({check}) {{ x = {}; }} ", self.dice()?),
        })
    }

    fn name(&mut self) -> Result<&'static str> {
        self.bytes.choose(&NAMES).copied()
    }

    fn dice(&mut self) -> Result<String> {
        let count = self.bytes.int_in_range(1..=3)?;
        let sides = self.bytes.choose(&[2, 3, 4, 6, 8])?;
        Ok(format!("roll({count}d{sides})"))
    }

    /// A number that stays small.
    fn number(&mut self) -> Result<String> {
        let (a, b) = (self.name()?, self.name()?);
        Ok(match self.bytes.int_in_range(0..=4)? {
            0 => self.bytes.int_in_range(0..=9)?.to_string(),
            1 => format!("max({a}, {b})"),
            2 => format!("min({a} + {}, 20)", self.dice()?),
            3 => format!("({a} > {b} ? {a} : {})", self.dice()?),
            _ => format!("max({a} - {b}, 0)"),
        })
    }

    fn check(&mut self) -> Result<String> {
        let against = self.bytes.int_in_range(2..=9)?;
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => format!("{} > {against}", self.name()?),
            1 => format!("roll(d20) + {} >= {}", self.name()?, against + 5),
            2 => format!("{} == {}", self.dice()?, against),
            _ => format!("{} <= {}", self.dice()?, self.name()?),
        })
    }
}
