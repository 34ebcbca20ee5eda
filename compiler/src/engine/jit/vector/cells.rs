//! The cells of a script's lines and statistics, which are known when code is compiled.

use crate::engine::vector_stat_windows;
use crate::ir::ArgumentBlock;
use crate::pass::VectorForm;
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{StackSlotData, StackSlotKind};
use cranelift::frontend::FunctionBuilder;
use dicec_runtime::script::Window;
use std::sync::Arc;

/// The cells of a script's lines and statistics.
pub(super) struct Cells {
    /// How many texts have a cell at each site.
    pub(super) width: u32,
    pub(super) windows: Arc<[Window]>,
    /// The stack slots through which lanes are extracted from vectors: numbers and masks.
    pub(super) slots: [clif::StackSlot; 2],
}

impl Cells {
    /// `None` for a lone function, which notes nothing.
    pub(super) fn new(builder: &mut FunctionBuilder<'_>, form: &VectorForm) -> Option<Self> {
        let tables = form.module.script_tables()?;
        let windows: Arc<[Window]> = vector_stat_windows(form).into();
        let known = tables.known.as_deref().unwrap_or_default();
        // If these words are not an argument block, no trial will run.
        let arguments = ArgumentBlock::read(tables, form.module.slots(), known);
        let width = arguments.map_or(0, |arguments| {
            tables.workspace(&arguments, &windows).notes.width()
        });
        let slots = [(); 2].map(|()| {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 4);
            builder.create_sized_stack_slot(slot)
        });
        Some(Self {
            // At most 2^16.
            width: width as u32,
            windows,
            slots,
        })
    }
}
