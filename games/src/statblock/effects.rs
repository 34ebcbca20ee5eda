//! Clauses about what happens to targets: damage, conditions, how long they last, grips.

use super::draft::Grapple;
use super::numbers::{SOMETIMES, amount, condition, damage, or_smaller};
use super::reader::{Branch, Reader, Subject};
use super::targets::area;
use super::words::Cursor;
use serde_json::{Value, json};

/// Verbs before a condition.
const BE: &str = "be|is|are|becomes|become|has|have|falls|fall|gains|suffers";

impl Reader<'_> {
    /// `takes 7 (2d6) fire damage plus 3 cold damage`.
    pub(super) fn damage(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let is_other = cursor.at > 0 && cursor.words[cursor.at - 1].text == "or";
        self.mention(cursor);
        cursor.eat("takes|take|taking|suffers|deals");
        let parts = damage(cursor)?;
        let start = self.draft.attack.is_some() && cursor.eat("at the start of each of its turns");
        if start || cursor.eat("at the start of each of its|the? target's? turns") {
            return Some(self.damage_each_turn(parts));
        }
        let two_handed = cursor.attempt(|cursor| {
            cursor.take(", or")?;
            let other = damage(cursor)?;
            cursor
                .take("if|when used with two hands to? make? a? melee? attack?")
                .map(|_| other)
        });
        let at_half = cursor.attempt(|cursor| {
            cursor.take(", or")?;
            let other = damage(cursor)?;
            let is_half = cursor.eat("if * has half of its hitpoints or fewer|less left?")
                || cursor.eat("if * is bloodied");
            is_half.then_some(other)
        });
        cursor.eat("on a failure|failed save? saving? throw?");
        if SOMETIMES.contains(&cursor.peek()) || cursor.take("for each|every").is_some() {
            self.is_suspended = true;
            return None;
        }
        if is_other && self.branch == Branch::Hit {
            return Some(false);
        }
        let is_mine = self.subject == Subject::Creature && self.branch != Branch::Hit;
        if is_mine || self.is_suspended || !self.premise.is_empty() || self.is_held {
            return Some(false);
        }
        let is_attack = self.draft.attack.is_some();
        match self.branch {
            Branch::Hit => match two_handed {
                Some(other) if parts.len() == 1 => {
                    let from: Vec<Value> = parts.into_iter().chain(other).collect();
                    self.draft.damage.push(json!({ "choose": 1, "from": from }));
                }
                Some(_) => return Some(false),
                None => self.draft.damage.extend(parts),
            },
            Branch::Failure if is_attack => self.draft.save.as_mut()?.damage.extend(parts),
            Branch::Failure => self.draft.damage.extend(parts),
            _ => return Some(false),
        }
        if let Some(other) = at_half {
            self.draft.at_half = other;
        }
        Some(true)
    }

    /// Damage at the start of the turns of those who are held, or suffer from the outcome.
    fn damage_each_turn(&mut self, parts: Vec<Value>) -> bool {
        if self.is_held && !self.is_suspended && self.premise.is_empty() {
            return match self.draft.grapple.as_mut() {
                Some(grapple) => {
                    grapple.damage = parts;
                    true
                }
                None => false,
            };
        }
        let sentence = self.sentence;
        match self.outcome().filter(|one| !one.conditions.is_empty()) {
            Some(outcome) => {
                outcome.each_turn = parts;
                outcome.said_in.push(sentence);
                true
            }
            None => false,
        }
    }

    /// `the target is grappled (escape DC 14)`.
    pub(super) fn grip(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        self.mention(cursor);
        cursor.take(&format!("{BE} the?"))?;
        let dc = cursor.take("grappled condition? ( escape dc #")?[0];
        cursor.eat(")");
        let holds = cursor.take("from one of # tentacles|claws|legs|arms|hands|pincers|heads");
        let is_free = !self.is_suspended && !self.is_held;
        let mut holds = holds.map(|numbers| numbers[0]);
        let mut max_size = self.premise.max_size.take();
        cursor.eat("if * isn't already constricting|grappling a|another creature|target");
        if cursor.eat("if it|the target? is a|an") {
            max_size = max_size.or_else(|| or_smaller(cursor));
            cursor.eat("creature");
            let others = cursor.take("and *|it doesn't have # other creatures grappled");
            holds = holds.or(others.map(|numbers| numbers[0]));
        }
        if SOMETIMES.contains(&cursor.peek()) {
            self.is_suspended = true;
            return Some(false);
        }
        let is_known = matches!(self.branch, Branch::Hit | Branch::Failure) && is_free;
        if !is_known || !self.premise.is_empty() {
            self.is_suspended = true;
            return Some(false);
        }
        self.draft.grapple = Some(Grapple {
            dc,
            max_size,
            holds,
            ..Grapple::default()
        });
        let restrained = "and is|has? the? restrained condition? until the|this grapple ends";
        let also = cursor.eat(restrained)
            || cursor
                .eat(", and it? is|has? the? restrained condition? until the|this grapple ends");
        if let Some(grapple) = self.draft.grapple.as_mut() {
            grapple.restrains = also;
        }
        // What follows in the sentence is about those whom it holds only.
        self.is_held |= grapple_has_size(self);
        Some(true)
    }

    /// `is poisoned and paralyzed`, `has the Prone condition`, `is knocked prone`.
    pub(super) fn condition(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        self.mention(cursor);
        let is_stable = self.branch == Branch::Drops && cursor.eat("is stable but");
        let has_verb = cursor.eat(&format!("{BE} also? instantly|magically? knocked? the?"))
            || cursor.eat("knocked|falling|fall");
        if !has_verb && !is_stable {
            return None;
        }
        let mut names = Vec::new();
        loop {
            match (condition(cursor), cursor.peek()) {
                (Some(name), _) => names.push(name),
                (None, "deafened") => {
                    cursor.next();
                    names.push("deafened");
                }
                _ => break,
            }
            cursor.eat("condition|conditions");
            let before = cursor.at;
            if !cursor.eat_any(&[", and? is|has? the?", "and is|has? the?"]) {
                break;
            }
            let mut next = cursor.clone();
            if condition(&mut next).is_none() && next.peek() != "deafened" {
                cursor.at = before;
                break;
            }
        }
        if names.is_empty() || ["creature", "target", "for", "until"].contains(&names[0]) {
            return None;
        }
        cursor.eat("instead of the restrained|incapacitated condition");
        let is_same = cursor.eat("while|when poisoned in this way");
        let is_read = self.inflict(&names, cursor);
        if is_same && self.branch == Branch::FailureBy5 {
            let save = self.draft.save.as_mut()?;
            save.by_5.lasts.clone_from(&save.failure.lasts);
        }
        is_read
    }

    fn inflict(&mut self, names: &[&str], cursor: &mut Cursor<'_>) -> Option<bool> {
        if self.subject == Subject::Creature {
            return None;
        }
        let is_grip =
            names == ["restrained"] && cursor.eat("until the|this grapple ends") || self.is_held;
        if is_grip {
            let is_free = !self.is_suspended && self.premise.is_empty();
            let restrains = is_free && names.contains(&"restrained");
            let grapple = self.draft.grapple.as_mut().filter(|_| restrains);
            let is_read = grapple.map(|one| one.restrains = true).is_some();
            return Some(is_read && names == ["restrained"]);
        }
        let sentence = self.sentence;
        if cursor.take("or the?").is_some() || SOMETIMES.contains(&cursor.peek()) {
            self.is_suspended = true;
            return Some(false);
        }
        if names == ["prone"] && self.branch == Branch::Hit && !self.is_suspended && !self.is_held {
            let size = self.premise.max_size.take();
            let feet = match size.as_deref() {
                Some("tiny") => None,
                Some("small" | "medium") => Some(5),
                Some("large") => Some(10),
                Some("huge") => Some(15),
                _ => Some(20),
            };
            if size.is_some() && self.premise.is_empty() {
                self.draft.knocks = feet;
                return Some(feet.is_some());
            }
        }
        let Some(outcome) = self.outcome() else {
            return Some(false);
        };
        outcome
            .conditions
            .extend(names.iter().map(|name| (*name).to_owned()));
        outcome.said_in.push(sentence);
        Some(true)
    }

    /// `for 1 minute`, `until the end of its next turn`.
    pub(super) fn duration(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let start = cursor.at;
        cursor.eat("this|these|the effect|effects|poison|curse|petrification|condition lasts|last");
        if cursor.eat("for the same duration") {
            let lasts = self.draft.save.as_ref()?.failure.lasts.clone();
            return self.lasts(lasts?);
        }
        for (unit, shown) in [
            ("minute|minutes", "minute"),
            ("hour|hours|day|days", "hour"),
            ("round|rounds", "round"),
        ] {
            if let Some(number) = cursor.take(&format!("for # {unit}")) {
                return self.lasts(format!("for {} {shown}", number[0]));
            }
        }
        for edge in ["end", "start"] {
            if cursor.eat(&format!(
                "until the {edge} of its|their|the? target's|creature's? next turn"
            )) {
                return self.lasts(format!("until the {edge} of its next turn"));
            }
            if cursor.eat(&format!("until the {edge} of *'s next turn")) {
                let whose = self.own.last()?;
                return self.lasts(format!("until the {edge} of the {whose}'s next turn"));
            }
        }
        cursor.take("until")?;
        let words = &cursor.words[cursor.at..];
        let end = words
            .iter()
            .position(|word| word.text == "." || word.text == ";");
        let end = end.unwrap_or(words.len());
        let is_cure = words[..end].iter().any(|word| {
            ["cured", "removed", "magic", "spell", "dispelled"].contains(&word.text.as_str())
        });
        if is_cure {
            cursor.at += end;
            return Some(self.outcome().is_some_and(|outcome| !outcome.is_empty()));
        }
        if cursor.eat("it|the target|creature? takes any? damage") {
            let outcome = self.outcome().filter(|one| !one.conditions.is_empty())?;
            outcome.until_damage = true;
            return Some(true);
        }
        if start > 0 {
            self.give_up();
        }
        cursor.at = start;
        None
    }

    fn lasts(&mut self, lasts: String) -> Option<bool> {
        let outcome = self.outcome().filter(|one| !one.conditions.is_empty());
        let Some(outcome) = outcome else {
            return Some(false);
        };
        let is_prone = outcome.conditions.iter().all(|one| one == "prone");
        match &outcome.lasts {
            Some(own) if *own != lasts => Some(false),
            _ if is_prone => Some(false),
            _ => {
                outcome.lasts = Some(lasts);
                Some(true)
            }
        }
    }

    /// `The target regains 10 (2d8 + 1) hit points`.
    pub(super) fn healing(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        self.mention(cursor);
        if self.subject == Subject::Creature {
            return None;
        }
        cursor.eat("magically");
        cursor.take("regains")?;
        let dice = amount(cursor)?;
        cursor.take("hitpoints")?;
        let is_action = self.draft.attack.is_none() && self.draft.save.is_none();
        let is_known = is_action && !self.is_suspended && self.premise.is_empty();
        if is_known {
            self.draft.heals = Some(dice);
        }
        Some(is_known)
    }

    /// What the creature itself does: a breath, a choice of targets, a grip on one creature only.
    pub(super) fn own_deed(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        self.mention(cursor);
        if self.subject != Subject::Creature || self.is_suspended {
            return None;
        }
        if let Some(is_read) = self.on_those_held(cursor) {
            return Some(is_read);
        }
        let start = cursor.at;
        if let Some(holds) =
            cursor.take("has # claws|tentacles|arms|heads|pincers , each of which can")
            && cursor.find("one target|creature").is_some()
        {
            let grapple = self.draft.grapple.as_mut()?;
            grapple.holds = Some(holds[0]);
            cursor.at = cursor.words.len();
            return Some(true);
        }
        cursor.at = start;
        if cursor.eat("magically? targets|chooses|touches") {
            let end = cursor
                .find(".|;")
                .map_or(cursor.words.len(), |far| cursor.at + far);
            self.draft.only = self.targets(cursor, end);
            self.subject = Subject::Target;
            return Some(true);
        }
        cursor
            .take("exhales|breathes|spits|spews|emits|releases|unleashes|hurls|sprays|projects")?;
        let far = (0..8).find(|far| {
            let mut ahead = cursor.clone();
            ahead.at += far;
            area(&mut ahead).is_some()
        })?;
        cursor.at += far;
        if self.draft.save.is_some() {
            (self.is_over, self.is_suspended) = (true, true);
            return Some(false);
        }
        self.draft.area = area(cursor);
        // `of soot`: what fills it changes nothing, what it does is said elsewhere.
        if cursor.eat("of") {
            let stops = [",", ".", ";", "and", "that", "which"];
            while !cursor.is_end() && !stops.contains(&cursor.peek()) {
                cursor.next();
            }
        }
        Some(true)
    }

    /// What the creature can do while it holds somebody.
    fn on_those_held(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let others = "another|other target|targets|creature|creatures";
        let only = cursor.attempt(|cursor| {
            cursor.take("can't")?;
            let far = cursor.find(others)?;
            let is_same = cursor.words[cursor.at..cursor.at + far]
                .iter()
                .any(|word| word.text == "same");
            cursor.at += far + 2;
            (far <= 6 && !is_same).then_some(())
        });
        let only = only.or_else(|| {
            cursor.attempt(|cursor| {
                cursor.take("can")?;
                let far = cursor.find("only the grappled target|creature")?;
                cursor.at += far + 4;
                (far <= 2).then_some(())
            })
        });
        if only.is_some() {
            self.draft.grapple.as_mut()?.only_held = true;
            return Some(true);
        }
        if cursor.eat("has advantage on attack rolls to do so") {
            self.draft.grapple.as_mut()?.has_advantage = true;
            return Some(true);
        }
        if cursor.eat("can automatically hit the target with its") {
            let far = cursor.find(",|.").unwrap_or(0);
            cursor.at += far;
            self.draft.grapple.as_mut()?.cannot_miss = true;
            return Some(true);
        }
        None
    }

    /// `spell save DC 13, +5 to hit with spell attacks`.
    pub(super) fn spellcasting(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        let dc = cursor.take("spell save dc #")?[0];
        let modifier = cursor.take(", + # to hit with spell attacks");
        let modifier = modifier.map(|numbers| numbers[0]);
        self.draft.spellcasting = Some(match modifier {
            Some(modifier) => json!({ "dc": dc, "modifier": modifier }),
            None => json!({ "dc": dc }),
        });
        Some(true)
    }
}

fn grapple_has_size(reader: &Reader<'_>) -> bool {
    let grapple = reader.draft.grapple.as_ref();
    grapple.is_some_and(|one| one.max_size.is_some())
}
