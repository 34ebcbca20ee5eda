//! Calls of functions. A function becomes one function of the script for each combination of
//! kinds of its arguments, of dice that it takes as they are, and of the global variables that it
//! reads.

use super::code::{Code, Level};
use super::operators::mixed;
use super::plan::is_unordered;
use super::scope::{Local, Scope, reads};
use super::value::{Dice, List, Value};
use super::{Translator, identifier, untranslated};
use crate::ast::{Expr, Function, Signature, Type, Variable};
use crate::effects::Reads;
use crate::facts::Kinds;
use crate::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The parameter that says how many more calls may be in each other.
const DEPTH: &str = "depth";

/// All that the text of a function depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    function: u32,
    given: Vec<Given>,
    captured: BTreeMap<String, bool>,
    outside: Vec<(Variable, Option<Value>)>,
    lowest_first: bool,
    explode_depth: u64,
    gives_list: bool,
}

/// The argument of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Given {
    Number,
    List,
    Rolled,
    /// Dice that the function takes as they are.
    Dice(Dice),
}

/// The arguments of a call.
#[derive(Debug, Default)]
struct Arguments {
    given: Vec<Given>,
    passed: Vec<Code>,
    captured: BTreeMap<String, bool>,
    is_die: bool,
    /// Whether it depends on outcomes if the result is a die.
    is_mixed: bool,
}

impl Translator<'_> {
    /// A call.
    pub(super) fn call(
        &mut self,
        signature: Signature,
        arguments: &[Expr],
        call: &Expr,
    ) -> Result<Value, Failure> {
        if self.facts.is_cut(call) {
            let message = "functions call each other deeper than the setting allows here";
            let help = "such a call is the empty die: a script has it only as a term of a sum, \
                        where it is 0";
            return Err(untranslated(call.span, message, help).into());
        }
        match self.functions.get(&signature.0).cloned() {
            Some(function) => self.user_call(&function, arguments, call),
            None => self.library_call(signature, arguments, call),
        }
    }

    /// A term of a sum that is 0 if it is too deep.
    pub(super) fn cut_call(
        &mut self,
        signature: Signature,
        arguments: &[Expr],
        call: &Expr,
    ) -> Result<Value, Failure> {
        let Some(function) = self.functions.get(&signature.0).cloned() else {
            return self.library_call(signature, arguments, call);
        };
        let value = self.user_call(&function, arguments, call)?;
        if matches!(value, Value::Sequence(_)) {
            return Err(mixed(call).into());
        }
        let total = value.total().int();
        let text = format!("{DEPTH} > 0 ? {} : 0", total.within(Level::Or));
        let code = Code::choice(text, &[&total, &Code::local(DEPTH)]);
        Ok(match value {
            Value::Dice(_) => Value::Dice(Dice::single(code)),
            _ => Value::Rolled(code),
        })
    }

    fn user_call(
        &mut self,
        function: &Arc<Function>,
        arguments: &[Expr],
        call: &Expr,
    ) -> Result<Value, Failure> {
        let mut all = Arguments::default();
        for (argument, parameter) in arguments.iter().zip(&function.parameters) {
            let value = self.value(argument)?;
            let variable = parameter.variable;
            // Those that the program defines anew may ask for the order.
            let is_unordered = is_unordered(function, variable, self.names, self.facts)
                && !self.redefines_library();
            self.argument((parameter.of, is_unordered), value, argument, &mut all)?;
        }
        let (effects, _) = self.effects.of(&self.functions, function.signature.0);
        self.hold_apart(function, &effects, &all, call)?;
        let results = self.facts.results(function);
        let gives_list = !all.is_die && results.sequence;
        if gives_list && (results.number || results.dice || all.is_mixed) {
            let message = "this function gives a sequence in one call and a number or dice in \
                           another";
            let help = "use two functions";
            return Err(untranslated(call.span, message, help).into());
        }
        let name = self.instance(function, &effects, &all, gives_list, call)?;
        let mut passed = all.passed;
        passed.extend(all.captured.keys().map(|name| Code::local(name)));
        if self.facts.has_cuts() {
            passed.push(match self.scope {
                Some(_) => Code::binary(Level::Sum, "-", &Code::local(DEPTH), &Code::number(1)),
                None => Code::number(self.settings.function_depth as i64 - 1),
            });
        }
        let code = Code::call(&name, &passed.iter().collect::<Vec<_>>());
        Ok(match (all.is_die, gives_list) {
            (true, _) => Value::Dice(Dice::single(code)),
            (_, true) => Value::Sequence(List::Code(code)),
            _ if results.number && !results.dice && !all.is_mixed => Value::Number(code),
            _ => Value::Rolled(code),
        })
    }

    /// Functions see the variables of their callers, and calls of one expansion those of the
    /// others; scripts have neither.
    fn hold_apart(
        &self,
        function: &Function,
        effects: &Reads,
        all: &Arguments,
        call: &Expr,
    ) -> Result<(), Failure> {
        if effects.shares && (all.is_die || all.is_mixed) {
            let message = "the calls for the results of these dice share a variable: one call \
                           reads it as another one left it";
            let help = "give the variable a value at the beginning of the function";
            return Err(untranslated(call.span, message, help)
                .label(function.span, "the function")
                .into());
        }
        let Some(scope) = &self.scope else {
            return Ok(());
        };
        let seen = effects.outside.iter();
        let mut seen = seen.filter(|one| scope.locals.contains_key(one));
        if let Some(variable) = seen.next() {
            let name = self.names.of(*variable);
            let message = format!("the function reads {name} of the function that calls it");
            let help = format!("give it to the function as a parameter: {name}:n");
            return Err(untranslated(call.span, &message, &help).into());
        }
        Ok(())
    }

    /// Whether the program has functions of its own with names of the library that take sequences.
    fn redefines_library(&self) -> bool {
        self.functions.values().any(|function| {
            let name = self.names.signature_of(function.signature);
            matches!(name, "count ? in ?" | "? contains ?")
        })
    }

    /// An argument by the type of its parameter, and whether the order of a sequence matters.
    fn argument(
        &mut self,
        (of, is_unordered): (Type, bool),
        value: Value,
        argument: &Expr,
        all: &mut Arguments,
    ) -> Result<(), Failure> {
        let (given, passed) = match (of, value) {
            (Type::Number, value) => {
                all.is_die |= matches!(value, Value::Dice(_) | Value::Sequence(_));
                all.is_mixed |= matches!(value, Value::Rolled(_));
                (Given::Number, value.total().int())
            }
            (Type::Sequence | Type::Any, Value::Sequence(list)) => (Given::List, list.code()),
            (Type::Sequence, Value::Dice(dice)) => {
                all.is_die = true;
                let list = match is_unordered {
                    true => dice.faces(),
                    false => dice.sequence(self.settings.lowest_first),
                };
                let list = list.ok_or_else(|| super::operators::several(argument))?;
                (Given::List, list)
            }
            (Type::Sequence, value) => {
                all.is_mixed |= matches!(value, Value::Rolled(_));
                let total = value.total().int();
                (
                    Given::List,
                    Code::atom(format!("[{},]", total.text()), &[&total]),
                )
            }
            (Type::Any, Value::Number(code)) => (Given::Number, code.int()),
            (Type::Any | Type::Dice, Value::Rolled(code)) => (Given::Rolled, code.int()),
            (Type::Any | Type::Dice, Value::Dice(dice)) => {
                return self.taken(dice, argument, all);
            }
            (Type::Dice, value) => {
                return self.taken(Dice::single(value.total()), argument, all);
            }
        };
        all.given.push(given);
        all.passed.push(passed);
        Ok(())
    }

    /// Dice that a function takes as they are; it gets the variables that their expression reads.
    fn taken(&mut self, dice: Dice, argument: &Expr, all: &mut Arguments) -> Result<(), Failure> {
        if dice.total().is_rolled() {
            if !dice.is_single() {
                return Err(mixed(argument).into());
            }
            all.given.push(Given::Rolled);
            all.passed.push(dice.total());
            return Ok(());
        }
        for name in reads(&dice) {
            let is_list = self
                .scope
                .as_ref()
                .is_some_and(|scope| scope.is_list(&name));
            all.captured.insert(name, is_list);
        }
        all.given.push(Given::Dice(dice));
        Ok(())
    }

    /// The name of the function of the script.
    fn instance(
        &mut self,
        function: &Arc<Function>,
        effects: &Rc<Reads>,
        all: &Arguments,
        gives_list: bool,
        call: &Expr,
    ) -> Result<String, Failure> {
        let outside = effects.outside.iter();
        let outside = outside.map(|one| (*one, self.globals[one.0 as usize].clone()));
        let instance = Instance {
            function: function.id,
            given: all.given.clone(),
            captured: all.captured.clone(),
            outside: outside.collect(),
            lowest_first: self.settings.lowest_first,
            explode_depth: self.settings.explode_depth,
            gives_list,
        };
        if let Some(name) = self.instances.get(&instance) {
            return Ok(name.clone());
        }
        let words = self.names.signature_of(function.signature).to_owned();
        let name = self.script.claim(&identifier(&words));
        self.instances.insert(instance, name.clone());
        let mut scope = Scope {
            captured: all.captured.clone(),
            gives_list,
            ..Scope::default()
        };
        let mut parameters = Vec::new();
        let mut kinds = Vec::new();
        // Of equal names, the first one counts.
        let mut named = BTreeSet::new();
        for (place, (parameter, given)) in function.parameters.iter().zip(&all.given).enumerate() {
            let own = self.local_name(parameter.variable);
            let is_first = named.insert(parameter.variable);
            let name = match is_first {
                true => own,
                false => format!("{own}{place}"),
            };
            let mut kind = Kinds::default();
            let (local, of) = match given {
                Given::Number => {
                    kind.number = true;
                    (Local::Number(name.clone()), "int")
                }
                Given::List => {
                    kind.sequence = true;
                    (Local::List(name.clone()), "int list")
                }
                Given::Rolled => {
                    kind.dice = true;
                    kind.number = true;
                    (Local::Rolled(name.clone(), false), "int")
                }
                Given::Dice(dice) => {
                    kind.dice = true;
                    (Local::Dice(dice.clone(), false), "")
                }
            };
            if !of.is_empty() {
                parameters.push(format!("{name}: {of}"));
            }
            if is_first {
                scope.locals.insert(parameter.variable, local);
                kinds.push((parameter.variable, kind));
            }
        }
        self.captured(function, &all.captured, &mut parameters, call)?;
        let outer = self.scope.replace(scope);
        let outside: Vec<Variable> = effects.outside.iter().copied().collect();
        let body = self.body(function, &kinds, &outside);
        self.scope = outer;
        let result = if gives_list { "int list" } else { "int" };
        let parameters = parameters.join(", ");
        let text = format!("deffun {name}({parameters}) : {result} {{\n{}}}", body?);
        self.script.function(&name, text);
        Ok(name)
    }

    /// The parameters for variables of callers, and for the depth.
    fn captured(
        &self,
        function: &Function,
        captured: &BTreeMap<String, bool>,
        parameters: &mut Vec<String>,
        call: &Expr,
    ) -> Result<(), Failure> {
        let mut own = rustc_hash::FxHashSet::default();
        crate::effects::assigned(&function.body, &mut own);
        own.extend(function.parameters.iter().map(|one| one.variable));
        let own: BTreeSet<String> = own.iter().map(|one| self.local_name(*one)).collect();
        for (name, is_list) in captured {
            if name == DEPTH || own.contains(name) {
                let message = format!("these dice read {name}, and the function has a {name}, too");
                let help = "give one of the variables another name";
                return Err(untranslated(call.span, &message, help).into());
            }
            let of = if *is_list { "int list" } else { "int" };
            parameters.push(format!("{name}: {of}"));
        }
        if self.facts.has_cuts() {
            parameters.push(format!("{DEPTH}: int"));
        }
        Ok(())
    }
}
