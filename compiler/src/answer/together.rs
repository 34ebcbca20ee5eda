//! Some parts of an answer together.

use super::joint::JointOdds;
use super::script::Answer;
use std::collections::BTreeMap;

impl Answer {
    /// The odds of the parts at these indices together; none if the answer was sampled or has no
    /// parts.
    pub fn together(&self, parts: &[usize]) -> Option<JointOdds> {
        let joint = self.joint.as_ref().filter(|_| !self.parts.is_empty())?;
        let chosen = |row: &Vec<i64>| parts.iter().map(|part| row[*part]).collect();
        let all: Vec<Vec<i64>> = joint.rows.iter().map(chosen).collect();
        let mut indices: BTreeMap<&Vec<i64>, i64> = all.iter().map(|row| (row, 0)).collect();
        for (index, place) in indices.values_mut().zip(0..) {
            *index = place;
        }
        let mut odds = joint.odds.clone();
        odds.renumber(|row| indices[&all[row as usize]]);
        Some(JointOdds {
            parts: parts.iter().map(|part| self.parts[*part].clone()).collect(),
            rows: indices.into_keys().cloned().collect(),
            odds,
        })
    }
}
