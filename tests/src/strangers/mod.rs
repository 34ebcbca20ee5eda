//! What strangers send, from bytes: requests, tables, stat blocks, encounters and sessions. Each is
//! answered by a document; an internal error is as bad as a panic.

mod damage;
mod samples;

use arbitrary::{Result, Unstructured};
use damage::{damaged, damaged_bytes};
use dicec_api::{Bounds, Endpoint, Format, Input, TableRequest, Watch, Wrong};
use dicec_compiler::{Control, Failure, ScriptSession};
use dicec_games::statblock::read_blocks;
use samples::{PASTED, creatures, fights, rolls, tables};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The errors that are faults of ours.
const OURS: [&str; 2] = ["D0901", "D0902"];

/// The bytes of an answer after which nobody reads on: a few bytes may stand for billions of rows.
const MAX_ANSWER: usize = 1 << 18;

/// Bounds for many small requests.
fn bounds() -> Bounds {
    let mut bounds = Bounds::untrusted();
    bounds.trials = 100;
    bounds.limits.exact.work = 100_000;
    bounds
}

/// Any bytes as a request, and as the text in one.
pub fn request(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let endpoint = Endpoint::ALL[usize::from(*first) % Endpoint::ALL.len()];
    let text = String::from_utf8_lossy(rest);
    let member = match endpoint {
        Endpoint::Encounter => "sides",
        Endpoint::Describe => "script",
        _ if first % 2 == 0 => "rule",
        _ => "script",
    };
    let written = json!({ member: text, "seed": 1 }).to_string();
    for body in [rest, written.as_bytes()] {
        ask(endpoint, body);
    }
}

/// A fight of a creature with a damaged stat block.
pub fn stat_block(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let mut block = || -> Result<Value> { damaged(bytes.choose(creatures())?, &mut bytes) };
    let Ok(block) = block() else {
        return;
    };
    let name = block["name"].as_str().unwrap_or("Goblin");
    let sides = format!("1 {name} vs 1 Goblin");
    fight(&json!(sides), &json!([block]));
}

/// A fight of a creature whose stat block was pasted, damaged or with lines of others.
pub fn pasted(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(text) = mixed_or_damaged(&mut bytes) else {
        return;
    };
    let read = read_blocks("pasted", &text, None);
    let name = read.ok().and_then(|blocks| {
        let creature = &blocks.first()?.creature;
        Some(creature["name"].as_str()?.to_owned())
    });
    let name = name.unwrap_or_else(|| "Nobody".to_owned());
    let text = String::from_utf8_lossy(&text);
    fight(&json!(format!("1 {name} vs 1 Goblin")), &json!(text));
}

/// A pasted stat block with a few changed bytes, or of lines of several.
fn mixed_or_damaged(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if bytes.arbitrary()? {
        let whole = bytes.choose(&PASTED)?;
        return damaged_bytes(whole.as_bytes(), bytes);
    }
    let mut lines: Vec<&str> = bytes.choose(&PASTED)?.lines().collect();
    for _ in 0..bytes.int_in_range(1..=12)? {
        let others: Vec<&str> = bytes.choose(&PASTED)?.lines().collect();
        let other = *bytes.choose(&others)?;
        let at = bytes.choose_index(lines.len())?;
        match bytes.int_in_range(0..=2)? {
            0 => lines[at] = other,
            1 => lines.insert(at, other),
            _ if lines.len() > 1 => drop(lines.remove(at)),
            _ => {}
        }
    }
    Ok(lines.join("\n").into_bytes())
}

/// A damaged encounter.
pub fn encounter(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let mut sides = || -> Result<Value> { damaged(bytes.choose(fights())?, &mut bytes) };
    if let Ok(sides) = sides() {
        fight(&sides, &Value::Null);
    }
}

/// Fights, and tells one.
fn fight(sides: &Value, bestiary: &Value) {
    for tell in [false, true] {
        let request = json!({
            "sides": sides, "bestiary": bestiary, "tell": tell, "trials": 20, "rounds": 20, "seed": 1,
        });
        ask(Endpoint::Encounter, request.to_string().as_bytes());
    }
}

fn ask(endpoint: Endpoint, body: &[u8]) {
    let control = Control::default();
    let answered = dicec_api::answer(endpoint, body, &bounds(), &Watch::unseen(&control));
    let document = answered.map_or_else(|wrong| wrong_document(&wrong), |reply| reply.document);
    let document: Value = serde_json::from_str(&document).expect("a document");
    assert!(!document.is_null(), "{endpoint:?}");
}

/// The document of an error, which is not one of ours.
fn wrong_document(wrong: &Wrong) -> String {
    let document = wrong.document();
    let is_ours = OURS.iter().any(|code| document.contains(code));
    assert!(!is_ours, "{document}");
    document
}

/// A table in each format, damaged or made up, with questions about its rows.
pub fn table(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let (whole, shape) = &tables()[usize::from(*first) % tables().len()];
    let damaged = damaged_bytes(whole, &mut Unstructured::new(rest));
    for bytes in [damaged.as_deref().unwrap_or(rest), rest] {
        let input = match shape {
            Some(shape) => Input::Streamed(Box::new(io::Cursor::new(bytes.to_vec())), *shape),
            None => Input::Parquet(bytes.to_vec()),
        };
        ask_rows(input, *first);
    }
}

/// Asks about the rows of a table, until the answer is long.
fn ask_rows(input: Input, how: u8) {
    let questions = [
        "e=hit=1d20 + [Attack] >= [AC]",
        "e=[dice] + [save.dex]",
        "encounter=Party,Monsters",
    ];
    let formats = ["csv", "json", "arrow", "parquet"];
    let pairs = [
        questions[usize::from(how >> 4) % questions.len()],
        &format!("format={}", formats[usize::from(how >> 2) % formats.len()]),
        "trials=20",
        "seed=1",
        "on_error=null",
    ];
    let pairs = pairs
        .iter()
        .map(|pair| pair.split_once('=').expect("it has one"));
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = TableRequest::read(pairs).expect("it is well written");
    let control = Control::default();
    let mut output = Short(Vec::new());
    let answered = request.answer(input, &mut output, &bounds(), &Watch::unseen(&control));
    if let Err(wrong) = answered {
        wrong_document(&wrong);
    } else if request.format == Format::Json {
        let document: std::result::Result<Value, _> = serde_json::from_slice(&output.0);
        document.expect("a document");
    }
}

/// A reader that leaves.
struct Short(Vec<u8>);

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() > MAX_ANSWER {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A damaged session of an example, read with and without force, and gone on with.
pub fn session(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(roll) = bytes.choose(rolls()) else {
        return;
    };
    let identity = roll.identity();
    let mut session = ScriptSession::new(1);
    // A roll that traps leaves a session, too.
    let _ = roll.play(&mut session);
    let Ok(json) = damaged(&session.to_json(&identity), &mut bytes) else {
        return;
    };
    let _ = ScriptSession::remembered(&json);
    for force in [false, true] {
        if let Ok(mut session) = ScriptSession::from_json(&json, &identity, force) {
            let played = roll.play(&mut session);
            if let Err(failure) = &played {
                assert!(!matches!(failure, Failure::Bug(_)), "{failure}");
            }
            let again = ScriptSession::from_json(&session.to_json(&identity), &identity, force);
            assert_eq!(
                again.as_ref(),
                Ok(&session),
                "a session is read as it is written"
            );
        }
    }
}
