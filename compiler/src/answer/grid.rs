//! The odds of two parts of a result together as a grid: a row for each result of the first part or
//! each step of them, and a column for those of the second.

use super::axis::{Axis, Steps};
use super::joint::JointOdds;

/// The results of one part along a side of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridSide {
    /// The name of the part.
    pub name: String,
    /// Its results, or steps of them.
    pub labels: Vec<String>,
    /// How results were grouped, if they were.
    pub steps: Option<Steps>,
}

/// The probabilities of pairs of results.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The rows, for the first part.
    pub rows: GridSide,
    /// The columns, for the second part.
    pub columns: GridSide,
    /// The probability of each pair, row by row.
    pub p: Vec<Vec<f64>>,
}

impl JointOdds {
    /// The grid of two parts, with each result by itself if `all` are wanted; none of more parts.
    pub fn grid(&self, all: bool) -> Option<Grid> {
        let [first, second] = &self.parts[..] else {
            return None;
        };
        let (rows, columns) = (Axis::of(&first.odds, all), Axis::of(&second.odds, all));
        let mut p = vec![vec![0.0; columns.labels.len()]; rows.labels.len()];
        for (values, outcome) in self.outcomes() {
            p[rows.index(values[0])][columns.index(values[1])] += outcome.p;
        }
        let side = |name: &String, axis: Axis| GridSide {
            name: name.clone(),
            labels: axis.labels,
            steps: axis.steps,
        };
        Some(Grid {
            rows: side(&first.name, rows),
            columns: side(&second.name, columns),
            p,
        })
    }
}
