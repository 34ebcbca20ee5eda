//! The compiler's answers about AnyDice programs against those of the naive evaluator.

use super::naive::{self, Odds, Refusal, Stop};
use super::read::read;
use dashu_int::UBig;
use dicec_anydice::{Failure, Options, Program};
use dicec_lang::syntax::{Code, Diagnostic, SourceLimits};
use dicec_runtime::pmf::{Budget, Limits, Weight};

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compared {
    /// Both have the same outputs.
    Equal,
    /// Both refuse it, for the same reason.
    Refused,
    /// It takes too long for one of them.
    TooLong,
}

/// All combinations of shortcuts.
pub const OPTIONS: [Options; 4] = [
    Options {
        remember: true,
        observe: true,
    },
    Options {
        remember: true,
        observe: false,
    },
    Options {
        remember: false,
        observe: true,
    },
    Options {
        remember: false,
        observe: false,
    },
];

/// The relative difference that roundings of floats may make, down to the probabilities that
/// AnyDice leaves out (section 11).
const CLOSE: f64 = 1e-9;
const LEFT_OUT: f64 = 1e-290;

/// The longest text of a difference.
const SHOWN: usize = 2_000;

/// Names, with values, weights and totals; or the code of a refusal.
type Answer<W> = Result<Vec<(String, Vec<(i64, W, W)>)>, Code>;

/// Compares the answers about a text: exact ones with each combination of shortcuts, those in
/// floats, and the naive evaluator's, for which it has this many steps.
///
/// # Errors
/// The difference.
pub fn compare(text: &str, limits: Limits, steps: u64) -> Result<Compared, String> {
    let parsed = Program::parse(text, SourceLimits::default());
    let (program, tree) = match (parsed, read(text)) {
        (Ok(program), Ok(tree)) => (program, tree),
        (Err(Failure::Wrong(why)), Ok(_)) if is_limit(why.code) => return Ok(Compared::TooLong),
        (Err(Failure::Wrong(why)), Err(_)) => {
            return stands_in(text, &why).map(|()| Compared::Refused);
        }
        (Err(why), _) => return Err(format!("the parser refuses it: {why}")),
        (Ok(_), Err(_)) => return Err("the parser takes it, and it is not a program".to_owned()),
    };
    let mut exact: Option<Answer<UBig>> = None;
    for options in OPTIONS {
        let Some(found) = answer::<UBig>(text, &program, options, limits)? else {
            continue;
        };
        match &exact {
            None => exact = Some(found),
            Some(first) if same(first, &found) => {}
            Some(first) => {
                return Err(short(&format!("{found:?} with {options:?}"), first));
            }
        }
    }
    let Some(exact) = exact else {
        return Ok(Compared::TooLong);
    };
    if let Some(found) = answer::<f64>(text, &program, Options::default(), limits)?
        && !are_close(&found, &exact)
    {
        return Err(short(&format!("{found:?} in floats"), &exact));
    }
    let wanted = match naive::run(&tree, steps) {
        Ok(outputs) => Ok(outputs.into_iter().map(weighed).collect()),
        Err(Stop::Refused(refusal)) => Err(code(refusal)),
        Err(Stop::TooLong) => return Ok(Compared::TooLong),
    };
    match same(&exact, &wanted) {
        true if wanted.is_ok() => Ok(Compared::Equal),
        true => Ok(Compared::Refused),
        false => Err(short(&format!("{exact:?}"), &wanted)),
    }
}

fn short(found: &str, wanted: &Answer<UBig>) -> String {
    let wanted = format!("{wanted:?}");
    let first = |text: &str| text.chars().take(SHOWN).collect::<String>();
    format!("{}\ninstead of\n{}", first(found), first(&wanted))
}

/// Whether an error is about the size of a text.
fn is_limit(code: Code) -> bool {
    matches!(
        code,
        Code::SourceTooLong | Code::NestedTooDeep | Code::ChainTooLong
    )
}

/// An error or note is about a part of the text.
fn stands_in(text: &str, found: &Diagnostic) -> Result<(), String> {
    let labels = found.labels.iter().map(|label| label.span);
    let spans: Vec<_> = labels.chain([found.span]).collect();
    match spans.iter().all(|span| text.get(span.range()).is_some()) {
        true => Ok(()),
        false => Err(format!("{found:?} is outside of the text")),
    }
}

/// The compiler's answer; nothing if it takes too long.
fn answer<W: Weight>(
    text: &str,
    program: &Program,
    options: Options,
    limits: Limits,
) -> Result<Option<Answer<W>>, String> {
    let run = match program.run::<W>(&[], options, &mut Budget::new(limits)) {
        Ok(run) => run,
        Err(Failure::Exhausted(_)) => return Ok(None),
        Err(Failure::Wrong(why)) => {
            stands_in(text, &why)?;
            // Memory and stack have limits that the language does not have.
            let is_ours = why.code == Code::AnyDiceDepth || why.message.contains("at most");
            return Ok((!is_ours).then_some(Err(why.code)));
        }
    };
    run.notes
        .iter()
        .try_for_each(|note| stands_in(text, note))?;
    let outputs = run.outputs.into_iter().map(|output| {
        let odds = output.odds.iter().flat_map(|odds| {
            let total = odds.total();
            odds.iter()
                .map(|(value, weight)| (value, weight.clone(), total.clone()))
        });
        let odds = odds.collect();
        (output.name, odds)
    });
    Ok(Some(Ok(outputs.collect())))
}

/// The naive evaluator's output in the same form.
fn weighed((name, odds): (String, Odds)) -> (String, Vec<(i64, UBig, UBig)>) {
    let total: UBig = odds.0.iter().map(|(_, weight)| UBig::from(*weight)).sum();
    let pairs = odds.0.iter();
    let pairs = pairs.map(|(value, weight)| (*value, UBig::from(*weight), total.clone()));
    (name, pairs.collect())
}

/// Whether two answers have equal names, values and probabilities, as `equal` has it.
fn alike<V, W>(
    one: &Answer<V>,
    two: &Answer<W>,
    equal: impl Fn(&(i64, V, V), &(i64, W, W)) -> bool,
) -> bool {
    match (one, two) {
        (Ok(one), Ok(two)) => {
            one.len() == two.len()
                && one.iter().zip(two).all(|((name, one), (other, two))| {
                    let mut pairs = one.iter().zip(two);
                    name == other
                        && one.len() == two.len()
                        && pairs.all(|(one, two)| one.0 == two.0 && equal(one, two))
                })
        }
        (Err(one), Err(two)) => one == two,
        _ => false,
    }
}

fn same(one: &Answer<UBig>, two: &Answer<UBig>) -> bool {
    alike(one, two, |one, two| &one.1 * &two.2 == &two.1 * &one.2)
}

fn are_close(floats: &Answer<f64>, exact: &Answer<UBig>) -> bool {
    alike(floats, exact, |float, exact| {
        let wanted = exact.1.ratio(&exact.2);
        (float.1 - wanted).abs() <= CLOSE * wanted + LEFT_OUT
    })
}

fn code(refusal: Refusal) -> Code {
    match refusal {
        Refusal::Number => Code::AnyDiceNumber,
        Refusal::Kind => Code::AnyDiceKind,
        Refusal::Condition => Code::AnyDiceCondition,
        Refusal::Variable => Code::AnyDiceVariable,
        Refusal::Function => Code::AnyDiceFunction,
        Refusal::Setting => Code::AnyDiceSetting,
    }
}
