//! Definitions: types, functions and rolls, before any body, so that their order does not matter.

use super::builtin::Builtin;
use super::pool_dice::DIE;
use super::{Callable, Lowering, TypeNamed, items};
use crate::front::script::ast::{self, ItemKind, Name, Param, TypeName};
use crate::hir::{
    DICE, Field, Function, FunctionId, Local, RecordType, RollDef, TEST, Type, TypeId,
};
use crate::syntax::{Code, Diagnostic, unknown_field};
use dicec_runtime::bug;
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// The maximum number of fields of a record, including those of the records in it.
const MAX_FIELDS: usize = 10_000;

/// How deep records may nest, and lists of lists.
const MAX_DEPTH: usize = 32;

/// The names of the types that every script has.
const PLAIN: [&str; 5] = ["int", "float", "bool", "string", "degree"];

/// The plain type that other languages call by this name.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "integer" | "number" | "num" | "long" | "short" => "int",
        "double" | "real" | "decimal" | "float" => "float",
        "boolean" | "truth" => "bool",
        "str" | "text" | "char" => "string",
        _ => return None,
    })
}

/// The source of a function or roll.
pub(super) struct Source<'s> {
    name: &'s Name,
    pub(super) params: &'s [Param],
    result: Option<&'s ast::Type>,
    pub(super) body: &'s ast::Block,
    /// The label, if it is a roll.
    label: Option<&'s str>,
}

impl<'s> Source<'s> {
    fn of(item: &'s ItemKind) -> Option<Self> {
        match item {
            ItemKind::Function(function) => Some(Self {
                name: &function.name,
                params: &function.params,
                result: function.result.as_ref(),
                body: &function.body,
                label: None,
            }),
            ItemKind::Roll(roll) => Some(Self {
                name: &roll.name,
                params: &roll.params,
                result: None,
                body: &roll.body,
                label: Some(&roll.label.kind),
            }),
            _ => None,
        }
    }
}

/// Types.
impl Lowering<'_> {
    pub(super) fn define_types(&mut self, script: &ast::Script) {
        let definitions = || {
            items(script, |item| match item {
                ItemKind::Type(definition) => Some(definition),
                _ => None,
            })
        };
        self.define_enums(script);
        let mut placed = Vec::new();
        for definition in definitions() {
            let name = &definition.name;
            // A text below 4 GiB defines fewer types than that.
            let id = TypeId(self.out.module.types.len() as u32);
            if self.define_type(name, TypeNamed::Record(id)) {
                self.out.module.types.push(RecordType {
                    name: name.kind.clone(),
                    fields: Vec::new(),
                    span: name.span,
                });
                placed.push((definition, id));
            }
        }
        for (definition, id) in placed {
            let fields = self.fields(definition);
            self.out.module.types[id.index()].fields = fields;
        }
        self.bound_types();
    }

    /// Gives a type its name, unless it is taken.
    pub(super) fn define_type(&mut self, name: &Name, named: TypeNamed) -> bool {
        if PLAIN.contains(&name.kind.as_str()) {
            self.taken(name, "type");
            return false;
        }
        let first = match self.types.get(&name.kind) {
            Some(TypeNamed::Record(first)) => self.out.module.record(*first).span,
            Some(TypeNamed::Enum(first)) => self.out.module.choice(*first).span,
            None => {
                self.types.insert(name.kind.clone(), named);
                return true;
            }
        };
        self.defined_twice("type", name, first);
        false
    }

    fn fields(&mut self, definition: &ast::TypeDef) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for field in &definition.fields.kind {
            let name = &field.kind.name;
            if let Some(first) = fields.iter().find(|first| first.name == name.kind) {
                let first = first.span;
                self.defined_twice("field", name, first);
                continue;
            }
            fields.push(Field {
                name: name.kind.clone(),
                ty: self.ty(&field.kind.ty),
                default: None,
                span: name.span,
            });
        }
        fields
    }

    /// A written type; unknown if there is none of that name.
    pub(super) fn ty(&mut self, written: &ast::Type) -> Type {
        let (name, lists) = &written.kind;
        let base = match name {
            TypeName::Int => Type::Int,
            TypeName::Float => Type::Float,
            TypeName::Bool => Type::Bool,
            TypeName::Text => Type::Text,
            TypeName::Named(name) if name == "degree" => Type::Degree(Ladder::PATHFINDER),
            TypeName::Named(name) => match self.types.get(name) {
                Some(TypeNamed::Record(id)) => Type::Record(*id),
                Some(TypeNamed::Enum(id)) => self.out.module.choice(*id).ty(*id),
                None if name == DICE => Type::Record(self.dice_types().dice),
                None if name == DIE => Type::Record(self.die_type()),
                None if name == TEST => Type::Test,
                None => {
                    let unknown = self.unknown_type(&Name::new(name.clone(), written.span));
                    self.report(unknown);
                    return Type::Unknown;
                }
            },
        };
        if *lists as usize > MAX_DEPTH {
            let message = format!("lists nest at most {MAX_DEPTH} deep");
            let found = Diagnostic::error(Code::TooLargeType, written.span, message);
            self.report(found.help("make a type that holds a list"));
            return Type::Unknown;
        }
        (0..*lists).fold(base, |ty, _| Type::List(Box::new(ty)))
    }

    /// Refuses types that contain themselves, and records that are too large.
    fn bound_types(&mut self) {
        let mut graph = DiGraph::<(), u32>::new();
        let nodes: Vec<_> = self
            .out
            .module
            .types
            .iter()
            .map(|_| graph.add_node(()))
            .collect();
        for (record, &node) in self.out.module.types.iter().zip(&nodes) {
            for (field, place) in record.fields.iter().zip(0..) {
                if let Some(id) = held(&field.ty) {
                    graph.add_edge(node, nodes[id.index()], place);
                }
            }
        }
        // How many fields each type comes to and how deep it is; what it holds comes before it.
        let mut sizes = vec![(0_usize, 0_usize); nodes.len()];
        for group in kosaraju_scc(&graph) {
            let members: Vec<usize> = group.iter().map(|node| node.index()).collect();
            if members.len() > 1 || graph.contains_edge(group[0], group[0]) {
                self.endless_type(&members);
                continue;
            }
            self.bound_type(members[0], &mut sizes);
        }
    }

    fn bound_type(&mut self, place: usize, sizes: &mut [(usize, usize)]) {
        let (mut count, mut depth) = (1_usize, 1_usize);
        for field in &self.out.module.types[place].fields {
            let (fields, below) = match &field.ty {
                Type::Record(id) => sizes[id.index()],
                // A list is empty by default; its depth counts for descriptions.
                ty => (1, held(ty).map_or(0, |id| sizes[id.index()].1)),
            };
            count = count.saturating_add(fields);
            depth = depth.max(below + 1);
        }
        sizes[place] = (count, depth);
        if count <= MAX_FIELDS && depth <= MAX_DEPTH {
            return;
        }
        let record = &self.out.module.types[place];
        let message = format!(
            "`{}` is too large: at most {MAX_FIELDS} fields, {MAX_DEPTH} records deep",
            record.name
        );
        let found = Diagnostic::error(Code::TooLargeType, record.span, message);
        self.report(found.help("hold fewer records in it, or lists of them"));
        self.cut(&[place]);
        sizes[place] = (1, 1);
    }

    /// Types that contain themselves: reported at the first of them.
    fn endless_type(&mut self, members: &[usize]) {
        let first = members.iter().copied().min();
        let first = first.unwrap_or_else(|| bug!("a cycle of no types").raise());
        let record = &self.out.module.types[first];
        let inside =
            |field: &&Field| held(&field.ty).is_some_and(|id| members.contains(&id.index()));
        let Some(field) = record.fields.iter().find(inside) else {
            return;
        };
        let message = format!("`{}` contains itself", record.name);
        let mut found = Diagnostic::error(Code::EndlessType, field.span, message).help(
            "store what identifies it instead, such as a number, a name, or its index in a list",
        );
        if members.len() > 1
            && let Some(id) = held(&field.ty)
        {
            let next = self.out.module.record(id);
            found = found.label(next.span, format!("by way of `{}`", next.name));
        }
        self.report(found);
        self.cut(members);
    }

    /// Removes these records from types, so that later stages meet no infinite type.
    fn cut(&mut self, members: &[usize]) {
        for &member in members {
            for field in &mut self.out.module.types[member].fields {
                if held(&field.ty).is_some() {
                    field.ty = Type::Unknown;
                }
            }
        }
    }
}

/// The record that a type is or holds.
fn held(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Record(id) => Some(*id),
        Type::List(element) => held(element),
        _ => None,
    }
}

/// Functions and rolls.
impl Lowering<'_> {
    /// The signatures of all functions and rolls, with their sources.
    pub(super) fn define_functions<'s>(
        &mut self,
        script: &'s ast::Script,
    ) -> Vec<(FunctionId, Source<'s>)> {
        let mut sources = Vec::new();
        for source in items(script, Source::of) {
            let id = FunctionId(self.out.module.functions.len() as u32);
            let function = self.signature(&source);
            self.out.module.functions.push(function);
            let what = match source.label {
                Some(_) => "roll",
                None => "function",
            };
            self.define_name(what, source.name, id);
            if let Some(label) = source.label {
                self.out.module.rolls.push(RollDef {
                    label: label.to_owned(),
                    name: source.name.kind.clone(),
                    function: id,
                    parts: None,
                    span: source.name.span,
                });
            }
            sources.push((id, source));
        }
        sources
    }

    /// Gives a function, roll or table its name, unless it is taken.
    pub(super) fn define_name(&mut self, what: &str, name: &Name, id: FunctionId) {
        let builtin = Builtin::named(&name.kind);
        if what != "roll" && builtin.is_some_and(|builtin| !builtin.yields()) {
            self.taken(name, what);
        } else if let Some(first) = self.first_of(what, name) {
            self.defined_twice(what, name, first);
        } else {
            let callable = match what {
                "roll" => Callable::Roll,
                _ => Callable::Function(id),
            };
            let entry = (callable, name.span);
            self.callables
                .entry(name.kind.clone())
                .or_default()
                .push(entry);
        }
    }

    /// The definition that has this name already. Functions of different files may share one.
    fn first_of(&self, what: &str, name: &Name) -> Option<Span> {
        let here = self.file(name.span);
        let mut known = self.callables.get(&name.kind)?.iter();
        let first = known.find(|(callable, span)| {
            let is_function = what != "roll" && matches!(callable, Callable::Function(_));
            !is_function || self.file(*span) == here
        });
        first.map(|(_, span)| *span)
    }

    fn signature(&mut self, source: &Source<'_>) -> Function {
        let locals: Vec<Local> = source
            .params
            .iter()
            .map(|param| Local {
                name: param.name.kind.clone(),
                ty: self.ty(&param.ty),
                span: param.name.span,
            })
            .collect();
        let params = source.params.iter().zip(&locals);
        let defaults = params.map(|(param, local)| {
            let written = param.default.as_ref()?;
            self.default(written, &local.ty, ("parameter", local.span))
        });
        Function {
            name: source.name.kind.clone(),
            params: locals.len(),
            defaults: defaults.collect(),
            locals,
            result: source.result.map(|ty| self.ty(ty)).unwrap_or_default(),
            body: Vec::new(),
            rolls: false,
            is_table: false,
            span: source.name.span,
        }
    }
}

/// Messages about names.
impl Lowering<'_> {
    pub(super) fn defined_twice(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("the {what} `{}` is defined twice", name.kind);
        self.report(
            Diagnostic::error(Code::DefinedTwice, name.span, message)
                .label(first, "the first one")
                .help("remove one of them, or give it another name"),
        );
    }

    /// A definition of a name that the language already has.
    fn taken(&mut self, name: &Name, what: &str) {
        let message = format!("every script has a {what} `{}` already", name.kind);
        self.report(
            Diagnostic::error(Code::DefinedTwice, name.span, message).help("give it another name"),
        );
    }

    pub(super) fn unknown_type(&self, name: &Name) -> Diagnostic {
        let known = self.types.keys().map(String::as_str).chain(PLAIN);
        let help = match self
            .nearest(&name.kind, known)
            .or_else(|| elsewhere(&name.kind))
        {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("define it: `deftype {} {{ ... }}`", name.kind),
        };
        let message = format!("there is no type `{}`", name.kind);
        Diagnostic::error(Code::UnknownType, name.span, message).help(help)
    }

    /// A name before the braces of a record.
    pub(super) fn not_a_record(&self, name: &Name) -> Diagnostic {
        let Some(TypeNamed::Enum(id)) = self.types.get(&name.kind) else {
            return self.unknown_type(name);
        };
        let choice = self.out.module.choice(*id);
        let what = if choice.is_flags {
            "a set of flags"
        } else {
            "an enum"
        };
        let message = format!("`{}` is {what}, and has no fields", name.kind);
        let found = Diagnostic::error(Code::WrongType, name.span, message);
        let first = choice.constants.first().map_or("", String::as_str);
        found.help(format!(
            "write one of its constants: `{}.{first}`",
            name.kind
        ))
    }

    pub(super) fn unknown_field(&self, name: &Name, id: TypeId) -> Diagnostic {
        let record = self.out.module.record(id);
        let fields = record.fields.iter().map(|field| field.name.as_str());
        unknown_field(&name.kind, name.span, &record.name, fields)
    }
}
