//! Spells of a character: slots by class and level, and the usual spells.

use super::class::{Casting, Slots};
use super::sheet::Chosen;
use crate::edition::Edition;
use serde_json::{Map, Value, json};

/// Spell slots by level of a caster, from level 1 on (SRD 5.1, "Bard"; SRD 5.2, "Bard").
const FULL: [&[i64]; 20] = [
    &[2],
    &[3],
    &[4, 2],
    &[4, 3],
    &[4, 3, 2],
    &[4, 3, 3],
    &[4, 3, 3, 1],
    &[4, 3, 3, 2],
    &[4, 3, 3, 3, 1],
    &[4, 3, 3, 3, 2],
    &[4, 3, 3, 3, 2, 1],
    &[4, 3, 3, 3, 2, 1],
    &[4, 3, 3, 3, 2, 1, 1],
    &[4, 3, 3, 3, 2, 1, 1],
    &[4, 3, 3, 3, 2, 1, 1, 1],
    &[4, 3, 3, 3, 2, 1, 1, 1],
    &[4, 3, 3, 3, 2, 1, 1, 1, 1],
    &[4, 3, 3, 3, 3, 1, 1, 1, 1],
    &[4, 3, 3, 3, 3, 2, 1, 1, 1],
    &[4, 3, 3, 3, 3, 2, 2, 1, 1],
];

/// The spell slots of a character by level of slots, from 1 on.
pub(super) fn slots(casting: &Casting, edition: Edition, level: i64) -> Vec<i64> {
    let of_full = |level: i64| {
        let index = usize::try_from(level - 1).ok();
        let slots = index.and_then(|index| FULL.get(index));
        slots.map_or_else(Vec::new, |slots| slots.to_vec())
    };
    match casting.slots {
        Slots::Full => of_full(level),
        // Those of half the level, rounded up; in 5.1 from level 2 on.
        Slots::Half if level == 1 && edition == Edition::Srd51 => Vec::new(),
        Slots::Half => of_full((level + 1) / 2),
        Slots::Pact => {
            let count = match level {
                1 => 1,
                2..=10 => 2,
                11..=16 => 3,
                _ => 4,
            };
            let of_level = usize::try_from((level + 1) / 2).unwrap_or(1).min(5);
            let mut slots = vec![0; of_level - 1];
            slots.push(count);
            slots
        }
    }
}

/// The spells of a character.
#[derive(Clone, Debug, Default)]
pub(super) struct Spells {
    pub(super) cantrips: Vec<String>,
    /// Those that it casts with slots.
    pub(super) known: Vec<String>,
    /// Those that it casts once a day.
    pub(super) daily: Vec<String>,
    pub(super) slots: Vec<i64>,
    /// Whether a short rest brings its slots back (SRD 5.1, "Pact Magic").
    is_pact: bool,
}

impl Spells {
    /// The spells of a sheet, or the usual ones. `modifier` is that of the spellcasting ability.
    pub(super) fn of(chosen: &Chosen<'_>, casting: &Casting, modifier: i64) -> Self {
        let level = chosen.sheet.level;
        let slots = slots(casting, chosen.edition, level);
        let index = usize::try_from(level - 1).unwrap_or(0);
        let daily = casting.arcanum.range(..=level);
        let daily = daily.map(|(_, name)| name.clone()).collect();
        let is_pact = matches!(casting.slots, Slots::Pact);
        if let Some(own) = &chosen.sheet.spells {
            return Self {
                cantrips: Vec::new(),
                known: own.clone(),
                daily,
                slots,
                is_pact,
            };
        }
        let cantrips = casting.cantrips.get(index).copied().unwrap_or(0);
        let prepared = match casting.slots {
            Slots::Half => modifier + level / 2,
            Slots::Full | Slots::Pact => modifier + level,
        };
        let usual = usize::try_from(prepared.max(1)).unwrap_or(1);
        let count = casting.known.get(index).copied().unwrap_or(usual);
        let of_cantrips = casting.spells.first().into_iter().flatten();
        let mut known = preferred(casting, slots.len());
        known.truncate(count);
        let always = chosen.subclass.into_iter().flat_map(|one| {
            let levels = one.spells.range(..=level);
            levels.flat_map(|(_, names)| names)
        });
        for name in always {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
        Self {
            cantrips: of_cantrips.take(cantrips).cloned().collect(),
            known: if slots.is_empty() { Vec::new() } else { known },
            daily,
            slots,
            is_pact,
        }
    }

    /// All cantrips that it may have, if the sheet does not tell them apart.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut all = self.cantrips.iter().chain(&self.known);
        all.any(|one| one == name)
    }

    /// The member `spellcasting` of the stat block; `more` are its further members.
    pub(super) fn block(&self, ability: &str, level: i64, more: Map<String, Value>) -> Value {
        let names = self.cantrips.iter().chain(&self.known);
        let names = names.filter(|name| *name != "Eldritch Blast");
        let mut block = json!({
            "ability": ability, "level": level, "slots": self.slots,
            "spells": names.collect::<Vec<_>>(),
        });
        if self.is_pact {
            block["slots rest"] = json!("short");
        }
        if !self.daily.is_empty() {
            block["per day"] = json!({ "1": self.daily });
        }
        for (name, value) in more {
            block[name] = value;
        }
        block
    }
}

/// The usual spells up to a level: the first ones of each level, the highest level first, then the
/// second ones.
fn preferred(casting: &Casting, highest: usize) -> Vec<String> {
    let levels = casting.spells.iter().skip(1).take(highest);
    let mut all: Vec<(usize, usize, &String)> = Vec::new();
    for (level, names) in levels.enumerate() {
        let names = names.iter().enumerate();
        all.extend(names.map(|(rank, name)| (rank, highest - level, name)));
    }
    all.sort();
    all.into_iter().map(|(.., name)| name.clone()).collect()
}
