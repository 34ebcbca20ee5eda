//! The vector form of a trial: whether trials can run in lanes, the width of the lanes, and the
//! layout of their dice.
//!
//! Only for fused sampling. A check that is one draw ([`super::fuse`]) is a Bernoulli draw, eight
//! of which take one word ([`Bernoulli`](dicec_runtime::rng::lanes::Bernoulli)). Any other trial
//! has a vector form if its function uses only operations that lanes have and dice of known count
//! and sides, and if range analysis shows that all its numbers fit a lane. That must hold only for
//! trials that burn at most [`VectorForm::fuel`]; the few others are left to the evaluator. Trials
//! on different sides of a branch go on together, block by block ([`Region`]): each block computes
//! all lanes, and at a join each lane takes the value of its own path. Resources are assumed to be
//! in [`RESOURCES`]; otherwise the scalar kernel runs. So width and layout depend only on the
//! program (for a script, also on its arguments), not on the machine or on known resources. A form
//! with 16-bit lanes may be narrowed to 8-bit lanes ([`super::bytes`]).

use super::contract::Pass;
use super::no_lanes::{NoLanes, Obstacle};
use super::relay;
use super::rewrites::Rewrites;
use super::specialise::specialise;
use super::usual::{RESOURCES, fuel_limit, usual, usual_within};
use super::watched::Watched;
use super::without_memory::without_memory;
use crate::analysis::{Given, Part, Ranges, Reciprocal, Region, known_names};
use crate::ir::{Block, Function, Imm, InstData, Module, Op, Terminator, Type, Value};
use dicec_runtime::rng::lanes::{Bernoulli, LaneWidth, Layout};
use std::sync::Arc;

/// The maximum number of dice in the IR of a trial: the code for their words is unrolled, except
/// for large pools.
const MAX_DICE: u64 = 256;

/// The maximum numbers of instructions and of blocks of a trial, for the same reason.
const MAX_INSTS: usize = 4096;

/// The fuel counter of 16-bit lanes: its maximum if trials have more fuel (it then counts larger
/// units), or the fuel of a trial if numbers that grow with every iteration would not fit
/// otherwise.
const SHORT_FUEL: u32 = 32_000;

/// The maximum number of trials per lane in a relay. With more, lanes wait less for each other at
/// its end; with fewer, the evaluator repeats fewer trials when one of them may trap.
pub const MAX_ROUNDS: usize = 64;

/// A trial that runs in lanes.
#[derive(Clone, Debug)]
pub struct VectorForm {
    /// One function of operations that lanes have, with one `return`. Its numbers fit the lanes as
    /// long as resources lie in [`RESOURCES`].
    pub module: Arc<Module>,
    /// The width of the lanes; all layouts are for this width.
    pub width: LaneWidth,
    /// Its blocks, and how their dice are drawn.
    pub region: Region,
    /// The fuel up to which a trial's numbers fit the lanes. A trial that burns more is left to the
    /// evaluator.
    pub fuel: u32,
    /// The part of the outermost region, a loop, in which lanes refill: a lane whose trial leaves
    /// it ends this trial and begins its next one (`pass/relay.rs`).
    pub relay: Option<usize>,
    /// Guarded parameters of loops: they may exceed the lanes, but usually stay far inside.
    pub watched: Watched,
}

impl VectorForm {
    /// The vector form of an optimised module with fused draws: of a rule for all resources in
    /// [`RESOURCES`], of a script for the arguments that the module is made for.
    ///
    /// # Errors
    /// It has none: for example if the module is for any arguments, calls functions, or uses
    /// memory.
    pub fn new(module: &Module, rewrites: &mut Rewrites<'_>) -> Result<Self, NoLanes> {
        let mut module = module.clone();
        if module.is_script() {
            prepare_script(&mut module, rewrites)?;
        } else {
            has_no_remainder(&module)?;
            prepare_rule(&mut module, rewrites);
        }
        rewrites.run_all(&[Pass::SINGLE_RETURN, Pass::EXCLUSIVE_DICE], &mut module);
        let shape = Region::of(module.trial()).ok_or(Obstacle::Loop.anywhere())?;
        let function = module.trial();
        if let Some(bernoulli) = bernoulli(function) {
            let layout = Layout::of_bernoulli(bernoulli);
            return Ok(Self {
                module: Arc::new(module),
                width: layout.width(),
                region: Region {
                    layout: Some(layout),
                    ..shape
                },
                fuel: 0,
                relay: None,
                watched: Watched::default(),
            });
        }
        Self::laid_out(module, shape)
    }

    /// The vector form of a prepared module that has these regions.
    fn laid_out(module: Module, shape: Region) -> Result<Self, NoLanes> {
        let function = module.trial();
        has_operations(function)?;
        is_small(function)?;
        has_one_end(function)?;
        let limit = fuel_limit(&module.tables);
        let laid_out_in = |width, fuel| {
            let given = usual_within(&module.tables, fuel);
            let ranges = Ranges::within(function, given);
            let watched = match fits(&module, &ranges, width) {
                Ok(()) => Watched::default(),
                Err(found) => Watched::all(&module, (&ranges, given), width)
                    .find(|watched| {
                        let ranges = watched.ranges(function, given);
                        fits(&module, &ranges, width).is_ok()
                    })
                    .ok_or(found)?,
            };
            let region = laid_out(&shape, function, width, shape.is_loop_free());
            Ok((
                width,
                fuel,
                region.ok_or(Obstacle::Dice.anywhere())?,
                watched,
            ))
        };
        // Numbers that do not fit in a long trial may fit in one of usual length, and sides that
        // are too large for one width may fit the other.
        let short = laid_out_in(LaneWidth::V16, limit)
            .or_else(|_| laid_out_in(LaneWidth::V16, limit.min(SHORT_FUEL)));
        let laid_out = short.or_else(|_| laid_out_in(LaneWidth::V32, limit));
        let (width, fuel, region, watched) = laid_out?;
        Ok(Self {
            relay: relay::possible(module.trial(), &region)
                .filter(|&place| relay::pays(module.trial(), &region, place)),
            module: Arc::new(module),
            width,
            region,
            fuel,
            watched,
        })
    }

    /// The function of one trial.
    pub fn function(&self) -> &Function {
        self.module.trial()
    }

    /// Whether it is valid for these resources.
    pub fn takes(resources: &[i64]) -> bool {
        let usual = RESOURCES.low..=RESOURCES.high;
        resources.iter().all(|value| usual.contains(value))
    }

    /// The same form for only these resources, which are in [`RESOURCES`]: other code, but the same
    /// draws. Branches stay, because removing an arm would remove its dice from the draws.
    pub fn specialised(&self, resources: &[i64], rewrites: &mut Rewrites<'_>) -> Self {
        let mut form = self.clone();
        if form.function().blocks.len() == 1 {
            specialise(Arc::make_mut(&mut form.module), resources, rewrites);
        }
        form
    }

    /// The intervals of its numbers, for trials that are at the block that computes them.
    pub fn ranges(&self) -> Ranges {
        Ranges::within(self.function(), self.given(fuel_limit(&self.module.tables)))
    }

    /// The same for trials that are not left to the evaluator: their numbers fit the lanes.
    pub fn lane_ranges(&self) -> Ranges {
        let given = self.given(self.fuel);
        self.watched.ranges(self.function(), given)
    }

    fn given(&self, fuel: u32) -> Given {
        usual_within(&self.module.tables, fuel)
    }

    /// The number of dice that a block rolls: it takes them from the draws of its region, after
    /// those of the earlier blocks.
    pub fn dice_of(&self, block: Block) -> usize {
        dice(self.function(), block).count()
    }

    /// The Bernoulli draw, if a trial is nothing else.
    pub fn bernoulli(&self) -> Option<&Bernoulli> {
        self.region.layout.as_ref()?.bernoulli()
    }

    /// The number of trials per lane at a time.
    pub fn trials_per_lane(&self) -> usize {
        self.region
            .layout
            .as_ref()
            .map_or(1, Layout::trials_per_lane)
    }

    /// The unit of fuel in lanes that count it separately, as in a relay.
    pub fn fuel_unit(&self) -> u32 {
        match self.width {
            // Lanes of 8 bits count it in halves of 16 bits.
            LaneWidth::V8 | LaneWidth::V16 => self.fuel.div_ceil(SHORT_FUEL).max(1),
            LaneWidth::V32 => 1,
        }
    }

    /// The maximum number of consecutive trials per lane in a group.
    pub fn max_rounds(&self) -> usize {
        match self.relay {
            Some(_) => MAX_ROUNDS,
            None => 1,
        }
    }

    /// The same with lane refill, whether or not it is faster; `None` if its trials cannot be
    /// refilled.
    pub fn in_relays(&self) -> Option<Self> {
        let relay = relay::possible(self.function(), &self.region)?;
        Some(Self {
            relay: Some(relay),
            ..self.clone()
        })
    }

    /// The header of the loop in which lanes are at different iterations.
    pub fn staggered(&self) -> Option<Block> {
        self.relay_region()?.header()
    }

    /// The loop with lane refill.
    pub(super) fn relay_region(&self) -> Option<&Region> {
        match self.region.parts.get(self.relay?)? {
            Part::Loop(inner) => Some(inner),
            Part::Block(_) => None,
        }
    }

    /// The group size: a call may run any multiple of it, up to `most`, and all trials have the
    /// same results. The lanes of a relay share all its trials.
    pub fn group(&self, most: usize) -> usize {
        let together = self.trials() * self.max_rounds();
        match most.is_multiple_of(together) {
            true => together,
            false => most,
        }
    }

    /// The number of trials in a group, per round of a relay.
    pub fn trials(&self) -> usize {
        self.trials_per_lane() * self.width.lanes()
    }
}

/// The seed contract of rules with a remainder was fixed before lanes had remainders.
fn has_no_remainder(rule: &Module) -> Result<(), NoLanes> {
    let function = rule.trial();
    let mut insts = function.live_insts().map(|inst| &function.insts[inst]);
    match insts.find(|data| data.op == Op::IremPos) {
        Some(data) => Err(Obstacle::Op(data.op).at(data)),
        None => Ok(()),
    }
}

/// Prepares a rule for resources in [`RESOURCES`], which needs fewer checks.
fn prepare_rule(rule: &mut Module, rewrites: &mut Rewrites<'_>) {
    if rewrites.run(Pass::RARE_LOOPS, rule) {
        rewrites.run_all(&[Pass::FOLD, Pass::PARAMS, Pass::DCE], rule);
    }
    rewrites.run_all(&[Pass::USUAL_RANGE, Pass::FOLD, Pass::DCE], rule);
}

/// Prepares a script with known arguments.
fn prepare_script(script: &mut Module, rewrites: &mut Rewrites<'_>) -> Result<(), NoLanes> {
    takes_lanes(script)?;
    if has_dead_loops(script) {
        let passes = [Pass::RANGE, Pass::FOLD, Pass::SIMPLIFY, Pass::DCE];
        rewrites.run_all(&passes, script);
    }
    without_memory(script, rewrites);
    let clean = [Pass::FOLD, Pass::CSE, Pass::DCE];
    if rewrites.run(Pass::JOINED_TEXTS, script) {
        rewrites.run_all(&clean, script);
    }
    if rewrites.run(Pass::RARE_LOOPS, script) {
        rewrites.run_all(&[Pass::FOLD, Pass::PARAMS, Pass::DCE], script);
    }
    if rewrites.run(Pass::FEW_DICE, script) {
        rewrites.run_all(&clean, script);
    }
    let passes = [
        Pass::SENTINELS,
        Pass::SELECTS,
        Pass::CSE,
        Pass::DCE,
        Pass::BALANCE,
        Pass::CSE,
        Pass::DCE,
    ];
    rewrites.run_all(&passes, script);
    if rewrites.run(Pass::LABELS, script) {
        rewrites.run_all(&clean, script);
    }
    Ok(())
}

/// Whether there is dead code: unrolling leaves a loop at its end that range analysis may only now
/// prove dead.
fn has_dead_loops(script: &Module) -> bool {
    let ranges = Ranges::within(script.trial(), usual(&script.tables));
    let mut blocks = script.trial().blocks.keys();
    blocks.any(|block| !ranges.reaches(block))
}

/// Whether the arguments and calls of a script allow lanes.
fn takes_lanes(script: &Module) -> Result<(), NoLanes> {
    if script.tables.known.is_none() {
        return Err(Obstacle::AnyArguments.anywhere());
    }
    let trial = script.trial();
    let mut insts = trial.live_insts().map(|inst| &trial.insts[inst]);
    // With known arguments, any other `resource` is only a leftover; it need not lie in RESOURCES.
    let open =
        |data: &InstData| matches!(data.imm, Imm::Slot(at) if script.tables.open.contains(at));
    let is_leftover = |data: &InstData| data.op == Op::Resource && !open(data);
    match insts.find(|data| data.op == Op::Call || is_leftover(data)) {
        Some(data) => Err(Obstacle::Op(data.op).at(data)),
        // Functions that nothing calls are not removed.
        None if script.functions.len() > 1 => Err(Obstacle::Op(Op::Call).anywhere()),
        None => Ok(()),
    }
}

/// The Bernoulli draw of a function that only draws a truth value, and never traps.
fn bernoulli(function: &Function) -> Option<Bernoulli> {
    let truth = function.def(function.straight_result()?)?;
    let [drawn, zero] = truth.args[..] else {
        return None;
    };
    let Imm::Draw(draw) = function.def(drawn)?.imm else {
        return None;
    };
    let draw = &function.draws[draw];
    let is_truth = draw.bounds() == (0, 1) && function.as_iconst(zero) == Some(0);
    let others = |data: &InstData| {
        let info = data.op.info();
        (info.effect || info.traps) && data.result != drawn
    };
    let mut insts = function.live_insts();
    if truth.op != Op::Ine || !is_truth || insts.any(|inst| others(&function.insts[inst])) {
        return None;
    }
    let distribution = draw.table().distribution();
    let (_, heads) = distribution.iter().last()?;
    Bernoulli::new(heads, distribution.total())
}

/// The region, and all regions in it, with their layouts. Only trials without loops share a lane.
pub(super) fn laid_out(
    region: &Region,
    function: &Function,
    width: LaneWidth,
    shared: bool,
) -> Option<Region> {
    let dice = region.blocks().flat_map(|block| dice(function, block));
    let sides: Vec<u32> = dice.collect();
    let layout = match (sides.is_empty(), shared) {
        (true, _) => None,
        (false, true) => Some(Layout::new(width, &sides)?),
        (false, false) => Some(Layout::of_lone_trials(width, &sides)?),
    };
    let parts = region.parts.iter().map(|part| match part {
        Part::Block(block) => Some(Part::Block(*block)),
        Part::Loop(inner) => laid_out(inner, function, width, false).map(Part::Loop),
    });
    Some(Region {
        layout,
        parts: parts.collect::<Option<_>>()?,
    })
}

/// The sides of the dice of a block, in draw order.
fn dice(function: &Function, block: Block) -> impl Iterator<Item = u32> {
    let insts = function.blocks[block].insts.iter();
    let pools = insts.filter_map(|&inst| match function.insts[inst].imm {
        Imm::Dice { count, sides } => Some((count, sides)),
        _ => None,
    });
    pools.flat_map(|(count, sides)| std::iter::repeat_n(sides, count as usize))
}

/// Whether the function rolls dice, and whether it and its regions can be written out.
fn is_small(function: &Function) -> Result<(), NoLanes> {
    let dice = |inst| match function.insts[inst].imm {
        Imm::Dice { count, .. } => u64::from(count),
        _ => 0,
    };
    let count: u64 = function.live_insts().map(dice).sum();
    let size = function.live_insts().count().max(function.blocks.len());
    if count > MAX_DICE || size > MAX_INSTS {
        return Err(Obstacle::TooLarge.anywhere());
    }
    match count {
        0 => Err(Obstacle::NoDice.anywhere()),
        _ => Ok(()),
    }
}

/// Whether it ends other than by a trap, and in only one place.
fn has_one_end(function: &Function) -> Result<(), NoLanes> {
    let blocks = function.blocks.values();
    let returns = blocks.filter(|block| matches!(block.terminator, Some(Terminator::Return(_))));
    match returns.count() {
        0 => Err(Obstacle::NeverReturns.anywhere()),
        1 => Ok(()),
        _ => Err(Obstacle::Returns.anywhere()),
    }
}

/// Whether lanes have all operations of the function.
fn has_operations(function: &Function) -> Result<(), NoLanes> {
    use Op::{
        Bconst, Both, Btoi, Burn, DiceCount, DiceLeft, DieSides, Either, ExplosionsLeft, Fuel,
        IaddWrap, IandNot, Iconst, IdivPos, Ieq, Ige, Igt, Ile, Ilt, Imax, Imin, ImulWrap, Index,
        Ine, InegWrap, Ior, IremPos, IsubWrap, NamedStat, Not, NotNegative, Output, Packed, Pool,
        RerollsLeft, Resource, Select, Stat,
    };
    let used = function.used(|_| true);
    let has = |data: &InstData| match data.op {
        Iconst | Bconst | Resource | IaddWrap | IsubWrap | ImulWrap | InegWrap | IdivPos
        | IremPos | Imin | Imax | Ior | IandNot | Ieq | Ine | Ilt | Ile | Igt | Ige | Btoi
        | Not | Both | Either | Select | Index | DieSides | DiceCount | NotNegative
        | ExplosionsLeft | RerollsLeft | DiceLeft | Pool | Packed => true,
        // Their result is already a number, or unused.
        Output | Stat | NamedStat | Fuel | Burn => !used[data.result],
        _ => false,
    };
    let mut insts = function.live_insts().map(|inst| &function.insts[inst]);
    match insts.find(|data| !has(data)) {
        Some(data) => Err(Obstacle::Op(data.op).at(data)),
        None => Ok(()),
    }
}

/// Whether all numbers of the function fit lanes of this width, which have its operations.
fn fits(module: &Module, ranges: &Ranges, width: LaneWidth) -> Result<(), NoLanes> {
    let function = module.trial();
    let holds = |value: Value| match function.value_type(value) {
        Type::I64 => {
            let range = ranges.of(value);
            match width.holds(range.low, range.high) {
                true => Ok(()),
                false => Err(Obstacle::Wide),
            }
        }
        Type::Bool => Ok(()),
        Type::F64 => Err(Obstacle::Float),
    };
    // Instructions first: they have a location.
    for data in function.live_insts().map(|inst| &function.insts[inst]) {
        let known = match data.op {
            // Nothing reads their result.
            Op::Output | Op::Stat | Op::Fuel | Op::Burn => Ok(()),
            Op::NamedStat => known_names(&module.tables, ranges, data)
                .map(|_| ())
                .ok_or(Obstacle::Op(data.op)),
            Op::IdivPos | Op::IremPos if !divides(function, ranges, data) => {
                Err(Obstacle::Op(data.op))
            }
            _ => holds(data.result),
        };
        known.map_err(|obstacle| obstacle.at(data))?;
    }
    let mut params = function.blocks.values().flat_map(|block| &block.params);
    params.try_for_each(|&param| holds(param).map_err(Obstacle::anywhere))
}

/// Whether a quotient or a remainder can be computed without a division. That rounds down, so a
/// remainder must not be negative.
fn divides(function: &Function, ranges: &Ranges, data: &InstData) -> bool {
    function.as_iconst(data.args[1]).is_some_and(|divisor| {
        let dividend = ranges.of(data.args[0]);
        let rounds_down = data.op == Op::IdivPos || dividend.low >= 0;
        rounds_down && Reciprocal::new(dividend, divisor).is_some()
    })
}
