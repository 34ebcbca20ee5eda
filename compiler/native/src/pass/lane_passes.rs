//! The passes that prepare a module for lanes ([`super::VectorForm`]). Like all passes, they
//! preserve a trial or its odds in scalar code, too.

use super::aggregates::aggregates;
use super::balanced::balance;
use super::choices::choices;
use super::constant_lists::constant_lists;
use super::contract::Pass;
use super::exclusive_dice;
use super::few_dice::few_dice;
use super::fold_by_range::fold_by_range;
use super::guarded::guarded;
use super::if_convert::{Arms, if_convert};
use super::joined_texts::joined_texts;
use super::keyed::keyed;
use super::known_memory::KnownMemory;
use super::labels;
use super::rare_loops;
use super::scalar_replacement::scalar_replacement;
use super::selects;
use super::sentinels;
use super::single_return::single_return;
use super::usual::usual;
use super::without_memory::place_objects;
use crate::analysis::{Given, Ranges};

/// The maximum number of selects that replace a read of a list of known words.
const MAX_CHOICES: usize = 64;

impl Pass {
    /// [`Pass::RANGE`] for usual resources, which need fewer checks.
    pub const USUAL_RANGE: Pass = Pass::trial("usual_range", |function, tables, _| {
        let ranges = Ranges::within(function, usual(tables));
        fold_by_range(function, &ranges);
    })
    .assuming_usual();
    /// [`Pass::CONSTANT_LISTS`] with more choices: lanes cannot read memory.
    pub const CONSTANT_LISTS_IN_LANES: Pass =
        Pass::trial("constant_lists_in_lanes", |function, tables, known| {
            constant_lists(function, tables, &mut known.ranges, MAX_CHOICES);
        });
    /// [`Pass::AGGREGATES`] with larger lists.
    pub const AGGREGATES_IN_LANES: Pass =
        Pass::trial("aggregates_in_lanes", |function, tables, known| {
            aggregates(function, tables, &mut known.ranges, true);
        });
    /// Gives objects that a trial makes at most once fixed addresses.
    pub const PLACE_OBJECTS: Pass = Pass::whole("place_objects", |module, _| place_objects(module));
    /// Makes words of memory values, including those that are reached at one of several addresses.
    pub const WORDS: Pass = Pass::whole("words", |module, _| {
        let memory = KnownMemory::of(module);
        if memory.is_some() {
            scalar_replacement(module, memory.as_ref());
        }
    });
    /// Compares keys instead of the numbers that they select.
    pub const KEYED: Pass = Pass::trial("keyed", |function, _, _| keyed(function));
    /// Folds comparisons that earlier branches decide.
    pub const GUARDED: Pass = Pass::trial("guarded", |function, _, _| guarded(function));
    /// Turns branches without dice into selects: lanes compute both arms anyway.
    pub const IF_CONVERT_IN_LANES: Pass = Pass::trial("if_convert_in_lanes", |function, _, _| {
        if_convert(function, Arms::OfLanes);
    });
    /// Turns a chain of selects on one key into a look-up.
    pub const CHOICES: Pass = Pass::trial("choices", |function, tables, known| {
        let ranges = known.ranges.within(function, Given::of(tables));
        choices(function, &ranges);
    });
    /// Precomputes all texts that trials may join.
    pub const JOINED_TEXTS: Pass = Pass::whole("joined_texts", |module, known| {
        known.changed = joined_texts(module, usual(&module.tables));
    })
    .assuming_usual();
    /// Replaces sentinels, numbers that are only far from all others, by near ones.
    pub const SENTINELS: Pass = Pass::trial("sentinels", |function, tables, _| {
        sentinels::narrow(function, usual(tables));
    })
    .assuming_usual();
    /// Merges nested selects.
    pub const SELECTS: Pass = Pass::trial("selects", |function, _, _| selects::merge(function));
    /// Makes chains of choices trees.
    pub const BALANCE: Pass = Pass::trial("balance", |function, _, _| balance(function));
    /// Renumbers values that are only compared as small numbers.
    pub const LABELS: Pass = Pass::trial("labels", |function, _, known| {
        known.changed = labels::renumber(function);
    });
    /// Gives the trial a single `return`.
    pub const SINGLE_RETURN: Pass =
        Pass::trial("single_return", |function, _, _| single_return(function));

    /// Peels the first iterations of loops that are rarely repeated.
    pub const RARE_LOOPS: Pass = Pass::trial("rare_loops", |function, _, known| {
        known.changed = rare_loops::write_out(function);
    });
    /// Rolls dice of computed number and sides as dice of known ones.
    pub const FEW_DICE: Pass = Pass::trial("few_dice", |function, tables, known| {
        known.changed = few_dice(function, usual(tables));
    })
    .redraws()
    .assuming_usual();
    /// Merges dice of exclusive paths.
    pub const EXCLUSIVE_DICE: Pass = Pass::trial("exclusive_dice", |function, _, _| {
        exclusive_dice::share(function)
    })
    .redraws();
}
