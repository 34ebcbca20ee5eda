//! The JSON Schemas that `encounter --describe` prints: what ships is as they say.

use dicec_games::encounter::schema;
use dicec_tests::json_schema::is_valid;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn document(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn published(name: &str) -> Value {
    schema(name).expect("there is one").to_value()
}

/// All creatures of the SRD, and no creature without an armour class.
#[test]
fn creatures_are_as_their_schema_says() {
    let schema = published("creature");
    let file = root().join("games/src/encounter/bestiary/srd-5.1.json");
    let all = document(&file);
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), 334);
    for block in all {
        assert!(is_valid(&schema, block), "{}", block["name"]);
    }
    let mut bare = all[0].clone();
    bare.as_object_mut().expect("an object").remove("ac");
    assert!(!is_valid(&schema, &bare));
}

/// The encounters among the examples.
#[test]
fn encounters_are_as_their_schema_says() {
    let schema = published("encounter");
    for name in ["witch.json", "watch.json", "bridge/fight.json"] {
        let json = document(&root().join("examples").join(name));
        assert!(is_valid(&schema, &json), "{name}");
    }
    assert!(!is_valid(
        &schema,
        &json!({ "sides": "4 Veteran vs 1 Troll" })
    ));
}

/// The features that ship, those of the examples, and no recharge in an effect, which is noted.
#[test]
fn features_are_as_their_schema_says() {
    let schema = published("feature");
    let library = root().join("games/src/encounter/feature/library.json");
    assert!(is_valid(&schema, &document(&library)));
    let folder = fs::read_dir(root().join("examples/features")).expect("the examples");
    let files: Vec<_> = folder.map(|entry| entry.expect("a file").path()).collect();
    assert!(files.len() >= 9);
    for file in files {
        assert!(is_valid(&schema, &document(&file)), "{file:?}");
    }
    let effect = json!({ "target": "self", "effect": ["Death"], "recharge": [1, "5-6"] });
    let parts = json!([{ "trigger": "action", "effects": [effect] }]);
    let misplaced = json!({ "name": "a", "text": "b", "subfeatures": parts });
    assert!(!is_valid(&schema, &misplaced));
}
