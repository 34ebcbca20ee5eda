//! Scripts from bytes: programs of the rolling language that are correct by construction, with
//! arguments and players' decisions.
//!
//! Every script has the same types, two functions and one roll; their bodies are generated. Nearly
//! every generated script compiles; the checker may still find that a value is never used.

mod board;
mod choice;
mod deck;
mod expr;
mod flags;
mod rolled;
mod stmt;
mod through;
mod under;

use arbitrary::{Result, Unstructured};
use dicec_lang::hir::{CHANCE_SIDES, Policy};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use serde_json::{Value, json};
use std::fmt::Write;

/// A generated script with its arguments, policies and seed.
#[derive(Clone, Debug)]
pub struct ScriptCase {
    /// The text; its roll is called `main`.
    pub text: String,
    /// The roll's arguments.
    pub args: Value,
    /// How the options of [`OPTIONS`] are decided.
    pub policies: Vec<(&'static str, Policy)>,
    /// The seed of its rolls.
    pub seed: u64,
}

/// The options that generated scripts offer.
pub const OPTIONS: [&str; 3] = ["Reroll?", "Smite?", "Flee?"];

/// Those that are answered by a number or by an element of a list.
pub const ANSWERED: [&str; 3] = ["How many?", "Which number?", "Which buff?"];

/// Generated scripts roll under these limits.
pub const ROLL_LIMITS: RollLimits = super::LIMITS;

/// Generated scripts run under these limits, so that endless loops trap soon.
pub const LIMITS: ScriptLimits = ScriptLimits {
    fuel: 400,
    depth: 6,
    list: 9,
};

const TYPES: &str = "\
deftype buff { name: string, amount: int, active: bool = true }
enum stance { low, mid, high } succeeds from mid
enum moon { new, half, high }
flags sign { red, blue, high }
flags mark { one, two, three, four, five }
deftype creature { name: string = \"orc\", hp: int, ac: int = 12, luck: float = 1.5, buffs: buff list, best: buff, stance: stance = high, marks: mark = [two, five], blow: dice = 1d6 + 1 }
const BOLT = 2d4kh1 - 1;
const DC = 15;
const MAP = [[3, 1, 4], [1, 5, 9]];
table fate { ..0: 1, 1-6: roll(d4), 7-20: fate(roll(d10)), else: 3 }
deftype hand { dice: int list, size: int }
deffun thrown(count: int) : int list { return [roll(d3) for i : 1..count]; }
deffun same(dice: int list) : int list { return dice; }
deffun turned(dice: int list) : int list { return sorted(one by one descending for one : dice); }
deffun firsts(dice: int list, count: int) : int { return sum(dice[i] for i : 0..min(count, len(dice)) - 1); }
deffun put(dice: int list, one: int) { append(dice, one); }
table shout { 1-3: \"Hit\", 4, 6-9: \"Miss\", 5: \"\" }
";

/// The kind of value of a name in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Int,
    Float,
    Bool,
    /// A text without numbers, which can be compared.
    Text,
    /// A text that may contain numbers.
    Line,
    Ints,
    Floats,
    Buff,
    Buffs,
    Creature,
    Stance,
    Signs,
    Test,
}

impl Ty {
    const ALL: [Ty; 13] = [
        Ty::Int,
        Ty::Float,
        Ty::Bool,
        Ty::Text,
        Ty::Line,
        Ty::Ints,
        Ty::Floats,
        Ty::Buff,
        Ty::Buffs,
        Ty::Creature,
        Ty::Stance,
        Ty::Signs,
        Ty::Test,
    ];
}

/// A case from bytes.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn script_case(bytes: &mut Unstructured<'_>) -> Result<ScriptCase> {
    let text = Writer::script(bytes)?;
    let args = json!({
        "a": creature(bytes)?,
        "b": creature(bytes)?,
        "n": number(bytes)?,
        "xs": numbers(bytes)?,
        "flag": bytes.arbitrary::<bool>()?,
        "share": float(bytes)?,
        "s": *bytes.choose(&["low", "mid", "high"])?,
        "signs": *bytes.choose(&["none", "red", "red, high"])?,
    });
    let mut policies = Vec::new();
    for option in OPTIONS {
        let policy = match bytes.int_in_range(0..=2)? {
            0 => Policy::Never,
            1 => Policy::Always,
            _ => Policy::Chance(bytes.int_in_range(0..=CHANCE_SIDES)?),
        };
        policies.push((option, policy));
    }
    for option in ANSWERED {
        let policy = match bytes.int_in_range(0..=2)? {
            0 => Policy::Never,
            1 => Policy::Answer(bytes.int_in_range(0..=3)?),
            _ => Policy::Random,
        };
        policies.push((option, policy));
    }
    Ok(ScriptCase {
        text,
        args,
        policies,
        seed: bytes.arbitrary()?,
    })
}

fn number(bytes: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match bytes.int_in_range(0..=15)? {
        0 => i64::MAX,
        1 => i64::MIN,
        _ => bytes.int_in_range(-3..=12)?,
    })
}

fn float(bytes: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match bytes.int_in_range(0..=15)? {
        0 => f64::MAX,
        1 => 1e-300,
        _ => f64::from(bytes.int_in_range(-20..=40)?) / 8.0,
    })
}

fn numbers(bytes: &mut Unstructured<'_>) -> Result<Vec<i64>> {
    let count = bytes.int_in_range(0..=4)?;
    (0..count).map(|_| number(bytes)).collect()
}

fn buff(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let name = *bytes.choose(&["Bless", "Haste", ""])?;
    Ok(json!({"name": name, "amount": number(bytes)?, "active": bytes.arbitrary::<bool>()?}))
}

fn creature(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let count = bytes.int_in_range(0..=3)?;
    let buffs: Result<Vec<Value>> = (0..count).map(|_| buff(bytes)).collect();
    Ok(
        json!({"hp": number(bytes)?, "luck": float(bytes)?, "buffs": buffs?, "best": buff(bytes)?, "marks": *bytes.choose(&["", "one, two", "four"])?, "blow": *bytes.choose(&["2d4", "d6-1d3", "3", "2d6kl1+d4"])?}),
    )
}

/// Writes a script from bytes, and keeps track of the names in scope.
struct Writer<'b, 'u> {
    bytes: &'b mut Unstructured<'u>,
    text: String,
    /// The names in scope, innermost last.
    scope: Vec<(String, Ty)>,
    /// How many names have been created.
    names: usize,
    /// How many loops enclose the current position.
    loops: usize,
    /// How many more statements there may be.
    room: usize,
    /// How many functions can be called: the finished ones and the current one.
    functions: usize,
    /// Whether there are floats in it; scripts without can run in lanes.
    floats: bool,
    /// The return type of the current function.
    result: Ty,
    /// The parts that the roll returns instead, if there are any.
    parts: Vec<Ty>,
}

impl<'b, 'u> Writer<'b, 'u> {
    fn script(bytes: &'b mut Unstructured<'u>) -> Result<String> {
        let mut writer = Self {
            bytes,
            text: TYPES.to_owned(),
            scope: Vec::new(),
            names: 0,
            loops: 0,
            room: 30,
            functions: 0,
            floats: false,
            result: Ty::Int,
            parts: Vec::new(),
        };
        writer.floats = writer.bytes.ratio(1, 3)?;
        for function in 0..2 {
            writer.functions = function + 1;
            writer.line(&format!("deffun f{function}(c: creature, n: int, k: int = 2, best: buff = buff{{ amount: 3 }}) : int {{"));
            // An exit: a function that calls itself on every path is refused.
            writer.line("if (n == 0) { return 0; }");
            writer.scope = [
                ("c", Ty::Creature),
                ("n", Ty::Int),
                ("k", Ty::Int),
                ("best", Ty::Buff),
            ]
            .map(|(name, ty)| (name.to_owned(), ty))
            .into();
            writer.body(Ty::Int)?;
        }
        writer.line(
            "defroll \"Main\" main(a: creature, b: creature, n: int, xs: int list, flag: bool, share: float, s: stance, signs: sign, more: int = 4) {",
        );
        writer.scope = [
            ("a", Ty::Creature),
            ("b", Ty::Creature),
            ("n", Ty::Int),
            ("xs", Ty::Ints),
            ("flag", Ty::Bool),
            ("share", Ty::Float),
            ("s", Ty::Stance),
            ("signs", Ty::Signs),
            ("more", Ty::Int),
        ]
        .map(|(name, ty)| (name.to_owned(), ty))
        .into();
        writer.room = 30;
        let result = writer.number()?;
        if writer.bytes.ratio(1, 4)? {
            let part = |writer: &mut Self| {
                let all = [result, Ty::Int, Ty::Bool, Ty::Text, Ty::Stance];
                Ok(*writer.bytes.choose(&all)?)
            };
            writer.parts = vec![part(&mut writer)?, part(&mut writer)?];
        }
        writer.body(result)?;
        Ok(writer.text)
    }

    /// What the current function returns, before its semicolon.
    fn returned(&mut self, depth: u32) -> Result<String> {
        let parts = self.parts.clone();
        let [one, two] = parts[..] else {
            return self.value(self.result, depth);
        };
        let (one, two) = (self.value(one, depth)?, self.value(two, depth)?);
        Ok(format!("{{ one: {one}, two: {two} }}"))
    }

    /// Statements, a result and the closing brace.
    fn body(&mut self, result: Ty) -> Result<()> {
        self.result = result;
        self.block(3)?;
        let result = self.returned(2)?;
        self.line(&format!("return {result};"));
        self.line("}");
        Ok(())
    }

    fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A name of this type in scope, if there is one.
    fn named(&mut self, ty: Ty) -> Result<Option<String>> {
        let fitting: Vec<&String> = self
            .scope
            .iter()
            .filter(|(_, other)| *other == ty)
            .map(|(name, _)| name)
            .collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        Ok(Some((*self.bytes.choose(&fitting)?).clone()))
    }

    /// A call of a function, with arguments in order, by name, or left to their defaults.
    fn call(&mut self, depth: u32) -> Result<String> {
        let function = self.bytes.int_in_range(0..=self.functions - 1)?;
        let (first, second) = (self.creature(depth.min(1))?, self.int(depth)?);
        let arguments = match self.bytes.int_in_range(0..=7)? {
            0 => format!("{first}, {second}, {}", self.int(depth)?),
            1 => format!("{first}, best: {}, n: {second}", self.buff(depth.min(1))?),
            2 => format!("n: {second}, c: {first}"),
            3 => format!("{first}, k: {}, n: {second}", self.int(depth)?),
            _ => format!("{first}, {second}"),
        };
        Ok(format!("f{function}({arguments})"))
    }

    /// A type of numbers.
    fn number(&mut self) -> Result<Ty> {
        Ok(match self.floats && self.bytes.ratio(1, 3)? {
            true => Ty::Float,
            false => Ty::Int,
        })
    }

    fn new_name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }
}
