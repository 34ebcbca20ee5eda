//! Floats, from the typed tree down: interpreter, IR before and after every pass, native code and
//! the exact engine agree to the last bit, and samples fit the exact odds.
//!
//! The number of generated trees is `DICEC_CASES`, 400 if unset.

use arbitrary::{Result, Unstructured};
use dashu_int::UBig;
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Session, Simulation};
use dicec_exact::{ExactError, Question, solve};
use dicec_lang::check::check;
use dicec_lang::hir::{
    ArithOp, CompareOp, Expr, ExprKind, Float, FunctionId, Kind, Math, Module as Tree, Pool,
    ResourceUse, Roll, Slot, Type,
};
use dicec_lang::interp::InterpKernel;
use dicec_native::best_sink;
use dicec_native::ir::Module;
use dicec_native::jit::JitKernel;
use dicec_native::lower::lower;
use dicec_native::pass::{Rewrites, optimise};
use dicec_runtime::driver::{Control, Extent, Judged, Plan, Workers, simulate};
use dicec_runtime::float::key;
use dicec_runtime::kernel::Sink;
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::pmf::{Budget, Limits, Pmf, Weight};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::scale::Scale;
use dicec_runtime::span::Span;
use dicec_runtime::stats::chi_square;
use dicec_runtime::trap::TrapCode;
use dicec_tests::engines::{Outcome, Stage, after_passes, run};
use dicec_tests::enumerate::Enumeration;
use dicec_tests::programs::{bare, notation};
use dicec_tests::{fit, stages};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::Arc;

const TRIALS: usize = 24;

/// Each node has its own span, so that the span of a trap identifies the node.
struct Trees<'b, 'd> {
    bytes: &'b mut Unstructured<'d>,
    nodes: u32,
}

impl Trees<'_, '_> {
    fn node(&mut self, kind: ExprKind) -> Expr {
        self.nodes += 1;
        Expr {
            kind,
            ty: Type::Unknown,
            span: Span::new(self.nodes, self.nodes + 1),
        }
    }

    fn rule(&mut self) -> Result<Expr> {
        let left = self.number(4)?;
        if !self.bytes.ratio(1, 5)? {
            return Ok(left);
        }
        let op = *self.bytes.choose(&CompareOp::ALL)?;
        let right = self.number(2)?;
        Ok(self.node(ExprKind::Compare(op, Box::new(left), Box::new(right))))
    }

    fn number(&mut self, depth: u32) -> Result<Expr> {
        if depth == 0 {
            return self.leaf();
        }
        let kind = match self.bytes.int_in_range(0..=9)? {
            0..=4 => {
                let op = *self.bytes.choose(&[
                    ArithOp::Add,
                    ArithOp::Sub,
                    ArithOp::Mul,
                    ArithOp::Quotient,
                    ArithOp::Quotient,
                    ArithOp::Rem,
                    ArithOp::Pow,
                ])?;
                let left = Box::new(self.number(depth - 1)?);
                ExprKind::Arith(op, left, Box::new(self.number(depth - 1)?))
            }
            5 => ExprKind::Negate(Box::new(self.number(depth - 1)?)),
            6..=8 => {
                let function = *self.bytes.choose(&[
                    Math::Floor,
                    Math::Ceil,
                    Math::Round,
                    Math::Abs,
                    Math::Sqrt,
                    Math::Max,
                    Math::Min,
                ])?;
                let mut args = vec![self.number(depth - 1)?];
                if matches!(function, Math::Max | Math::Min) {
                    for _ in 0..self.bytes.int_in_range(0..=2)? {
                        args.push(self.number(depth - 1)?);
                    }
                }
                ExprKind::Math(function, args)
            }
            _ => return self.leaf(),
        };
        Ok(self.node(kind))
    }

    fn leaf(&mut self) -> Result<Expr> {
        let decimals = [0.5, 1.5, 0.1, 1e18, 1e300, -2.25, 1e-300, 0.0];
        let kind = match self.bytes.int_in_range(0..=9)? {
            0 | 1 => {
                let number = *self.bytes.choose(&decimals)?;
                ExprKind::Float(Float::new(number).expect("finite"))
            }
            2..=4 => ExprKind::Int(self.bytes.int_in_range(-3..=12)?),
            5 => ExprKind::Int(*self.bytes.choose(&[i64::MAX, i64::MIN, 1 << 53])?),
            6 => ExprKind::Resource(Slot(0)),
            _ => {
                let count = ExprKind::Int(self.bytes.int_in_range(0..=2)?);
                let sides = ExprKind::Int(*self.bytes.choose(&[2, 4, 6])?);
                let (count, sides) = (self.node(count), self.node(sides));
                ExprKind::Pool(Box::new(Pool::plain(count, sides)))
            }
        };
        Ok(self.node(kind))
    }
}

/// The typed program of a tree, over one resource.
fn program(body: Expr) -> Arc<Tree> {
    let resources = vec![ResourceUse {
        name: ResourceName::parse("A"),
        span: Span::default(),
    }];
    let roll = Roll {
        holes: Vec::new(),
        body,
        labels: Arc::default(),
        cost: 0,
    };
    let mut program = Tree::of_rule(resources, roll);
    let found = check(&mut program, RollLimits::default());
    assert!(!found.has_errors(), "{found}");
    Arc::new(program)
}

/// What the interpreter gives.
fn interpreted(program: &Arc<Tree>, resources: &[i64], seed: u64) -> Outcome {
    let kernel = InterpKernel::of_rule(Arc::clone(program), RollLimits::default(), Sink::Values);
    run(&kernel, resources, seed, TRIALS)
}

fn lowered(program: &Tree, limits: RollLimits) -> Module {
    lower(program, FunctionId(0), &[], limits, ScriptLimits::default())
}

fn distribution<W: Weight>(
    program: &Tree,
    resources: &[i64],
    budget: &mut Budget,
) -> std::result::Result<Pmf<W>, ExactError> {
    let question = Question::of_rule(program, resources, RollLimits::default());
    Ok(solve(&question, budget)?
        .result
        .expect("a rule has a result"))
}

/// Every engine on one program.
fn agree(program: &Arc<Tree>, resources: &[i64], seed: u64) {
    let limits = RollLimits::default();
    let expected = interpreted(program, resources, seed);
    let mut optimised = lowered(program, limits);
    let mut stages = after_passes(&optimised, resources);
    optimise(
        &mut optimised,
        Sampling::Faithful,
        &mut Rewrites::from_environment(),
    );
    stages.push(Stage::new("optimised", optimised, resources));
    for stage in stages {
        stage.expect(&expected, seed, TRIALS, program);
    }
    let Some(all) = Enumeration::of_tree(program, limits, resources, 500) else {
        return;
    };
    let mut budget = Budget::new(Limits::default());
    match distribution::<UBig>(program, resources, &mut budget) {
        Ok(pmf) => all.expect(&pmf, program),
        Err(ExactError::Trap(trap)) => assert!(all.traps.contains(&trap), "{program:?}: {trap:?}"),
        Err(other) => panic!("{program:?}: {other}"),
    }
}

#[test]
fn generated_trees() {
    let cases = std::env::var("DICEC_CASES").ok();
    let config = Config {
        cases: cases.and_then(|text| text.parse().ok()).unwrap_or(400),
        failure_persistence: None,
        ..Config::default()
    };
    let bytes = proptest::collection::vec(any::<u8>(), 0..256);
    let (mut decimals, mut whole) = (0, 0);
    let result = TestRunner::new(config).run(&(bytes, any::<u64>()), |(bytes, seed)| {
        let mut bytes = Unstructured::new(&bytes);
        let mut trees = Trees {
            bytes: &mut bytes,
            nodes: 0,
        };
        if let Ok(tree) = trees.rule() {
            let resource = bytes.int_in_range(-5..=30).unwrap_or(3);
            agree(&program(tree), &[resource], seed);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // The generated programs must be worth comparing.
    let mut runner = TestRunner::deterministic();
    for _ in 0..200 {
        let tree = proptest::collection::vec(any::<u8>(), 64..256).new_tree(&mut runner);
        let bytes = proptest::strategy::ValueTree::current(&tree.expect("bytes"));
        let mut trees = Trees {
            bytes: &mut Unstructured::new(&bytes),
            nodes: 0,
        };
        let program = Arc::new(program(trees.rule().expect("bytes")));
        let ran = interpreted(&program, &[3], 1).stopped.is_none();
        decimals += usize::from(ran && program.kind(FunctionId(0)) == Some(Kind::Float));
        whole += usize::from(ran && program.kind(FunctionId(0)) == Some(Kind::Number));
    }
    assert!(decimals > 50 && whole > 20, "{decimals} {whole}");
}

/// `1d6 / 4 + 1d4 ** 0.5`.
fn quarters_and_roots() -> Arc<Tree> {
    let mut bytes = Unstructured::new(&[]);
    let mut trees = Trees {
        bytes: &mut bytes,
        nodes: 0,
    };
    let mut die = |sides| {
        let (count, sides) = (
            trees.node(ExprKind::Int(1)),
            trees.node(ExprKind::Int(sides)),
        );
        let pool = Pool::plain(count, sides);
        Box::new(trees.node(ExprKind::Pool(Box::new(pool))))
    };
    let (d6, d4) = (die(6), die(4));
    let four = Box::new(trees.node(ExprKind::Int(4)));
    let half = Float::new(0.5).expect("finite");
    let half = Box::new(trees.node(ExprKind::Float(half)));
    let quarter = Box::new(trees.node(ExprKind::Arith(ArithOp::Quotient, d6, four)));
    let root = Box::new(trees.node(ExprKind::Arith(ArithOp::Pow, d4, half)));
    program(trees.node(ExprKind::Arith(ArithOp::Add, quarter, root)))
}

#[test]
fn samples_fit_and_threads_do_not_show() {
    let program = quarters_and_roots();
    let limits = RollLimits::default();
    let mut function = lowered(&program, limits);
    optimise(
        &mut function,
        Sampling::Fused,
        &mut Rewrites::from_environment(),
    );
    assert_eq!(best_sink(&function), Sink::Values);
    let mut budget = Budget::new(Limits::default());
    let exact: Pmf = distribution(&program, &[0], &mut budget).expect("small");
    let tallies = [1, 2, 7].map(|threads| {
        let plan = Plan {
            extent: Extent::Trials(600_000),
            seed: 5,
            workers: Workers::Threads(threads),
            judged: Judged::Mean,
            scale: Scale::Float,
        };
        let native = JitKernel::compile(function.clone(), Sink::Values).expect("native code");
        let run = simulate(&native, &[0], &plan, &Control::default());
        run.expect("no trap").results
    });
    for tally in &tallies {
        assert!(chi_square(tally, &exact).p_value > 1e-6);
        assert_eq!(
            tally.mean().map(f64::to_bits),
            tallies[0].mean().map(f64::to_bits)
        );
        assert_eq!(
            tally.sd().map(f64::to_bits),
            tallies[0].sd().map(f64::to_bits)
        );
        assert!((tally.mean().unwrap_or(0.0) - exact.mean_on(Scale::Float)).abs() < 0.01);
        assert!((tally.sd().unwrap_or(0.0) - exact.sd_on(Scale::Float)).abs() < 0.01);
    }
    assert_eq!(exact.max(), key(3.5));
    let roots = [1.0, 2.0_f64.sqrt(), 3.0_f64.sqrt(), 2.0];
    let mean = roots.iter().sum::<f64>() / 4.0 + 3.5 / 4.0;
    assert!((exact.mean_on(Scale::Float) - mean).abs() < 1e-14);
}

/// Rules of the notation dialect without dice, and their results.
#[test]
fn written_rules() {
    for (text, result) in [
        ("7/2", "7 / 2 = 3.5"),
        ("6/2", "6 / 2 = 3"),
        ("-7 % 3", "-7 % 3 = -1"),
        ("7 % -3", "7 % -3 = 1"),
        ("-7.5 % 2", "-7.5 % 2 = -1.5"),
        ("2**0.5", "2 ** 0.5 = 1.4142135623730951"),
        ("-2**2", "-2 ** 2 = -4"),
        ("2**3**2", "2 ** 3 ** 2 = 512"),
        ("sqrt(2.25)", "sqrt(2.25) = 1.5"),
        ("floor(-0.5)", "floor(-0.5) = -1"),
        ("ceil(-0.5)", "ceil(-0.5) = 0"),
        ("round(2.5)", "round(2.5) = 3"),
        ("round(-2.5)", "round(-2.5) = -2"),
        ("abs(-1/4)", "abs(-1 / 4) = 0.25"),
        ("max(1, 2.5, 2)", "max(1, 2.5, 2) = 2.5"),
        ("0 / -3", "0 / -3 = 0"),
        ("0.1 + 0.2", "0.1 + 0.2 = 0.30000000000000004"),
        ("10**300 * 10**-10", "10 ** 300 * 10 ** -10 = 1e290"),
    ] {
        let program = notation(text);
        let roll = bare(&program).roll(&mut Session::seeded(1)).expect(text);
        assert_eq!(roll.rendered, result);
        agree(program.hir(), &[], 1);
    }
    for (text, code) in [
        ("1d6/0", TrapCode::DivisionByZero),
        ("1d6 % 0", TrapCode::DivisionByZero),
        ("0**-1", TrapCode::DivisionByZero),
        ("(-8)**(1/3)", TrapCode::NoRealResult),
        ("sqrt(-1)", TrapCode::NoRealResult),
        ("10**309", TrapCode::Overflow),
        ("floor(10**20)", TrapCode::Overflow),
    ] {
        let program = notation(text);
        let stopped = interpreted(program.hir(), &[], 1).stopped.expect(text);
        assert_eq!(stopped.trap.code, code, "{text}");
        agree(program.hir(), &[], 1);
    }
}

/// Rules with dice: all engines agree, and samples of every back end fit the exact odds.
#[test]
fn written_rules_with_dice() {
    for text in [
        "1d6/4",
        "floor(1d6/2)",
        "sqrt(1d4)",
        "1d6/3 + 1d4/3",
        "2d6*1.5 - 0.25",
        "-1d8 % 3",
        "-1d8 % 2.5",
        "round(1d20/3)d4",
        "2**(1d6-3)",
        "max(1d6/2, 1.75)",
        "1d6/2 >= 1d4 - 0.5",
        "abs(1d6 - 3.5)",
    ] {
        let program = notation(text);
        agree(program.hir(), &[], 3);
        let bound = bare(&program);
        for (backend, sampling) in [
            (Backend::Jit, Sampling::Fused),
            (Backend::Jit, Sampling::Faithful),
            (Backend::Interp, Sampling::Faithful),
        ] {
            let simulation = Simulation::trials(20_000)
                .backend(backend)
                .sampling(sampling);
            fit::check(&bound, &simulation, 1.0);
        }
    }
}

/// A rounded number has a range, so it is counted in a histogram.
#[test]
fn rounded_results_are_counted() {
    for text in ["floor(1d6/2)", "round(sqrt(3d6) * 10)", "ceil(2d6 / 3) + 5"] {
        let function = stages::module_of(&notation(text), Sampling::Fused);
        let sink = best_sink(&function);
        assert!(matches!(sink, Sink::Histogram { .. }), "{text}: {sink:?}");
    }
}
