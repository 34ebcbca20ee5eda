//! The statements of functions.

use super::code::Code;
use super::operators::mixed;
use super::plan::{Assigned, Held, assignments, expressions, is_own};
use super::scope::{Local, Scope};
use super::value::{List, Value};
use super::{Translator, untranslated};
use crate::ast::{Block, Expr, ExprKind, Function, Statement, Variable};
use crate::facts::Kinds;
use crate::failure::Failure;
use indexmap::IndexMap;

/// A function, and the variables that it assigns.
struct Body<'f> {
    function: &'f Function,
    assigned: IndexMap<Variable, Assigned>,
}

impl Translator<'_> {
    /// The statements of a body in the scope of its function. `outside` are variables that it may
    /// read before it assigns them.
    pub(super) fn body(
        &mut self,
        function: &Function,
        given: &[(Variable, Kinds)],
        outside: &[Variable],
    ) -> Result<String, Failure> {
        let assigned = assignments(function, given, self.facts);
        let mut text = String::new();
        let is_given = |variable: &Variable| given.iter().any(|(other, _)| other == variable);
        for (variable, how) in &assigned {
            let is_needed = how.is_nested || outside.contains(variable);
            if is_given(variable) {
                self.parameter(*variable, how.held(), &mut text);
                continue;
            }
            if !is_needed {
                continue;
            }
            let global = self.globals[variable.0 as usize].clone();
            let name = self.local_name(*variable);
            let (local, value) = match (how.held(), global) {
                (Held::Number, Some(Value::Number(code))) => (Local::Number(name.clone()), code),
                (Held::Number, None) => (Local::Number(name.clone()), Code::number(0)),
                (Held::List, Some(Value::Sequence(list))) => {
                    (Local::List(name.clone()), list.code())
                }
                (Held::List, None) => (Local::List(name.clone()), List::Known(Vec::new()).code()),
                (Held::Rolled, None) => (Local::Rolled(name.clone(), false), Code::number(0)),
                (Held::Rolled, Some(value)) if !matches!(value, Value::Sequence(_)) => {
                    (Local::Rolled(name.clone(), false), value.total())
                }
                (Held::Dice, None) => continue,
                _ => return Err(several_kinds(function, self.names.of(*variable)).into()),
            };
            text += &format!("{name} = {};\n", value.int().text());
            self.scope().locals.insert(*variable, local);
        }
        let body = Body { function, assigned };
        let goes_on = self.block(&function.body, &body, false, &mut text)?;
        if goes_on {
            let nothing = if self.scope().gives_list {
                "[0; 0]"
            } else {
                "0"
            };
            text += &format!("return {nothing};\n");
        }
        Ok(text)
    }

    /// A parameter that the function assigns dice to.
    fn parameter(&mut self, variable: Variable, held: Held, text: &mut String) {
        let name = self.local_name(variable);
        if held != Held::Rolled {
            return;
        }
        if let Some(Local::Dice(dice, _)) = self.scope().locals.get(&variable) {
            *text += &format!("{name} = {};\n", dice.total().text());
        }
        let local = Local::Rolled(name, false);
        self.scope().locals.insert(variable, local);
    }

    /// The scope of the function whose body is translated.
    fn scope(&mut self) -> &mut Scope {
        self.scope.get_or_insert_with(Scope::default)
    }

    /// Whether the block can end without a result. What the program never gets to is written only
    /// if it has a translation.
    fn block(
        &mut self,
        block: &Block,
        body: &Body<'_>,
        is_nested: bool,
        text: &mut String,
    ) -> Result<bool, Failure> {
        for statement in block {
            let is_dead = self.is_dead(statement);
            let end = text.len();
            let goes_on = match is_dead && !self.keeps_dead {
                true => Ok(true),
                false => self.statement(statement, body, is_nested, text),
            };
            match goes_on {
                Ok(true) if !is_dead || self.keeps_dead => {}
                Ok(false) => return Ok(false),
                Err(why) if !is_dead => return Err(why),
                _ => {
                    text.truncate(end);
                    *text += "// The program never gets here.\n";
                    return Ok(true);
                }
            }
        }
        Ok(true)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        body: &Body<'_>,
        is_nested: bool,
        text: &mut String,
    ) -> Result<bool, Failure> {
        match statement {
            Statement::Assign(variable, value) => {
                self.assignment(*variable, value, body, is_nested, text)?;
            }
            Statement::If(arms, otherwise) => {
                return self.condition(arms, otherwise.as_ref(), body, text);
            }
            Statement::Loop(variable, over, inside) => {
                self.iteration(*variable, over, inside, body, text)?;
            }
            Statement::Result(value) => {
                let result = self.value(value)?;
                let code = match (&result, self.scope().gives_list) {
                    (Value::Sequence(list), true) => list.code(),
                    (_, true) => return Err(mixed(value).into()),
                    (_, false) => result.total().int(),
                };
                *text += &format!("return {};\n", code.text());
                return Ok(false);
            }
            Statement::Output(..) | Statement::Set(_) | Statement::Function(_) => {}
        }
        Ok(true)
    }

    /// A block in braces.
    fn inner(
        &mut self,
        block: &Block,
        body: &Body<'_>,
        text: &mut String,
    ) -> Result<bool, Failure> {
        let mut inside = String::new();
        let goes_on = self.block(block, body, true, &mut inside)?;
        *text += &format!("{{\n{inside}}}");
        Ok(goes_on)
    }

    /// Whether the program never gets to a statement.
    fn is_dead(&self, statement: &Statement) -> bool {
        let first = expressions(statement);
        first
            .first()
            .is_some_and(|first| self.facts.of(first).is_none())
    }

    fn assignment(
        &mut self,
        variable: Variable,
        value: &Expr,
        body: &Body<'_>,
        is_nested: bool,
        text: &mut String,
    ) -> Result<(), Failure> {
        let of = self.value(value)?;
        let name = self.local_name(variable);
        let held = body
            .assigned
            .get(&variable)
            .map_or(Held::Mixed, Assigned::held);
        let (local, code) = match (held, of) {
            (Held::Number, Value::Number(code)) => (Local::Number(name.clone()), code.int()),
            (Held::List, Value::Sequence(list)) => (Local::List(name.clone()), list.code()),
            (Held::Dice, Value::Dice(dice)) if !dice.total().is_rolled() => {
                self.scope()
                    .locals
                    .insert(variable, Local::Dice(dice, false));
                return Ok(());
            }
            (Held::Dice, Value::Dice(dice)) if !is_nested => {
                (Local::Rolled(name.clone(), false), dice.total().int())
            }
            (Held::Rolled, of @ (Value::Number(_) | Value::Dice(_) | Value::Rolled(_))) => {
                (Local::Rolled(name.clone(), false), of.total().int())
            }
            (Held::Mixed, _) => {
                return Err(several_kinds(body.function, self.names.of(variable)).into());
            }
            _ => return Err(mixed(value).into()),
        };
        *text += &format!("{name} = {};\n", code.text());
        let scope = self.scope();
        scope.changed(&name);
        scope.locals.insert(variable, local);
        Ok(())
    }

    fn condition(
        &mut self,
        arms: &[(Expr, Block)],
        otherwise: Option<&Block>,
        body: &Body<'_>,
        text: &mut String,
    ) -> Result<bool, Failure> {
        let mut after: Option<Scope> = None;
        let mut join = |end: Scope| match &mut after {
            None => after = Some(end),
            Some(after) => after.join(&end),
        };
        for (place, (condition, block)) in arms.iter().enumerate() {
            let Value::Number(code) = self.value(condition)? else {
                return Err(mixed(condition).into());
            };
            let before = self.scope().clone();
            let word = if place == 0 { "if" } else { " else if" };
            *text += &format!("{word} ({}) ", code.truth().text());
            if self.inner(block, body, text)? {
                join(self.scope().clone());
            }
            *self.scope() = before;
        }
        let goes_on = match otherwise {
            Some(block) => {
                *text += " else ";
                self.inner(block, body, text)?
            }
            None => true,
        };
        if goes_on {
            join(self.scope().clone());
        }
        *text += "\n";
        let is_over = after.is_none();
        if let Some(after) = after {
            *self.scope() = after;
        }
        Ok(!is_over)
    }

    fn iteration(
        &mut self,
        variable: Variable,
        over: &Expr,
        inside: &Block,
        body: &Body<'_>,
        text: &mut String,
    ) -> Result<(), Failure> {
        let range = self.range(over)?;
        let name = self.local_name(variable);
        let is_own = is_own(body.function, variable);
        let held = body.assigned.get(&variable).map(Assigned::held);
        if held.is_some_and(|held| held != Held::Number) {
            return Err(several_kinds(body.function, self.names.of(variable)).into());
        }
        let counter = match is_own {
            true => name.clone(),
            false => self.script.claim(&format!("next{name}")),
        };
        // What changes in one iteration has changed in the next.
        let mut changed = rustc_hash::FxHashSet::default();
        crate::effects::assigned(inside, &mut changed);
        let before = self.scope().clone();
        for other in changed.iter().chain([&variable]) {
            let name = self.local_name(*other);
            self.scope().changed(&name);
        }
        let mut block = String::new();
        for _ in 0..2 {
            block.clear();
            if !is_own {
                block += &format!("{name} = {counter};\n");
            }
            self.scope()
                .locals
                .insert(variable, Local::Number(name.clone()));
            let mut statements = String::new();
            self.block(inside, body, true, &mut statements)?;
            block += &statements;
            self.scope().join(&before);
        }
        if is_own {
            self.scope().locals.remove(&variable);
        }
        *text += &format!("for ({counter} : {range}) {{\n{block}}}\n");
        Ok(())
    }

    /// The numbers of a loop.
    fn range(&mut self, over: &Expr) -> Result<String, Failure> {
        if let ExprKind::Sequence(parts) = &over.kind
            && let [part] = parts.as_slice()
            && let (Some(to), None) = (&part.to, &part.times)
        {
            let (from, to) = (self.number(&part.from)?, self.number(to)?);
            let sum = super::code::Level::Sum;
            return Ok(format!("{}..{}", from.within(sum), to.within(sum)));
        }
        match self.value(over)? {
            Value::Sequence(list) => Ok(list.code().text().to_owned()),
            _ => Err(mixed(over).into()),
        }
    }

    /// The name of a local variable.
    pub(super) fn local_name(&self, variable: Variable) -> String {
        super::script::legal(self.names.of(variable))
    }
}

fn several_kinds(function: &Function, name: &str) -> dicec_lang::syntax::Diagnostic {
    let message = format!(
        "{name} is a number in one place of this function and a sequence or dice in another"
    );
    let help = "use a variable for each";
    untranslated(function.span, &message, help)
}
