//! The functions in statements: their answers are those of the library, whatever the partitions.

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Compiler, Simulation};
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_sql::{MEMORY, Session, SqlError};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The rows of a statement, in one batch.
async fn rows(session: &Session, sql: &str) -> Result<RecordBatch> {
    let frame = session.sql(sql).await?;
    let schema = frame.schema().inner().clone();
    Ok(concat_batches(&schema, &frame.collect().await?)?)
}

/// The only number of a statement.
async fn number(sql: &str) -> Result<f64> {
    let rows = rows(&Session::new(None, MEMORY)?, sql).await?;
    assert_eq!((rows.num_rows(), rows.num_columns()), (1, 1), "{sql}");
    Ok(rows.column(0).as_primitive::<Float64Type>().value(0))
}

/// What is wrong with a statement, when it is planned or when it runs.
async fn wrong(sql: &str) -> Result<SqlError> {
    let session = Session::new(Some(2), MEMORY)?;
    let frame = match session.sql(sql).await {
        Ok(frame) => frame,
        Err(error) => return Ok(error),
    };
    match frame.collect().await {
        Ok(_) => Err(format!("nothing is wrong with {sql}").into()),
        Err(error) => Ok(error.into()),
    }
}

/// The same as `wrong`, but it has to be found before the first row.
async fn wrong_plan(sql: &str) -> Result<SqlError> {
    match Session::new(Some(2), MEMORY)?.sql(sql).await {
        Ok(_) => Err(format!("{sql} was planned").into()),
        Err(error) => Ok(error),
    }
}

#[tokio::test]
async fn numbers_are_those_of_the_library() -> Result<()> {
    for (rule, attack) in [("1d20 + [Attack] >= 15", 5), ("4d6kh3 + [Attack]", -2)] {
        let mut resources = ResourceTable::new();
        resources.set(ResourceName::parse("Attack"), attack);
        let bound = Compiler::new()
            .rule(rule)
            .map_err(|_| "a rule")?
            .bind(&resources)?;
        let odds = bound.distribution(&Limits::default())?;
        let mean = odds.mean();
        let function = if rule.contains(">=") {
            "dice_p"
        } else {
            "dice_mean"
        };
        let found = number(&format!("SELECT {function}('{rule}', {attack})")).await?;
        assert!(
            (found - mean).abs() < 1e-10,
            "{rule}: {found} is not {mean}"
        );
    }
    assert_eq!(number("SELECT dice_quantile('3d6', 0.5)").await?, 10.0);
    assert_eq!(number("SELECT dice_quantile('1d100', 0.95)").await?, 95.0);
    Ok(())
}

#[tokio::test]
async fn odds_are_structures() -> Result<()> {
    let session = Session::new(None, MEMORY)?;
    let sql = "SELECT dice_odds('1d20 + [Bonus] vs [AC]', 5, 15) AS save, dice_odds('3d6') AS sum";
    let rows = rows(&session, sql).await?;
    let save = rows.column(0).as_struct();
    let names = ["critical_failure", "failure", "success", "critical_success"];
    assert_eq!(save.column_names(), names);
    let shares = save.columns().iter();
    let shares = shares.map(|share| share.as_primitive::<Float64Type>().value(0));
    assert_eq!(shares.collect::<Vec<_>>(), [0.05, 0.4, 0.5, 0.05]);
    let sum = rows.column(1).as_struct();
    assert_eq!(sum.column_names(), ["mean", "sd", "p5", "p50", "p95"]);
    let field = number("SELECT dice_odds('3d6')['p95']").await?;
    assert_eq!(field, 15.0);
    Ok(())
}

#[tokio::test]
async fn simulations_have_the_seed_of_their_call() -> Result<()> {
    let session = Session::new(None, MEMORY)?;
    let sql = "SELECT dice_sim('2d6 + [Bonus]', 5000, 7, 3) AS s";
    let rows = rows(&session, sql).await?;
    let found = rows.column(0).as_struct();
    assert_eq!(
        found.column_names(),
        ["mean", "sd", "p5", "p50", "p95", "se"]
    );
    let bound = Compiler::new().rule("2d6 + 3").map_err(|_| "a rule")?;
    let bound = bound.bind(&ResourceTable::new())?;
    let simulation = Simulation::trials(5000).seed(7).backend(Backend::Jit);
    let mean = bound
        .simulate(&simulation)?
        .summary()
        .mean()
        .ok_or("trials")?;
    assert_eq!(found.column(0).as_primitive::<Float64Type>().value(0), mean);
    let other = number("SELECT dice_sim('2d6 + [Bonus]', 5000, 8, 3)['mean']").await?;
    assert_ne!(other, mean);
    Ok(())
}

#[tokio::test]
async fn encounters_are_fought() -> Result<()> {
    let session = Session::new(None, MEMORY)?;
    let sql = "SELECT dice_encounter('4 Guard vs 5 Goblin', 200, 1) AS a, \
               dice_encounter('4 Guard', '5 Goblin', 200, 1) AS b, \
               dice_encounter('4 Guard', '5 Goblin', 200, 1, \
                              named_struct('Goblin.count', 1, 'first.surprised', false)) AS c";
    let rows = rows(&session, sql).await?;
    let share = |column: usize, field: usize| {
        let fight = rows.column(column).as_struct().column(field);
        fight.as_primitive::<Float64Type>().value(0)
    };
    let names = rows.column(0).as_struct().column_names();
    assert_eq!(names[..4], ["win", "lose", "draw", "rounds_mean"]);
    assert!((share(0, 0) + share(0, 1) + share(0, 2) - 1.0).abs() < 1e-9);
    assert_eq!(share(0, 0), share(1, 0));
    assert!(
        share(2, 0) > share(0, 0) + 0.3,
        "fewer goblins lose more often"
    );
    // Nobody in it is a character, so nobody dies slowly.
    assert!(rows.column(0).as_struct().column(7).is_null(0));
    Ok(())
}

/// A table with many equal rows, and one that lacks a value.
const TABLE: &str = "(SELECT value, CASE WHEN value = 77 THEN NULL ELSE value % 20 END AS attack \
                     FROM generate_series(0, 9999) t (value))";

#[tokio::test]
async fn partitions_do_not_change_answers() -> Result<()> {
    let sql = format!(
        "SELECT value, dice_p('1d20 + [Attack] >= 15', attack) AS hit, \
         dice_sim('2d6 + [Attack]', 100, 3, attack) AS damage FROM {TABLE} ORDER BY value"
    );
    let mut found = Vec::new();
    for partitions in [1, 2, 7] {
        let session = Session::new(Some(partitions), MEMORY)?;
        found.push(rows(&session, &sql).await?);
        // 20 different attacks, for each of the two calls.
        assert_eq!(session.questions().remembered()?, 40);
    }
    assert_eq!(found[0].num_rows(), 10_000);
    assert!(found[0].column(1).is_null(77) && found[0].column(2).is_null(77));
    assert_eq!(
        (found[0].column(1).null_count(), &found[1], &found[2]),
        (1, &found[0], &found[0])
    );
    Ok(())
}

#[tokio::test]
async fn columns_without_a_name_are_called_as_they_are_written() -> Result<()> {
    let sql = "SELECT dice_p('1d20 + [A] >= 15', a), dice_mean('2d6') FROM (VALUES (5)) t (a)";
    let rows = rows(&Session::new(None, MEMORY)?, sql).await?;
    let schema = rows.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        ["dice_p('1d20 + [A] >= 15', t.a)", "dice_mean('2d6')"]
    );
    Ok(())
}

#[tokio::test]
async fn resources_have_names_in_a_structure() -> Result<()> {
    let sql = "SELECT dice_p('1d20 + [Attack] >= [Target AC]', \
               named_struct('Target AC', '15', 'Attack', 5.0))";
    assert_eq!(number(sql).await?, 0.55);
    let sql = "SELECT dice_mean(rule, named_struct('STR', str)) AS m FROM \
               (VALUES ('1d8 + [STR]', 3), ('2d6', 1)) t (rule, str)";
    let rows = rows(&Session::new(None, MEMORY)?, sql).await?;
    let means = rows.column(0).as_primitive::<Float64Type>();
    assert_eq!(means.values().to_vec(), [7.5, 7.0]);
    Ok(())
}

#[tokio::test]
async fn mistakes_are_found_when_a_statement_is_planned() -> Result<()> {
    for (sql, code, message) in [
        ("SELECT dice_p('1d20 +')", "D0006", "missing"),
        (
            "SELECT dice_mean('1d20 >= 15')",
            "D0531",
            "wants a rule that gives a number",
        ),
        (
            "SELECT dice_p('1d20')",
            "D0531",
            "wants a rule that succeeds or fails",
        ),
        ("SELECT dice_p()", "D0531", "lacks its rule"),
        (
            "SELECT dice_p(12)",
            "D0531",
            "argument 1 of dice_p is Int64",
        ),
        (
            "SELECT dice_p('1d20 + [A] >= [B]', 1)",
            "D0531",
            "2 resources ([A], [B])",
        ),
        (
            "SELECT dice_p('1d20 >= 15', 1)",
            "D0531",
            "reads no resource",
        ),
        (
            "SELECT dice_quantile('3d6', 1.5)",
            "D0531",
            "between 0 and 1",
        ),
        ("SELECT dice_sim('3d6', 0, 1)", "D0531", "number of trials"),
        ("SELECT dice_sim('3d6', 10)", "D0531", "lacks its seed"),
        (
            "SELECT dice_odds(r) FROM (VALUES ('3d6')) t (r)",
            "D0531",
            "differs between rows",
        ),
        (
            "SELECT dice_mean(r, 1) FROM (VALUES ('3d6')) t (r)",
            "D0531",
            "without names",
        ),
        (
            "SELECT dice_encounter('4 Guard vs 5 Goblin', 10, 1, 5)",
            "D0531",
            "has a name",
        ),
        (
            "SELECT dice_p('1d20 >= [A]', named_struct('B', 1))",
            "D0505",
            "is not given [A]",
        ),
        (
            "SELECT dice_p('1d20 >= [A]', named_struct('A', true))",
            "D0531",
            "Boolean",
        ),
        ("SELECT dice_x('3d6')", "D0530", "dice_x"),
        ("SELEC 1", "D0530", "is not SQL: Expected: an SQL statement"),
        ("SELECT 'a", "D0530", "is not SQL: Unterminated string"),
        (
            "SELECT * FROM 'no such file.csv'",
            "D0501",
            "cannot read the table",
        ),
        (
            "SELECT * FROM 'Cargo.toml'",
            "D0518",
            "no table is written as .toml",
        ),
        (
            "SELECT * FROM dice_matchups('a.csv')",
            "D0531",
            "joins two tables",
        ),
    ] {
        let error = wrong_plan(sql).await?;
        let codes: Vec<&str> = error.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes[0], code, "{sql}: {error}");
        assert!(error.to_string().contains(message), "{sql}: {error}");
    }
    Ok(())
}

#[tokio::test]
async fn typos_in_names_are_both_told() -> Result<()> {
    let sql = "SELECT dice_p('1d20 + [Attack] >= 15', named_struct('Atack', 5))";
    let error = wrong_plan(sql).await?;
    let helps: Vec<&str> = error
        .findings
        .iter()
        .filter_map(|found| found.help.as_deref())
        .collect();
    assert!(helps[0].contains("did you mean \"Atack\"?"), "{helps:?}");
    assert_eq!(helps[1], "did you mean `Attack`?");
    assert!(
        error.to_string().contains("the rule of dice_p:1:8"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn rows_that_are_wrong_end_a_statement() -> Result<()> {
    for (sql, code, message) in [
        (
            "SELECT dice_p('1d20 + [A] >= 15', a) FROM (VALUES ('5'), ('twelve')) t (a)",
            "D0504",
            "`twelve` for [A] is not a whole number",
        ),
        (
            "SELECT dice_mean(r) FROM (VALUES ('3d6'), ('3d')) t (r)",
            "D0006",
            "the rule of dice_mean",
        ),
        (
            "SELECT dice_mean(r) FROM (VALUES ('3d6'), ('1d20 >= 3')) t (r)",
            "D0531",
            "does not have what dice_mean asks for",
        ),
        (
            "SELECT dice_mean('1d6 + [A] * 9223372036854775807', a) FROM (VALUES (7)) t (a)",
            "D0301",
            "in a row with A = 7",
        ),
        (
            "SELECT dice_encounter(a, '2 Goblin', 10, 1) FROM (VALUES ('2 Gublin')) t (a)",
            "D0524",
            "Gublin",
        ),
    ] {
        let error = wrong(sql).await?;
        assert_eq!(error.findings[0].code, code, "{sql}: {error}");
        assert!(error.to_string().contains(message), "{sql}: {error}");
    }
    Ok(())
}

#[tokio::test]
async fn files_are_tables() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("party.csv"), "Name,Attack\nBrenna,7\nCorin,9\n")?;
    std::fs::write(
        at("foes.jsonl"),
        "{\"Name\":\"Orc\",\"AC\":13}\n{\"Name\":\"Owl\",\"AC\":11}\n",
    )?;
    std::fs::write(at("foes.json"), "[{\"Name\":\"Orc\",\"AC\":13}]")?;
    std::fs::write(at("foes.tsv"), "Name\tAC\nOrc\t13\n")?;
    let session = Session::new(None, MEMORY)?;
    for (name, count) in [
        ("party.csv", 2),
        ("foes.jsonl", 2),
        ("foes.json", 1),
        ("foes.tsv", 1),
    ] {
        let rows = rows(&session, &format!("SELECT Name FROM '{}'", at(name))).await?;
        assert_eq!(rows.num_rows(), count, "{name}");
    }
    let sql = format!(
        "SELECT Name, \"Target Name\", odds['p'] FROM (SELECT *, dice_odds('1d20 + [Attack] >= \
         [Target AC]', Attack, \"Target AC\") AS odds \
         FROM dice_matchups('{}', '{}')) ORDER BY Name, \"Target Name\"",
        at("party.csv"),
        at("foes.jsonl")
    );
    let rows = rows(&session, &sql).await?;
    let hits = rows.column(2).as_primitive::<Float64Type>();
    assert_eq!(hits.values().to_vec(), [0.75, 0.85, 0.85, 0.95]);
    assert_eq!(rows.column(1).data_type(), &DataType::Utf8);
    Ok(())
}

#[tokio::test]
async fn what_is_worth_knowing_is_noted() -> Result<()> {
    let session = Session::new(None, MEMORY)?;
    rows(
        &session,
        "SELECT dice_encounter('1 Knight vs 1 Goblin', 10, 1)",
    )
    .await?;
    rows(&session, "SELECT dice_mean('1d6 - [Armour]', 3)").await?;
    let notes = session.questions().notes()?;
    let texts: Vec<&str> = notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert_eq!(texts[0], "Knight: not modelled: Leadership");
    assert!(
        texts[1].contains("clamping at 0 changed up to 33.3333 %"),
        "{texts:?}"
    );
    Ok(())
}
