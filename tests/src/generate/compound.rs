//! Compound rules from bytes: names for dice, conditions, calls, named outcomes. They are correct
//! by construction; the checker may still find dice that never stop.

use super::{NAMES, resources};
use arbitrary::{Result, Unstructured};
use dicec_lang::front::notation::Dialect;
use dicec_runtime::resource::ResourceTable;

/// A generated compound rule and the resources to run it with.
#[derive(Clone, Debug)]
pub struct CompoundCase {
    /// Its dialect.
    pub dialect: Dialect,
    /// Its text.
    pub text: String,
    /// A value for each name of [`NAMES`].
    pub resources: ResourceTable,
    /// The seed of its rolls.
    pub seed: u64,
}

/// A case from bytes.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn compound_case(bytes: &mut Unstructured<'_>) -> Result<CompoundCase> {
    let dialect = *bytes.choose(&Dialect::ALL)?;
    let resources = resources(bytes)?;
    let seed = bytes.arbitrary()?;
    let mut writer = Writer { bytes, names: 0 };
    let text = writer.rule()?;
    Ok(CompoundCase {
        dialect,
        text,
        resources,
        seed,
    })
}

const DICE: [&str; 15] = [
    "1d20",
    "2d6",
    "4d6kh3",
    "1d6!",
    "3d8ro<2",
    "{1d4, 1d6}kh1",
    "[Level]d4",
    "1d20 adv",
    "d{2..4, 9:2}",
    "3d6km1",
    "4d6 count={2,5} double=5 fail=1",
    "2d4ro<3ro=1ro<3",
    "d(2, 4) count>=3",
    "d([Level], 6)kh1",
    "{1d4, 1d6}r<3",
];

const OUTCOMES: [&str; 4] = ["miss", "weak hit", "hit", "d20"];

struct Writer<'b, 'a> {
    bytes: &'b mut Unstructured<'a>,
    /// How many names are defined so far.
    names: usize,
}

impl Writer<'_, '_> {
    fn rule(&mut self) -> Result<String> {
        let mut text = String::new();
        for name in 0..self.bytes.int_in_range(0..=2)? {
            let value = match self.bytes.ratio(1, 4)? {
                true => self.check(2)?,
                false => self.number(2)?,
            };
            text += &format!("let n{name} = {value}; ");
            self.names += 1;
        }
        let value = match self.bytes.int_in_range(0..=3)? {
            0 => format!("({}) and true", self.check(3)?),
            1 => self.outcome(3)?,
            _ => format!("0 + if(true, {}, 0)", self.number(3)?),
        };
        Ok(text + &value)
    }

    /// A name, of outcomes of which each is a text.
    fn outcome(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return Ok(format!("{:?}", self.bytes.choose(&OUTCOMES)?));
        }
        let (yes, no) = (self.outcome(depth - 1)?, self.outcome(depth - 1)?);
        Ok(match self.bytes.ratio(1, 2)? {
            true => format!("{} ? {yes} : {no}", self.check(depth - 1)?),
            false => {
                let number = self.number(depth - 1)?;
                format!("match ({number}) {{ ..6: {yes}, 7-9: \"some\", 10+: {no} }}")
            }
        })
    }

    fn check(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return Ok("true".to_owned());
        }
        let less = depth - 1;
        Ok(match self.bytes.int_in_range(0..=6)? {
            0 => format!("({} and {})", self.check(less)?, self.check(less)?),
            1 => format!("({} || {})", self.check(less)?, self.check(less)?),
            2 => format!("!({})", self.check(less)?),
            3 => format!("pathfinder.check({}, 15) >= success", self.number(less)?),
            _ => {
                let op = *self.bytes.choose(&["=", "==", "!=", "<", ">=", ">"])?;
                format!("({}) {op} {}", self.number(less)?, self.operand(less)?)
            }
        })
    }

    fn number(&mut self, depth: u32) -> Result<String> {
        if depth == 0 {
            return self.operand(0);
        }
        let less = depth - 1;
        Ok(match self.bytes.int_in_range(0..=9)? {
            0 => format!("(({}) * ({}))", self.check(less)?, self.number(less)?),
            1 => {
                let (a, b) = (self.number(less)?, self.number(less)?);
                format!("({} ? {a} : {b})", self.check(less)?)
            }
            2 => {
                let (a, b) = (self.number(less)?, self.number(less)?);
                format!("if({}, {a}, {b})", self.check(less)?)
            }
            3 => format!("-({})", self.number(less)?),
            4 => format!("max({}, {})", self.number(less)?, self.check(less)?),
            5 => format!("dnd.attack({}, [Level], 1d8 + 2)", self.number(less)?),
            _ => {
                let op = *self.bytes.choose(&["+", "-", "*"])?;
                format!("({} {op} {})", self.number(less)?, self.operand(less)?)
            }
        })
    }

    fn operand(&mut self, depth: u32) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=4)? {
            0 => format!("[{}]", self.bytes.choose(&NAMES)?),
            1 if self.names > 0 => {
                let name = self.bytes.choose_index(self.names)?;
                format!("n{name}")
            }
            2 if depth > 0 => format!("({})", self.number(depth - 1)?),
            1 | 2 => self.bytes.int_in_range(0..=20)?.to_string(),
            _ => (*self.bytes.choose(&DICE)?).to_owned(),
        })
    }
}
