//! A call of one of the functions: what it asks, of which rule, and what its resources are called.
//! It is read from the types and the constants of its arguments, when a statement is planned and
//! again when it runs, so that both see the same.

use crate::error::SqlError;
use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::common::ScalarValue;
use std::ops::RangeInclusive;

/// Trials that a simulation may have, as for the command.
const TRIALS: RangeInclusive<i128> = 1..=1_000_000_000_000;

/// One of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Mean,
    P,
    Quantile,
    Odds,
    Sim,
    Encounter,
}

impl Function {
    pub(crate) const ALL: [Self; 6] = [
        Self::Mean,
        Self::P,
        Self::Quantile,
        Self::Odds,
        Self::Sim,
        Self::Encounter,
    ];

    /// Its name in SQL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mean => "dice_mean",
            Self::P => "dice_p",
            Self::Quantile => "dice_quantile",
            Self::Odds => "dice_odds",
            Self::Sim => "dice_sim",
            Self::Encounter => "dice_encounter",
        }
    }

    /// How it is called.
    pub(crate) fn usage(self) -> &'static str {
        match self {
            Self::Mean => "dice_mean(rule, resources...)",
            Self::P => "dice_p(rule, resources...)",
            Self::Quantile => "dice_quantile(rule, q, resources...)",
            Self::Odds => "dice_odds(rule, resources...)",
            Self::Sim => "dice_sim(rule, trials, seed, resources...)",
            Self::Encounter => {
                "dice_encounter('4 Veteran vs 6 Goblin', trials, seed), or with a column for each \
                 side: dice_encounter(party, monsters, trials, seed)"
            }
        }
    }
}

/// An argument: its type, and its value if that is the same for each row.
#[derive(Clone, Copy)]
pub(crate) struct Argument<'a> {
    pub(crate) ty: &'a DataType,
    pub(crate) value: Option<&'a ScalarValue>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asked {
    Mean,
    P,
    /// The bits of the share below the quantile.
    Quantile(u64),
    Odds,
    Sim {
        trials: u64,
        seed: u64,
    },
    /// An encounter whose sides are in one text, or in one each.
    Encounter {
        sides: usize,
        trials: u64,
        seed: u64,
    },
}

/// What is known of a call before its rows. Equal calls are answered together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) function: Function,
    pub(crate) asked: Asked,
    /// The rule, if it is the same for each row.
    pub(crate) rule: Option<String>,
    pub(crate) resources: Resources,
    /// The first argument that holds a resource.
    pub(crate) first: usize,
}

/// How the resources are given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Resources {
    /// One after the other, in the order in which the rule names them.
    InOrder(usize),
    /// By these names, as fields of a structure.
    Named(Vec<String>),
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    /// Arguments that are missing, too many, or of the wrong type.
    pub(crate) fn new(function: Function, arguments: &[Argument<'_>]) -> Result<Self, SqlError> {
        let reader = Reader {
            function,
            arguments,
        };
        let rule = reader.text(0, "rule")?;
        let (asked, first) = match function {
            Function::Mean => (Asked::Mean, 1),
            Function::P => (Asked::P, 1),
            Function::Odds => (Asked::Odds, 1),
            Function::Quantile => (Asked::Quantile(reader.share(1)?.to_bits()), 2),
            Function::Sim => {
                let (trials, seed) = reader.simulation(1)?;
                (Asked::Sim { trials, seed }, 3)
            }
            Function::Encounter => {
                let sides = match arguments.get(1) {
                    Some(second) if is_text(second.ty) => 2,
                    _ => 1,
                };
                let (trials, seed) = reader.simulation(sides)?;
                let asked = Asked::Encounter {
                    sides,
                    trials,
                    seed,
                };
                (asked, sides + 2)
            }
        };
        Ok(Self {
            function,
            asked,
            rule: rule.filter(|_| function != Function::Encounter),
            resources: reader.resources(first)?,
            first,
        })
    }

    /// How many arguments are sides of an encounter.
    pub(crate) fn sides(&self) -> usize {
        match self.asked {
            Asked::Encounter { sides, .. } => sides,
            _ => 0,
        }
    }

    /// Whether each row has its own rule.
    pub(crate) fn has_rule_column(&self) -> bool {
        self.rule.is_none() && self.function != Function::Encounter
    }

    /// What the rule of the call is called in messages.
    pub(crate) fn origin(&self) -> String {
        format!("the rule of {}", self.function.name())
    }
}

/// Reads the arguments of a call.
struct Reader<'a> {
    function: Function,
    arguments: &'a [Argument<'a>],
}

impl<'a> Reader<'a> {
    fn get(&self, index: usize, what: &str) -> Result<&'a Argument<'a>, SqlError> {
        self.arguments.get(index).ok_or_else(|| {
            let message = format!("{} lacks its {what}", self.function.name());
            SqlError::call(message, self.help())
        })
    }

    fn help(&self) -> String {
        format!("call it like this: {}", self.function.usage())
    }

    fn wrong(&self, index: usize, why: &str) -> SqlError {
        let message = format!("argument {} of {} {why}", index + 1, self.function.name());
        SqlError::call(message, self.help())
    }

    /// A text, if it is the same for each row.
    fn text(&self, index: usize, what: &str) -> Result<Option<String>, SqlError> {
        let argument = self.get(index, what)?;
        if !is_text(argument.ty) {
            let why = format!("is {}, but the {what} is a text", argument.ty);
            return Err(self.wrong(index, &why));
        }
        let value = argument
            .value
            .and_then(|value| value.try_as_str().flatten());
        Ok(value.map(str::to_owned))
    }

    /// What is the same for each row.
    fn constant(&self, index: usize, what: &str) -> Result<&'a ScalarValue, SqlError> {
        let argument = self.get(index, what)?;
        let why = format!("is to be a number, the same {what} for each row");
        match argument.value {
            Some(value) if !value.is_null() => Ok(value),
            _ => Err(self.wrong(index, &why)),
        }
    }

    fn whole(
        &self,
        index: usize,
        what: &str,
        range: RangeInclusive<i128>,
    ) -> Result<u64, SqlError> {
        let value = whole(self.constant(index, what)?).filter(|value| range.contains(value));
        let value = value.and_then(|value| u64::try_from(value).ok());
        value.ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            let why = format!("is to be the {what}, a whole number from {first} to {last}");
            self.wrong(index, &why)
        })
    }

    /// The trials and the seed of a simulation.
    fn simulation(&self, first: usize) -> Result<(u64, u64), SqlError> {
        let trials = self.whole(first, "number of trials", TRIALS)?;
        let seed = self.whole(first + 1, "seed", 0..=i128::from(u64::MAX))?;
        Ok((trials, seed))
    }

    /// A number between 0 and 1.
    fn share(&self, index: usize) -> Result<f64, SqlError> {
        let value = self.constant(index, "quantile")?;
        let share = value.cast_to(&DataType::Float64).ok();
        let share = share.and_then(|share| match share {
            ScalarValue::Float64(share) => share.filter(|share| *share > 0.0 && *share < 1.0),
            _ => None,
        });
        share.ok_or_else(|| {
            let why = "is to be the quantile, a number between 0 and 1, such as 0.95";
            self.wrong(index, why)
        })
    }

    fn resources(&self, first: usize) -> Result<Resources, SqlError> {
        let rest = self.arguments.get(first..).unwrap_or_default();
        if let [
            Argument {
                ty: DataType::Struct(fields),
                ..
            },
        ] = rest
        {
            self.named(first, fields)?;
            let names = fields.iter().map(|field| field.name().clone());
            return Ok(Resources::Named(names.collect()));
        }
        for (index, argument) in rest.iter().enumerate() {
            if matches!(argument.ty, DataType::Struct(_)) {
                let why = "has names, but other resources have none; put all of them into it";
                return Err(self.wrong(first + index, why));
            }
            self.cell(first + index, argument.ty, "a resource")?;
        }
        Ok(Resources::InOrder(rest.len()))
    }

    fn named(&self, index: usize, fields: &Fields) -> Result<(), SqlError> {
        for field in fields {
            self.cell(
                index,
                field.data_type(),
                &format!("`{}` in it", field.name()),
            )?;
        }
        Ok(())
    }

    /// Refuses what no cell of a table can be.
    fn cell(&self, index: usize, ty: &DataType, what: &str) -> Result<(), SqlError> {
        let of_encounter = self.function == Function::Encounter && *ty == DataType::Boolean;
        let value = match ty {
            DataType::Dictionary(_, of) => of.as_ref(),
            ty => ty,
        };
        if is_text(value) || value.is_numeric() || *value == DataType::Null || of_encounter {
            return Ok(());
        }
        let why = format!("gives {what} as {ty}, but it is to be a number, or a text with one");
        Err(self.wrong(index, &why))
    }
}

/// Whether a type holds texts. A null without a type may stand for one.
fn is_text(ty: &DataType) -> bool {
    match ty {
        DataType::Dictionary(_, of) => is_text(of),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        _ => false,
    }
}

/// A whole number.
fn whole(value: &ScalarValue) -> Option<i128> {
    Some(match *value {
        ScalarValue::Int8(value) => value?.into(),
        ScalarValue::Int16(value) => value?.into(),
        ScalarValue::Int32(value) => value?.into(),
        ScalarValue::Int64(value) => value?.into(),
        ScalarValue::UInt8(value) => value?.into(),
        ScalarValue::UInt16(value) => value?.into(),
        ScalarValue::UInt32(value) => value?.into(),
        ScalarValue::UInt64(value) => value?.into(),
        _ => return None,
    })
}
