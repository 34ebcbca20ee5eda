//! Rules that keep creatures from falling (SRD 5.1, Boar: "Relentless", Zombie: "Undead
//! Fortitude").

use super::{Writer, by_kind, is_one_of, name_and};
use crate::encounter::plan::{Endurance, Kind, RollRule};
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// Leaves some hit points to creatures that would fall: first rules without a save, then those
    /// with one.
    pub(super) fn write_endurance(&mut self) {
        let plan = self.plan;
        let kinds = plan.kinds.iter();
        let all: Vec<(&Kind, &Endurance)> = kinds
            .flat_map(|kind| kind.traits.endurance.iter().map(move |one| (kind, one)))
            .collect();
        let mut shapes: Vec<Shape> = all.iter().map(|(_, one)| Shape::of(one)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        for shape in shapes {
            let alike: Vec<(&Kind, &Endurance)> = all
                .iter()
                .copied()
                .filter(|(_, one)| Shape::of(one) == shape)
                .collect();
            self.write_alike(shape, &alike);
        }
    }

    /// Rules of the same shape: their numbers differ by kind.
    fn write_alike(&mut self, shape: Shape, alike: &[(&Kind, &Endurance)]) {
        let by = |value: &dyn Fn(&Kind, &Endurance) -> ScriptCode| {
            let values = alike
                .iter()
                .map(|(kind, one)| (kind.number, value(kind, one)));
            by_kind("foe", &values.collect::<Vec<_>>())
        };
        let kinds: Vec<usize> = alike.iter().map(|(kind, _)| kind.number).collect();
        let mut conditions = vec![ScriptCode::from("foe.hp <= 0"), is_one_of("foe", &kinds)];
        for (kind, one) in alike {
            let is_it = is_one_of("foe", &[kind.number]);
            let disabled = self.disabled("foe", kind.side, &one.of).into_iter();
            conditions.extend(disabled.map(|code| code!("!({is_it} && {code})", is_it, code)));
        }
        conditions.extend(shape.is_once.then(|| ScriptCode::from("!foe.relentless")));
        if shape.has_max_damage {
            let most = by(&|_, one| ScriptCode::from(one.max_damage.unwrap_or(0)));
            conditions.push(code!("damage <= {most}", most));
        }
        conditions.extend(shape.yields.then(|| ScriptCode::from("!isSure")));
        if shape.saves {
            let die = by(&|kind, one| match gains(kind, one) {
                true => ScriptCode::from("roll(2d20kh1)"),
                false => ScriptCode::from("roll(d20)"),
            });
            let bonus = by(&|kind, one| {
                let ability = one
                    .save
                    .as_ref()
                    .map(|save| kind.creature.save(&save.ability));
                ScriptCode::from(ability.flatten().unwrap_or(0))
            });
            let dc = by(&|_, one| ScriptCode::from(one.save.as_ref().map_or(0, |save| save.dc)));
            let damage = if shape.adds_damage { " + damage" } else { "" };
            let [die, dc] = [die, dc].map(|text| match text.as_str().starts_with("match") {
                true => code!("({text})", text),
                false => text,
            });
            conditions.push(code!(
                "{die} + {bonus} >= {dc}{damage}",
                die,
                bonus,
                dc,
                damage
            ));
        }
        self.line(code!("if ({}) {{", conditions.joined(" && ")));
        let left = by(&|_, one| ScriptCode::from(one.hit_points));
        let used = if shape.is_once {
            "foe.relentless = true; "
        } else {
            ""
        };
        self.line(code!("{used}foe.hp = {left};", used, left));
        self.tell(name_and(
            "foe",
            match shape.saves {
                true => " does not stay down",
                false => " goes on",
            },
        ));
        self.line("}");
    }
}

/// Whether the save of a creature that would fall has advantage.
fn gains(kind: &Kind, one: &Endurance) -> bool {
    let ability = one.save.as_ref().map(|save| save.ability.as_str());
    ability.is_some_and(|ability| kind.traits.on_all_saves(RollRule::Advantage, ability))
}

/// The conditions of rules of endurance, without their numbers. Those without a save come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    saves: bool,
    adds_damage: bool,
    yields: bool,
    has_max_damage: bool,
    is_once: bool,
}

impl Shape {
    fn of(one: &Endurance) -> Self {
        Self {
            saves: one.save.is_some(),
            adds_damage: one.save.as_ref().is_some_and(|save| save.adds_damage),
            yields: one.yields(),
            has_max_damage: one.max_damage.is_some(),
            is_once: one.is_once,
        }
    }
}
