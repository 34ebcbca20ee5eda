//! Dice with modifiers, and groups of rolls.

use super::{SIDES, computed, expression, leaf, node, written_dice};
use arbitrary::{Result, Unstructured};
use dicec_lang::front::notation::{
    Ast, AstKind, BinaryOp, Bound, CompareOp, Condition, Dialect, Dice, Die, Explosion, Face,
    Group, Modifier, ModifierKind, Selector, SortOrder,
};
use dicec_runtime::span::Span;

/// Sides of dice that explode or are rerolled: small ones, so that it happens often.
const SMALL_SIDES: [i64; 8] = [1, 2, 3, 4, 6, 8, 10, 20];

fn modifier(kind: ModifierKind) -> Modifier {
    Modifier::new(kind, Span::default())
}

/// A pool with some modifiers.
pub(super) fn pool(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let mut modifiers = Vec::new();
    for _ in 0..bytes.int_in_range(0..=2)? {
        if bytes.ratio(1, 8)? {
            selections(bytes, dialect, depth, &mut modifiers)?;
        }
        modifiers.push(modifier(stage(bytes, dialect, depth)?));
    }
    // A pool explodes once.
    let mut explosions = 0;
    modifiers.retain(|modifier| {
        explosions += u32::from(matches!(modifier.kind, ModifierKind::Explode(..)));
        explosions <= 1 || !matches!(modifier.kind, ModifierKind::Explode(..))
    });
    selections(bytes, dialect, depth, &mut modifiers)?;
    if dialect == Dialect::Notation && bytes.ratio(1, 6)? {
        modifiers.push(modifier(mark(bytes, dialect, depth)?));
    }
    if bytes.ratio(1, 8)? {
        let order = [SortOrder::Ascending, SortOrder::Descending];
        modifiers.push(modifier(ModifierKind::Sort(*bytes.choose(&order)?)));
    }
    if dialect == Dialect::Notation && bytes.ratio(1, 8)? && !modifiers.is_empty() {
        let last = bytes.choose_index(modifiers.len())?;
        modifiers[last].closes = 1;
    }
    let counting = counting(bytes, dialect, depth, &mut modifiers)?;
    let mut count = count(bytes, dialect, depth)?;
    if bytes.ratio(1, 6)? && explosions == 0 && !modifiers.iter().any(|one| one.kind.selects()) {
        // Only a number of dice that is known before has a middle.
        count = Some(node(AstKind::Number(bytes.int_in_range(0..=6)?)));
        let kept = match bytes.ratio(1, 3)? {
            true => None,
            false => Some(node(AstKind::Number(bytes.int_in_range(0..=4)?))),
        };
        modifiers.insert(0, modifier(ModifierKind::Middle(kept)));
    }
    let dice = node(AstKind::Dice(Box::new(Dice {
        count,
        die: die(bytes, dialect, depth)?,
        modifiers,
    })));
    Ok(closed(dice, counting, dialect))
}

/// A mark for the reader, whose threshold may roll dice.
fn mark(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<ModifierKind> {
    let condition = match bytes.ratio(1, 4)? {
        true => None,
        false => Some(condition(bytes, dialect, depth)?),
    };
    Ok(match bytes.arbitrary()? {
        true => ModifierKind::Critical(condition),
        false => ModifierKind::Fumble(condition),
    })
}

/// In the notation dialect a count ends the expression, so it needs braces next to other operands.
fn closed(roll: Ast, counting: bool, dialect: Dialect) -> Ast {
    if !counting || dialect == Dialect::Rulebook {
        return roll;
    }
    node(AstKind::Group(Box::new(Group {
        members: vec![roll],
        modifiers: Vec::new(),
        round: false,
    })))
}

fn count(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Option<Ast>> {
    Ok(match bytes.int_in_range(0..=7)? {
        0 => None,
        1 if depth > 0 => Some(computed(bytes, dialect, depth)?),
        _ => Some(node(AstKind::Number(bytes.int_in_range(0..=6)?))),
    })
}

fn die(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Die> {
    Ok(match bytes.int_in_range(0..=11)? {
        0 => Die::Percent,
        1 => Die::Fate,
        2 => Die::Faces(faces(bytes)?),
        3 if depth > 0 => Die::Sides(computed(bytes, dialect, depth)?),
        4 => Die::Sides(node(AstKind::Number(*bytes.choose(&SIDES)?))),
        _ => Die::Sides(node(AstKind::Number(*bytes.choose(&SMALL_SIDES)?))),
    })
}

fn faces(bytes: &mut Unstructured<'_>) -> Result<Vec<Face>> {
    let mut faces = Vec::new();
    for _ in 0..bytes.int_in_range(1..=4)? {
        faces.push(match bytes.int_in_range(0..=4)? {
            0 => Face::Label((*bytes.choose(&["hit", "miss", "crit"])?).to_owned()),
            1 => Face::Number(*bytes.choose(&[1_000_000_000, -1_000_000_000])?),
            _ => Face::Number(bytes.int_in_range(-3..=9)?),
        });
    }
    Ok(faces)
}

fn stage(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<ModifierKind> {
    Ok(match bytes.int_in_range(0..=5)? {
        0 | 1 => {
            let how = *bytes.choose(&Explosion::ALL)?;
            let at_highest = bytes.ratio(1, 2)?;
            let condition = match at_highest {
                true => None,
                false => Some(condition(bytes, dialect, depth)?),
            };
            ModifierKind::Explode(how, condition)
        }
        2 | 3 => ModifierKind::Reroll {
            once: bytes.arbitrary()?,
            condition: condition(bytes, dialect, depth)?,
        },
        _ => {
            let how = *bytes.choose(&Bound::ALL)?;
            ModifierKind::Bound(how, operand(bytes, dialect, depth)?)
        }
    })
}

fn selections(
    bytes: &mut Unstructured<'_>,
    dialect: Dialect,
    depth: u32,
    modifiers: &mut Vec<Modifier>,
) -> Result<()> {
    for _ in 0..*bytes.choose(&[0, 0, 1, 1, 1, 2])? {
        let selector = *bytes.choose(&Selector::ALL)?;
        let count = match bytes.ratio(1, 3)? {
            true => None,
            false => Some(operand(bytes, dialect, depth)?),
        };
        modifiers.push(modifier(ModifierKind::Select(selector, count)));
    }
    Ok(())
}

/// Adds a count of successes, and perhaps of failures, or not.
fn counting(
    bytes: &mut Unstructured<'_>,
    dialect: Dialect,
    depth: u32,
    modifiers: &mut Vec<Modifier>,
) -> Result<bool> {
    if !bytes.ratio(1, 4)? {
        return Ok(false);
    }
    // There, `!=` after dice is an explosion.
    let ops: &[CompareOp] = match dialect {
        Dialect::Rulebook => &CompareOp::ALL,
        Dialect::Notation => &[CompareOp::GreaterEqual, CompareOp::Less, CompareOp::Equal],
    };
    let op = *bytes.choose(ops)?;
    let threshold = operand(bytes, dialect, depth)?;
    let success = match bytes.ratio(1, 4)? {
        true => listed(bytes, dialect, depth)?,
        false => vec![Condition { op, threshold }],
    };
    modifiers.push(modifier(ModifierKind::Success(success)));
    if bytes.ratio(1, 4)? {
        let double = alternatives(bytes, dialect, depth)?;
        modifiers.push(modifier(ModifierKind::Double(double)));
    }
    if bytes.arbitrary()? {
        let failure = alternatives(bytes, dialect, depth)?;
        modifiers.push(modifier(ModifierKind::Failure(failure)));
    }
    Ok(true)
}

/// A comparison, or several numbers.
fn alternatives(
    bytes: &mut Unstructured<'_>,
    dialect: Dialect,
    depth: u32,
) -> Result<Vec<Condition>> {
    match bytes.ratio(1, 4)? {
        true => listed(bytes, dialect, depth),
        false => Ok(vec![condition(bytes, dialect, depth)?]),
    }
}

/// Several numbers of which any is meant.
fn listed(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Vec<Condition>> {
    let equal = |bytes: &mut Unstructured<'_>| {
        Ok(Condition {
            op: CompareOp::Equal,
            threshold: operand(bytes, dialect, depth)?,
        })
    };
    (0..bytes.int_in_range(2..=3)?)
        .map(|_| equal(bytes))
        .collect()
}

fn condition(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Condition> {
    Ok(Condition {
        op: *bytes.choose(&CompareOp::ALL)?,
        threshold: operand(bytes, dialect, depth)?,
    })
}

/// A threshold or a number of dice: usually a small number.
fn operand(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    Ok(match bytes.int_in_range(0..=9)? {
        0 => leaf(bytes)?,
        1 if depth > 0 => computed(bytes, dialect, depth)?,
        _ => node(AstKind::Number(bytes.int_in_range(0..=7)?)),
    })
}

/// A group: of several rolls, or of the dice of a sum.
pub(super) fn group(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let mut members = Vec::new();
    if bytes.ratio(1, 3)? {
        let member = match dialect == Dialect::Notation && depth > 0 && bytes.ratio(1, 3)? {
            true => dice_of_groups(bytes, dialect, depth - 1)?,
            false => sum(bytes, dialect, depth)?,
        };
        members.push(member);
    } else {
        for _ in 0..bytes.int_in_range(2..=4)? {
            members.push(expression(bytes, dialect, depth.saturating_sub(1))?);
        }
    }
    let mut modifiers = Vec::new();
    selections(bytes, dialect, depth, &mut modifiers)?;
    if dialect == Dialect::Notation && members.len() == 1 && bytes.ratio(1, 6)? {
        modifiers.push(modifier(mark(bytes, dialect, depth)?));
    }
    let counting = counting(bytes, dialect, depth, &mut modifiers)?;
    let group = node(AstKind::Group(Box::new(Group {
        members,
        modifiers,
        round: false,
    })));
    Ok(closed(group, counting, dialect))
}

/// Sums of dice and of groups of dice in braces or in parentheses, which a group around them takes
/// apart; some of them are counted, which a group that counts again ignores.
fn dice_of_groups(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let mut sum = pool(bytes, dialect, 0)?;
    for _ in 0..bytes.int_in_range(0..=1)? {
        let term = match depth > 0 && bytes.arbitrary()? {
            true => dice_of_groups(bytes, dialect, depth - 1)?,
            false => written_dice(bytes)?,
        };
        sum = node(AstKind::Binary(
            BinaryOp::Add,
            Box::new(sum),
            Box::new(term),
        ));
    }
    let mut modifiers = Vec::new();
    let round =
        matches!(sum.kind, AstKind::Binary(..)) && is_plain_sum(&sum) && bytes.arbitrary()?;
    selections(bytes, dialect, depth, &mut modifiers)?;
    if round && modifiers.is_empty() {
        let kind = ModifierKind::Select(Selector::KeepHigh, None);
        modifiers.push(modifier(kind));
    }
    if !round {
        counting(bytes, dialect, depth, &mut modifiers)?;
    }
    Ok(node(AstKind::Group(Box::new(Group {
        members: vec![sum],
        modifiers,
        round,
    }))))
}

/// Whether all terms are dice that are not counted: such a sum may be in parentheses.
fn is_plain_sum(sum: &Ast) -> bool {
    match &sum.kind {
        AstKind::Binary(BinaryOp::Add, left, right) => is_plain_sum(left) && is_plain_sum(right),
        AstKind::Dice(dice) => !dice.modifiers.iter().any(Modifier::is_count),
        _ => false,
    }
}

/// A sum of pools and perhaps a number.
fn sum(bytes: &mut Unstructured<'_>, dialect: Dialect, depth: u32) -> Result<Ast> {
    let mut sum = match bytes.arbitrary()? {
        true => written_dice(bytes)?,
        false => pool(bytes, dialect, 0)?,
    };
    for _ in 0..bytes.int_in_range(0..=2)? {
        let term = match bytes.int_in_range(0..=3)? {
            0 => node(AstKind::Number(bytes.int_in_range(0..=9)?)),
            1 if depth > 0 => pool(bytes, dialect, depth - 1)?,
            _ => written_dice(bytes)?,
        };
        sum = node(AstKind::Binary(
            BinaryOp::Add,
            Box::new(sum),
            Box::new(term),
        ));
    }
    Ok(sum)
}
