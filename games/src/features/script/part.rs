//! The functions of a part of a feature.

use super::alone::Alone;
use super::code::{Code, CodeKind, World, Writer};
use crate::features::expr::{Expr, ExprKind, Place};
use crate::features::model::{Change, Damage, Duration, Effect, Recharge, Restore, Subfeature};
use crate::features::noun::Noun;
use crate::features::tell::{Told, tell};
use crate::script_text::{Joined, ScriptCode, ScriptText, code, remark};
use std::fmt::Write;

/// A writer of functions in the world of one feature.
type Functions<'w, 'v> = Writer<'w, Alone<'v>>;

/// The functions of a part.
pub(super) struct PartScript<'p, 'w, 'v> {
    name: ScriptCode,
    part: &'p Subfeature,
    told: Told,
    world: &'w mut Alone<'v>,
    written: Written,
}

/// Functions, and their requirements.
#[derive(Default)]
pub(super) struct Written {
    pub(super) text: ScriptText,
    /// Whether one gives an edge of a roll.
    pub(super) has_edges: bool,
    /// Whether one does damage.
    pub(super) hurts: bool,
}

/// The result of a function.
#[derive(Clone, Copy)]
struct Gives {
    /// The suffix of its name.
    suffix: &'static str,
    /// Its type, and the result if a condition does not hold; `None` for no result.
    value: Option<(&'static str, &'static str)>,
}

impl<'p, 'w, 'v> PartScript<'p, 'w, 'v> {
    pub(super) fn new(name: ScriptCode, part: &'p Subfeature, world: &'w mut Alone<'v>) -> Self {
        Self {
            name,
            part,
            told: tell(part),
            world,
            written: Written::default(),
        }
    }

    /// All functions of the part.
    pub(super) fn written(mut self) -> Written {
        let effects = self.part.effects.iter().enumerate();
        let acting = effects.filter(|(_, effect)| modifies(&effect.change).is_none());
        let acting: Vec<usize> = acting.map(|(index, _)| index).collect();
        if !acting.is_empty() {
            let gives = Gives {
                suffix: "",
                value: None,
            };
            self.function(gives, &acting);
        }
        let part = self.part;
        for (index, effect) in part.effects.iter().enumerate() {
            if let Some(gives) = modifies(&effect.change) {
                self.function(gives, &[index]);
            }
            self.over(index, effect);
        }
        if let Some(recharge) = &part.recharge {
            self.recharge(recharge);
        }
        self.written
    }

    /// A function for some effects of the part.
    fn function(&mut self, gives: Gives, effects: &[usize]) {
        self.world.begin();
        let part = self.part;
        let mut writer = Writer::new(&mut *self.world);
        let mut body = Vec::new();
        for condition in &part.conditions {
            let code = writer.truth(condition);
            body.append(&mut writer.before.lines);
            body.push(code!("if (!{}) {{", code.operand()));
            body.push(match gives.value {
                Some((_, neutral)) => code!("return {neutral};", neutral),
                None => "return;".into(),
            });
            body.push("}".into());
        }
        for &index in effects {
            if let (Some(effect), Some(told)) =
                (part.effects.get(index), self.told.effects.get(index))
            {
                self::effect(effect, &told.effect, gives, &mut writer, &mut body);
            }
        }
        let mut acting = effects.iter().filter_map(|&index| part.effects.get(index));
        let is_sure = acting.all(|effect| effect.conditions.is_empty());
        if let (Some((_, neutral)), false) = (gives.value, is_sure) {
            body.push(code!("return {neutral};", neutral));
        }
        self.begin(&sentence(&self.told, effects));
        self.signature(gives, effects);
        for line in body {
            self.written.hurts |= line.as_str().starts_with(HURT);
            self.written.text.line(line);
        }
        self.written.text.line("}");
    }

    /// Begins a function, or the comment in its place.
    fn begin(&mut self, comment: &str) {
        self.written.text.line("");
        self.written.text.wrapped_comment(comment);
    }

    fn signature(&mut self, gives: Gives, effects: &[usize]) {
        let mut effects = effects
            .iter()
            .filter_map(|&index| self.part.effects.get(index));
        let is_list = effects.any(|effect| effect.target == Noun::Creatures);
        let mut parameters = Vec::new();
        let nouns: Vec<Noun> = self.world.nouns.iter().cloned().collect();
        for noun in &nouns {
            match noun {
                Noun::Creatures => {}
                // The loop over all of them names each of them so.
                Noun::Creature if is_list => {}
                noun => parameters.push(code!("{}: combatant", self.world.name_of(noun))),
            }
        }
        if is_list {
            parameters.push("creatures: combatant list".into());
        }
        if self.world.has_result {
            parameters.push("result: string".into());
        }
        for (number, is_text) in &self.world.variables {
            let kind = if *is_text { "string" } else { "int" };
            parameters.push(code!("v{number}: {kind}", number, kind));
        }
        let result = gives
            .value
            .map_or_else(ScriptCode::default, |(ty, _)| code!(" : {ty}", ty));
        self.written.has_edges |= result == " : edge";
        self.written.text.line(code!(
            "deffun {}{}({}){result} {{",
            self.name,
            gives.suffix,
            parameters.joined(", "),
            result
        ));
    }

    /// The function that reverts an effect when its duration ends.
    fn over(&mut self, index: usize, effect: &Effect) {
        if effect.duration == Duration::Instant {
            return;
        }
        let places = stored(&effect.change);
        if places.is_empty() {
            return;
        }
        self.world.begin();
        let fields = places.iter().map(|place| self.world.attribute(place));
        let fields: Vec<Code> = fields.collect();
        let nouns: Vec<Noun> = self.world.nouns.iter().cloned().collect();
        let mut parameters: Vec<ScriptCode> = nouns
            .iter()
            .map(|noun| code!("{}: combatant", self.world.name_of(noun)))
            .collect();
        let before = |at: usize| match places.len() {
            1 => "before".into(),
            _ => code!("before{}", at + 1),
        };
        let mut body: Vec<ScriptCode> = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            parameters.push(code!("{}: {}", before(at), field.kind.name()));
            body.push(code!("{} = {};", field.text, before(at)));
        }
        let told = self.told.effects.get(index);
        let duration = told
            .and_then(|told| told.duration.as_deref())
            .unwrap_or_default();
        self.begin(&format!(
            "Reverts effect {}, which lasts {duration}.",
            index + 1
        ));
        self.written.text.line(code!(
            "deffun {}Over{}({}) {{",
            self.name,
            index + 1,
            parameters.joined(", ")
        ));
        body.into_iter()
            .for_each(|line| self.written.text.line(line));
        self.written.text.line("}");
    }

    /// The function that restores uses at the start of a turn.
    fn recharge(&mut self, recharge: &Recharge) {
        let words = self.told.recharge.clone().unwrap_or_default();
        let (Restore::OnD6 { from, to }, ExprKind::Number(uses)) =
            (recharge.back, &recharge.uses.kind)
        else {
            self.begin(&format!("{}: {words}.", self.name));
            return;
        };
        let faces: Vec<ScriptCode> = (from..=to).map(|face| code!("{face}", face)).collect();
        let is_back = match to {
            6 => code!("roll(d6) >= {from}", from),
            _ => code!("contains(list({}), roll(d6))", faces.joined(", ")),
        };
        let uses = ScriptCode::decimals(*uses, 0);
        self.begin(&format!(
            "The uses that are left after a turn has started: {words}."
        ));
        self.written.text.line(code!(
            "deffun {}Uses(uses: int) : int {{\nreturn uses < {uses} && {is_back} ? {uses} : \
             uses;\n}}",
            self.name,
            uses,
            is_back
        ));
    }
}

/// The attributes that a change gives other values, each once.
fn stored(change: &Change) -> Vec<Place> {
    let mut places = Vec::new();
    match change {
        Change::Set { place, .. } => places.push(place.clone()),
        Change::Store(expr) => expr.clone().each(&mut |part| {
            if let ExprKind::Store(_, place) = &part.kind
                && !places.contains(place)
            {
                places.push(place.clone());
            }
        }),
        _ => {}
    }
    places
}

/// An effect on its target, or on each of its targets.
fn effect(
    effect: &Effect,
    told: &str,
    gives: Gives,
    writer: &mut Functions<'_, '_>,
    body: &mut Vec<ScriptCode>,
) {
    let is_list = effect.target == Noun::Creatures;
    let target = match is_list {
        true => Noun::Creature,
        false => effect.target.clone(),
    };
    if is_list {
        body.push("for (creature : creatures) {".into());
    }
    for condition in &effect.conditions {
        let code = writer.truth(condition);
        body.append(&mut writer.before.lines);
        body.push(code!("if ({}) {{", code.text));
    }
    let value = gives.value.and_then(|_| value_of(&effect.change, writer));
    let lines = match value {
        Some(value) => vec![code!("return {value};", value)],
        None => change(&effect.change, &target, told, writer),
    };
    body.append(&mut writer.before.lines);
    body.extend(lines);
    let open = effect.conditions.len() + usize::from(is_list);
    body.extend((0..open).map(|_| "}".into()));
}

/// The code of an effect's change.
fn change(
    change: &Change,
    target: &Noun,
    told: &str,
    writer: &mut Functions<'_, '_>,
) -> Vec<ScriptCode> {
    match change {
        Change::Set { place, value } => {
            let code = writer.code(value);
            let field = writer.world.attribute(place);
            let code = match (field.kind, &value.kind) {
                // The source of a condition that is a number is the creature with the feature.
                (CodeKind::Id, ExprKind::Number(number)) if *number != 0.0 => {
                    writer.world.noun(&Noun::Myself)
                }
                (kind, _) => code.fitted(kind),
            };
            vec![code!("{} = {};", field.text, code.text)]
        }
        Change::Store(expr) => {
            writer.code(expr);
            Vec::new()
        }
        Change::Damage(damage) => self::damage(damage, target, writer),
        Change::FlatDamage(points) => {
            let points = writer.whole(points).text;
            vec![hurt(target, &points, &"\"\"".into(), writer)]
        }
        Change::Speed(feet) => {
            let feet = writer.whole(feet).text;
            vec![code!(
                "{} += {feet};",
                whole(target, "movespeed", writer),
                feet
            )]
        }
        Change::Regain(points) => {
            let points = writer.whole(points).operand();
            let (hp, most) = (whole(target, "hp", writer), whole(target, "maxhp", writer));
            vec![code!(
                "{hp} = min({most}, {hp} + {points});",
                hp,
                most,
                points
            )]
        }
        Change::Destroyed | Change::Death => {
            let alive = writer.world.field(target, "alive", CodeKind::Truth, "true");
            let hp = whole(target, "hp", writer);
            vec![code!("{hp} = 0;", hp), code!("{} = false;", alive.text)]
        }
        Change::Surprised => {
            let field = writer
                .world
                .field(target, "surprised", CodeKind::Truth, "false");
            vec![code!("{} = true;", field.text)]
        }
        _ => vec![remark(&format!("Left to the game: {told}."))],
    }
}

fn whole(target: &Noun, field: &'static str, writer: &mut Functions<'_, '_>) -> ScriptCode {
    writer.world.field(target, field, CodeKind::Whole, "0").text
}

/// The beginning of a line that does damage.
const HURT: &str = "hurt(";

/// Damage of a type to somebody.
fn hurt(
    target: &Noun,
    points: &ScriptCode,
    kind: &ScriptCode,
    writer: &mut Functions<'_, '_>,
) -> ScriptCode {
    whole(target, "hp", writer);
    writer
        .world
        .field(target, "lastDamage", CodeKind::Text, "\"\"");
    code!(
        "{HURT}{}, {points}, {kind});",
        writer.world.name_of(target),
        HURT,
        points,
        kind
    )
}

/// A part of a feature, as a sentence.
fn sentence(told: &Told, effects: &[usize]) -> String {
    let mut text = told.trigger.clone();
    let mut first = text.chars();
    if let Some(letter) = first.next() {
        text = letter.to_uppercase().chain(first).collect();
    }
    if !told.conditions.is_empty() {
        let _ = write!(text, ", if {}", told.conditions.join(" and "));
    }
    let effects = effects.iter().filter_map(|&index| told.effects.get(index));
    let effects = effects.map(|effect| match &effect.duration {
        Some(duration) => format!("{}, {duration}", effect.effect),
        None => effect.effect.clone(),
    });
    let effects: Vec<String> = effects.collect();
    format!("{text}: {}.", effects.join("; "))
}

/// The result of a function for a change of a roll; `None` for other changes.
fn modifies(change: &Change) -> Option<Gives> {
    let (suffix, value) = match change {
        Change::Advantage(None) | Change::Disadvantage(None) => ("Edge", ("edge", "edge{}")),
        Change::Critical => ("Critical", ("bool", "false")),
        Change::MagicalDamage => ("Magical", ("bool", "false")),
        Change::WeaponDice(_) => ("WeaponDice", ("int", "0")),
        Change::ReduceDamage(_) => ("Reduction", ("int", "0")),
        _ => return None,
    };
    Some(Gives {
        suffix,
        value: Some(value),
    })
}

/// The result of such a function if its conditions hold.
fn value_of(change: &Change, writer: &mut Functions<'_, '_>) -> Option<ScriptCode> {
    Some(match change {
        Change::Advantage(None) => "edge{ advantage: true }".into(),
        Change::Disadvantage(None) => "edge{ disadvantage: true }".into(),
        Change::Critical | Change::MagicalDamage => "true".into(),
        Change::WeaponDice(number) | Change::ReduceDamage(number) => writer.whole(number).text,
        _ => return None,
    })
}

/// Dice of damage, halved by a saving throw.
fn damage(damage: &Damage, target: &Noun, writer: &mut Functions<'_, '_>) -> Vec<ScriptCode> {
    let dice = dice(&damage.count, &damage.sides, writer);
    let kind = writer.text(&damage.kind).text;
    let Some(save) = &damage.save else {
        return vec![hurt(target, &dice, &kind, writer)];
    };
    let dc = writer.number(&save.dc).operand();
    let bonus = writer.world.save(target, &save.ability).text;
    vec![
        code!("amount = {dice};", dice),
        code!("if (roll(d20) + {bonus} >= {dc}) {{", bonus, dc),
        "amount /= 2;".into(),
        "}".into(),
        hurt(target, &"amount".into(), &kind, writer),
    ]
}

fn dice(count: &Expr, sides: &Expr, writer: &mut Functions<'_, '_>) -> ScriptCode {
    let (count, sides) = (writer.whole(count).text, writer.whole(sides).text);
    let is_number = |code: &ScriptCode| {
        let mut bytes = code.as_str().bytes();
        bytes.all(|byte| byte.is_ascii_digit())
    };
    match is_number(&count) && is_number(&sides) {
        true => code!("roll({count}d{sides})", count, sides),
        false => code!("roll(d({count}, {sides}))", count, sides),
    }
}
