//! The interpreter, the IR before and after every pass, and native code agree.
//!
//! The number of generated cases is `DICEC_CASES`, 400 if unset. The release run of the
//! documentation is `DICEC_CASES=100000 cargo test --release -p dicec-tests --test engines
//! differential`.

use dicec_compiler::unstable::Sampling;
use dicec_lang::hir::Kind;
use dicec_native::ir::{Const, FunctionBuilder, Imm, Module, Op, Type, evaluate, op::ImmKind};
use dicec_native::pass::Pass;
use dicec_runtime::kernel::Sink;
use dicec_runtime::resource::ResourceName;
use dicec_tests::engines::{Outcome, Stage};
use dicec_tests::generate::Case;
use dicec_tests::{programs, properties, stages};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn cases() -> u32 {
    let wanted = std::env::var("DICEC_CASES").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(400)
}

#[test]
fn generated_programs() {
    let config = Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    };
    let bytes = proptest::collection::vec(any::<u8>(), 0..512);
    let (mut dice, mut traps, mut checks, mut floats) = (0, 0, 0, 0);
    let (mut pools, mut refused) = (0, 0);
    let result = TestRunner::new(config).run(&bytes, |bytes| {
        properties::differential(&bytes);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // The generated programs must be worth comparing.
    let mut runner = TestRunner::deterministic();
    for _ in 0..500 {
        let tree = bytes
            .new_tree(&mut runner)
            .expect("bytes are always possible");
        let Some(case) = properties::case(&proptest::strategy::ValueTree::current(&tree)) else {
            continue;
        };
        let Ok(program) = properties::compiler(&case).rule(&case.text) else {
            refused += 1;
            continue;
        };
        let bound = program
            .bind(&case.resources)
            .expect("the case gives every name");
        let roll = bound.roll(&mut dicec_compiler::Session::seeded(case.seed));
        traps += usize::from(roll.is_err());
        checks += usize::from(program.kind() == Some(Kind::Check));
        floats += usize::from(program.kind() == Some(Kind::Float));
        pools += usize::from(!programs::bare(&program).lowered().trial().pools.is_empty());
        dice += roll.map_or(0, |roll| usize::from(!roll.dice.is_empty()));
    }
    let found = [dice, traps, checks, floats, pools, 500 - refused];
    let least = [100, 50, 50, 30, 100, 300];
    assert!(
        found.iter().zip(least).all(|(found, least)| *found > least),
        "{found:?}"
    );
}

fn named_case(text: &str, resources: &[(&str, i64)]) -> Case {
    let parsed = dicec_lang::front::notation::parse(text, Default::default(), Default::default());
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}: {}",
        parsed.diagnostics
    );
    let mut resources = programs::table(resources);
    resources.set_default(Some(3));
    Case {
        dialect: Default::default(),
        ast: parsed.ast,
        text: text.to_owned(),
        resources,
        seed: 11,
    }
}

/// Edge cases: each program once broke something, or could.
#[test]
fn named_programs() {
    let edge = i64::MIN + 1;
    for (text, resources) in [
        ("1d20 + [Attack] >= [Target Defense]", &[("Attack", 6)][..]),
        ("(1d8 + [Strength]) * 2 - [Target Defense]", &[]),
        ("[A] / [B]", &[("A", i64::MIN), ("B", -1)]),
        ("[A] / (1d3 - 2)", &[("A", i64::MIN)]),
        ("(0 - 1d6) / (1d4 - 2)", &[]),
        ("7 / [B]", &[("B", 0)]),
        ("[A] / 8 + [A] / 7 + [A] / (0 - 7)", &[("A", -100)]),
        ("-[A]", &[("A", i64::MIN)]),
        ("[A] * [A]", &[("A", 3_037_000_500)]),
        ("[A] - 2", &[("A", edge)]),
        ("[A] + [A] - ([A] + [A])", &[("A", i64::MAX)]),
        ("0d6 + [A]d6 + 0 * 1d6", &[("A", -4)]),
        ("[A]d6", &[("A", 41)]),
        ("2d[A]", &[("A", 0)]),
        ("2d[A]", &[("A", 1_000_000_001)]),
        ("0d[A]", &[("A", 0)]),
        ("((1d2)d(1d3))d(1d4 + 1)", &[]),
        ("40d1000000000 * 9", &[]),
        ("40d1 + 33d65536 + 13d6 + 12d6", &[]),
        ("40d6 + 16d20 - 40d6 * [A] + 15d6 - 16d300", &[("A", 2)]),
        ("[A]d[B] + [A]d[B] >= [A]d[B]", &[("A", 3), ("B", 7)]),
        ("2d6 >= 2", &[]),
        // An unknown interval must not be treated as an empty one.
        ("1d6max[A]!!>3", &[("A", -400)]),
        ("2d6 - 13 > 1d4 - 5", &[]),
        ("9223372036854775807 + 1d2 - 1", &[]),
        ("d{fire,ice,fire,7}", &[]),
        ("d{fire,ice,fire,7} + 1", &[]),
    ] {
        properties::engines_agree(&named_case(text, resources));
    }
}

/// Trials of a rule that traps in some of them: the trap is in the same trial on every engine, as
/// `engines::check` compares, and it does happen.
#[test]
fn traps_in_the_middle_of_a_run() {
    let case = named_case("1 / 1 + 2d(1d8 - 1)", &[]);
    let outcome = properties::engines_agree(&case).expect("a rule");
    assert!(outcome.stopped.is_some_and(|stopped| stopped.trial > 0));
}

/// Operands at which integer and float operations change their behaviour.
fn edge_constants(ty: Type) -> Vec<Const> {
    match ty {
        Type::I64 => [
            i64::MIN,
            i64::MIN + 1,
            -(1 << 32),
            -8,
            -7,
            -1,
            0,
            1,
            2,
            7,
            64,
            1_000_000_000,
            1_000_000_001,
            1 << 53,
            (1 << 53) + 1,
            i64::MAX,
        ]
        .map(Const::I64)
        .to_vec(),
        Type::F64 => [
            0.0,
            -0.0,
            1.5,
            -2.25,
            -0.5,
            0.499_999_999_999_999_94,
            -7.0,
            1e308,
            -9_223_372_036_854_775_808.0,
            9_223_372_036_854_775_808.0,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NAN,
        ]
        .map(Const::F64)
        .to_vec(),
        Type::Bool => vec![Const::Bool(false), Const::Bool(true)],
    }
}

/// Every combination of edge operands for an operation.
fn operand_rows(op: Op) -> Vec<Vec<Const>> {
    let mut rows = vec![Vec::new()];
    for &param in op.info().params {
        let column = edge_constants(param);
        rows = rows
            .iter()
            .flat_map(|row| {
                column.iter().map(move |&constant| {
                    let mut longer = row.clone();
                    longer.push(constant);
                    longer
                })
            })
            .collect();
    }
    rows
}

fn constant(builder: &mut FunctionBuilder, value: Const) -> dicec_native::ir::Value {
    match value {
        Const::I64(value) => builder.iconst(value),
        Const::F64(value) => builder.inst(Op::Fconst, &[], Imm::Float(value)),
        Const::Bool(value) => builder.inst(Op::Bconst, &[], Imm::Bool(value)),
    }
}

/// The evaluator and native code.
fn both(module: Module, inputs: &[i64], trials: usize) -> [Outcome; 2] {
    let stage = Stage::new("built", module, inputs);
    stage.both(Sink::Values, 9, trials)
}

fn is_nan(cell: i64) -> bool {
    f64::from_bits(cell.cast_unsigned()).is_nan()
}

/// Each operation of the table that draws nothing, on edge operands: its meaning, the folder, the
/// evaluator and native code agree on value and trap. (Which of the not-a-number patterns comes out
/// is not part of the meaning.)
#[test]
fn every_operation_on_edge_operands() {
    for &op in Op::ALL {
        let imm = match op.info().imm {
            ImmKind::None => Imm::None,
            ImmKind::Limit => Imm::Limit(100),
            _ => continue,
        };
        if op.info().effect {
            continue;
        }
        for row in operand_rows(op) {
            let expected = evaluate(op, &row, imm).expect("a pure operation");
            let mut builder = FunctionBuilder::new(op.info().result, Vec::new());
            let args: Vec<_> = row.iter().map(|&arg| constant(&mut builder, arg)).collect();
            let value = builder.inst(op, &args, imm);
            builder.ret(value);
            let plain = Module::from(builder.finish());
            let mut optimised = plain.clone();
            for pass in Pass::PIPELINE {
                pass.run(&mut optimised);
            }
            for module in [plain, optimised] {
                for outcome in both(module.clone(), &[], 1) {
                    match (expected, outcome.stopped) {
                        (Ok(value), None) => {
                            let (value, cell) = (value.to_cell(), outcome.results[0]);
                            let float = op.info().result == Type::F64;
                            assert!(
                                value == cell || float && is_nan(value) && is_nan(cell),
                                "{op} {row:?}: {expected:?} but {cell}\n{module}"
                            );
                        }
                        (Err(code), Some(stopped)) => assert_eq!(stopped.trap.code, code),
                        (expected, got) => panic!("{op} {row:?}: {expected:?} but {got:?}"),
                    }
                }
            }
        }
    }
}

/// `die_sides` and `roll` over a range of computed sides, native against evaluated.
#[test]
fn rolls_of_computed_sides() {
    for sides in (-2..70).chain([255, 256, 1000, 65_537, 999_999_999, i64::MAX, i64::MIN]) {
        let mut builder = FunctionBuilder::new(Type::I64, vec![ResourceName::parse("S")]);
        let value = builder.inst(Op::Resource, &[], Imm::Slot(0));
        let face = builder.inst(Op::Roll, &[value], Imm::None);
        builder.ret(face);
        let [evaluated, native] = both(Module::from(builder.finish()), &[sides], 100);
        assert_eq!(native, evaluated, "d{sides}");
        assert_eq!(native.stopped, None, "d{sides}");
    }
}

/// Pools that native code unrolls, loops over, packs or draws from tables, at the boundaries
/// between these cases.
#[test]
fn pools_of_every_shape() {
    for count in [
        0, 1, 2, 11, 12, 13, 15, 16, 21, 22, 43, 63, 64, 65, 100, 1000,
    ] {
        for sides in [1, 2, 3, 6, 8, 10, 100, 1 << 20, 999_999_937, 1_000_000_000] {
            let text = format!("{count}d{sides}");
            let program = programs::rule(&text);
            for sampling in [Sampling::Faithful, Sampling::Fused] {
                let [evaluated, native] = both(stages::module_of(&program, sampling), &[], 8);
                assert_eq!(native, evaluated, "{text} {sampling:?}");
                assert_eq!(native.stopped, None, "{text} {sampling:?}");
            }
        }
    }
}
