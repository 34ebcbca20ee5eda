//! A corpus of scripts as game masters and designers write them, each with the same in plain Rust.
//!
//! `ratios` compares both, and names the slowest. All of them count what a simulation counts. None
//! was chosen because it is fast: what is slow here is what the compiler has to learn.

mod by_table;
mod plain;
mod tally;

use crate::compiler;
use crate::fights::dice::{Batched, Plain, Roller};
use dicec_compiler::{Bound, Program};
use dicec_fights::compile_encounter;
use dicec_games::encounter::{Bestiary, Plan, Purpose, Told, read_line};
use dicec_runtime::resource::ResourceTable;
use serde_json::Value;

pub use tally::Tally;

/// A script and its counterpart.
pub struct Script {
    /// Its name: that of the script's roll, if it is not an encounter.
    pub name: &'static str,
    source: Source,
    /// As a user would write it in Rust, with `rand`.
    pub plain_rust: ByHand,
    /// Written for speed, without intrinsics: by draws from tables, or, for scripts that are not in
    /// `by_table`, the same code with the product's generator in locals and dice that share words.
    pub hand_scalar: ByHand,
}

/// What a script is made of.
enum Source {
    Text {
        text: &'static str,
        sheet: &'static str,
    },
    /// The line of an encounter: `dicec encounter` makes a script of it.
    Encounter(&'static str),
}

/// Takes the sheet and the number of trials.
pub type ByHand = fn(&Value, u64) -> Tally;

/// A script without a sheet, or with one; by an expert with tables, if a module has it.
macro_rules! script {
    ($name:ident, $module:ident) => {
        script!($name, $module, "{}")
    };
    ($name:ident, $module:ident, $sheet:expr) => {
        script!($name, $module, $sheet, |sheet, trials| {
            plain::$module::$name::<Batched>(sheet, trials)
        })
    };
    ($name:ident, $module:ident, $sheet:expr, $hand_scalar:expr) => {
        Script {
            name: stringify!($name),
            source: Source::Text {
                text: include_str!(concat!("scripts/", stringify!($name), ".dice")),
                sheet: $sheet,
            },
            plain_rust: |sheet, trials| plain::$module::$name::<Plain>(sheet, trials),
            hand_scalar: $hand_scalar,
        }
    };
}

/// An encounter.
macro_rules! encounter {
    ($name:ident, $line:literal) => {
        Script {
            name: stringify!($name),
            source: Source::Encounter($line),
            plain_rust: |_, trials| plain::encounters::$name::<Plain>(trials),
            hand_scalar: |_, trials| plain::encounters::$name::<Batched>(trials),
        }
    };
}

/// The sheet of a script.
macro_rules! sheet {
    ($name:literal) => {
        include_str!(concat!("scripts/", $name, ".json"))
    };
}

/// All of them.
pub const CORPUS: [Script; 40] = [
    script!(abilities, lists),
    script!(ace, cards),
    script!(attrition, units, sheet!("attrition")),
    script!(bag, boards),
    script!(cards, cards, "{}", by_table::dice::cards),
    script!(crafting, loops, sheet!("crafting")),
    script!(craps, loops),
    script!(crawl, boards),
    script!(day, loops, sheet!("day")),
    script!(death_saves, loops),
    script!(dh2e_attack, dh2e, sheet!("dh2e_attack")),
    script!(dh2e_fight, dh2e_fight, sheet!("dh2e_fight")),
    script!(dungeon, units, sheet!("dungeon")),
    encounter!(encounter_4v6, "4 Veteran vs 6 Goblin, 1 Hobgoblin"),
    encounter!(encounter_dragon, "4 Gladiator vs 1 Adult Red Dragon"),
    script!(exploding_pool, loops, sheet!("exploding_pool")),
    script!(fireball, units, sheet!("fireball")),
    script!(grid, lists),
    script!(initiative, units, sheet!("initiative")),
    script!(ladders, loops),
    script!(lines, units, sheet!("lines")),
    script!(loot, lists, sheet!("loot")),
    script!(pig, loops),
    script!(pool, lists, sheet!("pool")),
    script!(
        recursion,
        calls,
        sheet!("recursion"),
        by_table::walks::recursion
    ),
    script!(risk, cards, "{}", by_table::dice::risk),
    script!(sheet, units, sheet!("sheet"), by_table::strikes::sheet),
    script!(
        skirmish,
        skirmish,
        sheet!("skirmish"),
        by_table::skirmish::skirmish
    ),
    script!(stack, lists, sheet!("stack")),
    script!(straights, lists),
    script!(table_walk, calls, "{}", by_table::walks::table_walk),
    script!(volley, units, sheet!("volley")),
    script!(wounds, loops, sheet!("wounds"), by_table::strikes::wounds),
    script!(yahtzee, cards, "{}", by_table::dice::yahtzee),
    script!(pairs, cards),
    script!(chase, loops),
    script!(race, loops),
    script!(noughts, boards),
    script!(streets, boards),
    script!(wander, boards),
];

impl Script {
    /// The sheet; an encounter needs none.
    pub fn arguments(&self) -> Value {
        match self.source {
            Source::Text { sheet, .. } => serde_json::from_str(sheet).expect("the sheets are JSON"),
            Source::Encounter(_) => Value::Null,
        }
    }

    /// The script's roll with its sheet.
    pub fn bound(&self) -> Bound {
        match self.source {
            Source::Text { text, .. } => self.roll(text),
            Source::Encounter(line) => encounter(line),
        }
    }

    fn roll(&self, text: &str) -> Bound {
        let compiled = compiler().script(text);
        let script: Program = compiled.unwrap_or_else(|found| panic!("{}: {found:?}", self.name));
        let roll = script.roll(self.name).expect("the script has this roll");
        let args = roll.arguments(&self.arguments()).expect("the sheet fits");
        let bound = roll.bind(args, &ResourceTable::new());
        bound.expect("the scripts read no resources")
    }
}

/// The roll of an encounter, as `dicec encounter` simulates it.
fn encounter(line: &str) -> Bound {
    let bestiary = Bestiary::srd();
    let read = read_line(line, &bestiary).unwrap_or_else(|wrong| panic!("{wrong}"));
    let plan = Plan::new(&read, &bestiary).unwrap_or_else(|wrong| panic!("{wrong}"));
    let bound = compile_encounter(&compiler(), &plan, Told::Figures, Purpose::Trials);
    bound.unwrap_or_else(|failure| panic!("{line}: {failure}"))
}

/// Counts the results of trials.
fn count<R: Roller>(trials: u64, mut trial: impl FnMut(&mut R) -> i64) -> Tally {
    let mut roller = R::new();
    let mut tally = Tally::default();
    for _ in 0..trials {
        tally.add(trial(&mut roller));
    }
    tally
}

/// A number of a sheet.
fn number(value: &Value, name: &str) -> i64 {
    value[name].as_i64().unwrap_or_default()
}

/// The members of a list of a sheet.
fn members<T>(value: &Value, name: &str, read: impl Fn(&Value) -> T) -> Vec<T> {
    let members = value[name].as_array().into_iter().flatten();
    members.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::{Report, Simulation};

    /// Scripts and their counterparts have the same odds: in 40,000 trials each, means agree within
    /// five standard errors, and both counterparts have each result as often, within five standard
    /// deviations.
    #[test]
    fn counterparts_agree() {
        for script in &CORPUS {
            let report: Report = script
                .bound()
                .simulate(&Simulation::trials(40_000).seed(1))
                .expect("the scripts do not trap");
            let ours = report.summary().mean().expect("there are trials");
            let by_hand = [script.plain_rust, script.hand_scalar]
                .map(|by_hand| by_hand(&script.arguments(), 40_000));
            for theirs in &by_hand {
                let apart = (ours - theirs.mean()).abs();
                // Neither differs if a result is sure.
                assert!(
                    apart <= 5.0 * 2_f64.sqrt() * theirs.error(),
                    "{}: {ours} and {}",
                    script.name,
                    theirs.mean()
                );
            }
            let deviations = by_hand[0].deviations(&by_hand[1]);
            assert!(deviations < 5.0, "{}: {deviations}", script.name);
        }
    }
}
