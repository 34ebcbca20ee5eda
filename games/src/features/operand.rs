//! Operands of conditions and triggers: the kinds of values that they take.

/// The operands of a condition or a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A creature or an object.
    Who,
    /// A number.
    Number,
    /// An ability.
    Ability,
    /// An ability, a skill or a die.
    Check,
    /// A spell, or `of school SCHOOL`.
    Spell,
    /// A kind of light.
    Light,
    /// A weapon or an attack.
    Attack,
}
