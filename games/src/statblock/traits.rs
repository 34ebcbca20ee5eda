//! Traits that are features of the shipped library (`encounter/feature/library.json`), by the words
//! that their rules need. A rule with any other word of its own is another rule.

use super::numbers::{amount, is_dice};
use super::words::{Cursor, Word};
use crate::encounter::ALL_DAMAGE;
use serde_json::{Value, json};

/// A feature of the library.
struct Known {
    feature: &'static str,
    /// Words that the text has; `|` separates alternatives.
    needs: &'static str,
    /// Words that it may have.
    may: &'static str,
    /// The values of its variables.
    values: &'static [Variable],
}

/// A value in a text.
#[derive(Clone, Copy)]
enum Variable {
    /// The first dice: their count and their sides.
    Dice,
    /// The type of the damage after them.
    Type,
    /// The number after `DC`.
    Dc,
    /// The first number of feet.
    Feet,
    /// Five feet, and no value: the feature knows it.
    Near,
    /// The first number.
    Number,
    /// Uses a day.
    PerDay,
    /// The word before `attack`.
    Attack,
    /// The types of damage that are named.
    Types,
}

use Variable::{Attack, Dc, Dice, Feet, Near, Number, PerDay, Type, Types};

/// Words that every rule may have.
const GLUE: &str = "the a an of to in on at is are be it its they their that this which who and or \
    if when while whenever with within by for from as can may has have any each other least one * \
    *'s , . ( ) : ; + ft then so do also";

const fn known(
    feature: &'static str,
    needs: &'static str,
    may: &'static str,
    values: &'static [Variable],
) -> Known {
    Known {
        feature,
        needs,
        may,
        values,
    }
}

const RUN: &str = "moves straight toward then hits attack same turn";

const LIBRARY: [Known; 33] = [
    known(
        "pack tactics",
        "advantage attack ally|allies incapacitated isn't|doesn't",
        "roll rolls against creature target condition",
        &[],
    ),
    known(
        "blood frenzy",
        "advantage melee attack creature doesn't all hitpoints",
        "roll rolls against",
        &[],
    ),
    known(
        "brave",
        "advantage saving throws|throw against frightened",
        "being charmed",
        &[],
    ),
    known(
        "flyby",
        "doesn't provoke opportunity attack|attacks flies out reach",
        "enemy's",
        &[],
    ),
    known(
        "magic resistance",
        "advantage saving throws|throw against spells|spell magical effects|effect",
        "",
        &[],
    ),
    known(
        "legendary resistance",
        "fails saving throw choose succeed",
        "instead",
        &[PerDay],
    ),
    known(
        "magic weapons",
        "weapon|weapons attacks|attack magical",
        "",
        &[],
    ),
    known(
        "reckless",
        "start turn gain advantage melee weapon attack rolls|roll against until next",
        "all during but",
        &[],
    ),
    known(
        "undead fortitude",
        "damage reduces hitpoints constitution saving throw dc taken unless radiant critical hit drops instead",
        "must make makes success successful save plus",
        &[],
    ),
    known(
        "relentless",
        "takes damage less would reduce hitpoints reduced instead hit|hitpoints",
        "",
        &[Number],
    ),
    known(
        "martial advantage",
        "once turn deal extra damage creature hits weapon attack ally incapacitated isn't|doesn't",
        "per condition",
        &[Dice],
    ),
    known(
        "sneak attack",
        "deals extra damage hits target weapon attack advantage roll ally incapacitated isn't doesn't disadvantage",
        "once per turn",
        &[Dice],
    ),
    known(
        "surprise attack",
        "surprises creature hits attack during first round combat target takes extra damage",
        "",
        &[Dice],
    ),
    known(
        "rampage",
        "reduces creature hitpoints melee attack turn take bonus action move up half speed make bite",
        "",
        &[],
    ),
    known(
        "regeneration",
        "regains hitpoints start turn|turns",
        "isn't sunlight running water turns",
        &[Number],
    ),
    known(
        "regeneration but for",
        "regains hitpoints start turn|turns takes damage trait doesn't function next",
        "isn't sunlight running water holy turns",
        &[Number, Types],
    ),
    known(
        "aggressive",
        "bonus action move up speed toward hostile creature see",
        "",
        &[],
    ),
    known(
        "ambusher",
        "advantage attack rolls|roll against creature surprised",
        "first round combat",
        &[],
    ),
    known(
        "assassinate",
        "during first turn advantage attack rolls against creature hasn't taken hit surprised critical",
        "scores",
        &[],
    ),
    known(
        "nimble escape",
        "disengage hide action",
        "take takes bonus turns",
        &[],
    ),
    known(
        "duergar resilience",
        "advantage saving throws against poison spells illusions charmed paralyzed",
        "well resist being",
        &[],
    ),
    known(
        "gnome cunning",
        "advantage intelligence wisdom charisma saving throws against magic",
        "all",
        &[],
    ),
    known(
        "two heads",
        "advantage saving throws against blinded deafened frightened stunned unconscious",
        "being knocked charmed wisdom perception checks",
        &[],
    ),
    known(
        "sure-footed",
        "advantage strength dexterity saving throws against effects would knock prone",
        "made",
        &[],
    ),
    known(
        "burning touch",
        "creature touches hits melee attack takes damage",
        "",
        &[Dice, Type],
    ),
    known(
        "parry",
        "adds ac against melee attack",
        "would hit trigger response roll holding weapon possibly causing miss must see attacker wielding",
        &[Number],
    ),
    known("unseen", "is invisible", "", &[]),
    known(
        "death burst",
        "dies explodes dexterity saving throw dc half damage",
        "burst cloud ice lava magma jagged steam must make taking failed failure save success successful \
            much emanation originating creature",
        &[Dice, Type, Dc, Near],
    ),
    known(
        "grappler",
        "advantage attack rolls against creature grappled",
        "",
        &[],
    ),
    known(
        "charge",
        "moves straight toward then hits attack same turn takes extra damage must succeed dc strength saving throw knocked prone",
        "target creature",
        &[Feet, Attack, Dice, Type, Dc],
    ),
    known(
        "lance charge",
        RUN,
        "takes extra damage target creature",
        &[Feet, Attack, Dice, Type],
    ),
    known(
        "pounce",
        "moves straight toward then hits attack same turn target must succeed dc strength saving throw knocked prone make bite against bonus action",
        "creature",
        &[Feet, Attack, Dc],
    ),
    known(
        "trampling charge",
        "moves straight toward then hits attack same turn target must succeed dc strength saving throw knocked prone make stomp against bonus action",
        "creature",
        &[Feet, Attack, Dc],
    ),
];

/// The feature that some words are, with the values of its variables.
pub(super) fn feature(words: &[Word], per_day: Option<i64>) -> Option<(String, Vec<Value>)> {
    let known = LIBRARY.iter().find(|known| known.fits(words))?;
    let mut values = Vec::new();
    for variable in known.values {
        values.extend(value(*variable, words, per_day)?);
    }
    let suffix = match values.len() {
        2 if known.feature.ends_with("but for") => " one type",
        3 if known.feature.ends_with("but for") => " two types",
        _ if known.feature.ends_with("but for") => return None,
        _ => "",
    };
    Some((format!("{}{suffix}", known.feature), values))
}

impl Known {
    fn fits(&self, words: &[Word]) -> bool {
        let has = |wanted: &str| {
            let mut alternatives = wanted.split('|');
            alternatives.any(|one| words.iter().any(|word| word.text == one))
        };
        let is_listed = |word: &str, list: &str| {
            list.split_whitespace()
                .any(|one| one.split('|').any(|one| one == word))
        };
        let mut needs = self.needs.split_whitespace();
        let types = self.values.iter().any(|one| matches!(one, Type | Types));
        let mut words_of = words.iter();
        needs.all(has)
            && words_of.all(|word| {
                let text = word.text.as_str();
                let is_value = word.number().is_some() || is_dice(text);
                let is_type = types && ALL_DAMAGE.contains(&text);
                let is_name =
                    self.values.iter().any(|one| matches!(one, Attack)) && is_attack(words, word);
                is_value
                    || is_type
                    || is_name
                    || [GLUE, self.needs, self.may]
                        .iter()
                        .any(|list| is_listed(text, list))
            })
    }
}

/// Whether a word stands before `attack`.
fn is_attack(words: &[Word], word: &Word) -> bool {
    let mut pairs = words.windows(2);
    pairs.any(|pair| pair[0].at == word.at && pair[1].text == "attack")
}

fn value(variable: Variable, words: &[Word], per_day: Option<i64>) -> Option<Vec<Value>> {
    let mut cursors = (0..words.len()).map(|at| Cursor { words, at });
    let dice = words.iter().find(|word| is_dice(&word.text));
    match variable {
        Dice => {
            let (count, sides) = dice?.text.split_once('d')?;
            Some(vec![
                json!(count.parse::<i64>().ok()?),
                json!(sides.parse::<i64>().ok()?),
            ])
        }
        Type => {
            let after = words.iter().skip_while(|word| !is_dice(&word.text));
            let kind = after
                .map(|word| word.text.as_str())
                .find(|word| ALL_DAMAGE.contains(word));
            kind.map(|kind| vec![json!(kind)])
        }
        Dc => cursors
            .find_map(|mut one| one.take("dc #"))
            .map(|all| vec![json!(all[0])]),
        Feet => cursors
            .find_map(|mut one| one.take("# ft"))
            .map(|all| vec![json!(all[0])]),
        Near => {
            let feet = cursors.find_map(|mut one| one.take("# ft"))?;
            (feet[0] == 5).then(Vec::new)
        }
        Number => {
            let mut cursor = cursors.find(|one| words[one.at].number().is_some())?;
            let amount = amount(&mut cursor)?.parse::<i64>().ok()?;
            Some(vec![json!(amount)])
        }
        PerDay => Some(vec![json!(per_day.unwrap_or(3))]),
        Attack => {
            let at = words.iter().position(|word| word.text == "attack")?;
            let name = words.get(at.checked_sub(1)?)?;
            Some(vec![json!(name.text)])
        }
        Types => {
            let kinds = words.iter().map(|word| word.text.as_str());
            let kinds = kinds
                .filter(|word| ALL_DAMAGE.contains(word))
                .map(|kind| json!(kind));
            Some(kinds.collect())
        }
    }
}
