//! The state of a sink between groups: variables, and the stack slots through which lanes are
//! extracted from vectors. A sink takes results by [part](super::halves) of the group.

use super::table::{Counting, Table};
use crate::ir::Type;
use crate::pass::VectorForm;
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{StackSlotData, StackSlotKind};
use cranelift::frontend::{FunctionBuilder, Variable};
use cranelift::prelude::types;
use dicec_runtime::kernel::Sink;
use dicec_runtime::moments::Moments;
use dicec_runtime::rng::lanes::LaneWidth;

/// The maximum distance from the centre for which squares are summed in 32 bits. Beyond it, a call
/// could run too few trials, so sums have 64 bits.
pub(super) const NARROW_REACH: u64 = 1 << 12;

/// The sink of a kernel.
pub(super) struct LaneSink {
    pub(super) kind: Kind,
    pub(super) cells: Variable,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The next cells are at `cells`.
    Values(Type),
    Count(Variable),
    Moments(LaneMoments),
    Histogram {
        low: i64,
        cells: u32,
        counting: Counting,
        /// The stack slot through which lanes are extracted from vectors.
        slot: clif::StackSlot,
    },
}

impl LaneSink {
    pub(super) fn new(
        builder: &mut FunctionBuilder<'_>,
        form: &VectorForm,
        sink: Sink,
        table: &Table,
    ) -> Self {
        let (lanes, parts) = match form.width {
            LaneWidth::V8 => (types::I16X8, 2),
            LaneWidth::V16 => (types::I16X8, 1),
            LaneWidth::V32 => (types::I32X4, 1),
        };
        let kind = match sink {
            Sink::Values => Kind::Values(form.function().result),
            Sink::Count => Kind::Count(builder.declare_var(lanes)),
            Sink::Moments(moments) => Kind::Moments(LaneMoments::new(builder, moments, lanes)),
            Sink::Histogram { low, cells } => {
                // At most one vector per trial of a lane in each part of the group, and few trials.
                let size = 16 * form.trials_per_lane() as u32 * parts;
                let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
                Kind::Histogram {
                    low,
                    cells,
                    counting: table.counting(),
                    slot: builder.create_sized_stack_slot(slot),
                }
            }
        };
        Self {
            kind,
            cells: builder.declare_var(types::I64),
        }
    }
}

/// The moments of a call's results so far, in lanes.
#[derive(Clone, Copy)]
pub(super) struct LaneMoments {
    pub(super) moments: Moments,
    pub(super) sum: Sum,
    pub(super) squares: Sum,
    pub(super) least: Variable,
    pub(super) greatest: Variable,
}

pub(super) fn sums(narrow: bool) -> clif::Type {
    if narrow { types::I32X4 } else { types::I64X2 }
}

/// A sum in four lanes of 32 bits, or in two of 64.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) variable: Variable,
    pub(super) is_narrow: bool,
}

impl Sum {
    fn new(builder: &mut FunctionBuilder<'_>, is_narrow: bool) -> Self {
        let variable = builder.declare_var(sums(is_narrow));
        Self {
            variable,
            is_narrow,
        }
    }
}

impl LaneMoments {
    pub(super) fn new(
        builder: &mut FunctionBuilder<'_>,
        moments: Moments,
        lanes: clif::Type,
    ) -> Self {
        let reach = moments.reach();
        Self {
            moments,
            // A lane of 32 bits takes at most a quarter of 2^16 trials.
            sum: Sum::new(builder, reach < 1 << 16),
            squares: Sum::new(builder, reach < NARROW_REACH),
            least: builder.declare_var(lanes),
            greatest: builder.declare_var(lanes),
        }
    }
}
