//! The typed model of a feature (seed 001). Encounters walk these types.

use super::expr::{Expr, Place};
use super::noun::Noun;
use super::template::Template;
use super::trigger::Trigger;
use dicec_runtime::span::Span;

/// A feature of a stat block.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Its name; may hold variables: `{V0} breath`.
    pub name: Template,
    /// Its text.
    pub text: Template,
    /// Its parts, which act on their own.
    pub subfeatures: Vec<Subfeature>,
}

/// A part of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Subfeature {
    /// When it acts.
    pub trigger: Trigger,
    /// The conditions, all of which must hold.
    pub conditions: Vec<Expr>,
    /// The effects, in order.
    pub effects: Vec<Effect>,
    /// The limit on its uses; `None` if there is none.
    pub recharge: Option<Recharge>,
    /// Where it is written.
    pub span: Span,
}

/// An effect of a part of a feature on a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The target.
    pub target: Noun,
    /// The conditions on each target.
    pub conditions: Vec<Expr>,
    /// The change.
    pub change: Change,
    /// How long it lasts. When it ends, changes of attributes are reverted.
    pub duration: Duration,
    /// Where it is written.
    pub span: Span,
}

/// The change to the target of an effect (seed 001, "EFFECTS").
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It moves up to this many feet toward somebody.
    Move {
        /// The distance, in feet.
        feet: Expr,
        /// The creature toward which it moves.
        toward: Noun,
    },
    /// Its speed grows by this many feet.
    Speed(Expr),
    /// It is pushed.
    Push {
        /// The distance, in feet.
        feet: Expr,
        /// In which direction.
        direction: String,
    },
    /// An attribute gets a value.
    Set {
        /// Which attribute.
        place: Place,
        /// The value.
        value: Expr,
    },
    /// The attributes that this expression stores to get values.
    Store(Expr),
    /// It is destroyed.
    Destroyed,
    /// It dies.
    Death,
    /// It is surprised.
    Surprised,
    /// It has disadvantage: on rolls of this class, or on the roll of the trigger.
    Disadvantage(Option<RollClass>),
    /// It has advantage: on rolls of this class, or on the roll of the trigger.
    Advantage(Option<RollClass>),
    /// The hit of the trigger is a critical one.
    Critical,
    /// Its rolls of this class fail.
    Fails(RollClass),
    /// Its rolls of this class succeed.
    Succeeds(RollClass),
    /// It takes damage from dice.
    Damage(Damage),
    /// It takes this much damage, of the type of the trigger's damage.
    FlatDamage(Expr),
    /// The attack of the trigger deals this many more dice of its weapon.
    WeaponDice(Expr),
    /// The damage of the trigger is magical.
    MagicalDamage,
    /// The damage of the trigger is reduced by this much.
    ReduceDamage(Expr),
    /// It regains this many hit points.
    Regain(Expr),
    /// It takes an action.
    Act(Action),
    /// The feature of this name has no effect on it.
    ImmuneTo(String),
    /// Its feature of this name does not act.
    Disable(String),
    /// Its weapon or its armour corrodes.
    Corrode,
    /// It becomes another creature, of at most this challenge rating.
    Polymorph {
        /// The creature that is transformed.
        who: Noun,
        /// The greatest challenge rating.
        rating: Expr,
    },
    /// Something that changes nothing in a fight, as it is written.
    Nothing(String),
}

/// Dice of damage, and the saving throw that halves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// The number of dice.
    pub count: Expr,
    /// Their sides.
    pub sides: Expr,
    /// The type of damage: a word, or a variable that holds one.
    pub kind: Expr,
    /// The save that halves it.
    pub save: Option<Save>,
}

/// A saving throw.
#[derive(Clone, Debug, PartialEq)]
pub struct Save {
    /// The difficulty.
    pub dc: Expr,
    /// The ability.
    pub ability: String,
}

/// A class of rolls (seed 001, "ROLLCLASS").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollClass {
    /// All attack rolls.
    Attacks,
    /// All ability checks.
    Checks,
    /// All saving throws.
    Saves,
    /// Another one: `escape grapple`, `shove`, `frightened`.
    Named(String),
}

/// An action that an effect makes somebody take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// An attack.
    Attack,
    /// A cantrip.
    Cantrip,
    /// A spell.
    Spell,
    /// The feature of this name.
    Feature(String),
}

/// How long an effect lasts.
#[derive(Clone, Debug, PartialEq)]
pub enum Duration {
    /// It happens once; its changes stay.
    Instant,
    /// Until this happens.
    Until(Trigger),
    /// Until the end of this turn.
    EndOfTurn,
    /// Until the start of the next turn.
    StartOfNextTurn,
    /// Until the end of the next turn of the creature with the feature.
    EndOfOwnNextTurn,
    /// Until the end of the target's next turn.
    EndOfTargetNextTurn,
    /// Until somebody takes an action to end it.
    UntilAction,
    /// For a time.
    Time {
        /// The number of units.
        count: Expr,
        /// Which unit.
        unit: Unit,
    },
    /// Until a saving throw at the end of one of the target's turns succeeds; `None` for the saving
    /// throw of the effect.
    RepeatedSaves(Option<Save>, Advantage),
    /// Until a spell ends it; no spell does in a fight.
    UntilSpell(String),
    /// Until another effect replaces it, or the target dies.
    UntilOverridden,
    /// Until another effect is over.
    UntilEffect(String),
}

/// Whether a saving throw has advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advantage {
    /// Neither.
    None,
    /// Advantage.
    Advantage,
    /// Disadvantage.
    Disadvantage,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A second; a round has six.
    Second,
    /// A minute: ten rounds.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A month.
    Month,
    /// A year.
    Year,
}

/// The limit on the uses of a part of a feature (seed 001, "RECHARGE").
#[derive(Clone, Debug, PartialEq)]
pub struct Recharge {
    /// The number of uses.
    pub uses: Expr,
    /// When spent uses come back.
    pub back: Restore,
}

/// When spent uses come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restore {
    /// On each turn.
    Turn,
    /// After a short rest.
    ShortRest,
    /// After a long rest.
    LongRest,
    /// At the start of a turn, on these numbers of a d6.
    OnD6 {
        /// The lowest number.
        from: u8,
        /// The highest number.
        to: u8,
    },
}
