//! Kinds of fighters: actors with their weapons, and the numbers of their script.

use super::called::Called;
use super::entrant::Entrant;
use super::state::State;
use crate::dh2e::combatant::Combatant;
use crate::dh2e::json::{Notes, Wrong};
use crate::dh2e::model::{Fighter, Mode, Weapon};
use crate::dh2e::modifier::Asked;
use crate::dh2e::predicate::Options;
use crate::dh2e::script::assault::{Assault, Manner, is_melee};
use crate::dh2e::script::test::{Check, Tested};
use crate::dh2e::script::write::{by_number, by_options};
use crate::script_text::{ScriptCode, code};

/// A kind of fighter: an actor, the numbers of its script, and the side that it is on.
pub(super) struct Kind<'a> {
    /// Its number in the script.
    pub(super) number: usize,
    pub(super) side: usize,
    /// What people call it, and each of its fighters.
    pub(super) title: String,
    pub(super) names: Vec<String>,
    pub(super) fighter: &'a Fighter,
    pub(super) who: Combatant<'a>,
    /// Its attacks: the usual one, and those that it falls back to.
    pub(super) assaults: Vec<Assault<'a>>,
    /// The constant options.
    pub(super) options: Options,
    /// The agility bonus, which decides between equal initiatives.
    pub(super) agility: i64,
    /// Its initiative, as an expression.
    pub(super) initiative: ScriptCode,
    /// Whether it falls unconscious before the fight begins.
    pub(super) is_exhausted: bool,
    /// The test with which it avoids attacks.
    pub(super) defence: Option<Rolled>,
}

/// A test during a fight.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Rolled {
    /// Its target without fatigue, as an expression of `f`.
    pub(super) number: ScriptCode,
    /// The degrees that are added, in the same way.
    pub(super) degrees: ScriptCode,
}

impl<'a> Kind<'a> {
    /// The kind of a fighter in a fight.
    ///
    /// # Errors
    /// The errors in it.
    pub(super) fn new(
        number: usize,
        entrant: Entrant<'a>,
        called: Called,
        state: &State<'_>,
        notes: &mut Notes,
    ) -> Result<Self, Wrong> {
        let is_exhausted = entrant.is_exhausted()?;
        let Entrant {
            side,
            path,
            fighter,
            who,
            weapons,
        } = entrant;
        let mut assaults = Vec::new();
        for (index, weapon) in weapons.into_iter().enumerate() {
            let mode = mode(fighter.mode, weapon, index == 0);
            let manner = Manner {
                path: &path,
                weapon,
                mode,
                called: None,
                options: &fighter.options,
            };
            assaults.push(assault(&who, manner, state, notes)?);
        }
        // The weapon in hand may protect, or be good to parry.
        let who = assaults.first().map_or(who, |first| first.attacker.clone());
        let mut options = Options::default();
        who.set_state("self", &mut options);
        for one in state.changing("self", "f") {
            options.unset(&one.option);
        }
        let mut kind = Self {
            number,
            side,
            title: called.title,
            names: called.names,
            fighter,
            agility: who.bonus("ag")?,
            who,
            assaults,
            options,
            initiative: ScriptCode::default(),
            is_exhausted,
            defence: None,
        };
        if let Some(skill) = &fighter.defence {
            let rolled = kind.rolled(&Tested::Skill(skill), state);
            kind.defence = Some(rolled.map_err(|found| {
                let what = format!("is `{skill}`, and {} {}", fighter.actor.name, found.what);
                Wrong {
                    path: format!("{path}.defence"),
                    what,
                    help: found.help,
                }
            })?);
        }
        // These are about its own acts, not about avoiding those of others.
        for option in &fighter.options {
            kind.options.set(option);
        }
        kind.initiative = kind.initiative()?;
        Ok(kind)
    }

    fn initiative(&self) -> Result<ScriptCode, Wrong> {
        let domain = "initiative";
        let options = self.with_items(&self.options);
        let bonus = self.who.bonus(self.who.tested(domain, "ag", &options))?;
        let asked = Asked {
            domain,
            characteristic: None,
        };
        Ok(match self.who.synthetics.resolve(asked, &options).total {
            0 => code!("initiative({bonus})", bonus),
            more @ 1.. => code!("initiative({bonus}) + {more}", bonus, more),
            less => code!("initiative({bonus}) - {}", less.unsigned_abs(), bonus),
        })
    }

    /// These options, with those that items set because of them.
    fn with_items(&self, options: &Options) -> Options {
        let mut all = options.clone();
        self.who.synthetics.set_options(&mut all);
        all
    }

    /// A test of a fighter of this kind, for each state of the changing options.
    pub(super) fn rolled(&self, tested: &Tested<'_>, state: &State<'_>) -> Result<Rolled, Wrong> {
        let check = Check::new(&self.who, tested)?;
        Ok(Rolled {
            number: self.by_state(state, |options| Ok(check.number(options)?.into()))?,
            degrees: self.by_state(state, |options| Ok(check.degrees(options).into()))?,
        })
    }

    /// A value of this kind for the states of `f` that change it, as an expression.
    pub(super) fn by_state(
        &self,
        state: &State<'_>,
        mut value: impl FnMut(&Options) -> Result<ScriptCode, Wrong>,
    ) -> Result<ScriptCode, Wrong> {
        let mut changing = state.changing("self", "f");
        changing.retain(|one| self.who.synthetics.mention(&one.option));
        by_options(&changing, &self.options, &mut |options| {
            value(&self.with_items(options))
        })
    }
}

/// How a weapon is fired: in the fighter's mode, or else with single shots if the fighter only
/// falls back to it.
fn mode(wanted: Mode, weapon: &Weapon, is_chosen: bool) -> Mode {
    let rate = match wanted {
        Mode::Single => 1,
        Mode::Semi => weapon.rof.semi,
        Mode::Full => weapon.rof.full,
    };
    match is_chosen || rate > 0 && !is_melee(weapon) {
        true => wanted,
        false => Mode::Single,
    }
}

/// An attack of a fighter with a weapon.
fn assault<'a>(
    who: &Combatant<'a>,
    manner: Manner<'a, '_>,
    state: &State<'_>,
    notes: &mut Notes,
) -> Result<Assault<'a>, Wrong> {
    let mut changing = state.changing("target", "foe");
    changing.extend(state.changing("self", "self"));
    let mut assault = Assault::new(who, manner, changing, notes)?;
    let synthetics = &assault.attacker.synthetics;
    assault
        .changing
        .retain(|one| synthetics.mention(&one.option));
    Ok(assault)
}

/// A value for each kind of fighter, as an expression of `f`.
///
/// # Errors
/// Errors of the values.
pub(super) fn by_kind(
    kinds: &[Kind<'_>],
    value: impl FnMut(&Kind<'_>) -> Result<ScriptCode, Wrong>,
) -> Result<ScriptCode, Wrong> {
    let values: Result<Vec<ScriptCode>, Wrong> = kinds.iter().map(value).collect();
    Ok(by_number("f.kind", &values?))
}
