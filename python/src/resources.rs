//! Resources from a mapping and from keywords: numbers, or dice as text.

use crate::error::{Answered, Wrong};
use crate::value::type_error;
use dicec_compiler::unstable::DiceResources;
use dicec_compiler::{Compiler, ResourceName, ResourceTable};
use dicec_lang::syntax::Sources;
use dicec_runtime::scale::Shortest;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyMapping, PyString};

/// The numbers among resources, and the dice.
#[derive(Default)]
pub(crate) struct Resources {
    pub(crate) table: ResourceTable,
    pub(crate) dice: DiceResources,
    /// Whether any of them is dice.
    pub(crate) has_dice: bool,
}

impl Resources {
    /// The resources of a mapping, and over it those of keywords.
    ///
    /// # Errors
    /// `TypeError` for what is neither a number nor text, or what is wrong with dice.
    pub(crate) fn new(
        compiler: &Compiler,
        given: Option<&Bound<'_, PyMapping>>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> Answered<Self> {
        let mut all = Self::default();
        if let Some(given) = given {
            for pair in given.items()? {
                let (name, value): (String, Bound<'_, PyAny>) = pair.extract()?;
                all.set(compiler, &name, &value)?;
            }
        }
        for (name, value) in named.into_iter().flatten() {
            all.set(compiler, &name.extract::<String>()?, &value)?;
        }
        Ok(all)
    }

    fn set(&mut self, compiler: &Compiler, name: &str, value: &Bound<'_, PyAny>) -> Answered<()> {
        let resource = ResourceName::parse(name);
        let text = if let Ok(text) = value.cast::<PyString>() {
            text.to_string()
        } else if let Ok(float) = value.cast::<PyFloat>() {
            Shortest(float.extract()?).to_string()
        } else if value.is_instance_of::<PyBool>() || !value.hasattr("__index__")? {
            let what = format!("the resource [{name}]");
            return Err(type_error(&what, "a number, or dice as text", value).into());
        } else {
            self.number(resource, value.extract()?);
            return Ok(());
        };
        if let Ok(number) = text.trim().parse() {
            self.number(resource, number);
            return Ok(());
        }
        self.has_dice = true;
        let shown = format!("[{name}]");
        let set = compiler.set_dice(&mut self.dice, resource, &text);
        set.map_err(|found| Wrong::found(&found, &Sources::single(shown, &text)))
    }

    fn number(&mut self, name: ResourceName, value: i64) {
        self.dice.remove(&name);
        self.table.set(name, value);
    }
}
