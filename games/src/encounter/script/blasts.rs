//! Functions of actions, hits and features with saves, damage, or both.

use super::deeds::rolled;
use super::saves::save_function;
use super::{Writer, is_none_of, is_one_of, name_and};
use crate::encounter::feature::{Reach, Shape};
use crate::encounter::plan::{Condition, DamagePart, Hit, Kind, Placed, Safe, What};
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// The function of an action or a feature with saves, damage, or both.
    pub(super) fn write_blast(&mut self, kind: &Kind, deed: usize, hit: &Hit, reach: Reach) {
        let name = &kind.deeds[deed].name;
        self.out.comment(format!("{}: {name}.", kind.title));
        self.open(kind, deed);
        let disabled = self.disabled("self", kind.side, name);
        if !disabled.is_empty() {
            self.line(code!("if ({}) {{ return; }}", disabled.joined(" || ")));
        }
        if let Some(held) = self.is_held_for(kind, deed) {
            self.line(code!("if ({held}) {{ return; }}", held));
        }
        let vain = self.is_vain(kind, deed, hit, reach);
        if !vain.is_empty() {
            self.line(code!("if ({}) {{ return; }}", vain.joined(" || ")));
        }
        self.write_begin_of_concentration(kind, deed);
        let feet = kind.deeds[deed].feet();
        match (self.plan.has_positions(), reach) {
            (_, Reach::Given) => {}
            (false, _) => self.write_guard(kind, deed),
            (true, Reach::Area(Shape::Radius(feet))) => self.line(code!(
                "if ({}!anyWithin(self, foes, {feet})) {{ return; }}",
                self.fallen(kind, deed),
                feet
            )),
            (true, Reach::Area(_)) => self.write_approach(kind, feet, "aim"),
            (true, Reach::Chosen) => self.write_approach(kind, feet, "foe"),
        }
        if !kind.deeds[deed].is_sequel {
            self.tell(name_and("self", &format!(" uses {name}")));
        }
        self.write_rolls(hit);
        match reach {
            Reach::Area(shape) => {
                let reached = self.reached(shape);
                self.line(code!("for (foe : {reached}) {{", reached));
            }
            Reach::Chosen if !self.plan.has_positions() => {
                let chosen = self.chosen(kind, "");
                self.line(code!("foe = {chosen};", chosen));
            }
            Reach::Chosen | Reach::Given => {}
        }
        let immune = self.immune_to(1 - kind.side, name);
        if !immune.is_empty() {
            self.line(code!("if ({}) {{", is_none_of("foe", &immune)));
        }
        self.call_besides(kind, deed);
        self.write_hit_on(kind, deed, hit, true);
        if !immune.is_empty() {
            self.line("}");
        }
        if matches!(reach, Reach::Area(_)) {
            self.line("}");
        }
        self.line("}\n");
    }

    /// Expressions that are true if a deed on a given `foe` would change nothing: it is held,
    /// affected or safe already. Such deeds output no line.
    fn is_vain(&self, kind: &Kind, deed: usize, hit: &Hit, reach: Reach) -> Vec<ScriptCode> {
        let next = kind.deeds.get(deed + 1);
        let is_part = kind.deeds[deed].is_sequel || next.is_some_and(|next| next.is_sequel);
        if reach != Reach::Given || is_part {
            return Vec::new();
        }
        let mut vain = match hit.does_nothing() && hit.ask.is_none() {
            true => self.cannot_seize(kind, deed),
            false => Vec::new(),
        };
        let safe = self.safe_from(kind, deed, hit).into_iter();
        vain.extend(safe.map(|field| code!("foe.{field} != 0", field)));
        let immune = self.immune_to(1 - kind.side, &kind.deeds[deed].name);
        vain.extend((!immune.is_empty()).then(|| is_one_of("foe", &immune)));
        vain
    }

    /// The field of an effect whose victims, and creatures that are safe from it, are skipped.
    fn safe_from(&self, kind: &Kind, deed: usize, hit: &Hit) -> Option<ScriptCode> {
        let placed = self.plan.placed(kind.number, deed)?;
        let is_once = is_safe(placed, hit) && hit.damage.is_empty();
        is_once.then(|| placed.field.clone())
    }

    /// The creatures in an area of `self`; a directed area is aimed at `aim`.
    fn reached(&self, shape: Shape) -> ScriptCode {
        match shape {
            _ if !self.plan.has_positions() => ScriptCode::from("reached(foes)"),
            Shape::Cone(feet) => code!("inCone(self, aim, foes, {feet})", feet),
            Shape::Line(feet, width) => {
                code!("inLine(self, aim, foes, {feet}, {width})", feet, width)
            }
            Shape::Radius(feet) => code!("around(self, foes, {feet})", feet),
            Shape::Point(_, feet) => code!("around(aim, foes, {feet})", feet),
        }
    }

    /// The part of an attack's effect after a save of `foe`: its damage is rolled for each target.
    pub(super) fn write_hit(&mut self, kind: &Kind, deed: usize, hit: &Hit) {
        self.write_rolls(hit);
        self.write_hit_on(kind, deed, hit, false);
    }

    fn write_hit_on(&mut self, kind: &Kind, deed: usize, hit: &Hit, is_area: bool) {
        let placed = self.plan.placed(kind.number, deed);
        let once = self.safe_from(kind, deed, hit);
        if let Some(field) = &once {
            self.line(code!("if (foe.{field} == 0) {{", field));
        }
        if hit.ask.is_some() {
            self.line(code!("saved = {}(foe);", save_function(kind, deed)));
        }
        self.write_hit_damage(kind, deed, hit, is_area);
        if let Some(placed) = placed {
            let (field, turns) = (&placed.field, placed.effect.turns);
            let immune = self.immune(placed, &placed.effect.conditions);
            let open = match immune.is_empty() {
                true => ScriptCode::default(),
                false => code!(" && {}", is_none_of("foe", &immune)),
            };
            let failed = if hit.ask.is_some() { "!saved && " } else { "" };
            self.line(code!("if ({failed}foe.hp > 0{open}) {{", failed, open));
            self.line(code!("foe.{field} = {turns};", field, turns));
            if let Some(cause) = &placed.cause {
                self.line(code!("foe.{cause} = self.number;", cause));
            }
            let names = placed.effect.names();
            self.tell(name_and("foe", &format!(" is {names}")));
            let mut conditions = placed.effect.conditions.iter();
            if conditions.any(|condition| Condition::incapacitates(*condition)) {
                self.call_let_go(1 - kind.side);
                self.call_distract(1 - kind.side);
            }
            self.line("}");
            if is_safe(placed, hit) {
                self.line(code!("if (saved) {{ foe.{field} = -1; }}", field));
            }
        }
        if once.is_some() {
            self.line("}");
        }
        self.write_kill_and_push(kind, hit);
        if matches!(kind.deeds[deed].what, What::Blast(..)) {
            self.write_grip_of_blast(kind, deed, hit);
        }
    }

    /// Holds creatures that fail.
    fn write_grip_of_blast(&mut self, kind: &Kind, deed: usize, hit: &Hit) {
        if self.plan.hold(kind.number, deed).is_none() {
            return;
        }
        if hit.ask.is_some() {
            self.line("if (!saved) {");
        }
        self.call_grip(kind, deed);
        if hit.ask.is_some() {
            self.line("}");
        }
    }

    /// Kills or pushes creatures that fail.
    fn write_kill_and_push(&mut self, kind: &Kind, hit: &Hit) {
        let failed = if hit.ask.is_some() { "!saved && " } else { "" };
        if hit.kills {
            self.line(code!("if ({failed}foe.hp > 0) {{", failed));
            self.write_killed(1 - kind.side);
            self.line("}");
        }
        if let Some(gear) = hit.corrodes {
            self.write_corrosion(1 - kind.side, failed, gear);
        }
        if hit.pushes > 0 {
            let feet = hit.pushes;
            self.line(code!(
                "if ({failed}foe.hp > 0) {{ pushAway(self, foe, {feet}); }}",
                failed,
                feet
            ));
            self.call_part(1 - kind.side);
        }
    }

    /// Damage of a deed to `foe` that nothing averts.
    pub(super) fn write_sure_damage(&mut self, kind: &Kind, deed: usize, damage: &[DamagePart]) {
        let hit = Hit::of_damage(damage);
        self.write_rolls(&hit);
        self.write_hit_damage(kind, deed, &hit, false);
    }

    /// The dice of the damage of a hit.
    fn write_rolls(&mut self, hit: &Hit) {
        for (index, part) in hit.damage.iter().enumerate() {
            self.line(code!("rolled{} = {};", index + 1, rolled(&[part], false)));
        }
    }

    fn write_hit_damage(&mut self, kind: &Kind, deed: usize, hit: &Hit, is_area: bool) {
        if hit.damage.is_empty() {
            return;
        }
        let other = 1 - kind.side;
        let evades = self
            .plan
            .on_side(other)
            .filter(|foe| is_area && hit.is_halved && hit.asks_for("DEX") && foe.traits.evasion);
        let evades: Vec<usize> = evades.map(|foe| foe.number).collect();
        for (index, part) in hit.damage.iter().enumerate() {
            let name = code!("rolled{}", index + 1);
            let on_save = if hit.is_halved {
                code!("{name} / 2", name)
            } else {
                ScriptCode::from("0")
            };
            let usual = match hit.ask {
                Some(_) => code!("saved ? {on_save} : {name}", on_save, name),
                None => name.clone(),
            };
            let amount = match evades.is_empty() {
                true => usual,
                false => code!(
                    "{} ? (saved ? 0 : {name} / 2) : {usual}",
                    is_one_of("foe", &evades),
                    name,
                    usual
                ),
            };
            let taken = code!("taken{}", index + 1);
            self.line(code!("{taken} = {amount};", taken, amount));
            let taken = self.taken("foe", other, &part.kind, &taken);
            self.line(match index {
                0 => code!("lost = {taken};", taken),
                _ => code!("lost += {taken};", taken),
            });
        }
        self.note_damage(kind, deed, "lost");
        self.write_stop(kind, &hit.damage);
        let sure = self.sure(&hit.damage, "false");
        self.line("if (lost > 0) {");
        self.write_hurt(other, &code!("lost{sure}", sure));
        self.line("}");
    }
}

/// Whether some are safe from an effect after a save.
fn is_safe(placed: &Placed, hit: &Hit) -> bool {
    placed.effect.safe != Safe::Never && hit.ask.is_some()
}
