//! The odds for each value of a sweep: rows that equal those of `dicec odds --sweep --json`.

use crate::odds::Question;
use crate::program::Loaded;
use crate::reply::Reply;
use crate::table::{no_native_code, wrong_row};
use crate::wrong::Wrong;
use dicec_compiler::{AnyDice, ResourceTable};
use dicec_lang::syntax::{FileCode, Finding};
use dicec_tables::{
    BadRoll, Batch, Columns, Grid, Joins, Layout, Method, Numbers, RULES, Record, RowDocument,
    Sweep, Variables, Varying, Wanted,
};
use std::sync::Arc;

/// The answer: a list of rows.
///
/// # Errors
/// A sweep without effect, too many combinations, or an error in one of them.
pub(crate) fn sweep(question: &Question<'_>, first: Loaded) -> Result<Reply, Wrong> {
    let mut sweeps = sweeps(question)?;
    let is_rule = first.program.is_rule();
    let rules = match is_rule {
        true => question.rules(first)?,
        false => vec![first],
    };
    if is_rule {
        check_rules(question, &sweeps, &rules)?;
    }
    let is_alone = rules.len() == 1;
    if !is_alone {
        let texts = rules.iter().map(|rule| rule.program.text().to_owned());
        sweeps.push(Sweep::new(RULES, texts.collect()));
    }
    let (joins, header, mut batch) = table(question, &sweeps, rules[0].table().clone())?;
    match (is_rule, is_alone) {
        (true, true) => ask_rule(&rules[0], &mut batch)?,
        (true, false) => ask_rules(question, &rules, sweeps.len() - 1, &mut batch)?,
        (false, _) => ask_script(question, &rules[0], (&sweeps, &header), &mut batch)?,
    }
    let rows = rows(&joins, &header, &mut batch)?;
    let notes = rules.iter().flat_map(Loaded::notes).collect();
    Ok(Reply::of_text(format!("[{}]", rows.join(",")), notes))
}

/// The answer for an AnyDice program: a list of rows, with the values of its global variables.
///
/// # Errors
/// As for [`sweep`].
pub(crate) fn sweep_anydice(question: &Question<'_>, program: &AnyDice) -> Result<Reply, Wrong> {
    let sweeps = sweeps(question)?;
    let given = question.program.variables()?;
    let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
    Wrong::of(Sweep::unsettable(&sweeps, program, &names))?;
    let (joins, header, mut batch) = table(question, &sweeps, ResourceTable::new())?;
    let columns = header.iter().cloned().zip(0..).collect();
    let given = given.into_iter();
    let given = given
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    batch.ask_anydice("", program.clone(), &Variables { columns, given });
    let rows = rows(&joins, &header, &mut batch)?;
    Ok(Reply::of_text(format!("[{}]", rows.join(",")), Vec::new()))
}

/// The combinations of sweeps, their columns, and a run over them.
fn table(
    question: &Question<'_>,
    sweeps: &[Sweep],
    resources: ResourceTable,
) -> Result<(Joins, Vec<String>, Batch), Wrong> {
    let grid = Grid::new(sweeps.to_vec()).map_err(|why| bad_sweep(why.to_string()))?;
    let joins = Joins::default().sweep(grid);
    let most = question.bounds.questions;
    if joins.count() > most {
        return Err(bad_sweep(format!("a sweep has at most {most} values here")));
    }
    let header = joins.header(&[]);
    let header = header.map_err(|same| bad_sweep(format!("two sweeps are named {}", same.name)))?;
    let columns = Columns::new(&header, resources);
    let method = Method::Exact(question.bounds.limits.exact, None);
    let control = question.watch.control.clone();
    let batch = Batch::controlled(columns, method, numbers(question)?, Some(1), control);
    let mut batch = batch.map_err(no_native_code)?;
    if let Some(limits) = question.program.check.limits() {
        batch.check(limits);
    }
    Ok((joins, header, batch))
}

/// The sweeps of the request.
fn sweeps(question: &Question<'_>) -> Result<Vec<Sweep>, Wrong> {
    let all = question.request.sweep.iter();
    let all = all.map(|(name, values)| {
        let sweep = Sweep::parse(&format!("{name}={values}"));
        sweep.map_err(bad_sweep)
    });
    Wrong::any(all)
}

/// The columns for numbers.
fn numbers(question: &Question<'_>) -> Result<Numbers, Wrong> {
    let asked = question.questions.plain()?;
    Ok(match (question.questions.given(), asked.summary) {
        (Some(_), _) => Numbers::Asked(Arc::new(Wanted::new(&asked.quantiles, &asked.ranges, &[]))),
        (None, true) => Numbers::Ends,
        (None, false) => Numbers::Quantiles,
    })
}

/// Refuses sweeps of names that no rule reads, and rules whose odds have no column next to others.
fn check_rules(question: &Question<'_>, sweeps: &[Sweep], rules: &[Loaded]) -> Result<(), Wrong> {
    let read = rules.iter().flat_map(|rule| rule.program.resources());
    let read: Vec<String> = read.map(|used| used.name.to_string()).collect();
    let reader = match rules {
        [_] => "the rule",
        _ => "a rule",
    };
    Wrong::of(Sweep::unread(sweeps, reader, &read, |_| false))?;
    for rule in rules {
        question.questions.read(rule)?;
        if rules.len() > 1 && rule.kind()?.is_label() {
            let message = "labels have no column next to another rule".to_owned();
            return Err(bad_sweep(message));
        }
    }
    if question.request.rational {
        return Err(bad_sweep(
            "a sweep has no column for \"rational\"".to_owned(),
        ));
    }
    Ok(())
}

fn ask_rule(rule: &Loaded, batch: &mut Batch) -> Result<(), Wrong> {
    let asked = batch.ask_rule("", &rule.program);
    asked.map_err(|lacking| rule.lacking(batch.columns(), &lacking))
}

fn ask_rules(
    question: &Question<'_>,
    rules: &[Loaded],
    column: usize,
    batch: &mut Batch,
) -> Result<(), Wrong> {
    let programs: Vec<_> = rules.iter().map(|rule| rule.program.clone()).collect();
    let compiler = question.program.compiler(question.bounds)?;
    let asked = batch.ask_some("", column, compiler, &programs);
    asked.map_err(|lacking| {
        let findings = lacking.iter();
        let findings = findings.flat_map(|(rule, used)| {
            let wrong = rules
                .get(*rule)
                .map(|rule| rule.lacking(batch.columns(), std::slice::from_ref(used)));
            wrong.map_or_else(Vec::new, |wrong| wrong.findings)
        });
        Wrong {
            findings: findings.collect(),
        }
    })
}

fn ask_script(
    question: &Question<'_>,
    loaded: &Loaded,
    (sweeps, header): (&[Sweep], &[String]),
    batch: &mut Batch,
) -> Result<(), Wrong> {
    let program = question.program;
    let roll = program.chosen(loaded)?;
    let read = loaded.program.resources().iter();
    let mut read: Vec<String> = read.map(|used| used.name.to_string()).collect();
    read.extend(roll.parameters().into_iter().map(|(name, _)| name));
    let is_part = |sweep: &Sweep| Varying::names_part(&roll, sweep.name());
    Wrong::of(Sweep::unread(sweeps, roll.name(), &read, is_part))?;
    let varying = Varying::new(roll.clone(), program.arguments(), header);
    let varying = varying.map_err(|wrong| Wrong {
        findings: wrong
            .into_iter()
            .map(|wrong| {
                let code = FileCode::BadArguments.as_str();
                Finding::general(code, wrong.message).help(wrong.help)
            })
            .collect(),
    })?;
    let decisions = loaded.program.decisions(&program.decisions())?;
    let asked = batch.ask_roll(roll.name(), varying, &decisions);
    asked.map_err(|BadRoll { arguments, missing }| {
        let mut wrong = loaded.lacking(batch.columns(), &missing);
        let arguments = arguments.iter();
        wrong
            .findings
            .extend(arguments.map(|error| crate::program::bad_argument(&roll, error)));
        wrong
    })
}

/// Works out all combinations, and writes a row for each.
fn rows(joins: &Joins, header: &[String], batch: &mut Batch) -> Result<Vec<String>, Wrong> {
    let record = Record::default();
    for index in 0..joins.count() {
        batch.push(&joins.join(&record, 0, index));
    }
    batch
        .solve()
        .map_err(|failure| Wrong::failed_fight(&failure, "sweep"))?;
    let groups = batch.groups();
    let layout = Layout {
        long: None,
        header,
        keys: &[],
        groups: &groups,
    };
    let row = |index| {
        let cells = joins.join(&record, 0, index);
        let answers = (0..batch.questions()).map(|question| {
            let answer = batch.answer(index, question);
            answer
                .map(Some)
                .map_err(|fault| wrong_row(batch, question, &cells, fault))
        });
        let answers = Wrong::any(answers)?;
        crate::reply::text(&RowDocument {
            layout,
            cells: &cells,
            answers: &answers,
        })
    };
    (0..joins.count()).map(row).collect()
}

fn bad_sweep(message: String) -> Wrong {
    Finding::general(FileCode::BadSweep.as_str(), message).into()
}
