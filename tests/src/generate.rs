//! Programs from bytes: the one generator behind the property tests, the fuzz targets and the smoke test.

use arbitrary::{Result, Unstructured};
use dicec_compiler::front::notation::{Ast, AstKind, BinaryOp, CompareOp, Dialect, Dice, print};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_runtime::span::Span;

/// A generated rule and the resources to run it with.
#[derive(Clone, Debug)]
pub struct Case {
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

/// Generated rules run under this limit, so that a large computed count traps instead of taking long.
pub const LIMITS: RollLimits = RollLimits {
    dice: 40,
    explosions: 12,
    rerolls: 12,
};

/// Sides that matter: 1, powers of two, odd ones, common ones, and the largest.
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

/// Numbers at which something happens.
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

/// A case from bytes. Every case is a valid program: no constant die without sides.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn case(bytes: &mut Unstructured<'_>) -> Result<Case> {
    let ast = rule(bytes)?;
    let mut resources = ResourceTable::new();
    for name in NAMES {
        resources.set(ResourceName::parse(name), resource_value(bytes)?);
    }
    let text = print(&ast, Dialect::Rulebook);
    Ok(Case {
        ast,
        text,
        resources,
        seed: bytes.arbitrary()?,
    })
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
pub fn rule(bytes: &mut Unstructured<'_>) -> Result<Ast> {
    if bytes.ratio(1, 5)? {
        return degree(bytes);
    }
    let left = expression(bytes, 4)?;
    if !bytes.ratio(1, 4)? {
        return Ok(left);
    }
    let op = *bytes.choose(&CompareOp::ALL)?;
    let right = expression(bytes, 3)?;
    Ok(node(AstKind::Compare(op, Box::new(left), Box::new(right))))
}

/// A `vs`, in most cases with a d20 on its left, in some with arithmetic around it.
fn degree(bytes: &mut Unstructured<'_>) -> Result<Ast> {
    let mut roll = expression(bytes, 3)?;
    if bytes.ratio(3, 4)? {
        let d20 = plain_dice(None, node(AstKind::Number(20)));
        let op = *bytes.choose(&[BinaryOp::Add, BinaryOp::Sub])?;
        roll = node(AstKind::Binary(op, Box::new(node(d20)), Box::new(roll)));
    }
    let class = expression(bytes, 2)?;
    let versus = node(AstKind::Versus(Box::new(roll), Box::new(class)));
    Ok(match bytes.int_in_range(0..=4)? {
        0 => node(AstKind::Negate(Box::new(versus))),
        1 => {
            let more = expression(bytes, 1)?;
            node(AstKind::Binary(
                BinaryOp::Add,
                Box::new(versus),
                Box::new(more),
            ))
        }
        _ => versus,
    })
}

fn node(kind: AstKind) -> Ast {
    Ast::new(kind, Span::default())
}

fn plain_dice(count: Option<Ast>, sides: Ast) -> AstKind {
    AstKind::Dice(Box::new(Dice::plain(count, sides)))
}

fn expression(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Ast> {
    if depth == 0 {
        return leaf(bytes);
    }
    match bytes.int_in_range(0..=9)? {
        0..=4 => {
            let op = *bytes.choose(&BinaryOp::RULEBOOK)?;
            let left = Box::new(expression(bytes, depth - 1)?);
            let right = Box::new(expression(bytes, depth - 1)?);
            Ok(node(AstKind::Binary(op, left, right)))
        }
        5 => Ok(node(AstKind::Negate(Box::new(expression(
            bytes,
            depth - 1,
        )?)))),
        6 | 7 => dice(bytes, depth),
        _ => leaf(bytes),
    }
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

/// Dice of which something is computed.
fn dice(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Ast> {
    let count = if bytes.ratio(2, 3)? {
        Some(computed(bytes, depth)?)
    } else {
        None
    };
    let sides = if bytes.ratio(1, 2)? {
        computed(bytes, depth)?
    } else {
        node(AstKind::Number(*bytes.choose(&SIDES)?))
    };
    Ok(node(plain_dice(count, sides)))
}

/// A count or sides: mostly something small, and never a constant, which the type checker would judge.
fn computed(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Ast> {
    let random = match bytes.int_in_range(0..=3)? {
        0 => AstKind::Resource(ResourceName::parse(bytes.choose(&NAMES)?)),
        1 => {
            let inner = expression(bytes, depth - 1)?;
            let die = written_dice(bytes)?;
            AstKind::Binary(BinaryOp::Add, Box::new(inner), Box::new(die))
        }
        _ => return written_dice(bytes),
    };
    Ok(node(random))
}

/// Text that is nearly a rule: a printed one with some of its bytes changed, for the parser to recover from.
pub fn damaged(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = print(&rule(bytes)?, Dialect::Rulebook).into_bytes();
    let characters = b"d()[]<>=+-*/!0123456789 dSelfTarget\n\xc3\xa9";
    for _ in 0..bytes.int_in_range(0..=4)? {
        let place = bytes.choose_index(text.len().max(1))?;
        let new = *bytes.choose(characters)?;
        match bytes.int_in_range(0..=2)? {
            0 if place < text.len() => text[place] = new,
            1 if place < text.len() => {
                text.remove(place);
            }
            _ => text.insert(place.min(text.len()), new),
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}
