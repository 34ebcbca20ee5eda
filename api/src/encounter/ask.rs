//! The encounter of a request: its sides, and the policies that change it.

use crate::creatures::add_own;
use crate::program::CheckName;
use crate::wrong::Wrong;
use dicec_games::encounter::{
    Bestiary, Encounter, Escape, Heal, HitPoints, Initiative, Limited, Policy, Source, Targets,
};
use dicec_lang::syntax::{FileCode, Finding};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// An encounter, and what is asked about it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct EncounterRequest {
    /// The encounter: a line such as `4 Veteran vs 1 Troll, 6 Goblin`, or a document.
    pub(crate) sides: Value,
    /// Stat blocks of your own: one, or a list of them.
    bestiary: Value,
    /// Whom creatures attack.
    target: Option<Targets>,
    /// When they use actions that recharge or have few uses.
    limited: Option<Limited>,
    /// Whom they heal, if they can.
    heal: Option<Heal>,
    /// When those who are held use their action to escape.
    escape: Option<Escape>,
    /// Attacks only: no traits, reactions, saves, limited or legendary actions.
    plain: bool,
    /// Traits and actions that are left out, as if nobody had them.
    without: Vec<String>,
    /// Where hit points come from.
    hp: Option<HitPoints>,
    /// Who rolls for initiative.
    initiative: Option<Initiative>,
    /// After how many rounds it is a draw.
    #[schemars(range(min = 1, max = 1000))]
    rounds: Option<u32>,
    /// How many feet are between the sides at the beginning.
    #[schemars(range(max = 5000))]
    distance: Option<u32>,
    /// Tell one fight, blow by blow.
    pub(crate) tell: bool,
    /// Exact odds instead of a simulation: of small fights.
    pub(crate) exact: bool,
    /// Another encounter to compare with.
    pub(crate) compare: Option<Value>,
    /// Creatures that the first side faces as well, `N Goblin`: the greatest N that it can.
    pub(crate) find: Option<String>,
    /// The chance that the first side is to have: 0.8.
    win: Option<f64>,
    /// The odds without each trait and each limited action that somebody has.
    pub(crate) ablate: bool,
    /// Whether the answer is checked before it is given.
    pub(crate) check: CheckName,
}

impl EncounterRequest {
    /// Refuses what does not go together, and numbers out of range.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check(&self, has_extent: bool) -> Result<(), Wrong> {
        let given = [
            ("compare", self.compare.is_some()),
            ("find", self.find.is_some()),
            ("ablate", self.ablate),
            ("exact", self.exact),
            ("trials and precision", has_extent),
        ];
        let others = |not: &[&str]| {
            let mut given = given.iter();
            let found = given.find(|(name, given)| *given && !not.contains(name));
            found.map(|(name, _)| *name)
        };
        let together = |one: &str, other: &str| {
            let message = format!("\"{one}\" and \"{other}\" do not go together");
            Err(Wrong::request(message, "leave one of them out"))
        };
        if self.tell
            && let Some(other) = others(&[])
        {
            return together("tell", other);
        }
        if self.exact && has_extent {
            return together("exact", "trials and precision");
        }
        if self.find.is_some()
            && let Some(other) = others(&["find", "exact", "trials and precision"])
        {
            return together("find", other);
        }
        if self.ablate && self.compare.is_some() {
            return together("ablate", "compare");
        }
        for (name, value, range) in [
            ("rounds", self.rounds, 1..=1000),
            ("distance", self.distance, 0..=5000),
        ] {
            if let Some(value) = value.filter(|value| !range.contains(value)) {
                let (low, high) = (range.start(), range.end());
                let message = format!("\"{name}\": {value} is not in {low} to {high}");
                return Err(Wrong::request(message, "give another number"));
            }
        }
        Ok(())
    }

    /// The creatures that encounters may name, with those of the request: stat blocks as text, or
    /// as JSON of a known format; and notes on members that nothing knows.
    ///
    /// # Errors
    /// What is not a stat block.
    pub(crate) fn bestiary(&self) -> Result<(Bestiary, Vec<Finding>), Wrong> {
        let mut bestiary = Bestiary::srd();
        let notes = match &self.bestiary {
            Value::Null => Vec::new(),
            own => add_own(&mut bestiary, own)?,
        };
        Ok((bestiary, notes))
    }

    /// Reads an encounter with the policies of the request.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(
        &self,
        sides: &Value,
        bestiary: &Bestiary,
    ) -> Result<(Source, Encounter), Wrong> {
        match sides {
            Value::String(line) => self.line(line, bestiary),
            Value::Object(_) => {
                let text = sides.to_string();
                let (source, encounter) = Source::read_inline("encounter", text.as_bytes())?;
                Ok((source, self.changed(encounter)))
            }
            _ => Err(no_sides()),
        }
    }

    /// Reads an encounter that is a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn line(
        &self,
        line: &str,
        bestiary: &Bestiary,
    ) -> Result<(Source, Encounter), Wrong> {
        let (source, encounter) = Source::read_line(line, bestiary)?;
        Ok((source, self.changed(encounter)))
    }

    /// The sides as a line.
    ///
    /// # Errors
    /// They are a document.
    pub(crate) fn words(&self) -> Result<&str, Wrong> {
        let message = "\"find\" takes sides that are a line";
        let help = "write \"sides\": \"4 Veteran\"";
        let words = self.sides.as_str();
        words.ok_or_else(|| Wrong::request(message, help))
    }

    /// What is to be found, and the chance that the first side is to have.
    ///
    /// # Errors
    /// A chance that is not one.
    pub(crate) fn found(&self) -> Result<(&str, f64), Wrong> {
        match (&self.find, self.win) {
            (Some(find), Some(win)) if (0.0..=1.0).contains(&win) => Ok((find, win)),
            _ => Err(Wrong::request(
                "\"find\" needs the chance to \"win\", between 0 and 1",
                "write \"win\": 0.8 for 80 %",
            )),
        }
    }

    fn changed(&self, mut encounter: Encounter) -> Encounter {
        for side in &mut encounter.sides {
            if let Some(target) = self.target {
                side.targets = Policy::Known(target);
            }
            if let Some(limited) = self.limited {
                side.limited = Policy::Known(limited);
            }
            side.heal = self.heal.unwrap_or(side.heal);
            side.escape = self.escape.unwrap_or(side.escape);
        }
        encounter.plain |= self.plain;
        encounter.without.extend_from_slice(&self.without);
        encounter.hit_points = self.hp.unwrap_or(encounter.hit_points);
        encounter.initiative = self.initiative.unwrap_or(encounter.initiative);
        encounter.rounds = self.rounds.unwrap_or(encounter.rounds);
        encounter.distance = self.distance.or(encounter.distance);
        encounter
    }
}

fn no_sides() -> Wrong {
    let code = FileCode::BadEncounter.as_str();
    let message = "an encounter is a line of text, or a document";
    let finding = Finding::general(code, message);
    finding
        .help("write \"sides\": \"4 Veteran vs 6 Goblin\"")
        .into()
}
