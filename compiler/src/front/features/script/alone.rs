//! The world of a script of one feature: everybody is a record whose fields are what the feature
//! reads and changes.

use super::code::{Code, CodeKind, World, Writer, kind_of, number_code};
use crate::front::features::attribute::{ABILITIES, Attribute, Default};
use crate::front::features::expr::{Area, ExprKind, Place, Query, Value, Values, die};
use crate::front::features::noun::Noun;
use crate::front::features::read::read_expression;
use crate::front::script_text::{identifier, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// The world of one feature.
pub(super) struct Alone<'v> {
    /// What begins the names of the feature's own variables.
    prefix: String,
    /// Values of variables that are known.
    values: &'v Values,
    /// The fields that are used: type and default.
    pub(super) fields: BTreeMap<String, (CodeKind, String)>,
    /// Lists of texts that are used.
    pub(super) lists: BTreeSet<String>,
    /// Who takes part in the function that is being written.
    pub(super) nouns: BTreeSet<Noun>,
    /// The variables of the function that is being written, and whether they are texts.
    pub(super) variables: BTreeMap<u32, bool>,
    /// Whether the function that is being written reads the trigger's result.
    pub(super) has_result: bool,
    /// Whether abilities are scores: in the formula of `CARRY_CAPACITY`.
    is_score: bool,
}

impl<'v> Alone<'v> {
    pub(super) fn new(prefix: &str, values: &'v Values) -> Self {
        Self {
            prefix: prefix.to_owned(),
            values,
            fields: BTreeMap::new(),
            lists: BTreeSet::new(),
            nouns: BTreeSet::new(),
            variables: BTreeMap::new(),
            has_result: false,
            is_score: false,
        }
    }

    /// Begins another function.
    pub(super) fn begin(&mut self) {
        self.nouns.clear();
        self.variables.clear();
        self.has_result = false;
    }

    /// Somebody's name in a function.
    pub(super) fn who(&mut self, noun: &Noun) -> String {
        self.nouns.insert(noun.clone());
        name_of(noun)
    }

    /// A field of somebody.
    pub(super) fn field(&mut self, noun: &Noun, name: &str, kind: CodeKind, default: &str) -> Code {
        let entry = (kind, default.to_owned());
        self.fields.entry(name.to_owned()).or_insert(entry);
        Code::closed(format!("{}.{name}", self.who(noun)), kind)
    }

    fn check(&mut self, noun: &Noun, check: &str) -> Code {
        let name = identifier(check.trim_matches('"'));
        self.field(noun, &name, CodeKind::Whole, "0")
    }

    /// The formula of an attribute that nobody stores to.
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

    fn pair(&mut self, nouns: &[Noun], field: &str, kind: CodeKind) -> Option<[Code; 2]> {
        let [one, other] = nouns else { return None };
        let default = if kind == CodeKind::Text { "\"\"" } else { "0" };
        let one = self.field(one, field, kind, default);
        let other = self.field(other, field, kind, default);
        Some([one, other])
    }

    /// A question as code; `None` if it is about fewer nouns than it has.
    fn asked(&mut self, query: Query, nouns: &[Noun], values: &[Code]) -> Option<Code> {
        let first = nouns.first()?;
        let value = |index: usize| values.get(index).map(Code::operand);
        let is = |text: String| Code::open(text, CodeKind::Truth);
        Some(match query {
            Query::Hostile | Query::Allied => {
                let [one, other] = self.pair(nouns, "side", CodeKind::Whole)?;
                let symbol = if query == Query::Hostile { "!=" } else { "==" };
                is(format!("{} {symbol} {}", one.text, other.text))
            }
            Query::Understand => {
                let [one, other] = self.pair(nouns, "language", CodeKind::Text)?;
                is(format!("{} == {}", one.text, other.text))
            }
            Query::WebShare => {
                let [one, other] = self.pair(nouns, "web", CodeKind::Whole)?;
                is(format!("{0} != 0 && {0} == {1}", one.text, other.text))
            }
            Query::Distance => {
                let [x, x2] = self.pair(nouns, "x", CodeKind::Whole)?;
                let [y, y2] = self.pair(nouns, "y", CodeKind::Whole)?;
                let (x, x2, y, y2) = (x.text, x2.text, y.text, y2.text);
                Code::closed(
                    format!("max(abs({x} - {x2}), abs({y} - {y2}))"),
                    CodeKind::Whole,
                )
            }
            Query::Sees => {
                let blinded = self.field(first, "blinded", CodeKind::Id, "0");
                let invisible = self.field(nouns.get(1)?, "invisible", CodeKind::Id, "0");
                is(format!("{} == 0 && {} == 0", blinded.text, invisible.text))
            }
            Query::Bound | Query::Carried => {
                let field = if query == Query::Bound {
                    "boundBy"
                } else {
                    "carriedBy"
                };
                let by = self.field(first, field, CodeKind::Id, "0");
                let id = self.noun(nouns.get(1)?);
                is(format!("{} == {}", by.text, id.text))
            }
            Query::Aware => {
                self.who(nouns.get(1)?);
                let surprised = self.field(first, "surprised", CodeKind::Truth, "false");
                is(format!("!{}", surprised.text))
            }
            Query::Approves => self.field(first, "approves", CodeKind::Truth, "false"),
            Query::MovedTo => {
                self.who(nouns.get(1)?);
                self.field(first, "movedStraight", CodeKind::Whole, "0")
            }
            Query::UnderSpell => {
                self.lists.insert("spells".to_owned());
                let who = self.who(first);
                Code::closed(
                    format!("contains({who}.spells, {})", value(0)?),
                    CodeKind::Truth,
                )
            }
            Query::Lighting => {
                let light = self.field(first, "light", CodeKind::Text, "\"sunlight\"");
                is(format!("{} == {}", light.text, value(0)?))
            }
            Query::MadeAttack => {
                let weapon = self.field(first, "attackedWith", CodeKind::Text, "\"\"");
                is(format!("{} == {}", weapon.text, value(0)?))
            }
            Query::Roll => {
                let what = value(0)?;
                match die(what.trim_matches('"')) {
                    Some(sides) => Code::closed(format!("roll(d{sides})"), CodeKind::Whole),
                    None => {
                        let bonus = self.check(first, &what);
                        Code::open(format!("roll(d20) + {}", bonus.text), CodeKind::Whole)
                    }
                }
            }
            Query::FailsSave => {
                let ability = value(1)?;
                let bonus = self.save(first, &identifier(ability.trim_matches('"')));
                let margin = values.get(2)?.clone().whole();
                let total = format!("roll(d20) + {}", bonus.text);
                let dc = values.first()?.clone().number().operand();
                is(match margin.text.as_str() {
                    "0" => format!("{total} < {dc}"),
                    margin => format!("{total} <= {dc} - max({margin}, 1)"),
                })
            }
        })
    }
}

impl World for Alone<'_> {
    fn attribute(&mut self, place: &Place) -> Code {
        let name = match place.attribute {
            Attribute::Private(number) => format!("{}Nv{number}", self.prefix),
            attribute => field_name(attribute),
        };
        let kind = kind_of(place.attribute);
        if let Default::Formula(text) = place.attribute.default()
            && let Some(code) = self.formula(text, place)
        {
            return code;
        }
        let is_ability = ABILITIES.iter().any(|(_, long)| *long == name);
        let name = match self.is_score && is_ability {
            true => format!("{name}Score"),
            false => name,
        };
        let default = match (place.attribute.default(), kind) {
            (Default::Number(number), CodeKind::Truth) => (number != 0.0).to_string(),
            (Default::Number(number), CodeKind::Decimal) => format!("{number:.1}"),
            (Default::Number(number), _) => format!("{number:.0}"),
            (_, CodeKind::Text) => "\"\"".to_owned(),
            (_, CodeKind::Truth) => "false".to_owned(),
            (_, CodeKind::Decimal) => "0.0".to_owned(),
            _ => "0".to_owned(),
        };
        self.field(&place.owner, &name, kind, &default)
    }

    fn noun(&mut self, noun: &Noun) -> Code {
        Code::closed(format!("{}.id", self.who(noun)), CodeKind::Id)
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
                Code::closed(format!("v{number}"), kind)
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
        self.field(who, &format!("{ability}Save"), CodeKind::Whole, "0")
    }

    fn is_in(&mut self, who: &Noun, _: &Area) -> Code {
        self.field(who, "isInArea", CodeKind::Truth, "false")
    }
}

/// Somebody's name in a script.
pub(super) fn name_of(noun: &Noun) -> String {
    match noun {
        Noun::Myself => "self".to_owned(),
        Noun::Creature => "creature".to_owned(),
        Noun::Creatures => "creatures".to_owned(),
        Noun::Object => "object".to_owned(),
        Noun::Structure => "structure".to_owned(),
        Noun::Point => "point".to_owned(),
        // `any` is a function of the language.
        Noun::Any => "target".to_owned(),
        Noun::Terrain => "terrain".to_owned(),
        Noun::Named(name) => format!("{}Named", identifier(name)),
    }
}

/// The field of an attribute: `MOVESPEED` is `movespeed`, `STR` is `strength`, `DAMAGE.TYPE` is
/// `damageType`.
pub(super) fn field_name(attribute: Attribute) -> String {
    let name = attribute.to_string();
    let mut abilities = ABILITIES.iter();
    match abilities.find(|(short, _)| *short == name) {
        Some((_, long)) => (*long).to_owned(),
        None => identifier(&name.to_lowercase()),
    }
}
