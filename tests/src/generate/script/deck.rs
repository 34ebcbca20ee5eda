//! Decks in generated scripts: lists of known numbers, of which a few are drawn.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A deck, and what is drawn from it and put into it.
    pub(super) fn deck(&mut self) -> Result<()> {
        let (deck, drawn, index) = (self.new_name(), self.new_name(), self.new_name());
        let filled = match self.bytes.int_in_range(0..=4)? {
            0 => "[5, -2, 5, 17, 8, 1]".to_owned(),
            1 => format!("[7; 3] + [2; 3] + [{}, 9]", self.int(1)?),
            2 => format!("[{index} * 3 for {index} : -1..5]"),
            3 => format!("[{index} % 4 for {index} : 0..7]"),
            _ => format!("[{index} for {index} : 1..8]"),
        };
        self.line(&format!("{deck} = {filled};"));
        self.line(&format!("{drawn} = 0;"));
        if self.bytes.ratio(1, 3)? {
            self.draws(&deck, &drawn)?;
        }
        for _ in 0..self.bytes.int_in_range(2..=5)? {
            let line = match self.bytes.int_in_range(0..=9)? {
                0 => format!("insert({deck}, {}, {});", self.small_index()?, self.int(1)?),
                1 => format!("{deck}[{}] = {};", self.small_index()?, self.int(1)?),
                2 => format!("append({deck}, {drawn});"),
                3 => format!("{drawn} += remove({deck}, {});", self.small_index()?),
                4 | 5 => format!("if ({}) {{ {drawn} += draw({deck}); }}", self.truth(1)?),
                6 => format!("{drawn} -= {deck}[{}];", self.small_index()?),
                _ => format!("{drawn} = {drawn} * 3 + draw({deck});"),
            };
            self.line(&line);
        }
        self.scope.push((deck, Ty::Ints));
        self.scope.push((drawn, Ty::Int));
        Ok(())
    }

    /// Draws in a loop: a number of times, or until a sum is reached.
    fn draws(&mut self, deck: &str, drawn: &str) -> Result<()> {
        let most = self.bytes.int_in_range(2..=6)?;
        let head = match self.bytes.arbitrary()? {
            true => format!("repeat ({most}) {{"),
            false => format!("while ({drawn} < {most} && len({deck}) > 2) {{"),
        };
        self.line(&head);
        let line = match self.bytes.int_in_range(0..=3)? {
            0 => format!("{drawn} += draw({deck}); append({deck}, {drawn} + 1);"),
            1 => format!("if ({}) {{ {drawn} += draw({deck}); }}", self.truth(1)?),
            2 => format!("{drawn} += draw({deck}) + {deck}[0];"),
            _ => format!("{drawn} += draw({deck}) + 1;"),
        };
        self.line(&line);
        self.line("}");
        Ok(())
    }
}
