//! The columns of a spell in a table of stat blocks: an action with a save.

use super::{Cell, Row};
use crate::encounter::wrong::Wrong;
use serde_json::{Value, json};

const SPELL: &str = "spell";
const SAVE: &str = "spell save";
const DAMAGE: &str = "spell damage";
const CONDITIONS: &str = "spell conditions";
const LASTS: &str = "spell lasts";
const REPEATS: &str = "spell repeats";
const AREA: &str = "spell area";
const PER_DAY: &str = "spell per day";
const CONCENTRATION: &str = "concentration";

/// The columns, with the kind of their cells.
pub(super) const COLUMNS: [(&str, Cell); 9] = [
    (SPELL, Cell::OfAction),
    (SAVE, Cell::OfAction),
    (DAMAGE, Cell::OfAction),
    (CONDITIONS, Cell::OfAction),
    (LASTS, Cell::OfAction),
    (REPEATS, Cell::OfAction),
    (AREA, Cell::OfAction),
    (PER_DAY, Cell::OfAction),
    (CONCENTRATION, Cell::OfAction),
];

impl Row<'_> {
    /// The spell of a row.
    pub(super) fn spell(&self) -> Result<Option<Value>, Wrong> {
        let Some(name) = self.text(SPELL) else {
            let mut others = COLUMNS.iter().map(|(column, _)| *column);
            return match others.find(|column| self.text(column).is_some()) {
                Some(column) => {
                    Err(self.wrong(column, format!("has no `{SPELL}` in its row: its name")))
                }
                None => Ok(None),
            };
        };
        let mut save = self.spell_save()?;
        if let Some(damage) = self.text(DAMAGE) {
            save["damage"] = self.damage(DAMAGE, damage)?.into();
        }
        if let Some(conditions) = self.text(CONDITIONS) {
            save["conditions"] = conditions.split(';').map(str::trim).collect();
        }
        if let Some(lasts) = self.text(LASTS) {
            save["lasts"] = lasts.into();
        }
        if let Some(text) = self.text(REPEATS)
            && self.truth(REPEATS, text)?
        {
            save["repeats"] = "end of turn".into();
        }
        let mut action = json!({ "name": name, "spell": true, "save": save });
        if let Some(text) = self.text(AREA) {
            action["area"] = self.spell_area(text)?;
        }
        if let Some(text) = self.text(PER_DAY) {
            action["usage"] = json!({ "per day": self.uses(PER_DAY, text)? });
        }
        if let Some(text) = self.text(CONCENTRATION) {
            action["concentration"] = self.truth(CONCENTRATION, text)?.into();
        }
        Ok(Some(action))
    }

    /// `WIS 15`, or `DEX 15 half`.
    fn spell_save(&self) -> Result<Value, Wrong> {
        let text = self.text(SAVE).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (ability, dc, on_success) = match words[..] {
            [ability, dc] => (ability, dc, "none"),
            [ability, dc, on_success] => (ability, dc, on_success),
            _ => {
                let wrong = self.wrong(SAVE, format!("is `{text}`, not a save"));
                return Err(wrong.help("write it as in `WIS 15`, or `DEX 15 half`"));
            }
        };
        let dc = self.number(SAVE, dc)?;
        Ok(json!({ "ability": ability, "dc": dc, "on success": on_success.to_lowercase() }))
    }

    /// `20 radius`
    fn spell_area(&self, text: &str) -> Result<Value, Wrong> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [feet, shape] = words[..] else {
            let wrong = self.wrong(AREA, format!("is `{text}`, not an area"));
            return Err(wrong.help("write it as in `20 radius`"));
        };
        Ok(json!({ "shape": shape, "feet": self.number(AREA, feet)? }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use serde_json::json;

    #[test]
    fn a_row_may_have_a_spell() {
        let (bestiary, notes) = read(
            "name,ac,hp,spell,spell save,spell damage,spell conditions,spell lasts,spell repeats,\
             spell area,spell per day,concentration",
            "Ysolde,12,27,Binding,wis 14 half,2d6 psychic,paralyzed; prone,for 1 minute,yes,\
             20 radius,2,yes",
        )
        .expect("it is a stat block");
        assert_eq!(notes, Vec::<String>::new());
        let expected = json!([{
            "name": "Binding", "spell": true, "concentration": true,
            "save": {
                "ability": "wis", "dc": 14, "on success": "half",
                "damage": [{ "dice": "2d6", "type": "psychic" }],
                "conditions": ["paralyzed", "prone"], "lasts": "for 1 minute",
                "repeats": "end of turn",
            },
            "area": { "shape": "radius", "feet": 20 }, "usage": { "per day": 2 },
        }]);
        assert_eq!(bestiary.blocks[0]["actions"], expected);
    }

    #[test]
    fn wrong_cells_of_a_spell_are_named() {
        for (headings, row, expected) in [
            (
                "name,ac,hp,spell",
                "Ysolde,12,27,Binding",
                "`row 2, column spell save` is ``, not a save",
            ),
            (
                "name,ac,hp,spell,spell save",
                "Ysolde,12,27,Binding,WIS high",
                "`row 2, column spell save` is `high`, not a whole number",
            ),
            (
                "name,ac,hp,spell per day",
                "Ysolde,12,27,2",
                "`row 2, column spell per day` has no `spell` in its row: its name",
            ),
            (
                "name,ac,hp,spell,spell save,spell area",
                "Ysolde,12,27,Binding,WIS 14,wide",
                "`row 2, column spell area` is `wide`, not an area",
            ),
            (
                "name,ac,hp,spell,spell save,spell damage",
                "Ysolde,12,27,Binding,WIS 14,2d6",
                "`row 2, column spell damage` has `2d6` without a type of damage",
            ),
        ] {
            assert_eq!(read(headings, row).map(|_| ()), Err(expected.to_owned()));
        }
    }
}
