//! The script while it is written: definitions, and names that are free.

use super::code::Code;
use dicec_lang::front::notation::begins_dice;
use dicec_lang::front::script::{is_keyword, is_reserved, library_functions};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that the rolling language does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Helper {
    Die,
    Signed,
    Digits,
    DigitsOf,
    Quotient,
    Power,
    Order,
    Place,
    Places,
    Middle,
    Reversed,
}

/// A script.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Functions with their names, in the order in which they are needed.
    functions: Vec<(String, String)>,
    rolls: Vec<String>,
    helpers: FxHashMap<Helper, String>,
    /// The names of functions by their parameters and bodies.
    shared: FxHashMap<String, String>,
    taken: FxHashSet<String>,
}

impl Script {
    /// A name made of this one that nothing else has.
    pub(super) fn claim(&mut self, base: &str) -> String {
        let base = legal(base);
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!(
                "{base}{}{number}",
                if base.ends_with('_') { "" } else { "_" }
            );
            number += 1;
        }
        name
    }

    pub(super) fn function(&mut self, name: &str, text: String) {
        self.functions.push((name.to_owned(), text));
    }

    /// The name of a function with these parameters and this body, which is written once.
    pub(super) fn shared(&mut self, base: &str, body: String, comment: &str) -> String {
        if let Some(name) = self.shared.get(&body) {
            return name.clone();
        }
        let name = self.claim(base);
        self.function(&name, format!("// {comment}\ndeffun {name}{body}"));
        self.shared.insert(body, name.clone());
        name
    }

    pub(super) fn roll(&mut self, text: String) {
        self.rolls.push(text);
    }

    /// A call of a function that the rolling language does not have.
    pub(super) fn help(&mut self, helper: Helper, arguments: &[&Code]) -> Code {
        if let Some(name) = self.helpers.get(&helper) {
            return Code::call(name, arguments);
        }
        let (base, body) = helper.definition();
        let place = match helper {
            Helper::Places => self.help(Helper::Place, &[]).text().replace("()", ""),
            _ => String::new(),
        };
        let (comment, body) = body.split_once('\n').unwrap_or_default();
        let name = self.shared(base, body.replace("PLACE", &place), comment);
        self.helpers.insert(helper, name.clone());
        Code::call(&name, arguments)
    }

    /// The text: imports, constants, functions and rolls.
    pub(super) fn text(&self, constants: &[(String, String)]) -> String {
        let mut text = String::new();
        let mut definitions: Vec<&str> = self.rolls.iter().map(String::as_str).collect();
        // A function is written after those that it calls, or calls itself.
        for (name, function) in self.functions.iter().rev() {
            let calls = |text: &&str| words(text).any(|word| word == name);
            if definitions.iter().any(calls) {
                definitions.insert(0, function);
            }
        }
        let has = |word: &str| {
            definitions
                .iter()
                .any(|text| words(text).any(|one| one == word))
        };
        if ["rollDice", "keepHighest", "keepLowest"]
            .into_iter()
            .any(has)
        {
            text += "import std.pools;\n\n";
        }
        for (name, value) in constants.iter().filter(|(name, _)| has(name)) {
            text += &format!("const {name} = {value};\n");
        }
        for definition in definitions {
            text += "\n";
            text += definition;
            text += "\n";
        }
        text
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// This name, or a similar one that means nothing else.
pub(super) fn legal(name: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if begins_dice(name) {
        return format!("roll_{name}");
    }
    let is_taken = |name: &str| {
        is_reserved(name)
            // Keywords in capitals are taken for mistakes.
            || is_keyword(&name.to_ascii_lowercase())
            || library_functions("pools").any(|known| known == name)
    };
    match name.starts_with(is_letter) {
        false => format!("n{name}"),
        true if is_taken(name) => format!("{name}_"),
        true => name.to_owned(),
    }
}

impl Helper {
    /// Its name; and a comment, its parameters and its body.
    fn definition(self) -> (&'static str, &'static str) {
        match self {
            Self::Digits => (
                "digits",
                "The number of digits.
                (number: int) : int {
                    left = abs(number);
                    count = 1;
                    while (left >= 10) { left /= 10; count += 1; }
                    return count;
                }",
            ),
            Self::DigitsOf => (
                "digitsOf",
                "The digits of a number from the left, each with its sign.
                (number: int) : int list {
                    left = abs(number);
                    all = [left % 10,];
                    while (left >= 10) { left /= 10; insert(all, 0, left % 10); }
                    return [number < 0 ? -digit : digit for digit : all];
                }",
            ),
            Self::Die => (
                "die",
                "A die with this number of sides, below 0 one with the faces -1, -2 and so on.
                (sides: int) : int {
                    if (sides == 0) { return 0; }
                    return sides > 0 ? roll(d(1, sides)) : -roll(d(1, -sides));
                }",
            ),
            Self::Signed => (
                "signed",
                "The sum of dice, of which less than none are negated.
                (count: int, sum: int) : int {
                    return count < 0 ? -sum : sum;
                }",
            ),
            Self::Quotient => (
                "quotient",
                "A quotient without its fraction, as AnyDice has it; a / b rounds down.
                (a: int, b: int) : int {
                    if (b == 0) { return 0; }
                    down = a / b;
                    return down < 0 && down * b != a ? down + 1 : down;
                }",
            ),
            Self::Power => (
                "power",
                "A power with a whole exponent.
                (base: int, exponent: int) : int {
                    product = 1;
                    repeat (exponent) { product *= base; }
                    return product;
                }",
            ),
            Self::Order => (
                "order",
                "Less than 0 if the first list comes before the second, 0 if they are equal.
                (a: int list, b: int list) : int {
                    for (i : 0..min(len(a), len(b)) - 1) {
                        if (a[i] != b[i]) { return a[i] < b[i] ? -1 : 1; }
                    }
                    return len(a) - len(b);
                }",
            ),
            Self::Place => (
                "place",
                "The value at a position from 1 on, 0 if there is none.
                (position: int, values: int list) : int {
                    return position >= 1 && position <= len(values) ? values[position - 1] : 0;
                }",
            ),
            Self::Places => (
                "places",
                "The sum of the values at positions.
                (positions: int list, values: int list) : int {
                    return sum(PLACE(position, values) for position : positions);
                }",
            ),
            Self::Middle => (
                "middle",
                "The sum of this many values in the middle.
                (wanted: int, values: int list) : int {
                    count = min(max(wanted, 0), len(values));
                    above = (len(values) - count) / 2;
                    return sum(values[i] for i : above..above + count - 1);
                }",
            ),
            Self::Reversed => (
                "reversed",
                "The values in the opposite order.
                (values: int list) : int list {
                    return [values[len(values) - 1 - i] for i : 0..len(values) - 1];
                }",
            ),
        }
    }
}
