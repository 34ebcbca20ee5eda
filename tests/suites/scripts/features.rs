//! Features of stat blocks (seed 001): each rule of the format, read in every dialect in which it
//! is written.

use dicec_games::features::{Change, Feature, Restore, Told, read_features, tell};
use dicec_lang::syntax::{Code, Severity};
use serde_json::{Value as Json, json};

/// A feature with this part, and what was found.
fn with_part(part: &Json) -> (Option<Feature>, Vec<(Severity, Code)>) {
    let feature = json!({"name": "test", "text": "A test.", "subfeatures": [part]});
    let (features, found) = read_features(&feature.to_string());
    let found = found.iter().map(|found| (found.severity, found.code));
    (features.into_iter().next(), found.collect())
}

/// What a part does, without any findings.
#[track_caller]
fn told(part: &Json) -> Told {
    let (feature, found) = with_part(part);
    assert_eq!(found, [], "{part}");
    tell(&feature.expect("a feature").subfeatures[0])
}

/// The rows of a table: forms that mean the same, in JSON between bars, and the words for them.
fn rows(table: &str) -> impl Iterator<Item = (Vec<Json>, &str)> {
    table.trim().lines().map(|row| {
        let (forms, words) = row.split_once(" => ").expect(row);
        let forms = forms
            .split(" | ")
            .map(|form| serde_json::from_str(form).expect(form));
        (forms.collect(), words)
    })
}

const TRIGGERS: &str = r#"
"passive" | ["passive"] => always
"action" | ["action"] => as an action
"bonus" | ["bonus action"] => as a bonus action
"free" | ["free action"] => as a free action
"2,legendary" | ["legendary", 2] | "legendary action costing 2" => as a legendary action that costs 2
"self,turnstart" | ["turnstart", "self"] | ["N start of turn", "self"] => when the turn of self starts
"(creature,turnend)" | ["N end of turn", "creature"] => when the turn of creature ends
"self,damaged" | ["N takes damage", "self"] => when self takes damage
"creature,moves" | "creature moves" => when creature moves
"creature,self,checkagainst" | ["N makes check against N", "creature", "self"] => when creature makes a check against self
"self,creature,forcesave" | ["forcesave", "self", "creature"] => when self forces creature to make a saving throw
"self,20,rolls" | ["rolls", "self", 20] | "self rolls a d20" => when self rolls a d20
"creature,self,targetspell" | ["N targets N by a spell", "creature", "self"] => when creature targets self by a spell
"self,any,attacks" | "self attacks any" => when self attacks any
"self,any,hits" | ["hits", "self", "any"] | ["N hits N", "self", "any"] => when self hits any
"creature,self,touches" | ["N touches N", "creature", "self"] => when creature touches self
"self,turnstart,HP,10,<,&" | "HP,10,<,self,turnstart,&" => when the turn of self starts if HP < 10
"self,damaged,self,turnend,|" => when self takes damage, or when the turn of self ends
"HP,10,<" => when HP < 10
"#;

/// Seed 001, "TRIGGER", in each dialect: operators in postfix, operators before their nouns, and
/// phrases. "The TRIGGER uses any condition" besides its own.
#[test]
fn triggers_of_the_seed() {
    for (forms, words) in rows(TRIGGERS) {
        for form in forms {
            let effects = json!([{"target": "self", "effect": "Destroyed"}]);
            let part = json!({"trigger": form, "effects": effects});
            assert_eq!(told(&part).trigger, words, "{form}");
        }
    }
}

const CONDITIONS: &str = r#"
"creature,self,hostile" | [["N is hostile to N", "creature", "self"]] | [["hostile", "creature", "self"]] => creature is hostile to self
"(self,creature,sees)" | ["(self,creature,sees)"] | [["N can see N", "self", "creature"]] | "self can see creature" => self can see creature
"creature,self,distance,15,<=" | [["N is within radius X of N", "creature", 15, "self"]] => the distance of creature and self ≤ 15
"self,any,movedto,V0,>=" | [["N moved X distance straight toward N", "self", "(V0)", "any"]] => how far self moved straight toward any on this turn ≥ V0
[["N == N", "any.OBJECT_TYPE", -1]] | "any.OBJECT_TYPE,-1,==" => any.OBJECT_TYPE is -1
[["N is in AOE", "creature", "line {V0} {V1}"]] | "creature,line V0 V1,in" | [["in", "creature", "line V0 V1"]] => creature is in a line V0 ft long and V1 ft wide
[["N is in AOE", "creature", "cone 30"]] | "creature is in cone 30" => creature is in a cone of 30 ft
[["N is in lighting LIGHTING", "self", "sunlight"]] | "self,sunlight,lighting" => self is in sunlight
[["N fails dc X ABILITY save by at least X", "creature", "(8,STR,+)", "dexterity", 0]] => creature fails a DC 8 + STR dexterity save
[["N made attack ATTACK", "self", "(V1)"]] => self attacked with V1
"#;

/// Seed 001, "CONDITION" and "AOE", in each dialect; of a part and of an effect, under each of the
/// names that files use.
#[test]
fn conditions_of_the_seed() {
    for (forms, words) in rows(CONDITIONS) {
        for form in forms {
            let effects = json!([{"target": "self", "effect": "Destroyed"}]);
            let part = json!({"trigger": "action", "conditions": form, "effects": effects});
            assert_eq!(told(&part).conditions, [words], "{form}");
            for name in ["condition", "conditions", "effect conditions"] {
                let effects = json!([{"target": "creatures", "effect": "Destroyed", name: form}]);
                let part = json!({"trigger": "action", "effects": effects});
                assert_eq!(told(&part).effects[0].conditions, [words], "{form}");
            }
        }
    }
}

const EFFECTS: &str = r#"
["Move up to X ft toward N", "MOVESPEED", "creature"] => self may move up to MOVESPEED ft toward creature
["Increase movement speed by X", 10] => self moves 10 ft faster
["Set N = N", "BERSERK", 1] => BERSERK becomes 1
["set N = N", "creature.PRONE", "self"] => creature.PRONE becomes self
"0,creature.MOVESPEED,store" => creature.MOVESPEED becomes 0
"Destroyed" => self is destroyed
"Death" => self dies
["Surprised"] => self is surprised
["Pushed X feet in DIRECTION direction", 10, "away"] => self is pushed 10 ft away
["Immune to feature FEATURE", "gaze"] => self is immune to the feature gaze
["Impose disadvantage"] => self has disadvantage on this roll
["Impose disadvantage on TYPE", "attack rolls"] => self has disadvantage on attack rolls
"Impose disadvantage on ability checks" => self has disadvantage on ability checks
["Grant advantage"] => self has advantage on this roll
["Grant critical hit"] => the hit is a critical hit
["Advantage on rolls ROLL_CLASS", "saving throws"] => self has advantage on saving throws
["Automatic fail on rolls ROLL_CLASS", "shove"] => self fails rolls of the class shove
["Automatic succeed on rolls ROLL_CLASS", "saving throws"] => self succeeds on saving throws
["Deal X damage", "V0"] => self takes V0 damage
["Inflict XdX TYPE damage", 2, 6, "fire"] | "Inflict 2d6 fire damage" => self takes 2d6 fire damage
["Inflict XdX TYPE damage, dc X ABILITY save halves", "V2", "V3", "acid", "(8,STR,PROF,+,+)", "dexterity"] => self takes V2dV3 acid damage (DC 8 + STR + PROF dexterity save for half)
["Deal +X weapon die damage", 1] => the attack deals 1 more of its weapon's dice
["Damage dealt is magical"] => the damage is magical
["Take action ACTION", "attack"] | "Take action attack" => self may attack
["Take action ACTION", "cantrip"] => self may cast a cantrip
["Take action ACTION", "cast spell"] | "Take action cast spell" => self may cast a spell
["Take action ACTION", "gore"] => self may use gore
["Disable other feature", "regeneration"] => the feature regeneration of self does not act
["Reduce incoming damage by X", "V0"] => the damage is reduced by V0
["Regain X hp", 10] | "Regain 10 hp" => self regains 10 hit points
["Weapon/armor corrodes"] => the weapon or armour of self corrodes
"#;

/// Seed 001, "EFFECTS": those without an `x`, and those with one that issue 16 lists as modelled.
#[test]
fn effects_of_the_seed() {
    for (forms, words) in rows(EFFECTS) {
        for effect in forms {
            let effects = json!([{"target": "self", "effect": effect}]);
            let told = told(&json!({"trigger": "action", "effects": effects}));
            assert_eq!(told.effects[0].effect, words, "{effect}");
        }
    }
}

const WITHOUT_EFFECT: &str = r#"
["Polymorph N into creature <= X cr", "creature", 1]
["Increase jump distance by X", 10]
["Increase jump height by X", 10]
["Immune to spells with trait SPELL_TRAIT", "fire"]
["Move X distance", 10]
["Know distance/direction to creature/object within X distance", 60]
"Ignite flammable objects"
"Expend spell slot"
"Special movement"
"Plane shift"
["Grant spell effect", "bless"]
"Transparency"
["Prescribed actions", "Nothing", "Moves in random direction"]
"Telepathic command"
"Learns creature's desires"
"Spell storing"
["Creates X diameter tunnel", 5]
"#;

/// Seed 001, "EFFECTS": the others with an `x` are reported as having no effect in a fight.
#[test]
fn the_other_effects_of_the_seed_are_reported() {
    for effect in WITHOUT_EFFECT.trim().lines() {
        let form: Json = serde_json::from_str(effect).expect(effect);
        let part = json!({"trigger": "action", "effects": [{"target": "self", "effect": form}]});
        let (feature, found) = with_part(&part);
        assert_eq!(found, [(Severity::Note, Code::NoEffect)], "{effect}");
        let change = &feature.expect("a feature").subfeatures[0].effects[0].change;
        let is_nothing = matches!(change, Change::Nothing(_) | Change::Polymorph { .. });
        assert!(is_nothing, "{effect}");
    }
}

const DURATIONS: &str = r#"
"self,turnstart" => until the turn of self starts
["N end of turn", "creature"] => until the turn of creature ends
"End of turn" => until the end of the turn
"Start of next turn" => until the start of the next turn
"End of self next turn" => until the end of the next turn of self
"End of target next turn" => until the end of the target's next turn
"Until action is taken to end" => until an action is taken to end it
"1 min" | "1 minute" => for 1 minute
"30 sec" => for 30 seconds
"V0 hr" => for V0 hours
"2 day" => for 2 days
"1 month" => for 1 month
"3 year" => for 3 years
"Until overridden or dead" => until overridden or dead
"Repeated saves" => until the save, repeated each turn, succeeds
["Repeated saves at advantage", 12, "wisdom"] => until DC 12 wisdom save, repeated each turn with advantage, succeeds
"Until other effect expires" => until other effect expires
"#;

/// Seed 001, "EFFECTS": durations are triggers, and a list of their own.
#[test]
fn durations_of_the_seed() {
    for (forms, words) in rows(DURATIONS) {
        for duration in forms {
            let effect = json!({"target": "self", "effect": "Surprised", "duration": duration});
            let told = told(&json!({"trigger": "action", "effects": [effect]}));
            assert_eq!(
                told.effects[0].duration.as_deref(),
                Some(words),
                "{duration}"
            );
        }
    }
    // A spell ends this one, which nobody casts in a fight.
    let duration = "Until lesser restoration is cast";
    let effect = json!({"target": "self", "effect": "Surprised", "duration": duration});
    let (_, found) = with_part(&json!({"trigger": "action", "effects": [effect]}));
    assert_eq!(found, [(Severity::Note, Code::NoEffect)]);
}

/// Seed 001, "RECHARGE".
#[test]
fn recharges_of_the_seed() {
    for (recharge, back) in [
        (json!([1, "turn"]), Some(Restore::Turn)),
        (json!([3, "long rest"]), Some(Restore::LongRest)),
        (json!([2, "short rest"]), Some(Restore::ShortRest)),
        (json!([1, "5-6"]), Some(Restore::OnD6 { from: 5, to: 6 })),
        (json!([1, "6-6"]), Some(Restore::OnD6 { from: 6, to: 6 })),
        (json!([1, "6-5"]), None),
        (json!([1, "5-7"]), None),
        (json!([0, "turn"]), None),
        (json!([1.5, "turn"]), None),
        (json!([1]), None),
        (json!([1, "dawn"]), None),
        (json!({}), None),
    ] {
        let effects = json!([{"target": "self", "effect": "Destroyed"}]);
        let part = json!({"trigger": "action", "effects": effects, "recharge": recharge});
        let (feature, found) = with_part(&part);
        let feature = feature.expect("a feature");
        let read = feature.subfeatures[0]
            .recharge
            .as_ref()
            .map(|recharge| recharge.back);
        assert_eq!(read, back, "{recharge}");
        let errors = found
            .iter()
            .filter(|(severity, _)| *severity == Severity::Error);
        assert_eq!(errors.count(), usize::from(back.is_none()), "{recharge}");
    }
}

/// Issue 16, 1: oddities of real files are warnings, and what they mean is read.
#[test]
fn oddities_are_notes() {
    let feature = json!({
        "name": "spit",
        "text": "The {NAME} spits.",
        "subfeatures": [{
            "trigger": ["action"],
            "conditions": [["N is within radius X of N", "point in space", "15'", "self"]],
            "effects": [{
                "target": "creatures",
                "effect conditions": [
                    ["N fails dc X ABILITY save by at least X", "(8,PROF,CON,+,+)", "dexterity", 0]
                ],
                "effect": ["set N = N", "creature.BLINDED", 1],
                "duration": "End of self next turn",
                "recharge": "5-6"
            }]
        }]
    });
    let (features, found) = read_features(&feature.to_string());
    // The mark of feet, the noun, the source, the misplaced recharge and its number of uses.
    let codes: Vec<(Severity, Code)> = found
        .iter()
        .map(|found| (found.severity, found.code))
        .collect();
    assert_eq!(codes, [(Severity::Note, Code::OddFeature); 5]);
    let told = tell(&features[0].subfeatures[0]);
    assert_eq!(
        told.conditions,
        ["the distance of point in space and self ≤ 15"]
    );
    assert_eq!(
        told.effects[0].conditions,
        ["self fails a DC 8 + PROF + CON dexterity save"]
    );
    assert_eq!(told.recharge.as_deref(), Some("1 use, back on 5-6 of a d6"));
}

/// Issue 16, 1: `V0` is the result of the trigger where the file uses it so.
#[test]
fn a_variable_may_be_the_result_of_the_trigger() {
    let part = json!({
        "trigger": ["N makes check against N", "creature", "self"],
        "conditions": [["N == N", "V0", "escape grapple"]],
        "effects": [{"target": "creature", "effect": ["Impose disadvantage"]}]
    });
    for (text, words, notes) in [
        ("The {NAME} sticks.", "the result is escape grapple", 1),
        ("The {NAME} has a {V0}.", "V0 is escape grapple", 0),
    ] {
        let feature = json!({"name": "hide", "text": text, "subfeatures": [part]});
        let (features, found) = read_features(&feature.to_string());
        assert_eq!(found.len(), notes, "{text}");
        assert_eq!(
            tell(&features[0].subfeatures[0]).conditions,
            [words],
            "{text}"
        );
    }
}

/// Every finding of a document has its path, a location and help.
#[test]
fn findings_say_where_and_what_to_do() {
    let text = "[{\"name\": 1, \"text\": \"{8,+}\", \"subfeatures\": [{\"trigger\": \"hitz\", \
                \"condition\": \"HP,fire,+\", \"effects\": [{\"target\": \"self\", \"effect\": [\"Jump\"]}, 5]}, []]}]";
    let (_, found) = read_features(text);
    assert!(found.len() >= 7, "{found}");
    for found in found.iter() {
        assert!(found.message.starts_with("`$[0]"), "{}", found.message);
        assert!(found.help.is_some(), "{}", found.message);
        assert!(!found.span.range().is_empty(), "{}", found.message);
        assert!(text.get(found.span.range()).is_some(), "{}", found.message);
    }
}

/// No text hangs the reader, and no file fills memory with findings.
#[test]
fn hostile_files_are_read_in_time() {
    let words = "N ".repeat(50_000);
    let names: String = (0..50_000)
        .map(|index| format!("\"m{index}\": 0,"))
        .collect();
    let parts = "{\"trigger\": 1},".repeat(2_000);
    for text in [
        format!(
            "{{\"name\": \"a\", \"text\": \"{}\", \"subfeatures\": []}}",
            "{".repeat(100_000)
        ),
        format!(
            "{{\"name\": \"a\", \"text\": \"\", \"subfeatures\": [{{\"trigger\": \"{words}\"}}]}}"
        ),
        format!("{{{names} \"name\": \"a\"}}"),
        format!("{{\"name\": \"a\", \"text\": \"\", \"subfeatures\": [{parts} {{}}]}}"),
        format!(
            "{{\"name\": \"{}\", \"text\": \"\", \"subfeatures\": []}}",
            "{1}".repeat(100_000)
        ),
    ] {
        let (_, found) = read_features(&text);
        assert!(found.len() <= 100);
    }
}
