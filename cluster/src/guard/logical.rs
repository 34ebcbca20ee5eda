//! Statements that a scheduler takes: queries, but for those that a cluster would answer wrongly.

use super::refused;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use dicec_sql::marked;
use std::sync::Arc;

/// DataFusion's planner, for queries only.
#[derive(Debug)]
pub(crate) struct Planner;

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        state: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        check(plan).map_err(marked)?;
        let planner = DefaultPhysicalPlanner::default();
        let plan = planner.create_physical_plan(plan, state).await;
        plan.map_err(marked)
    }
}

/// Checks that a plan only reads and computes, its subqueries as well.
fn check(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| match kind(node) {
        None => Ok(TreeNodeRecursion::Continue),
        Some(kind) => Err(refused(kind).into()),
    })?;
    Ok(())
}

/// The kind of a node that is refused.
fn kind(node: &LogicalPlan) -> Option<&'static str> {
    match node {
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::Window(_)
        | LogicalPlan::Aggregate(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Join(_)
        | LogicalPlan::Repartition(_)
        | LogicalPlan::TableScan(_)
        | LogicalPlan::EmptyRelation(_)
        | LogicalPlan::Subquery(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Values(_)
        | LogicalPlan::Explain(_)
        | LogicalPlan::Analyze(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::Unnest(_)
        | LogicalPlan::RecursiveQuery(_) => None,
        // Ballista's stages give rows of its first part several times.
        LogicalPlan::Union(_) => Some("UNION, whose rows they would repeat"),
        LogicalPlan::Copy(_) => Some("COPY, which writes files"),
        LogicalPlan::Dml(_) => Some("INSERT, UPDATE and DELETE, which write tables"),
        LogicalPlan::Ddl(_) => Some("CREATE and DROP, which change their catalog"),
        LogicalPlan::Statement(_) => Some("SET, PREPARE and transactions, which change a session"),
        LogicalPlan::DescribeTable(_) => Some("DESCRIBE"),
        LogicalPlan::Extension(_) => Some("a kind of plan that they do not know"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::SessionContext;

    #[tokio::test]
    async fn queries_pass_and_nothing_else_does() -> Result<()> {
        let state = SessionContext::new().state();
        let cases = [
            (
                "SELECT a, (SELECT max(b) FROM (VALUES (1)) u (b)) FROM (VALUES (1)) t (a)",
                true,
            ),
            ("EXPLAIN SELECT 1 ORDER BY 1 LIMIT 1", true),
            ("SELECT 1 UNION ALL SELECT 2", false),
            ("SELECT count(*) FROM (SELECT 1 UNION SELECT 2)", false),
            ("COPY (SELECT 1) TO '/tmp/one.csv'", false),
            ("EXPLAIN COPY (SELECT 1) TO '/tmp/one.csv'", false),
            (
                "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/tmp/one.csv'",
                false,
            ),
            ("CREATE VIEW v AS SELECT 1", false),
            ("SET datafusion.execution.batch_size = 1", false),
        ];
        for (sql, is_fine) in cases {
            let plan = state.create_logical_plan(sql).await?;
            assert_eq!(check(&plan).is_ok(), is_fine, "{sql}");
        }
        Ok(())
    }
}
