//! The types of the sheets.

use serde_json::Value;

/// `rollwithmod` of the script.
pub(super) struct Dice {
    pub(super) count: i64,
    pub(super) sides: i64,
    pub(super) modifier: i64,
}

/// `attack` of the script.
pub(super) struct Attack {
    pub(super) base: Dice,
    pub(super) bonus: i64,
    pub(super) rerolls: i64,
    pub(super) threat: i64,
    pub(super) autoconfirm: bool,
    pub(super) on_crit: Dice,
    pub(super) on_sneak: Dice,
    pub(super) on_crit_sneak: Dice,
}

/// `buff` of the script.
pub(super) struct Buff {
    pub(super) amount: i64,
    pub(super) active: bool,
}

/// `creature` of the script.
pub(super) struct Creature {
    pub(super) attacks: Vec<Attack>,
    pub(super) buffs: Vec<Buff>,
    pub(super) ac: i64,
    pub(super) miss_chance: i64,
    pub(super) crit_reduce: i64,
    pub(super) sneak_reduce: i64,
    pub(super) has_crit_negate: bool,
    pub(super) has_sneak_negate: bool,
    pub(super) can_add_reroll: bool,
    pub(super) reroll_bonus: i64,
    pub(super) can_force_reroll: bool,
    pub(super) force_reroll_penalty: i64,
}

/// `fighter` of the script.
#[derive(Clone)]
pub(super) struct Fighter {
    pub(super) name: String,
    pub(super) hp: i64,
    pub(super) ac: i64,
    pub(super) attack: i64,
    pub(super) dice: i64,
    pub(super) sides: i64,
    pub(super) bonus: i64,
}

fn int(value: &Value, name: &str, default: i64) -> i64 {
    value[name].as_i64().unwrap_or(default)
}

fn truth(value: &Value, name: &str) -> bool {
    value[name].as_bool().unwrap_or_default()
}

fn list<T>(value: &Value, read: fn(&Value) -> T) -> Vec<T> {
    value.as_array().into_iter().flatten().map(read).collect()
}

impl Dice {
    fn read(value: &Value) -> Self {
        Self {
            count: int(value, "numdice", 0),
            sides: int(value, "numsides", 0),
            modifier: int(value, "modifier", 0),
        }
    }
}

impl Attack {
    fn read(value: &Value) -> Self {
        Self {
            base: Dice::read(&value["basedmg"]),
            bonus: int(value, "attackbon", 0),
            rerolls: int(value, "rerolls", 0),
            threat: int(value, "critthreat", 0),
            autoconfirm: truth(value, "autoconfirm"),
            on_crit: Dice::read(&value["addoncrit"]),
            on_sneak: Dice::read(&value["addonsneak"]),
            on_crit_sneak: Dice::read(&value["addoncritsneak"]),
        }
    }
}

impl Creature {
    pub(super) fn read(value: &Value) -> Self {
        Self {
            attacks: list(&value["attacks"], Attack::read),
            buffs: list(&value["attackbuffs"], |buff| Buff {
                amount: int(buff, "amount", 0),
                active: truth(buff, "active"),
            }),
            ac: int(value, "ac", 0),
            miss_chance: int(value, "missChance", 0),
            crit_reduce: int(value, "critreduce", 0),
            sneak_reduce: int(value, "sneakreduce", 0),
            has_crit_negate: truth(value, "hascritnegate"),
            has_sneak_negate: truth(value, "hassneaknegate"),
            can_add_reroll: truth(value, "canAddReroll"),
            reroll_bonus: int(value, "rerollbonus", 0),
            can_force_reroll: truth(value, "canForceReroll"),
            force_reroll_penalty: int(value, "forcererollpen", 0),
        }
    }
}

impl Fighter {
    pub(super) fn read(value: &Value) -> Self {
        Self {
            name: value["name"].as_str().unwrap_or_default().to_owned(),
            hp: int(value, "hp", 0),
            ac: int(value, "ac", 0),
            attack: int(value, "attack", 0),
            dice: int(value, "dice", 1),
            sides: int(value, "sides", 8),
            bonus: int(value, "bonus", 0),
        }
    }
}
