//! HIR to IR: a roll of a rule or a script becomes the [`ir::Module`] of one trial.
//!
//! ```text
//! Module --reach--> what is called and changed --layout--> tables
//!        --body---> statements, expressions (calls inlined), dice --> functions
//! Data   --layout--> image: what a kernel is given as its resources
//! ```
//!
//! Whole numbers, degrees and texts (their ids) are `i64`, truth values `bool`, records and lists their addresses. Variables are values:
//! where ways meet, those that were assigned on some way become parameters of the block.
//!
//! Calls are inlined while the function stays small, but for functions that can come to call themselves; the others are functions
//! of the module. Which way a call is lowered makes no difference to what it means: fuel, depth and traps are the same.

mod body;
mod dice;
mod expr;
mod float;
mod layout;
mod place;
mod reach;
mod stmt;
mod text;

pub use layout::Arguments;

use crate::hir::{Data, FunctionId, Module, Policy, Type};
use crate::ir::image::PREFACE;
use crate::ir::{self, Func, Function, Shape, Tables};
use body::Body;
use cranelift_entity::PrimaryMap;
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::resource::{Owner, ResourceName};
use indexmap::IndexSet;
use layout::{Constants, Layout};
use reach::Reach;
use text::TextTable;

/// Instructions of a module from which on no call is inlined.
const MOST_INSTS: usize = 20_000;

/// The module of one trial of a roll, for any arguments. Options are decided by `policies`, those beyond its end are never taken. The script
/// has been checked, and the body of the roll is `roll`.
pub fn lower(
    script: &Module,
    roll: FunctionId,
    policies: &[Policy],
    rolls: RollLimits,
    limits: ScriptLimits,
) -> ir::Module {
    lowered(script, roll, policies, rolls, limits, None)
}

/// The module for these arguments and resources alone, and their image: what they hold that no trial changes is known, and loops over short
/// lists of theirs are rolled out. `None` where they are not of the roll's types.
pub fn lower_for(
    script: &Module,
    roll: FunctionId,
    policies: &[Policy],
    (rolls, limits): (RollLimits, ScriptLimits),
    (args, resources): (&[Data], &[i64]),
) -> Option<(ir::Module, Vec<i64>)> {
    let any = lowered(script, roll, policies, rolls, limits, None);
    // Where things stand in it does not depend on the module, but for the numbers of texts.
    let image = Arguments::new(&any).image(args, resources)?;
    let mut module = lowered(script, roll, policies, rolls, limits, Some(&image));
    let image = Arguments::new(&module).image(args, resources)?;
    module.tables.known = Some(image.as_slice().into());
    Some((module, image))
}

fn lowered(
    script: &Module,
    roll: FunctionId,
    policies: &[Policy],
    rolls: RollLimits,
    limits: ScriptLimits,
    image: Option<&[i64]>,
) -> ir::Module {
    let reach = Reach::new(script, roll);
    let mut shared = Shared {
        script,
        policies,
        rolls,
        limits,
        reach: &reach,
        layout: Layout::new(script, &reach),
        texts: TextTable::default(),
        called: IndexSet::from_iter([roll]),
        words: words(script, roll),
        constants: Constants::default(),
        image,
        insts: 0,
        is_rule: script.rule().is_some(),
    };
    let params = &script.function(roll).locals[..script.function(roll).params];
    let inputs = params.iter().map(|param| shared.layout.shape(&param.ty));
    shared.layout.tables.inputs = inputs.collect();
    shared.constants = Constants::new(&mut shared.layout, &mut shared.texts, shared.words.len());
    let mut functions: PrimaryMap<Func, Function> = PrimaryMap::new();
    // Functions that are called come behind the last one while they are lowered.
    while let Some(&function) = shared.called.get_index(functions.len()) {
        let lowered = Body::lower(
            &mut shared,
            function,
            function != roll || !functions.is_empty(),
        );
        shared.insts += lowered.insts.len();
        functions.push(lowered);
    }
    if shared.is_rule {
        // The notation has no records, texts or lines: a rule's tables are empty.
        return ir::Module {
            functions,
            tables: Tables::default(),
        };
    }
    let Shared { layout, texts, .. } = shared;
    let (texts, sites) = texts.finish();
    let tables = Tables {
        limits,
        texts,
        sites,
        stats: script.stats.clone(),
        ..layout.tables
    };
    ir::Module { functions, tables }
}

/// The names of the words that a module's functions read by slot: arguments, then resources.
fn words(script: &Module, roll: FunctionId) -> Vec<ResourceName> {
    let function = script.function(roll);
    let params = function.locals.iter().take(function.params);
    let params = params.map(|param| ResourceName::new(Owner::Actor, &param.name));
    let resources = script.resources.iter().map(|used| used.name.clone());
    params.chain(resources).collect()
}

/// What the functions of a module share while they are lowered.
struct Shared<'s> {
    script: &'s Module,
    policies: &'s [Policy],
    rolls: RollLimits,
    limits: ScriptLimits,
    reach: &'s Reach<'s>,
    layout: Layout<'s>,
    texts: TextTable,
    /// The functions of the module, in order.
    called: IndexSet<FunctionId>,
    words: Vec<ResourceName>,
    constants: Constants<'s>,
    /// The arguments, if they are known.
    image: Option<&'s [i64]>,
    /// Instructions of the functions that are done.
    insts: usize,
    /// Whether the module is one rule.
    is_rule: bool,
}

impl Shared<'_> {
    /// A word of the arguments or constants that no trial changes, if it is known. Texts are not: their numbers are the
    /// module's own.
    fn known(&self, place: i64, shape: Shape) -> Option<i64> {
        let place = usize::try_from(place).ok()?;
        let word = match self.image {
            Some(image) => image.get(place),
            None => {
                let first = self.words.len() + PREFACE;
                self.layout.tables.constants.get(place.checked_sub(first)?)
            }
        };
        word.filter(|_| shape != Shape::Text).copied()
    }

    /// The function of the module that a call goes to.
    fn func(&mut self, function: FunctionId) -> Func {
        let (place, _) = self.called.insert_full(function);
        Func::from_u32(place as u32)
    }
}

/// The IR's type of a value.
fn type_of(ty: &Type) -> ir::Type {
    match ty {
        Type::Bool => ir::Type::Bool,
        Type::Float => ir::Type::F64,
        _ => ir::Type::I64,
    }
}
