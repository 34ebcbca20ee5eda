//! Distances and movement, in fights with positions: SRD 5.1, "Movement and Position". A diagonal
//! counts as a side of the grid, and creatures do not block each other.

use super::{Writer, name_and};
use crate::encounter::feature::When;
use crate::encounter::plan::{Condition, Feet, Kind, Todo, What};
use crate::script_text::{IsCode, Joined, ScriptCode, code};

/// Farther than anybody is from anybody, in feet.
pub(super) const ANYWHERE: u32 = 1_000_000;

/// The distance of creatures that move as close as they can.
pub(super) const NEXT_TO: u32 = 5;

/// The position of a creature that stays some feet away from its target.
pub(super) const ACROSS: &str = "x = foe.x + max(-stays, min(stays, self.x - foe.x));";
pub(super) const DOWN: &str = "y = foe.y + max(-stays, min(stays, self.y - foe.y));";

/// The functions of movement by side.
pub(super) const MOVE: [&str; 2] = ["moveFirst", "moveSecond"];

impl Writer<'_> {
    pub(super) fn write_movement(&mut self) {
        if !self.plan.has_positions() {
            return;
        }
        self.out
            .comment("How far two creatures are from each other, in feet.");
        self.line("deffun distance(a: creature, b: creature) : int {");
        self.line("return max(abs(a.x - b.x), abs(a.y - b.y));");
        self.line("}\n");
        self.out
            .comment("Whether an enemy who stands is within some feet.");
        self.line("deffun anyWithin(self: creature, foes: creature list, feet: int) : bool {");
        self.line("return any(c.hp > 0 && distance(self, c) <= feet for c : foes);");
        self.line("}\n");
        let is_ranged = |kind: &Kind| {
            let mut used = kind.used().into_iter();
            used.any(|deed| kind.deeds[deed].is_melee() == Some(false))
        };
        if self.any(is_ranged) {
            self.out
                .comment("Whether an enemy is so close that it hinders attacks at a distance.");
            self.line("deffun isThreatened(self: creature, foes: creature list) : bool {");
            self.line(code!(
                "return any(isAble(c) && distance(self, c) <= {NEXT_TO} for c : foes);",
                NEXT_TO
            ));
            self.line("}\n");
        }
        if self.has_pushes() {
            self.write_push();
        }
        self.write_areas();
        self.write_ground();
        for side in [0, 1] {
            self.write_move(side);
        }
    }

    /// Whether somebody may be pushed.
    pub(super) fn has_pushes(&self) -> bool {
        let pushes = |kind: &Kind| {
            let mut used = kind.used().into_iter();
            used.any(|deed| kind.deeds[deed].hit().is_some_and(|hit| hit.pushes > 0))
        };
        self.any(pushes)
    }

    /// Somebody is pushed straight away: along an axis or a diagonal, whichever is closer.
    fn write_push(&mut self) {
        self.out.comment("Somebody is pushed away.");
        self.line("deffun pushAway(self: creature, foe: creature, feet: int) {");
        self.line("right = foe.x - self.x; down = foe.y - self.y;");
        for (axis, own, other) in [("x", "right", "down"), ("y", "down", "right")] {
            self.line(code!(
                "if ({own} != 0 && 2 * abs({own}) >= abs({other})) {{ foe.{axis} += {own} > 0 \
                 ? feet : -feet; }}",
                own,
                other,
                axis
            ));
        }
        self.tell("foe.name + \" is pushed \" + feet + \" feet away\"");
        self.line("}\n");
    }

    /// A move toward an enemy; creatures whose reach is left may attack.
    fn write_move(&mut self, side: usize) {
        let plan = self.plan;
        self.out.comment(
            "Somebody moves toward an enemy, until it is as close as it wants or has no \
             movement left.",
        );
        self.line(code!(
            "deffun {}(self: creature, foe: creature, feet: int, friends: creature list, foes: \
             creature list) {{",
            MOVE[side]
        ));
        self.line("far = distance(self, foe);");
        let spent = match self.is_slowed(side) {
            None => {
                self.line("steps = min(self.left, far - feet);");
                "steps"
            }
            Some(slowed) => self.write_steps(&slowed),
        };
        self.line("if (steps <= 0) { return; }");
        self.line("stays = far - steps;");
        self.line(ACROSS);
        self.line(DOWN);
        let is_chased = plan.on_side(side).any(|kind| !kind.traits.flies_by);
        for enemy in plan.on_side(1 - side).filter(|_| is_chased) {
            if let Some(deed) = enemy.opportunity {
                self.write_opportunity(enemy, deed);
            }
        }
        let [x, y] = self.places();
        self.line(code!("self.x = {x}; self.y = {y};", x, y));
        // A hide that holds an attacker on the way has taken what was left.
        self.line(code!("self.left = max(0, self.left - {spent});", spent));
        if self.any(Kind::runs) {
            self.line("self.ran = steps; self.prey = foe.number;");
        }
        self.tell("self.name + \" moves \" + steps + \" feet toward \" + foe.name");
        self.write_ends_by_move(side);
        self.call_moved(side);
        self.line("}\n");
    }

    /// The bounds of a position after a move. A moving creature stays between its position and an
    /// enemy, so unless creatures are pushed, all stay between their initial positions. Range
    /// analysis cannot see that, and without a bound fights do not run in lanes.
    fn places(&self) -> [ScriptCode; 2] {
        [0, 1].map(|axis| {
            let name = ["x", "y"][axis];
            let all = self.plan.positions.iter().flatten().flatten();
            let all = all.map(|place| place[axis]);
            let bounds = all.clone().min().zip(all.max());
            match bounds.filter(|_| !self.has_pushes()) {
                Some((low, high)) => code!("max({low}, min({high}, {name}))", low, high, name),
                None => name.into(),
            }
        })
    }

    /// Adds feet to the movement that somebody has left in its turn. That happens three times at
    /// most, each time with no more than its speed, which it began with: a bound for range
    /// analysis.
    pub(super) fn gains(kind: &Kind, feet: impl IsCode) -> ScriptCode {
        let most = 4 * kind.speed;
        code!("self.left = min({most}, self.left + {feet});", most, feet)
    }

    /// An opportunity attack of creatures of a kind on `self`.
    fn write_opportunity(&mut self, enemy: &Kind, deed: usize) {
        let reach = enemy.deeds[deed].feet().max;
        let is_it = self.is_of(enemy, "c");
        let flying: Vec<usize> = self
            .plan
            .on_side(1 - enemy.side)
            .filter(|kind| kind.traits.flies_by)
            .map(|kind| kind.number)
            .collect();
        let may_be_hit = match flying.is_empty() {
            true => ScriptCode::default(),
            false => code!(" && {}", super::is_none_of("self", &flying)),
        };
        let is_free = self.is_free_for(enemy, deed, "c");
        self.line("for (c : foes) {");
        self.line(code!(
            "if (c.reaction && isAble(c){is_it}{may_be_hit}{is_free} \
             && distance(c, self) <= {reach} && max(abs(c.x - x), abs(c.y - y)) > {reach}) {{",
            is_it,
            may_be_hit,
            is_free,
            reach
        ));
        self.line("c.reaction = false;");
        self.tell("c.name + \" takes its chance as \" + self.name + \" leaves\"");
        self.line(code!(
            "{}(c, self, foes, friends);",
            on_function(enemy, deed)
        ));
        let mut stops = vec![ScriptCode::from("!isAble(self)")];
        if self.plan.hold(enemy.number, deed).is_some() {
            stops.extend(self.is_held("self", 1 - enemy.side));
        }
        self.line(code!("if ({}) {{ return; }}", stops.joined(" || ")));
        self.line("}");
        self.line("}");
    }

    /// Ends a deed if no creature is in reach; otherwise `name` is an enemy within the range of the
    /// deed.
    pub(super) fn write_approach(&mut self, kind: &Kind, deed: usize, name: &'static str) {
        let Feet { usual, max } = kind.deeds[deed].feet();
        let feet = code!("{max} + self.left", max);
        let chosen = self.chosen_for(kind, deed, &feet);
        let any = self.any_target(kind, deed, &feet);
        self.line(code!("if (self.hp == 0 || !{any}) {{ return; }}", any));
        self.line(code!("{name} = {chosen};", name, chosen));
        self.line(code!(
            "{}(self, {name}, {usual}, friends, foes);",
            MOVE[kind.side],
            name,
            usual
        ));
        self.line(code!(
            "if (!isAble(self) || distance(self, {name}) > {max}) {{ return; }}",
            name,
            max
        ));
    }

    /// The speed of a creature in feet: 0 if it is restrained or held, or holds a creature.
    pub(super) fn speed(&self, kind: &Kind) -> ScriptCode {
        let feet = kind.speed;
        let mut held = self.having("self", kind.side, |one| {
            matches!(one, Condition::Restrained | Condition::Rooted)
        });
        let is_held = self.plan.may_be_held(kind.side);
        held.extend(is_held.then(|| ScriptCode::from("self.held > 0")));
        held.extend(self.is_holding("self", kind));
        match held.is_empty() {
            true => ScriptCode::from(feet),
            false => code!("({} ? 0 : {feet})", held.joined(" || "), feet),
        }
    }

    /// Whoever is rooted to the ground when its turn starts does not move in this turn.
    pub(super) fn write_rooted(&mut self, kind: &Kind) {
        let rooted = self.having("self", kind.side, |one| one == Condition::Rooted);
        if !rooted.is_empty() {
            self.line(code!("if ({}) {{ self.left = 0; }}", rooted.joined(" || ")));
        }
    }

    /// The actions of a turn without limited ones: the first option that reaches a target;
    /// otherwise it runs toward an enemy.
    pub(super) fn write_options(&mut self, kind: &Kind) {
        let Some(need) = need(kind, &kind.routine) else {
            return;
        };
        let speed = self.speed(kind);
        if kind.traits.is_aggressive {
            self.line(code!(
                "if (!anyWithin(self, foes, {need} + self.left)) {{ {}",
                Self::gains(kind, &speed),
                need
            ));
            self.spend_bonus_action(kind);
            self.line("}");
        }
        let charges = self.write_charges(kind);
        let preferred = self.write_preferred(kind);
        let options = std::iter::once(&kind.routine).chain(&kind.options);
        for option in options {
            let Some(need) = self::need(kind, option) else {
                continue;
            };
            self.line(code!(
                "if (anyWithin(self, foes, {need} + self.left)) {{",
                need
            ));
            for todo in option {
                self.write_todo(kind, todo);
            }
            self.line("} else {");
        }
        self.line("if (anyStands(foes)) {");
        let is_open = self.write_escape_of_stuck(kind);
        self.tell(name_and("self", " dashes"));
        self.line(Self::gains(kind, &speed));
        let chosen = self.chosen(kind, ANYWHERE);
        self.line(code!(
            "{}(self, {chosen}, {NEXT_TO}, friends, foes);",
            MOVE[kind.side],
            chosen,
            NEXT_TO
        ));
        if is_open {
            self.line("}");
        }
        self.line("}");
        for _ in 0..=kind.options.len() + charges + preferred {
            self.line("}");
        }
    }

    /// Attacks that are better after a run than the routine: if its target is far enough away, a
    /// creature runs and makes that attack. Returns their number.
    fn write_charges(&mut self, kind: &Kind) -> usize {
        let mut all = kind.handlers_at(When::Hits);
        let first = all.find_map(|handled| Some((kind.charge(handled)?, handled.only.run?)));
        let is_usual = |deed: usize| kind.routine.iter().any(|todo| todo.deed == deed);
        if let Some((deed, run)) = first.filter(|(deed, _)| !is_usual(*deed)) {
            let feet = kind.deeds[deed].feet().max;
            let target = self.chosen(kind, &code!("{feet} + self.left", feet));
            self.line(code!(
                "if (anyWithin(self, foes, {feet} + self.left) && distance(self, {target}) >= \
                 {}) {{",
                feet + run,
                feet,
                target
            ));
            self.write_todo(kind, &Todo::once(deed));
            self.line("} else {");
            return 1;
        }
        0
    }
}

/// The maximum distance of an enemy for an option: that of its first attack.
fn need(kind: &Kind, option: &[Todo]) -> Option<u32> {
    let mut deeds = option.iter().map(|todo| &kind.deeds[todo.deed]);
    let first = deeds.clone().next();
    let attack = deeds.find(|deed| matches!(deed.what, What::Strike(_)));
    attack.or(first).map(|deed| deed.feet().max)
}

/// The function of an attack on a creature within reach.
pub(super) fn on_function(kind: &Kind, deed: usize) -> ScriptCode {
    code!("{}On", kind.deeds[deed].word)
}
