//! Functions of actions, hits and features with saves, damage, or both.

use super::deeds::rolled;
use super::{Writer, is_none_of, is_one_of, name_and};
use crate::encounter::feature::{Reach, Shape};
use crate::encounter::plan::{DamagePart, Hit, Kind, Safe, What};
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// The function of an action or a feature with saves, damage, or both.
    pub(super) fn write_blast(&mut self, kind: &Kind, deed: usize, hit: &Hit, reach: Reach) {
        let name = &kind.deeds[deed].name;
        self.out.comment(format!("{}: {name}.", kind.title));
        self.open(kind, deed);
        self.write_premises(kind, deed, hit, reach);
        self.write_begin_of_concentration(kind, deed);
        self.write_target(kind, deed, hit, reach);
        if !kind.deeds[deed].is_sequel {
            self.tell(name_and("self", &format!(" uses {name}")));
        }
        self.write_rolls(hit);
        if let Reach::Area(shape) = reach {
            let reached = self.reached(shape);
            self.line(code!("for (foe : {reached}) {{", reached));
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

    /// Ends a deed that is disabled, that its creature cannot do, or that would change nothing.
    fn write_premises(&mut self, kind: &Kind, deed: usize, hit: &Hit, reach: Reach) {
        let disabled = self.disabled("self", kind.side, &kind.deeds[deed].name);
        if !disabled.is_empty() {
            self.line(code!("if ({}) {{ return; }}", disabled.joined(" || ")));
        }
        self.write_sight(kind, deed);
        if kind.deeds[deed].is_reaction {
            self.write_cost_of_reaction(kind, deed);
        }
        if let Some(lasts) = self.is_lasting_for(kind, deed) {
            self.line(code!("if (!({lasts}) || foe.hp == 0) {{ return; }}", lasts));
        }
        if let Some(held) = self.is_held_for(kind, deed) {
            self.line(code!("if ({held}) {{ return; }}", held));
        }
        let vain = self.is_vain(kind, deed, hit, reach);
        if !vain.is_empty() {
            self.line(code!("if ({}) {{ return; }}", vain.joined(" || ")));
        }
    }

    /// The target of a deed, or of its area, in reach; ends a deed without one, or with one that is
    /// immune.
    fn write_target(&mut self, kind: &Kind, deed: usize, hit: &Hit, reach: Reach) {
        match (self.plan.has_positions(), reach) {
            (_, Reach::Given) => {}
            (false, _) => self.write_guard(kind, deed),
            (true, Reach::Area(Shape::Radius(feet))) => {
                let any = self.any_target(kind, deed, feet);
                let fallen = self.fallen(kind, deed);
                self.line(code!("if ({fallen}!{any}) {{ return; }}", fallen, any));
            }
            (true, Reach::Area(_)) => self.write_approach(kind, deed, "aim"),
            (true, Reach::Chosen) => self.write_approach(kind, deed, "foe"),
        }
        if reach != Reach::Chosen {
            return;
        }
        if !self.plan.has_positions() {
            let chosen = self.chosen_for(kind, deed, "");
            self.line(code!("foe = {chosen};", chosen));
        }
        if let Some(closed) = self.closed(kind, deed, hit) {
            self.line(code!("if ({closed}) {{ return; }}", closed));
        }
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
        vain.extend(self.closed(kind, deed, hit));
        let immune = self.immune_to(1 - kind.side, &kind.deeds[deed].name);
        vain.extend((!immune.is_empty()).then(|| is_one_of("foe", &immune)));
        vain
    }

    /// An expression that is true if `foe` suffers from an effect already, or is safe from it.
    fn closed(&self, kind: &Kind, deed: usize, hit: &Hit) -> Option<ScriptCode> {
        let placed = self.plan.placed(kind.number, deed)?;
        let is_once = placed.effect.safe != Safe::Never && hit.ask.is_some();
        let field = placed.immune.as_ref().unwrap_or(&placed.field);
        (is_once && hit.damage.is_empty()).then(|| code!("foe.{field} != 0", field))
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
        let is_open = self.open_asked(kind, deed, hit);
        self.write_asked(kind, deed, hit);
        self.write_hit_damage(kind, deed, hit, is_area);
        self.write_effects(kind, deed, hit);
        self.write_kill_and_push(kind, hit);
        if matches!(kind.deeds[deed].what, What::Blast(..)) {
            self.write_grip_of_blast(kind, deed, hit);
        }
        if is_open {
            self.line("}");
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
            self.write_killed(1 - kind.side, "dies");
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
