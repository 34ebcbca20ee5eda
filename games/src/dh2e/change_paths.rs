//! Locates changes in a scenario's document, so that errors there are attributed to the change.

use super::change::{Change, Member, Owner};
use super::json::Wrong;
use super::model::Actor;
use super::modifier::slug;
use super::scenario::Scenario;

impl Change {
    /// The same error, attributed to this change, if it is about a part that the change gave to the
    /// scenario.
    pub fn blamed(&self, wrong: &Wrong, scenario: &Scenario) -> Option<Wrong> {
        let mut paths = self.paths(scenario).into_iter();
        paths.any(|path| wrong.within(&path).is_some()).then(|| {
            let path = self.name.clone();
            let (what, help) = (wrong.what.clone(), wrong.help.clone());
            Wrong { path, what, help }
        })
    }

    /// The paths of the parts that it changes.
    fn paths(&self, scenario: &Scenario) -> Vec<String> {
        match (scenario, &self.owner) {
            (Scenario::Fight(_), Owner::Whole) => vec!["$.rounds".to_owned()],
            (Scenario::Fight(fight), owner) => {
                let mut paths = Vec::new();
                for (index, side) in fight.sides.iter().enumerate() {
                    for (number, fighter) in side.fighters.iter().enumerate() {
                        if owner.has(index, &fighter.actor) {
                            let at = format!("$.sides[{index}].fighters[{number}]");
                            let weapon = fighter.weapon.as_deref();
                            paths.push(self.member.path(&at, "actor", &fighter.actor, weapon));
                        }
                    }
                }
                paths
            }
            (Scenario::Attack(attack), Owner::Target) => {
                vec![self.member.path("$", "target", &attack.target, None)]
            }
            (Scenario::Attack(attack), _) => {
                let weapon = attack.weapon.as_deref();
                vec![self.member.path("$", "attacker", &attack.attacker, weapon)]
            }
        }
    }
}

impl Member {
    /// Its path: of an activity at `at`, or of the `actor` that does it there with a weapon.
    fn path(&self, at: &str, actor: &str, who: &Actor, weapon: Option<&str>) -> String {
        let own = |name: &str| format!("{at}.{name}");
        let of_actor = |name: &str| format!("{at}.{actor}.{name}");
        let of_weapon = |name: &str| {
            let mut weapons = who.weapons.iter();
            let index = weapons.position(|one| weapon.is_none_or(|wanted| one.name == wanted));
            of_actor(&format!("weapons[{}].{name}", index.unwrap_or_default()))
        };
        match self {
            Self::Rounds => own("rounds"),
            Self::Count => own("count"),
            Self::Tactic => own("tactic"),
            Self::Defence => own("defence"),
            Self::Mode => own("mode"),
            Self::Weapon => own("weapon"),
            Self::Options => own("options"),
            Self::Called => own("called"),
            Self::Wounds => of_actor("wounds"),
            Self::Fatigue => of_actor("fatigue"),
            Self::Conditions => of_actor("conditions"),
            Self::Armour(_) => of_actor("armour"),
            Self::Characteristic(name) => of_actor(&format!("characteristics.{name}")),
            Self::Tier(skill) => {
                let index = who.skills.iter().position(|one| slug(&one.name) == *skill);
                of_actor(&format!("skills[{}].tier", index.unwrap_or_default()))
            }
            Self::Damage => of_weapon("damage"),
            Self::Bonus => of_weapon("bonus"),
            Self::Penetration => of_weapon("penetration"),
            Self::Qualities => of_weapon("qualities"),
            Self::Craftsmanship => of_weapon("craftsmanship"),
        }
    }
}
