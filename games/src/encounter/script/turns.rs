//! The turn of a creature: its beginning, its actions, and its end.

use super::creatures::{LEGENDARY, once_field, remembers_turn};
use super::{Told, Writer, name_and};
use crate::encounter::document::Limited;
use crate::encounter::feature::{Reach, Shape, Way, When};
use crate::encounter::plan::{Condition, Kind, Rampage, Todo, What};
use crate::encounter::policy::Policy;
use crate::script_text::{Joined, ScriptCode, code};

/// The function of a kind's turn.
pub(super) fn turn_function(kind: &Kind) -> ScriptCode {
    code!("{}Turn", kind.word)
}

/// The field with the uses of a step of a multiattack, if it has few.
fn uses_of_step(kind: &Kind, todo: &Todo) -> Option<ScriptCode> {
    let mut all = kind.limited.iter();
    let slot = all.position(|rare| rare.is_step && rare.deed == todo.deed)?;
    Some(code!("self.{}", kind.limited[slot].field(slot)))
}

/// The function with the legendary actions of a kind.
pub(super) fn legendary_function(kind: &Kind) -> ScriptCode {
    code!("{}Legendary", kind.word)
}

const PARAMETERS: &str = "self: creature, friends: creature list, foes: creature list";

impl Writer<'_> {
    pub(super) fn write_turns(&mut self) {
        let plan = self.plan;
        for kind in &plan.kinds {
            if plan.is_idle(kind) || !self.write_turn_of(kind) {
                self.idle.push(kind.number);
            }
            if !kind.legendary.is_empty() {
                self.write_legendary(kind);
            }
        }
    }

    /// The function of a kind's turn. Returns whether it does anything: the conditions of features
    /// may never hold in this fight.
    fn write_turn_of(&mut self, kind: &Kind) -> bool {
        let before = self.out.written();
        self.out.comment(format!("The turn of {}.", kind.title));
        self.line(code!(
            "deffun {}({PARAMETERS}) {{",
            turn_function(kind),
            PARAMETERS
        ));
        let opened = self.out.written();
        self.write_beginning(kind);
        let begun = self.out.written();
        if self.may_be_incapacitated(kind.side) {
            self.line("if (isAble(self)) {");
            let able = self.out.written();
            self.write_action(kind);
            match self.out.written() == able {
                true => self.out.take_back(begun),
                false => self.line("}"),
            }
        } else {
            self.write_action(kind);
        }
        self.write_end(kind);
        let is_empty = self.out.written() == opened;
        match is_empty {
            true => self.out.take_back(before),
            false => self.line("}\n"),
        }
        !is_empty
    }

    fn write_beginning(&mut self, kind: &Kind) {
        self.write_ends_at_start(kind);
        let traits = &kind.traits;
        if !kind.legendary.is_empty() {
            self.line(code!("self.legendary = {LEGENDARY};", LEGENDARY));
        }
        if self.plan.has_positions() {
            let speed = self.speed(kind);
            self.line(code!("self.left = {speed};", speed));
            if self.any(Kind::runs) {
                self.line("self.ran = 0; self.prey = 0;");
            }
        }
        self.write_ground_at_beginning(kind);
        if self.reacts(kind) {
            self.line("self.reaction = true;");
        }
        if remembers_turn(kind) {
            self.line("self.reckless = true;");
        }
        self.write_martial_back(kind);
        self.write_shields_back(kind);
        for index in 0..kind.once_a_turn() {
            self.line(code!("self.{} = false;", once_field(index)));
        }
        if traits.rampage.is_some() {
            self.line("self.rampaging = false;");
        }
        if let Some(regeneration) = &traits.regeneration {
            let healed = code!(
                "self.hp = min({}, self.hp + {});",
                self.most(kind),
                regeneration.hit_points
            );
            let is_stoppable = !regeneration.stopped_by.is_empty();
            let disabled = self.disabled("self", kind.side, &regeneration.of);
            let stops = is_stoppable.then(|| ScriptCode::from("self.stopped"));
            let stops: Vec<ScriptCode> = stops.into_iter().chain(disabled).collect();
            match &stops[..] {
                [] => {}
                [only] if is_stoppable => self.line(code!("if (!{only}) {{", only)),
                several => self.line(code!("if (!({})) {{", several.joined(" || "))),
            }
            if self.told == Told::Blows {
                self.line("before = self.hp;");
            }
            self.line(healed);
            if self.told == Told::Blows {
                self.line("if (self.hp > before) {");
                self.tell("self.name + \" regenerates to \" + self.hp + \" hit points\"");
                self.line("}");
            }
            if !stops.is_empty() {
                self.line("}");
            }
            if is_stoppable {
                self.line("self.stopped = false;");
            }
        }
        for (slot, rare) in kind.limited.iter().enumerate() {
            if let Some(lowest) = rare.recharge {
                let field = code!("self.{}", rare.field(slot));
                self.line(code!(
                    "if ({field} == 0 && roll(d6) >= {lowest}) {{ {field} = 1; }}",
                    field,
                    lowest
                ));
            }
        }
        self.write_asides_back(kind);
        self.write_healing_back(kind);
        if kind.may_go_berserk() {
            self.write_berserk(kind);
        }
        self.call_own(kind, When::TurnStart);
        self.call_at_enemies_turn(kind.side, When::EnemyTurnStart);
        self.call_squeezes(kind.side);
        self.write_each_turn(kind.side);
        if self.may_fall_in_turn(kind.side) {
            self.line("if (self.hp == 0) { return; }");
        }
        self.write_rooted(kind);
        // Those who lie stand up first.
        let falls = self.falls(kind.side);
        self.write_rise(kind, &falls);
    }

    /// The fields of effects on a side that end when a creature stands up.
    pub(super) fn falls(&self, side: usize) -> Vec<ScriptCode> {
        let effects = self.plan.effects_on(side);
        let falls = effects.filter(|placed| placed.effect.conditions == [Condition::Prone]);
        falls.map(|placed| placed.field.clone()).collect()
    }

    /// Prone creatures stand up, unless they are held (SRD 5.1, "Being Prone").
    pub(super) fn write_rise(&mut self, kind: &Kind, falls: &[ScriptCode]) {
        let held = self.is_held("self", kind.side);
        match self.plan.has_positions() && !falls.is_empty() {
            true => self.write_standing_up(kind, falls),
            false => falls.iter().for_each(|field| {
                let mut when = Vec::new();
                when.extend(
                    self.may_be_incapacitated(kind.side)
                        .then(|| ScriptCode::from("isAble(self)")),
                );
                when.extend((!held.is_empty()).then(|| code!("!({})", held.joined(" || "))));
                self.line(match when.is_empty() {
                    true => code!("self.{field} = 0;", field),
                    false => code!(
                        "if ({}) {{ self.{field} = 0; }}",
                        when.joined(" && "),
                        field
                    ),
                });
            }),
        }
    }

    /// Standing up takes half of the movement of a turn (SRD 5.1, "Being Prone").
    fn write_standing_up(&mut self, kind: &Kind, falls: &[ScriptCode]) {
        let lies: Vec<ScriptCode> = falls
            .iter()
            .map(|field| code!("self.{field} > 0", field))
            .collect();
        let held = self.is_held("self", kind.side);
        let free = match held.is_empty() {
            true => ScriptCode::default(),
            false => code!(" && !({})", held.joined(" || ")),
        };
        self.line(code!(
            "if (isAble(self) && ({}){free}) {{",
            lies.joined(" || "),
            free
        ));
        for field in falls {
            self.line(code!("self.{field} = 0;", field));
        }
        let half = kind.speed / 2;
        self.line(code!("self.left = max(0, self.left - {half});", half));
        self.tell(name_and("self", " stands up"));
        self.line("}");
    }

    /// The maximum hit points of a creature.
    pub(super) fn most(&self, kind: &Kind) -> ScriptCode {
        match self.plan.hit_dice[kind.number] {
            Some(_) => ScriptCode::from("self.most"),
            None => ScriptCode::from(kind.creature.hp),
        }
    }

    /// The main action: a limited one if it is available, or the routine.
    fn write_action(&mut self, kind: &Kind) {
        let is_tiring = self.write_tired(kind);
        if self.spends_bonus_action(kind) {
            self.line("isBusy = false;");
        }
        self.write_rage(kind);
        self.write_asides(kind, Way::Free);
        let mut opened = self.write_healing_of_turn(kind);
        opened += self.write_escape(kind) + self.write_ends_by_action(kind);
        self.write_marks(kind);
        if kind.limits != Policy::Known(Limited::Never) {
            let alone = kind.limited.iter().enumerate();
            let reactions = kind.reactions();
            let alone = alone.filter(|(slot, _)| !reactions.contains(slot));
            for (slot, rare) in alone.filter(|(_, rare)| !rare.is_step) {
                let crowd = self.policy_of_limited(kind, rare.deed);
                let crowd = crowd.map_or(ScriptCode::default(), |policy| {
                    code!(" && {policy}", policy)
                });
                let field = code!("self.{}", rare.field(slot));
                let someone = self.someone_for(kind, rare.deed);
                let held = self.is_held_for(kind, rare.deed);
                let busy = self.is_concentrating_for(kind, rare.deed);
                let name = &kind.deeds[rare.deed].name;
                let disabled = self.disabled("self", kind.side, name);
                let spent = self.is_spent_for(kind, rare.deed);
                let not = [held, busy, spent].into_iter().flatten().chain(disabled);
                let free: ScriptCode = not.map(|one| code!(" && !({one})", one)).collect();
                self.line(code!(
                    "if ({field} > 0 && {someone}{crowd}{free}) {{",
                    field,
                    someone,
                    crowd,
                    free
                ));
                self.line(code!("{field} -= 1;", field));
                let is_open = self.open_uncountered(kind, slot, &field);
                self.write_todo(kind, &Todo::once(rare.deed));
                if is_open {
                    self.line("}");
                }
                if kind.deeds[rare.deed]
                    .boon()
                    .is_some_and(|boon| boon.is_bonus)
                {
                    self.spend_bonus_action(kind);
                    self.spend_smite(kind);
                    self.write_usual_action(kind);
                }
                self.line("} else {");
                opened += 1;
            }
        }
        self.write_usual_action(kind);
        for _ in 0..opened {
            self.line("}");
        }
        self.write_extra_attack(kind);
        self.write_surge(kind);
        self.write_bonus_actions(kind);
        if is_tiring {
            self.line("}");
        }
    }

    /// What a creature does if nothing limited is available.
    pub(super) fn write_usual_action(&mut self, kind: &Kind) {
        let opened = match self.plan.has_positions() {
            true => {
                self.write_options(kind);
                0
            }
            false => {
                let opened = self.write_preferred(kind);
                let routine = kind.routine.iter();
                routine.for_each(|todo| self.write_todo(kind, todo));
                opened
            }
        };
        for _ in 0..opened {
            self.line("}");
        }
    }

    /// The alternatives that are better than the routine, where each of their deeds has a target.
    /// Returns the number of open blocks; the other actions belong into the innermost one.
    pub(super) fn write_preferred(&mut self, kind: &Kind) -> usize {
        let mut opened = 0;
        for todos in &kind.preferred {
            let mut possible = Vec::new();
            for todo in todos {
                let uses = uses_of_step(kind, todo);
                possible.extend(uses.map(|uses| code!("{uses} > 0", uses)));
                let any = self.someone_for(kind, todo.deed);
                if !possible.contains(&any) {
                    possible.push(any);
                }
            }
            if possible.iter().any(|one| one == "false") {
                continue;
            }
            self.line(code!("if ({}) {{", possible.joined(" && ")));
            for todo in todos {
                self.write_todo(kind, todo);
            }
            self.line("} else {");
            opened += 1;
        }
        opened
    }

    /// SRD 5.1, Gnoll: a bite as a bonus action after an enemy has fallen.
    fn write_rampage(&mut self, kind: &Kind, rampage: &Rampage) -> bool {
        let deed = kind.rampage();
        if let Some(deed) = deed {
            self.line("if (self.rampaging) {");
            self.tell(name_and("self", " rampages"));
            if let Some(part) = rampage.part_of_speed.filter(|_| self.plan.has_positions()) {
                let speed = self.speed(kind);
                self.line(match part {
                    1 => Self::gains(kind, &speed),
                    part => Self::gains(kind, &code!("{speed} / {part}", speed, part)),
                });
            }
            self.write_todo(kind, &Todo::once(deed));
            self.line("}");
        }
        deed.is_some()
    }

    /// The bonus action of a turn: an attack after a fall, or one that features allow.
    fn write_bonus_actions(&mut self, kind: &Kind) {
        let rampage = kind.traits.rampage.as_ref();
        let is_open = rampage.is_some_and(|rampage| self.write_rampage(kind, rampage));
        let mut asides = kind.asides.iter();
        if asides.any(|aside| aside.way == Way::Bonus) {
            if is_open {
                self.line("else {");
            }
            self.write_asides(kind, Way::Bonus);
            if is_open {
                self.line("}");
            }
        }
    }

    /// Whether a deed can reach any creature in this turn.
    pub(super) fn someone_for(&self, kind: &Kind, deed: usize) -> ScriptCode {
        let feet = kind.deeds[deed].feet().max;
        match (self.plan.has_positions(), &kind.deeds[deed].what) {
            (_, What::Boon(boon)) => self.someone_helped_by(kind, deed, boon),
            (_, What::Mend(hit_points)) => {
                code!("self.hp + {hit_points} <= {}", self.most(kind), hit_points)
            }
            (true, What::Blast(_, Reach::Area(Shape::Radius(_)))) => {
                self.any_target(kind, deed, feet)
            }
            _ => self.any_target(kind, deed, &code!("{feet} + self.left", feet)),
        }
    }

    pub(super) fn write_todo(&mut self, kind: &Kind, todo: &Todo) {
        let call = code!("{}(self, friends, foes);", kind.deeds[todo.deed].word);
        let rays = kind.deeds[todo.deed].times;
        let call = match (todo.times == "1", rays) {
            (true, 1) => call,
            (true, rays) => code!("repeat ({rays}) {{ {call} }}", rays, call),
            (false, 1) => code!("repeat ({}) {{ {call} }}", todo.times, call),
            (false, rays) => code!(
                "repeat ({rays} * ({})) {{ {call} }}",
                todo.times,
                rays,
                call
            ),
        };
        self.line(match uses_of_step(kind, todo) {
            None => call,
            Some(uses) => code!("if ({uses} > 0) {{ {uses} -= 1; {call} }}", uses, call),
        });
    }

    /// The end of a turn.
    fn write_end(&mut self, kind: &Kind) {
        let plan = self.plan;
        if plan.remembers_turns() {
            self.line("self.hasActed = true;");
        }
        self.write_vex_end(kind);
        if plan.has_positions() {
            self.line("self.left = 0;");
            if self.any(Kind::runs) {
                self.line("self.prey = 0;");
            }
        }
        if self.may_fall_in_turn(kind.side) {
            self.line("if (self.hp == 0) { return; }");
        }
        self.write_ends_of_caused(kind);
        self.write_ground_at_end(kind);
        self.call_own(kind, When::TurnEnd);
        self.call_at_enemies_turn(kind.side, When::EnemyTurnEnd);
        let is_hurt = plan.on_side(1 - kind.side).any(|foe| {
            let mut at_end = foe.handlers_at(When::EnemyTurnEnd);
            at_end.next().is_some()
        });
        if is_hurt {
            self.line("if (self.hp == 0) { return; }");
        }
        self.write_ends_at_end(kind);
        self.write_boons_at_end(kind);
    }

    /// Legendary actions: one after the turn of another, the best that it can pay for.
    fn write_legendary(&mut self, kind: &Kind) {
        self.out
            .comment(format!("{} after the turn of another.", kind.title));
        self.line(code!(
            "deffun {}({PARAMETERS}) {{",
            legendary_function(kind),
            PARAMETERS
        ));
        // SRD 5.1, "Legendary Creatures": not before the end of a first turn that it loses.
        let surprised = match kind.is_surprised {
            true => "self.surprised || ",
            false => "",
        };
        self.line(code!(
            "if ({surprised}!isAble(self) || !anyStands(foes)) {{ return; }}",
            surprised
        ));
        for (cost, todo) in &kind.legendary {
            let possible = match kind.is_conditional(todo.deed) {
                false => ScriptCode::default(),
                true => {
                    let feet = kind.deeds[todo.deed].feet().max;
                    code!(" && {}", self.any_target(kind, todo.deed, feet))
                }
            };
            self.line(code!(
                "if (self.legendary >= {cost}{possible}) {{",
                cost,
                possible
            ));
            self.line(code!("self.legendary -= {cost};", cost));
            self.write_todo(kind, todo);
            self.line("return;");
            self.line("}");
        }
        self.line("}\n");
    }
}
