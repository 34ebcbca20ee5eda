//! `dicec odds --joint`: the odds of several parts of a result together.

use super::{OddsArgs, titled};
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::Loaded;
use crate::text::{given_report, joint_report};
use dicec_compiler::answer::document::JointDocument;
use dicec_compiler::answer::{BadParts, JointOdds, chosen_parts, joint_cells};
use dicec_lang::hir::Part;

/// Shows the odds of the parts that are asked for together.
///
/// # Errors
/// Names of parts that do not fit, flags of other questions, or odds that cannot be computed.
pub(super) fn show(args: &OddsArgs, loaded: &Loaded) -> Result<(), CliError> {
    refuse_others(args)?;
    let bound = args.bound(loaded)?;
    let roll = bound.definition();
    let parts = roll.parts().filter(|parts| !parts.is_text());
    let known: Vec<Part> = parts.map(|parts| parts.all.clone()).unwrap_or_default();
    let known: Vec<String> = known.into_iter().map(|part| part.name).collect();
    let chosen = chosen_parts(&args.joint, &known).map_err(|bad| wrong(&bad))?;
    let answer = args.answer(loaded, &bound)?;
    // A roll that is always left out has no odds.
    let odds = answer
        .together(&chosen)
        .ok_or_else(|| wrong(&BadParts::None))?;
    let asked = args.questions.plain(args.summary);
    let presenter = args.presenter(&asked);
    let form = presenter.form()?;
    if let Some(file) = &args.plot {
        let grid = odds.grid(false).ok_or_else(|| flat(&odds))?;
        file.write_heat_map(&titled(roll.label(), &answer), &grid)?;
    }
    presenter.write(
        form,
        || JointDocument::new((roll.name(), roll.label()), &odds, &answer),
        |width| given_report(answer.given.as_ref()) + &joint_report(&odds, asked.all, width),
        || Ok(joint_cells(&odds)),
    )
}

fn wrong(bad: &BadParts) -> CliError {
    let (message, help) = bad.words();
    let finding = Finding::general(FileCode::BadParts.as_str(), message);
    finding.help(help).into()
}

/// More parts than a picture has axes.
fn flat(odds: &JointOdds) -> CliError {
    let count = odds.parts.len();
    let message = format!("a picture shows two parts together, not {count}");
    let finding = Finding::general(FileCode::BadParts.as_str(), message);
    finding.help("name two parts, or leave --plot out").into()
}

/// Refuses flags of questions about a single number.
fn refuse_others(args: &OddsArgs) -> Result<(), CliError> {
    let summary = args.summary.then_some("--summary");
    let Some(flag) = summary.or(args.questions.given()) else {
        return Ok(());
    };
    let message = format!("{flag} is about a single number, and --joint about several parts");
    let finding = Finding::general(FileCode::BadParts.as_str(), message);
    Err(finding.help("leave one of the two out").into())
}
