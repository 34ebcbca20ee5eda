//! Fused sampling: pools draw several dice from each word, and whole subexpressions of dice become
//! a single draw of their outcome.
//!
//! The distribution stays exactly the same, but a seed gives other rolls. The layouts are those of
//! [`dicec_runtime::rng::draw::packed_sum`] and [`AliasTable`](dicec_runtime::rng::AliasTable).
//!
//! ```text
//! a check of known dice --> a table of true and false
//! pools --packed--> lanes, if the rule has a vector form that costs less
//!       --tables for the maximal DAGs, the other pools packed--> scalar code otherwise
//! ```
//!
//! **Costs** are in [`cost`]. A draw from a table costs as much as three or four dice of a packed
//! pool, however many dice it replaces. In lanes it costs as much as some fourteen dice, and a rule
//! with a table cannot run in lanes. Making a table takes 145 us for `100d6` and some milliseconds
//! for the largest, so it pays off after some thousand trials. Still, fusing depends only on the
//! rule, never on the number of trials, so that a seed gives the same rolls in a short run and a
//! long one. So each table is bounded (its outcomes, and the work of making it), and so is the size
//! of all tables of a module ([`MAX_WORDS`]).
//!
//! In scripts, the dice of a block share words (`share.rs`), so a subexpression has to cost more
//! before it is worth a table ([`cost::MANY_DICE`]).

use super::contract::Pass;
use super::rewrites::Rewrites;
use super::vector_form::VectorForm;
use crate::analysis::{ExpressionDag, Uses, cost, fused_draw};
use crate::ir::{Function, FusedDraw, Imm, Inst, Module, Op, Type, ValueDef};
use dicec_runtime::rng::draw::dice_per_word;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The maximum number of words in all tables of a module: 64 KiB.
const MAX_WORDS: usize = 1 << 13;

/// Fuses the draws of a module. [`super::optimise`] says how rules and scripts differ.
pub fn fuse(module: &mut Module, rewrites: &mut Rewrites<'_>) {
    if module.is_script() {
        fuse_script(module, rewrites);
    } else if !fuse_check(module, rewrites) {
        fuse_rule(module, rewrites);
    }
}

/// Fuses a check of known dice into one draw; returns whether the rule is one.
fn fuse_check(rule: &mut Module, rewrites: &mut Rewrites<'_>) -> bool {
    if rule.trial().result != Type::Bool {
        return false;
    }
    let mut check = rule.clone();
    rewrites.run_all(&[Pass::DCE, Pass::BERNOULLI], &mut check);
    let draws = has_draws(&check);
    if draws {
        *rule = check;
    }
    draws
}

fn fuse_rule(rule: &mut Module, rewrites: &mut Rewrites<'_>) {
    let mut drawn = rule.clone();
    rewrites.run(Pass::PACK, rule);
    // Cheaper than a table.
    if cost::trial(rule.trial()) <= cost::DRAWN {
        return;
    }
    let lanes = cost_in_lanes(&optimised(rule, rewrites), rewrites);
    if lanes.is_some_and(|lanes| !is_worth(cost::DRAWN, lanes)) {
        return;
    }
    // An unused value, such as a dropped output of a sorting network, would count as a use.
    rewrites.run_all(&[Pass::DCE, Pass::DRAW], &mut drawn);
    if !has_draws(&drawn) {
        return;
    }
    rewrites.run(Pass::PACK, &mut drawn);
    let cost = || cost::trial(optimised(&drawn, rewrites).trial());
    if lanes.is_none_or(|lanes| is_worth(cost(), lanes)) {
        *rule = drawn;
    }
}

fn fuse_script(script: &mut Module, rewrites: &mut Rewrites<'_>) {
    let mut drawn = script.clone();
    rewrites.run_all(&[Pass::DCE, Pass::DRAW], &mut drawn);
    rewrites.run(Pass::PACK, script);
    if !has_draws(&drawn) {
        return;
    }
    let lanes = cost_in_lanes(script, rewrites);
    if lanes.is_none_or(|lanes| is_worth(cost::trial(drawn.trial()), lanes)) {
        // The operands of a subexpression that became a draw may be unused now.
        rewrites.run_all(&[Pass::PACK, Pass::DCE], &mut drawn);
        *script = drawn;
    }
}

/// Fuses a check of known dice, without unused instructions, into one draw of its truth value;
/// leaves any other rule as it is.
pub(super) fn bernoulli(rule: &mut Module) {
    if rule.is_script() || rule.trial().result != Type::Bool {
        return;
    }
    if let Some(drawn) = as_bernoulli(rule) {
        *rule = drawn;
    }
}

fn as_bernoulli(rule: &Module) -> Option<Module> {
    let mut module = rule.clone();
    let trial = module.trial_mut();
    let ValueDef::Result(root) = trial.values[trial.straight_result()?].1 else {
        return None;
    };
    let dag = ExpressionDag::of(trial, &Uses::of(trial), root)?;
    let draw = Arc::new(fused_draw(dag.code(trial)?)?);
    let taken = dag.rolled.iter().copied().collect();
    replace(trial, &taken, &FxHashMap::from_iter([(root, draw)]));
    let rolls = |&inst: &Inst| trial.insts[inst].op.info().effect;
    // Otherwise dice that do not affect the result would be drawn, too.
    (trial.live_insts().filter(rolls).count() == 1).then_some(module)
}

/// Fuses each maximal subexpression that costs more than a draw.
pub(super) fn draw(module: &mut Module) {
    let least = match module.is_script() {
        true => cost::MANY_DICE,
        false => cost::DRAWN,
    };
    let mut tables = Tables::default();
    for function in module.functions.values_mut() {
        tables.draw(function, least);
    }
}

/// Whether a module draws from tables.
fn has_draws(module: &Module) -> bool {
    let mut functions = module.functions.values();
    functions.any(|function| {
        let mut insts = function.live_insts();
        insts.any(|inst| function.insts[inst].op == Op::Drawn)
    })
}

/// Whether tables pay although the rule could run in lanes: they must save a fifth.
fn is_worth(drawn: u64, lanes: u64) -> bool {
    5 * drawn < 4 * lanes
}

/// The cost of a trial in lanes, if there is a vector form.
fn cost_in_lanes(packed: &Module, rewrites: &Rewrites<'_>) -> Option<u64> {
    let form = VectorForm::new(packed, &mut rewrites.aside()).ok()?;
    Some(cost::trial_in_lanes(form.function(), form.width))
}

/// The rule after the passes that follow, which see the draws of this state.
fn optimised(rule: &Module, rewrites: &Rewrites<'_>) -> Module {
    let mut rule = rule.clone();
    rewrites.aside().run_all(&Pass::PIPELINE, &mut rule);
    rule
}

/// Packs several dice of each pool into one word.
pub(super) fn pack(function: &mut Function) {
    for inst in function.insts.values_mut() {
        if let (Op::Pool, Imm::Dice { count, sides }) = (inst.op, inst.imm)
            && count >= 2
            && dice_per_word(sides) >= 2
        {
            inst.op = Op::Packed;
        }
    }
}

/// The draws of the module so far.
#[derive(Default)]
struct Tables {
    draws: Vec<Arc<FusedDraw>>,
    words: usize,
}

impl Tables {
    /// Fuses each maximal DAG that costs more than this.
    fn draw(&mut self, function: &mut Function, least: u64) {
        let uses = Uses::of(function);
        let mut taken: FxHashSet<Inst> = FxHashSet::default();
        let mut roots: FxHashMap<Inst, Arc<FusedDraw>> = FxHashMap::default();
        for block in function.blocks.values() {
            // In reverse order: a DAG comes before those that are part of it.
            for &inst in block.insts.iter().rev() {
                if taken.contains(&inst) {
                    continue;
                }
                let Some(dag) = ExpressionDag::of(function, &uses, inst) else {
                    continue;
                };
                let parts = dag.rolled.iter().map(|&inst| &function.insts[inst]);
                if parts.map(cost::scalar).sum::<u64>() <= least {
                    continue;
                }
                let code = dag.code(function);
                if let Some(draw) = code.and_then(|code| self.admit(code)) {
                    taken.extend(&dag.rolled);
                    roots.insert(inst, draw);
                }
            }
        }
        replace(function, &taken, &roots);
    }

    /// The draw for this code, if its table fits next to the others.
    fn admit(&mut self, code: Function) -> Option<Arc<FusedDraw>> {
        let known = self.draws.iter().find(|draw| *draw.code() == code);
        if let Some(draw) = known {
            return Some(draw.clone());
        }
        let draw = fused_draw(code)?;
        let words = draw.table().words().len();
        if words > MAX_WORDS - self.words {
            return None;
        }
        self.words += words;
        let draw = Arc::new(draw);
        self.draws.push(draw.clone());
        Some(draw)
    }
}

/// Replaces the roots by draws, and removes the other instructions of their DAGs.
fn replace(
    function: &mut Function,
    taken: &FxHashSet<Inst>,
    roots: &FxHashMap<Inst, Arc<FusedDraw>>,
) {
    for block in function.blocks.keys() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|inst| !taken.contains(inst) || roots.contains_key(inst));
        for inst in insts {
            if let Some(draw) = roots.get(&inst) {
                let before = draw_at(function, inst, draw);
                function.blocks[block].insts.extend(before);
            }
            function.blocks[block].insts.push(inst);
        }
    }
}

/// Replaces an instruction by a draw; returns the instructions to insert before it.
fn draw_at(function: &mut Function, inst: Inst, draw: &Arc<FusedDraw>) -> Vec<Inst> {
    let mut known = function.draws.iter();
    let same = known.find_map(|(name, data)| Arc::ptr_eq(data, draw).then_some(name));
    let draw = same.unwrap_or_else(|| function.draws.push(draw.clone()));
    let (imm, span) = (Imm::Draw(draw), function.insts[inst].span);
    let is_truth = function.insts[inst].op.info().result == Type::Bool;
    let mut before = Vec::new();
    let (op, args, imm) = if is_truth {
        let drawn = function.new_inst(Op::Drawn, Vec::new(), imm, span);
        let zero = function.new_inst(Op::Iconst, Vec::new(), Imm::Int(0), span);
        before.extend([drawn, zero]);
        let args = [drawn, zero].map(|inst| function.insts[inst].result);
        (Op::Ine, args.to_vec(), Imm::None)
    } else {
        (Op::Drawn, Vec::new(), imm)
    };
    let data = &mut function.insts[inst];
    (data.op, data.args, data.imm) = (op, args, imm);
    before
}
