//! Programs from bytes: the only program generator of the property tests, the fuzz targets and the
//! smoke test.

pub mod compound;
pub mod decisions;
pub mod flow;
pub mod hands;
pub mod labels;
pub mod natural;
mod pool;
pub mod routine;
pub mod script;

use arbitrary::{Result, Unstructured};
use dicec_lang::front::notation::{
    Ast, AstKind, BinaryOp, CompareOp, Dialect, Dice, Float, Function, Group, Modifier,
    ModifierKind, Selector, print,
};
use dicec_runtime::against::Against;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_runtime::span::Span;

/// A generated rule and the resources to run it with.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its dialect.
    pub dialect: Dialect,
    /// The tree.
    pub ast: Ast,
    /// The text that it prints as.
    pub text: String,
    /// A value for each name of [`NAMES`].
    pub resources: ResourceTable,
    /// The seed of its rolls.
    pub seed: u64,
}

/// The resources that generated rules read.
pub const NAMES: [&str; 4] = ["Strength", "Level", "Target Defense", "Max Health"];

/// Generated rules run under this limit, so that a large computed count traps instead of taking
/// long.
pub const LIMITS: RollLimits = RollLimits {
    dice: 40,
    total: 1_000_000,
    explosions: 12,
    rerolls: 12,
};

/// Interesting numbers of sides: 1, powers of two, odd ones, common ones, and the largest.
const SIDES: [i64; 14] = [
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    10,
    12,
    20,
    100,
    255,
    65_536,
    1_000_000_000,
];

/// Interesting numbers.
const EDGES: [i64; 8] = [
    0,
    1,
    2,
    i64::MAX,
    i64::MAX - 1,
    1 << 31,
    1 << 62,
    3_037_000_500,
];

/// A case from bytes, in either dialect. Nearly every case is a valid program; the type checker may
/// still refuse dice without sides, dice that never stop, and floats instead of whole numbers.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn case(bytes: &mut Unstructured<'_>) -> Result<Case> {
    let dialect = *bytes.choose(&Dialect::ALL)?;
    let ast = rule(bytes, dialect)?;
    let resources = resources(bytes)?;
    let text = print(&ast, dialect);
    Ok(Case {
        dialect,
        ast,
        text,
        resources,
        seed: bytes.arbitrary()?,
    })
}

/// A value for each name.
fn resources(bytes: &mut Unstructured<'_>) -> Result<ResourceTable> {
    let mut resources = ResourceTable::new();
    for name in NAMES {
        resources.set(ResourceName::parse(name), resource_value(bytes)?);
    }
    Ok(resources)
}

fn resource_value(bytes: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match bytes.int_in_range(0..=9)? {
        0 => *bytes.choose(&EDGES)?,
        1 => -*bytes.choose(&EDGES)? - 1,
        2 => bytes.arbitrary()?,
        _ => bytes.int_in_range(-5..=30)?,
    })
}

/// An expression, a check or a degree.
pub fn rule(bytes: &mut Unstructured<'_>, dialect: Dialect) -> Result<Ast> {
    if bytes.ratio(1, 5)? {
        return degree(bytes, dialect);
    }
    let left = match bytes.ratio(1, 8)? {
        true => labels::labelled(bytes, dialect)?,
        false => expression(bytes, dialect, 4)?,
    };
    if !bytes.ratio(1, 4)? {
        return Ok(left);
    }
    let op = *bytes.choose(&CompareOp::ALL)?;
    let right = expression(bytes, dialect, 3)?;
    // A comparison of written numbers is refused there.
    let left = match dialect {
        Dialect::Rulebook => left,
        Dialect::Notation => binary(BinaryOp::Add, left, written_dice(bytes)?),
    };
    Ok(node(AstKind::Compare(op, Box::new(left), Box::new(right))))
}

/// A `vs` or `under`, in most cases with a natural die on its left, in some with arithmetic around
/// it or in a group.
fn degree(bytes: &mut Unstructured<'_>, dialect: Dialect) -> Result<Ast> {
    let mut roll = expression(bytes, dialect, 3)?;
    let against = *bytes.choose(&[Against::VERSUS, Against::UNDER])?;
    if bytes.ratio(3, 4)? {
        let sides = node(AstKind::Number(against.natural_sides().into()));
        let die = node(plain_dice(None, sides));
        roll = match bytes.int_in_range(0..=3)? {
            0 => die,
            1 | 2 => binary(BinaryOp::Add, die, roll),
            _ => binary(BinaryOp::Sub, die, roll),
        };
    }
    let number = expression(bytes, dialect, 2)?;
    let versus = node(AstKind::Versus(against, Box::new(roll), Box::new(number)));
    Ok(match bytes.int_in_range(0..=6)? {
        0 => node(AstKind::Negate(Box::new(versus))),
        1 => binary(BinaryOp::Add, versus, expression(bytes, dialect, 1)?),
        2 => {
            let other = expression(bytes, dialect, 1)?;
            let selector = *bytes.choose(&Selector::ALL)?;
            let kind = ModifierKind::Select(selector, None);
            node(AstKind::Group(Box::new(Group {
                members: vec![versus, other],
                modifiers: vec![Modifier::new(kind, Span::default())],
                round: false,
            })))
        }
        _ => versus,
    })
}

fn node(kind: AstKind) -> Ast {
    Ast::new(kind, Span::default())
}

fn binary(op: BinaryOp, left: Ast, right: Ast) -> Ast {
    node(AstKind::Binary(op, Box::new(left), Box::new(right)))
}

fn plain_dice(count: Option<Ast>, sides: Ast) -> AstKind {
    AstKind::Dice(Box::new(Dice::plain(count, sides)))
}

fn expression(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    if depth == 0 {
        return leaf(bytes);
    }
    match bytes.int_in_range(0..=13)? {
        0..=4 => {
            let ops: &[BinaryOp] = match dialect {
                Dialect::Rulebook => &BinaryOp::RULEBOOK,
                Dialect::Notation => &BinaryOp::ALL,
            };
            let op = *bytes.choose(ops)?;
            let left = expression(bytes, dialect, depth - 1)?;
            Ok(binary(op, left, expression(bytes, dialect, depth - 1)?))
        }
        5 => {
            let value = expression(bytes, dialect, depth - 1)?;
            Ok(node(AstKind::Negate(Box::new(value))))
        }
        6 | 7 => dice(bytes, dialect, depth),
        8..=10 => pool::pool(bytes, dialect, depth - 1),
        11 => pool::group(bytes, dialect, depth - 1),
        12 => call(bytes, dialect, depth),
        _ if dialect == Dialect::Notation => float(bytes),
        _ => leaf(bytes),
    }
}

fn call(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let whole = [Function::Abs, Function::Max, Function::Min, Function::Floor];
    let function = *bytes.choose(match dialect {
        Dialect::Rulebook => &whole,
        Dialect::Notation => &Function::ALL,
    })?;
    let count = match function {
        Function::Max | Function::Min => bytes.int_in_range(1..=3)?,
        Function::Pow => 2,
        _ => 1,
    };
    let mut arguments = Vec::new();
    for _ in 0..count {
        arguments.push(expression(bytes, dialect, depth - 1)?);
    }
    Ok(node(AstKind::Call(function, arguments)))
}

fn float(bytes: &mut Unstructured<'_>) -> Result<Ast> {
    let value = *bytes.choose(&[0.5, 1.5, 2.25, 0.1, 1e300, 1e-300, 9_007_199_254_740_993.0])?;
    Ok(match Float::new(value) {
        Some(value) => node(AstKind::Float(value)),
        None => leaf(bytes)?,
    })
}

fn leaf(bytes: &mut Unstructured<'_>) -> Result<Ast> {
    Ok(node(match bytes.int_in_range(0..=9)? {
        0 => AstKind::Number(*bytes.choose(&EDGES)?),
        1..=3 => AstKind::Number(bytes.int_in_range(0..=20)?),
        4 | 5 => AstKind::Resource(ResourceName::parse(bytes.choose(&NAMES)?)),
        _ => return written_dice(bytes),
    }))
}

/// Dice whose count and sides are written as numbers.
fn written_dice(bytes: &mut Unstructured<'_>) -> Result<Ast> {
    let count = match bytes.int_in_range(0..=9)? {
        0 => None,
        1 => Some(bytes.int_in_range(0..=i64::from(LIMITS.dice))?),
        _ => Some(bytes.int_in_range(0..=5)?),
    };
    let count = count.map(|count| node(AstKind::Number(count)));
    let sides = node(AstKind::Number(*bytes.choose(&SIDES)?));
    Ok(node(plain_dice(count, sides)))
}

/// Dice with a computed count or computed sides.
fn dice(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let count = if bytes.ratio(2, 3)? {
        Some(computed(bytes, dialect, depth)?)
    } else {
        None
    };
    let sides = if bytes.ratio(1, 2)? {
        computed(bytes, dialect, depth)?
    } else {
        node(AstKind::Number(*bytes.choose(&SIDES)?))
    };
    Ok(node(plain_dice(count, sides)))
}

/// A count or sides: usually small, and never a constant, because the type checker might refuse it.
fn computed(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let random = match bytes.int_in_range(0..=3)? {
        0 => AstKind::Resource(ResourceName::parse(bytes.choose(&NAMES)?)),
        // A number of dice cannot be a float.
        1 if dialect == Dialect::Rulebook => {
            let inner = expression(bytes, dialect, depth - 1)?;
            let die = written_dice(bytes)?;
            return Ok(binary(BinaryOp::Add, inner, die));
        }
        _ => return written_dice(bytes),
    };
    Ok(node(random))
}
