//! The uses of numbers: in merges (selects, parameters, minima and maxima), which pass them on
//! unchanged, in comparisons, and in everything else.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Inst, Op, Terminator, Type, Value};

/// The place of an operand.
#[derive(Clone, Copy)]
pub(super) enum Site {
    /// An operand of an instruction, by index.
    Inst(Inst, usize),
    /// An argument of the edge from the first block to the second, by index.
    Edge(Block, Block, usize),
}

impl Site {
    /// Replaces the operand, which is `old`, by another value.
    pub(super) fn replace(self, function: &mut Function, old: Value, new: Value) {
        match self {
            Site::Inst(inst, index) => function.insts[inst].args[index] = new,
            Site::Edge(from, to, index) => {
                let end = function.blocks[from].terminator.iter_mut();
                let targets = end.flat_map(|end| end.targets_mut());
                for target in targets.filter(|target| target.block == to) {
                    if target.args[index] == old {
                        target.args[index] = new;
                    }
                }
            }
        }
    }
}

/// The uses of the numbers of a function.
#[derive(Default)]
pub(super) struct Uses {
    /// Merges: the merge, an operand of it, and the operand's place.
    pub(super) passed: Vec<(Value, Value, Site)>,
    /// Comparisons: a number, the other operand, and the other operand's place.
    pub(super) compared: Vec<(Value, Value, Site)>,
    /// The operands of everything else.
    pub(super) others: Vec<Value>,
}

impl Uses {
    pub(super) fn of(function: &Function) -> Self {
        let mut uses = Self::default();
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            match (data.op, data.args.as_slice()) {
                (Op::Select, _) | (Op::Imin | Op::Imax, _) => {
                    let first = usize::from(data.op == Op::Select);
                    let operands = data.args.iter().enumerate().skip(first);
                    let operands = operands.map(|(index, &arg)| (arg, Site::Inst(inst, index)));
                    let passed = operands.map(|(arg, site)| (data.result, arg, site));
                    uses.passed.extend(passed);
                }
                (Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige, &[a, b]) => {
                    let both = [(a, b, Site::Inst(inst, 1)), (b, a, Site::Inst(inst, 0))];
                    uses.compared.extend(both);
                }
                _ => uses.others.extend(&data.args),
            }
        }
        let graph = ControlFlow::new(function);
        for &from in graph.reverse_postorder() {
            if let Some(end) = function.blocks[from].terminator.clone() {
                uses.end(function, from, end);
            }
        }
        uses
    }

    fn end(&mut self, function: &Function, from: Block, mut end: Terminator) {
        for target in end.targets_mut() {
            let params = &function.blocks[target.block].params;
            let args = params.iter().zip(target.args.drain(..)).enumerate();
            let whole = args.filter(|(_, (param, _))| function.value_type(**param) == Type::I64);
            let to = target.block;
            let passed =
                whole.map(|(index, (&param, arg))| (param, arg, Site::Edge(from, to, index)));
            self.passed.extend(passed);
        }
        end.for_each_use(|&mut value| self.others.push(value));
    }
}
