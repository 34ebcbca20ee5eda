//! Unique names in the script for names of stat blocks.

use super::Plan;
use crate::script_text::{Names, ScriptCode, code};

/// The suffixes of functions of a kind.
const OF_KIND: [&str; 2] = ["Turn", "Legendary"];

/// The suffixes of functions of a deed; the first is the deed itself.
const OF_DEED: [&str; 6] = ["", "Save", "SaveAgain", "Grip", "Squeeze", "On"];

/// The suffixes of fields of an effect.
const OF_EFFECT: [&str; 3] = ["", "From", "Immune"];

/// The suffixes of fields of a boon.
const OF_BOON: [&str; 4] = ["", "From", "On", "Images"];

/// Types, functions and variables that scripts of fights may have, whoever fights.
const USED: &str = "\
    a absorbed ac ahead aim all amount anyOf anyStands anyWithin around aside b before c \
    concentrateFirst concentrateSecond concentratesFirst concentratesSecond cost countered \
    counteredByFirst counteredBySecond creature damage dc distance down draw encounter \
    endEffectsFirst endEffectsSecond endTurnFirst endTurnSecond escapeFirst escapeSecond \
    everyone f face far favour feet first firstFlees firstSide firstStands foe foes freeFirst \
    freeSecond friends hasAdvantage hasAlly hurt hurtFirst hurtSecond inCone inLine isAble \
    isBusy isCritical isDifficult isHindered isLater isSneaking isSure isThreatened \
    leastAttacked letGoFirst letGoSecond long lost margin moveFirst moveSecond nearest nextOf o \
    one order others own partFirst partSecond place pushAway reached right round rounds saved \
    saveFromDeath second secondFlees secondSide secondStands self side slayFirst slaySecond \
    smite soon spent standing stays step steps strongest total weakest width winner x y";

impl Plan {
    /// Gives kinds and their deeds unique names.
    pub(super) fn name_apart(&mut self) {
        let brought = self.functions.as_deref().unwrap_or_default();
        let brought = brought.split("deffun ").skip(1);
        let brought = brought.filter_map(|head| ScriptCode::name(head.split_once('(')?.0.trim()));
        let used = USED.split(' ').map(ScriptCode::from);
        let shared = (0..self.kinds.len()).map(|number| code!("initiativeOf{number}", number));
        let mut names = Names::beside(used.chain(shared).chain(brought));
        for kind in &mut self.kinds {
            let functions = OF_KIND.into_iter().map(ScriptCode::from);
            let variables = (1..=kind.count).map(ScriptCode::from);
            let ends: Vec<ScriptCode> = functions.chain(variables).collect();
            kind.word = names.claim(kind.word.clone(), &ends);
        }
        let ends = OF_DEED.map(ScriptCode::from);
        for kind in &mut self.kinds {
            for deed in &mut kind.deeds {
                deed.word = names.claim(deed.word.clone(), &ends);
            }
            for healing in &mut kind.healing {
                healing.word = names.claim(healing.word.clone(), &ends[..1]);
            }
        }
    }

    /// The same for the fields of effects.
    pub(super) fn name_effects_apart(&mut self) {
        let mut names = Names::default();
        let ends = OF_EFFECT.map(ScriptCode::from);
        for placed in &mut self.effects {
            let field = names.claim(placed.field.clone(), &ends);
            if placed.cause.is_some() {
                placed.cause = Some(code!("{field}From", field));
            }
            if placed.immune.is_some() {
                placed.immune = Some(code!("{field}Immune", field));
            }
            placed.field = field;
        }
        let ends = OF_BOON.map(ScriptCode::from);
        for placed in &mut self.boons {
            let field = names.claim(placed.field.clone(), &ends);
            if placed.cause.is_some() {
                placed.cause = Some(code!("{field}From", field));
            }
            if placed.images.is_some() {
                placed.images = Some(code!("{field}Images", field));
            }
            if placed.mark.is_some() {
                placed.mark = Some(code!("{field}On", field));
            }
            placed.field = field;
        }
    }
}
