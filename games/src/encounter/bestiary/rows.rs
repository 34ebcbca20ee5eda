//! Stat blocks as rows of a table: each row is converted to the JSON of a stat block file, and read
//! like one.
//!
//! ```text
//! headings, cells --> JSON --add--> Bestiary
//! ```

mod spell;

use super::Bestiary;
use crate::encounter::change::truth;
use crate::encounter::plan::Dice;
use crate::encounter::wrong::Wrong;
use dicec_lang::syntax::nearest;
use serde_json::{Map, Value, json};

/// The columns of a table of stat blocks, with the kind of their cells.
const COLUMNS: [(&str, Cell); 30] = [
    ("name", Cell::Text),
    ("ac", Cell::Number),
    ("hp", Cell::Number),
    ("hp dice", Cell::Text),
    ("current hp", Cell::Number),
    ("level", Cell::Number),
    ("temp hp", Cell::Number),
    ("STR", Cell::Number),
    ("DEX", Cell::Number),
    ("CON", Cell::Number),
    ("INT", Cell::Number),
    ("WIS", Cell::Number),
    ("CHA", Cell::Number),
    ("proficiency", Cell::Number),
    ("speed", Cell::Number),
    ("character", Cell::Truth),
    ("traits", Cell::Traits),
    ("resists", Cell::List),
    ("immune", Cell::List),
    ("vulnerable", Cell::List),
    ("condition immune", Cell::List),
    (ATTACK, Cell::OfAction),
    (DAMAGE, Cell::OfAction),
    (ATTACKS, Cell::OfAction),
    (KIND, Cell::OfAction),
    (REACH, Cell::OfAction),
    (RANGE, Cell::OfAction),
    (HEALS, Cell::OfAction),
    (HEALS_PER_DAY, Cell::OfAction),
    (BONUS_ACTION, Cell::OfAction),
];

const ATTACK: &str = "attack";
const DAMAGE: &str = "damage";
const ATTACKS: &str = "attacks";
const KIND: &str = "kind";
const REACH: &str = "reach";
const RANGE: &str = "range";
const HEALS: &str = "heals";
const HEALS_PER_DAY: &str = "heals per day";
const BONUS_ACTION: &str = "heals as bonus action";

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Text,
    Number,
    /// Yes or no.
    Truth,
    /// Names, separated by semicolons.
    List,
    /// Names of traits, separated in the same way.
    Traits,
    /// A part of an action.
    OfAction,
}

impl Bestiary {
    /// Adds the stat blocks of a table, one per row. The headings are row 1. Returns the unknown
    /// columns.
    ///
    /// # Errors
    /// The row and the column of the mistake.
    pub fn add_rows(
        &mut self,
        headings: &[String],
        rows: &[Vec<String>],
    ) -> Result<Vec<Wrong>, Wrong> {
        let mut columns = Vec::new();
        let mut unknown = Vec::new();
        for heading in headings {
            let column = column(heading);
            unknown.extend(column.is_none().then(|| stranger(heading)));
            columns.push(column);
        }
        for needed in ["name", "ac", "hp"] {
            if !columns.iter().flatten().any(|(name, _)| *name == needed) {
                let wrong = Wrong::new("row 1", format!("has no column `{needed}`"));
                return Err(wrong.help("a stat block needs name, ac and hp"));
            }
        }
        let rows = rows.iter().zip(2..);
        let rows = rows.filter(|(cells, _)| cells.iter().any(|cell| !cell.trim().is_empty()));
        let blocks = rows.map(|(cells, number)| Row::of(&columns, cells, number)?.block());
        let blocks: Result<Vec<Value>, Wrong> = blocks.collect();
        let of_json = self.add(Value::Array(blocks?))?;
        unknown.extend(of_json);
        Ok(unknown)
    }
}

/// All columns.
fn columns() -> impl Iterator<Item = (&'static str, Cell)> {
    COLUMNS.into_iter().chain(spell::COLUMNS)
}

/// The column that a heading names: capitals do not matter.
fn column(heading: &str) -> Option<(&'static str, Cell)> {
    let heading = heading.trim().replace('_', " ");
    let mut all = columns();
    all.find(|(name, _)| name.eq_ignore_ascii_case(&heading))
}

fn stranger(heading: &str) -> Wrong {
    let path = format!("column {}", heading.trim());
    let note = Wrong::new(path, "is not a column of stat blocks");
    match nearest(heading.trim(), columns().map(|(name, _)| name)) {
        Some(meant) => note.help(format!("did you mean `{meant}`?")),
        None => note.help("docs/encounters.md lists the columns"),
    }
}

/// A row: its cells that are not empty.
struct Row<'t> {
    number: usize,
    cells: Vec<(&'static str, Cell, &'t str)>,
}

impl<'t> Row<'t> {
    /// The cells of a row, by known column.
    fn of(
        columns: &[Option<(&'static str, Cell)>],
        cells: &'t [String],
        number: usize,
    ) -> Result<Self, Wrong> {
        if cells.len() > columns.len() {
            let what = format!("has {} cells, and row 1 has {}", cells.len(), columns.len());
            let wrong = Wrong::new(format!("row {number}"), what);
            return Err(wrong.help("a cell with a comma in it stands in quotes: `\"a, b\"`"));
        }
        let cells = columns.iter().zip(cells);
        let known = cells.filter_map(|(column, text)| Some((column.as_ref()?, text.trim())));
        let filled = known.filter(|(_, text)| !text.is_empty());
        let cells = filled.map(|(&(column, cell), text)| (column, cell, text));
        Ok(Self {
            number,
            cells: cells.collect(),
        })
    }
}

impl Row<'_> {
    fn block(&self) -> Result<Value, Wrong> {
        for needed in ["name", "ac", "hp"] {
            if self.text(needed).is_none() {
                return Err(self.wrong(needed, "is empty: a stat block needs it"));
            }
        }
        let mut block = Map::new();
        for &(column, cell, text) in &self.cells {
            let value = match cell {
                Cell::Text => text.into(),
                Cell::Number => self.number(column, text)?.into(),
                Cell::Truth => self.truth(column, text)?.into(),
                Cell::List => text.split(';').map(str::trim).collect(),
                Cell::Traits => {
                    let names = text.split(';').map(str::trim);
                    names.map(|name| json!({ "name": name })).collect()
                }
                Cell::OfAction => continue,
            };
            block.insert(column.to_owned(), value);
        }
        let mut actions = self.attack()?;
        actions.extend(self.healing()?);
        actions.extend(self.spell()?);
        block.insert("actions".to_owned(), actions.into());
        Ok(block.into())
    }

    fn text(&self, column: &str) -> Option<&str> {
        let mut all = self.cells.iter();
        all.find(|(name, ..)| *name == column)
            .map(|(.., text)| *text)
    }

    fn path(&self, column: &str) -> String {
        format!("row {}, column {column}", self.number)
    }

    fn wrong(&self, column: &str, what: impl Into<String>) -> Wrong {
        Wrong::new(self.path(column), what)
    }

    fn number(&self, column: &str, text: &str) -> Result<i64, Wrong> {
        let number = text.parse();
        number.map_err(|_| {
            let wrong = self.wrong(column, format!("is `{text}`, not a whole number"));
            wrong.help("write it as in `16`, or leave the cell empty")
        })
    }

    fn truth(&self, column: &str, text: &str) -> Result<bool, Wrong> {
        truth(text).map_err(|_| {
            let wrong = self.wrong(column, format!("is `{text}`"));
            wrong.help("write `yes` or `no`, or leave the cell empty")
        })
    }

    /// The feet that an attack at a distance reaches: `80/320`, or one number.
    fn range(&self, text: &str) -> Result<Vec<i64>, Wrong> {
        let feet = text.split('/').map(|text| text.trim().parse());
        let feet: Result<Vec<i64>, _> = feet.collect();
        feet.map_err(|_| {
            let wrong = self.wrong(RANGE, format!("is `{text}`, not a range in feet"));
            wrong.help("write it as in `80/320`")
        })
    }

    /// The attack, and the multiattack if it makes several.
    fn attack(&self) -> Result<Vec<Value>, Wrong> {
        let (Some(bonus), Some(damage)) = (self.text(ATTACK), self.text(DAMAGE)) else {
            let parts = [ATTACK, DAMAGE, ATTACKS, KIND, REACH, RANGE];
            if !parts.iter().any(|column| self.text(column).is_some()) {
                return Ok(Vec::new());
            }
            let missing = if self.text(ATTACK).is_none() {
                ATTACK
            } else {
                DAMAGE
            };
            let wrong = self.wrong(
                missing,
                "is empty, and the row has another part of an attack",
            );
            return Err(wrong.help("an attack has a bonus and damage: `5` and `1d8+3 slashing`"));
        };
        let kind = self.text(KIND).unwrap_or("melee").to_lowercase();
        if !["melee", "ranged", "melee or ranged"].contains(&&*kind) {
            let wrong = self.wrong(KIND, format!("is `{kind}`, not a kind of attack"));
            return Err(wrong.help("attacks are `melee`, `ranged` or `melee or ranged`"));
        }
        let mut attack = json!({
            "name": "Attack", "bonus": self.number(ATTACK, bonus)?, "kind": kind,
            "damage": self.damage(DAMAGE, damage)?,
        });
        if let Some(reach) = self.text(REACH) {
            attack["reach"] = self.number(REACH, reach)?.into();
        }
        if let Some(range) = self.text(RANGE) {
            attack["range"] = self.range(range)?.into();
        }
        let mut actions = vec![attack];
        let count = self
            .text(ATTACKS)
            .map_or(Ok(1), |text| self.number(ATTACKS, text))?;
        if !(1..=20).contains(&count) {
            return Err(self.wrong(ATTACKS, format!("is {count}, not in 1 to 20")));
        }
        if count > 1 {
            let steps = json!([{ "action": "Attack", "count": count }]);
            actions.push(json!({ "name": "Multiattack", "multiattack": steps }));
        }
        Ok(actions)
    }

    /// Parts of damage: dice and a type each, joined by `+` or `;`.
    fn damage(&self, column: &str, text: &str) -> Result<Vec<Value>, Wrong> {
        let help = "write it as in `1d8+3 slashing + 2d6 fire`";
        let wrong = |what: String| self.wrong(column, what).help(help);
        let spaced = text.replace('+', " + ").replace(';', " ; ");
        let mut parts = Vec::new();
        let mut dice = String::new();
        for word in spaced.split_whitespace() {
            let is_joint = matches!(word, "+" | ";") && dice.is_empty();
            let is_dice = word.starts_with(|c: char| !c.is_alphabetic()) || is_die(word);
            match (is_joint, is_dice) {
                (true, _) => {}
                (false, true) => dice += word,
                (false, false) if dice.is_empty() => {
                    return Err(wrong(format!("has the type `{word}` without dice")));
                }
                (false, false) => {
                    Dice::read(&dice, &self.path(column))?;
                    parts.push(json!({ "dice": std::mem::take(&mut dice), "type": word }));
                }
            }
        }
        match dice.is_empty() {
            true => Ok(parts),
            false => Err(wrong(format!("has `{dice}` without a type of damage"))),
        }
    }

    /// The number of uses per day.
    fn uses(&self, column: &str, text: &str) -> Result<i64, Wrong> {
        match self.number(column, text)? {
            uses if (1..=1000).contains(&uses) => Ok(uses),
            uses => Err(self.wrong(column, format!("is {uses}, not in 1 to 1000"))),
        }
    }

    /// The action that heals.
    fn healing(&self) -> Result<Option<Value>, Wrong> {
        let Some(dice) = self.text(HEALS) else {
            let lonely = [HEALS_PER_DAY, BONUS_ACTION];
            let lonely = lonely
                .into_iter()
                .find(|column| self.text(column).is_some());
            return match lonely {
                Some(column) => {
                    Err(self.wrong(column, format!("has no `{HEALS}` in its row: how much?")))
                }
                None => Ok(None),
            };
        };
        Dice::read(dice, &self.path(HEALS))?;
        let mut action = json!({ "name": "Healing", "heals": dice });
        if let Some(text) = self.text(HEALS_PER_DAY) {
            action["usage"] = json!({ "per day": self.uses(HEALS_PER_DAY, text)? });
        }
        if let Some(text) = self.text(BONUS_ACTION) {
            action["bonus action"] = self.truth(BONUS_ACTION, text)?.into();
        }
        Ok(Some(action))
    }
}

/// Whether a word is a die without a number, such as `d8`.
fn is_die(word: &str) -> bool {
    let sides = word.strip_prefix(['d', 'D']).unwrap_or_default();
    sides.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn read(headings: &str, row: &str) -> Result<(Bestiary, Vec<String>), String> {
        let cells = |text: &str| -> Vec<String> { text.split(',').map(str::to_owned).collect() };
        let mut bestiary = Bestiary::default();
        let notes = bestiary.add_rows(&cells(headings), &[cells(row)]);
        let notes = notes.map_err(|wrong| wrong.to_string())?;
        Ok((bestiary, notes.iter().map(Wrong::to_string).collect()))
    }

    #[test]
    fn a_row_says_what_matters_at_a_distance() {
        let (bestiary, _) = read(
            "name,ac,hp,speed,traits,attack,damage,kind,range,reach",
            "Fenn,15,20,35,Sneak Attack; Evasion,5,1d8+3 piercing,ranged,80/320,10",
        )
        .expect("it is a stat block");
        let fenn = &bestiary.blocks[0];
        let names = json!([{ "name": "Sneak Attack" }, { "name": "Evasion" }]);
        assert_eq!((&fenn["speed"], &fenn["traits"]), (&json!(35), &names));
        let attack = &fenn["actions"][0];
        assert_eq!(
            (&attack["range"], &attack["reach"]),
            (&json!([80, 320]), &json!(10))
        );
    }

    #[test]
    fn a_row_becomes_the_json_of_a_stat_block() {
        let (bestiary, notes) = read(
            "Name,AC,hp,Temp_HP,dex,character,immune,attack,damage,attacks,heals,heals per day",
            "Ilva,16,27,5,14,yes,fire; poison,+6,1d8+3 slashing + 2d6 fire,2,1d8+3,2",
        )
        .expect("it is a stat block");
        assert_eq!(notes, Vec::<String>::new());
        let expected = json!({
            "name": "Ilva", "ac": 16, "hp": 27, "temp hp": 5, "DEX": 14, "character": true,
            "immune": ["fire", "poison"],
            "actions": [
                {
                    "name": "Attack", "bonus": 6, "kind": "melee",
                    "damage": [
                        { "dice": "1d8+3", "type": "slashing" },
                        { "dice": "2d6", "type": "fire" },
                    ],
                },
                { "name": "Multiattack", "multiattack": [{ "action": "Attack", "count": 2 }] },
                { "name": "Healing", "heals": "1d8+3", "usage": { "per day": 2 } },
            ],
        });
        assert_eq!(bestiary.blocks, [expected.into()]);
    }

    #[test]
    fn wrong_cells_are_named_by_row_and_column() {
        for (headings, row, expected) in [
            ("name,ac", "Ilva,16", "`row 1` has no column `hp`"),
            (
                "name,ac,hp",
                "Ilva,16,27,yes",
                "`row 2` has 4 cells, and row 1 has 3",
            ),
            (
                "name,ac,hp,character",
                "Ilva,16,27,maybe",
                "`row 2, column character` is `maybe`",
            ),
            (
                "name,ac,hp",
                "Ilva,,27",
                "`row 2, column ac` is empty: a stat block needs it",
            ),
            (
                "name,ac,hp",
                "Ilva,high,27",
                "`row 2, column ac` is `high`, not a whole number",
            ),
            (
                "name,ac,hp,attack,damage",
                "Ilva,16,27,6,1d8+3",
                "`row 2, column damage` has `1d8+3` without a type of damage",
            ),
            (
                "name,ac,hp,attack,damage",
                "Ilva,16,27,6,fire",
                "`row 2, column damage` has the type `fire` without dice",
            ),
            (
                "name,ac,hp,damage",
                "Ilva,16,27,1d8 fire",
                "`row 2, column attack` is empty, and the row has another part of an attack",
            ),
            (
                "name,ac,hp,heals per day",
                "Ilva,16,27,2",
                "`row 2, column heals per day` has no `heals` in its row: how much?",
            ),
        ] {
            assert_eq!(read(headings, row).map(|_| ()), Err(expected.to_owned()));
        }
    }

    #[test]
    fn columns_that_nothing_knows_are_noted() {
        let (_, notes) = read("name,ac,hp,resist", "Ilva,16,27,fire").expect("it is read");
        assert_eq!(notes, ["`column resist` is not a column of stat blocks"]);
    }
}
