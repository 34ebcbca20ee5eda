//! How somebody joins a fight.

use super::block::{Sort, has, list, modifier, number, sort, text};
use super::dying::Fate;
use super::features::features;
use super::fight::Battle;
use super::fighter::Fighter;
use super::martial::Martial;
use serde_json::Value;

impl Battle<'_> {
    /// Those who arrive at the beginning of a round.
    pub(super) fn arrive(&mut self, round: u32) {
        for who in 0..self.all.len() {
            let one = &mut self.all[who];
            if one.block["arrives"] == round {
                one.hp = first_hp(&one.block);
                let line = format!("{} arrives", one.name);
                self.say(line);
            }
        }
    }

    /// Whether somebody of a side is still to arrive.
    pub(super) fn awaits(&self, side: usize, round: u32) -> bool {
        let mut later = self.all.iter().filter(|one| one.side == side);
        later.any(|one| {
            one.block["arrives"]
                .as_u64()
                .is_some_and(|at| at > u64::from(round))
        })
    }

    pub(super) fn join(&mut self, block: &Value, kind: usize, name: String, side: usize) {
        let uses = list(block, "actions").iter().filter(|action| {
            action["usage"].is_object() && sort(action, self.plain) != Sort::Nothing
        });
        let of = |action: &Value| {
            let uses = action["usage"]["per day"].as_i64().unwrap_or(1);
            (text(action, "name").to_owned(), uses)
        };
        let row = self.all.iter().filter(|one| one.side == side).count() as i64;
        let edge = if side == 0 {
            0
        } else {
            self.distance.unwrap_or(0)
        };
        let at = [edge, 5 * row];
        let slots = list(&block["spellcasting"], "slots").iter();
        self.all.push(Fighter {
            slots: slots.map(|count| count.as_i64().unwrap_or(0)).collect(),
            hp: match block["arrives"].is_u64() {
                true => 0,
                false => first_hp(block),
            },
            initiative: self.dice.roll(20) + modifier(block, "DEX"),
            uses: if self.plain {
                Vec::new()
            } else {
                uses.map(of).collect()
            },
            legendary: 3,
            resistances: if has(block, "Legendary Resistance") {
                3
            } else {
                0
            },
            reaction: true,
            block: block.clone(),
            features: features(block),
            kind,
            name,
            side,
            suffers: Vec::new(),
            safe: Vec::new(),
            reckless: false,
            extra: false,
            rampaging: false,
            relentless: false,
            stopped: false,
            berserk: false,
            surprised: false,
            averts: false,
            has_acted: false,
            ground: 0,
            ac: number(block, "ac"),
            blunted: 0,
            at,
            left: 0,
            ran: 0,
            prey: None,
            temporary: number(block, "temp hp"),
            fate: Fate::Dying(0, 0),
            heals: Vec::new(),
            asides: Vec::new(),
            busy: false,
            holds: Vec::new(),
            tired: false,
            helped: Vec::new(),
            martial: Martial::of(block, self.plain),
        });
    }
}

/// The hit points of a creature that is not yet hurt in this fight.
fn first_hp(block: &Value) -> i64 {
    block["current hp"].as_i64().unwrap_or(number(block, "hp"))
}
