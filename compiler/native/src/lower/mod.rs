//! HIR to IR: a roll of a rule or a script becomes the [`ir::Module`] of one trial.
//!
//! ```text
//! Module --reach--> what is called and changed --layout--> tables
//!        --body---> statements, expressions (calls inlined), dice --> functions
//! Data   --layout--> argument block: the resources of a kernel
//! ```
//!
//! Whole numbers, degrees and texts (their ids) are `i64`, truth values `bool`, records and lists
//! their addresses. Variables are values: at a join, those that were assigned on some path become
//! parameters of the block.
//!
//! Calls are inlined while the function stays small, those of recursive functions two deep; the
//! others become functions of the module. How a call is lowered does not change its meaning: fuel,
//! depth and traps are the same.

mod aggregate;
mod body;
mod classes;
mod dice;
mod expr;
mod flags;
mod float;
mod inside;
mod layout;
mod place;
mod reach;
mod stmt;
mod text;

pub use layout::{Arguments, Holds, LaidOut, Leaf};

use crate::ir::argument_block::PREFACE;
use crate::ir::{self, Func, Function, OpenWords, Shape, Tables};
use body::Body;
use cranelift_entity::PrimaryMap;
use dicec_lang::hir::{Data, FunctionId, LocalId, Module, Policy, Type};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::resource::{Owner, ResourceName};
use indexmap::IndexSet;
use layout::{Constants, Layout};
use reach::Reach;
use text::TextTable;

/// In a module with at least this many instructions, no call is inlined.
const MAX_INSTS: usize = 20_000;

/// The module of one trial of a roll, for any arguments. Options are decided by `policies`; those
/// beyond its end are never taken. The module has been checked, and `roll` is the body of the roll.
pub fn lower(
    script: &Module,
    roll: FunctionId,
    policies: &[Policy],
    rolls: RollLimits,
    limits: ScriptLimits,
) -> ir::Module {
    lowered((script, roll), policies, (rolls, limits), None)
}

/// The facts about a module's arguments.
#[derive(Clone, Copy, Debug)]
pub struct Given<'g> {
    /// The arguments, one for each parameter.
    pub args: &'g [Data],
    /// The values of the resources.
    pub resources: &'g [i64],
    /// The words that stay open, which are none of records and lists.
    pub open: &'g OpenWords,
    /// The addresses of words that the roll never reads, in order.
    pub unread: &'g [u32],
}

/// The module for these arguments and resources only, except for open words, and their argument
/// block: contents that no trial changes are constants, and loops over short lists are unrolled.
/// `None` if the arguments do not have the roll's types.
pub fn lower_for(
    script: &Module,
    roll: FunctionId,
    policies: &[Policy],
    limits: (RollLimits, ScriptLimits),
    given: Given<'_>,
) -> Option<(ir::Module, Vec<i64>)> {
    let Given {
        args,
        resources,
        open,
        unread,
    } = given;
    let mut module = lowered((script, roll), policies, limits, Some(given));
    let arguments = Arguments::new(&module).lay_out_read(args, resources, unread)?;
    let mut known = arguments.clone();
    for &address in &*open.addresses {
        *known.get_mut(address as usize)? = 0;
    }
    module.tables.known = Some(known.into());
    module.tables.open = open.clone();
    Some((module, arguments))
}

fn lowered(
    (script, roll): (&Module, FunctionId),
    policies: &[Policy],
    (rolls, limits): (RollLimits, ScriptLimits),
    given: Option<Given<'_>>,
) -> ir::Module {
    let (reach, classes) = Reach::new(script, roll);
    let mut shared = Shared {
        script,
        policies,
        rolls,
        limits,
        reach: &reach,
        layout: Layout::new(script, &reach, classes),
        texts: TextTable::default(),
        stats: script.stats.iter().cloned().collect(),
        called: IndexSet::from_iter([roll]),
        words: words(script, roll),
        constants: Constants::default(),
        arguments: None,
        insts: 0,
        is_rule: script.rule().is_some(),
    };
    let params = (0..).map(LocalId).take(script.function(roll).params);
    let inputs = params.map(|param| shared.layout.variable(roll, param));
    shared.layout.tables.inputs = inputs.collect();
    shared.constants = Constants::new(&mut shared.layout, &mut shared.texts, shared.words.len());
    shared.arguments = given.and_then(|given| Known::new(&mut shared, given));
    let mut functions: PrimaryMap<Func, Function> = PrimaryMap::new();
    // Called functions are appended while the functions before them are lowered.
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
    let Shared {
        layout,
        texts,
        stats,
        ..
    } = shared;
    let (texts, sites) = texts.finish();
    let tables = Tables {
        limits,
        texts,
        sites,
        stats: script.stats.clone(),
        named_stats: stats.into_iter().skip(script.stats.len()).collect(),
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

/// Known arguments.
struct Known<'k> {
    /// The words of their argument block, up to its texts. Its addresses do not depend on the
    /// module, but the ids of its texts do.
    words: Vec<i64>,
    /// The texts of the ids in these words.
    texts: Vec<String>,
    open: &'k OpenWords,
}

impl<'k> Known<'k> {
    /// `None` if the arguments do not have the roll's types.
    fn new(shared: &mut Shared<'_>, given: Given<'k>) -> Option<Self> {
        let tables = &mut shared.layout.tables;
        tables.texts = shared.texts.iter().cloned().collect();
        let arguments = Arguments::of(tables, shared.words.len());
        let laid_out = arguments.laid_out(given.args, given.resources, given.unread)?;
        let brought = laid_out.texts.iter().map(|&text| text.to_owned());
        Some(Self {
            texts: tables.texts.iter().cloned().chain(brought).collect(),
            words: laid_out.words,
            open: given.open,
        })
    }
}

/// The facts about a word when a module is lowered.
enum Word {
    /// It always holds this number.
    Number(i64),
    /// It is an open word of the argument block, at this address.
    Open(u32),
}

/// The context that functions of a module share while they are lowered.
struct Shared<'s> {
    script: &'s Module,
    policies: &'s [Policy],
    rolls: RollLimits,
    limits: ScriptLimits,
    reach: &'s Reach<'s>,
    layout: Layout<'s>,
    texts: TextTable,
    /// The names of the script's statistics, then of those that are found while lowering.
    stats: IndexSet<String>,
    /// The functions of the module, in order.
    called: IndexSet<FunctionId>,
    words: Vec<ResourceName>,
    constants: Constants<'s>,
    /// The arguments, if they are known.
    arguments: Option<Known<'s>>,
    /// The number of instructions of the finished functions.
    insts: usize,
    /// Whether the module is one rule.
    is_rule: bool,
}

impl Shared<'_> {
    /// A word of the arguments or constants, if its address is known and no trial changes it.
    fn known(&mut self, place: i64, shape: Shape) -> Option<Word> {
        let address = u32::try_from(place).ok()?;
        let place = usize::try_from(place).ok()?;
        let Some(arguments) = &self.arguments else {
            let first = self.words.len() + PREFACE;
            let constant = self.layout.tables.constants.get(place.checked_sub(first)?);
            return constant.copied().map(Word::Number);
        };
        let word = *arguments.words.get(place)?;
        Some(match shape {
            _ if arguments.open.contains(address) => Word::Open(address),
            Shape::Text => {
                let text = arguments.texts.get(usize::try_from(word).ok()?)?;
                Word::Number(self.texts.id(text))
            }
            Shape::Word | Shape::Record(_) | Shape::List(_) => Word::Number(word),
        })
    }

    /// The function of the module that a call targets.
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
