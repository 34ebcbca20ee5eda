//! Rolls with faces that the client gives: those of dice on the table.

use super::client::{Answer, Running, settings, start};
use serde_json::{Value, json};

fn ask(server: &Running, question: &Value) -> Answer {
    server.ask("roll", &question.to_string())
}

fn document(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).expect("a document")
}

#[test]
fn given_faces_are_rolled_in_their_order() {
    let server = start(settings());
    for (rule, faces, total, rendered) in [
        ("1d20 adv + 5", vec![4, 17], 22, "2d20[~~4~~, 17] + 5 = 22"),
        ("4dF", vec![-1, 0, 1, 1], 1, "4dF[-1, 0, 1, 1] = 1"),
    ] {
        let answer = ask(&server, &json!({"rule": rule, "faces": faces}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let roll = document(&answer);
        assert_eq!(
            (&roll["total"], &roll["rendered"]),
            (&json!(total), &json!(rendered))
        );
        // No seed repeats them.
        assert_eq!(roll["seed"], Value::Null);
    }
    // A rule with several rolls takes the faces of all of them.
    let two = json!({"rule": "1d20 >= 10 and 1d20 >= 10", "faces": [12, 11]});
    let answer = ask(&server, &two);
    assert_eq!(document(&answer)["result"], json!(true), "{}", answer.body);
}

#[test]
fn faces_that_do_not_fit_are_refused_as_by_the_command() {
    let server = start(settings());
    for (rule, faces, code, message) in [
        ("2d6", json!([6]), "D0305", "die 2 has none"),
        ("2d6", json!([6, 7]), "D0306", "die 2 was given a 7"),
        (
            "2d6",
            json!([6, 5, 4]),
            "D0307",
            "face 3 belongs to no die: 2 dice are rolled",
        ),
        ("1d6!", json!([6]), "D0305", "die 2 has none"),
    ] {
        let answer = ask(&server, &json!({"rule": rule, "faces": faces}));
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (422, code),
            "{rule}"
        );
        let error = document(&answer)["error"]["message"].clone();
        assert!(error.as_str().expect("text").contains(message), "{error}");
    }
}

#[test]
fn faces_go_with_a_rule_and_without_a_seed() {
    let server = start(settings());
    let script = "defroll \"Attack\" attack() { return roll(d20); }";
    for question in [
        json!({"rule": "2d6", "faces": [1, 2], "seed": 3}),
        json!({"script": script, "faces": [1]}),
        json!({"rule": "2d6", "faces": [1.5, 2]}),
        json!({"rule": "2d6", "faces": "1,2"}),
    ] {
        let answer = ask(&server, &question);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "D0540"),
            "{}",
            answer.body
        );
    }
}
