//! The rules of best play as functions of a script, which replace the options.

use dicec_compiler::unstable::{BestPlay, OptionPolicy, Rule, Test};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A function for each option.
pub(super) fn functions(best: &BestPlay) -> String {
    let mut text = String::new();
    let mut taken = BTreeSet::new();
    for option in &best.options {
        function(&mut text, option, &mut taken);
    }
    text
}

fn function(text: &mut String, option: &OptionPolicy, taken: &mut BTreeSet<String>) {
    let mut parameters: BTreeMap<String, &'static str> = BTreeMap::new();
    gather(&option.rules, &mut parameters);
    let mut name = identifier(&format!("{} {}", option.who, option.option));
    while !taken.insert(name.clone()) {
        name.push('2');
    }
    let are_numbers = answers(&option.rules)
        .iter()
        .all(|answer| answer.parse::<i64>().is_ok());
    let result = match (option.yes_or_no, are_numbers) {
        (true, _) => "bool",
        (_, true) => "int",
        (_, false) => "string",
    };
    let list: Vec<String> = parameters
        .iter()
        .map(|(name, ty)| format!("{}: {ty}", identifier(name)))
        .collect();
    // Writing to a String cannot fail.
    let _ = match option.loss {
        0.0 => writeln!(text, "// The best answer to {:?}.", option.option),
        loss => writeln!(
            text,
            "// A good answer to {:?}: it loses about {loss:.2e} a trial.",
            option.option
        ),
    };
    let _ = writeln!(text, "deffun {name}({}) : {result} {{", list.join(", "));
    body(text, &option.rules, result, 1);
    text.push_str("}\n");
}

fn body(text: &mut String, rule: &Rule, result: &str, depth: usize) {
    let indent = "    ".repeat(depth);
    match rule {
        Rule::Answer(answer, _) => {
            let answer = match (result, answer.as_str()) {
                ("bool", answer) => (answer == "yes").to_string(),
                ("int", answer) => answer.to_owned(),
                (_, answer) => format!("{answer:?}"),
            };
            let _ = writeln!(text, "{indent}return {answer};");
        }
        Rule::If(test, yes, no) => {
            let condition = match test {
                Test::AtLeast(name, least) => format!("{} >= {least}", identifier(name)),
                Test::Holds(name) => identifier(name),
                Test::Is(name, text) => format!("{} == {text:?}", identifier(name)),
            };
            let _ = writeln!(text, "{indent}if ({condition}) {{");
            body(text, yes, result, depth + 1);
            let _ = writeln!(text, "{indent}}}");
            body(text, no, result, depth);
        }
    }
}

fn gather(rule: &Rule, parameters: &mut BTreeMap<String, &'static str>) {
    if let Rule::If(test, yes, no) = rule {
        let (name, ty) = match test {
            Test::AtLeast(name, least) if least.fract() == 0.0 => (name, "int"),
            Test::AtLeast(name, _) => (name, "float"),
            Test::Holds(name) => (name, "bool"),
            Test::Is(name, _) => (name, "string"),
        };
        let known = parameters.entry(name.clone()).or_insert(ty);
        if ty == "float" {
            *known = ty;
        }
        gather(yes, parameters);
        gather(no, parameters);
    }
}

fn answers(rule: &Rule) -> BTreeSet<&str> {
    match rule {
        Rule::Answer(answer, _) => [answer.as_str()].into(),
        Rule::If(_, yes, no) => {
            let mut all = answers(yes);
            all.extend(answers(no));
            all
        }
    }
}

/// A name of the script's language: `hero.hp` is `hero_hp`, `Hold?` is `hold`.
fn identifier(text: &str) -> String {
    let is_variable = !text.contains([' ', '?']);
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    let joined = if is_variable {
        joined
    } else {
        joined.to_lowercase()
    };
    match joined.starts_with(|first: char| first.is_ascii_digit()) || joined.is_empty() {
        true => format!("best_{joined}"),
        false => joined,
    }
}
