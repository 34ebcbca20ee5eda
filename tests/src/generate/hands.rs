//! Scripts about lists from bytes: lists of dice and of records that are indexed, gone through,
//! sorted, changed, passed to functions, returned by them, and kept in fields. They are small, so
//! that all their rolls can be enumerated.

use arbitrary::{Result, Unstructured};
use std::fmt::Write;

const DEFINED: &str = "\
import std.pools;
deftype bag { dice: int list, n: int = 0 }
deftype foe { hp: int, ac: int = 1 }
deffun thrown(n: int) : int list { return [roll(d3) for i : 1..n]; }
deffun same(xs: int list) : int list { return xs; }
deffun turned(xs: int list) : int list { return sorted(x by x descending for x : xs); }
deffun grown(xs: int list) : int list { append(xs, roll(d2)); return xs; }
deffun firsts(xs: int list, k: int) : int { return sum(xs[i] for i : 0..min(k, len(xs)) - 1); }
deffun put(xs: int list, n: int) { if (len(xs) < 5) { append(xs, n); } }
deffun packed(xs: int list) : bag { return bag{dice: xs}; }
deffun stands(all: foe list) : bool { return any(one.hp > 0 for one : all); }
deffun all(us: foe list) : foe list { return us; }
deffun weakest(us: foe list) : foe { return least(one by one.hp for one : us); }
deffun hit(one: foe, n: int) { one.hp -= n; }
deffun struck(us: foe list, n: int) : int { us[0].hp -= n; return us[0].hp; }
deffun turn(who: foe, them: foe list) { if (who.hp > 0 && stands(them)) { y = pick(one for one : them if one.hp > 0); y.hp -= roll(d2); } }
";

/// A script from bytes; its roll is called `main`.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn hand(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut writer = Writer {
        bytes,
        text: DEFINED.to_owned(),
        names: 0,
        loops: 0,
    };
    writer.line("defroll \"Main\" main() {");
    writer.line("n = 0; m = 1;");
    for list in ["xs", "ys"] {
        let made = writer.made()?;
        writer.line(&format!("{list} = {made};"));
    }
    let packed = writer.list(1)?;
    writer.line(&format!("b = bag{{dice: {packed}}};"));
    let foes = *writer.bytes.choose(&[
        "[foe{hp: 1}, foe{hp: 2}]",
        "[foe{hp: roll(d2)} for i : 1..2]",
        "[foe{hp: 2}; 3]",
        "[foe{hp: 2}, foe{hp: 2, ac: 2}]",
    ])?;
    writer.line(&format!("us = {foes};"));
    writer.line("them = [foe{hp: 1}, foe{hp: 2}];");
    for _ in 0..writer.bytes.int_in_range(1..=4)? {
        writer.statement(2)?;
    }
    let (first, second) = (writer.number(1)?, writer.number(1)?);
    writer.line(&format!("return n * 100 + {first} * 10 + {second};"));
    writer.line("}");
    Ok(writer.text)
}

struct Writer<'b, 'u> {
    bytes: &'b mut Unstructured<'u>,
    text: String,
    names: usize,
    loops: usize,
}

impl Writer<'_, '_> {
    fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn digit(&mut self) -> Result<u32> {
        self.bytes.int_in_range(0..=3)
    }

    fn variable(&mut self) -> Result<&'static str> {
        Ok(*self.bytes.choose(&["xs", "xs", "ys"])?)
    }

    fn foes(&mut self) -> Result<&'static str> {
        Ok(*self.bytes.choose(&["us", "us", "them", "all(us)"])?)
    }

    /// A new list of dice.
    fn made(&mut self) -> Result<String> {
        let made = [
            "[roll(d3) for i : 1..2]",
            "[roll(d2) for i : 1..3]",
            "[roll(d2), 1, roll(d3)]",
            "[roll(d3), roll(d2)]",
            "thrown(2)",
            "rollDice(2, 3)",
            "[2, 1, 3]",
        ];
        Ok((*self.bytes.choose(&made)?).to_owned())
    }

    fn list(&mut self, depth: u32) -> Result<String> {
        let least = if depth == 0 { 12 } else { 0 };
        let less = depth.saturating_sub(1);
        Ok(match self.bytes.int_in_range(least..=16)? {
            0 => format!("same({})", self.list(less)?),
            1 => format!("turned({})", self.list(less)?),
            2 => format!("sorted({})", self.list(less)?),
            3 => format!("sorted(x by -x for x : {})", self.list(less)?),
            4 => format!("({} + {})", self.list(less)?, self.variable()?),
            5 => format!("[x for x : {} if {}]", self.list(less)?, self.truth(less)?),
            6 => format!("[x * {} for x : {}]", self.digit()?, self.list(less)?),
            7 => format!("{}[0..1]", self.list(less)?),
            8 => format!("grown({})", self.list(less)?),
            9 => format!(
                "({} ? {} : {})",
                self.truth(less)?,
                self.variable()?,
                self.variable()?
            ),
            10 => format!("packed({}).dice", self.list(less)?),
            11 => format!("[x == 2 ? roll(d2) : x for x : {}]", self.list(less)?),
            12 => self.made()?,
            13 => "b.dice".to_owned(),
            _ => self.variable()?.to_owned(),
        })
    }

    fn number(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return Ok(match self.bytes.int_in_range(0..=5)? {
                0 => "n".to_owned(),
                1 => "m".to_owned(),
                2 => format!("{}[{}]", self.variable()?, self.bytes.int_in_range(0..=1)?),
                3 => format!("len({})", self.variable()?),
                4 => "roll(d2)".to_owned(),
                _ => self.digit()?.to_string(),
            });
        }
        let less = depth - 1;
        let list = self.list(less)?;
        let digit = self.digit()?;
        let range = format!("0..min({digit}, len({list})) - 1");
        Ok(match self.bytes.int_in_range(0..=25)? {
            0 => format!("sum({list})"),
            1 => format!("max({list})"),
            2 => format!("min({list})"),
            3 => format!("sum({list}[i] for i : {range})"),
            4 => format!("sum({list}[i] * i for i : {range})"),
            5 => format!("max({list}[i] - i for i : {range})"),
            6 => format!("count(x == {digit} for x : {list})"),
            7 => format!("count({list}[0] > x for x : {list})"),
            8 => format!("sum(x * {list}[0] for x : {list})"),
            9 => format!("firsts({list}, {digit})"),
            10 => format!("keepHighest({list}, {digit})"),
            11 => format!("keepLowest({list}, {digit})"),
            12 => format!("countAtLeast({list}, {digit})"),
            13 => format!("{list}[{}]", self.bytes.int_in_range(0..=1)?),
            14 => format!("most(x by x % 2 for x : {list})"),
            15 => format!("indexOf({list}, {digit})"),
            16 => format!("max(count(x == f for x : {list}) for f : 1..3)"),
            17 => format!("sum(count(y > x for y : {list}) for x : {list})"),
            18 => format!("pick({list})"),
            19 => format!("pop({list})"),
            20 => format!("sum({}[i].hp for i : 0..0)", self.foes()?),
            21 => format!("count(one.hp > {digit} for one : {})", self.foes()?),
            22 => format!("{}[0].hp", self.foes()?),
            23 => format!("weakest({}).hp", self.foes()?),
            24 => format!("struck({}, {digit})", self.foes()?),
            _ => self.number(0)?,
        })
    }

    fn truth(&mut self, depth: u32) -> Result<String> {
        let (list, digit) = (self.variable()?, self.digit()?);
        Ok(match self.bytes.int_in_range(0..=8)? {
            0 => format!("{list}[0] > {digit}"),
            1 => format!("contains({list}, {digit})"),
            2 => format!("any(x > {digit} for x : {list})"),
            3 => format!("all(x > {list}[0] for x : {list})"),
            4 => format!("any(x > {list}[i] for x : {list})").replace("[i]", "[1]"),
            5 => "roll(d2) == 1".to_owned(),
            6 => format!("stands({})", self.foes()?),
            7 => "n > 2".to_owned(),
            _ => format!("{} == {digit}", self.number(depth.min(1))?),
        })
    }

    fn statement(&mut self, depth: u32) -> Result<()> {
        let most = if depth == 0 { 15 } else { 20 };
        let line = match self.bytes.int_in_range(0..=most)? {
            0 => format!("n = n * 3 + {};", self.number(1)?),
            1 => format!("n += {};", self.number(1)?),
            2 | 3 => format!("{} = {};", self.variable()?, self.list(2)?),
            4 => format!("append({}, {});", self.variable()?, self.number(0)?),
            5 => format!("put({}, {});", self.list(0)?, self.number(0)?),
            6 => format!("sort({});", self.variable()?),
            7 => format!("sort(x by x descending for x : {});", self.variable()?),
            8 => format!("{}[0] = {};", self.variable()?, self.number(0)?),
            9 => format!("b.dice = {};", self.list(1)?),
            10 => format!("m = {};", self.number(1)?),
            11 => format!("shuffle({});", self.variable()?),
            12 => format!("insert({}, 0, {});", self.variable()?, self.number(0)?),
            13 => format!("hit(weakest({}), {});", self.foes()?, self.number(0)?),
            14 => format!("{}[0].hp -= {};", self.foes()?, self.number(0)?),
            15 => format!("stat(\"seen\", {});", self.number(1)?),
            16 => {
                let truth = self.truth(1)?;
                self.line(&format!("if ({truth}) {{"));
                self.statement(depth - 1)?;
                if self.loops > 0 && self.bytes.ratio(1, 3)? {
                    let way = *self.bytes.choose(&["break;", "continue;"])?;
                    self.line(way);
                }
                "}".to_owned()
            }
            17 | 18 => return self.for_each(depth),
            19 => return self.for_foes(depth),
            _ => {
                self.line("repeat (2) {");
                self.loops += 1;
                self.statement(depth - 1)?;
                self.loops -= 1;
                "}".to_owned()
            }
        };
        self.line(&line);
        Ok(())
    }

    /// A loop over a list of dice.
    fn for_each(&mut self, depth: u32) -> Result<()> {
        let (name, list) = (self.name(), self.list(1)?);
        self.line(&format!("for ({name} : {list}) {{"));
        self.loops += 1;
        for _ in 0..self.bytes.int_in_range(1..=2)? {
            let digit = self.digit()?;
            let line = match self.bytes.int_in_range(0..=12)? {
                0 => format!("n += {name};"),
                1 => format!("n = n * 2 + {name};"),
                2 => format!("if ({name} == {digit}) {{ n++; }}"),
                3 => format!("if ({name} == {digit}) {{ n = 7; break; }}"),
                4 => format!("n = max(n, {name});"),
                5 => format!("put({}, {name});", self.variable()?),
                6 => {
                    let list = self.variable()?;
                    format!(
                        "if (len({list}) < 5 && {name} > {digit}) {{ append({list}, {name}); }}"
                    )
                }
                7 => format!("m = {name}; n -= m;"),
                8 => format!("if (n == 0) {{ n = {name}; }}"),
                9 => {
                    let list = self.variable()?;
                    format!("if ({name} == 3) {{ append({list}, 1); }}")
                }
                10 => format!("if ({name} == {digit}) {{ continue; }} n += roll(d2);"),
                11 => format!("n += {name} * {}[0];", self.variable()?),
                _ => {
                    self.statement(depth - 1)?;
                    continue;
                }
            };
            self.line(&line);
        }
        self.loops -= 1;
        self.line("}");
        Ok(())
    }

    /// A loop over a list of records.
    fn for_foes(&mut self, depth: u32) -> Result<()> {
        let (name, list) = (self.name(), self.foes()?);
        self.line(&format!("for ({name} : {list}) {{"));
        self.loops += 1;
        let digit = self.digit()?;
        let line = match self.bytes.int_in_range(0..=12)? {
            0 => format!("turn({name}, them);"),
            1 => format!("turn({name}, us);"),
            2 => format!("{name}.hp -= roll(d2) - 1;"),
            3 => format!("if ({name}.hp > {digit}) {{ n++; }}"),
            4 => format!("n = n * 2 + {name}.hp;"),
            5 => format!(
                "if ({name}.hp > 0 && stands(them)) {{ y = weakest(them); y.hp -= {name}.ac; }}"
            ),
            6 => format!("if ({name}.hp > 0) {{ n += struck(us, 1); }}"),
            7 => format!("if ({name}.hp > {digit}) {{ hit({name}, 1); break; }}"),
            8 => format!("{name}.hp = sum(one.hp for one : us);"),
            9 => format!("if (n < 2) {{ n += {name}.hp; }}"),
            10 => format!("append(xs, {name}.hp);"),
            11 => format!("n = max(n, {name}.hp);"),
            _ => {
                self.statement(depth - 1)?;
                String::new()
            }
        };
        self.line(&line);
        self.loops -= 1;
        self.line("}");
        Ok(())
    }
}
