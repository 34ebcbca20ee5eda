//! A compiled rule or script, and the rolls that it defines.

use super::cache::Cache;
use super::describe::{self, Description};
use super::limits::Limits;
use super::no_such_roll::NoSuchRoll;
use crate::answer::Condition;
use dicec_exact::KeptPlans;
use dicec_lang::front::frame::Frame;
use dicec_lang::front::notation::{self, Ast, Dialect};
use dicec_lang::front::script::{format, format_rule};
use dicec_lang::hir::{
    Data, Function, FunctionId, Kind, Module, Offers, Parts, RecordType, ResourceUse, RollDef, Type,
};
use dicec_lang::syntax::{Diagnostics, Sources};
use dicec_native::pass::Switches;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::resource::ResourceName;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A compiled rule or script. Clones share what was compiled.
///
/// It holds neither resources nor arguments: [`Roll::bind`] gives a roll its own.
#[derive(Clone)]
pub struct Program(Arc<Inner>);

struct Inner {
    sources: Sources,
    /// How a rule is written; a script has none of its own here.
    rule: Option<Written>,
    hir: Arc<Module>,
    limits: Limits,
    notes: Diagnostics,
    switches: Switches,
    cache: Cache,
    kept_plans: KeptPlans,
    /// The rule without its clamps at 0, if it has any; made when it is first asked for.
    unclamped: OnceLock<Option<Program>>,
    /// The condition that the answers about a roll are given, with the index of the roll.
    condition: Option<(usize, Arc<Condition>)>,
}

/// A rule's text.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) text: Arc<str>,
    pub(super) dialect: Dialect,
    /// Its syntax tree, if it is a single roll; a compound rule is a tree of a script.
    pub(super) ast: Option<Ast>,
}

/// A roll that a program defines. A rule has one, without parameters.
#[derive(Clone, Debug)]
pub struct Roll {
    program: Program,
    /// Its index among the rolls of the program.
    index: usize,
}

impl Program {
    pub(super) fn new(
        sources: Sources,
        rule: Option<Written>,
        hir: Module,
        limits: Limits,
        notes: Diagnostics,
    ) -> Self {
        Self(Arc::new(Inner {
            sources,
            rule,
            hir: Arc::new(hir),
            limits,
            notes,
            switches: Switches::default(),
            cache: Cache::default(),
            kept_plans: KeptPlans::default(),
            unclamped: OnceLock::new(),
            condition: None,
        }))
    }

    /// The same program, which these passes compile.
    #[doc(hidden)]
    pub fn with_switches(&self, switches: Switches) -> Self {
        self.changed(switches, self.0.condition.clone())
    }

    fn changed(&self, switches: Switches, condition: Option<(usize, Arc<Condition>)>) -> Self {
        Self(Arc::new(Inner {
            sources: self.0.sources.clone(),
            rule: self.0.rule.clone(),
            hir: Arc::clone(&self.0.hir),
            limits: self.0.limits,
            notes: self.0.notes.clone(),
            switches,
            cache: Cache::default(),
            kept_plans: KeptPlans::default(),
            unclamped: OnceLock::new(),
            condition,
        }))
    }

    /// The condition that the answers about a roll are given.
    pub(super) fn condition(&self, roll: usize) -> Option<Arc<Condition>> {
        let (of, condition) = self.0.condition.as_ref()?;
        (*of == roll).then(|| Arc::clone(condition))
    }

    /// The passes that compile it.
    pub(super) fn switches(&self) -> Switches {
        self.0.switches
    }

    /// Its rolls, in written order.
    pub fn rolls(&self) -> impl Iterator<Item = Roll> + '_ {
        let count = self.0.hir.rolls.len();
        (0..count).map(|index| self.nth(index))
    }

    /// The roll of this name.
    pub fn roll(&self, name: &str) -> Option<Roll> {
        self.rolls().find(|roll| roll.name() == name)
    }

    /// The only roll: that of a rule, or of a script that defines one; `None` for other scripts.
    pub fn only_roll(&self) -> Option<Roll> {
        let mut rolls = self.rolls();
        rolls.next().filter(|_| rolls.next().is_none())
    }

    /// The roll of this name, or without one the only roll.
    ///
    /// # Errors
    /// There is none of that name, or there are several and none is named.
    pub fn roll_or_only(&self, name: Option<&str>) -> Result<Roll, NoSuchRoll> {
        let names = || self.rolls().map(|roll| roll.name().to_owned()).collect();
        let mut rolls = self.rolls();
        match (name, rolls.next(), rolls.next()) {
            (_, None, _) => Err(NoSuchRoll::None),
            (None, Some(only), None) => Ok(only),
            (None, Some(_), Some(_)) => Err(NoSuchRoll::Several(names())),
            (Some(name), ..) => self.roll(name).ok_or_else(|| NoSuchRoll::Unknown {
                name: name.to_owned(),
                known: names(),
            }),
        }
    }

    fn nth(&self, index: usize) -> Roll {
        Roll {
            program: self.clone(),
            index,
        }
    }

    /// The kind of result of its only roll; `None` for nothing, and for a script of several rolls.
    pub fn kind(&self) -> Option<Kind> {
        self.only_roll()?.kind()
    }

    /// The text that it was compiled from, followed by those of imported files.
    pub fn text(&self) -> &str {
        match &self.0.rule {
            Some(rule) => &rule.text,
            None => self.0.sources.text(),
        }
    }

    /// What follows a `#` in a rule.
    pub fn comment(&self) -> Option<&str> {
        let rule = self.0.rule.as_ref()?;
        Frame::of(&rule.text).comment
    }

    /// The files that it was compiled from; a rule is one without a name.
    pub fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// The dialect that a rule is written in; `None` for a script.
    pub fn dialect(&self) -> Option<Dialect> {
        self.0.rule.as_ref().map(|rule| rule.dialect)
    }

    /// The program in its normal form: a rule with single spaces and the fewest parentheses, a
    /// script's file in its layout.
    pub fn normal_form(&self) -> String {
        match (&self.0.rule, self.notation()) {
            (_, Some((ast, dialect))) => notation::print(ast, dialect),
            (Some(rule), None) => {
                let limits = self.0.limits.source;
                format_rule(&rule.text, rule.dialect, limits)
                    .unwrap_or_else(|_| rule.text.to_string())
            }
            (None, None) => self.laid_out(self.0.sources.main()),
        }
    }

    /// The normal forms of a rule, or of all files of a script.
    pub(super) fn normal_texts(&self) -> Vec<String> {
        match &self.0.rule {
            Some(_) => vec![self.normal_form()],
            None => self
                .0
                .sources
                .texts()
                .map(|text| self.laid_out(text))
                .collect(),
        }
    }

    /// A file in the layout of `dicec fmt`.
    fn laid_out(&self, text: &str) -> String {
        format(text, self.0.limits.source).unwrap_or_else(|_| text.to_owned())
    }

    /// [`Program::normal_form`], in a rule with implied counts written and percent dice as `d100`:
    /// `1d20` for `d20`, `1d100` for `d%`.
    pub fn normal_form_in_full(&self) -> String {
        match self.notation() {
            Some((ast, dialect)) => notation::print_in_full(ast, dialect),
            None => self.normal_form(),
        }
    }

    /// The results of a rule that is nothing but a die with labels, or the named outcomes of a
    /// compound rule, each once, in written order: its outcomes are their indices. Empty for all
    /// other programs.
    pub fn labels(&self) -> &[String] {
        let hir = &self.0.hir;
        match (hir.rule(), &hir.rolls[..]) {
            (Some(roll), _) => &roll.labels,
            (None, [roll]) if self.is_rule() => match hir.function(roll.function).result {
                Type::Enum(id) => &hir.choice(id).constants,
                _ => &[],
            },
            _ => &[],
        }
    }

    /// The label that an outcome stands for.
    pub fn label(&self, outcome: i64) -> Option<&str> {
        let index = usize::try_from(outcome).ok()?;
        self.labels().get(index).map(String::as_str)
    }

    /// The resources that it reads, in the order of their first mention.
    pub fn resources(&self) -> &[ResourceUse] {
        &self.0.hir.resources
    }

    /// The index of a resource among [`Program::resources`].
    pub(super) fn slot_of(&self, name: &ResourceName) -> Option<usize> {
        self.resources().iter().position(|used| used.name == *name)
    }

    /// The texts of its options, in the order of their first mention. Those that are put together,
    /// with a hole for each part that is not written, may be there more than once.
    pub fn options(&self) -> &[String] {
        &self.0.hir.options
    }

    /// What may be answered to the first option of this text.
    pub fn offers(&self, option: &str) -> Option<&Offers> {
        let place = self.options().iter().position(|text| text == option)?;
        self.0.hir.offers.get(place)
    }

    /// The names of its statistics, each once, in the order of their first mention.
    pub fn stats(&self) -> &[String] {
        &self.0.hir.stats
    }

    /// Notes about the text; none of them is an error.
    pub fn notes(&self) -> &Diagnostics {
        &self.0.notes
    }

    /// The limits that it was compiled with and rolls under.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// What an application needs to know: JSON Schema of each type and of each roll's arguments,
    /// labels, options, statistics and output lines.
    pub fn describe(&self) -> Description {
        describe::describe(&self.0.hir)
    }

    /// The fields of a type: `hp: int`, with a default as JSON: `hp: int = 8`.
    #[doc(hidden)]
    pub fn fields(&self, ty: &RecordType) -> Vec<String> {
        let script = self.hir();
        let fields = ty.fields.iter();
        let shown = fields.map(|field| {
            let held = type_and_default(script, &field.ty, field.default.as_ref());
            format!("{}: {held}", field.name)
        });
        shown.collect()
    }

    /// The typed module.
    #[doc(hidden)]
    pub fn hir(&self) -> &Arc<Module> {
        &self.0.hir
    }

    /// The syntax tree of a rule that is a single roll; `None` for a compound rule and a script.
    #[doc(hidden)]
    pub fn ast(&self) -> Option<&Ast> {
        self.notation().map(|(ast, _)| ast)
    }

    /// The syntax tree and dialect of a rule that is a single roll.
    pub(super) fn notation(&self) -> Option<(&Ast, Dialect)> {
        let rule = self.0.rule.as_ref()?;
        Some((rule.ast.as_ref()?, rule.dialect))
    }

    /// Whether it was written as a rule: a single roll, or a compound rule.
    pub fn is_rule(&self) -> bool {
        self.0.rule.is_some()
    }

    /// Whether a trial is a run of statements, which may roll several times: that of a script or of
    /// a compound rule. All other rules are a single roll.
    pub fn is_script(&self) -> bool {
        self.notation().is_none()
    }

    /// The limits on a trial: those on scripts do not concern a rule.
    pub(super) fn trial_limits(&self) -> ScriptLimits {
        match self.0.rule {
            Some(_) => ScriptLimits::default(),
            None => self.0.limits.script,
        }
    }

    pub(super) fn cache(&self) -> &Cache {
        &self.0.cache
    }

    /// The place of the rule without its clamps at 0; `None` in it if it has none.
    pub(super) fn kept_unclamped(&self) -> &OnceLock<Option<Program>> {
        &self.0.unclamped
    }

    /// What exact answers found out about it.
    pub(super) fn kept_plans(&self) -> &KeptPlans {
        &self.0.kept_plans
    }
}

/// Two are equal if one is a clone of the other.
impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.text()).finish()
    }
}

impl Roll {
    /// The same program, whose exact answers about this roll are given a condition on its result:
    /// one of [`Roll::condition`] for this roll.
    #[must_use]
    pub fn given(&self, condition: Condition) -> Program {
        let condition = Some((self.index, Arc::new(condition)));
        self.program.changed(self.program.switches(), condition)
    }

    /// The program that defines it.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its name; that of a rule's roll is empty.
    pub fn name(&self) -> &str {
        &self.definition().name
    }

    /// What players see; of a rule its text.
    pub fn label(&self) -> &str {
        match &self.program.0.rule {
            Some(rule) => &rule.text,
            None => &self.definition().label,
        }
    }

    /// The kind of its result; `None` for nothing.
    pub fn kind(&self) -> Option<Kind> {
        self.program.hir().kind(self.function_id())
    }

    /// The parts of its result, if that is a record or a text.
    pub fn parts(&self) -> Option<&Parts> {
        self.definition().parts.as_ref()
    }

    /// The names of its results, if they are constants of an enum, in written order, or of the
    /// flags of which they are sets. Empty for all others.
    pub fn labels(&self) -> Arc<[String]> {
        Arc::clone(self.program.hir().labels(self.function_id()).names())
    }

    /// Its parameters: their names, and their types and defaults as scripts write them.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let (script, function) = (self.program.hir(), self.function());
        let params = function.locals.iter().zip(&function.defaults);
        let params = params.map(|(local, default)| {
            let held = type_and_default(script, &local.ty, default.as_ref());
            (local.name.clone(), held)
        });
        params.collect()
    }

    /// Its parameters as scripts write them: `bonus: int, ac: int = 15`.
    pub fn parameter_list(&self) -> String {
        let params = self.parameters();
        let params = params.iter().map(|(name, ty)| format!("{name}: {ty}"));
        params.collect::<Vec<_>>().join(", ")
    }

    /// Arguments that are the defaults of their parameters, or else 0, false, empty, or records of
    /// these.
    pub fn zeros(&self) -> Vec<Data> {
        let (script, function) = (self.program.hir(), self.function());
        let params = function.locals.iter().zip(&function.defaults);
        let zeros = params.map(|(local, default)| {
            let default = default.clone();
            default.unwrap_or_else(|| script.zero(&local.ty))
        });
        zeros.collect()
    }

    fn definition(&self) -> &RollDef {
        &self.program.hir().rolls[self.index]
    }

    /// Its body.
    pub(super) fn function_id(&self) -> FunctionId {
        self.definition().function
    }

    pub(super) fn function(&self) -> &Function {
        self.program.hir().function(self.function_id())
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }
}

/// A type and a default, as scripts write them.
fn type_and_default(script: &Module, ty: &Type, default: Option<&Data>) -> String {
    let name = script.type_name(ty);
    match default {
        Some(data) => format!("{name} = {}", describe::known(script, ty, data)),
        None => name,
    }
}

/// Two are equal if they are the same roll of the same program.
impl PartialEq for Roll {
    fn eq(&self, other: &Self) -> bool {
        self.program == other.program && self.index == other.index
    }
}
