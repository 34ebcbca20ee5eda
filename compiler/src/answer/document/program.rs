//! Descriptions of rules and scripts as documents.

use crate::answer::kind_word;
use dicec_lang::hir::{Kind, Module, ResourceUse};
use dicec_lang::syntax::Sources;
use dicec_runtime::resource::Owner;
use serde::Serialize;

/// A rule that is right: the output of `dicec check --json`.
#[derive(Clone, Debug, Serialize)]
pub struct RuleDocument {
    /// Always true; a rule that is wrong is an error.
    ok: bool,
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
    /// The rule in its normal form, implied counts written.
    expression: String,
    /// The resources that it needs, in the order of first mention.
    resources: Vec<ResourceEntry>,
}

/// A resource that a rule reads.
#[derive(Clone, Debug, Serialize)]
struct ResourceEntry {
    /// As between brackets, `Target Defense`.
    name: String,
    /// `self` or `target`.
    owner: &'static str,
    /// Where it is first named, as byte offsets.
    start: u32,
    end: u32,
}

impl ResourceEntry {
    fn new(used: &ResourceUse) -> Self {
        Self {
            name: used.name.to_string(),
            owner: match used.name.owner() {
                Owner::Actor => "self",
                Owner::Target => "target",
            },
            start: used.span.start,
            end: used.span.end,
        }
    }
}

impl RuleDocument {
    /// A rule of this kind, in its normal form.
    pub fn new(kind: Kind, expression: String, resources: &[ResourceUse]) -> Self {
        Self {
            ok: true,
            kind: kind_word(kind),
            expression,
            resources: resources.iter().map(ResourceEntry::new).collect(),
        }
    }
}

/// A valid script: the output of `dicec check FILE.dice --json`. Imported definitions are not
/// listed.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptDocument<'s> {
    /// Always true; a script that is wrong is an error.
    ok: bool,
    /// Always `script`.
    kind: &'static str,
    /// The names of the types that it defines, in written order.
    pub types: Vec<&'s str>,
    /// The names of its functions.
    pub functions: Vec<&'s str>,
    /// Its rolls.
    pub rolls: Vec<RollEntry<'s>>,
}

/// A roll that a script defines.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RollEntry<'s> {
    /// Its name in the script.
    pub name: &'s str,
    /// Its label for players.
    pub label: &'s str,
}

impl<'s> ScriptDocument<'s> {
    /// The definitions in the main file of a script.
    pub fn new(script: &'s Module, sources: &Sources) -> Self {
        let types = script.types.iter();
        let rolls = script.rolls.iter();
        let functions = script.functions.iter().zip(0..);
        let is_roll = |id| script.rolls.iter().any(|roll| roll.function.0 == id);
        Self {
            ok: true,
            kind: "script",
            types: types
                .filter(|ty| sources.is_main(ty.span) && !ty.is_built_in())
                .map(|ty| ty.name.as_str())
                .collect(),
            functions: functions
                .filter(|(function, id)| sources.is_main(function.span) && !is_roll(*id))
                .map(|(function, _)| function.name.as_str())
                .collect(),
            rolls: rolls
                .filter(|roll| sources.is_main(roll.span))
                .map(|roll| RollEntry {
                    name: &roll.name,
                    label: &roll.label,
                })
                .collect(),
        }
    }
}
