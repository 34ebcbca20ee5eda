//! Values of resources in requests: numbers, or dice as text.

use crate::wrong::Wrong;
use dicec_compiler::unstable::DiceResources;
use dicec_compiler::{Compiler, ResourceName, ResourceTable};
use dicec_lang::syntax::Sources;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The resources of a rule or a script by their names: `{"Attack": 5, "Damage": "2d6"}`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Resources(Map<String, Value>);

/// The numbers among resources, and the dice.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) table: ResourceTable,
    pub(crate) dice: DiceResources,
    /// Whether any of them is dice.
    pub(crate) has_dice: bool,
}

impl Resources {
    /// Those of a query.
    #[cfg(feature = "native")]
    pub(crate) fn new(all: Map<String, Value>) -> Self {
        Self(all)
    }

    /// The names and values as they are given.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The resources as a compiler takes them.
    ///
    /// # Errors
    /// What is neither a number nor text, or what is wrong with dice.
    pub(crate) fn read(&self, compiler: &Compiler) -> Result<Given, Wrong> {
        let mut given = Given::default();
        let all = self.0.iter();
        Wrong::any(all.map(|(name, value)| given.set(compiler, name, value)))?;
        Ok(given)
    }
}

impl Given {
    fn set(&mut self, compiler: &Compiler, name: &str, value: &Value) -> Result<(), Wrong> {
        let resource = ResourceName::parse(name);
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.trim().to_owned(),
            _ => {
                let message = format!("the resource [{name}] is neither a number nor dice");
                let help = "write 5, or \"2d6+3\"";
                return Err(Wrong::request(message, help));
            }
        };
        if let Ok(number) = text.parse() {
            self.table.set(resource, number);
            return Ok(());
        }
        self.has_dice = true;
        let set = compiler.set_dice(&mut self.dice, resource, &text);
        set.map_err(|found| Wrong::found(&found, &Sources::single(format!("[{name}]"), &text)))
    }
}
