//! Rare parts of a region ([`Part::Rare`](crate::analysis::Part)): blocks that few lanes reach are
//! skipped if no lane of the group reaches them.

use super::node::{Iteration, Node};
use super::state::VectorEmitter;
use crate::analysis::Region;
use cranelift::prelude::InstBuilder;
use dicec_runtime::bug;

impl<'f> VectorEmitter<'f, '_> {
    /// Emits a rare part after the emitted part of this iteration.
    pub(super) fn rare(&mut self, iteration: &Iteration, region: &'f Region) -> Node {
        let Some(first) = region.header() else {
            bug!("a rare part without a block").raise()
        };
        let (mask, params) = self.meet(iteration, first);
        // Lanes that enter it leave it at once.
        let variables = self.begin_loop(region, (first, mask, params), true);
        let [head, after] = [(); 2].map(|()| self.builder.create_block());
        let active = self.get_mask(variables.active);
        self.go_on_if_any(active, head, after);
        self.builder.switch_to_block(head);
        self.aside(|emitter| {
            let (mut pools, lefts) = emitter.draw(region);
            emitter.redraw_if(&lefts, head);
            let pools = pools.pop().unwrap_or_default();
            for &(param, variable) in &variables.params {
                emitter.values[param] = Some(emitter.get(variable));
            }
            let inner = emitter.raising(Some(first), |emitter| {
                emitter.iteration(region, Some(active), pools)
            });
            emitter.keep_left(&inner, active, &variables);
        });
        self.builder.ins().jump(after, &[]);
        self.builder.switch_to_block(after);
        self.leave_loop(mask, variables)
    }
}
