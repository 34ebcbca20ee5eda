//! Writes the script of a day: a record for heroes, each fight as a function, the rests, and the
//! roll.

use super::super::rest::Rest;
use super::super::script::{Carried, Told, fight_of_day};
use super::super::wrong::Wrong;
use super::document::HitDiceUse;
use super::figures::{FightFigures, SURVIVED};
use super::plan::{DayFight, DayPlan, DayStep, Hero};
use crate::script_text::{GENERATED, Joined, ScriptCode, ScriptText, code, quoted};
use dicec_lang::front::script::set_apart;
use dicec_runtime::bug;

/// Failed death saves of the dead, and of creatures that make none.
const DEAD: u32 = 3;

/// An expression for a hero `h` that is true unless it is dead.
const IS_ALIVE: &str = "!(h.hp == 0 && h.failures == 3)";

/// The script of a day. Its roll returns one of [`FightFigures::endings`] or [`SURVIVED`].
///
/// # Errors
/// It is too long.
pub fn day_script(plan: &DayPlan, told: Told) -> Result<String, Wrong> {
    let mut writer = Writer {
        plan,
        told,
        out: ScriptText::default(),
    };
    writer.out.comment(plan.title());
    writer.write_endings();
    writer.write_record();
    for fight in plan.fights() {
        writer.write_fight(fight)?;
    }
    for rest in [Rest::Short, Rest::Long] {
        if writer.has_rest(rest) {
            writer.write_rests(rest);
        }
    }
    writer.write_roll();
    writer.out.into_text()
}

struct Writer<'p> {
    plan: &'p DayPlan,
    told: Told,
    out: ScriptText,
}

/// The prefix of all definitions of a fight.
fn prefix(fight: &DayFight) -> String {
    format!("fight{}_", fight.number)
}

fn rest_function(hero: &Hero, rest: Rest) -> ScriptCode {
    match rest {
        Rest::Short => code!("{}ShortRest", hero.word),
        Rest::Long => code!("{}LongRest", hero.word),
    }
}

impl Writer<'_> {
    fn line(&mut self, code: impl Into<ScriptCode>) {
        self.out.line(code);
    }

    fn tell(&mut self, parts: &ScriptCode) {
        if self.told == Told::Blows {
            self.out.line(code!("output({parts});", parts));
        }
    }

    fn has_rest(&self, rest: Rest) -> bool {
        let is_it = |step: &DayStep| matches!(step, DayStep::Rest(own) if *own == rest);
        self.plan.steps.iter().any(is_it)
    }

    fn write_endings(&mut self) {
        let mut all: Vec<ScriptCode> = Vec::new();
        for fight in self.plan.fights() {
            let endings = FightFigures::of(fight.number, &fight.name).endings();
            all.extend(endings.iter().filter_map(|ending| ScriptCode::name(ending)));
        }
        all.push(SURVIVED.into());
        self.line(code!("\nenum ending {{ {} }}\n", all.joined(", ")));
    }

    fn write_record(&mut self) {
        let mut fields: Vec<ScriptCode> = vec![
            "name: string".into(),
            "hp: int".into(),
            "most: int".into(),
            "temporary: int".into(),
            "failures: int".into(),
            "hitDice: int".into(),
        ];
        let kept = self.plan.heroes.iter().flat_map(|hero| &hero.kept);
        let mut own: Vec<&ScriptCode> = kept.map(|kept| &kept.field).collect();
        own.sort_unstable();
        own.dedup();
        fields.extend(own.into_iter().map(|field| code!("{field}: int", field)));
        self.out.comment("One of the party, between fights.");
        self.line(code!("deftype hero {{ {} }}\n", fields.joined(", ")));
    }

    /// A fight as the function `fightN_encounter`.
    fn write_fight(&mut self, fight: &DayFight) -> Result<(), Wrong> {
        let kept = self.plan.heroes.iter().map(|hero| {
            let kept = hero.kept.iter();
            let kept = kept.map(|one| (one.what.clone(), one.field.clone()));
            kept.collect()
        });
        let carried = Carried {
            kept: kept.collect(),
            rounds: FightFigures::of(fight.number, &fight.name).rounds,
        };
        // Damage by action would be a statistic for each fight: a report of days does not show it.
        let told = match self.told {
            Told::Blows => Told::Blows,
            Told::Figures | Told::Sides => Told::Sides,
        };
        let text = fight_of_day(&fight.plan, told, &carried)?;
        let apart = set_apart(&text, &prefix(fight), GENERATED);
        let apart = apart.unwrap_or_else(|found| bug!("a generated fight: {found:?}").raise());
        let title = format!("Fight {}: {}.", fight.number, fight.name);
        self.out.comment(title);
        self.line(ScriptCode::brought(&apart));
        self.line("");
        Ok(())
    }

    /// The functions of a rest, one for each kind of heroes.
    fn write_rests(&mut self, rest: Rest) {
        let plan = self.plan;
        for hero in &plan.heroes {
            self.out.comment(match rest {
                Rest::Short => "A short rest: hit dice, and what comes back after one.",
                Rest::Long => "A long rest: everything comes back, and half of the hit dice.",
            });
            let function = rest_function(hero, rest);
            self.line(code!("deffun {function}(h: hero) {{", function));
            self.line(code!("if ({IS_ALIVE}) {{", IS_ALIVE));
            match rest {
                Rest::Short => self.write_short_rest(hero),
                Rest::Long => self.write_long_rest(hero),
            }
            let back = hero.kept.iter();
            let back = back.filter(|kept| rest == Rest::Long || kept.rest == Rest::Short);
            for kept in back {
                self.line(code!("h.{} = {};", kept.field, kept.full));
            }
            self.tell(&code!(
                "h.name + \" has \" + h.hp + \" of \" + h.most + \" hit points and \" + h.hitDice + \
                 (h.hitDice == 1 ? \" hit die\" : \" hit dice\")"
            ));
            self.line("}\n}\n");
        }
    }

    /// Those who were stabilised wake with 1 hit point after 1d4 hours (SRD 5.1, "Stabilizing a
    /// Creature"): the rest takes as long. Hit dice are spent while they are not wasted.
    fn write_short_rest(&mut self, hero: &Hero) {
        self.line("if (h.hp == 0) { h.hp = 1; h.failures = 0; }");
        let dice = hero.hit_dice.filter(|dice| dice.count > 0);
        let (Some(dice), HitDiceUse::Needed) = (dice, self.plan.hit_dice) else {
            return;
        };
        let healed = code!("roll(d{})", dice.sides).plus(dice.modifier);
        let healed = match dice.modifier {
            ..0 => code!("max(0, {healed})", healed),
            _ => healed,
        };
        self.line(code!(
            "while (h.hitDice > 0 && h.most - h.hp >= {}) {{",
            dice.average()
        ));
        self.line("h.hitDice -= 1;");
        self.line(code!("h.hp = min(h.most, h.hp + {healed});", healed));
        self.line("}");
    }

    /// A character regains half of its hit dice, at least one (SRD 5.1, "Resting").
    fn write_long_rest(&mut self, hero: &Hero) {
        self.line("h.hp = h.most; h.failures = 0; h.temporary = 0;");
        if let Some(dice) = hero.hit_dice.filter(|dice| dice.count > 0) {
            let back = (dice.count / 2).max(1);
            self.line(code!(
                "h.hitDice = min({}, h.hitDice + {back});",
                dice.count,
                back
            ));
        }
    }

    fn write_roll(&mut self) {
        let plan = self.plan;
        let title = quoted(&plan.title());
        self.line(code!("defroll {title} day() {{", title));
        self.write_heroes();
        for step in &plan.steps {
            match step {
                DayStep::Fight(fight) => self.write_fight_of_roll(fight),
                DayStep::Rest(rest) => self.write_rest_of_roll(*rest),
            }
        }
        self.line(code!("return ending.{SURVIVED};", SURVIVED));
        self.line("}");
    }

    fn write_heroes(&mut self) {
        let mut members = Vec::new();
        for hero in &self.plan.heroes {
            let creature = &hero.creature;
            for (number, name) in (1..).zip(hero.names()) {
                let variable = code!("{}{number}", hero.word, number = number as u32);
                let mut fields = vec![
                    code!("name: {}", quoted(&name)),
                    code!("hp: {}", creature.first_hp()),
                    code!("most: {}", creature.hp),
                    code!("temporary: {}", creature.temp_hp),
                    code!("failures: {}", if creature.character { 0 } else { DEAD }),
                    code!("hitDice: {}", hero.hit_dice.map_or(0, |dice| dice.count)),
                ];
                let kept = hero.kept.iter();
                fields.extend(kept.map(|kept| code!("{}: {}", kept.field, kept.full)));
                self.out.line(code!(
                    "{variable} = hero{{ {} }};",
                    fields.joined(", "),
                    variable
                ));
                members.push(variable);
            }
        }
        self.line(code!("heroes = list({});", members.joined(", ")));
    }

    fn write_fight_of_roll(&mut self, fight: &DayFight) {
        let figures = FightFigures::of(fight.number, &fight.name);
        let title = format!("Fight {}: {}", fight.number, fight.name);
        self.tell(&quoted(&title));
        self.line(code!("result = fight{}_encounter(heroes);", fight.number));
        let endings = figures.endings();
        let [defeated, fled, undecided] = endings.each_ref().map(|ending| {
            let name = ScriptCode::name(ending).unwrap_or_default();
            code!("ending.{name}", name)
        });
        self.line(code!(
            "if (result == 0) {{ return {undecided}; }}",
            undecided
        ));
        self.line(code!(
            "if (result == 2) {{ return any(h.hp > 0 for h : heroes) ? {fled} : {defeated}; }}",
            fled,
            defeated
        ));
        if self.told != Told::Blows {
            self.write_figures(&figures);
        }
    }

    fn write_figures(&mut self, figures: &FightFigures) {
        let is_dead = code!("h.hp == 0 && h.failures == {DEAD}", DEAD);
        for (name, value) in [
            (&figures.standing, "count(h.hp > 0 for h : heroes)".into()),
            (
                &figures.dead,
                code!("count({is_dead} for h : heroes)", is_dead),
            ),
            (&figures.hit_points, "sum(h.hp for h : heroes)".into()),
        ] {
            self.line(code!("stat({}, {value});", quoted(name), value));
        }
        let mut fields: Vec<&ScriptCode> = Vec::new();
        for kept in self.plan.heroes.iter().flat_map(Hero::slot_fields) {
            if !fields.contains(&&kept.field) {
                fields.push(&kept.field);
            }
        }
        if !fields.is_empty() {
            let terms: Vec<ScriptCode> = fields
                .into_iter()
                .map(|field| code!("h.{field}", field))
                .collect();
            self.line(code!(
                "stat({}, sum({} for h : heroes));",
                quoted(&figures.slots),
                terms.joined(" + ")
            ));
        }
        self.write_figures_of_heroes(figures);
    }

    fn write_figures_of_heroes(&mut self, figures: &FightFigures) {
        let mut before = 0;
        for (index, hero) in self.plan.heroes.iter().enumerate() {
            let own = (before..before + hero.count).map(|at| code!("heroes[{at}]", at));
            let own: Vec<ScriptCode> = own.collect();
            let hit_points: Vec<ScriptCode> =
                own.iter().map(|one| code!("{one}.hp", one)).collect();
            let dead = own.iter().map(|one| {
                code!(
                    "({one}.hp == 0 && {one}.failures == {DEAD} ? 1 : 0)",
                    one,
                    DEAD
                )
            });
            let dead: Vec<ScriptCode> = dead.collect();
            for (name, value) in [
                (figures.hit_points_of(index), hit_points.joined(" + ")),
                (figures.dead_of(index), dead.joined(" + ")),
            ] {
                self.out
                    .line(code!("stat({}, {value});", quoted(&name), value));
            }
            before += hero.count;
        }
    }

    fn write_rest_of_roll(&mut self, rest: Rest) {
        self.tell(&quoted(match rest {
            Rest::Short => "A short rest",
            Rest::Long => "A long rest",
        }));
        let mut at = 0_u32;
        for hero in &self.plan.heroes {
            for _ in 0..hero.count {
                self.out
                    .line(code!("{}(heroes[{at}]);", rest_function(hero, rest), at));
                at += 1;
            }
        }
    }
}
