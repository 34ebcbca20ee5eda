//! Deeds of creatures: a function for each. Attacks are here.

use super::creatures::is_stoppable;
use super::edges::{Sure, edge_of_roll, those};
use super::movement::on_function;
use super::{Writer, is_one_of};
use crate::encounter::document::Targets;
use crate::encounter::feature::Reach;
use crate::encounter::plan::{
    Condition, DamagePart, Feet, Kind, Parry, RollRule, Share, Strike, What, share,
};
use crate::encounter::policy::Policy;
use crate::script_text::{Joined, ScriptCode, code, quoted};

impl Writer<'_> {
    pub(super) fn write_deeds(&mut self) {
        let plan = self.plan;
        for kind in &plan.kinds {
            for deed in kind.used() {
                match &kind.deeds[deed].what {
                    What::Strike(strike) => self.write_strike(kind, deed, strike),
                    What::Blast(hit, reach) => self.write_blast(kind, deed, hit, *reach),
                    What::Mend(hit_points) => self.write_mending(kind, deed, *hit_points),
                    What::Boon(boon) => self.write_boon(kind, deed, boon),
                }
            }
        }
    }

    /// An attack: a d20 against the armour class of a target, damage, and a save after a hit.
    fn write_strike(&mut self, kind: &Kind, deed: usize, strike: &Strike) {
        self.out
            .comment(format!("{}: {}.", kind.title, strike.name));
        if self.plan.has_positions() {
            self.open(kind, deed);
            let on = on_function(kind, deed);
            if let Some([holds, held]) = self.only_target(kind, deed) {
                self.line(code!(
                    "if ({holds}) {{ {on}(self, {held}, friends, foes); return; }}",
                    holds,
                    on,
                    held
                ));
            }
            self.write_approach(kind, deed, "foe");
            self.line(code!("{on}(self, foe, friends, foes);", on));
            self.line("}\n");
            self.line(code!(
                "deffun {on}(self: creature, foe: creature, friends: creature list, foes: \
                 creature list) {{",
                on
            ));
        } else {
            self.open(kind, deed);
            self.write_guard(kind, deed);
            let chosen = self.chosen_for(kind, deed, "");
            self.line(match self.only_target(kind, deed) {
                None => code!("foe = {chosen};", chosen),
                Some([holds, held]) => {
                    code!("foe = {holds} ? {held} : {chosen};", holds, held, chosen)
                }
            });
        }
        if self.any(|kind| kind.targets == Policy::Known(Targets::Spread)) {
            self.line("foe.attacked += 1;");
        }
        self.call_besides(kind, deed);
        let edges = self.edges(kind, strike);
        self.write_attack_die(kind, deed, strike, &edges);
        let total = match strike.bonus {
            0 => ScriptCode::from("face"),
            bonus => ScriptCode::from("face").plus(bonus),
        };
        let total = self.helped_total(kind.side, total);
        self.write_helped_armour(1 - kind.side);
        self.write_images(kind, strike, &total);
        let sure = self.sure_results(kind, deed, &edges);
        self.write_miss(kind, deed, &total, &sure);
        self.write_parry(kind, strike, &total, &sure);
        self.write_shields(kind, deed, &total, &sure);
        self.write_images_hit(kind, strike);
        self.write_critical(kind, strike);
        self.tell(&code!(
            "self.name + (isCritical ? \" hits critically \" : \" hits \") + foe.name + {}",
            sure.told_hit(&format!(" with {}", strike.name), &total)
        ));
        self.write_damage(kind, strike);
        self.write_favour(kind, strike);
        self.write_smite(kind, strike);
        self.write_softening(kind, strike);
        self.note_damage(kind, deed, "damage");
        self.write_stop(kind, &strike.damage);
        let sure = self.sure(&strike.damage, self.sure_of_hit(kind, strike));
        self.write_hurt(1 - kind.side, &code!("damage{sure}", sure));
        self.write_felled(kind, strike);
        self.write_vex(strike);
        if let Some(rider) = &strike.rider {
            self.line("if (foe.hp > 0) {");
            self.write_hit(kind, deed, rider);
            self.line("}");
        }
        self.call_grip(kind, deed);
        self.call_hits(kind, deed);
        self.call_struck(kind, strike);
        if strike.is_melee {
            self.call_touched(kind.side);
        }
        self.line("}\n");
    }

    pub(super) fn open(&mut self, kind: &Kind, deed: usize) {
        let deed = &kind.deeds[deed];
        let given = match deed.what {
            What::Blast(_, Reach::Given) => "foe: creature, ",
            _ => "",
        };
        let name = &deed.word;
        self.line(code!(
            "deffun {name}(self: creature, {given}friends: creature list, foes: creature list) {{",
            name,
            given
        ));
    }

    /// A condition that skips creatures that have fallen in their own turn.
    pub(super) fn fallen(&self, kind: &Kind, deed: usize) -> &'static str {
        match self.may_fall_in_turn(kind.side) && !kind.is_of_fallen(deed) {
            true => "self.hp == 0 || ",
            false => "",
        }
    }

    /// Skips deeds without a target, and those of creatures that have fallen in their own turn.
    pub(super) fn write_guard(&mut self, kind: &Kind, deed: usize) {
        let fallen = self.fallen(kind, deed);
        let any = self.any_target(kind, deed, "");
        self.line(code!("if ({fallen}!{any}) {{ return; }}", fallen, any));
    }

    /// The d20 of an attack, with its sources of advantage and disadvantage.
    fn write_attack_die(
        &mut self,
        kind: &Kind,
        deed: usize,
        strike: &Strike,
        edges: &[(RollRule, ScriptCode)],
    ) {
        let (own, other) = (kind.side, 1 - kind.side);
        let mut gains = self.having("foe", other, Condition::exposes);
        let mut hinders = self.having("self", own, |one| one.hinders() && one != Condition::Prone);
        let prone = self.having("foe", other, |one| one == Condition::Prone);
        match strike.is_melee {
            true => gains.extend(prone),
            false => hinders.extend(prone),
        }
        hinders.extend(self.hinders_of_holding(own));
        if self.plan.has_positions() && !strike.is_melee {
            hinders.push(ScriptCode::from("isThreatened(self, foes)"));
            let Feet { usual, max } = strike.feet;
            hinders.extend((usual < max).then(|| code!("distance(self, foe) > {usual}", usual)));
        }
        gains.extend(self.gains_of_holding(kind, deed));
        gains.extend(self.gain_of_vex(kind));
        let [unseen, unseeing] = self.averted(kind);
        gains.extend(unseen);
        hinders.extend(unseeing);
        gains.extend(self.gains_of_boons(kind));
        hinders.extend(self.hinders_of_boons(kind));
        gains.extend(those(edges, RollRule::Advantage));
        hinders.extend(those(edges, RollRule::Disadvantage));
        if gains.iter().any(|gain| gain == "true") {
            gains = vec![ScriptCode::from("true")];
        }
        let gains = gains.joined(" || ");
        let hinders = hinders.joined(" || ");
        let die = match (gains.is_empty(), hinders.is_empty()) {
            (true, true) => ScriptCode::from("roll(d20)"),
            (false, true) if gains == "true" => ScriptCode::from("roll(2d20kh1)"),
            (false, true) => {
                self.line(code!("hasAdvantage = {gains};", gains));
                ScriptCode::from("hasAdvantage ? roll(2d20kh1) : roll(d20)")
            }
            (true, false) => code!("{hinders} ? roll(2d20kl1) : roll(d20)", hinders),
            (false, false) => {
                self.line(code!("isHindered = {hinders};", hinders));
                self.line(code!("hasAdvantage = ({gains}) && !isHindered;", gains));
                let clear = code!("({gains}) == isHindered", gains);
                code!(
                    "{clear} ? roll(d20) : hasAdvantage ? roll(2d20kh1) : roll(2d20kl1)",
                    clear
                )
            }
        };
        let roll = edge_of_roll(&gains, &hinders);
        self.write_roll_facts(kind, strike, roll);
        self.line(code!("face = {die};", die));
        self.write_vex_spent(kind);
        self.write_light_spent(other);
    }

    /// SRD 5.1, Knight: a reaction adds to the armour class against one attack in melee that would
    /// hit.
    fn write_parry(&mut self, kind: &Kind, strike: &Strike, total: &ScriptCode, sure: &Sure) {
        let parries = self.plan.on_side(1 - kind.side).filter_map(|foe| {
            let parry = foe.traits.parry.as_ref().filter(|_| strike.is_melee)?;
            Some((foe, parry))
        });
        let parries: Vec<(&Kind, &Parry)> = parries.collect();
        let disabled = parries.iter().flat_map(|(foe, parry)| {
            let disabled = self.disabled("foe", foe.side, &parry.of).into_iter();
            let is_it = is_one_of("foe", &[foe.number]);
            disabled.map(move |code| code!(" && !({is_it} && {code})", is_it, code))
        });
        let disabled: ScriptCode = disabled.collect();
        let parries = parries
            .iter()
            .map(|(foe, parry)| (foe.number, ScriptCode::from(parry.bonus)));
        let parries: Vec<(usize, ScriptCode)> = parries.collect();
        if parries.is_empty() {
            return;
        }
        let kinds: Vec<usize> = parries.iter().map(|(kind, _)| *kind).collect();
        self.line(code!(
            "if (face != 20{} && {} && foe.reaction{disabled} && isAble(foe) && {total} < \
             {ac} + {}) {{",
            sure.unless_certain(),
            is_one_of("foe", &kinds),
            super::by_kind("foe", &parries),
            ac = self.armour(1 - kind.side),
            disabled,
            total
        ));
        self.line("foe.reaction = false;");
        self.tell(&code!(
            "foe.name + {} + self.name",
            quoted(&format!(" parries {} of ", strike.name))
        ));
        self.line("return;");
        self.line("}");
    }

    fn write_critical(&mut self, kind: &Kind, strike: &Strike) {
        let helpless = match strike.is_melee {
            true => self.having("foe", 1 - kind.side, Condition::makes_critical),
            false => Vec::new(),
        };
        let always = helpless.into_iter().chain(self.criticals(kind, strike));
        let helpless: ScriptCode = always.map(|one| code!(" || {one}", one)).collect();
        let face = match strike.critical {
            20 => ScriptCode::from("face == 20"),
            lowest => code!("face >= {lowest}", lowest),
        };
        self.line(code!("isCritical = {face}{helpless};", face, helpless));
    }

    /// The damage of a hit as `damage`: parts that some creature resists differently are rolled
    /// separately.
    fn write_damage(&mut self, kind: &Kind, strike: &Strike) {
        let other = 1 - kind.side;
        let divided = |parts: &'_ [DamagePart]| -> [Vec<DamagePart>; 2] {
            let parts = parts.iter().cloned();
            let (same, apart) = parts.partition(|part| self.is_taken_whole(other, &part.kind));
            [same, apart]
        };
        let [same, apart] = divided(&strike.damage);
        let [same_at_half, apart_at_half] = divided(&strike.at_half);
        let dice = self.dice_of(kind, &same, &same_at_half);
        self.line(code!("damage = {dice};", dice));
        let first = strike.damage.first();
        let extra_is_apart = first.is_some_and(|part| !self.is_taken_whole(other, &part.kind));
        if !extra_is_apart {
            self.write_extra(kind, strike, "damage");
        }
        for (index, part) in apart.iter().enumerate() {
            let name = code!("part{}", index + 1);
            let at_half = apart_at_half.get(index..=index).unwrap_or_default();
            let dice = self.dice_of(kind, std::slice::from_ref(part), at_half);
            self.line(code!("{name} = {dice};", name, dice));
            if index == 0 && extra_is_apart {
                self.write_extra(kind, strike, &name);
            }
            let taken = self.taken("foe", other, &part.kind, &name);
            self.line(code!("damage += {taken};", taken));
        }
        self.write_blunted(kind, strike);
    }

    /// The dice of a hit; other ones if the creature has at most half of its hit points.
    fn dice_of(&self, kind: &Kind, parts: &[DamagePart], at_half: &[DamagePart]) -> ScriptCode {
        let rolled = |parts: &[DamagePart]| rolled(&parts.iter().collect::<Vec<_>>(), true);
        match at_half.is_empty() {
            true => rolled(parts),
            false => code!(
                "2 * self.hp <= {} ? ({}) : ({})",
                self.most(kind),
                rolled(at_half),
                rolled(parts)
            ),
        }
    }

    /// Damage that prevents some of its targets from healing.
    pub(super) fn write_stop(&mut self, kind: &Kind, damage: &[DamagePart]) {
        let other = 1 - kind.side;
        let stops = |foe: &&Kind| {
            let regeneration = foe.traits.regeneration.as_ref();
            let stopped_by = regeneration.map_or(&[][..], |one| &one.stopped_by);
            damage.iter().any(|part| {
                stopped_by.contains(&part.kind.name)
                    && share(&foe.creature, &part.kind) != Share::None
            })
        };
        let foes = self.plan.on_side(other).filter(|foe| is_stoppable(foe));
        let kinds: Vec<usize> = foes.filter(stops).map(|foe| foe.number).collect();
        if !kinds.is_empty() {
            let is_it = is_one_of("foe", &kinds);
            self.line(code!("if ({is_it}) {{ foe.stopped = true; }}", is_it));
        }
    }
}

/// Parts of damage, rolled together; a critical hit has the dice twice.
pub(super) fn rolled(parts: &[&DamagePart], may_be_critical: bool) -> ScriptCode {
    if parts.is_empty() {
        return ScriptCode::from("0");
    }
    let is_negative = parts.iter().any(|part| part.dice.may_be_negative());
    let text = |is_critical| {
        let texts: Vec<ScriptCode> = parts
            .iter()
            .map(|part| part.dice.text(is_critical))
            .collect();
        let mut texts = texts.iter();
        let first = texts.next().cloned().unwrap_or_default();
        let sum = texts.fold(first, |sum, text| sum.plus(text));
        let rolled = match parts.iter().any(|part| part.dice.rolls()) {
            true => code!("roll({sum})", sum),
            false => sum,
        };
        match is_negative {
            true => code!("max(0, {rolled})", rolled),
            false => rolled,
        }
    };
    match (text(false), text(true)) {
        (normal, critical) if may_be_critical && normal != critical => {
            code!("isCritical ? {critical} : {normal}", critical, normal)
        }
        (normal, _) => normal,
    }
}
