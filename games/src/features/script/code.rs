//! Expressions of features as expressions of the rolling language.
//!
//! A [`World`] decides how nouns, attributes and conditions are represented in a script: a script
//! of one feature has a different world than a fight.

use crate::features::attribute::{Attribute, Kind};
use crate::features::expr::{Area, Binary, Expr, ExprKind, Place, Query, Type};
use crate::features::noun::Noun;
use crate::script_text::{ScriptCode, code, quoted};

/// The type of a piece of script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A whole number.
    Whole,
    /// A number with decimals.
    Decimal,
    /// A truth value.
    Truth,
    /// The id of a creature, 0 for none.
    Id,
    /// A text.
    Text,
}

impl CodeKind {
    /// As a script names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Whole | Self::Id => "int",
            Self::Decimal => "float",
            Self::Truth => "bool",
            Self::Text => "string",
        }
    }
}

/// An expression of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its text.
    pub text: ScriptCode,
    /// Its type.
    pub kind: CodeKind,
    /// Whether it can be an operand without parentheses.
    is_closed: bool,
}

/// The representation of a feature's terms in a script.
pub trait World {
    /// An attribute: something that can be read and assigned to.
    fn attribute(&mut self, place: &Place) -> Code;

    /// The id of somebody.
    fn noun(&mut self, noun: &Noun) -> Code;

    /// A variable, `V0`. If `wants_text`, it is used as a word.
    fn variable(&mut self, number: u32, wants_text: bool) -> Code;

    /// The result of the trigger, as a text.
    fn result(&mut self) -> Code;

    /// A condition with more than numbers, about these nouns and with these values.
    fn query(&mut self, query: Query, nouns: &[Noun], values: &[Code]) -> Code;

    /// The bonus to a saving throw with this ability.
    fn save(&mut self, who: &Noun, ability: &str) -> Code;

    /// Whether somebody is in an area.
    fn is_in(&mut self, who: &Noun, area: &Area) -> Code;
}

impl Code {
    /// An expression that needs no parentheses next to an operator.
    pub fn closed(text: impl Into<ScriptCode>, kind: CodeKind) -> Self {
        Self {
            text: text.into(),
            kind,
            is_closed: true,
        }
    }

    /// An expression with operators.
    pub fn open(text: impl Into<ScriptCode>, kind: CodeKind) -> Self {
        Self {
            is_closed: false,
            ..Self::closed(text, kind)
        }
    }

    /// As an operand.
    pub fn operand(&self) -> ScriptCode {
        match self.is_closed {
            true => self.text.clone(),
            false => code!("({})", self.text),
        }
    }

    /// As a number.
    pub fn number(self) -> Self {
        match self.kind {
            CodeKind::Truth => Self::open(code!("{} ? 1 : 0", self.operand()), CodeKind::Whole),
            _ => self,
        }
    }

    /// As a truth value: whether it is not 0. Texts are true.
    pub fn truth(self) -> Self {
        let zero = match self.kind {
            CodeKind::Truth => return self,
            CodeKind::Text => return Self::closed("true", CodeKind::Truth),
            CodeKind::Whole | CodeKind::Id => "0",
            CodeKind::Decimal => "0.0",
        };
        Self::open(code!("{} != {zero}", self.operand(), zero), CodeKind::Truth)
    }

    /// As a whole number; decimals are rounded down.
    pub fn whole(self) -> Self {
        match self.kind {
            CodeKind::Decimal => Self::closed(code!("floor({})", self.text), CodeKind::Whole),
            _ => self.number(),
        }
    }

    /// Converted to the type of an attribute.
    pub fn fitted(self, kind: CodeKind) -> Self {
        match kind {
            CodeKind::Truth => self.truth(),
            CodeKind::Whole => self.whole(),
            CodeKind::Decimal => self.number(),
            CodeKind::Id | CodeKind::Text => self,
        }
    }
}

/// The attributes that have decimals.
const DECIMALS: [&str; 6] = [
    "SIZE",
    "CR",
    "TELEPATHIC",
    "MIN_SPACE_WITHOUT_SQUEEZING",
    "BREATH_HOLD_MINUTES",
    "CARRY_CAPACITY",
];

/// The type of an attribute of the format's list in a script.
pub fn kind_of(attribute: Attribute) -> CodeKind {
    let name = attribute.to_string();
    match attribute.kind() {
        Kind::Number if DECIMALS.contains(&name.as_str()) => CodeKind::Decimal,
        Kind::Number => CodeKind::Whole,
        Kind::Truth => CodeKind::Truth,
        Kind::Source => CodeKind::Id,
        Kind::Word => CodeKind::Text,
    }
}

/// Statements, and the names of the values that they keep.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    /// The statements, each with its semicolon.
    pub lines: Vec<ScriptCode>,
    kept: u32,
}

impl Statements {
    /// Keeps a value under a new name.
    fn keep(&mut self, code: &Code) -> Code {
        self.kept += 1;
        let name = code!("kept{}", self.kept);
        self.lines.push(code!("{name} = {};", code.text, name));
        Code::closed(name, code.kind)
    }
}

/// Writes expressions of one trigger, condition or effect.
pub struct Writer<'w, W> {
    /// The world.
    pub world: &'w mut W,
    /// The statements to execute before the value is read: stores, and values that are saved.
    pub before: Statements,
    /// The names of values that were duplicated.
    again: Vec<(u32, Code)>,
}

impl<'w, W: World> Writer<'w, W> {
    /// A writer in a world.
    pub fn new(world: &'w mut W) -> Self {
        Self {
            world,
            before: Statements::default(),
            again: Vec::new(),
        }
    }

    /// An expression as a truth value.
    pub fn truth(&mut self, expr: &Expr) -> Code {
        self.code(expr).truth()
    }

    /// An expression as a number.
    pub fn number(&mut self, expr: &Expr) -> Code {
        self.code(expr).number()
    }

    /// An expression as a whole number.
    pub fn whole(&mut self, expr: &Expr) -> Code {
        self.code(expr).whole()
    }

    /// An expression as a text.
    pub fn text(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Variable(number) => self.world.variable(*number, true),
            _ => self.code(expr),
        }
    }

    /// An expression.
    pub fn code(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Number(number) => number_code(*number),
            ExprKind::Word(word) => Code::closed(quoted(word), CodeKind::Text),
            ExprKind::Noun(noun) => self.world.noun(noun),
            ExprKind::Attribute(place) => self.world.attribute(place),
            ExprKind::Variable(number) => self.world.variable(*number, false),
            ExprKind::Result => self.world.result(),
            ExprKind::Not(value) => {
                let value = self.truth(value);
                Code::open(code!("!{}", value.operand()), CodeKind::Truth)
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::IfElse(condition, then, otherwise) => {
                let codes = self.all(&[condition, then, otherwise]);
                let [condition, then, otherwise] = codes;
                let (then, otherwise) = alike(then, otherwise);
                let condition = condition.truth().operand();
                let kind = joined(then.kind, otherwise.kind);
                let (then, otherwise) = (then.operand(), otherwise.operand());
                Code::open(
                    code!(
                        "{condition} ? {then} : {otherwise}",
                        condition,
                        then,
                        otherwise
                    ),
                    kind,
                )
            }
            ExprKind::Query(query, operands) => self.query(*query, operands),
            ExprKind::InArea(who, area) => match &who.kind {
                ExprKind::Noun(noun) => self.world.is_in(noun, area),
                // Whoever a variable names is somebody else than those who are in an area.
                _ => Code::closed("false", CodeKind::Truth),
            },
            ExprKind::Store(value, place) => {
                let value = self.code(value);
                let target = self.world.attribute(place);
                let value = value.fitted(target.kind);
                let line = code!("{} = {};", target.text, value.text);
                self.before.lines.push(line);
                target
            }
            ExprKind::Before(first, then) => {
                let first = self.code(first);
                let first = self.before.keep(&first);
                self.code(then);
                first
            }
            ExprKind::After(first, then) => {
                self.code(first);
                self.code(then)
            }
            ExprKind::Kept(number, value) => {
                let value = self.code(value);
                let kept = self.before.keep(&value);
                self.again.push((*number, kept.clone()));
                kept
            }
            ExprKind::Again(number) => {
                let mut again = self.again.iter().rev();
                let found = again.find(|(other, _)| other == number);
                let found = found.map(|(_, code)| code.clone());
                found.unwrap_or_else(|| dicec_runtime::bug!("a value that was not kept").raise())
            }
            // A trigger says when something is written, and is not written itself.
            ExprKind::Event(..) => Code::closed("true", CodeKind::Truth),
        }
    }

    /// Several operands. If one of them has statements, the earlier ones are saved in variables.
    fn all<const N: usize>(&mut self, operands: &[&Expr; N]) -> [Code; N] {
        let mut codes: Vec<Code> = Vec::new();
        for operand in operands {
            let done = self.before.lines.len();
            let code = self.code(operand);
            if self.before.lines.len() > done {
                let more = self.before.lines.split_off(done);
                for code in &mut codes {
                    *code = self.before.keep(code);
                }
                self.before.lines.extend(more);
            }
            codes.push(code);
        }
        let mut codes = codes.into_iter();
        std::array::from_fn(|_| {
            let code = codes.next();
            code.unwrap_or_else(|| dicec_runtime::bug!("fewer values than operands").raise())
        })
    }

    fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr) -> Code {
        if operator == Binary::Eq {
            return self.equal(left, right);
        }
        let [left, right] = self.all(&[left, right]);
        let symbol = match operator {
            Binary::And | Binary::Or => return choice(operator, left, right),
            Binary::Min | Binary::Max => {
                let (left, right) = (left.number(), right.number());
                let kind = joined(left.kind, right.kind);
                let text = code!("{}({}, {})", operator.symbol(), left.text, right.text);
                return Code::closed(text, kind);
            }
            Binary::Pow => {
                let (left, right) = (left.number(), right.number());
                let text = code!("pow({} * 1.0, {})", left.operand(), right.text);
                return Code::closed(text, CodeKind::Decimal);
            }
            operator => operator.symbol(),
        };
        let (left, right) = (left.number(), right.number());
        let kind = match operator.compares() {
            true => CodeKind::Truth,
            false if operator == Binary::Div => CodeKind::Decimal,
            false => joined(left.kind, right.kind),
        };
        let left = match (operator, left.kind) {
            // `/` of whole numbers rounds down in a script.
            (Binary::Div, CodeKind::Whole) => code!("({} * 1.0)", left.operand()),
            _ => left.operand(),
        };
        Code::open(
            code!("{left} {symbol} {}", right.operand(), left, symbol),
            kind,
        )
    }

    fn equal(&mut self, left: &Expr, right: &Expr) -> Code {
        let is_text = |expr: &Expr| expr.ty == Type::Word;
        let (mut one, mut other) = match is_text(left) || is_text(right) {
            true => (self.text(left), self.text(right)),
            false => {
                let [one, other] = self.all(&[left, right]);
                (one, other)
            }
        };
        if one.kind == CodeKind::Truth && other.kind != CodeKind::Truth {
            one = one.number();
        }
        if other.kind == CodeKind::Truth && one.kind != CodeKind::Truth {
            other = other.number();
        }
        let text = code!("{} == {}", one.operand(), other.operand());
        Code::open(text, CodeKind::Truth)
    }

    fn query(&mut self, query: Query, operands: &[Expr]) -> Code {
        let mut nouns = Vec::new();
        let mut values = Vec::new();
        for operand in operands {
            match &operand.kind {
                ExprKind::Noun(noun) => nouns.push(noun.clone()),
                _ => values.push(self.text(operand)),
            }
        }
        self.world.query(query, &nouns, &values)
    }
}

/// `&` and `|`: the first value, the second or 0.
fn choice(operator: Binary, left: Code, right: Code) -> Code {
    let (symbol, is_and) = match operator {
        Binary::And => ("&&", true),
        _ => ("||", false),
    };
    if left.kind == CodeKind::Truth && (is_and || right.kind == CodeKind::Truth) {
        let (left, right) = (left.operand(), right.truth().operand());
        return Code::open(
            code!("{left} {symbol} {right}", left, symbol, right),
            CodeKind::Truth,
        );
    }
    if is_and {
        let zero = if left.kind == CodeKind::Decimal {
            "0.0"
        } else {
            "0"
        };
        let kind = left.kind;
        let (left, right) = (left.operand(), right.truth().operand());
        return Code::open(code!("{right} ? {left} : {zero}", right, left, zero), kind);
    }
    let (left, right) = alike(left, right);
    let kind = joined(left.kind, right.kind);
    let condition = left.clone().truth().operand();
    let (left, right) = (left.operand(), right.operand());
    Code::open(
        code!("{condition} ? {left} : {right}", condition, left, right),
        kind,
    )
}

/// Two values of one kind.
fn alike(left: Code, right: Code) -> (Code, Code) {
    match left.kind == right.kind {
        true => (left, right),
        false => (left.number(), right.number()),
    }
}

fn joined(one: CodeKind, other: CodeKind) -> CodeKind {
    match (one, other) {
        _ if one == other => one,
        (CodeKind::Decimal, _) | (_, CodeKind::Decimal) => CodeKind::Decimal,
        _ => CodeKind::Whole,
    }
}

pub(super) fn number_code(number: f64) -> Code {
    let text = ScriptCode::decimals(number, 0);
    let kind = match number.fract() == 0.0 {
        true => CodeKind::Whole,
        false => CodeKind::Decimal,
    };
    match number < 0.0 {
        true => Code::open(text, kind),
        false => Code::closed(text, kind),
    }
}
