//! Good documents and tables, to be damaged.

use super::bounds;
use crate::answers::bound;
use dicec_api::{Input, Shape, TableRequest, Watch};
use dicec_compiler::{Bound, Control};
use serde_json::Value;
use std::io::Cursor;
use std::sync::OnceLock;

/// All stat blocks that are built in.
pub(super) fn creatures() -> &'static [Value] {
    static CREATURES: OnceLock<Vec<Value>> = OnceLock::new();
    CREATURES.get_or_init(|| {
        let all = include_str!("../../../games/src/encounter/bestiary/srd-5.1.json");
        serde_json::from_str(all).expect("stat blocks")
    })
}

/// Stat blocks as text and in the formats of other tools.
pub(super) const PASTED: [&str; 7] = [
    include_str!("../../../examples/bestiary/gloomwing.txt"),
    include_str!("../../../examples/bestiary/tide_warden.txt"),
    include_str!("../../../examples/bestiary/ashling.json"),
    include_str!("../../../examples/bestiary/brinehound.json"),
    include_str!("../../../examples/bestiary/lanternwight.json"),
    include_str!("../../../examples/bestiary/quillboar.json"),
    include_str!("../../../examples/bestiary/thornback.json"),
];

/// Encounters.
pub(super) fn fights() -> &'static [Value] {
    static FIGHTS: OnceLock<Vec<Value>> = OnceLock::new();
    FIGHTS.get_or_init(|| {
        let texts = [
            include_str!("../../../examples/watch.json"),
            include_str!("../../../examples/witch.json"),
            include_str!("../../../examples/bridge/fight.json"),
            include_str!("../../../examples/how-to/ambush.json"),
        ];
        texts
            .map(|text| serde_json::from_str(text).expect("an encounter"))
            .to_vec()
    })
}

/// Rolls of scripts, most of which ask players.
pub(super) fn rolls() -> &'static [Bound] {
    static ROLLS: OnceLock<Vec<Bound>> = OnceLock::new();
    ROLLS.get_or_init(|| {
        let texts = [
            include_str!("../../../examples/attack.dice"),
            include_str!("../../../examples/burst.dice"),
            include_str!("../../../examples/guide/4_options.dice"),
            include_str!("../../../examples/ability_scores.dice"),
            include_str!("../../../examples/duel.dice"),
            include_str!("../../../examples/party.dice"),
            include_str!("../../../benches/src/corpus/scripts/cards.dice"),
            include_str!("../../../benches/src/corpus/scripts/yahtzee.dice"),
        ];
        texts.map(|text| bound(text).expect("a script")).to_vec()
    })
}

const CSV: &str = "Attack,AC,dice,save.dex,Party,Monsters\n5,15,2d6+1,3,1 Guard,1 Wolf\n-2,20,1d4,0,2 Guard,1 Goblin\n,7,,1,1 Cat,1 Rat\n";

/// A table in each format, and its shape; without one it is in a Parquet file.
pub(super) fn tables() -> &'static [(Vec<u8>, Option<Shape>)] {
    static TABLES: OnceLock<Vec<(Vec<u8>, Option<Shape>)>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let csv = (CSV.as_bytes().to_vec(), Some(Shape::Csv(b',')));
        let others = [
            ("tsv", Some(Shape::Csv(b'\t'))),
            ("json", Some(Shape::Json)),
            ("jsonl", Some(Shape::Guess(b','))),
            ("arrow", Some(Shape::Arrow)),
            ("parquet", None),
        ];
        let others = others.map(|(format, shape)| (written(format), shape));
        std::iter::once(csv).chain(others).collect()
    })
}

/// The table in a format, with a column more.
fn written(format: &str) -> Vec<u8> {
    let pairs = [("e", "one=1d6"), ("format", format), ("on_error", "null")];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = TableRequest::read(pairs.into_iter()).expect("it is well written");
    let input = Input::Streamed(Box::new(Cursor::new(CSV)), Shape::Csv(b','));
    let mut bytes = Vec::new();
    let control = Control::default();
    let answered = request.answer(input, &mut bytes, &bounds(), &Watch::unseen(&control));
    answered.expect("a good table");
    bytes
}
