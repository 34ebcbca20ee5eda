//! Lists that grow under conditions, in loops.

use super::{List, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A list that begins empty and grows in a loop under a condition; often it is summed up next.
    pub(super) fn grown_list(&mut self) -> Result<()> {
        if self.depth > 1 {
            return self.new_number();
        }
        let list = self.name();
        let times = self.number(2, 3)?;
        let begins = *self.bytes.choose(&["[]", "[]", "[]", "[2, 5]", "[1,]"])?;
        self.line(&format!("{list} = {begins};"));
        let one = self.name();
        let head = match self.number(0, 2)? {
            0 => format!("for ({one} : 1..{times}) {{"),
            1 => {
                self.line(&format!("{one} = 0;"));
                format!("while ({one} < {times}) {{ {one}++;")
            }
            _ => {
                self.line(&format!("{one} = 3;"));
                format!("repeat ({times}) {{")
            }
        };
        self.line(&head);
        self.times *= times;
        let rolled = self.rolled()?;
        self.times /= times;
        let x = self.name();
        self.line(&format!("{x} = {rolled};"));
        let grow = self.growth(&list, &x, &one)?;
        self.line(&grow);
        self.line("}");
        self.lists.push(List {
            name: list.clone(),
            least: 0,
        });
        self.summed(&list)
    }

    /// Appends under a condition.
    fn growth(&mut self, list: &str, x: &str, one: &str) -> Result<String> {
        let (op, value) = (self.comparison()?, self.number(1, 3)?);
        let inner = self.name();
        let put = match self.number(0, 3)? {
            0 => format!("insert({list}, 0, {x});"),
            1 => format!("append({list}, {x} + {one});"),
            _ => format!("append({list}, {x});"),
        };
        Ok(match self.number(0, 7)? {
            0 => format!("if ({x} {op} {value}) {{ {put} }}"),
            1 => format!("if ({x} {op} {value}) {{ {put} }} else {{ append({list}, 1); }}"),
            2 => format!("if ({x} {op} {value}) {{ continue; }} {put}"),
            3 => format!("{put} if ({x} {op} {value}) {{ break; }}"),
            4 => format!("for ({inner} : [1, 2]) {{ if ({x} > {inner}) {{ {put} }} }}"),
            5 => format!("repeat ({x}) {{ {put} }}"),
            6 => format!("if (len({list}) < {value} && {x} > 1) {{ {put} }}"),
            _ => format!("if (!contains({list}, {x})) {{ {put} }}"),
        })
    }

    fn summed(&mut self, list: &str) -> Result<()> {
        let (one, target) = (self.name(), self.int_name()?);
        let line = match self.number(0, 5)? {
            0 => format!("for ({one} : {list}) {{ {target} += {one}; }}"),
            1 => format!("{target} += len({list});"),
            2 => format!("for ({one} : {list}) {{ {target} = {target} * 3 + {one}; }}"),
            3 => format!("{target} += sum({list});"),
            4 => format!("for ({one} : 0..len({list}) - 1) {{ {target} += {list}[{one}]; }}"),
            _ => return Ok(()),
        };
        self.line(&line);
        Ok(())
    }
}
