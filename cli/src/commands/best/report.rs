//! The report on best play, as text and as JSON.

use dicec_compiler::Bound;
use dicec_compiler::answer::{grouped, percent, significant};
use dicec_compiler::unstable::{BestAsked, BestPlay, Data, OptionPolicy, PolicyState, Rule, Test};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// More results than this are not listed.
const MAX_RESULTS: usize = 24;

/// Digits of values.
const DIGITS: usize = 6;

/// A value of the goal.
fn value(asked: &BestAsked, value: f64) -> String {
    match asked.goal.is_chance() {
        true => percent(value),
        false if value < 0.0 => format!("-{}", significant(-value, DIGITS)),
        false => significant(value, DIGITS),
    }
}

pub(super) fn report(best: &BestPlay, asked: &BestAsked, bound: &Bound, states: u64) -> String {
    let mut text = String::new();
    let how = if asked.minimise { "least" } else { "greatest" };
    let what = match asked.goal.is_chance() {
        true => "chance",
        false => "mean",
    };
    let number = value(asked, best.best.value);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "the {how} {what} of {} is {number}",
        asked.goal.text()
    );
    if let Some(player) = &asked.player {
        let _ = match &asked.against {
            Some(other) => writeln!(text, "  if {player} and {other} decide for the best"),
            None => writeln!(text, "  if {player} decides for the best"),
        };
    }
    let _ = writeln!(text, "  {}", error(best));
    if let Some(sampled) = best.sampled {
        let (mean, within) = (value(asked, sampled.mean), value(asked, sampled.within));
        let trials = grouped(sampled.trials);
        let _ = writeln!(
            text,
            "  checked: {trials} trials of this policy give {mean}, and {within} more or less were allowed"
        );
    }
    let _ = writeln!(
        text,
        "  {} states, of which {} decide",
        grouped(best.best.states as u64),
        grouped(best.best.decisions as u64)
    );
    results(&mut text, best, bound);
    for option in &best.options {
        policy(&mut text, option, asked, states);
    }
    text
}

/// The error of the value.
fn error(best: &BestPlay) -> String {
    let how = match best.best.is_cyclic {
        true => "found by iteration, because play can come back to a state",
        false => "computed from the end of play backward",
    };
    let left_out = match best.best.left_out {
        0.0 => String::new(),
        share => format!(
            "; dice that go on for very long are left out: {}",
            percent(share)
        ),
    };
    match best.best.error.is_finite() {
        true => format!(
            "{how}; the error is below {:.0e}{left_out}",
            best.best.error.max(1e-15) * 1.5
        ),
        false => format!(
            "{how}; no bound on the error was found, because play may go on forever{left_out}"
        ),
    }
}

fn results(text: &mut String, best: &BestPlay, bound: &Bound) {
    let results = &best.best.results;
    if results.is_empty() || results.len() > MAX_RESULTS {
        return;
    }
    let rows: Vec<(String, String)> = results
        .iter()
        .map(|(parts, p)| (parts_text(parts, bound), percent(*p)))
        .collect();
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    text.push_str("\nresults\n");
    for (name, p) in rows {
        let _ = writeln!(text, "  {name:>width$}  {p}");
    }
}

/// The parts of a result as players read them.
fn parts_text(parts: &[Data], bound: &Bound) -> String {
    bound.definition().data_texts(parts).join(", ")
}

fn policy(text: &mut String, option: &OptionPolicy, asked: &BestAsked, states: u64) {
    let who = match option.who.as_str() {
        "" => String::new(),
        who => format!(" ({who})"),
    };
    let times = significant(option.times, 4);
    let met = grouped(option.states.len() as u64);
    let _ = writeln!(
        text,
        "\n{:?}{who}: met {times} times a trial, in {met} states",
        option.option
    );
    rules(text, &option.rules, 1, "");
    let _ = match option.loss {
        0.0 => writeln!(text, "  these rules are best in all of these states"),
        loss => writeln!(
            text,
            "  these rules lose about {} a trial",
            value(asked, loss)
        ),
    };
    if let Rule::Answer(answer, _) = &option.rules
        && option.loss == 0.0
    {
        let how = match (option.yes_or_no, answer.as_str()) {
            (true, "yes") => "always",
            (true, _) => "never",
            (false, answer) => answer,
        };
        let _ = writeln!(text, "  in simulations: --option '{}={how}'", option.option);
    }
    let shown = usize::try_from(states).unwrap_or(usize::MAX);
    table(text, option, shown, asked);
}

/// The rules, a line for each answer.
fn rules(text: &mut String, rule: &Rule, depth: usize, before: &str) {
    let indent = "  ".repeat(depth);
    match rule {
        Rule::Answer(answer, _) => {
            let _ = writeln!(text, "{indent}{before}{answer}");
        }
        Rule::If(test, yes, no) => {
            let (holds, fails) = words(test);
            for (name, rule) in [(holds, yes), (fails, no)] {
                match &**rule {
                    Rule::Answer(..) => rules(text, rule, depth, &format!("{before}{name}: ")),
                    Rule::If(..) => {
                        let _ = writeln!(text, "{indent}{before}{name}:");
                        rules(text, rule, depth + 1, "");
                    }
                }
            }
        }
    }
}

/// A test in words, and its opposite.
fn words(test: &Test) -> (String, String) {
    match test {
        Test::AtLeast(name, least) => (
            format!("{name} is {least} or more"),
            format!("{name} is less"),
        ),
        Test::Holds(name) => (name.clone(), format!("not {name}")),
        Test::Is(name, text) => (format!("{name} is {text}"), format!("{name} is another")),
    }
}

/// The states as a table. Variables that are the same in all states are left out.
fn table(text: &mut String, option: &OptionPolicy, shown: usize, asked: &BestAsked) {
    let states = &option.states[..shown.min(option.states.len())];
    let names = varied(&option.states);
    let last = ["times", "best", "value", "the next loses"];
    let head = names.iter().copied().chain(last).map(str::to_owned);
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for state in states {
        let values = names
            .iter()
            .map(|name| state.value_of(name).unwrap_or_default().to_owned());
        let second = state.second.as_ref();
        let second = second.map(|(answer, loss)| format!("{answer}: {}", value(asked, *loss)));
        let last = [
            significant(state.times, 3),
            state.best.clone(),
            value(asked, state.value),
            second.unwrap_or_default(),
        ];
        rows.push(values.chain(last).collect());
    }
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let columns = 0..names.len() + last.len();
    let widths: Vec<usize> = columns.map(|column| widest(column).unwrap_or(0)).collect();
    for row in rows.iter().filter(|_| !states.is_empty()) {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:>width$}", width = *width));
        let _ = writeln!(
            text,
            "    {}",
            cells.collect::<Vec<_>>().join("  ").trim_end()
        );
    }
}

/// The names of the variables that differ between states.
fn varied(states: &[PolicyState]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, _) in states.iter().flat_map(|state| &state.variables) {
        if seen.insert(name.as_str()) {
            names.push(name);
        }
    }
    let differs = |name: &&str| {
        let first = states.first().and_then(|state| state.value_of(name));
        states.iter().any(|state| state.value_of(name) != first)
    };
    names.into_iter().filter(differs).collect()
}

/// The same as JSON.
pub(super) fn document(best: &BestPlay, asked: &BestAsked, bound: &Bound) -> Value {
    let results = best.best.results.iter();
    let results: Vec<Value> = results
        .map(|(parts, p)| json!({ "result": parts_text(parts, bound), "p": p }))
        .collect();
    let options: Vec<Value> = best
        .options
        .iter()
        .map(|option| {
            let states: Vec<Value> = option
                .states
                .iter()
                .map(|state| {
                    let variables: serde_json::Map<String, Value> = state
                        .variables
                        .iter()
                        .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
                        .collect();
                    json!({
                        "variables": variables,
                        "times": state.times,
                        "best": state.best,
                        "value": state.value,
                        "second": state.second.as_ref().map(|(answer, _)| answer),
                        "loss": state.second.as_ref().map(|(_, loss)| loss),
                    })
                })
                .collect();
            json!({
                "option": option.option,
                "who": option.who,
                "minimises": option.minimises,
                "times": option.times,
                "rules": rule_document(&option.rules),
                "rules_loss": option.loss,
                "states": states,
            })
        })
        .collect();
    json!({
        "goal": asked.goal.text(),
        "minimise": asked.minimise,
        "value": best.best.value,
        "error": best.best.error.is_finite().then_some(best.best.error),
        "left_out": best.best.left_out,
        "is_cyclic": best.best.is_cyclic,
        "states": best.best.states,
        "checked": best.sampled.map(|sampled| json!({
            "trials": sampled.trials,
            "mean": sampled.mean,
            "within": sampled.within,
        })),
        "results": results,
        "options": options,
    })
}

fn rule_document(rule: &Rule) -> Value {
    match rule {
        Rule::Answer(answer, states) => json!({ "answer": answer, "states": states }),
        Rule::If(test, yes, no) => {
            let test = match test {
                Test::AtLeast(name, least) => json!({ "variable": name, "at_least": least }),
                Test::Holds(name) => json!({ "variable": name, "is": true }),
                Test::Is(name, text) => json!({ "variable": name, "is": text }),
            };
            json!({ "if": test, "then": rule_document(yes), "else": rule_document(no) })
        }
    }
}
