//! The names of statistics that trials join from a few texts, such as those of an enum or of all
//! creatures: each of them may have cells, like a statistic with a fixed name.

use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::{Imm, InstData, Op, Tables};

/// The maximum number of names at a site that have cells.
const MAX_NAMES: u64 = 256;

/// The ids of the possible names under which an instruction notes numbers, if these are few texts
/// of the program and none of the names is too long.
pub(crate) fn known_names(tables: &Tables, ranges: &Ranges, data: &InstData) -> Option<Interval> {
    let Imm::Site(site) = data.imm else {
        return None;
    };
    let range = ranges.of(*data.args.first()?);
    let known = usize::try_from(range.high).is_ok_and(|high| high < tables.texts.len());
    let few = range.low >= 0 && range.width() <= MAX_NAMES.into();
    let longest = tables.texts.iter().map(String::len).max().unwrap_or(0);
    let fits = tables.sites.get(site as usize)?.fits(longest);
    (data.op == Op::NamedStat && known && few && fits).then_some(range)
}
