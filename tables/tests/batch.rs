//! Whole runs over tables: the same answers for any number of threads and whatever rows stand
//! around a row, those of the library's own questions, and who is told of what.

use dicec_compiler::unstable::{Backend, SHARED_FROM, Sampling};
use dicec_compiler::{Bound, Compiler, Control, Failure, Simulation};
use dicec_lang::hir::{CHANCE_SIDES, Policy};
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_tables::{AnyDiceCells, Batch, Columns, Field, Method, Numbers, Varying};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A roll with everything: a result, a statistic, lines with names in them, an option and a
/// resource.
const SCRIPT: &str = r#"
    deftype fighter { name: string, ac: int, blows: int list }
    defroll "Fight" fight(who: fighter, rounds: int) {
        hits = 0;
        for (blow : who.blows) {
            hits += roll(d20) + blow + [Luck] >= who.ac ? 1 : 0;
        }
        stat("damage", d(rounds, 6));
        if (userOption("Boast?")) {
            line = who.name + " boasts";
            output(line);
        }
        return hits;
    }
"#;

/// What is asked of each row.
#[derive(Clone, Copy)]
enum Asked {
    Rule(&'static str),
    /// The rules in the first column.
    Texts,
    /// [`SCRIPT`], whose players boast half of the time.
    Fight,
}

fn exact() -> Method {
    Method::Exact(Limits::default(), None)
}

fn simulation(trials: u64, backend: Backend, sampling: Sampling) -> Simulation {
    let simulation = Simulation::trials(trials).seed(11).threads(1);
    simulation.backend(backend).sampling(sampling)
}

fn sampled(trials: u64) -> Method {
    Method::Sample(simulation(trials, Backend::Auto, Sampling::Fused))
}

fn luck() -> ResourceTable {
    let mut table = ResourceTable::new();
    table.set(ResourceName::parse("Luck"), 1);
    table
}

fn fighter() -> Value {
    json!({"who": {"name": "Ayla", "ac": 12, "blows": [1, 2]}, "rounds": 2})
}

fn batch(
    asked: Asked,
    header: &[&str],
    method: Method,
    numbers: Numbers,
    threads: usize,
    control: &Control,
) -> Batch {
    let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
    let columns = Columns::new(&header, luck());
    let batch = Batch::controlled(columns, method, numbers, Some(threads), control.clone());
    let mut batch = batch.expect("threads");
    match asked {
        Asked::Rule(text) => {
            let rule = Compiler::new().rule(text).expect("a good rule");
            batch.ask_rule("x", &rule).expect("all columns");
        }
        Asked::Texts => batch.ask_column("x", 0, Compiler::new(), &AnyDiceCells::default()),
        Asked::Fight => {
            let script = Compiler::new().script(SCRIPT).expect("a good script");
            let roll = script.roll("fight").expect("it is defined");
            let varying = Varying::new(roll, fighter(), &header).expect("good columns");
            let boasts = [("Boast?".to_owned(), Policy::Chance(CHANCE_SIDES / 2))];
            batch.ask_roll("x", varying, &boasts).expect("all columns");
        }
    }
    batch
}

/// The table that is added: the names of its columns, and in each row their figures; a row without
/// an answer has none.
fn table(batch: &mut Batch, rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut groups = Vec::new();
    let mut table = Vec::new();
    for block in rows.chunks(256) {
        batch.clear();
        for row in block {
            batch.push(row.as_slice());
        }
        batch.solve().expect("nobody cancels");
        if groups.is_empty() {
            groups = batch.groups();
            table.push(groups[0].columns().collect());
        }
        table.extend((0..block.len()).map(|row| {
            let Ok(answer) = batch.answer(row, 0) else {
                return Vec::new();
            };
            let figure = |field: &Field| groups[0].figure(&answer, *field);
            let figures = groups[0].fields.iter().map(figure);
            figures
                .map(|figure| figure.map_or_else(String::new, |figure| figure.to_string()))
                .collect()
        }));
    }
    table
}

fn cells(rows: &[&[&str]]) -> Vec<Vec<String>> {
    let row = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
    rows.iter().map(row).collect()
}

/// The figures under a name, row by row.
fn column(table: &[Vec<String>], name: &str) -> Vec<String> {
    let place = table[0].iter().position(|column| column == name);
    let place = place.unwrap_or_else(|| panic!("no {name} in {:?}", table[0]));
    table[1..].iter().map(|row| row[place].clone()).collect()
}

/// Distinct tuples, repeated ones, bad cells and several blocks.
#[test]
fn any_number_of_threads_gives_the_same_table() {
    let rules: Vec<Vec<String>> = (0..600)
        .map(|row| {
            let attack = match row % 97 {
                96 => "none".to_owned(),
                _ => (row % 300).to_string(),
            };
            vec![format!("{}d6+[Attack]", 1 + row % 7), attack]
        })
        .collect();
    let fights: Vec<Vec<String>> = (0..600)
        .map(|row| {
            let rounds = match row % 50 {
                49 => "many".to_owned(),
                _ => (row % 3).to_string(),
            };
            let name = ["Bo", ""][row % 2].to_owned();
            vec![(row % 17).to_string(), rounds, name]
        })
        .collect();
    let damage = Asked::Rule("([Attack] / 100)d6 + [Attack]");
    let fight = ["who.ac", "rounds", "who.name"];
    for (asked, header, rows, method) in [
        (Asked::Texts, &["Rule", "Attack"][..], &rules, exact()),
        (
            damage,
            &["Rule", "Attack"],
            &rules[..60].to_vec(),
            sampled(70_000),
        ),
        (Asked::Fight, &fight, &fights, exact()),
        (Asked::Fight, &fight, &fights, sampled(3000)),
    ] {
        let control = Control::default();
        let tables = [1, 2, 3].map(|threads| {
            let method = method.clone();
            let mut batch = batch(asked, header, method, Numbers::Quantiles, threads, &control);
            table(&mut batch, rows)
        });
        assert_eq!(tables[0].len(), rows.len() + 1);
        assert_eq!(tables[0], tables[1]);
        assert_eq!(tables[0], tables[2]);
    }
}

const ENGINES: [(Backend, Sampling); 2] = [
    (Backend::Jit, Sampling::Fused),
    (Backend::Interp, Sampling::Faithful),
];

/// What a simulation by itself gives: mean, standard deviation, and the events.
fn simulated(bound: &Bound, simulation: &Simulation) -> (String, String, dicec_compiler::Report) {
    let report = bound.simulate_shared(simulation, &Control::default());
    let report = report.expect("no trap");
    let tally = report.tally().expect("outcomes are kept");
    let [mean, sd] = [tally.mean(), tally.sd()].map(|number| number.expect("trials").to_string());
    (mean, sd, report)
}

/// A simulation specialises a rule on its resources, a batch does not: the draws are the same.
#[test]
fn sampled_rows_are_what_a_simulation_gives() {
    let text = "([Count])d6 + 3d4 + (2)d[Sides]";
    let program = Compiler::new().rule(text).expect("a good rule");
    let rows = cells(&[&["3", "8"], &["0", "1"], &["7", "100"]]);
    for (backend, sampling) in ENGINES {
        let simulation = simulation(2000, backend, sampling);
        let method = Method::Sample(simulation.clone());
        let (header, control) = (["Count", "Sides"], Control::default());
        let asked = Asked::Rule(text);
        let mut batch = batch(asked, &header, method, Numbers::Quantiles, 2, &control);
        let means = column(&table(&mut batch, &rows), "x_mean");
        for (mean, values) in means.iter().zip([[3, 8], [0, 1], [7, 100]]) {
            let bound = program.bind_values(&values).expect("its resources");
            assert_eq!(*mean, simulated(&bound, &simulation).0, "{values:?}");
        }
    }
}

/// Few trials and faithful ones are those of a simulation for known arguments.
#[test]
fn simulations_for_any_arguments_are_those_for_known_ones() {
    let script = Compiler::new().script(SCRIPT).expect("a good script");
    let roll = script.roll("fight").expect("it is defined");
    let who = json!({"name": "Ayla", "ac": 11, "blows": [1, 2]});
    let args = roll.arguments(&json!({"who": who, "rounds": 2}));
    let bound = roll.bind_values(args.expect("they fit"), &[3]);
    let bound = bound.expect("all resources");
    for (trials, sampling) in [
        (SHARED_FROM - 1, Sampling::Fused),
        (SHARED_FROM, Sampling::Faithful),
        (120_000, Sampling::Faithful),
    ] {
        let simulation = simulation(trials, Backend::Jit, sampling);
        let shared = bound.simulate_shared(&simulation, &Control::default());
        let alone = bound.simulate(&simulation).expect("no trap");
        let [shared, alone] = [shared.expect("no trap"), alone].map(|report| {
            let outcomes = report.tally().expect("outcomes are kept").outcomes();
            outcomes.collect::<Vec<_>>()
        });
        assert_eq!(shared, alone, "{trials}");
    }
}

#[test]
fn sampled_rows_of_a_script_are_what_a_simulation_gives() {
    for trials in [2000, SHARED_FROM] {
        sampled_rows_of_a_script(trials);
    }
}

/// Whatever rows stand around it: each row is compared with a simulation of a program of its own.
fn sampled_rows_of_a_script(trials: u64) {
    let header = ["who.ac", "who.blows", "Luck"];
    let rows = cells(&[
        &["10", "", ""],
        &["15", "[3, -1, 4]", "2"],
        &["10", "", "0"],
        &["10"],
    ]);
    let known = [
        (10, vec![1, 2], 1),
        (15, vec![3, -1, 4], 2),
        (10, vec![1, 2], 0),
        (10, vec![1, 2], 1),
    ];
    for (backend, sampling) in ENGINES {
        let simulation = simulation(trials, backend, sampling);
        let (method, control) = (Method::Sample(simulation.clone()), Control::default());
        let mut batch = batch(
            Asked::Fight,
            &header,
            method,
            Numbers::Quantiles,
            2,
            &control,
        );
        let table = table(&mut batch, &rows);
        let names = ["x_mean", "x_sd", "damage_mean", "Ayla boasts"];
        let columns = names.map(|name| column(&table, name));
        for (row, (ac, blows, luck)) in known.iter().enumerate() {
            let script = Compiler::new().script(SCRIPT).expect("a good script");
            let roll = script.roll("fight").expect("it is defined");
            let who = json!({"name": "Ayla", "ac": ac, "blows": blows});
            let args = roll.arguments(&json!({"who": who, "rounds": 2}));
            let mut resources = ResourceTable::new();
            resources.set(ResourceName::parse("Luck"), *luck);
            let bound = roll.bind(args.expect("they fit"), &resources);
            let policy = Policy::Chance(CHANCE_SIDES / 2);
            let bound = bound.expect("all resources").with_policy("Boast?", policy);
            let (mean, sd, report) = simulated(&bound.expect("an option"), &simulation);
            let damage = report.events.stats()[0].mean().expect("noted");
            let boasts: u64 = report.events.lines.iter().map(|(_, times)| times).sum();
            let boasts = boasts as f64 / trials as f64;
            let expected = [mean, sd, damage.to_string(), boasts.to_string()];
            assert_eq!(
                columns.each_ref().map(|column| column[row].clone()),
                expected
            );
        }
        assert_eq!(table[1], table[4]);
    }
}

#[test]
fn equal_rows_are_worked_out_once() {
    let header = ["who.ac", "who.name", "note", "Luck"];
    let control = Control::default();
    let mut batch = batch(
        Asked::Fight,
        &header,
        exact(),
        Numbers::Quantiles,
        1,
        &control,
    );
    let rows: [&[&str]; 4] = [
        &["", "Ayla", "a", "1"],
        &["12", "", "b", ""],
        &["+12.0", "\"Ayla\"", "c", " 1"],
        &["13", "", "d", ""],
    ];
    let remembered = rows.map(|row| {
        assert!(batch.push(row));
        batch.remembered()
    });
    assert_eq!(remembered, [1, 1, 1, 2]);
}

#[test]
fn lines_that_come_late_do_not_break_the_table() {
    let name = |row| if row == 300 { "Zed" } else { "Ayla" };
    let rows: Vec<Vec<String>> = (0..400).map(|row| vec![name(row).to_owned()]).collect();
    let control = Control::default();
    let numbers = Numbers::Quantiles;
    let mut batch = batch(Asked::Fight, &["who.name"], exact(), numbers, 1, &control);
    let table = table(&mut batch, &rows);
    assert_eq!(table[0].last().map(String::as_str), Some("Ayla boasts"));
    let boasts = column(&table, "Ayla boasts");
    assert_eq!((boasts[299].as_str(), boasts[300].as_str()), ("0.5", "0"));
    assert!(table.iter().all(|row| row.len() == table[0].len()));
}

/// The same trials, of which other things are kept: exact rows, sampled ones, those of texts and of
/// scripts.
#[test]
fn a_summary_has_the_same_figures() {
    let header = ["Rule", "Bonus", "who.ac"];
    let rows = cells(&[
        &["2d6", "0", "5"],
        &["1d20>=11", "7", "9"],
        &["20d100", "-2000", "12"],
    ]);
    let rule = Asked::Rule("(1d20 + [Bonus]) * 3 + 3d100");
    let control = Control::default();
    for asked in [rule, Asked::Texts, Asked::Fight] {
        for method in [exact(), sampled(5000), sampled(200_000)] {
            let with = |numbers| {
                let mut batch = batch(asked, &header, method.clone(), numbers, 2, &control);
                table(&mut batch, &rows)
            };
            let (whole, short) = (with(Numbers::Quantiles), with(Numbers::Ends));
            let is_sampled = matches!(method, Method::Sample(_));
            let names = ["x_mean", "x_sd", "x_se"];
            for name in &names[..if is_sampled { 3 } else { 2 }] {
                assert_eq!(column(&short, name), column(&whole, name));
            }
            assert!(whole[0].contains(&"x_p50".to_owned()));
            assert!(!short[0].contains(&"x_p50".to_owned()));
            assert_eq!(column(&short, "x_min").len(), column(&short, "x_max").len());
        }
    }
}

#[test]
fn progress_is_told_in_rows() {
    let control = Control::default();
    let rule = Asked::Rule("1d20 + [Attack]");
    let mut batch = batch(rule, &["Attack"], exact(), Numbers::Ends, 2, &control);
    let told = Arc::new(Mutex::new(Vec::new()));
    let teller = Arc::clone(&told);
    batch.on_progress(Some(1000), move |done, rows| {
        teller.lock().expect("nobody panics").push((done, rows));
    });
    let rows: Vec<Vec<String>> = (0..1000).map(|row| vec![(row / 2).to_string()]).collect();
    table(&mut batch, &rows);
    let told = told.lock().expect("nobody panics");
    // A tuple for each two rows, and the end of each of four blocks.
    assert_eq!(told.len(), 500 + 4);
    assert_eq!(told.last(), Some(&(1000, Some(1000))));
    for end in [256, 512, 768, 1000] {
        assert!(told.contains(&(end, Some(1000))), "{end}");
    }
    assert!(told.iter().all(|(done, _)| (1..=1000).contains(done)));
}

#[test]
fn a_cancelled_batch_says_how_many_rows_are_done() {
    let control = Control::default();
    let rule = Asked::Rule("1d20 + [Attack]");
    let mut batch = batch(rule, &["Attack"], exact(), Numbers::Ends, 2, &control);
    let last = Arc::new(AtomicU64::new(0));
    let (stop, seen) = (control.clone(), Arc::clone(&last));
    batch.on_progress(None, move |done, rows| {
        assert_eq!(rows, None);
        seen.fetch_max(done, Ordering::Relaxed);
        if done > 150 {
            stop.cancel();
        }
    });
    let mut block = |first: i64| {
        batch.clear();
        for row in first..first + 100 {
            batch.push(&[row.to_string()][..]);
        }
        batch.solve()
    };
    assert_eq!(block(0), Ok(()));
    let (done, units) = (100, "rows");
    assert_eq!(block(100), Err(Failure::Cancelled { done, units }));
    assert!((151..=200).contains(&last.load(Ordering::Relaxed)));
}
