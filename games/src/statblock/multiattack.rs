//! Clauses about the attacks that a creature makes: multiattacks and legendary actions.

use super::block::Section;
use super::reader::{Branch, Named, Reader, Subject};
use super::words::Cursor;

/// Attacks of an alternative: the index of the action, and how often.
type Steps = Vec<(usize, i64)>;

/// The maximum number of alternatives of a multiattack, and of attacks of a kind.
const MAX_ALTERNATIVES: usize = 32;
const MAX_COUNT: i64 = 20;

impl Reader<'_> {
    /// `makes two claw attacks`, `uses Dread`, `can replace one attack with a Bite attack`.
    pub(super) fn multiattack(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        self.mention(cursor);
        let is_mine = self.subject == Subject::Creature && !self.is_suspended;
        if !is_mine || self.branch != Branch::Start || self.draft.save.is_some() {
            return None;
        }
        let is_other = cursor.at > 0
            && cursor.words[..cursor.at]
                .iter()
                .rev()
                .take(3)
                .any(|word| ["or", "alternatively"].contains(&word.text.as_str()));
        cursor.eat("then");
        if cursor.eat("can replace one attack with a|an? use? of?") {
            return self.replaced(cursor);
        }
        if cursor.eat("can? use|uses its|his|her|the?") {
            return self.uses(cursor, is_other);
        }
        cursor.take("can? also? make|makes either?")?;
        let mut all = self.attacks(cursor)?;
        if cursor.eat(", each one? with a different weapon|attack") {
            all = different(&all);
        }
        if cursor.eat(", only one of which can be? with? a|an|its") {
            all = at_most_one(&all, self.action(cursor)?);
            cursor.eat("attack");
        }
        while let Some(more) = cursor.attempt(|cursor| {
            cursor.eat(",");
            if cursor.eat("or it? uses its?") {
                let one = self.action(cursor)?;
                return Some(vec![vec![(one, times(cursor))]]);
            }
            cursor.take("or it? makes?")?;
            self.attacks(cursor)
        }) {
            all.extend(more);
        }
        while let Some(more) = cursor.attempt(|cursor| {
            cursor.eat(",");
            cursor.take("and it? makes?")?;
            self.attacks(cursor)
        }) {
            let both = all.iter().flat_map(|steps| {
                let with = |more: &Steps| steps.iter().chain(more).copied().collect::<Steps>();
                more.iter().map(with).collect::<Vec<_>>()
            });
            all = both.collect();
            if all.len() > MAX_ALTERNATIVES {
                return None;
            }
        }
        if ["if", "as", "against", "instead", "per", "on", "in"].contains(&cursor.peek()) {
            return None;
        }
        Some(self.add(all, is_other))
    }

    /// Takes the name of an action that is used besides the attacks.
    fn uses(&mut self, cursor: &mut Cursor<'_>, is_other: bool) -> Option<bool> {
        let one = self.action(cursor)?;
        if cursor.take("in place of any|one|a|its").is_some() {
            self.action(cursor);
            cursor.eat("melee|ranged");
            cursor.take("attack")?;
            return self.in_place(one);
        }
        let count = times(cursor);
        let is_free = cursor.eat("if available|possible") || cursor.eat("if it can");
        if ["or", "before", "after", "instead"].contains(&cursor.peek()) {
            return None;
        }
        let is_limited = is_free || self.actions[one].is_limited;
        Some(!is_limited && self.add(vec![vec![(one, count)]], is_other))
    }

    /// Adds attacks, or alternatives to those that there are.
    fn add(&mut self, more: Vec<Steps>, is_other: bool) -> bool {
        match is_other {
            false => self.with(more),
            true => {
                let before = std::mem::take(&mut self.draft.multiattack);
                let is_known = self.with(more);
                self.draft.multiattack.splice(0..0, before);
                is_known
            }
        }
    }

    /// Adds attacks to every alternative that there is.
    fn with(&mut self, more: Vec<Steps>) -> bool {
        let is_limited = |steps: &Steps| steps.iter().any(|one| self.actions[one.0].is_limited);
        if more.iter().any(is_limited) {
            return false;
        }
        let named = |steps: &Steps| {
            let steps = steps.iter();
            let steps = steps.map(|(index, count)| (self.actions[*index].name.clone(), *count));
            steps.collect::<Vec<_>>()
        };
        if self.section == Section::Legendary {
            let [only] = &more[..] else { return false };
            let [(name, 1)] = &named(only)[..] else {
                return false;
            };
            self.draft.makes = Some(name.clone());
            return true;
        }
        if self.section != Section::Actions || !self.draft.name.starts_with("Multiattack") {
            return false;
        }
        if self.draft.multiattack.len().max(1) * more.len() > MAX_ALTERNATIVES {
            return false;
        }
        let mut before = std::mem::take(&mut self.draft.multiattack);
        if before.is_empty() {
            before.push(Vec::new());
        }
        let all = before.iter().flat_map(|before| {
            let more = more.iter();
            more.map(|more| before.iter().cloned().chain(named(more)).collect())
        });
        self.draft.multiattack = all.collect();
        true
    }

    /// An alternative in which one attack is replaced.
    fn replaced(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let one = self.action(cursor)?;
        cursor.eat("attack");
        self.in_place(one)
    }

    /// An alternative with an action in the place of one attack.
    fn in_place(&mut self, one: usize) -> Option<bool> {
        let name = self.actions[one].name.clone();
        let mut steps = self.draft.multiattack.first()?.clone();
        if self.actions[one].is_limited {
            return Some(false);
        }
        let most = steps.iter_mut().max_by_key(|step| step.1)?;
        most.1 -= 1;
        steps.retain(|step| step.1 > 0);
        steps.push((name, 1));
        self.draft.multiattack.push(steps);
        Some(true)
    }

    /// Takes `three attacks: one with its bite and two with its claws`; the alternatives.
    fn attacks(&self, cursor: &mut Cursor<'_>) -> Option<Vec<Steps>> {
        let count = match cursor.eat("a|an") {
            true => 1,
            false => cursor.number()?,
        };
        let kind = cursor.attempt(|cursor| match cursor.next() {
            "melee" => Some(true),
            "ranged" => Some(false),
            _ => None,
        });
        cursor.eat("weapon");
        let is_short = kind.is_none() && cursor.eat("with its|the");
        let mut named = self.names(cursor);
        if is_short {
            let all = named.into_iter().map(|one| vec![(one, count)]);
            return Some(all.collect()).filter(|all: &Vec<Steps>| !all.is_empty());
        }
        if cursor.take("attack|attacks").is_none() && named.is_empty() {
            return None;
        }
        let is_list = cursor.peek() == ":";
        if is_list || cursor.peek() == "-" || cursor.peek() == "," {
            let list = cursor.attempt(|cursor| {
                cursor.next();
                self.list(cursor)
            });
            if let Some(all) = list {
                cursor.eat("-");
                let total = |steps: &Steps| steps.iter().map(|step| step.1).sum::<i64>();
                return all.iter().all(|steps| total(steps) == count).then_some(all);
            }
            if is_list {
                return None;
            }
        }
        if cursor.eat(", using") || cursor.eat(", either with its") || cursor.eat("with its|the|a?")
        {
            named = self.names(cursor);
            cursor.eat("in any combination");
        }
        if named.is_empty() {
            let is_kind = |one: &Named| match kind {
                Some(kind) => one.is_melee == Some(kind),
                None => one.is_melee.is_some(),
            };
            named = (0..self.actions.len())
                .filter(|&one| is_kind(&self.actions[one]))
                .collect();
        }
        if !(1..=MAX_COUNT).contains(&count) {
            return None;
        }
        let all: Vec<Steps> = named.into_iter().map(|one| vec![(one, count)]).collect();
        (!all.is_empty()).then_some(all)
    }

    /// Takes `one with its bite and two with its claws or club`.
    fn list(&self, cursor: &mut Cursor<'_>) -> Option<Vec<Steps>> {
        let mut all: Vec<Steps> = vec![Vec::new()];
        loop {
            let count = cursor.number()?;
            cursor.eat("with|to its|the|a|an?");
            let names = self.names(cursor);
            cursor.eat("attack|attacks");
            if names.is_empty() {
                return None;
            }
            let longer = all.iter().flat_map(|steps| {
                let with = |one: &usize| steps.iter().copied().chain([(*one, count)]).collect();
                names.iter().map(with).collect::<Vec<Steps>>()
            });
            all = longer.collect();
            if all.len() > MAX_ALTERNATIVES || !(1..=MAX_COUNT).contains(&count) {
                return None;
            }
            let before = cursor.at;
            let goes_on = cursor.eat_any(&[", and", ",", "and"]);
            let has_number = cursor
                .words
                .get(cursor.at)
                .is_some_and(|word| word.number().is_some());
            if !goes_on || !has_number {
                cursor.at = before;
                return Some(all);
            }
        }
    }

    /// Takes names of actions that `or` joins.
    fn names(&self, cursor: &mut Cursor<'_>) -> Vec<usize> {
        let mut all = Vec::new();
        while let Some(one) = self.action(cursor) {
            all.push(one);
            let more = cursor.attempt(|cursor| {
                cursor.take(",|or or? with? its?")?;
                self.action(&mut cursor.clone()).map(|_| ())
            });
            if more.is_none() {
                break;
            }
        }
        all
    }

    /// Takes the name of an action, the longest that fits.
    fn action(&self, cursor: &mut Cursor<'_>) -> Option<usize> {
        let rest = &cursor.words[cursor.at.min(cursor.words.len())..];
        let fits = |one: &&(usize, &Named)| {
            let names = &one.1.words;
            let same = |(a, b): (&String, &super::words::Word)| stem(a) == stem(&b.text);
            !names.is_empty() && rest.len() >= names.len() && names.iter().zip(rest).all(same)
        };
        let all: Vec<(usize, &Named)> = self.actions.iter().enumerate().collect();
        if let Some(best) = all.iter().filter(fits).max_by_key(|one| one.1.words.len()) {
            cursor.at += best.1.words.len();
            return Some(best.0);
        }
        // The last word is enough if it is that of one action: `its stinger`.
        let first = stem(&rest.first()?.text);
        let is_last =
            |one: &&(usize, &Named)| one.1.words.last().is_some_and(|own| stem(own) == first);
        let mut named = all.iter().filter(is_last);
        let only = named.next().filter(|_| named.next().is_none())?;
        cursor.at += 1;
        Some(only.0)
    }
}

/// Alternatives of two attacks that differ.
fn different(all: &[Steps]) -> Vec<Steps> {
    let kinds: Vec<usize> = all.iter().flatten().map(|step| step.0).collect();
    let pairs = kinds.iter().enumerate().flat_map(|(index, one)| {
        let others = kinds.iter().skip(index + 1);
        others.map(|other| vec![(*one, 1), (*other, 1)])
    });
    pairs.take(MAX_ALTERNATIVES).collect()
}

/// Alternatives in which an attack is made at most once: the others in its place.
fn at_most_one(all: &[Steps], one: usize) -> Vec<Steps> {
    let others = all
        .iter()
        .filter(|steps| steps.iter().all(|step| step.0 != one));
    let both = others.flat_map(|steps| {
        let mut with = steps.clone();
        if let Some(first) = with.first_mut() {
            first.1 -= 1;
        }
        with.retain(|step| step.1 > 0);
        with.push((one, 1));
        [steps.clone(), with]
    });
    both.collect()
}

/// Takes `twice`, or nothing.
fn times(cursor: &mut Cursor<'_>) -> i64 {
    if cursor.eat("twice") { 2 } else { 1 }
}

/// A word without the ending of its plural.
fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}
