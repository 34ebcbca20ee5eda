//! Sinks dice used only on a rare path into a block of their own: dice, and computations from them,
//! that are only selected under a rare condition, such as a critical hit of the strongest attacker.
//!
//! ```text
//! block1: v1 = pool 1 6                       block1: branch rare, block2, block3(v0)
//!         v2 = iadd_wrap v1, v0      becomes  block2: v1 = pool 1 6
//!         v3 = select rare, v2, v0                    v2 = iadd_wrap v1, v0
//!                                                     jump block3(v2)
//!                                             block3(v3):
//! ```
//!
//! Dice that exclusive paths share ([`super::exclusive_dice`]) become separate dice again.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, BlockData, Function, Imm, Inst, InstData, Op, Target, Terminator, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Sinks rare dice of these blocks, which belong to one iteration of the loop with this header.
/// Returns the new blocks that roll them. `is_rare` says whether a condition rarely holds.
pub(super) fn set_apart(
    function: &mut Function,
    blocks: &[Block],
    header: Block,
    is_rare: impl Fn(Value) -> bool,
) -> Vec<Block> {
    let mut selects: FxHashMap<Block, Vec<Inst>> = FxHashMap::default();
    for &block in blocks {
        let insts = function.blocks[block].insts.iter().copied();
        let rare = insts.filter(|&inst| {
            let data = &function.insts[inst];
            data.op == Op::Select && is_rare(data.args[0])
        });
        selects.insert(block, rare.collect());
    }
    // Dropping a select without rare dice may leave others without any.
    loop {
        let found = Found::of(function, blocks, header, &selects);
        let left: FxHashMap<Block, Vec<Inst>> = blocks
            .iter()
            .map(|&block| (block, found.selects_of(function, block, &selects[&block])))
            .collect();
        if left == selects {
            let parts = blocks
                .iter()
                .filter_map(|&block| found.part(function, block, &left[&block]));
            let parts: Vec<Part> = parts.collect();
            let rare = parts.iter().map(|part| part.write(function)).collect();
            found.remove_pools(function);
            return rare;
        }
        selects = left;
    }
}

/// The computations that only rare selects need.
struct Found {
    /// The instructions of each block, except pools and the selects themselves, in order.
    only: FxHashMap<Block, Vec<Inst>>,
    /// The pools, each with the blocks that use it.
    pools: Vec<(Inst, Vec<Block>)>,
    /// The values that depend on these pools.
    rare: FxHashSet<Value>,
}

/// A user of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Inst(Block, Inst),
    Terminator,
}

impl Found {
    fn of(
        function: &Function,
        blocks: &[Block],
        header: Block,
        selects: &FxHashMap<Block, Vec<Inst>>,
    ) -> Self {
        let users = users(function);
        let mut needed_by: FxHashSet<Inst> = FxHashSet::default();
        let chosen: FxHashSet<Inst> = selects.values().flatten().copied().collect();
        let is_only = |value: Value, needed_by: &FxHashSet<Inst>| {
            !users[value].is_empty()
                && users[value].iter().all(|&user| match user {
                    User::Inst(_, inst) if chosen.contains(&inst) => {
                        let args = &function.insts[inst].args;
                        args[1] == value && args[0] != value && args[2] != value
                    }
                    User::Inst(_, inst) => needed_by.contains(&inst),
                    User::Terminator => false,
                })
        };
        let mut only: FxHashMap<Block, Vec<Inst>> = FxHashMap::default();
        for &block in blocks {
            let mut own = Vec::new();
            for &inst in function.blocks[block].insts.iter().rev() {
                let data = &function.insts[inst];
                let here = |user: &User| matches!(user, User::Inst(home, _) if *home == block);
                if data.op.may_be_dropped()
                    && !chosen.contains(&inst)
                    && users[data.result].iter().all(here)
                    && is_only(data.result, &needed_by)
                {
                    needed_by.insert(inst);
                    own.push(inst);
                }
            }
            own.reverse();
            only.insert(block, own);
        }
        let graph = ControlFlow::new(function);
        let mut pools = Vec::new();
        for inst in blocks
            .iter()
            .flat_map(|&block| &function.blocks[block].insts)
        {
            let data = &function.insts[*inst];
            if !matches!(data.imm, Imm::Dice { .. }) || !is_only(data.result, &needed_by) {
                continue;
            }
            let homes = users[data.result].iter().filter_map(|user| match user {
                User::Inst(home, _) => Some(*home),
                User::Terminator => None,
            });
            let homes: FxHashSet<Block> = homes.collect();
            if exclude_each_other(&graph, header, &homes) {
                let mut homes: Vec<Block> = homes.into_iter().collect();
                homes.sort_unstable();
                pools.push((*inst, homes));
            }
        }
        let mut rare: FxHashSet<Value> = pools
            .iter()
            .map(|&(pool, _)| function.insts[pool].result)
            .collect();
        for inst in only.values().flatten() {
            let data = &function.insts[*inst];
            if data.args.iter().any(|arg| rare.contains(arg)) {
                rare.insert(data.result);
            }
        }
        Self { only, pools, rare }
    }

    /// The selects of a block that depend on rare dice; none if they need a value that is computed
    /// too late.
    fn selects_of(&self, function: &Function, block: Block, selects: &[Inst]) -> Vec<Inst> {
        let needs_dice = |&&inst: &&Inst| self.rare.contains(&function.insts[inst].args[1]);
        let left: Vec<Inst> = selects.iter().filter(needs_dice).copied().collect();
        match self.earlier(function, block, &left) {
            Some(_) => left,
            None => Vec::new(),
        }
    }

    /// The instructions of a block after the first of these selects on which the sunk part depends;
    /// `None` if they cannot be computed before the selects.
    fn earlier(&self, function: &Function, block: Block, selects: &[Inst]) -> Option<Vec<Inst>> {
        let insts = &function.blocks[block].insts;
        let first = insts.iter().position(|inst| selects.contains(inst))?;
        let only = &self.only[&block];
        let mut needed: FxHashSet<Value> = FxHashSet::default();
        for &inst in only {
            needed.extend(&function.insts[inst].args);
        }
        for &inst in selects {
            needed.extend(&function.insts[inst].args);
        }
        let mut earlier = Vec::new();
        for &inst in insts[first..].iter().rev() {
            let data = &function.insts[inst];
            let is_set_apart = only.contains(&inst) || self.is_pool(inst);
            if is_set_apart || !needed.contains(&data.result) {
                continue;
            }
            if selects.contains(&inst) || !data.op.may_be_dropped() {
                return None;
            }
            needed.extend(&data.args);
            earlier.push(inst);
        }
        earlier.reverse();
        Some(earlier)
    }

    fn is_pool(&self, inst: Inst) -> bool {
        self.pools.iter().any(|&(pool, _)| pool == inst)
    }

    /// The part to sink from a block with these selects, if there is any.
    fn part(&self, function: &Function, block: Block, selects: &[Inst]) -> Option<Part> {
        Some(Part {
            block,
            selects: selects.to_vec(),
            only: self.only[&block].clone(),
            earlier: self.earlier(function, block, selects)?,
            pools: self
                .pools
                .iter()
                .filter(|(_, homes)| homes.contains(&block))
                .map(|&(pool, _)| pool)
                .collect(),
        })
    }

    /// Removes the pools, which the rare blocks roll instead.
    fn remove_pools(&self, function: &mut Function) {
        for block in function.blocks.values_mut() {
            block.insts.retain(|&inst| !self.is_pool(inst));
        }
    }
}

/// The users of each value.
fn users(function: &Function) -> SecondaryMap<Value, Vec<User>> {
    let mut users: SecondaryMap<Value, Vec<User>> = SecondaryMap::new();
    for (block, data) in &function.blocks {
        for &inst in &data.insts {
            for &arg in &function.insts[inst].args {
                users[arg].push(User::Inst(block, inst));
            }
        }
        let ends = data.terminator.iter().flat_map(Terminator::uses);
        ends.for_each(|value| users[value].push(User::Terminator));
    }
    users
}

/// Whether no trial reaches two of these blocks in one iteration.
fn exclude_each_other(graph: &ControlFlow, header: Block, blocks: &FxHashSet<Block>) -> bool {
    blocks.iter().all(|&block| {
        let before = graph.leading_to(block, Some(header));
        let mut others = blocks.iter().filter(|&&other| other != block);
        others.all(|other| !before.contains(other))
    })
}

/// A part that is sunk from a block.
struct Part {
    block: Block,
    selects: Vec<Inst>,
    /// The instructions that only the selects need, in order.
    only: Vec<Inst>,
    /// The instructions to compute before the selects, in order.
    earlier: Vec<Inst>,
    pools: Vec<Inst>,
}

impl Part {
    /// Splits the block; returns the new rare block.
    fn write(&self, function: &mut Function) -> Block {
        let (rare, after) = (function.blocks.push(BlockData::default()), {
            function.blocks.push(BlockData::default())
        });
        let insts = std::mem::take(&mut function.blocks[self.block].insts);
        let first = insts.iter().position(|inst| self.selects.contains(inst));
        let (before, rest) = insts.split_at(first.unwrap_or(insts.len()));
        let stays = |inst: &&Inst| !self.only.contains(inst) && !self.selects.contains(inst);
        let mut before: Vec<Inst> = before.iter().filter(stays).copied().collect();
        before.extend(&self.earlier);
        let rest = rest
            .iter()
            .filter(stays)
            .filter(|inst| !self.earlier.contains(inst));
        function.blocks[after].insts = rest.copied().collect();
        let condition = self.any_condition(function, &mut before);
        function.blocks[self.block].insts = before;
        let end = function.blocks[self.block].terminator.take();
        function.blocks[after].terminator = end;
        let selects = self.selects.iter();
        let usual = selects
            .map(|&select| function.insts[select].args[2])
            .collect();
        function.blocks[self.block].terminator = Some(Terminator::Branch {
            condition,
            then: Target {
                block: rare,
                args: Vec::new(),
            },
            otherwise: Target {
                block: after,
                args: usual,
            },
        });
        self.pass_on(function, rare, after);
        rare
    }

    /// Whether any of the conditions holds.
    fn any_condition(&self, function: &mut Function, before: &mut Vec<Inst>) -> Value {
        let mut conditions: Vec<Value> = Vec::new();
        for &select in &self.selects {
            let condition = function.insts[select].args[0];
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let span = function.insts[self.selects[0]].span;
        let mut any = conditions[0];
        for &condition in &conditions[1..] {
            let either = function.new_inst(Op::Either, vec![any, condition], Imm::None, span);
            before.push(either);
            any = function.insts[either].result;
        }
        any
    }

    /// Writes the rare block, which passes the results of the selects to the next block.
    fn pass_on(&self, function: &mut Function, rare: Block, after: Block) {
        let params: FxHashMap<Value, Value> = self
            .selects
            .iter()
            .map(|&select| {
                let result = function.insts[select].result;
                let ty = function.value_type(result);
                (result, function.block_param(after, ty))
            })
            .collect();
        function.replace_uses(|value| params.get(&value).copied().unwrap_or(value));
        let mut insts = Vec::new();
        let mut rolled: FxHashMap<Value, Value> = FxHashMap::default();
        for &pool in &self.pools {
            let InstData { op, imm, span, .. } = function.insts[pool];
            let inst = function.new_inst(op, Vec::new(), imm, span);
            let [old, new] = [pool, inst].map(|inst| function.insts[inst].result);
            rolled.insert(old, new);
            insts.push(inst);
        }
        insts.extend(self.only.iter().chain(&self.selects));
        for &inst in &insts {
            for arg in &mut function.insts[inst].args {
                *arg = rolled.get(arg).copied().unwrap_or(*arg);
            }
        }
        let selects = self.selects.iter();
        let args = selects
            .map(|&select| function.insts[select].result)
            .collect();
        let target = Target { block: after, args };
        function.blocks[rare].insts = insts;
        function.blocks[rare].terminator = Some(Terminator::Jump(target));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::verify;
    use crate::ir_text::parse;

    /// A loop of these instructions after the pass, with `rare` as the only rare condition.
    fn apart(body: &str, rare: &str) -> String {
        let text = format!(
            "function i64\n\nblock0:\n    v0 = iconst 0\n    jump block1\n\nblock1:\n{body}\n"
        );
        let mut module = parse(&text).expect("IR");
        let function = module.trial_mut();
        let header = Block::from_u32(1);
        let blocks: Vec<Block> = function.blocks.keys().skip(1).collect();
        let rare = |condition: Value| condition.to_string() == rare;
        set_apart(function, &blocks, header, rare);
        assert_eq!(verify(&module), Ok(()), "{module}");
        let text = module.to_string();
        let (_, after) = text.split_once("block1:\n").expect("the loop");
        after.trim_end().replace("\n\n", "\n")
    }

    #[test]
    fn what_only_a_rare_select_needs_is_set_apart() {
        let body = "    v1 = pool 1 20
    v2 = iconst 19
    v3 = igt v1, v2
    v4 = pool 2 6
    v5 = iadd_wrap v4, v2
    v6 = select v3, v5, v0
    v7 = igt v6, v2
    branch v7, block2, block1

block2:
    return v6";
        let expected = "    v1 = pool 1 20
    v2 = iconst 19
    v3 = igt v1, v2
    branch v3, block3, block4(v0)
block2:
    return v8
block3:
    v9 = pool 2 6
    v5 = iadd_wrap v9, v2
    v6 = select v3, v5, v0
    jump block4(v6)
block4(v8: i64):
    v7 = igt v8, v2
    branch v7, block2, block1";
        assert_eq!(apart(body, "v3"), expected);
        // A condition that is not rare, and a rare one that is not the select's.
        for rare in ["v7", "v9"] {
            assert_eq!(apart(body, rare), body.replace("\n\n", "\n"));
        }
    }

    #[test]
    fn what_is_needed_otherwise_stays() {
        // The die is also part of the result; the sum has no dice.
        let body = "    v1 = pool 1 20
    v2 = iconst 19
    v3 = igt v1, v2
    v4 = iadd_wrap v1, v2
    v5 = select v3, v4, v0
    v6 = iadd_wrap v5, v1
    v7 = iadd_wrap v2, v2
    v8 = select v3, v7, v6
    branch v3, block2, block1

block2:
    return v8";
        assert_eq!(apart(body, "v3"), body.replace("\n\n", "\n"));
    }

    #[test]
    fn exclusive_paths_roll_their_own() {
        let body = "    v1 = pool 1 20
    v2 = iconst 19
    v3 = igt v1, v2
    v4 = pool 1 6
    branch v3, block2, block3

block2:
    v5 = select v3, v4, v0
    jump block4(v5)

block3:
    v6 = select v3, v4, v1
    jump block4(v6)

block4(v7: i64):
    branch v3, block5, block1

block5:
    return v7";
        let expected = "    v1 = pool 1 20
    v2 = iconst 19
    v3 = igt v1, v2
    branch v3, block2, block3
block2:
    branch v3, block6, block7(v0)
block3:
    branch v3, block8, block9(v1)
block4(v7: i64):
    branch v3, block5, block1
block5:
    return v7
block6:
    v9 = pool 1 6
    v5 = select v3, v9, v0
    jump block7(v5)
block7(v8: i64):
    jump block4(v8)
block8:
    v11 = pool 1 6
    v6 = select v3, v11, v1
    jump block9(v6)
block9(v10: i64):
    jump block4(v10)";
        assert_eq!(apart(body, "v3"), expected);
    }
}
