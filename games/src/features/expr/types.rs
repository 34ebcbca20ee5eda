//! Type rules: the operands and results of operators, the kinds of attributes, and the operands of
//! conditions and triggers.

use super::operator::Binary;
use super::{Expr, ExprKind, Type};
use crate::features::attribute::{ABILITIES, Attribute, Kind, SKILLS};
use crate::features::findings::{At, Findings};
use crate::features::noun::Noun;
use crate::features::operand::Operand;
use dicec_lang::syntax::{Code, nearest};

/// The result type of an operator with these operands; `None` if it does not accept them.
pub(in crate::features) fn binary_type(
    operator: Binary,
    left: &Expr,
    right: &Expr,
) -> Option<Type> {
    let (one, other) = (left.ty, right.ty);
    if one == Type::Event || other == Type::Event {
        let joins = matches!(operator, Binary::And | Binary::Or);
        let fits = |ty: Type| ty == Type::Event || ty.is_truth();
        return (joins && fits(one) && fits(other)).then_some(Type::Event);
    }
    match operator {
        Binary::And if one.is_truth() && other.is_truth() => Some(one),
        Binary::Or if one.is_truth() && other.is_truth() => Some(match one == other {
            true => one,
            false => Type::Number,
        }),
        Binary::Eq => {
            let numbers = one.is_truth() && other.is_truth();
            let is_word = |ty| matches!(ty, Type::Word | Type::Unknown | Type::Creature);
            (numbers || (is_word(one) && is_word(other))).then_some(Type::Truth)
        }
        operator if operator.compares() => {
            (one.is_truth() && other.is_truth()).then_some(Type::Truth)
        }
        Binary::And | Binary::Or => None,
        _ => (one.is_number() && other.is_number()).then_some(Type::Number),
    }
}

/// The type of a value that is one or the other.
pub(super) fn joined(one: Type, other: Type) -> Option<Type> {
    match (one, other) {
        _ if one == other => Some(one),
        (Type::Unknown, Type::Word) | (Type::Word, Type::Unknown) => Some(Type::Unknown),
        _ => (one.is_number() && other.is_number()).then_some(Type::Number),
    }
}

/// Whether an attribute can hold a value.
pub(in crate::features) fn fits(value: &Expr, attribute: Attribute) -> bool {
    match attribute.kind() {
        Kind::Number | Kind::Truth => value.ty.is_number(),
        Kind::Source => value.ty.is_truth(),
        Kind::Word => matches!(value.ty, Type::Word | Type::Unknown),
    }
}

/// The kind of an attribute's value, in words.
pub(in crate::features) fn holds(attribute: Attribute) -> &'static str {
    match attribute.kind() {
        Kind::Number => "it holds a number",
        Kind::Truth => "it holds 0 or 1",
        Kind::Source => "it holds the creature that the condition comes from, such as `self`, or 0",
        Kind::Word => "it holds a word",
    }
}

/// A value as an operand of this kind.
pub(in crate::features) fn fitted(
    value: Expr,
    wanted: Operand,
    at: &impl At,
    name: &str,
    findings: &mut Findings,
) -> Option<Expr> {
    let (kind, span) = (value.kind, value.span);
    let (kind, ty) = match (wanted, kind) {
        // A word where a creature is wanted is a NAME.
        (Operand::Who, ExprKind::Word(word)) => (ExprKind::Noun(Noun::Named(word)), Type::Creature),
        (Operand::Ability | Operand::Check, ExprKind::Word(word)) => {
            let word = checked_ability(&word, wanted, at, findings)?;
            (ExprKind::Word(word), Type::Word)
        }
        // `STR` and `strength` are both the ability here.
        (Operand::Ability | Operand::Check, ExprKind::Attribute(place)) => {
            let name = place.attribute.to_string().to_lowercase().replace('_', " ");
            let word = checked_ability(&name, wanted, at, findings)?;
            (ExprKind::Word(word), Type::Word)
        }
        (_, kind) => (kind, value.ty),
    };
    let is_right = match wanted {
        Operand::Who => matches!(ty, Type::Creature | Type::Unknown),
        Operand::Number => ty.is_number(),
        _ => matches!(ty, Type::Word | Type::Unknown),
    };
    if is_right {
        return Some(Expr::new(kind, ty, span));
    }
    let what = format!(
        "has {} where `{name}` wants {}",
        ty.words(),
        words_of(wanted)
    );
    findings.error(Code::PostfixType, at, what, help_of(wanted));
    None
}

fn words_of(operand: Operand) -> &'static str {
    match operand {
        Operand::Who => "a creature or an object",
        Operand::Number => "a number",
        Operand::Ability => "an ability",
        Operand::Check => "an ability, a skill or a die",
        Operand::Spell => "a spell",
        Operand::Light => "a kind of light",
        Operand::Attack => "a weapon",
    }
}

fn help_of(operand: Operand) -> &'static str {
    match operand {
        Operand::Who => "write a noun, such as `self` or `creature`, or a name",
        Operand::Number => "write a number, an attribute or V0",
        Operand::Ability => "write an ability, such as `dexterity`",
        Operand::Check => {
            "write an ability or a skill, such as `dexterity` or `stealth`, or a die, such as `d6`"
        }
        Operand::Spell => "write the name of a spell, or `of school evocation`",
        Operand::Light => "write sunlight, dim light, darkness or magical darkness",
        Operand::Attack => "write the name of a weapon, or V0",
    }
}

/// The sides of a die that is written as a word, such as `d6`, where a check may be.
pub(crate) fn die(word: &str) -> Option<u32> {
    let sides = word.strip_prefix(['d', 'D'])?.parse().ok()?;
    (2..=1000).contains(&sides).then_some(sides)
}

/// The ability, the skill or the die of a word, in small letters.
fn checked_ability(
    word: &str,
    wanted: Operand,
    at: &impl At,
    findings: &mut Findings,
) -> Option<String> {
    let lower = word.to_lowercase();
    let mut abilities = ABILITIES.iter();
    if let Some((_, long)) =
        abilities.find(|(short, long)| *long == lower || short.eq_ignore_ascii_case(&lower))
    {
        return Some((*long).to_owned());
    }
    let is_roll = SKILLS.contains(&lower.as_str()) || die(&lower).is_some();
    if wanted == Operand::Check && is_roll {
        return Some(lower);
    }
    let names = ABILITIES.iter().map(|(_, long)| *long);
    let skills = SKILLS.iter().copied().filter(|_| wanted == Operand::Check);
    let names: Vec<&str> = names.chain(skills).collect();
    let what = format!("has `{word}`, which is not {}", words_of(wanted));
    let help = match nearest(&lower, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => help_of(wanted).to_owned(),
    };
    findings.error(Code::PostfixType, at, what, help);
    None
}
