//! Scripts of the rolling language (seed 004): compile one, choose a roll, give it its arguments, ask.
//!
//! ```
//! use dicec_compiler::{Compiler, ScriptSession};
//! use dicec_runtime::resource::ResourceTable;
//!
//! let script = Compiler::new().script(r#"
//!     defroll "Attack" attack(bonus: int) {
//!         if (userOption("Bless?")) { bonus += roll(d4); }
//!         output("Attack: " + (roll(d20) + bonus));
//!     }
//! "#)?;
//! let attack = script.roll("attack").expect("it is defined above");
//! let args = attack.arguments(&serde_json::json!({"bonus": 5})).expect("they fit");
//! let attack = attack.bind(args, &ResourceTable::new())?;
//!
//! let mut session = ScriptSession::new(1);
//! let before = attack.play(&mut session)?;
//! session.choose(&before.options[0].path, true);
//! let after = attack.play(&mut session)?;
//! assert_eq!(before.rolls[0].dice, after.rolls[1].dice);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod compiled;
mod describe;
mod front;
mod odds;
mod play;
mod sampler;
mod session;
mod shared;
mod simulate;
mod summarise;

use super::bind::resource_values;
use super::compile::Compiler;
use crate::front::script::{Load, format};
use crate::hir::{Data, Module, Policy, RecordType, RollDef};
use crate::syntax::{Diagnostics, SourceLimits, Sources};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::resource::ResourceTable;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

pub use arguments::ArgumentError;
pub use front::ScriptErrors;
pub use play::{Asked, Played, Step, Thrown};
pub use sampler::ScriptSampler;
pub use session::{Identity, ScriptSession, SessionError, Throw};
pub use shared::SharedKernel;
pub use simulate::ScriptSimulated;
pub use summarise::ScriptSummarised;

/// A compiled script.
#[derive(Clone, Debug)]
pub struct Script {
    sources: Sources,
    hir: Arc<Module>,
    source: SourceLimits,
    rolls: RollLimits,
    limits: ScriptLimits,
    notes: Diagnostics,
}

impl Compiler {
    /// Compiles a script that imports no files; libraries (`import std.dnd;`) it may.
    ///
    /// # Errors
    /// Everything that is wrong with the text; see `docs/errors.md`.
    pub fn script(&self, text: &str) -> Result<Script, Diagnostics> {
        let mut load = |_: &str, _: &str| Err("nothing here reads files".to_owned());
        self.script_file("", text, &mut load)
            .map_err(|errors| errors.found)
    }

    /// Compiles the script of the file `name` and all files that it imports, which `load` gives.
    ///
    /// # Errors
    /// Everything that is wrong with the files; see `docs/errors.md`.
    pub fn script_file(
        &self,
        name: &str,
        text: &str,
        load: &mut Load<'_>,
    ) -> Result<Script, ScriptErrors> {
        let compiled = front::compile_script(name, text, self.source, self.roll, load)?;
        Ok(Script {
            sources: compiled.sources,
            hir: Arc::new(compiled.hir),
            source: self.source,
            rolls: self.roll,
            limits: self.script,
            notes: compiled.notes,
        })
    }
}

impl Script {
    /// The typed tree.
    pub fn hir(&self) -> &Arc<Module> {
        &self.hir
    }

    /// The text that it was compiled from, that of imported files behind its own.
    pub fn text(&self) -> &str {
        self.sources.text()
    }

    /// The files that it was compiled from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What a reader may want to know of the text; none of it is an error.
    pub fn notes(&self) -> &Diagnostics {
        &self.notes
    }

    /// One of its files in the layout that `dicec fmt` gives it.
    fn normal<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // A file that was read can be written again.
        format(text, self.source).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// The limits that its dice roll under.
    pub fn roll_limits(&self) -> RollLimits {
        self.rolls
    }

    /// The limits on a trial.
    pub fn limits(&self) -> ScriptLimits {
        self.limits
    }

    /// Its rolls, in written order.
    pub fn rolls(&self) -> impl Iterator<Item = ScriptRoll<'_>> {
        let rolls = self.hir.rolls.iter();
        rolls.map(|roll| ScriptRoll { script: self, roll })
    }

    /// The roll of this name.
    pub fn roll(&self, name: &str) -> Option<ScriptRoll<'_>> {
        let roll = self.hir.roll(name)?;
        Some(ScriptRoll { script: self, roll })
    }

    /// The fields of a type: `hp: int`, with a default as JSON: `hp: int = 8`.
    pub fn fields(&self, ty: &RecordType) -> Vec<String> {
        let fields = ty.fields.iter();
        let shown = fields.map(|field| {
            let ty = self.hir.type_name(&field.ty);
            let default = field.default.as_ref();
            let default = default.map(|data| describe::data(&self.hir, &field.ty, data));
            let default = default.map_or_else(String::new, |json| format!(" = {json}"));
            format!("{}: {ty}{default}", field.name)
        });
        shown.collect()
    }

    /// What an application needs to know, as JSON: JSON Schema of each type and of each roll's arguments, labels, options, statistics
    /// and output lines.
    pub fn describe(&self) -> Value {
        describe::describe(&self.hir)
    }
}

/// A roll of a script.
#[derive(Clone, Copy, Debug)]
pub struct ScriptRoll<'s> {
    script: &'s Script,
    roll: &'s RollDef,
}

impl<'s> ScriptRoll<'s> {
    /// Its name.
    pub fn name(&self) -> &'s str {
        &self.roll.name
    }

    /// What players see.
    pub fn label(&self) -> &'s str {
        &self.roll.label
    }

    /// Its parameters: their names, and their types as scripts write them.
    pub fn parameters(&self) -> Vec<(&'s str, String)> {
        let hir = &self.script.hir;
        let function = hir.function(self.roll.function);
        function.locals[..function.params]
            .iter()
            .map(|local| (local.name.as_str(), hir.type_name(&local.ty)))
            .collect()
    }

    /// Its arguments from a JSON object with a member for each parameter.
    ///
    /// # Errors
    /// Everything that does not fit, with its place in the JSON.
    pub fn arguments(&self, json: &Value) -> Result<Vec<Data>, Vec<ArgumentError>> {
        let hir = &self.script.hir;
        let function = hir.function(self.roll.function);
        arguments::read(hir, function, self.script.limits, json)
    }

    /// Arguments that are 0, false, empty, or records of these.
    pub fn zeros(&self) -> Vec<Data> {
        let hir = &self.script.hir;
        let function = hir.function(self.roll.function);
        let params = function.locals[..function.params].iter();
        params.map(|local| hir.zero(&local.ty)).collect()
    }

    /// Gives it its arguments, which [`ScriptRoll::arguments`] made, and the script's resources. Options are never taken until
    /// [`BoundScript::with_policy`] says otherwise.
    ///
    /// # Errors
    /// A diagnostic for each resource that the table lacks.
    pub fn bind(
        &self,
        args: Vec<Data>,
        resources: &ResourceTable,
    ) -> Result<BoundScript<'s>, Diagnostics> {
        let resources = resource_values(&self.script.hir.resources, resources)?;
        Ok(BoundScript {
            script: self.script,
            roll: self.roll,
            args,
            resources,
            policies: vec![Policy::Never; self.script.hir.options.len()],
        })
    }
}

/// A roll with its arguments.
#[derive(Clone, Debug)]
pub struct BoundScript<'s> {
    script: &'s Script,
    roll: &'s RollDef,
    args: Vec<Data>,
    resources: Vec<i64>,
    policies: Vec<Policy>,
}

impl<'s> BoundScript<'s> {
    /// The script.
    pub fn script(&self) -> &'s Script {
        self.script
    }

    /// The roll.
    pub fn roll(&self) -> &'s RollDef {
        self.roll
    }

    /// With simulated players that decide like this about the option of this text; a script without such an option stays as
    /// it is.
    pub fn with_policy(mut self, option: &str, policy: Policy) -> Self {
        let options = self.script.hir.options.iter().zip(&mut self.policies);
        for (_, place) in options.filter(|(text, _)| *text == option) {
            *place = policy;
        }
        self
    }

    /// What its sessions belong to: this script in its normal layout, this roll, and these arguments and
    /// resources.
    pub fn identity(&self) -> Identity {
        let script = self.script;
        let texts = script.sources.texts().map(|text| script.normal(text));
        let args: Value = self.args.iter().map(session::canonical).collect();
        let resources = Value::from(self.resources.as_slice());
        Identity {
            script: session::fingerprint(texts),
            roll: self.roll.name.clone(),
            arguments: session::fingerprint([args, resources]),
        }
    }
}
