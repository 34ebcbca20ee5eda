//! Recipes: dice, with what is done to them, whose outcome is drawn at once.
//!
//! A recipe's code is a function of one block that reads no resources and cannot trap. Its law, weight for weight, is
//! worked out where the recipe is made ([`super::law`]), so that every recipe there is has a table.
//!
//! ```text
//! recipe0 {
//! function i64
//!
//! block0:
//!     v0 = pool 2 6
//!     v1 = pool 1 8
//!     v2 = iadd v0, v1
//!     return v2
//! }
//! ```

use super::function::Function;
use super::law;
use super::module::Tables;
use super::verify::verify_function;
use dicec_runtime::pmf::Pmf;
use dicec_runtime::rng::AliasTable;
use num_bigint::BigUint;
use std::sync::Arc;

/// What a function draws at once.
#[derive(Clone, Debug)]
pub struct RecipeData {
    code: Function,
    bounds: (i64, i64),
    table: Arc<AliasTable>,
}

/// The code tells them apart: all else follows from it.
impl PartialEq for RecipeData {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for RecipeData {}

impl RecipeData {
    /// The recipe of this code; `None` if its law cannot be worked out with little effort, or has no table.
    pub fn new(code: Function) -> Option<Self> {
        let law = law_of(&code)?;
        Some(Self {
            code,
            bounds: (law.min(), law.max()),
            table: Arc::new(AliasTable::new(&law)?),
        })
    }

    /// What is drawn.
    pub fn code(&self) -> &Function {
        &self.code
    }

    /// The least and the greatest outcome.
    pub fn bounds(&self) -> (i64, i64) {
        self.bounds
    }

    /// The exact odds, ready to be drawn from.
    pub fn table(&self) -> &Arc<AliasTable> {
        &self.table
    }
}

fn law_of(code: &Function) -> Option<Pmf<BigUint>> {
    verify_function(code, &Tables::default()).ok()?;
    law::law(code)
}
