//! The roll of an encounter: initiative, rounds, and the result.

use super::creatures::variable;
use super::dying::IS_DEAD;
use super::turns::{legendary_function, turn_function};
use super::{Told, Writer, is_none_of, name_and};
use crate::encounter::document::Flees;
use crate::encounter::figures::{
    DEAD, ENEMIES_STANDING, HIT_POINTS, ROUNDS, SIDES_HIT_POINTS, STANDING,
};
use crate::encounter::plan::Kind;
use crate::script_text::{IsCode, Joined, ScriptCode, code, quoted};

const SIDES: [&str; 2] = ["firstSide", "secondSide"];

/// Whether a side flees.
const FLEES: [&str; 2] = ["firstFlees", "secondFlees"];

impl Writer<'_> {
    pub(super) fn write_fight(&mut self) {
        let title = quoted(&self.plan.sides().join(" vs "));
        let rounds = self.plan.rounds;
        self.line(code!(
            "defroll {title} encounter(rounds: int = {rounds}) {{",
            title,
            rounds
        ));
        self.write_course();
        self.write_fallen();
        self.write_figures();
        self.line("return firstStands == secondStands ? winner.draw : firstStands ? winner.first : winner.second;");
        self.line("}");
    }

    /// From the creatures to the end of the last turn, and who stands then.
    pub(super) fn write_course(&mut self) {
        self.write_creatures();
        if self.keeps_most() {
            self.line("for (c : everyone) { c.most = c.hp; }");
            self.write_other_maximums();
        }
        self.line("round = 0;");
        self.write_first_place();
        for (side, flees) in FLEES.into_iter().enumerate() {
            if self.losses_to_flee(side).is_some() {
                self.line(code!("{flees} = false;", flees));
            }
        }
        let fight_on = [0, 1].map(|side| self.fights_on(side, SIDES[side]));
        self.line(code!("while ({}) {{", fight_on.joined(" && ")));
        self.write_whose_turn();
        self.write_round();
        self.write_place();
        self.write_turn();
        self.line("}");
        let stands = [0, 1].map(|side| {
            let stands = code!("anyStands({})", SIDES[side]);
            match self.losses_to_flee(side) {
                None => stands,
                Some(_) => code!("!{} && {stands}", FLEES[side], stands),
            }
        });
        self.line(code!("firstStands = {};", stands[0]));
        self.line(code!("secondStands = {};", stands[1]));
    }

    /// A round begins after all turns of the last one.
    fn write_round(&mut self) {
        self.line(code!("if ({}) {{", self.begins_round()));
        let fleeing = [0, 1].map(|side| self.write_flight(side));
        let fleeing: Vec<&'static str> = fleeing.into_iter().flatten().collect();
        if !fleeing.is_empty() {
            self.line(code!("if ({}) {{ break; }}", fleeing.joined(" || ")));
        }
        self.line("if (round >= rounds) { break; }");
        self.line("round += 1;");
        self.tell("\"Round \" + round");
        self.write_arrivals();
        self.line("}");
    }

    /// The number of fallen creatures of a side at which the others flee.
    fn losses_to_flee(&self, side: usize) -> Option<u32> {
        let count: u32 = self.plan.on_side(side).map(|kind| kind.count).sum();
        match self.plan.flees[side] {
            Flees::Never => None,
            Flees::First => Some(1),
            Flees::Half => Some(count.div_ceil(2)),
        }
    }

    /// Whether a side still fights after a round; returns the variable with the result.
    fn write_flight(&mut self, side: usize) -> Option<&'static str> {
        let fallen = self.losses_to_flee(side)?;
        let (flees, members) = (FLEES[side], SIDES[side]);
        let has_fallen = self.has_fallen(side);
        self.line(code!(
            "{flees} = count({has_fallen} for c : {members}) >= {fallen};",
            flees,
            has_fallen,
            members,
            fallen
        ));
        if self.told == Told::Blows {
            let flee = quoted(&format!(
                "{}: those who stand flee",
                self.plan.sides()[side]
            ));
            self.line(code!("if ({flees}) {{", flees));
            self.tell(&flee);
            self.line("}");
        }
        Some(flees)
    }

    fn write_turn(&mut self) {
        let plan = self.plan;
        self.write_lying();
        if self.any(|kind| kind.is_surprised) {
            self.line("if (c.surprised) {");
            self.tell(name_and("c", " is surprised"));
            if plan.remembers_turns() {
                self.line("c.hasActed = true;");
            }
            let reacts = self.any(|kind| kind.is_surprised && self.reacts(kind));
            if reacts {
                self.line("c.reaction = true;");
            }
            self.line("c.surprised = false; continue;");
            self.line("}");
        }
        self.write_waiting(SIDES);
        let call = |kind: &Kind| {
            let (friends, foes) = (SIDES[kind.side], SIDES[1 - kind.side]);
            code!(
                "{}(c, {friends}, {foes});",
                turn_function(kind),
                friends,
                foes
            )
        };
        let is_idle = |kind: &&Kind| self.idle.contains(&kind.number);
        let (idle, active): (Vec<&Kind>, Vec<&Kind>) = plan.kinds.iter().partition(is_idle);
        match (&active[..], idle.is_empty()) {
            ([only], false) => {
                self.line(code!("if (c.kind == {}) {{ {} }}", only.number, call(only)));
            }
            ([], _) => {}
            ([arms @ .., last], true) => self.write_arms(arms, call(last), call),
            (arms, _) => self.write_arms(arms, "", call),
        }
        self.call_end_of_turn();
        for kind in plan.kinds.iter().filter(|kind| !kind.legendary.is_empty()) {
            let (friends, foes) = (SIDES[kind.side], SIDES[1 - kind.side]);
            for number in 1..=kind.count {
                let boss = variable(kind, number);
                self.line(code!(
                    "if (c != {boss}) {{ {}({boss}, {friends}, {foes}); }}",
                    legendary_function(kind),
                    boss,
                    friends,
                    foes
                ));
            }
        }
    }

    /// A branch for each kind of creature; `last` is for the others.
    fn write_arms(
        &mut self,
        arms: &[&Kind],
        last: impl IsCode,
        call: impl Fn(&Kind) -> ScriptCode,
    ) {
        self.line("match (c.kind) {");
        for kind in arms {
            self.line(code!("{}: {{ {} }}", kind.number, call(kind)));
        }
        self.line(code!("else: {{ {last} }}", last));
        self.line("}");
    }

    /// The numbers of a fight.
    fn write_figures(&mut self) {
        if self.told == Told::Blows {
            return;
        }
        self.line(code!("stat({}, round);", quoted(ROUNDS)));
        match self.told {
            Told::Sides => self.write_figures_of_sides(),
            Told::Figures | Told::Blows => self.write_figures_of_kinds(),
        }
    }

    fn write_figures_of_sides(&mut self) {
        for (name, value) in [
            (STANDING, "count(c.hp > 0 for c : firstSide)"),
            (HIT_POINTS, "sum(c.hp for c : firstSide)"),
            (ENEMIES_STANDING, "count(c.hp > 0 for c : secondSide)"),
        ] {
            self.line(code!("stat({}, {value});", quoted(name), value));
        }
        for (side, name) in DEAD.into_iter().enumerate() {
            if self.plan.has_characters_on(side) {
                self.write_dead(side, name);
            }
        }
    }

    /// The number of dead characters of a side.
    fn write_dead(&mut self, side: usize, name: &'static str) {
        let others = self.plan.on_side(side).filter(|kind| !kind.is_character);
        let others: Vec<usize> = others.map(|kind| kind.number).collect();
        let is_character = match others.is_empty() {
            true => ScriptCode::default(),
            false => code!(" && {}", is_none_of("c", &others)),
        };
        self.line(code!(
            "stat({}, count({IS_DEAD}{is_character} for c : {}));",
            quoted(name),
            SIDES[side],
            IS_DEAD,
            is_character
        ));
    }

    fn write_figures_of_kinds(&mut self) {
        let plan = self.plan;
        for side in [0, 1] {
            if plan.on_side(side).count() > 1 {
                self.line(code!(
                    "stat({}, sum(c.hp for c : {}));",
                    quoted(SIDES_HIT_POINTS[side]),
                    SIDES[side]
                ));
                if plan.has_characters_on(side) {
                    self.write_dead(side, DEAD[side]);
                }
            }
        }
        for (kind, figures) in plan.kinds.iter().zip(plan.figures()) {
            let side = SIDES[kind.side];
            let is_alone = plan.on_side(kind.side).count() == 1;
            let filter = match is_alone {
                true => ScriptCode::default(),
                false => code!(" if c.kind == {}", kind.number),
            };
            for (name, value) in [
                (figures.standing, ScriptCode::from("c.hp > 0 ? 1 : 0")),
                (figures.hit_points, ScriptCode::from("c.hp")),
            ]
            .into_iter()
            .chain(
                figures
                    .dead
                    .map(|dead| (dead, code!("{IS_DEAD} ? 1 : 0", IS_DEAD))),
            ) {
                self.line(code!(
                    "stat({}, sum({value} for c : {side}{filter}));",
                    quoted(&name),
                    value,
                    side,
                    filter
                ));
            }
        }
    }
}
