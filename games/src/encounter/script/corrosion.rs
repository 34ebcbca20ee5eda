//! Corrosion of equipment (seed 001, "EFFECTS"): armour protects less, and weapons do less damage.
//! Creatures without equipment, such as beasts, are not affected.

use super::{Writer, is_one_of};
use crate::encounter::plan::{By, Gear, Kind, Strike};
use crate::script_text::{IsCode, ScriptCode, code};

/// The armour class of somebody without armour (SRD 5.1, Black Pudding: armour is destroyed if the
/// penalty reduces its AC to 10).
const BARE: i64 = 10;

/// The penalty with which a weapon is destroyed (SRD 5.1, Black Pudding).
const BLUNT: i64 = 5;

impl Writer<'_> {
    /// Whether somebody's weapon may corrode.
    pub(super) fn corrodes_weapons(&self) -> bool {
        [0, 1].into_iter().any(|side| self.may_be_blunted(side))
    }

    /// Whether weapons of a side may corrode.
    fn may_be_blunted(&self, side: usize) -> bool {
        let corrodes = |kind: &Kind| {
            let hits = kind.used().into_iter();
            let mut hits = hits.filter_map(|deed| kind.deeds[deed].hit());
            hits.any(|hit| hit.corrodes == Some(Gear::Weapon))
        };
        let is_armed = self.plan.on_side(side).any(|kind| kind.creature.has_gear());
        is_armed && self.plan.on_side(1 - side).any(corrodes)
    }

    /// Corrodes the equipment of `foe`, of this side, if it has some.
    pub(super) fn write_corrosion(&mut self, side: usize, failed: impl IsCode, gear: Gear) {
        let kinds: Vec<&Kind> = self.plan.on_side(side).collect();
        let wearing = kinds.iter().filter(|kind| kind.creature.has_gear());
        let wearing: Vec<usize> = wearing.map(|kind| kind.number).collect();
        let who = match wearing.len() == kinds.len() {
            true => ScriptCode::default(),
            false => code!(" && {}", is_one_of("foe", &wearing)),
        };
        let (left, loss, told) = match gear {
            Gear::Armour => (
                code!("foe.ac > {BARE}", BARE),
                "foe.ac -= 1;",
                "foe.name + \": the armour corrodes to \" + foe.ac",
            ),
            Gear::Weapon => (
                code!("foe.blunted < {BLUNT}", BLUNT),
                "foe.blunted += 1;",
                "foe.name + \": the weapon corrodes to -\" + foe.blunted",
            ),
        };
        self.line(code!(
            "if ({failed}foe.hp > 0 && {left}{who}) {{",
            failed,
            left,
            who
        ));
        self.line(loss);
        self.tell(told);
        self.line("}");
    }

    /// The damage of a weapon that has corroded.
    pub(super) fn write_blunted(&mut self, kind: &Kind, strike: &Strike) {
        let mut parts = strike.damage.iter();
        let is_weapon = parts.any(|part| part.kind.by == By::Weapon);
        if is_weapon && kind.creature.has_gear() && self.may_be_blunted(kind.side) {
            self.line("damage = max(0, damage - self.blunted);");
        }
    }
}
