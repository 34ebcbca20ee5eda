//! Dice on exclusive paths, for lanes: a trial that rolls one of them does not roll the other, so
//! both can be the same die.
//!
//! ```text
//! block0: branch hero, block1, block2          block0: v1 = pool 1 20
//! block1: v1 = pool 1 20                               branch hero, block1, block2
//! block2: v2 = pool 1 20
//! ```
//!
//! Lanes draw all dice of an iteration, whichever path they take. If both sides of a fight attack,
//! this halves them. The shared pool moves to the block where the paths part.
//!
//! A die with fewer sides can be derived from one with a multiple of its sides, by mapping equally
//! many faces to each of its faces:
//!
//! ```text
//! block2: v3 = pool 1 4     becomes, with v1 = pool 1 20, v3 = (v1 - 1) / 5 + 1
//! ```

use crate::analysis::{Interval, Reciprocal, Region};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Inst, Op, Value};
use dicec_runtime::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of dice in a pool that is derived from other dice.
const MAX_COUNT: u32 = 4;

/// A pool that several blocks may share.
struct Shared {
    inst: Inst,
    /// The block that rolls it now.
    home: Block,
    /// The blocks that rolled it, or a pool that was merged into it.
    blocks: Vec<Block>,
}

/// The blocks of a region.
struct Place<'a> {
    graph: &'a ControlFlow,
    /// For each of the region's own blocks, the blocks that precede it on a path of an iteration.
    before: FxHashMap<Block, FxHashSet<Block>>,
}

/// Merges equal pools on exclusive paths of an iteration, if the function has regions.
pub(super) fn share(function: &mut Function) {
    if let Some(region) = Region::of(function) {
        let graph = ControlFlow::new(function);
        share_in(function, &graph, &region);
    }
}

fn share_in(function: &mut Function, graph: &ControlFlow, region: &Region) {
    for inner in region.loops() {
        share_in(function, graph, inner);
    }
    let header = region.header();
    let before = region
        .blocks()
        .map(|block| (block, graph.leading_to(block, header)));
    let place = Place {
        graph,
        before: before.collect(),
    };
    let mut pools: Vec<Shared> = Vec::new();
    for block in region.blocks() {
        for inst in pools_of(function, block) {
            let next = Shared {
                inst,
                home: block,
                blocks: vec![block],
            };
            let shared = pools.iter_mut().find_map(|pool| {
                let fits = dice(function, pool.inst) == dice(function, inst);
                let home = place.shared_home(pool, &next)?;
                fits.then_some((pool, home))
            });
            match shared {
                Some((pool, home)) => pool.takes(function, (block, inst), home),
                None => pools.push(next),
            }
        }
    }
    make_of_larger(function, &place, pools);
}

/// Derives pools from pools of larger dice on exclusive paths.
fn make_of_larger(function: &mut Function, place: &Place<'_>, mut pools: Vec<Shared>) {
    let mut index = 0;
    while let Some(pool) = pools.get(index) {
        let (count, sides) = count_and_sides(function, pool.inst);
        let larger = (0..pools.len()).filter(|&other| {
            let (dice, multiple) = count_and_sides(function, pools[other].inst);
            dice == 1
                && is_multiple(multiple, sides)
                && place.shared_home(&pools[other], pool).is_some()
        });
        let larger: Vec<usize> = larger.take(count as usize).collect();
        if count > MAX_COUNT || larger.len() < count as usize {
            index += 1;
            continue;
        }
        let pool = pools.remove(index);
        let mut faces = Vec::new();
        for other in larger {
            let other = &mut pools[other - usize::from(other > index)];
            if let Some(home) = place.shared_home(other, &pool) {
                other.moves(function, home);
                other.blocks.extend(&pool.blocks);
                let (_, multiple) = count_and_sides(function, other.inst);
                faces.push((function.insts[other.inst].result, multiple));
            }
        }
        pool.is_made_of(function, &faces);
    }
}

/// Whether a die with `multiple` sides can replace one with `sides` in lanes.
fn is_multiple(multiple: u32, sides: u32) -> bool {
    let faces = Interval::new(0, i64::from(multiple) - 1);
    let each = multiple.checked_div(sides).unwrap_or(0);
    each > 1 && multiple.is_multiple_of(sides) && Reciprocal::new(faces, each.into()).is_some()
}

impl Place<'_> {
    /// The block where two merged pools are rolled; `None` if a trial may roll both of them.
    fn shared_home(&self, a: &Shared, b: &Shared) -> Option<Block> {
        let home = self.graph.common_dominator(a.home, b.home)?;
        let mut pairs = a
            .blocks
            .iter()
            .flat_map(|&a| b.blocks.iter().map(move |&b| (a, b)));
        let exclude =
            pairs.all(|(a, b)| !self.before[&a].contains(&b) && !self.before[&b].contains(&a));
        (exclude && self.before.contains_key(&home)).then_some(home)
    }
}

impl Shared {
    /// Moves the pool to `home`, and merges a pool of `block` into it.
    fn takes(&mut self, function: &mut Function, (block, inst): (Block, Inst), home: Block) {
        function.blocks[block].insts.retain(|&other| other != inst);
        self.blocks.push(block);
        self.moves(function, home);
        let [gone, kept] = [inst, self.inst].map(|inst| function.insts[inst].result);
        function.replace_uses(|value| if value == gone { kept } else { value });
    }

    /// Moves the pool to the beginning of `home`, before everything that is derived from it there.
    fn moves(&mut self, function: &mut Function, home: Block) {
        let moved = self.inst;
        function.blocks[self.home]
            .insts
            .retain(|&other| other != moved);
        function.blocks[home].insts.insert(0, moved);
        self.home = home;
    }

    /// Makes the pool the sum of dice that are derived from larger ones.
    fn is_made_of(&self, function: &mut Function, larger: &[(Value, u32)]) {
        let (_, sides) = count_and_sides(function, self.inst);
        let insts = std::mem::take(&mut function.blocks[self.home].insts);
        let at = insts.iter().position(|&inst| inst == self.inst);
        let (before, after) = insts.split_at(at.unwrap_or(insts.len()));
        let mut writer = Writer {
            span: function.insts[self.inst].span,
            function,
            insts: before.to_vec(),
        };
        let one = writer.iconst(1);
        let mut sum = writer.iconst(0);
        for &(face, multiple) in larger {
            let from_zero = writer.inst(Op::IsubWrap, vec![face, one]);
            let each = writer.iconst((multiple / sides).into());
            let below = writer.inst(Op::IdivPos, vec![from_zero, each]);
            let face = writer.inst(Op::IaddWrap, vec![below, one]);
            sum = writer.inst(Op::IaddWrap, vec![sum, face]);
        }
        let zero = writer.iconst(0);
        let insts = [&writer.insts[..], after].concat();
        function.blocks[self.home].insts = insts;
        // It keeps its value number.
        let data = &mut function.insts[self.inst];
        (data.op, data.imm, data.args) = (Op::IaddWrap, Imm::None, vec![sum, zero]);
    }
}

/// The instructions of a block up to a pool.
struct Writer<'f> {
    function: &'f mut Function,
    insts: Vec<Inst>,
    span: Span,
}

impl Writer<'_> {
    fn iconst(&mut self, number: i64) -> Value {
        self.add(Op::Iconst, Vec::new(), Imm::Int(number))
    }

    fn inst(&mut self, op: Op, args: Vec<Value>) -> Value {
        self.add(op, args, Imm::None)
    }

    fn add(&mut self, op: Op, args: Vec<Value>, imm: Imm) -> Value {
        let inst = self.function.new_inst(op, args, imm, self.span);
        self.insts.push(inst);
        self.function.insts[inst].result
    }
}

/// The pools that a block rolls.
fn pools_of(function: &Function, block: Block) -> Vec<Inst> {
    let insts = function.blocks[block].insts.iter().copied();
    insts
        .filter(|&inst| matches!(function.insts[inst].imm, Imm::Dice { .. }))
        .collect()
}

fn dice(function: &Function, inst: Inst) -> (Op, Imm) {
    (function.insts[inst].op, function.insts[inst].imm)
}

/// The number of dice of a pool, and of their sides.
fn count_and_sides(function: &Function, inst: Inst) -> (u32, u32) {
    match function.insts[inst].imm {
        Imm::Dice { count, sides } => (count, sides),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir_text::parse;
    use crate::pass::Pass;

    /// The function of these blocks after the pass.
    fn shared(blocks: &str) -> String {
        let mut module = parse(&format!("function i64\n\nblock0:\n{blocks}\n")).expect("IR");
        assert!(Region::of(module.trial()).is_some(), "{module}");
        Pass::EXCLUSIVE_DICE.run(&mut module);
        let text = module.to_string();
        let (_, after) = text.split_once("block0:\n").expect("the blocks");
        after.trim_end().replace("\n\n", "\n")
    }

    #[test]
    fn a_die_of_more_sides_stands_for_smaller_ones() {
        let blocks = "    v0 = pool 1 20
    v1 = iconst 10
    v2 = igt v0, v1
    branch v2, block1, block2

block1:
    v3 = pool 1 12
    v4 = pool 1 12
    v5 = iadd_wrap v3, v4
    jump block3(v5)

block2:
    v6 = pool 2 4
    jump block3(v6)

block3(v7: i64):
    return v7";
        let expected = "    v0 = pool 1 12
    v1 = pool 1 12
    v2 = pool 1 20
    v3 = iconst 10
    v4 = igt v2, v3
    branch v4, block1, block2
block1:
    v5 = iadd_wrap v1, v0
    jump block3(v5)
block2:
    v6 = iconst 1
    v7 = iconst 0
    v8 = isub_wrap v1, v6
    v9 = iconst 3
    v10 = idiv_pos v8, v9
    v11 = iadd_wrap v10, v6
    v12 = iadd_wrap v7, v11
    v13 = isub_wrap v0, v6
    v14 = iconst 3
    v15 = idiv_pos v13, v14
    v16 = iadd_wrap v15, v6
    v17 = iadd_wrap v12, v16
    v18 = iconst 0
    v19 = iadd_wrap v17, v18
    jump block3(v19)
block3(v20: i64):
    return v20";
        assert_eq!(shared(blocks), expected);
    }

    #[test]
    fn dice_that_met_before_stand_for_others_that_met_there() {
        // In the end, block 1 rolls all dice: first the d5 of two paths, then the d10 of the
        // others.
        let module = shared(
            "    v0 = pool 1 3
    v1 = iconst 2
    jump block1

block1:
    v2 = ilt v0, v1
    branch v2, block2, block3

block2:
    v3 = ieq v0, v1
    branch v3, block4, block5

block3:
    v4 = ieq v0, v1
    branch v4, block6, block7

block4:
    v5 = pool 1 5
    jump block8(v5)

block5:
    v6 = pool 1 10
    jump block8(v6)

block6:
    v7 = pool 1 5
    jump block8(v7)

block7:
    v8 = pool 1 10
    jump block8(v8)

block8(v9: i64):
    return v9",
        );
        assert_eq!(module.matches("pool 1 10").count(), 1, "{module}");
        assert!(!module.contains("pool 1 5"), "{module}");
    }

    #[test]
    fn other_dice_stay() {
        // Not a multiple; more dice than there are; both on one path.
        for (first, second) in [("pool 1 12", "pool 1 8"), ("pool 1 12", "pool 2 6")] {
            let blocks = format!(
                "    v0 = pool 1 3
    v1 = iconst 10
    v2 = igt v0, v1
    branch v2, block1, block2

block1:
    v3 = {first}
    jump block3(v3)

block2:
    v4 = {second}
    jump block3(v4)

block3(v5: i64):
    v6 = pool 1 6
    v7 = iadd_wrap v5, v6
    return v7"
            );
            assert_eq!(shared(&blocks), blocks.replace("\n\n", "\n"));
        }
    }
}
