//! The functions and commands that every script has.

use crate::hir::Math;
use std::ops::RangeInclusive;

/// A function or command of the language itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Roll,
    Dice,
    UserOption,
    Output,
    StartGroup,
    EndGroup,
    Stat,
    Len,
    List,
    Append,
    Max,
    Min,
    Abs,
    Floor,
    Ceil,
    Round,
    Sqrt,
    Pow,
    Not,
    Sum,
    Count,
    Any,
    All,
    Least,
    Most,
    Contains,
    PoolDice,
    IndexOf,
    Pop,
    Insert,
    Remove,
    Pick,
    Draw,
    Shuffle,
    Sort,
    Sorted,
    Critical,
    Maximum,
    Average,
}

use Builtin::{
    Abs, All, Any, Append, Average, Ceil, Contains, Count, Critical, Dice, Draw, EndGroup, Floor,
    IndexOf, Insert, Least, Len, List, Max, Maximum, Min, Most, Not, Output, Pick, PoolDice, Pop,
    Pow, Remove, Roll, Round, Shuffle, Sort, Sorted, Sqrt, StartGroup, Stat, Sum, UserOption,
};

impl Builtin {
    pub(super) const ALL: [Builtin; 39] = [
        Roll, Dice, UserOption, Output, StartGroup, EndGroup, Stat, Len, List, Append, Max, Min,
        Abs, Floor, Ceil, Round, Sqrt, Pow, Not, Sum, Count, Any, All, Least, Most, Contains,
        IndexOf, Pop, Insert, Remove, Pick, Draw, Shuffle, Sort, Sorted, PoolDice, Critical,
        Maximum, Average,
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|builtin| builtin.name() == name)
    }

    /// Whether a function of this name that a script defines or imports is called instead.
    pub(super) fn yields(self) -> bool {
        match self {
            Roll | Dice | UserOption | Output | StartGroup | EndGroup | Stat | Len | List
            | Append | Max | Min | Abs | Floor | Ceil | Round | Sqrt | Pow => false,
            Not | Sum | Count | Any | All | Least | Most | Contains | IndexOf | Pop | Insert
            | Remove | Pick | Draw | Shuffle | Sort | Sorted | PoolDice | Critical | Maximum
            | Average => true,
        }
    }

    pub(super) fn name(self) -> &'static str {
        let signature = self.signature();
        signature
            .split_once('(')
            .map_or(signature, |(name, _)| name)
    }

    /// How a call of it is written.
    pub(super) fn signature(self) -> &'static str {
        match self {
            Roll => "roll(dice)",
            Dice => "d(count, sides)",
            UserOption => "userOption(who, \"text\", answers)",
            Output => "output(text)",
            StartGroup => "startGroup()",
            EndGroup => "endGroup()",
            Stat => "stat(\"name\", number)",
            Len => "len(list)",
            List => "list(a, b, ...)",
            Append => "append(list, value)",
            Max => "max(a, b, ...)",
            Min => "min(a, b, ...)",
            Abs => "abs(number)",
            Floor => "floor(number)",
            Ceil => "ceil(number)",
            Round => "round(number)",
            Sqrt => "sqrt(number)",
            Pow => "pow(base, exponent)",
            Not => "not(condition)",
            Sum => "sum(list)",
            Count => "count(x > 0 for x : list)",
            Any => "any(x > 0 for x : list)",
            All => "all(x > 0 for x : list)",
            Least => "least(x by x.hp for x : list)",
            Most => "most(x by x.hp for x : list)",
            Contains => "contains(list, value)",
            PoolDice => "dice(4d6kh3)",
            IndexOf => "indexOf(list, value)",
            Pop => "pop(list)",
            Insert => "insert(list, index, value)",
            Remove => "remove(list, index)",
            Pick => "pick(list)",
            Draw => "draw(list)",
            Shuffle => "shuffle(list)",
            Sort => "sort(list)",
            Sorted => "sorted(list)",
            Critical => "critical(dice)",
            Maximum => "maximum(dice)",
            Average => "average(dice)",
        }
    }

    /// The function of numbers, if it is one.
    pub(super) fn math(self) -> Option<Math> {
        Some(match self {
            Max => Math::Max,
            Min => Math::Min,
            Abs => Math::Abs,
            Floor => Math::Floor,
            Ceil => Math::Ceil,
            Round => Math::Round,
            Sqrt => Math::Sqrt,
            _ => return None,
        })
    }

    /// How many arguments it takes.
    pub(super) fn arity(self) -> RangeInclusive<usize> {
        match self {
            Roll | Output | Len | Abs | Floor | Ceil | Round | Sqrt | Not | Sum | Count | Any
            | All | Least | Most | Pop | Pick | Draw | Shuffle | Sort | Sorted | PoolDice
            | Critical | Maximum | Average => 1..=1,
            Dice | Stat | Append | Pow | Contains | IndexOf | Remove => 2..=2,
            Insert => 3..=3,
            UserOption => 1..=3,
            StartGroup | EndGroup => 0..=0,
            List => 0..=usize::MAX,
            Max | Min => 1..=usize::MAX,
        }
    }
}
