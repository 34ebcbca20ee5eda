//! Actions that heal: their targets, their place in a turn, and their effect.

use super::dying::IS_ALIVE;
use super::{Told, Writer};
use crate::encounter::document::Heal;
use crate::encounter::plan::{Healing, Kind, healing_field, slots_field};
use crate::script_text::{Joined, ScriptCode, code, quoted};

/// The function that tests whether a policy heals a creature.
fn needs(policy: Heal) -> &'static str {
    match policy {
        Heal::Half => "isWeak",
        Heal::Fallen | Heal::Never => "isDying",
    }
}

impl Writer<'_> {
    /// The fields of uses that are left.
    pub(super) fn fields_of_healing(&self) -> Vec<ScriptCode> {
        let all = self.plan.kinds.iter().map(|kind| kind.healing.len());
        let most = all.max().unwrap_or(0);
        let has_uses = |index: &usize| {
            let of_kind = |kind: &Kind| {
                let one = kind.healing.get(*index);
                one.is_some_and(|one| one.uses.is_some() && one.slot.is_none())
            };
            self.any(of_kind)
        };
        let indices = (0..most).filter(has_uses);
        indices
            .map(|index| code!("{}: int", healing_field(index)))
            .collect()
    }

    pub(super) fn write_healing(&mut self) {
        let plan = self.plan;
        for policy in [Heal::Fallen, Heal::Half] {
            let mut all = plan.kinds.iter().flat_map(|kind| &kind.healing);
            if all.any(|healing| healing.policy == policy && !healing.is_own) {
                self.write_need(policy);
            }
        }
        for kind in &plan.kinds {
            for healing in &kind.healing {
                self.write_restoring(kind, healing);
            }
        }
    }

    /// Whether somebody is to be healed.
    fn write_need(&mut self, policy: Heal) {
        let mut terms = Vec::new();
        if self.plan.has_characters() {
            terms.push(code!("c.hp == 0 && {IS_ALIVE}", IS_ALIVE));
        }
        if policy == Heal::Half {
            let most = self.full_hit_points("c", |kind| self.plan.has_healing(kind.side));
            terms.push(code!("c.hp > 0 && 2 * c.hp <= {most}", most));
        }
        let name = needs(policy);
        self.out.comment("Whether somebody is to be healed.");
        self.line(code!(
            "deffun {name}(c: creature) : bool {{ return {}; }}\n",
            terms.joined(" || "),
            name
        ));
    }

    /// Heals the creature that needs it most: fallen ones have the fewest hit points.
    fn write_restoring(&mut self, kind: &Kind, healing: &Healing) {
        let name = &healing.name;
        self.out.comment(format!("{}: {name}.", kind.title));
        self.line(code!(
            "deffun {}(self: creature, friends: creature list) {{",
            healing.word
        ));
        let is_needed = needs(healing.policy);
        self.line(match healing.is_own {
            true => ScriptCode::from("c = self;"),
            false => code!(
                "c = least(f by f.hp for f : friends if {is_needed}(f));",
                is_needed
            ),
        });
        if self.told == Told::Blows {
            self.line("before = c.hp;");
        }
        let amount = match healing.dice.rolls() {
            true => code!("roll({})", healing.dice.text(false)),
            false => healing.dice.text(false),
        };
        if self.plan.has_characters_on(kind.side) && !healing.is_own {
            self.line("if (c.hp == 0) { c.successes = 0; c.failures = 0; }");
        }
        let most = self.full_hit_points("c", |one| one.side == kind.side);
        self.line(code!("c.hp = min({most}, c.hp + {amount});", most, amount));
        self.tell(&code!(
            "self.name + \" heals \" + c.name + {} + (c.hp - before) + \" to \" + c.hp + \" \
             hit points\"",
            quoted(&format!(" with {name} by "))
        ));
        self.line("}\n");
    }

    /// The uses that come back at the beginning of a turn.
    pub(super) fn write_healing_back(&mut self, kind: &Kind) {
        for (index, healing) in kind.healing.iter().enumerate() {
            if let Some(lowest) = healing.recharge {
                let field = code!("self.{}", healing_field(index));
                self.line(code!(
                    "if ({field} == 0 && roll(d6) >= {lowest}) {{ {field} = 1; }}",
                    field,
                    lowest
                ));
            }
        }
    }

    /// The healing in a turn: at most once as a bonus action, then at most once instead of other
    /// actions. Returns the number of open blocks; the other actions belong into the innermost one.
    pub(super) fn write_healing_of_turn(&mut self, kind: &Kind) -> usize {
        let all = || kind.healing.iter().enumerate();
        let mut before = "";
        for (index, healing) in all().filter(|(_, one)| one.is_bonus) {
            self.write_attempt(kind, index, healing, before);
            self.spend_bonus_action(kind);
            self.spend_smite(kind);
            self.line("}");
            before = "else ";
        }
        let mut opened = 0;
        for (index, healing) in all().filter(|(_, one)| !one.is_bonus) {
            self.write_attempt(kind, index, healing, "");
            self.line("} else {");
            opened += 1;
        }
        opened
    }

    /// The beginning of a block for an action that heals if it is available and needed.
    fn write_attempt(
        &mut self,
        kind: &Kind,
        index: usize,
        healing: &Healing,
        before: &'static str,
    ) {
        let rages = kind.traits.martial.rage.is_some();
        let free = if healing.is_bonus && rages {
            "!isBusy && "
        } else {
            ""
        };
        let opened = self.healing_block((kind, &"self".into()), index, healing, ("friends", free));
        self.line(code!("{before}{opened}", before, opened));
    }

    /// The beginning of a block in which a creature heals somebody of a list, or itself, if it can,
    /// it is `free` to do so, and somebody needs it.
    pub(super) fn healing_block(
        &self,
        (kind, healer): (&Kind, &ScriptCode),
        index: usize,
        healing: &Healing,
        (friends, free): (&'static str, &'static str),
    ) -> ScriptCode {
        let most = match self.plan.hit_dice[kind.number] {
            Some(_) => code!("{healer}.most", healer),
            None => ScriptCode::from(kind.creature.hp),
        };
        let is_needed = match healing.is_own {
            true => code!("{healer}.hp > 0 && 2 * {healer}.hp <= {most}", healer, most),
            false => code!(
                "any({}(f) for f : {friends})",
                needs(healing.policy),
                friends
            ),
        };
        let field = healing
            .slot
            .map_or_else(|| healing_field(index), slots_field);
        let (left, use_up) = match healing.uses {
            Some(_) => (
                code!("{healer}.{field} > 0 && ", healer, field),
                code!("{healer}.{field} -= 1;", healer, field),
            ),
            None => (ScriptCode::default(), ScriptCode::default()),
        };
        code!(
            "if ({free}{left}{is_needed}) {{\n{use_up} {}({healer}, {friends});",
            healing.word,
            free,
            left,
            is_needed,
            use_up,
            healer,
            friends
        )
    }
}
