//! Encounters whose scripts are long, and those whose scripts are too long.

use dicec_compiler::{Bound, Compiler, Simulation};
use dicec_games::encounter::{Bestiary, Encounter, Plan, Purpose, Told, read_line};

use dicec_fights::{EncounterError, compile_encounter};
use serde_json::{Value, json};

/// The sixteen kinds of creatures with the longest scripts, eight on each side: 150 KiB.
const DRAGONS: &str = "1 Tarrasque, 1 Ancient Silver Dragon, 1 Ancient Copper Dragon, \
    1 Ancient Bronze Dragon, 1 Ancient Green Dragon, 1 Ancient Brass Dragon, \
    1 Ancient Black Dragon, 1 Ancient White Dragon vs 1 Ancient Blue Dragon, \
    1 Ancient Gold Dragon, 1 Ancient Red Dragon, 1 Adult Copper Dragon, 1 Adult Bronze Dragon, \
    1 Adult Silver Dragon, 1 Adult Green Dragon, 1 Adult Black Dragon";

#[test]
fn the_longest_fights_of_the_bestiary_are_fought() {
    let bestiary = Bestiary::srd();
    let encounter = read_line(DRAGONS, &bestiary).expect("creatures of the SRD");
    let plan = Plan::new(&encounter, &bestiary).expect("sixteen kinds");
    let bound = compile_encounter(&Compiler::new(), &plan, Told::Figures, Purpose::Trials);
    let bound = bound.unwrap_or_else(|error| panic!("{error}"));
    let report = bound.simulate(&Simulation::trials(20).seed(1));
    assert!(report.is_ok(), "{:?}", report.err());
}

/// A fight against a goblin whose action has a name of this many letters.
fn with_name(letters: usize) -> Result<Bound, EncounterError> {
    let bestiary = Bestiary::srd();
    let mut blocks = bestiary.blocks();
    let goblin = blocks.find(|block| block["name"] == "Goblin");
    let mut goblin: Value = goblin.expect("the SRD has goblins").clone();
    goblin["actions"][0]["name"] = "n".repeat(letters).into();
    let document = json!({ "sides": [
        { "creatures": [{ "creature": "Guard" }] },
        { "creatures": [{ "creature": goblin }] },
    ]});
    let encounter = Encounter::read(&document).unwrap_or_else(|wrong| panic!("{wrong}"));
    let plan = Plan::new(&encounter, &bestiary).unwrap_or_else(|wrong| panic!("{wrong}"));
    compile_encounter(&Compiler::new(), &plan, Told::Blows, Purpose::Trials)
}

#[test]
fn names_that_fill_a_script_are_an_error_of_the_encounter() {
    let wrong = match with_name(600_000) {
        Err(EncounterError::Encounter(wrong)) => wrong,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a script of more than 600,000 bytes"),
    };
    let message = wrong.to_string();
    assert!(message.starts_with("`$` becomes a script of "), "{message}");
    assert!(
        message.ends_with("KiB; at most 512 KiB are compiled"),
        "{message}"
    );
    // Its help.
    let help = wrong.help.expect("advice");
    assert!(help.starts_with("shorten its names"), "{help}");
    assert!(with_name(60).is_ok());
}
