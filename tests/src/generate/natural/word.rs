//! Texts, constants of enums, degrees and flags in natural programs, and lists of them.

use super::Writer;
use arbitrary::Result;

const OUTCOME: &str = "enum outcome { miss, hit, crit }";
const STATE: &str = "flags state { prone, stunned, burning }";
const FATE: &str = "table fate { ..0: 1, 1-2: 3, 3: fate(roll(d2)), 4-6: roll(d3), else: 2 }";
const GRADE: &str = "deffun grade(n: int) : outcome { if (n < 2) { return miss; } return n < 4 ? outcome.hit : crit; }";
const CALLED: &str = "deffun called(n: int) : string { return match (n) { 1: \"one\", 2, 3: \"some\", else: \"many\" }; }";

impl Writer<'_, '_> {
    /// Statements about a value that is no number; what follows from it is added to a number.
    pub(super) fn words(&mut self) -> Result<()> {
        match self.number(0, 5)? {
            0 => self.texts(),
            1 => self.constants(),
            2 => self.degrees(),
            3 => self.flags(),
            4 => self.halves(),
            _ => self.grid(),
        }
    }

    fn texts(&mut self) -> Result<()> {
        let (word, list, one) = (self.name(), self.name(), self.name());
        let (truth, value) = (self.truth(1)?, self.int(1)?);
        let target = self.int_name()?;
        match self.number(0, 2)? {
            0 => self.line(&format!("{word} = {truth} ? \"some\" : \"many\";")),
            1 => {
                self.define(CALLED);
                self.line(&format!("{word} = called({value});"));
            }
            _ => self.line(&format!(
                "{word} = \"some\"; if ({truth}) {{ {word} = \"none\"; }}"
            )),
        }
        match self.number(0, 3)? {
            0 => self.line(&format!("output(\"There are \" + {word});")),
            1 => self.line(&format!("stat(\"of \" + {word}, {target});")),
            2 => self.line(&format!(
                "if ({word} == \"some\") {{ {target} += {value}; }}"
            )),
            _ => {
                self.line(&format!(
                    "{list} = [\"many\", {word}]; append({list}, \"one\");"
                ));
                self.line(&format!("if ({truth}) {{ append({list}, {word}); }}"));
                self.line(&format!("{target} += count({one} == \"some\" for {one} : {list}) + indexOf({list}, \"one\");"));
            }
        }
        Ok(())
    }

    fn constants(&mut self) -> Result<()> {
        self.define(OUTCOME);
        self.define(GRADE);
        let (name, list, one) = (self.name(), self.name(), self.name());
        let (value, other) = (self.int(1)?, self.int(1)?);
        let target = self.int_name()?;
        self.line(&format!("{name} = grade({value});"));
        match self.number(0, 3)? {
            0 => self.line(&format!("if ({name} >= outcome.hit) {{ {target} += {other}; }}")),
            1 => self.line(&format!("match ({name}) {{ miss: {{ }} hit: {{ {target} += 2; }} crit: {{ {target} *= 2; }} }}")),
            2 => self.line(&format!("output(\"It is a \" + {name});")),
            _ => {
                self.line(&format!("{list} = [{name}, grade({other}), crit];"));
                self.line(&format!("for ({one} : {list}) {{ if ({one} == crit) {{ {target}++; }} }}"));
                self.line(&format!("{target} += {list}[1] == miss ? 3 : 0;"));
            }
        }
        Ok(())
    }

    fn degrees(&mut self) -> Result<()> {
        let name = self.name();
        let (value, goal) = (self.int(1)?, self.number(1, 3)?);
        let target = self.int_name()?;
        self.define(FATE);
        let rolled = self.rolled()?;
        self.line(&format!("{name} = {rolled} + {value} vs {goal};"));
        match self.number(0, 3)? {
            0 => self.line(&format!("if ({name} >= success) {{ {target}++; }}")),
            1 => self.line(&format!(
                "{target} += match ({name}) {{ criticalSuccess: 4, success: 2, else: 0 }};"
            )),
            2 => self.line(&format!("stat(\"degree\", {name}.success ? 1 : 0);")),
            _ => self.line(&format!("{target} += fate({value});")),
        }
        Ok(())
    }

    fn flags(&mut self) -> Result<()> {
        self.define(STATE);
        let name = self.name();
        let (truth, other) = (self.truth(1)?, self.truth(1)?);
        let target = self.int_name()?;
        let begins =
            *self
                .bytes
                .choose(&["prone + stunned", "prone - prone", "stunned + burning"])?;
        self.line(&format!("{name} = {begins};"));
        self.line(&format!("if ({truth}) {{ {name} += burning; }}"));
        self.line(&format!("if ({other}) {{ {name} -= stunned; }}"));
        let asked = *self
            .bytes
            .choose(&["stunned", "burning", "prone + stunned"])?;
        self.line(&format!(
            "if (contains({name}, {asked})) {{ {target} += 2; }}"
        ));
        if self.chance(1, 2)? {
            self.line(&format!("output(\"is \" + {name});"));
        }
        Ok(())
    }

    /// Floats.
    fn halves(&mut self) -> Result<()> {
        let name = self.name();
        let value = self.int(2)?;
        let target = self.int_name()?;
        self.line(&format!("{name} = ({value}) / 2.0;"));
        let line = match self.number(0, 2)? {
            0 => format!("stat(\"half\", {name});"),
            1 => format!("if ({name} > 1.5) {{ {target} += 2; }}"),
            _ => format!("{target} += floor({name} * 1.5);"),
        };
        self.line(&line);
        Ok(())
    }

    /// Lists in a list.
    fn grid(&mut self) -> Result<()> {
        let (grid, row, one) = (self.name(), self.name(), self.name());
        let (first, second) = (self.int(1)?, self.int(1)?);
        let (truth, target) = (self.truth(1)?, self.int_name()?);
        self.line(&format!("{grid} = [[1, {first}], [{second}, 2], [0, 3]];"));
        let line = match self.number(0, 4)? {
            0 => format!("{grid}[1][0] += 1;"),
            1 => format!("if ({truth}) {{ append({grid}[0], 2); }}"),
            2 => format!("sort({row} by {row}[1] for {row} : {grid});"),
            3 => format!("for ({row} : {grid}) {{ if ({row}[0] > 1) {{ {row}[1] = 0; }} }}"),
            _ => format!("{row} = {grid}[1]; {row}[1] = {first};"),
        };
        self.line(&line);
        let line = match self.number(0, 3)? {
            0 => format!("{target} += sum(sum({row}) for {row} : {grid});"),
            1 => format!("{target} += {grid}[0][1] * 3 + {grid}[1][0];"),
            2 => format!("{target} += sum({row}[0] * len({row}) for {row} : {grid});"),
            _ => {
                format!("{target} += count(any({one} == 2 for {one} : {row}) for {row} : {grid});")
            }
        };
        self.line(&line);
        Ok(())
    }
}
