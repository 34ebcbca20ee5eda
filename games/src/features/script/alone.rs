//! The [`World`] of a script of one feature: every creature is a record with the fields that the
//! feature reads and changes.

use super::code::{Code, CodeKind, World, Writer, kind_of, number_code};
use crate::features::attribute::{ABILITIES, Attribute, Default};
use crate::features::expr::{Area, ExprKind, Place, Query, Value, Values, die};
use crate::features::noun::Noun;
use crate::features::read::read_expression;
use crate::script_text::{Names, ScriptCode, code, identifier, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// The world of one feature.
pub(super) struct Alone<'v> {
    /// The prefix of the names of the feature's own variables.
    prefix: ScriptCode,
    /// The known values of variables.
    values: &'v Values,
    /// The fields that are used: type and default.
    pub(super) fields: BTreeMap<ScriptCode, (CodeKind, ScriptCode)>,
    /// Lists of texts that are used.
    pub(super) lists: BTreeSet<ScriptCode>,
    /// The creatures in the current function.
    pub(super) nouns: BTreeSet<Noun>,
    /// The variables of the function that is being written, and whether they are texts.
    pub(super) variables: BTreeMap<u32, bool>,
    /// Whether the function that is being written reads the trigger's result.
    pub(super) has_result: bool,
    /// Whether abilities are scores: in the formula of `CARRY_CAPACITY`.
    is_score: bool,
    /// The creatures that the feature names.
    named: Names,
    /// The fields of skills and other things that are checked.
    checks: Names,
}

impl<'v> Alone<'v> {
    pub(super) fn new(prefix: &ScriptCode, values: &'v Values) -> Self {
        Self {
            prefix: prefix.clone(),
            values,
            fields: BTreeMap::new(),
            lists: BTreeSet::new(),
            nouns: BTreeSet::new(),
            variables: BTreeMap::new(),
            has_result: false,
            is_score: false,
            named: Names::default(),
            checks: Names::beside(["id".into()]),
        }
    }

    /// Begins another function.
    pub(super) fn begin(&mut self) {
        self.nouns.clear();
        self.variables.clear();
        self.has_result = false;
    }

    /// Somebody's name in a function.
    pub(super) fn who(&mut self, noun: &Noun) -> ScriptCode {
        self.nouns.insert(noun.clone());
        self.name_of(noun)
    }

    /// Somebody's name in the script.
    pub(super) fn name_of(&mut self, noun: &Noun) -> ScriptCode {
        match noun {
            Noun::Myself => "self".into(),
            Noun::Creature => "creature".into(),
            Noun::Creatures => "creatures".into(),
            Noun::Object => "object".into(),
            Noun::Structure => "structure".into(),
            Noun::Point => "point".into(),
            // `any` is a function of the language.
            Noun::Any => "target".into(),
            Noun::Terrain => "terrain".into(),
            Noun::Named(name) => self.named.of(name, "Named"),
        }
    }

    /// A field of somebody.
    pub(super) fn field(
        &mut self,
        noun: &Noun,
        name: impl Into<ScriptCode>,
        kind: CodeKind,
        default: impl Into<ScriptCode>,
    ) -> Code {
        let name = name.into();
        let entry = (kind, default.into());
        self.fields.entry(name.clone()).or_insert(entry);
        Code::closed(code!("{}.{name}", self.who(noun), name), kind)
    }

    fn check(&mut self, noun: &Noun, check: &str) -> Code {
        let name = self.checks.of(check.trim_matches('"'), "");
        self.field(noun, name, CodeKind::Whole, "0")
    }

    /// The formula of an attribute that is never stored to.
    fn formula(&mut self, text: &str, place: &Place) -> Option<Code> {
        let (expr, _) = read_expression(text);
        let mut expr = expr?;
        expr.each(&mut |part| {
            if let ExprKind::Attribute(inner) = &mut part.kind {
                inner.owner = place.owner.clone();
            }
        });
        self.is_score = Attribute::named("CARRY_CAPACITY") == Some(place.attribute);
        let code = Writer::new(self).code(&expr);
        self.is_score = false;
        Some(code)
    }

    fn pair(&mut self, nouns: &[Noun], field: &'static str, kind: CodeKind) -> Option<[Code; 2]> {
        let [one, other] = nouns else { return None };
        let default = if kind == CodeKind::Text { "\"\"" } else { "0" };
        let one = self.field(one, field, kind, default);
        let other = self.field(other, field, kind, default);
        Some([one, other])
    }

    /// A condition as code; `None` if it takes fewer nouns than it has.
    fn asked(&mut self, query: Query, nouns: &[Noun], values: &[Code]) -> Option<Code> {
        let first = nouns.first()?;
        let value = |index: usize| values.get(index).map(Code::operand);
        let is = |text: ScriptCode| Code::open(text, CodeKind::Truth);
        Some(match query {
            Query::Hostile | Query::Allied => {
                let [one, other] = self.pair(nouns, "side", CodeKind::Whole)?;
                let symbol = if query == Query::Hostile { "!=" } else { "==" };
                is(code!("{} {symbol} {}", one.text, other.text, symbol))
            }
            Query::Understand => {
                let [one, other] = self.pair(nouns, "language", CodeKind::Text)?;
                is(code!("{} == {}", one.text, other.text))
            }
            Query::WebShare => {
                let [one, other] = self.pair(nouns, "web", CodeKind::Whole)?;
                is(code!("{} != 0 && {} == {}", one.text, one.text, other.text))
            }
            Query::Distance => {
                let [x, x2] = self.pair(nouns, "x", CodeKind::Whole)?;
                let [y, y2] = self.pair(nouns, "y", CodeKind::Whole)?;
                let (x, x2, y, y2) = (x.text, x2.text, y.text, y2.text);
                Code::closed(
                    code!("max(abs({x} - {x2}), abs({y} - {y2}))", x, x2, y, y2),
                    CodeKind::Whole,
                )
            }
            Query::Sees => {
                let blinded = self.field(first, "blinded", CodeKind::Id, "0");
                let invisible = self.field(nouns.get(1)?, "invisible", CodeKind::Id, "0");
                is(code!("{} == 0 && {} == 0", blinded.text, invisible.text))
            }
            Query::Bound | Query::Carried => {
                let field = if query == Query::Bound {
                    "boundBy"
                } else {
                    "carriedBy"
                };
                let by = self.field(first, field, CodeKind::Id, "0");
                let id = self.noun(nouns.get(1)?);
                is(code!("{} == {}", by.text, id.text))
            }
            Query::Aware => {
                self.who(nouns.get(1)?);
                let surprised = self.field(first, "surprised", CodeKind::Truth, "false");
                is(code!("!{}", surprised.text))
            }
            Query::Approves => self.field(first, "approves", CodeKind::Truth, "false"),
            Query::MovedTo => {
                self.who(nouns.get(1)?);
                self.field(first, "movedStraight", CodeKind::Whole, "0")
            }
            Query::UnderSpell => {
                self.lists.insert(ScriptCode::from("spells"));
                let who = self.who(first);
                Code::closed(
                    code!("contains({who}.spells, {})", value(0)?, who),
                    CodeKind::Truth,
                )
            }
            Query::Lighting => {
                let light = self.field(first, "light", CodeKind::Text, "\"sunlight\"");
                is(code!("{} == {}", light.text, value(0)?))
            }
            Query::MadeAttack => {
                let weapon = self.field(first, "attackedWith", CodeKind::Text, "\"\"");
                is(code!("{} == {}", weapon.text, value(0)?))
            }
            Query::Roll => {
                let what = value(0)?;
                match die(what.as_str().trim_matches('"')) {
                    Some(sides) => Code::closed(code!("roll(d{sides})", sides), CodeKind::Whole),
                    None => {
                        let bonus = self.check(first, what.as_str());
                        Code::open(code!("roll(d20) + {}", bonus.text), CodeKind::Whole)
                    }
                }
            }
            Query::FailsSave => {
                let ability = value(1)?;
                let bonus = self.save(first, ability.as_str().trim_matches('"'));
                let margin = values.get(2)?.clone().whole();
                let total = code!("roll(d20) + {}", bonus.text);
                let dc = values.first()?.clone().number().operand();
                is(match &margin.text {
                    margin if *margin == "0" => code!("{total} < {dc}", total, dc),
                    margin => code!("{total} <= {dc} - max({margin}, 1)", total, dc, margin),
                })
            }
        })
    }
}

impl World for Alone<'_> {
    fn attribute(&mut self, place: &Place) -> Code {
        let name = match place.attribute {
            Attribute::Private(number) => code!("{}Nv{number}", self.prefix, number),
            attribute => field_name(attribute),
        };
        let kind = kind_of(place.attribute);
        if let Default::Formula(text) = place.attribute.default()
            && let Some(code) = self.formula(text, place)
        {
            return code;
        }
        let is_ability = ABILITIES.iter().any(|(_, long)| name == *long);
        let name = match self.is_score && is_ability {
            true => code!("{name}Score", name),
            false => name,
        };
        let default = match (place.attribute.default(), kind) {
            (Default::Number(number), CodeKind::Truth) => code!("{}", number != 0.0),
            (Default::Number(number), CodeKind::Decimal) => ScriptCode::decimals(number, 1),
            (Default::Number(number), _) => ScriptCode::decimals(number, 0),
            (_, CodeKind::Text) => "\"\"".into(),
            (_, CodeKind::Truth) => "false".into(),
            (_, CodeKind::Decimal) => "0.0".into(),
            _ => "0".into(),
        };
        self.field(&place.owner, name, kind, default)
    }

    fn noun(&mut self, noun: &Noun) -> Code {
        Code::closed(code!("{}.id", self.who(noun)), CodeKind::Id)
    }

    fn variable(&mut self, number: u32, wants_text: bool) -> Code {
        match self.values.get(&format!("V{number}")) {
            Some(Value::Word(word)) => Code::closed(quoted(word), CodeKind::Text),
            Some(Value::Number(value)) if !wants_text => number_code(*value),
            Some(Value::Number(value)) => Code::closed(quoted(&value.to_string()), CodeKind::Text),
            None => {
                let is_text = self.variables.entry(number).or_insert(wants_text);
                let kind = if *is_text {
                    CodeKind::Text
                } else {
                    CodeKind::Whole
                };
                Code::closed(code!("v{number}", number), kind)
            }
        }
    }

    fn result(&mut self) -> Code {
        self.has_result = true;
        Code::closed("result", CodeKind::Text)
    }

    fn query(&mut self, query: Query, nouns: &[Noun], values: &[Code]) -> Code {
        // Whoever a variable names is nobody whom the script knows.
        let code = self.asked(query, nouns, values);
        code.unwrap_or_else(|| Code::closed("false", CodeKind::Truth))
    }

    fn save(&mut self, who: &Noun, ability: &str) -> Code {
        self.field(
            who,
            code!("{}Save", identifier(ability)),
            CodeKind::Whole,
            "0",
        )
    }

    fn is_in(&mut self, who: &Noun, _: &Area) -> Code {
        self.field(who, "isInArea", CodeKind::Truth, "false")
    }
}

/// The field of an attribute: `MOVESPEED` is `movespeed`, `STR` is `strength`, `DAMAGE.TYPE` is
/// `damageType`.
pub(super) fn field_name(attribute: Attribute) -> ScriptCode {
    let name = attribute.to_string();
    let mut abilities = ABILITIES.iter();
    match abilities.find(|(short, _)| *short == name) {
        Some((_, long)) => (*long).into(),
        None => identifier(&name.to_lowercase()),
    }
}
