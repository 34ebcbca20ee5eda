//! Scripts whose players decide much: few dice with few sides, so that brute force knows the best
//! play. Decisions are in loops, functions and conditions, and about numbers, lists and records.

use arbitrary::{Result, Unstructured};
use std::fmt::Write;

const TYPES: &str = "deftype hero { name: string, hp: int, luck: int = 1 }\n";

/// The variables that are numbers.
const NUMBERS: [&str; 3] = ["a", "b", "c"];

/// A script from bytes; its roll is called `main` and takes no arguments.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn decisions(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut writer = Writer {
        bytes,
        text: TYPES.to_owned(),
        room: 9,
        random: 6,
        in_function: true,
        loops: 0,
    };
    writer.function()?;
    writer.in_function = false;
    writer.room = 12;
    writer.roll()?;
    Ok(writer.text)
}

struct Writer<'b, 'u> {
    bytes: &'b mut Unstructured<'u>,
    text: String,
    /// How many more statements there may be.
    room: u32,
    /// How many more dice and decisions there may be.
    random: u32,
    in_function: bool,
    loops: u32,
}

impl Writer<'_, '_> {
    fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn function(&mut self) -> Result<()> {
        self.line("deffun f(a: int, h: hero) : int {");
        self.line("b = 1; c = a - 1; list = [a, 2];");
        self.block(2)?;
        let result = self.number(2)?;
        self.line(&format!("return {result};\n}}"));
        Ok(())
    }

    fn roll(&mut self) -> Result<()> {
        self.line("defroll \"Main\" main() {");
        self.line("a = 0; b = 2; c = 1; list = [1, 3]; h = hero{ name: \"Ann\", hp: 4 }; g = hero{ name: \"Bob\", hp: 3 };");
        self.block(3)?;
        let result = self.number(2)?;
        self.line("stat(\"noted\", b);");
        self.line(&format!("return {result} + a + h.hp - c;\n}}"));
        Ok(())
    }

    fn block(&mut self, depth: u32) -> Result<()> {
        for _ in 0..self.bytes.int_in_range(1..=4)? {
            if self.room == 0 {
                break;
            }
            self.room -= 1;
            self.statement(depth)?;
        }
        Ok(())
    }

    fn statement(&mut self, depth: u32) -> Result<()> {
        let kind = match depth {
            0 => self.bytes.int_in_range(0..=6)?,
            _ => self.bytes.int_in_range(0..=12)?,
        };
        let name = *self.bytes.choose(&NUMBERS)?;
        match kind {
            0 | 1 => {
                let value = self.number(2)?;
                self.line(&format!("{name} = {value};"));
            }
            2 => {
                let value = self.number(1)?;
                self.line(&format!("{name} += {value};"));
            }
            3 => {
                let (hero, value) = (self.hero()?, self.number(1)?);
                self.line(&format!("{hero}.hp -= {value};"));
            }
            4 => {
                let value = self.number(1)?;
                self.line(&format!("append(list, {value});"));
            }
            5 => {
                let value = self.number(1)?;
                self.line(&format!("stat(\"noted\", {value});"));
            }
            6 if self.bytes.arbitrary()? => {
                let value = self.number(1)?;
                self.line(&format!("if ({value} > 3) {{ return {name}; }}"));
            }
            6 => {
                let value = self.number(1)?;
                self.line(&format!("list[0] = {value};"));
            }
            7..=9 => {
                let truth = self.truth(1)?;
                self.line(&format!("if ({truth}) {{"));
                self.block(depth - 1)?;
                if self.bytes.arbitrary()? {
                    self.line("} else {");
                    self.block(depth - 1)?;
                }
                self.line("}");
            }
            10 => {
                self.line("for (i : 1..2) {");
                self.line(&format!("{name} += i;"));
                self.loops += 1;
                self.block(depth - 1)?;
                if self.bytes.ratio(1, 3)? {
                    let truth = self.truth(1)?;
                    let word = *self.bytes.choose(&["break", "continue"])?;
                    self.line(&format!("if ({truth}) {{ {word}; }}"));
                }
                self.line("c -= 1;");
                self.loops -= 1;
                self.line("}");
            }
            11 => {
                self.line("for (e : list) {");
                self.line(&format!("{name} += e;"));
                self.loops += 1;
                self.random = self.random.saturating_sub(1);
                self.block(0)?;
                self.loops -= 1;
                // Appending to it would go on.
                self.line("if (len(list) > 3) { break; }\n}");
            }
            _ => {
                self.line(&format!("n{} = 0;", self.room));
                let truth = self.truth(0)?;
                self.line(&format!(
                    "while (n{0} < 2 && {truth}) {{ n{0}++;",
                    self.room
                ));
                self.loops += 1;
                let outer = self.room;
                self.block(depth - 1)?;
                self.room = self.room.min(outer);
                self.loops -= 1;
                self.line("}");
            }
        }
        Ok(())
    }

    fn hero(&mut self) -> Result<&'static str> {
        match self.in_function {
            true => Ok("h"),
            false => Ok(*self.bytes.choose(&["h", "g"])?),
        }
    }

    /// Whether one more die or decision may be written: in a loop, each counts twice.
    fn may_be_random(&mut self) -> bool {
        let cost = 1 + self.loops;
        let may = self.random >= cost;
        if may {
            self.random -= cost;
        }
        may
    }

    fn truth(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=4)? {
            0..=2 if self.may_be_random() => {
                let who = self.who()?;
                format!(
                    "userOption({who}\"Yes {}?\")",
                    self.bytes.int_in_range(0..=2)?
                )
            }
            3 if depth > 0 => {
                let (left, right) = (self.truth(depth - 1)?, self.truth(depth - 1)?);
                let op = *self.bytes.choose(&["&&", "||"])?;
                format!("({left} {op} {right})")
            }
            _ => {
                let op = *self.bytes.choose(&["<", ">=", "=="])?;
                let (left, right) = (self.number(0)?, self.number(0)?);
                format!("({left} {op} {right})")
            }
        })
    }

    fn who(&mut self) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=2)? {
            0 => format!("{}, ", self.hero()?),
            1 => "\"Bob\", ".to_owned(),
            _ => String::new(),
        })
    }

    fn number(&mut self, depth: u32) -> Result<String> {
        let kind = match depth {
            0 => self.bytes.int_in_range(0..=6)?,
            _ => self.bytes.int_in_range(0..=11)?,
        };
        Ok(match kind {
            0 | 1 => (*self.bytes.choose(&NUMBERS)?).to_owned(),
            2 => self.bytes.int_in_range(-2..=4)?.to_string(),
            3 => format!("{}.hp", self.hero()?),
            4 => "list[len(list) - 1]".to_owned(),
            5 if self.may_be_random() => {
                format!(
                    "roll({}d{})",
                    self.bytes.int_in_range(1..=2)?,
                    self.bytes.int_in_range(2..=3)?
                )
            }
            6 if self.may_be_random() => {
                let who = self.who()?;
                match self.bytes.arbitrary()? {
                    true => format!(
                        "userOption({who}\"How many?\", 1..{})",
                        self.bytes.int_in_range(2..=3)?
                    ),
                    false => format!("userOption({who}\"Which?\", list)"),
                }
            }
            7 if !self.in_function && self.may_be_random() => {
                format!("f({}, {})", self.number(depth - 1)?, self.hero()?)
            }
            8 if self.may_be_random() => {
                let (one, two) = (self.number(0)?, self.number(0)?);
                format!(
                    "userOption(\"Whose?\", [hero{{ name: \"x\", hp: {one} }}, hero{{ name: \"y\", hp: {two} }}]).hp"
                )
            }
            9 if depth > 0 => {
                let truth = self.truth(depth - 1)?;
                format!(
                    "({truth} ? {} : {})",
                    self.number(depth - 1)?,
                    self.number(depth - 1)?
                )
            }
            10 => "sum(e for e : list if e > 1)".to_owned(),
            _ if depth > 0 => {
                let op = *self.bytes.choose(&["+", "-", "*"])?;
                format!(
                    "({} {op} {})",
                    self.number(depth - 1)?,
                    self.number(depth - 1)?
                )
            }
            _ => "1".to_owned(),
        })
    }
}
