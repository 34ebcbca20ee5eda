//! Who helps whom: the boons of a fight, and their fields in its script.

use super::Plan;
use super::aid::worths;
use super::boon::Boon;
use super::kind::Kind;
use super::short_name::short;
use super::worth::Foe;
use crate::encounter::bestiary::Counter;
use crate::encounter::document::Limited;
use crate::encounter::policy::Policy;
use crate::script_text::{ScriptCode, code, identifier};

/// A boon, and the fields of the script's creatures for it.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct PlacedBoon {
    pub(in crate::encounter) kind: usize,
    pub(in crate::encounter) deed: usize,
    /// The name of the action: boons of the same name do not add up (SRD 5.1, "Combining Magical
    /// Effects").
    pub(in crate::encounter) name: String,
    /// The field with the turns that are left.
    pub(in crate::encounter) field: ScriptCode,
    /// The field with the number of the creature that concentrates on it.
    pub(in crate::encounter) cause: Option<ScriptCode>,
    /// The field with the number of the enemy that is marked, or 0.
    pub(in crate::encounter) mark: Option<ScriptCode>,
    /// The field with the number of images.
    pub(in crate::encounter) images: Option<ScriptCode>,
    pub(in crate::encounter) boon: Boon,
    /// The kinds that it may help, by their numbers, each with a rank: the greatest are helped
    /// first.
    pub(in crate::encounter) ranks: Vec<(usize, usize)>,
}

impl Kind {
    /// Its reactions: their indices among the limited actions.
    pub(in crate::encounter) fn reactions(&self) -> Vec<usize> {
        let all = self.limited.iter().enumerate();
        let all = all.filter(|(_, rare)| self.deeds[rare.deed].is_reaction);
        let all = all.filter(|_| !self.never_uses_limited());
        all.map(|(index, _)| index).collect()
    }

    /// The reactions by which it stops spells: their indices among the limited actions.
    pub(in crate::encounter) fn counters(&self) -> Vec<(usize, &Counter)> {
        let all = self.reactions().into_iter();
        all.filter_map(|index| {
            let boon = self.deeds[self.limited[index].deed].boon()?;
            Some((index, boon.counters.as_ref()?))
        })
        .collect()
    }

    pub(super) fn never_uses_limited(&self) -> bool {
        self.limits == Policy::Known(Limited::Never)
    }

    /// Whether it marks enemies, and marks others by later bonus actions.
    pub(in crate::encounter) fn marks(&self) -> bool {
        let mut limited = self.limited.iter();
        limited.any(|rare| {
            let boon = self.deeds[rare.deed].boon();
            boon.is_some_and(|boon| boon.marks)
        })
    }

    /// Whether it helps somebody by a bonus action.
    pub(in crate::encounter) fn helps_by_bonus_action(&self) -> bool {
        let mut limited = self.limited.iter();
        limited.any(|rare| {
            let boon = self.deeds[rare.deed].boon();
            boon.is_some_and(|boon| boon.is_bonus)
        })
    }
}

impl Plan {
    /// Gives each boon its fields.
    pub(super) fn place_boons(&mut self, all: &[Foe]) {
        for kind in &self.kinds {
            for deed in kind.used() {
                let own = &kind.deeds[deed];
                let Some(boon) = own.boon().filter(|boon| boon.counters.is_none()) else {
                    continue;
                };
                let (friends, foes): (Vec<Foe>, Vec<Foe>) =
                    all.iter().cloned().partition(|one| one.side == kind.side);
                let worths = worths(boon, &friends, &foes);
                let field = identifier(&format!("{} by {}", own.name, own.word));
                self.boons.push(PlacedBoon {
                    kind: kind.number,
                    deed,
                    name: short(&own.name).to_owned(),
                    cause: own.needs_concentration.then(|| code!("{field}From", field)),
                    mark: boon.marks.then(|| code!("{field}On", field)),
                    images: (boon.images > 0).then(|| code!("{field}Images", field)),
                    field,
                    boon: boon.clone(),
                    ranks: ranks(&friends, &worths),
                });
            }
        }
    }

    /// The boons that creatures of a side concentrate on.
    pub(in crate::encounter) fn kept_boons(
        &self,
        side: usize,
    ) -> impl Iterator<Item = &PlacedBoon> {
        self.boons_of(side).filter(|one| one.cause.is_some())
    }

    /// The boons of a deed.
    pub(in crate::encounter) fn boon(&self, kind: usize, deed: usize) -> Option<&PlacedBoon> {
        let mut all = self.boons.iter();
        all.find(|one| (one.kind, one.deed) == (kind, deed))
    }

    /// The boons that creatures of a side may have.
    pub(in crate::encounter) fn boons_of(&self, side: usize) -> impl Iterator<Item = &PlacedBoon> {
        let own = move |one: &&PlacedBoon| self.kinds[one.kind].side == side;
        self.boons.iter().filter(own)
    }
}

/// The ranks of kinds by their worths: equal ones have the same.
fn ranks(friends: &[Foe], worths: &[i64]) -> Vec<(usize, usize)> {
    let rank = |worth: &i64| {
        let mut below: Vec<i64> = worths.iter().filter(|one| *one < worth).copied().collect();
        below.sort_unstable();
        below.dedup();
        below.len()
    };
    let numbers = friends.iter().map(|friend| friend.number);
    numbers.zip(worths.iter().map(rank)).collect()
}
