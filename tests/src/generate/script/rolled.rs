//! Lists of rolled numbers in generated scripts, that are counted, searched, changed and sorted.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A few dice in a list, and what is found out about them.
    pub(super) fn rolled(&mut self) -> Result<()> {
        let (dice, found, one) = (self.new_name(), self.new_name(), self.new_name());
        let made = match self.bytes.int_in_range(0..=6)? {
            0 => format!("{dice} = [roll(d4), roll(d3), {}];", self.int(1)?),
            1 => format!("{dice} = []; repeat (3) {{ append({dice}, roll(d3)); }}"),
            2 => format!("{dice} = sorted([roll(d4) for {one} : 1..3]);"),
            3 => format!("{dice} = [roll(d3) for {one} : 1..2] + {};", self.ints(1)?),
            4 => format!("{dice} = thrown(3);"),
            5 => format!("{dice} = turned(thrown(2));"),
            _ => format!("{dice} = [roll(d4) for {one} : 1..3];"),
        };
        self.line(&made);
        let begins = self.bytes.int_in_range(0..=1)?;
        self.line(&format!("{found} = {begins};"));
        for _ in 0..self.bytes.int_in_range(1..=4)? {
            let line = match self.bytes.int_in_range(0..=16)? {
                0 => format!("{found} += count({one} >= 3 for {one} : {dice});"),
                1 => format!("{found} = {found} * 3 + sum({dice}) - min({dice});"),
                2 => format!("{found} += contains({dice}, 3) ? 5 : 0;"),
                3 => format!("{found} += max(count({one} == f for {one} : {dice}) for f : 1..4);"),
                4 => format!("{dice} = [{one} == 1 ? roll(d4) : {one} for {one} : {dice}];"),
                5 => format!("{dice} = [{one} for {one} : {dice} if {}];", self.truth(1)?),
                6 => format!("sort({dice});"),
                7 => format!("{dice} = sorted({one} by {one} descending for {one} : {dice});"),
                8 => format!("for ({one} : {dice}) {{ {found} = {found} * 3 + {one}; }}"),
                9 => format!("append({dice}, {});", self.int(1)?),
                10 => format!("{found} -= {dice}[{}];", self.small_index()?),
                11..=14 => self.observed(&dice, &found, &one)?,
                _ => self.passed(&dice, &found, &one)?,
            };
            self.line(&line);
        }
        self.scope.push((dice, Ty::Ints));
        self.scope.push((found, Ty::Int));
        Ok(())
    }

    /// What observes the order of the dice, under another name or in a function.
    fn observed(&mut self, dice: &str, found: &str, one: &str) -> Result<String> {
        let count = self.bytes.int_in_range(0..=3)?;
        Ok(match self.bytes.int_in_range(0..=7)? {
            0 => format!(
                "{found} += sum({dice}[{one}] for {one} : 0..min({count}, len({dice})) - 1);"
            ),
            1 => format!("{found} = {found} * 3 + firsts({dice}, {count});"),
            2 => format!("{dice} = same({dice});"),
            3 => format!("{dice} = turned({dice});"),
            4 => format!("{found} += count({dice}[0] > {one} for {one} : {dice});"),
            5 => format!("put({dice}, {count});"),
            6 => format!("{found} += thrown(2)[0] * same({dice})[0];"),
            _ => {
                let hand = self.new_name();
                self.line(&format!("{hand} = hand{{dice: {dice}, size: {count}}};"));
                format!("append({hand}.dice, {count}); {found} += {hand}.dice[0] - len({dice});")
            }
        })
    }

    /// A loop that does something with each of the dice.
    fn passed(&mut self, dice: &str, found: &str, one: &str) -> Result<String> {
        let change = match self.bytes.int_in_range(0..=5)? {
            0 => format!("{found}++;"),
            1 => format!("{found} += {one} - roll(d2);"),
            2 => format!("{found} = max({found}, {one});"),
            3 => format!("{found} = 7; break;"),
            4 => format!("twice = {one} * 2; {found} -= twice;"),
            _ => "continue;".to_owned(),
        };
        let truth = match self.bytes.arbitrary()? {
            true => format!("{one} == 2"),
            false => self.truth(1)?,
        };
        Ok(format!(
            "for ({one} : {dice}) {{ if ({truth}) {{ {change} }} }}"
        ))
    }
}
