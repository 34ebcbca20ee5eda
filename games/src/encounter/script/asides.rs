//! Bonus and free actions of features: their conditions and their costs.

use super::Writer;
use super::facts::{Binding, Truth};
use super::martial::smites_as_bonus;
use super::targets::policy_function;
use crate::encounter::document::Limited;
use crate::encounter::feature::{Reach, Uses, Way};
use crate::encounter::plan::{Aside, Kind, Todo, What, aside_field};
use crate::encounter::policy::Policy;
use crate::script_text::{Joined, ScriptCode, code, quoted};

impl Writer<'_> {
    /// The fields of uses that are left.
    pub(super) fn fields_of_asides(&self) -> Vec<ScriptCode> {
        let most = self.plan.kinds.iter().map(|kind| kind.asides.len()).max();
        let has_uses = |index: &usize| {
            let is_few = |kind: &Kind| {
                let aside = kind.asides.get(*index);
                aside.is_some_and(|aside| aside.uses != Uses::Free)
            };
            self.any(is_few)
        };
        let indices = (0..most.unwrap_or(0)).filter(has_uses);
        indices
            .map(|index| code!("{}: int", aside_field(index)))
            .collect()
    }

    /// The resources that come back at the beginning of a turn.
    pub(super) fn write_asides_back(&mut self, kind: &Kind) {
        for (index, aside) in kind.asides.iter().enumerate() {
            if let Uses::Few {
                recharge: Some(lowest),
                ..
            } = aside.uses
            {
                let field = code!("self.{}", aside_field(index));
                self.line(code!(
                    "if ({field} == 0 && roll(d6) >= {lowest}) {{ {field} = 1; }}",
                    field,
                    lowest
                ));
            }
        }
    }

    /// The bonus or free actions of a creature: one bonus action, and all free ones.
    pub(super) fn write_asides(&mut self, kind: &Kind, way: Way) {
        let mut before = match (way, self.spends_bonus_action(kind)) {
            (Way::Bonus, true) => "if (isBusy) { } else ",
            _ => "",
        };
        let asides = kind.asides.iter().enumerate();
        for (index, aside) in asides.filter(|(_, aside)| aside.way == way) {
            let Some(condition) = self.condition_of_aside(kind, index, aside) else {
                continue;
            };
            self.line(code!("{before}if ({condition}) {{", before, condition));
            if aside.uses != Uses::Free {
                self.line(code!("self.{} -= 1;", aside_field(index)));
            }
            if let Some(slot) = slot_of(kind, aside.deed) {
                self.line(code!("self.{slot} -= 1;", slot));
            }
            let times = aside.times.into();
            let deed = aside.deed;
            self.write_todo(kind, &Todo { deed, times });
            self.line("}");
            if way == Way::Bonus {
                before = "else ";
            }
        }
    }

    /// The condition of a bonus or free action; `None` if it never happens.
    fn condition_of_aside(&self, kind: &Kind, index: usize, aside: &Aside) -> Option<ScriptCode> {
        let truth = self.holds_alone(kind, aside.fact.as_ref());
        let mut all = Vec::new();
        match aside.uses {
            Uses::Free => {}
            Uses::Few { .. } if kind.limits == Policy::Known(Limited::Never) => return None,
            Uses::Few { .. } => all.push(code!("self.{} > 0", aside_field(index))),
        }
        all.extend(self.is_lasting_for(kind, aside.deed));
        all.extend(slot_of(kind, aside.deed).map(|slot| code!("self.{slot} > 0", slot)));
        all.push(self.someone_for(kind, aside.deed));
        if aside.uses != Uses::Free {
            all.extend(self.policy_of_limited(kind, aside.deed));
        }
        let is_smite = aside.way == Way::Bonus && smites_as_bonus(kind);
        all.extend(is_smite.then(|| ScriptCode::from("!self.smote")));
        let held = self.is_held("self", kind.side);
        let is_bound = aside.is_unheld && !held.is_empty();
        all.extend(is_bound.then(|| code!("!({})", held.joined(" || "))));
        let disabled = self.disabled("self", kind.side, &aside.of).into_iter();
        all.extend(disabled.map(|one| code!("!({one})", one)));
        match truth {
            Truth::Never => return None,
            Truth::Always => {}
            truth => all.push(truth.text(Binding::And)),
        }
        Some(all.joined(" && "))
    }

    /// The condition of a side's policy for limited actions, if it has one.
    pub(super) fn policy_of_limited(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let has_area = matches!(kind.deeds[deed].what, What::Blast(_, Reach::Area(_)));
        match &kind.limits {
            Policy::Function { function } => {
                Some(code!("{}(self, friends, foes)", policy_function(function)))
            }
            Policy::Known(Limited::Crowds) if has_area => {
                Some(ScriptCode::from("count(c.hp > 0 for c : foes) > 1"))
            }
            Policy::Known(_) => None,
        }
    }

    /// Whether other rules may use the bonus action of a creature with such features.
    pub(super) fn spends_bonus_action(&self, kind: &Kind) -> bool {
        let mut asides = kind.asides.iter();
        let has_features = asides.any(|aside| aside.way == Way::Bonus);
        let mut healing = kind.healing.iter();
        let heals = healing.any(|healing| healing.is_bonus);
        let runs = kind.traits.is_aggressive && self.plan.has_positions();
        let rages = kind.traits.martial.rage.is_some();
        let helps = kind.helps_by_bonus_action();
        has_features && (runs || rages || heals || helps)
            || kind.marks()
            || rages && (heals || helps)
            || heals && helps
    }

    /// The bonus action of a turn is spent.
    pub(super) fn spend_bonus_action(&mut self, kind: &Kind) {
        if self.spends_bonus_action(kind) {
            self.line("isBusy = true;");
        }
    }

    /// A feature gives hit points back.
    pub(super) fn write_mending(&mut self, kind: &Kind, deed: usize, hit_points: i64) {
        let name = &kind.deeds[deed].name;
        self.out.comment(format!("{}: {name}.", kind.title));
        self.open(kind, deed);
        let disabled = self.disabled("self", kind.side, name);
        let idle = disabled
            .into_iter()
            .chain([ScriptCode::from("self.hp == 0")]);
        let idle = idle.collect::<Vec<_>>().joined(" || ");
        self.line(code!("if ({idle}) {{ return; }}", idle));
        self.line("before = self.hp;");
        self.line(code!(
            "self.hp = min({}, self.hp + {hit_points});",
            self.most(kind),
            hit_points
        ));
        self.line("if (self.hp > before) {");
        self.tell(&code!(
            "self.name + \" regains \" + (self.hp - before) + {} + self.hp",
            quoted(&format!(" hit points with {name}, and has "))
        ));
        self.line("}");
        self.line("}\n");
    }

    /// Calls the side effects on the targets of a spell, before the spell's own effects.
    pub(super) fn call_besides(&mut self, kind: &Kind, deed: usize) {
        for one in kind.besides.iter().filter(|one| one.spell == deed) {
            let word = &kind.deeds[one.deed].word;
            let is_it = self.is_of(&self.plan.kinds[one.foe], "foe");
            self.line(code!(
                "if (foe.hp > 0{is_it}) {{ {word}(self, foe, friends, foes); }}",
                is_it,
                word
            ));
        }
    }
}

/// The field with the uses of a deed that is a limited action.
fn slot_of(kind: &Kind, deed: usize) -> Option<ScriptCode> {
    let slot = kind.limited.iter().position(|rare| rare.deed == deed)?;
    Some(kind.limited[slot].field(slot))
}
