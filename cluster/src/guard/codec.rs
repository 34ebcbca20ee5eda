//! Finished plans that clients hand to a scheduler: none with nodes of Ballista. These fetch rows
//! from machines that they name, and only the scheduler may say which.

use super::refused;
use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use std::sync::Arc;

/// Writes Ballista's nodes for executors, and reads none.
#[derive(Debug, Default)]
pub(crate) struct Outward(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for Outward {
    fn try_decode(
        &self,
        _: &[u8],
        _: &[Arc<dyn ExecutionPlan>],
        _: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Err(refused("finished plans with parts that only a scheduler makes").into())
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.0.try_encode(node, bytes, converter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ballista_core::execution_plans::ShuffleReaderExec;
    use datafusion::arrow::datatypes::Schema;
    use datafusion::physical_plan::Partitioning;
    use datafusion_proto::physical_plan::DefaultPhysicalProtoConverter;

    #[test]
    fn nodes_of_ballista_go_out_and_do_not_come_in() -> Result<()> {
        let partitions = Partitioning::UnknownPartitioning(1);
        let schema = Arc::new(Schema::empty());
        let reader = ShuffleReaderExec::try_new(1, vec![Vec::new()], schema, partitions)?;
        let (codec, converter) = (Outward::default(), DefaultPhysicalProtoConverter {});
        let mut bytes = Vec::new();
        codec.try_encode(Arc::new(reader), &mut bytes, &converter)?;
        let context = TaskContext::default();
        let theirs = BallistaPhysicalExtensionCodec::default();
        theirs.try_decode(&bytes, &[], &context, &converter)?;
        assert!(codec.try_decode(&bytes, &[], &context, &converter).is_err());
        Ok(())
    }
}
