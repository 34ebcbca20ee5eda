//! Odds as the cells of a table for programs: a line for each result, or with a summary a line of
//! figures for each rule. The first line has the names of the columns.

use super::questions::quantile_column;
use super::{Distribution, JointOdds, NamedAnswers, Questions, Row, Side, named_rows, rows};
use dicec_lang::hir::Kind;
use dicec_runtime::scale::Shortest;

/// The cells of the odds of a rule, or of several of one kind.
pub fn cells(sides: &[Side<'_>], asked: &Questions) -> Vec<Vec<String>> {
    match sides {
        _ if asked.summary => figure_lines(sides, asked),
        [side] => result_lines(side.odds),
        _ => compared_lines(sides),
    }
}

/// The cells of several answers, of any kinds: a line for each result with the name of its answer
/// before it, or with a summary a line of figures for each answer.
pub fn named_cells(answers: &NamedAnswers, asked: &Questions) -> Vec<Vec<String>> {
    let sides = answers.sides();
    if asked.summary {
        return figure_lines(&sides, asked);
    }
    let mut lines = vec![["rule", "result", "p"].map(str::to_owned).to_vec()];
    for side in sides {
        lines.extend(side.odds.outcomes().iter().map(|outcome| {
            let rule = side.expression.to_owned();
            vec![
                rule,
                side.odds.outcome_text(outcome.value),
                number(outcome.p),
            ]
        }));
    }
    lines
}

/// The cells of the odds of several parts together: a line for each combination, with a column for
/// each part.
pub fn joint_cells(odds: &JointOdds) -> Vec<Vec<String>> {
    let mut header: Vec<String> = odds.parts.iter().map(|part| part.name.clone()).collect();
    header.push("p".to_owned());
    let lines = odds.outcomes().map(|(values, outcome)| {
        let cells = odds.parts.iter().zip(values);
        let cells = cells.map(|(part, value)| part.odds.outcome_text(*value));
        cells.chain([number(outcome.p)]).collect()
    });
    std::iter::once(header).chain(lines).collect()
}

/// A line for each result with everything that is known about it.
fn result_lines(odds: &Distribution) -> Vec<Vec<String>> {
    let outcomes = odds.outcomes();
    let cumulative = match odds.kind().is_number() {
        true => rows(&[odds], true).cumulative(0),
        false => Vec::new(),
    };
    let has_counts = outcomes.iter().any(|outcome| outcome.count.is_some());
    let known = [
        (true, ["result", "p"].as_slice()),
        (!cumulative.is_empty(), &["at_least", "at_most"]),
        (odds.is_in_full(), &["fraction"]),
        (has_counts, &["count"]),
    ];
    let header = known.into_iter().filter(|(is_known, _)| *is_known);
    let header = header
        .flat_map(|(_, names)| names)
        .map(|name| (*name).to_owned());
    let mut lines = vec![header.collect()];
    for (place, outcome) in outcomes.iter().enumerate() {
        let mut line = vec![odds.outcome_text(outcome.value), number(outcome.p)];
        line.extend(
            cumulative
                .get(place)
                .into_iter()
                .flatten()
                .map(|p| number(*p)),
        );
        if odds.is_in_full() {
            let fraction = odds.share(outcome).fraction;
            line.push(
                fraction.map_or_else(String::new, |(above, below)| format!("{above}/{below}")),
            );
        }
        line.extend(outcome.count.map(|count| count.to_string()));
        lines.push(line);
    }
    lines
}

/// A line for each result, with a column for each rule.
fn compared_lines(sides: &[Side<'_>]) -> Vec<Vec<String>> {
    let odds: Vec<&Distribution> = sides.iter().map(|side| side.odds).collect();
    let rows: Vec<Row> = match named_rows(&odds) {
        Some(rows) if odds[0].kind() == Kind::Label => rows,
        // From the worst on, as outcomes are.
        Some(rows) => rows.into_iter().rev().collect(),
        None => rows(&odds, true).rows,
    };
    let rules = sides.iter().map(|side| side.expression.to_owned());
    let header = std::iter::once("result".to_owned()).chain(rules).collect();
    let lines = rows.into_iter().map(|row| {
        let shares = row.p.into_iter().map(number);
        std::iter::once(row.label).chain(shares).collect()
    });
    std::iter::once(header).chain(lines).collect()
}

/// A line of figures for each rule; a rule of another kind than the first one has columns of its
/// own.
fn figure_lines(sides: &[Side<'_>], asked: &Questions) -> Vec<Vec<String>> {
    let all: Vec<Vec<(String, String)>> = sides
        .iter()
        .map(|side| {
            let rule = ("rule".to_owned(), side.expression.to_owned());
            let rule = (sides.len() > 1).then_some(rule);
            rule.into_iter().chain(figures(side.odds, asked)).collect()
        })
        .collect();
    let mut header: Vec<String> = Vec::new();
    for (name, _) in all.iter().flatten() {
        if !header.contains(name) {
            header.push(name.clone());
        }
    }
    let line = |figures: &Vec<(String, String)>| {
        let cell = |column: &String| {
            let cell = figures.iter().find(|(name, _)| name == column);
            cell.map_or_else(String::new, |(_, cell)| cell.clone())
        };
        header.iter().map(cell).collect()
    };
    let lines: Vec<Vec<String>> = all.iter().map(line).collect();
    std::iter::once(header).chain(lines).collect()
}

/// The figures of odds, each with the name of its column.
fn figures(odds: &Distribution, asked: &Questions) -> Vec<(String, String)> {
    if !odds.kind().is_number() {
        let outcomes = odds.outcomes();
        let shares = outcomes
            .iter()
            .map(|outcome| (odds.outcome_text(outcome.value), number(outcome.p)));
        return shares.collect();
    }
    let end = |end: Option<i64>| end.map_or_else(String::new, |end| odds.show(end).to_string());
    let mut figures = vec![
        ("mean".to_owned(), number(odds.mean())),
        ("sd".to_owned(), odds.sd().map_or_else(String::new, number)),
        ("min".to_owned(), end(odds.min())),
        ("max".to_owned(), end(odds.max())),
    ];
    if odds.has_outcomes() {
        let quantiles = asked.quantiles().iter();
        let quantile = |p: &f64| {
            (
                quantile_column(*p),
                odds.show(odds.quantile(*p)).to_string(),
            )
        };
        figures.extend(quantiles.map(quantile));
        let ranges = asked.ranges.iter();
        figures.extend(ranges.map(|range| (range.column(), number(odds.range_share(*range).p))));
    }
    figures
}

fn number(number: f64) -> String {
    Shortest(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_runtime::pmf::Pmf;

    #[test]
    fn lines_of_results_and_of_figures() {
        let table = Pmf::from_weights([(1, 1.0), (2, 3.0)]).expect("weights");
        let odds = Distribution::floats(Kind::Number, table);
        let side = |expression| Side {
            expression,
            odds: &odds,
        };
        let text = |sides: &[Side<'_>], asked: &Questions| {
            let lines = cells(sides, asked).into_iter().map(|line| line.join(","));
            lines.collect::<Vec<_>>()
        };
        let asked = Questions::default();
        let one = [
            "result,p,at_least,at_most",
            "1,0.25,1,0.25",
            "2,0.75,0.75,1",
        ];
        assert_eq!(text(&[side("a")], &asked), one);
        let two = ["result,a,b", "1,0.25,0.25", "2,0.75,0.75"];
        assert_eq!(text(&[side("a"), side("b")], &asked), two);
        let asked = Questions {
            summary: true,
            quantiles: vec![0.5],
            ..asked
        };
        let figures = text(&[side("a"), side("b")], &asked);
        assert_eq!(figures[0], "rule,mean,sd,min,max,p50");
        assert!(figures[2].starts_with("b,1.75,0.433"), "{figures:?}");
    }
}
