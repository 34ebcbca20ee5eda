//! Crowds of natural programs: equal records, some of which are hit, and what is asked of them.

use super::Writer;
use arbitrary::Result;

const FOE: &str = "deftype foe { hp: int, ac: int = 1 }";
const HURT: &str = "deffun hurt(f: foe, n: int) { f.hp -= n; }";
const STANDS: &str = "deffun anyStands(fs: foe list) : bool { return any(f.hp > 0 for f : fs); }";

impl Writer<'_, '_> {
    /// Some rounds in which one of a crowd is hit, and a number about those who are left.
    pub(super) fn crowd(&mut self) -> Result<()> {
        self.define(FOE);
        self.define(HURT);
        self.define(STANDS);
        let (crowd, one, foe) = (self.name(), self.name(), self.name());
        let (size, hp) = (self.number(2, 3)?, self.number(1, 3)?);
        let size = if self.rolls > 100.0 { 2 } else { size };
        self.line(&format!("{crowd} = [foe{{ hp: {hp} }}; {size}];"));
        let rounds = 2;
        self.rolls *= f64::from(size).powi(rounds as i32);
        self.times *= rounds;
        let amount = self.rolled()?;
        self.times /= rounds;
        let chosen = match self.number(0, 3)? {
            0 => format!("{crowd}[0]"),
            1 => format!("least({foe} by {foe}.hp for {foe} : {crowd})"),
            _ => format!("pick({foe} for {foe} : {crowd} if {foe}.hp > 0)"),
        };
        self.line(&format!(
            "repeat ({rounds}) {{ if (anyStands({crowd})) {{ {one} = {chosen}; hurt({one}, {amount}); }} }}"
        ));
        let target = self.int_name()?;
        let asked = match self.number(0, 4)? {
            0 => format!("{crowd}[0].hp"),
            1 => format!("max({foe}.hp for {foe} : {crowd})"),
            2 => format!("sum({foe}.hp for {foe} : {crowd})"),
            _ => format!("count({foe}.hp > 0 for {foe} : {crowd})"),
        };
        self.line(&format!("{target} += {asked};"));
        Ok(())
    }
}
