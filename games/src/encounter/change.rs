//! Changes of an encounter by name, for columns of a table: `rounds`, `targets`, `first.surprised`,
//! `Goblin.ac`.

use super::bestiary::Bestiary;
use super::document::{Encounter, Group, Side};
use super::wrong::{self, Wrong};
use dicec_lang::syntax::nearest;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Something about an encounter that a text can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A member of the document.
    Whole(Whole),
    /// A member of a side, by its index, or of both sides.
    Side(Option<usize>, OfSide),
    /// A member of all groups of a creature, by its name.
    Creature(String, OfCreature),
}

/// A member of an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// The number of rounds after which the fight is a draw.
    Rounds,
    /// The creatures that roll for initiative.
    Initiative,
    /// Where hit points come from.
    HitPoints,
    /// Whether there are attacks only.
    Plain,
    /// The traits and actions to remove; names are separated by semicolons.
    Without,
    /// The distance between the sides, in feet.
    Distance,
}

/// A member of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfSide {
    /// Which enemy it attacks.
    Targets,
    /// The policy for limited actions.
    Limited,
    /// The policy for healing.
    Heal,
    /// The policy for escapes of held creatures.
    Escape,
    /// Whether it is surprised.
    Surprised,
    /// When it flees.
    Flees,
}

/// A member of creatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfCreature {
    /// The number of creatures.
    Count,
    /// Their armour class.
    ArmourClass,
    /// Their hit points.
    HitPoints,
}

/// A member: its name in the document, and an alternative name.
type Member<M> = (&'static str, &'static str, M);

const WHOLE: [Member<Whole>; 6] = [
    ("rounds", "rounds", Whole::Rounds),
    ("initiative", "initiative", Whole::Initiative),
    ("hitPoints", "hp", Whole::HitPoints),
    ("plain", "plain", Whole::Plain),
    ("without", "without", Whole::Without),
    ("distance", "distance", Whole::Distance),
];
const SIDE: [Member<OfSide>; 6] = [
    ("targets", "target", OfSide::Targets),
    ("limited", "limited", OfSide::Limited),
    ("heal", "healing", OfSide::Heal),
    ("escape", "escapes", OfSide::Escape),
    ("surprised", "surprised", OfSide::Surprised),
    ("flees", "flee", OfSide::Flees),
];
const CREATURE: [Member<OfCreature>; 3] = [
    ("count", "count", OfCreature::Count),
    ("ac", "ac", OfCreature::ArmourClass),
    ("hp", "hp", OfCreature::HitPoints),
];

impl Change {
    /// The change that a name stands for: `rounds`, `targets` of both sides, `first.targets` of
    /// one, `Goblin.ac`. Sides may have further names. `None` if the name refers to something else.
    ///
    /// # Errors
    /// A side or a creature has no such member.
    pub fn named(name: &str, sides: [&str; 2], bestiary: &Bestiary) -> Result<Option<Self>, Wrong> {
        let Some((owner, name_of_member)) = name.split_once('.') else {
            let whole = member(&WHOLE, name).map(Self::Whole);
            return Ok(whole.or_else(|| Some(Self::Side(None, member(&SIDE, name)?))));
        };
        let is_side = |index: &usize| {
            let names = [["first", "second"][*index], sides[*index]];
            names.iter().any(|name| is_same(name, owner))
        };
        if let Some(side) = (0..2).find(is_side) {
            return match member(&SIDE, name_of_member) {
                Some(member) => Ok(Some(Self::Side(Some(side), member))),
                None => Err(stranger(name, name_of_member, "a side", &SIDE)),
            };
        }
        match (bestiary.find(owner), member(&CREATURE, name_of_member)) {
            (None, _) => Ok(None),
            (Some(creature), Some(member)) => Ok(Some(Self::Creature(creature.name, member))),
            (Some(_), None) => Err(stranger(name, name_of_member, "a creature", &CREATURE)),
        }
    }

    /// Changes an encounter; an empty text changes nothing.
    ///
    /// # Errors
    /// The error in the text, with an empty path.
    pub fn apply(
        &self,
        text: &str,
        encounter: &mut Encounter,
        bestiary: &Bestiary,
    ) -> Result<(), Wrong> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        match self {
            Self::Whole(Whole::Rounds) => encounter.rounds = value(text)?,
            Self::Whole(Whole::Initiative) => encounter.initiative = value(text)?,
            Self::Whole(Whole::HitPoints) => encounter.hit_points = value(text)?,
            Self::Whole(Whole::Distance) => encounter.distance = Some(value(text)?),
            Self::Whole(Whole::Plain) => encounter.plain = truth(text)?,
            Self::Whole(Whole::Without) => {
                let names = text.split(';').map(|name| name.trim().to_owned());
                encounter.without.extend(names);
            }
            Self::Side(which, member) => {
                for (index, side) in encounter.sides.iter_mut().enumerate() {
                    if which.is_none_or(|which| which == index) {
                        change_side(side, *member, text)?;
                    }
                }
            }
            Self::Creature(name, member) => {
                let groups = encounter
                    .sides
                    .iter_mut()
                    .flat_map(|side| &mut side.creatures);
                let mut own = groups
                    .filter(|group| group.is_of(name, bestiary))
                    .peekable();
                if own.peek().is_none() {
                    let what = format!("changes {name}, and nobody in this encounter is one");
                    return Err(Wrong::new(text, what).help("leave the cell empty"));
                }
                for group in own {
                    change_group(group, *member, text)?;
                }
            }
        }
        Ok(())
    }
}

fn change_side(side: &mut Side, member: OfSide, text: &str) -> Result<(), Wrong> {
    match member {
        OfSide::Targets => side.targets = value(text)?,
        OfSide::Limited => side.limited = value(text)?,
        OfSide::Flees => side.flees = value(text)?,
        OfSide::Heal => side.heal = value(text)?,
        OfSide::Escape => side.escape = value(text)?,
        OfSide::Surprised => side.surprised = truth(text)?,
    }
    Ok(())
}

fn change_group(group: &mut Group, member: OfCreature, text: &str) -> Result<(), Wrong> {
    match member {
        OfCreature::Count => group.count = value(text)?,
        OfCreature::ArmourClass => group.ac = Some(value(text)?),
        OfCreature::HitPoints => group.hp = Some(value(text)?),
    }
    Ok(())
}

impl Group {
    /// Whether it is of creatures of this name.
    fn is_of(&self, name: &str, bestiary: &Bestiary) -> bool {
        let own = match &self.creature {
            Value::String(written) => bestiary.find(written).map(|creature| creature.name),
            block => block.get("name").and_then(Value::as_str).map(str::to_owned),
        };
        own.is_some_and(|own| own == name)
    }
}

/// The member that a name refers to.
fn member<M: Copy>(members: &[Member<M>], name: &str) -> Option<M> {
    let mut all = members.iter();
    let (.., member) =
        all.find(|(written, other, _)| is_same(written, name) || is_same(other, name))?;
    Some(*member)
}

fn is_same(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

fn stranger<M>(name: &str, member: &str, owner: &str, members: &[Member<M>]) -> Wrong {
    let names: Vec<&str> = members.iter().map(|(written, ..)| *written).collect();
    let wrong = Wrong::new(
        name,
        format!("names no member of {owner} that can be changed"),
    );
    wrong.help(match nearest(member, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("it has {}", names.join(", ")),
    })
}

/// A value as a document has it: a number, or a word.
fn value<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let json = match text.parse::<i64>() {
        Ok(number) => number.into(),
        Err(_) => Value::from(text.to_lowercase()),
    };
    let read = wrong::read(&json, text);
    read.map_err(|wrong| match wrong.what.starts_with("cannot be ") {
        // The path of a cell is its text.
        true => Wrong {
            what: "is not a word that this column knows".to_owned(),
            ..wrong
        },
        false => wrong,
    })
}

/// Yes or no.
pub(super) fn truth(text: &str) -> Result<bool, Wrong> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" | "x" => Ok(true),
        "false" | "no" | "n" | "0" | "-" => Ok(false),
        _ => Err(Wrong::new(text, "is neither `yes` nor `no`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encounter::{Flees, Heal, Targets, read_line};

    fn changed(name: &str, text: &str) -> Result<Encounter, String> {
        let bestiary = Bestiary::srd();
        let mut encounter =
            read_line("2 Veteran vs 3 goblins", &bestiary).expect("it is an encounter");
        let change = Change::named(name, ["Party", "Monsters"], &bestiary);
        let change = change.map_err(|wrong| wrong.to_string())?;
        let change = change.ok_or("about something else")?;
        let applied = change.apply(text, &mut encounter, &bestiary);
        applied.map_err(|wrong| wrong.to_string())?;
        Ok(encounter)
    }

    #[test]
    fn columns_change_encounters() {
        let changed = |name, text| changed(name, text).expect("it can be changed");
        assert_eq!(changed("rounds", "20").rounds, 20);
        assert_eq!(changed("Distance", "60").distance, Some(60));
        let sides = changed("first.flees", "half").sides;
        assert_eq!(
            [sides[0].flees, sides[1].flees],
            [Flees::Half, Flees::Never]
        );
        assert!(changed("Plain", "yes").plain);
        assert_eq!(
            changed("without", "Brave; Parry").without,
            ["Brave", "Parry"]
        );
        let sides = changed("party.target", "Spread").sides;
        assert_eq!(
            [sides[0].targets.known(), sides[1].targets.known()],
            [Some(&Targets::Spread), Some(&Targets::Weakest)]
        );
        assert!(changed("second.surprised", "true").sides[1].surprised);
        let sides = changed("Monsters.heal", "half").sides;
        assert_eq!([sides[0].heal, sides[1].heal], [Heal::Fallen, Heal::Half]);
        let group = &changed("Goblin.AC", "17").sides[1].creatures[0];
        assert_eq!((group.ac, group.count), (Some(17), 3));
        assert_eq!(changed("goblin.count", "8").sides[1].creatures[0].count, 8);
        assert_eq!(changed("goblin.count", " ").sides[1].creatures[0].count, 3);
    }

    #[test]
    fn what_cannot_be_changed_is_named() {
        for (name, text, expected) in [
            ("label", "x", "about something else"),
            ("Ambush.note", "x", "about something else"),
            (
                "Goblin.attack",
                "5",
                "`Goblin.attack` names no member of a creature that can be changed",
            ),
            (
                "Troll.ac",
                "17",
                "`17` changes Troll, and nobody in this encounter is one",
            ),
            ("plain", "maybe", "`maybe` is neither `yes` nor `no`"),
        ] {
            let found = changed(name, text).map(|_| ());
            assert_eq!(found, Err(expected.to_owned()), "{name}");
        }
        assert!(changed("rounds", "many").is_err());
    }
}
