//! A module: the types, functions and rolls of a rule or a script.

use super::data::{list_cost, record_cost};
use super::walk::each_expr;
use super::{
    Block, ConstantId, Data, DiceTypes, EnumId, EnumType, Expr, ExprKind, Field, Float, FunctionId,
    Kind, Labels, Match, Offers, Parts, RecordType, Roll, StatId, StatName, Stmt, StmtKind, TEST,
    Type, TypeId, each_stmt,
};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// A resource that a module reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// Which one.
    pub name: ResourceName,
    /// Where it is first named.
    pub span: Span,
}

/// A function, or the body of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many of [`Function::locals`], the first ones, are parameters.
    pub params: usize,
    /// The default of each parameter. Calls have them written out; arguments may leave out a
    /// parameter that has one.
    pub defaults: Vec<Option<Data>>,
    /// Its variables; two of the same name in different blocks are two variables.
    pub locals: Vec<Local>,
    /// Its result type. A function with a result returns one on every path.
    pub result: Type,
    /// Its body.
    pub body: Block,
    /// Whether it, or a function that it calls, rolls dice or asks for an option.
    pub rolls: bool,
    /// Whether it is a table, which returns a row for its argument. If there is none for it, it
    /// traps as a list without the element that is wanted, where its name is defined.
    pub is_table: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is first named.
    pub span: Span,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollDef {
    /// Its label for players.
    pub label: String,
    /// Its name.
    pub name: String,
    /// Its body; returns nothing, a number, a truth value or a degree.
    pub function: FunctionId,
    /// The parts of its result, if that is a record or a text. Set by [`crate::check`].
    pub parts: Option<Parts>,
    /// Where it is defined.
    pub span: Span,
}

/// A constant that is a record or a list. Nothing changes it, so all mentions share it. Constants
/// that are numbers, truth values or texts are substituted where they are mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Data,
    /// Its type; each mention has its own type for the elements of empty lists.
    pub ty: Type,
    /// Where it is defined.
    pub span: Span,
}

/// A rule or a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Its types.
    pub types: Vec<RecordType>,
    /// The types of dice values, if the module has any.
    pub dice: Option<DiceTypes>,
    /// Its enums and flags.
    pub enums: Vec<EnumType>,
    /// Its constants that are records or lists.
    pub constants: Vec<Constant>,
    /// Its functions, the bodies of its rolls among them.
    pub functions: Vec<Function>,
    /// Its rolls, in written order.
    pub rolls: Vec<RollDef>,
    /// The resources that it reads, each once.
    pub resources: Vec<ResourceUse>,
    /// The known names of its statistics, each once, in order of first mention.
    pub stats: Vec<String>,
    /// The statistics of floats, whose notes are keys. Set by [`crate::check`].
    pub float_stats: Vec<StatId>,
    /// Whether statistics with joined names have floats: then all do. Set by [`crate::check`].
    pub named_floats: bool,
    /// The texts of its options, in order of first mention. One that is joined is identified by its
    /// template, which another option may share.
    pub options: Vec<String>,
    /// The possible answers to each of them.
    pub offers: Vec<Offers>,
    /// Whether a check that is used as a number is 1 or 0: in compound rules, but not in scripts.
    pub counts_checks: bool,
    /// The names of the fields that are read and written, and of constants of enums, each once,
    /// until [`crate::check`] knows what they belong to: until then, the fields in expressions and
    /// places are indices in here. Empty in a checked module.
    pub field_names: Vec<String>,
    /// The `match`es that [`crate::check`] has to verify. Empty in a checked module.
    pub matches: Vec<Match>,
}

impl Module {
    /// Whether any number is clamped, as the rule book's dialect clamps the results of rules.
    pub fn clamps(&self) -> bool {
        let mut clamps = false;
        for function in &self.functions {
            each_expr(&function.body, &mut |expr| {
                clamps |= matches!(expr.kind, ExprKind::AtLeast(..));
            });
        }
        clamps
    }

    /// The location at which a function clamps its result at the end, if it does.
    pub fn last_clamp(&self, function: FunctionId) -> Option<Span> {
        let function = self.functions.get(function.index())?;
        match &function.body.last()?.kind {
            StmtKind::Return(Some(value)) => {
                matches!(value.kind, ExprKind::AtLeast(..)).then_some(value.span)
            }
            _ => None,
        }
    }

    /// The roll of this name.
    pub fn roll(&self, name: &str) -> Option<&RollDef> {
        self.rolls.iter().find(|roll| roll.name == name)
    }

    /// The module of one rule: an unnamed roll without parameters, whose body is this roll.
    pub fn of_rule(resources: Vec<ResourceUse>, roll: Roll) -> Self {
        let span = roll.body.span;
        let body = Expr::new(ExprKind::Roll(Box::new(roll)), span);
        let kind = StmtKind::Return(Some(body));
        let function = Function {
            name: String::new(),
            params: 0,
            defaults: Vec::new(),
            locals: Vec::new(),
            result: Type::Unknown,
            body: vec![Stmt { kind, span }],
            rolls: true,
            is_table: false,
            span,
        };
        Self {
            functions: vec![function],
            rolls: vec![RollDef {
                label: String::new(),
                name: String::new(),
                function: FunctionId(0),
                parts: None,
                span,
            }],
            resources,
            ..Self::default()
        }
    }

    /// The roll of a rule: `None` for a script.
    pub fn rule(&self) -> Option<&Roll> {
        let [function] = &self.functions[..] else {
            return None;
        };
        match &function.body[..] {
            [
                Stmt {
                    kind: StmtKind::Return(Some(value)),
                    ..
                },
            ] if function.name.is_empty() => match &value.kind {
                ExprKind::Roll(roll) => Some(roll),
                _ => None,
            },
            _ => None,
        }
    }

    /// The names of a function's results: the labels of a rule that is only a die with labels, in
    /// written order, or the constants of an enum or flags. All others have none.
    pub fn labels(&self, id: FunctionId) -> Labels {
        match self.rule() {
            Some(roll) => Labels::Each(Arc::clone(&roll.labels)),
            None => self.labels_of_type(&self.function(id).result),
        }
    }

    /// The names of the values of a type: the constants of an enum or flags.
    pub fn labels_of_type(&self, ty: &Type) -> Labels {
        match ty {
            Type::Enum(id) => Labels::Each(Arc::clone(&self.choice(*id).constants)),
            Type::Flags(id) => Labels::Sets(Arc::clone(&self.choice(*id).constants)),
            _ => Labels::default(),
        }
    }

    /// The function whose results are those of a roll with this body: another one if the body only
    /// notes the parts of the result.
    pub fn returning(&self, body: FunctionId) -> FunctionId {
        let roll = self.rolls.iter().find(|roll| roll.function == body);
        let parts = roll.and_then(|roll| roll.parts.as_ref());
        parts.map_or(body, |parts| parts.function)
    }

    /// The parts of the result of a roll whose parts this function returns.
    pub fn parts_of(&self, id: FunctionId) -> Option<&Parts> {
        let mut parts = self.rolls.iter().filter_map(|roll| roll.parts.as_ref());
        parts.find(|parts| parts.function == id)
    }

    /// The kind of a function's result; `None` for no result.
    pub fn kind(&self, id: FunctionId) -> Option<Kind> {
        self.kind_of_type(&self.function(id).result)
    }

    /// The kind of results of a type; `None` for those that are no single result.
    pub fn kind_of_type(&self, ty: &Type) -> Option<Kind> {
        match *ty {
            Type::Int => Some(Kind::Number),
            Type::Float => Some(Kind::Float),
            Type::Bool => Some(Kind::Check),
            Type::Degree(ladder) => Some(Kind::Degree(ladder)),
            Type::Test => Some(Kind::Test),
            Type::Enum(id) => {
                let success = self.choice(id).success;
                Some(success.map_or(Kind::Label, Kind::Level))
            }
            Type::Text | Type::Flags(_) => Some(Kind::Label),
            Type::Unknown | Type::Unit | Type::List(_) | Type::Record(_) => None,
        }
    }

    /// The kind of a statistic's numbers.
    pub fn stat_kind(&self, stat: StatId) -> Kind {
        match self.float_stats.contains(&stat) {
            true => Kind::Float,
            false => Kind::Number,
        }
    }

    /// Whether the names of some statistics are put together.
    pub fn has_named_stats(&self) -> bool {
        let mut has = false;
        for function in &self.functions {
            each_stmt(&function.body, &mut |stmt| {
                has |= matches!(stmt.kind, StmtKind::Stat(StatName::Text(_), _));
            });
        }
        has
    }

    /// The kind of the numbers of statistics with joined names.
    pub fn named_stat_kind(&self) -> Kind {
        match self.named_floats {
            true => Kind::Float,
            false => Kind::Number,
        }
    }

    /// The fuel for making a record of this type, besides that of its values.
    pub fn record_cost(&self, id: TypeId) -> u64 {
        match self.record(id) {
            ty if ty.is_opaque() => 0,
            ty => record_cost(ty.fields.len()),
        }
    }

    /// The fuel for making a list of this type, besides that of its values.
    pub fn list_cost(&self, list: &Type, elements: usize) -> u64 {
        match self.is_terms(list) {
            true => 0,
            false => list_cost(elements),
        }
    }

    /// The fuel for an iteration of a loop over a list of this type.
    pub fn iteration_cost(&self, list: &Type) -> u64 {
        u64::from(!self.is_terms(list))
    }

    /// Whether it is the type of the terms of dice that are a value.
    fn is_terms(&self, list: &Type) -> bool {
        let Type::List(element) = list else {
            return false;
        };
        self.dice
            .is_some_and(|types| **element == Type::Record(types.term))
    }

    /// The types of dice that are values, if this is the type of such dice.
    pub fn dice_types(&self, ty: &Type) -> Option<DiceTypes> {
        self.dice.filter(|types| *ty == Type::Record(types.dice))
    }

    /// A function. Ids come from this module, so it exists.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A constant. Ids come from this module, so it exists.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.index()]
    }

    /// A type. Ids come from this module, so it exists.
    pub fn record(&self, id: TypeId) -> &RecordType {
        &self.types[id.index()]
    }

    /// An enum or flags. Ids come from this module, so it exists.
    pub fn choice(&self, id: EnumId) -> &EnumType {
        &self.enums[id.index()]
    }

    /// The default of this type: 0, false, the lowest degree, the first constant, nothing, or a
    /// record of its fields' defaults and zeros.
    pub fn zero(&self, ty: &Type) -> Data {
        match ty {
            Type::Unknown | Type::Unit | Type::Int | Type::Test => Data::Int(0),
            Type::Float => Data::Float(Float::ZERO),
            Type::Bool => Data::Bool(false),
            Type::Degree(_) | Type::Enum(_) | Type::Flags(_) => Data::Named(0),
            Type::Text => Data::Text(String::new()),
            Type::List(_) => Data::List(Vec::new()),
            Type::Record(id) => {
                let fields = self.record(*id).fields.iter();
                Data::Record(fields.map(|field| self.left_out(field)).collect())
            }
        }
    }

    /// The value of a field that a literal leaves out.
    pub fn left_out(&self, field: &Field) -> Data {
        field
            .default
            .clone()
            .unwrap_or_else(|| self.zero(&field.ty))
    }

    /// A type as scripts write it.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Unknown | Type::Unit => "nothing".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Float => "float".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Degree(_) => "degree".to_owned(),
            Type::Test => TEST.to_owned(),
            Type::Text => "string".to_owned(),
            Type::List(of) => format!("{} list", self.type_name(of)),
            Type::Record(id) => self.record(*id).name.clone(),
            Type::Enum(id) | Type::Flags(id) => self.choice(*id).name.clone(),
        }
    }

    /// A type as a message names it: `a number`, `a list of creature`.
    pub fn words(&self, ty: &Type) -> String {
        match ty {
            Type::Unknown => "a value".to_owned(),
            Type::Unit => "no value".to_owned(),
            Type::Int => "a number".to_owned(),
            Type::Float => "a float".to_owned(),
            Type::Bool => "a truth value".to_owned(),
            Type::Degree(_) => "a degree of success".to_owned(),
            Type::Test => "a test".to_owned(),
            Type::Text => "a text".to_owned(),
            Type::List(element) => match &**element {
                Type::Unknown | Type::Unit => "a list".to_owned(),
                Type::Int => "a list of numbers".to_owned(),
                Type::Float => "a list of floats".to_owned(),
                Type::Bool => "a list of truth values".to_owned(),
                Type::Degree(_) => "a list of degrees".to_owned(),
                Type::Test => "a list of tests".to_owned(),
                Type::Text => "a list of texts".to_owned(),
                Type::List(_) => "a list of lists".to_owned(),
                Type::Record(_) | Type::Enum(_) | Type::Flags(_) => {
                    format!("a list of `{}`", self.type_name(element))
                }
            },
            Type::Record(_) | Type::Enum(_) | Type::Flags(_) => {
                format!("a `{}`", self.type_name(ty))
            }
        }
    }
}
