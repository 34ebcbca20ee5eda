//! Fighters of natural programs: records with wounds in lists, in lists.

use super::{List, Writer};
use arbitrary::Result;

const FIGHTER: &str = "deftype fighter { name: string, hp: int, wounds: int list, down: bool }";
const WOUND: &str = "deffun wound(f: fighter, n: int) { f.hp -= n; if (n > 1) { append(f.wounds, n); } if (f.hp <= 0) { f.down = true; } }";
const LOST: &str = "deffun lost(fs: fighter list) : int { return count(f.down for f : fs); }";
const WEAKEST: &str =
    "deffun weakest(fs: fighter list) : fighter { return least(f by f.hp for f : fs); }";
const UP: &str =
    "deffun standing(fs: fighter list) : fighter list { return [f for f : fs if !f.down]; }";

impl Writer<'_, '_> {
    /// Declares some fighters and the list of them.
    pub(super) fn band(&mut self) -> Result<()> {
        self.define(FIGHTER);
        let mut names = Vec::new();
        for label in &["Ayla", "Borin", "orc"][..self.number(2, 3)? as usize] {
            let name = self.name();
            let hp = self.number(1, 4)? * if self.is_large { 9 } else { 1 };
            let wounds = *self
                .bytes
                .choose(&["", ", wounds: [1, 2]", ", wounds: []"])?;
            self.line(&format!(
                "{name} = fighter{{ name: \"{label}\", hp: {hp}{wounds} }};"
            ));
            names.push(name);
        }
        let band = self.name();
        self.line(&format!("{band} = [{}];", names.join(", ")));
        self.fighters.append(&mut names);
        self.bands.push(band);
        Ok(())
    }

    fn fighter(&mut self) -> Result<String> {
        Ok(self.bytes.choose(&self.fighters)?.clone())
    }

    /// Something happens to fighters.
    pub(super) fn deed(&mut self) -> Result<()> {
        let band = self.bytes.choose(&self.bands)?.clone();
        let (fighter, other) = (self.fighter()?, self.fighter()?);
        let one = self.name();
        let amount = self.rolled()?;
        let value = self.number(1, 3)?;
        let line = match self.number(0, 12)? {
            0 => format!(
                "for ({one} : {band}) {{ if ({one}.hp > {value}) {{ {one}.hp -= 1; append({one}.wounds, {value}); }} }}"
            ),
            1 => format!("if ({amount} > 1) {{ append({fighter}.wounds, {value}); }}"),
            2 => {
                self.define(WOUND);
                format!("wound({fighter}, {amount});")
            }
            3 => {
                self.define(WOUND);
                self.define(WEAKEST);
                format!("wound(weakest({band}), {amount});")
            }
            4 => {
                let list = format!("[{one}.hp for {one} : {band}]");
                let name = self.name();
                self.line(&format!("{name} = {list};"));
                self.lists.push(List { name, least: 2 });
                return Ok(());
            }
            5 => format!("{band} = sorted({one} by {one}.hp descending for {one} : {band});"),
            6 => format!("sort({one} by {one}.hp for {one} : {band});"),
            7 => {
                self.define(UP);
                let target = self.int_name()?;
                format!("for ({one} : standing({band})) {{ {target} += {one}.hp; }}")
            }
            8 => format!("{fighter}.wounds = {other}.wounds;"),
            9 => format!("if (len({fighter}.wounds) > 0) {{ {other}.hp -= {fighter}.wounds[0]; }}"),
            10 if fighter != other => return self.fight(&fighter, &other),
            11 => format!(
                "for ({one} : {band}) {{ if ({one}.down) {{ continue; }} {one}.hp -= {value}; if ({one}.hp <= 0) {{ {one}.down = true; output({one}.name + \" falls\"); }} break; }}"
            ),
            _ => format!("append({fighter}.wounds, {amount});"),
        };
        self.line(&line);
        Ok(())
    }

    /// Two fighters hit each other until one is down, or for some rounds.
    fn fight(&mut self, one: &str, other: &str) -> Result<()> {
        self.define(WOUND);
        let rounds = if self.is_large { 12 } else { 2 };
        let (round, face) = (self.name(), self.name());
        self.line(&format!("{round} = 0;"));
        self.line(&format!(
            "while ({round} < {rounds} && {one}.hp > 0 && {other}.hp > 0) {{"
        ));
        self.line(&format!("{round}++;"));
        self.times *= rounds;
        let (attack, damage) = (self.rolled()?, self.rolled()?);
        self.times /= rounds;
        self.line(&format!("{face} = {attack};"));
        self.line(&format!("if ({face} > 1) {{ wound({other}, {damage}); }}"));
        let line = match self.number(0, 2)? {
            0 => format!("if ({other}.hp > 0) {{ wound({one}, {face}); }}"),
            1 => format!("if ({other}.down) {{ output({one}.name + \" wins\"); break; }}"),
            _ => format!("stat(\"left\", {other}.hp);"),
        };
        self.line(&line);
        self.line("}");
        self.ints.push(round);
        Ok(())
    }

    /// A number about fighters.
    pub(super) fn of_band(&mut self) -> Result<String> {
        let band = self.bytes.choose(&self.bands)?.clone();
        let fighter = self.fighter()?;
        let one = self.name();
        Ok(match self.number(0, 8)? {
            0 => format!("sum({one}.hp for {one} : {band})"),
            1 => format!("{fighter}.hp"),
            2 => format!("len({fighter}.wounds)"),
            3 => format!("sum({fighter}.wounds)"),
            4 => format!("least({one} by {one}.hp for {one} : {band}).hp"),
            5 => format!("sum(len({one}.wounds) for {one} : {band})"),
            6 => {
                self.define(LOST);
                format!("lost({band})")
            }
            7 => format!("{band}[1].hp"),
            _ => format!("sum(sum({one}.wounds) for {one} : {band} if {one}.hp > 0)"),
        })
    }
}
