//! Boards in generated scripts: lists of lists, with a piece that moves on them.

use super::{Ty, Writer};
use arbitrary::Result;

impl Writer<'_, '_> {
    /// A board of two rows and three columns, a piece that moves, and what it finds.
    pub(super) fn board(&mut self) -> Result<()> {
        let [board, x, y, found] = [(); 4].map(|()| self.new_name());
        let made = match self.bytes.int_in_range(0..=3)? {
            0 => "MAP".to_owned(),
            1 => "[[0; 3]; 2]".to_owned(),
            2 => format!("[[1, 2, 3], [{}, 5, 6]]", self.int(1)?),
            _ => "[[7, 2, 3], [4, 9]]".to_owned(),
        };
        let changes = made != "MAP";
        self.line(&format!("{board} = {made};"));
        self.line(&format!("{x} = 0; {y} = 0; {found} = 0;"));
        let moves = self.bytes.int_in_range(1..=4)?;
        self.line(&format!("repeat ({moves}) {{"));
        for _ in 0..self.bytes.int_in_range(2..=4)? {
            let line = match self.bytes.int_in_range(0..=9)? {
                0 | 1 => format!("if ({x} < 2) {{ {x}++; }} else if ({y} < 1) {{ {y}++; }}"),
                2 => format!("{x} = ({x} + roll(d3)) % 3;"),
                3 => format!("{y} = roll(d2) - 1;"),
                4 => format!("if ({}) {{ {y} = 1 - {y}; }}", self.truth(1)?),
                5 if changes => format!("{board}[{y}][{x}] = {};", self.int(1)?),
                6 if changes => format!("{board}[{y}][{x}]++;"),
                7 => format!("{found} += sum({board}[{y}]);"),
                8 => format!("{found} -= {board}[1 - {y}][0];"),
                _ => format!("{found} += {board}[{y}][{x}];"),
            };
            self.line(&line);
        }
        self.line("}");
        self.scope.push((found, Ty::Int));
        Ok(())
    }
}
