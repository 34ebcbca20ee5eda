//! Asks what a call asks, of a batch: its rule, a column of rules, or the encounter of each row.
//! What does not fit is found here, before the first row.

use crate::call::{Asked, Call, Function, Resources};
use crate::error::SqlError;
use dicec_compiler::{Compiler, Program};
use dicec_games::encounter::{Bestiary, Change};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{FileCode, Finding, Location, nearest};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use dicec_tables::{AnyDiceCells, Batch, FightColumns, SideColumns};
use std::sync::Arc;

/// The names of the columns that a question reads.
pub(crate) fn header(call: &Call, program: Option<&Program>) -> Result<Vec<String>, SqlError> {
    let sides = match call.asked {
        Asked::Encounter { sides: 1, .. } => vec!["encounter".to_owned()],
        Asked::Encounter { .. } => vec!["first".to_owned(), "second".to_owned()],
        _ => Vec::new(),
    };
    let names = match (&call.resources, program) {
        (Resources::Named(names), _) => names.clone(),
        (Resources::InOrder(given), Some(program)) => in_order(call, program, *given)?,
        (Resources::InOrder(0), None) => Vec::new(),
        (Resources::InOrder(_), None) => return Err(without_names(call)),
    };
    let mut header = sides;
    for name in names {
        let resource = ResourceName::parse(&name);
        if header
            .iter()
            .any(|other| ResourceName::parse(other) == resource)
        {
            let message = format!("{} is given `{name}` twice", call.function.name());
            return Err(SqlError::call(message, "leave one of them out"));
        }
        header.push(name);
    }
    if call.has_rule_column() {
        // No resource has this name.
        header.push(String::new());
    }
    Ok(header)
}

/// Values without names may not be told apart.
fn without_names(call: &Call) -> SqlError {
    if call.function == Function::Encounter {
        let message = "what changes an encounter has a name";
        return SqlError::call(
            message,
            "give it as named_struct('rounds', 10, 'Goblin.ac', 17)",
        );
    }
    let name = call.function.name();
    let message = format!("{name} is given resources without names, but each row has its own rule");
    let help = "give the resources their names: named_struct('Attack', attack, ...); or write the \
                rule as one text";
    SqlError::call(message, help)
}

/// The resources of a rule, in the order in which it names them, of which all have to be given.
fn in_order(call: &Call, program: &Program, given: usize) -> Result<Vec<String>, SqlError> {
    let resources = program.resources();
    let names = resources.iter().map(|used| used.name.to_string());
    let names: Vec<String> = names.collect();
    if given == names.len() {
        return Ok(names);
    }
    let listed: Vec<String> = names.iter().map(|name| format!("[{name}]")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let reads = match names.len() {
        0 => "no resource".to_owned(),
        count => format!("{count} resource{plural} ({})", listed.join(", ")),
    };
    let message = format!(
        "the rule reads {reads}, but {} is given {given}",
        call.function.name()
    );
    let help = match names.first() {
        None => "leave the arguments after the rule out".to_owned(),
        Some(first) => {
            format!("give them in this order, or by their names: named_struct('{first}', ...)")
        }
    };
    let mut finding = Finding::general(FileCode::BadCall.as_str(), message).help(help);
    if let Some(used) = resources.get(given) {
        finding.location = location(call, program, used.span);
    }
    Err(finding.into())
}

/// A part of the rule of a call.
pub(crate) fn location(call: &Call, program: &Program, span: Span) -> Location {
    Location::Text {
        origin: call.origin(),
        text: program.text().to_owned(),
        span,
        labels: Vec::new(),
    }
}

/// Asks for the odds of a rule whose resources have columns, each of which it reads.
pub(crate) fn ask_rule(call: &Call, program: &Program, batch: &mut Batch) -> Result<(), SqlError> {
    let missing = batch.ask_rule("", program).err().unwrap_or_default();
    let columns = batch.columns();
    let missing = missing.iter().map(|used| {
        let message = format!("{} is not given [{}]", call.function.name(), used.name);
        let help = columns.suggest(&used.name.to_string());
        Finding {
            location: location(call, program, used.span),
            ..Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
        }
    });
    let names = program.resources().iter().map(|used| used.name.to_string());
    let names: Vec<String> = names.collect();
    let unread = columns.names().iter().filter(|name| {
        let resource = ResourceName::parse(name);
        program.resources().iter().all(|used| used.name != resource)
    });
    let unread = unread.map(|name| {
        let message = format!("the rule does not read `{name}`");
        let help = match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "leave it out".to_owned(),
        };
        Finding::general(FileCode::BadCall.as_str(), message).help(help)
    });
    let findings: Vec<Finding> = missing.chain(unread).collect();
    match findings.is_empty() {
        true => Ok(()),
        false => Err(SqlError { findings }),
    }
}

/// Asks for the rules of a column, if the answers of different rules can be one column.
pub(crate) fn ask_column(call: &Call, batch: &mut Batch) -> Result<(), SqlError> {
    if matches!(call.function, Function::Odds | Function::Sim) {
        let name = call.function.name();
        let message = format!("the rule of {name} decides what it gives, and differs between rows");
        let help = "write it as one text, or ask for one number: dice_mean, dice_p, dice_quantile";
        return Err(SqlError::call(message, help));
    }
    let last = batch.columns().names().len().saturating_sub(1);
    batch.ask_column("", last, Compiler::new(), &AnyDiceCells::default());
    Ok(())
}

/// Asks for the odds of encounters.
pub(crate) fn ask_fights(
    call: &Call,
    batch: &mut Batch,
    bestiary: &Arc<Bestiary>,
) -> Result<(), SqlError> {
    let (sides, names) = match call.sides() {
        1 => (SideColumns::Line(0), ["first", "second"]),
        _ => (SideColumns::Pair(0, 1), ["first", "second"]),
    };
    let mut changes = Vec::new();
    let header = batch.columns().names().iter().enumerate();
    for (column, name) in header.skip(call.sides()) {
        let wrong = |message: String, help: Option<String>| {
            let mut finding = Finding::general(FileCode::BadCall.as_str(), message);
            finding.help = help;
            SqlError::from(finding)
        };
        match Change::named(name.trim(), names, bestiary) {
            Ok(Some(change)) => changes.push((change, column)),
            Ok(None) => {
                let message = format!("`{name}` changes nothing of an encounter");
                let help = "there are rounds, initiative, hp, plain, without, distance, targets, \
                            limited, heal, escape, surprised and flees, those of one side as \
                            first.targets, and count, ac and hp of a creature as Goblin.ac";
                return Err(wrong(message, Some(help.to_owned())));
            }
            Err(found) => return Err(wrong(found.to_string(), found.help)),
        }
    }
    batch.ask_fights("", FightColumns { sides, changes }, Arc::clone(bestiary));
    Ok(())
}

/// Refuses to ask a rule for what it does not have.
pub(crate) fn check_kind(call: &Call, program: &Program) -> Result<(), SqlError> {
    let kind = program.kind();
    let has_mean = matches!(kind, Some(Kind::Number | Kind::Float | Kind::Test));
    let has_p = matches!(
        kind,
        Some(Kind::Check | Kind::Degree(_) | Kind::Level(_) | Kind::Test)
    );
    let name = call.function.name();
    let (message, help) = match call.function {
        Function::Mean | Function::Quantile if !has_mean => (
            format!("{name} wants a rule that gives a number"),
            match has_p {
                true => "ask a check for its chance with dice_p, or for all odds with dice_odds",
                false => "ask for all odds with dice_odds",
            },
        ),
        Function::P if !has_p => (
            format!("{name} wants a rule that succeeds or fails"),
            match has_mean {
                true => "compare the number: '... >= 15'; or ask for its mean with dice_mean",
                false => "ask for all odds with dice_odds",
            },
        ),
        _ => return Ok(()),
    };
    let end = u32::try_from(program.text().len()).unwrap_or(u32::MAX);
    let span = Span { start: 0, end };
    Err(Finding {
        location: location(call, program, span),
        ..Finding::general(FileCode::BadCall.as_str(), message).help(help)
    }
    .into())
}
