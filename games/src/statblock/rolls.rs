//! Clauses about rolls: attacks, saving throws, and what depends on them.

use super::draft::{Attack, Save};
use super::numbers::ability;
use super::reader::{Branch, Reader, Subject};
use super::words::Cursor;

impl Reader<'_> {
    /// `Hit:`, `Failure:`, `on a success`: what the following is about.
    pub(super) fn label(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let labels: [(&str, Branch); 12] = [
            ("hit :", Branch::Hit),
            ("miss :", Branch::Other),
            ("hit or miss :", Branch::Other),
            ("failure or success :", Branch::Other),
            ("first failure :?", Branch::Failure),
            ("second failure :?", Branch::SecondFailure),
            ("failure :", Branch::Failure),
            ("success :", Branch::Success),
            ("trigger|response :", Branch::Other),
            (
                "on a failure|failed save? saving? throw? ,",
                Branch::Failure,
            ),
            (
                "on a success|successful save? saving? throw? ,",
                Branch::Success,
            ),
            ("otherwise ,", Branch::Failure),
        ];
        let (_, branch) = labels.into_iter().find(|(label, _)| cursor.eat(label))?;
        // After the second save, a failure is the second one.
        self.branch = match branch == Branch::Failure && self.is_second {
            true => Branch::SecondFailure,
            false => branch,
        };
        self.subject = Subject::Target;
        cursor.eat_any(&[":", ","]);
        if branch == Branch::Hit && self.draft.attack.is_none() {
            self.branch = Branch::Other;
        }
        self.is_frame = true;
        Some(true)
    }

    /// `Melee Weapon Attack: +5 to hit, reach 5 ft., one target`.
    pub(super) fn attack_roll(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let mut attack = Attack {
            kind: match cursor.next() {
                "melee" if cursor.eat("or ranged") => "melee or ranged",
                "melee" => "melee",
                "ranged" => "ranged",
                _ => return None,
            },
            ..Attack::default()
        };
        cursor.eat("weapon");
        attack.is_spell = cursor.eat("spell");
        cursor.take("attack roll? :")?;
        attack.bonus = match cursor.take("- #") {
            Some(minus) => -minus[0],
            None => cursor.take("+ #")?[0],
        };
        cursor.eat("to hit");
        if cursor.peek() == "(" {
            let end = cursor.find(")")? + cursor.at + 1;
            self.unread.push(cursor.at..end);
            cursor.at = end;
        }
        loop {
            cursor.eat(",");
            cursor.eat("or");
            if let Some(feet) = cursor.take("reach # ft") {
                attack.reach = Some(feet[0]);
            } else if let Some(feet) = cursor.take("range # / # ft") {
                attack.range = feet;
            } else if let Some(feet) = cursor.take("range # ft") {
                attack.range = feet;
            } else {
                break;
            }
        }
        if self.draft.attack.is_some() || self.draft.save.is_some() {
            return Some(false);
        }
        self.draft.attack = Some(attack);
        let is_target = cursor.peek() != "."
            && cursor.words[cursor.at..]
                .first()
                .is_some_and(|word| word.number().is_none() || word.text == "one");
        let end = cursor
            .find(".|:")
            .map_or(cursor.words.len(), |far| cursor.at + far);
        if is_target && !cursor.is_end() {
            self.draft.only = self.targets(cursor, end);
        }
        (self.branch, self.subject) = (Branch::Hit, Subject::Target);
        Some(true)
    }

    /// `Dexterity Saving Throw: DC 12, each creature in a 15-foot Cone.`
    pub(super) fn save_of_5_2(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let ability = ability(cursor.next())?;
        let dc = cursor.take("saving throw : dc #")?[0];
        let end = cursor
            .find(".|;")
            .map_or(cursor.words.len(), |far| cursor.at + far);
        if self.starts_turn(cursor, end) {
            return self.ask(ability, dc);
        }
        let only = self.targets(cursor, end);
        let is_new = self.ask(ability, dc);
        if let Some(save) = self.draft.save.as_mut().filter(|_| is_new == Some(true)) {
            match save.only.is_empty() {
                true => save.only = only,
                false => return Some(only.is_empty()),
            }
        }
        is_new
    }

    /// A save of those whose turn starts near a creature with a trait.
    fn starts_turn(&mut self, cursor: &mut Cursor<'_>, end: usize) -> bool {
        let is_trait = self.section == super::block::Section::Traits;
        let start = cursor.at;
        cursor.eat(",");
        let feet = cursor.attempt(|cursor| {
            cursor.take("any|each|a enemy|creature that|who starts its turn")?;
            let within = cursor.take("within # ft of *|it");
            within.or_else(|| cursor.take("in a # ft emanation originating? from? *|it?"))
        });
        match feet {
            Some(feet) if is_trait && cursor.at == end => {
                self.draft.within = Some(feet[0]);
                true
            }
            _ => {
                cursor.at = start;
                false
            }
        }
    }

    /// `Each creature in that area must make a DC 12 Dexterity saving throw`.
    pub(super) fn save_of_5_1(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let far = cursor.find("must|makes|make")?;
        let end = cursor.at + far;
        let mut ahead = cursor.clone();
        ahead.at = end;
        let others = [".", ";", "damage", "hitpoints"];
        let is_near = cursor.words[cursor.at..end]
            .iter()
            .all(|word| !others.contains(&&*word.text));
        let dc = ahead
            .take("must|makes|make make|succeed? on? a|an? dc #")
            .filter(|_| is_near)?;
        let ability = ability(ahead.next())?;
        ahead.take("save|saving throw?")?;
        if self.starts_turn(cursor, end) {
            cursor.at = ahead.at;
            return self.ask(ability, dc[0]);
        }
        let premise = self.targets(cursor, end);
        cursor.at = ahead.at;
        if cursor.eat("against") {
            while !matches!(cursor.peek(), "," | "." | "or" | "") {
                cursor.next();
            }
        }
        if self.premise.is_empty() {
            self.premise = premise;
        } else if !premise.is_empty() {
            return Some(false);
        }
        self.ask(ability, dc[0])
    }

    /// Asks for a save, unless the draft asks for another one.
    fn ask(&mut self, ability: &str, dc: i64) -> Option<bool> {
        let is_same = |save: &Save| save.ability == ability && save.dc == dc;
        if self.is_suspended || self.draft.save.as_ref().is_some_and(|save| !is_same(save)) {
            (self.branch, self.is_suspended) = (Branch::Other, true);
            return Some(false);
        }
        let only = std::mem::take(&mut self.premise);
        let save = self.draft.save.get_or_insert_default();
        (save.ability, save.dc) = (ability.to_owned(), dc);
        if !only.is_empty() {
            save.only = only;
        }
        (self.branch, self.subject) = (Branch::Failure, Subject::Target);
        Some(true)
    }

    /// `or half as much damage on a successful one`, `Half damage only.`
    pub(super) fn half(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        if self.branch == Branch::Failure
            && cursor.eat("on a failure|failed save|one? saving? throw?")
        {
            return Some(true);
        }
        let success = "on a success|successful save|one? saving? throw?";
        let is_negative = cursor.attempt(|cursor| {
            cursor.take("isn't|doesn't knocked|have? the?")?;
            super::numbers::condition(cursor)?;
            cursor.eat("condition");
            Some(())
        });
        if is_negative.is_some() && matches!(self.branch, Branch::Failure | Branch::Success) {
            return Some(true);
        }
        cursor.eat("the|a target|creature");
        cursor.eat("takes|take|taking");
        cursor.take("half as? much? the?")?;
        if crate::encounter::ALL_DAMAGE.contains(&cursor.peek()) {
            cursor.next();
        }
        cursor.take("damage only?")?;
        let is_success = cursor.eat(success) || self.branch == Branch::Success;
        let save = self.draft.save.as_mut()?;
        save.is_halved |= is_success && !self.is_suspended;
        Some(is_success && !self.is_suspended)
    }

    /// `can repeat the saving throw at the end of each of its turns`.
    pub(super) fn repeat(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let each = "at the end of each of its|their|the? target's|creature's? turns";
        let is_before = cursor.eat(each);
        if is_before {
            cursor.eat(",");
        }
        cursor.eat("at which point|when");
        self.mention(cursor);
        cursor.eat("can|must|may");
        cursor.take("repeat|repeats the|this save|saving throw?")?;
        if is_before || cursor.eat(each) {
            let has_effect = self
                .outcome()
                .is_some_and(|outcome| !outcome.conditions.is_empty());
            let is_first = self.branch == Branch::Failure || self.branch == Branch::FailureBy5;
            let save = self.draft.save.as_mut()?;
            let is_known = is_first && !save.failure.conditions.is_empty();
            save.repeats |= is_known;
            if !is_known && has_effect {
                self.give_up();
            }
            return Some(is_known);
        }
        if cursor.eat("at the end of its next turn if? it? is? still? restrained?") {
            let save = self.draft.save.as_mut()?;
            save.failure.lasts = Some("until the end of its next turn".to_owned());
        }
        self.is_second = true;
        let save = self
            .draft
            .save
            .as_mut()
            .filter(|save| save.failure.lasts.is_some())?;
        let becomes = cursor.attempt(|cursor| {
            cursor.take(", becoming")?;
            let name = super::numbers::condition(cursor)?;
            cursor
                .take("on a failure|failed save? saving? throw?")
                .map(|_| name)
        });
        save.twice.conditions.extend(becomes.map(str::to_owned));
        save.twice.said_in.push(self.sentence);
        Some(true)
    }

    /// `ending the effect on itself on a success`, `after 1 minute, it succeeds automatically`.
    pub(super) fn ending(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let minutes = cursor.take("after # minute|minutes , it succeeds automatically");
        if let Some(minutes) = minutes {
            let save = self.draft.save.as_mut()?;
            let is_known = save.repeats && save.failure.lasts.is_none();
            if is_known {
                save.failure.lasts = Some(format!("for {} minute", minutes[0]));
            }
            return Some(is_known);
        }
        if cursor.eat("ending") {
            cursor.eat_any(&[
                "the|this effect|condition|poison on itself|it|them|themself|themselves",
                "the|this effect|condition|poison",
            ]);
            cursor.take("on|with a success|successful save? saving? throw?")?;
            let save = self.draft.save.as_ref()?;
            return Some(save.repeats || self.is_second);
        }
        if self.branch == Branch::Drops && cursor.eat("even after regaining hitpoints") {
            return Some(true);
        }
        let repeats = self.is_second || self.draft.save.as_ref().is_some_and(|save| save.repeats);
        if self.branch == Branch::Success && repeats && cursor.eat("the effect ends") {
            return Some(true);
        }
        if cursor.eat("the target|creature wakes up? if it takes damage") {
            let outcome = self.outcome().filter(|one| !one.conditions.is_empty())?;
            outcome.until_damage = true;
            return Some(true);
        }
        if self.is_flavour(cursor) {
            return Some(true);
        }
        let start = cursor.at;
        cursor.eat("this|the effect|condition ends for|on the? a? target|creature|it");
        let is_ending = cursor.at > start;
        let is_freed = cursor.eat("as an action ,") && cursor.find("check").is_some();
        if is_freed {
            self.give_up();
            return None;
        }
        if cursor.eat("if|when|until it|the target|creature? takes any? damage") {
            let outcome = self.outcome().filter(|one| !one.conditions.is_empty())?;
            outcome.until_damage = true;
            return Some(true);
        }
        if is_ending {
            self.give_up();
        }
        None
    }

    /// Words that only name what a failed save does.
    fn is_flavour(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let start = cursor.at;
        self.mention(cursor);
        let is_failed = cursor.eat("that|who fails the save|saving throw?");
        let is_stone = cursor.eat("magically? begins to turn to stone");
        let is_flavour = self.branch == Branch::Failure && (is_failed || is_stone);
        if !is_flavour {
            cursor.at = start;
        }
        is_flavour
    }

    /// `When a creature starts its turn within 30 feet of it, it can force the creature to make a
    /// DC 13 Constitution saving throw`.
    pub(super) fn gaze(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let is_trait = self.section == super::block::Section::Traits;
        cursor
            .take("if|when|whenever a|the creature|target")
            .filter(|_| is_trait)?;
        let mut is_gaze = cursor.eat("that can see *'s eyes");
        let within = cursor.take("starts its turn within # ft of *|it")?[0];
        is_gaze |= cursor.eat("and the two of them can see each other");
        let dc = cursor.take(", *|it can force it|the creature|target? to make a|an dc #")?[0];
        let ability = ability(cursor.next())?;
        cursor.take("save|saving throw?")?;
        cursor.eat("if *|it isn't incapacitated and? can? see? the? creature|it?");
        let is_new = self.ask(ability, dc);
        (self.draft.within, self.draft.is_gaze) = (Some(within), is_gaze);
        is_new
    }

    /// `is immune to the Howl of all hounds for the next 24 hours`.
    pub(super) fn immunity(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let start = cursor.at;
        let is_over = cursor.eat(
            "if a|the creature's|target's saving throw is successful or the effect ends for it ,",
        );
        let is_over_or_saved =
            is_over || cursor.eat("if a|the creature's|target's saving throw is successful ,");
        let mut is_saved = is_over_or_saved || self.branch == Branch::Success;
        if !is_over_or_saved {
            self.mention(cursor);
            is_saved |= cursor.eat("that|who succeeds on the|this|its saving|save throw?");
        }
        if is_over_or_saved {
            self.mention(cursor);
        }
        if !is_saved || !cursor.eat("is immune to") {
            cursor.at = start;
            return None;
        }
        let far = cursor.find("for the? next? # hours|hour|minutes|days")?;
        cursor.at += far;
        cursor.take("for the? next? # hours|hour|minutes|days")?;
        let save = self.draft.save.as_mut().filter(|_| !self.is_suspended)?;
        save.immune = Some(if is_over { "saved or over" } else { "saved" });
        Some(true)
    }
}
