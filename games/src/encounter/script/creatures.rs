//! The record of a creature, and the creatures of the fight.

use super::Writer;
use super::dying::RECORDS;
use crate::encounter::document::{Initiative, Targets};
use crate::encounter::plan::{Deed, Dice, Fact, Handled, Kind, slots_field};
use crate::encounter::policy::Policy;
use crate::script_text::{Joined, ScriptCode, code, quoted};

impl Writer<'_> {
    /// The fields that creatures of this fight need.
    fn fields(&self) -> Vec<ScriptCode> {
        let mut all = vec![
            ScriptCode::from("name: string"),
            ScriptCode::from("kind: int"),
            ScriptCode::from("ac: int"),
            ScriptCode::from("hp: int"),
            ScriptCode::from("initiative: int"),
            ScriptCode::from("place: int"),
        ];
        if self.remembers_fallen() {
            all.push(ScriptCode::from("side: side"));
        }
        let numbers = [
            ("order", self.has_order()),
            ("most", self.keeps_most()),
            ("legendary", self.any(|kind| !kind.legendary.is_empty())),
            (
                "resistances",
                self.any(|kind| kind.traits.legendary_resistance > 0),
            ),
            (
                "attacked",
                self.any(|kind| kind.targets == Policy::Known(Targets::Spread)),
            ),
            ("x", self.plan.has_positions()),
            ("y", self.plan.has_positions()),
            ("left", self.plan.has_positions()),
            ("number", self.has_numbers()),
            ("ran", self.any(Kind::runs)),
            ("prey", self.any(Kind::runs)),
            ("blunted", self.corrodes_weapons()),
            ("ground", self.has_ground()),
        ];
        let truths = [
            ("reaction", self.any(|kind| self.reacts(kind))),
            ("reckless", self.any(remembers_turn)),
        ];
        let more_truths = [
            ("rampaging", self.any(|kind| kind.traits.rampage.is_some())),
            ("relentless", self.any(endures_once)),
            ("stopped", self.any(is_stoppable)),
            ("surprised", self.any(|kind| kind.is_surprised)),
            ("berserk", self.any(Kind::may_go_berserk)),
            ("hasActed", self.plan.remembers_turns()),
        ];
        let wanted =
            |(name, _): &(&'static str, bool), is: &'static str| code!("{name}: {is}", name, is);
        all.extend(
            numbers
                .iter()
                .filter(|one| one.1)
                .map(|one| wanted(one, "int")),
        );
        let most = |count: &dyn Fn(&Kind) -> usize| self.plan.kinds.iter().map(count).max();
        let once = (0..most(&Kind::once_a_turn).unwrap_or(0)).map(once_field);
        let is_there = |one: &&(&'static str, bool)| one.1;
        all.extend(
            truths
                .iter()
                .filter(is_there)
                .map(|one| wanted(one, "bool")),
        );
        all.extend(once.map(|field| code!("{field}: bool", field)));
        all.extend(
            more_truths
                .iter()
                .filter(is_there)
                .map(|one| wanted(one, "bool")),
        );
        all.extend(self.fields_of_uses());
        all.extend(
            self.plan
                .effects
                .iter()
                .map(|placed| code!("{}: int", placed.field)),
        );
        let immune = self
            .plan
            .effects
            .iter()
            .filter_map(|placed| placed.immune.as_ref());
        all.extend(immune.map(|field| code!("{field}: int", field)));
        all.extend(self.fields_of_causes());
        all.extend(self.fields_of_holding());
        all.extend(self.fields_of_dying());
        all.extend(self.fields_of_healing());
        all.extend(self.fields_of_asides());
        all.extend(self.fields_of_martial());
        all.extend(self.fields_of_boons());
        all
    }

    /// The fields of the uses of limited actions: of each by itself, or of spell slots.
    fn fields_of_uses(&self) -> Vec<ScriptCode> {
        let kinds = self.plan.kinds.iter();
        let most = kinds.clone().map(|kind| kind.limited.len()).max();
        let is_own = |index: &usize| {
            let rare = |kind: &Kind| {
                kind.limited
                    .get(*index)
                    .is_some_and(|rare| rare.slot.is_none())
            };
            self.any(rare)
        };
        let own = (0..most.unwrap_or(0)).filter(is_own);
        let mut slots: Vec<u32> = kinds.flat_map(Kind::slots).collect();
        slots.sort_unstable();
        slots.dedup();
        let own = own.map(|index| code!("uses{}: int", index + 1));
        own.chain(
            slots
                .into_iter()
                .map(|level| code!("{}: int", slots_field(level))),
        )
        .collect()
    }

    pub(super) fn write_record(&mut self) {
        if self.remembers_fallen() {
            self.line("deftype side { fell: string }\n");
        }
        let fields = self.fields().joined(", ");
        self.line(code!("deftype creature {{ {fields} }}\n", fields));
    }

    /// Whether a kind uses reactions.
    pub(super) fn reacts(&self, kind: &Kind) -> bool {
        let martial = &kind.traits.martial;
        let softens = martial.softening.is_some();
        kind.traits.parry.is_some()
            || kind.opportunity.is_some()
            || softens
            || !kind.reactions().is_empty()
    }

    /// Whether creatures have numbers, from 1.
    fn has_numbers(&self) -> bool {
        let mut causes = self.plan.effects.iter();
        let mut boons = self.plan.boons.iter();
        let has_causes = causes.any(|placed| placed.cause.is_some())
            || boons.any(|placed| placed.cause.is_some() || placed.mark.is_some());
        self.any(Kind::runs) || !self.plan.holds.is_empty() || has_causes || self.has_vex()
    }

    /// Whether creatures store their maximum hit points.
    pub(super) fn keeps_most(&self) -> bool {
        let compares = |fact: &Fact| matches!(fact, Fact::Health(_, health) if health.maximum != 0);
        let weakens = |kind: &Kind| kind.deeds.iter().any(Deed::weakens);
        self.any(|kind| kind.asks_for(&compares) || kind.traits.regeneration.is_some())
            || self.any(weakens)
            || self.keeps_rolled()
            || self.plan.functions.is_some()
    }

    /// The creatures as variables, and the lists that they are in.
    pub(super) fn write_creatures(&mut self) {
        if self.remembers_fallen() {
            self.line(code!(
                "{} = side{{}}; {} = side{{}};",
                RECORDS[0],
                RECORDS[1]
            ));
        }
        for kind in &self.plan.kinds {
            let dexterity = kind.creature.modifier("DEX").unwrap_or(0);
            let rolled = match self.plan.initiative {
                Initiative::Each | Initiative::Kinds => {
                    ScriptCode::from("roll(d20)").plus(dexterity)
                }
                Initiative::Listed => ScriptCode::from("0"),
            };
            let shared = code!("initiativeOf{}", kind.number);
            let is_shared = self.plan.initiative == Initiative::Kinds && kind.count > 1;
            if is_shared {
                self.line(code!("{shared} = {rolled};", shared, rolled));
            }
            for number in 1..=kind.count {
                let initiative = if is_shared { &shared } else { &rolled };
                let made = self.creature(kind, number, initiative);
                self.line(code!("{} = {made};", variable(kind, number), made));
                self.tell_of_start(kind, number);
            }
        }
        for (side, name) in ["first", "second"].into_iter().enumerate() {
            let kinds = self.plan.on_side(side);
            let members = kinds.flat_map(|kind| (1..=kind.count).map(|one| variable(kind, one)));
            let members: Vec<ScriptCode> = members.collect();
            self.line(code!("{name}Side = list({});", members.joined(", "), name));
        }
        self.write_order();
    }

    /// Outputs a creature's rolled initial numbers: the dice of a line are those before it.
    fn tell_of_start(&mut self, kind: &Kind, number: u32) {
        let one = variable(kind, number);
        let mut rolled = Vec::new();
        let hit_dice = self.plan.hit_dice[kind.number].as_ref();
        if hit_dice.is_some_and(Dice::rolls) {
            rolled.push(code!("{one}.hp + \" hit points\"", one));
        }
        if self.plan.initiative != Initiative::Listed {
            rolled.push(code!("\"initiative \" + {one}.initiative", one));
        }
        if !rolled.is_empty() {
            let rolled = rolled.joined(" + \" and \" + ");
            self.tell(&code!("{one}.name + \" has \" + {rolled}", one, rolled));
        }
    }

    fn creature(&self, kind: &Kind, number: u32, initiative: &ScriptCode) -> ScriptCode {
        let name = match kind.count {
            1 => kind.title.clone(),
            _ => format!("{} {number}", kind.title),
        };
        let hero = self.hero(kind, number);
        let hp = match &self.plan.hit_dice[kind.number] {
            _ if kind.arrives.is_some() => ScriptCode::from("0"),
            _ if hero.is_some() => code!("{}.hp", hero.clone().unwrap_or_default()),
            Some(dice) if dice.rolls() => code!("max(1, roll({}))", dice.text(false)),
            Some(_) | None => ScriptCode::from(kind.creature.first_hp()),
        };
        let mut fields = vec![
            code!("name: {}", quoted(&name)),
            code!("kind: {}", kind.number),
            code!("ac: {}", kind.creature.ac),
            code!("hp: {hp}", hp),
            code!("initiative: {initiative}", initiative),
        ];
        if self.remembers_fallen() {
            fields.push(code!("side: {}", RECORDS[kind.side]));
        }
        if !kind.legendary.is_empty() {
            fields.push(code!("legendary: {LEGENDARY}", LEGENDARY));
        }
        // Nobody reacts before the end of a turn that it loses (SRD 5.1, "Surprise").
        let reacts = self.reacts(kind) && !kind.is_surprised;
        fields.extend(reacts.then(|| ScriptCode::from("reaction: true")));
        if let Some(positions) = &self.plan.positions {
            let [x, y] = positions[kind.number][number as usize - 1];
            fields.push(code!("x: {x}, y: {y}", x, y));
        }
        if self.has_numbers() {
            let before = self.plan.kinds[..kind.number].iter().map(|kind| kind.count);
            fields.push(code!("number: {}", before.sum::<u32>() + number));
        }
        fields.extend(
            kind.is_surprised
                .then(|| ScriptCode::from("surprised: true")),
        );
        fields.extend(self.carried_values(kind, number).unwrap_or_else(|| {
            let stores = kind.stores().into_iter();
            let stores = stores.map(|store| code!("{}: {}", store.field, store.full));
            stores.chain(self.values_of_dying(kind)).collect()
        }));
        code!("creature{{ {} }}", fields.joined(", "))
    }
}

/// Legendary actions between two turns of a creature (SRD 5.1, "Legendary Actions").
pub(super) const LEGENDARY: u32 = 3;

/// The variable of a creature.
pub(super) fn variable(kind: &Kind, number: u32) -> ScriptCode {
    code!("{}{number}", kind.word, number)
}

/// The field of something that happens once a turn, by its index.
pub(super) fn once_field(index: usize) -> ScriptCode {
    match index {
        0 => ScriptCode::from("extra"),
        index => code!("extra{}", index + 1),
    }
}

/// The field of something that a feature does once a turn, if it does.
pub(super) fn once_field_of(kind: &Kind, handled: &Handled) -> Option<ScriptCode> {
    let extras = kind.traits.extras.iter().filter(|one| one.is_once_a_turn);
    let mut all = kind.handled.iter().filter(|one| one.is_once_a_turn);
    let index = all.position(|one| one == handled)?;
    Some(once_field(extras.count() + index))
}

/// Whether a kind has a feature for which it matters that it has begun a turn, as others attack it.
pub(super) fn remembers_turn(kind: &Kind) -> bool {
    let mut edges = kind.traits.attacked.iter();
    edges.any(|edge| edge.when.mentions(&|fact| *fact == Fact::Begun))
}

/// Whether something keeps a kind from falling once.
fn endures_once(kind: &Kind) -> bool {
    kind.traits.endurance.iter().any(|one| one.is_once)
}

/// Whether damage may keep a kind from healing.
pub(super) fn is_stoppable(kind: &Kind) -> bool {
    let regeneration = kind.traits.regeneration.as_ref();
    regeneration.is_some_and(|regeneration| !regeneration.stopped_by.is_empty())
}
