//! AnyDice programs in tables: the same odds as alone, and columns that the first answer decides.

use dicec_compiler::Compiler;
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::ResourceTable;
use dicec_tables::{AnyDiceCells, Batch, Columns, Fault, Field, Method, Numbers, Variables};

const TWO: &str = r#"N: 2 output Nd6 named "[N] dice" output [highest 1 of Nd6] named "best""#;

fn batch(header: &[&str]) -> Batch {
    let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
    let columns = Columns::new(&header, ResourceTable::new());
    let method = Method::Exact(Limits::default(), None);
    Batch::new(columns, method, Numbers::Quantiles).expect("threads")
}

fn solved(batch: &mut Batch, rows: &[&[&str]]) {
    batch.clear();
    for row in rows {
        batch.push(*row);
    }
    batch.solve().expect("nobody cancels");
}

fn of_column(header: &[&str], variables: &[(String, usize)]) -> Batch {
    let mut batch = batch(header);
    let cells = AnyDiceCells {
        is_every: false,
        variables: Variables {
            columns: variables.to_vec(),
            given: Vec::new(),
        },
    };
    batch.ask_column("x", 0, Compiler::new(), &cells);
    batch
}

#[test]
fn swept_variables_give_the_odds_of_the_program_by_itself() {
    let program = Compiler::new().anydice(TWO).expect("a good program");
    let mut batch = batch(&["N"]);
    let variables = Variables {
        columns: vec![("N".to_owned(), 0)],
        given: Vec::new(),
    };
    batch.ask_anydice("", program.clone(), &variables);
    solved(&mut batch, &[&["1"], &["3"], &["5"]]);
    let group = &batch.groups()[0];
    let means: Vec<String> = group
        .columns()
        .filter(|name| name.ends_with("mean"))
        .collect();
    assert_eq!(means, ["[N]_dice_mean", "best_mean"]);
    for (row, n) in [1, 3, 5].into_iter().enumerate() {
        let answer = batch.answer(row, 0).expect("a good row");
        let limits = Limits::default();
        let alone = program.outputs(&[("N", n)], &limits, &Control::default());
        let alone = alone.expect("a good program").answers;
        for (output, place) in alone.iter().zip(0..) {
            let odds = output.answer.result.as_ref().expect("it has outcomes");
            let mean = group.figure(&answer, Field::StatMean(place));
            let mean = mean.expect("it has a mean").number();
            assert!((mean - odds.mean()).abs() < 1e-9, "{n}: {}", output.name);
            let median = group.figure(&answer, Field::StatQuantile(place, 1));
            let median = median.expect("it has a median").number();
            assert_eq!(median, odds.quantile(0.5) as f64, "{n}: {}", output.name);
        }
    }
}

#[test]
fn one_output_has_the_columns_of_a_rule() {
    let mut batch = of_column(&["rule"], &[]);
    solved(&mut batch, &[&["output 3d6 named \"a\""], &["3d6"]]);
    let groups = batch.groups();
    let of = |row| {
        let answer = batch.answer(row, 0).expect("a good row");
        groups[0].figure(&answer, Field::Mean)
    };
    assert_eq!(of(0), of(1));
    assert!(groups[0].columns().any(|name| name == "x_mean"));
    // Its name is part of the answer.
    let name = |row| batch.answer(row, 0).expect("a good row").output;
    assert_eq!(name(0).as_deref(), Some("a"));
    assert_eq!(name(1), None);
}

#[test]
fn one_output_of_a_swept_program_has_columns_under_its_name() {
    for (text, column) in [
        ("N: 2 output Nd6 named \"[N] dice\"", "x.[N]_dice_mean"),
        ("N: 2 output Nd6", "x_mean"),
    ] {
        let program = Compiler::new().anydice(text).expect("a good program");
        let mut batch = batch(&["N"]);
        let variables = Variables {
            columns: vec![("N".to_owned(), 0)],
            given: Vec::new(),
        };
        batch.ask_anydice("x", program, &variables);
        solved(&mut batch, &[&["1"], &["3"]]);
        let columns: Vec<String> = batch.groups()[0].columns().collect();
        assert!(columns.iter().any(|name| name == column), "{columns:?}");
    }
}

#[test]
fn only_variables_of_the_program_are_given() {
    let columns = [("N".to_owned(), 1), ("M".to_owned(), 2)];
    let mut batch = of_column(&["rule", "N", "M"], &columns);
    let looped = "loop N over {2} { output Nd6 }";
    let rows: [&[&str]; 2] = [&["N: 2 output Nd6", "3", "x"], &[looped, "3", "x"]];
    solved(&mut batch, &rows);
    let groups = batch.groups();
    for (row, mean) in [(0, 10.5), (1, 7.0)] {
        let answer = batch.answer(row, 0).expect("a good row");
        let found = groups[0].figure(&answer, Field::Mean).expect("a number");
        assert_eq!(found.number(), mean);
    }
}

/// The first answer decides, also for later blocks and after bad rows.
#[test]
fn other_outputs_than_the_first_ones_are_a_fault() {
    let mut batch = of_column(&["rule"], &[]);
    let bad = "output 1 named \"[Q]\" output 2";
    solved(&mut batch, &[&[bad], &[TWO], &["3d6"], &["output 3d6"]]);
    let Err(Fault::Failed { why, .. }) = batch.answer(0, 0) else {
        panic!("Q has no value");
    };
    let found = why.diagnostic(0).expect("a mistake in the text");
    assert_eq!(found.code, Code::AnyDiceVariable);
    assert!(batch.answer(1, 0).is_ok());
    for row in [2, 3] {
        let fault = batch.answer(row, 0).expect_err("it has one result");
        let Fault::OtherOutputs {
            found, expected, ..
        } = fault
        else {
            panic!("{fault:?}");
        };
        assert_eq!(found, [""; 0]);
        assert_eq!(expected, ["2 dice", "best"]);
    }
    let others = "output 1 named \"2 dice\" output 2 named \"worst\"";
    solved(&mut batch, &[&[others], &[TWO]]);
    assert!(matches!(
        batch.answer(0, 0),
        Err(Fault::OtherOutputs { .. })
    ));
    assert!(batch.answer(1, 0).is_ok());
}

#[test]
fn notes_stay_with_their_rows() {
    let mut batch = of_column(&["rule"], &[]);
    let open = "function: f N:n { if N > 3 { result: 1 } } output [f d6]";
    solved(&mut batch, &[&[open], &["output 3d6"]]);
    let notes = |row| batch.answer(row, 0).expect("a good row").notes;
    assert!(notes(0).is_some_and(|notes| notes[0].code == Code::AnyDiceNoResult));
    assert!(notes(1).is_none());
}
