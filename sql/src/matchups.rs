//! The table function `dice_matchups('party.csv', 'foes.csv')`: each row of one table with each row
//! of another, whose columns are the target's, as `dicec batch --targets` has them.

use crate::error::{SqlError, internal};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Column, TableReference};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder};
use dicec_lang::syntax::{FileCode, Finding};
use dicec_runtime::bug;
use dicec_tables::Joins;
use std::sync::Arc;
use tokio::runtime::Handle;

const USAGE: &str = "call it with two tables: dice_matchups('party.csv', 'foes.csv')";

/// The names of the two tables in the plan.
const SIDES: [&str; 2] = ["attackers", "targets"];

/// The function.
#[derive(Debug)]
pub(crate) struct Matchups;

impl TableFunctionImpl for Matchups {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let names: Option<Vec<&str>> = args.exprs().iter().map(text).collect();
        let Some([first, second]) = names.as_deref() else {
            return Err(SqlError::call("dice_matchups joins two tables", USAGE).into());
        };
        let state = args.session().as_any().downcast_ref::<SessionState>();
        let state = state.ok_or_else(|| {
            SqlError::from(internal(&bug!("a session that is not one of DataFusion")))
        })?;
        let tables = [table(state, first)?, table(state, second)?];
        let headers = tables.each_ref().map(|table| {
            let schema = table.schema();
            let fields = schema.fields().iter().map(|field| field.name().clone());
            fields.collect::<Vec<String>>()
        });
        let joins = Joins::default().targets(&headers[1], Vec::new(), |_| false);
        let header = joins.header(&headers[0]).map_err(|same| {
            let message = format!("{first} and {second} both have a column \"{}\"", same.name);
            let finding = Finding::general(FileCode::BadTable.as_str(), message);
            let help = "columns of the second table are named `Target ...`; rename one of the two";
            SqlError::from(finding.help(help))
        })?;
        let [attackers, targets] = tables;
        let scan = |side: usize, table: Arc<dyn TableProvider>| {
            LogicalPlanBuilder::scan(SIDES[side], provider_as_source(table), None)
        };
        let right = scan(1, targets)?.build()?;
        let owned = [(0, &headers[0]), (1, &headers[1])].into_iter();
        let owned = owned.flat_map(|(side, names)| names.iter().map(move |name| (side, name)));
        let columns = owned.zip(header).map(|((side, name), joined)| {
            let column = Expr::Column(Column::new(Some(SIDES[side]), name));
            match *name == joined {
                // The optimiser takes a column without a table for another one of the same name.
                true => column,
                false => column.alias(joined),
            }
        });
        let plan = scan(0, attackers)?.cross_join(right)?.project(columns)?;
        Ok(Arc::new(ViewTable::new(plan.build()?, None)))
    }
}

/// A text that is the same for each row.
fn text(argument: &Expr) -> Option<&str> {
    match argument {
        Expr::Literal(value, _) => value.try_as_str().flatten(),
        _ => None,
    }
}

/// The table of this name, or in this file.
fn table(state: &SessionState, name: &str) -> Result<Arc<dyn TableProvider>> {
    // DataFusion plans on a thread that may not wait, and looks for tables before it knows that
    // they are arguments.
    let handle = Handle::try_current();
    let handle = handle.map_err(|why| DataFusionError::External(Box::new(why)))?;
    let found = std::thread::scope(|scope| {
        let look = || {
            handle.block_on(async {
                let schema = state.schema_for_ref(TableReference::bare(name))?;
                schema.table(name).await
            })
        };
        scope.spawn(look).join()
    });
    let bug = || SqlError::from(internal(&bug!("a thread that looked for a table died")));
    found.map_err(|_| bug())??.ok_or_else(|| {
        let message = format!("there is no table `{name}`");
        SqlError::call(message, USAGE).into()
    })
}
