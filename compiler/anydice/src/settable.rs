//! The variables whose values can be given from outside: those that an assignment outside of
//! functions and loops would have given, or nothing at all. Loops and calls give theirs each time.

use crate::ast::{Block, Names, Statement, Variable};
use crate::effects;
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

/// These variables, in the order of the text.
pub(crate) fn settable(program: &Block, names: &Names) -> IndexSet<Variable> {
    let mut found = Found::default();
    found.block(program);
    let all = (0..names.variables()).map(|place| Variable(place as u32));
    let is_settable = |it: &Variable| {
        !found.looped.contains(it) && (found.global.contains(it) || !found.local.contains(it))
    };
    all.filter(is_settable).collect()
}

/// The variables that get values, by the statements that give them.
#[derive(Default)]
struct Found {
    global: FxHashSet<Variable>,
    looped: FxHashSet<Variable>,
    /// Parameters, and those that a function assigns.
    local: FxHashSet<Variable>,
}

impl Found {
    fn block(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Assign(variable, _) => {
                    self.global.insert(*variable);
                }
                Statement::If(arms, otherwise) => {
                    arms.iter().for_each(|(_, block)| self.block(block));
                    otherwise.iter().for_each(|block| self.block(block));
                }
                Statement::Loop(variable, _, body) => {
                    self.looped.insert(*variable);
                    self.block(body);
                }
                Statement::Function(function) => {
                    let parameters = function.parameters.iter();
                    self.local.extend(parameters.map(|one| one.variable));
                    effects::assigned(&function.body, &mut self.local);
                }
                Statement::Output(..) | Statement::Set(_) | Statement::Result(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;
    use dicec_lang::syntax::SourceLimits;

    #[test]
    fn variables_of_loops_and_functions_are_not_settable() {
        for (text, names) in [
            ("N: 3 output Nd6", &["N"][..]),
            // It has no value yet.
            ("output Nd6", &["N"]),
            ("if 1 { N: 3 } output Nd6", &["N"]),
            ("loop N over {1..3} { output Nd6 }", &[]),
            ("N: 3 loop N over {1..3} { } output Nd6", &[]),
            (
                "function: f N:n { M: N result: M + T } output [f T]",
                &["T"],
            ),
            ("N: 3 function: f N:n { result: N } output [f N]", &["N"]),
        ] {
            let program = Program::parse(text, SourceLimits::default()).expect("a good program");
            assert_eq!(program.settable(), names, "{text}");
        }
    }
}
