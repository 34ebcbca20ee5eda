//! The functions that AnyDice brings along (section 10).

use super::code::{Code, Level};
use super::making::keep;
use super::operators::{compared, mixed, several};
use super::script::Helper;
use super::value::{Dice, Face, List, Value, free, sorted};
use super::{Translator, untranslated};
use crate::ast::{Expr, Signature};
use crate::failure::Failure;
use dicec_runtime::compare::CompareOp;

/// Which dice of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Highest,
    Lowest,
    Middle,
}

impl Translator<'_> {
    pub(super) fn library_call(
        &mut self,
        signature: Signature,
        arguments: &[Expr],
        call: &Expr,
    ) -> Result<Value, Failure> {
        let name = self.names.signature_of(signature);
        match (name, arguments) {
            ("absolute ?", [of]) => {
                let value = self.value(of)?;
                Ok(expanded(Code::call("abs", &[&value.total()]), &[&value]))
            }
            ("highest of ? and ?", [one, two]) => self.better("max", one, two),
            ("lowest of ? and ?", [one, two]) => self.better("min", one, two),
            ("highest ? of ?", [number, of]) => self.range_of(Which::Highest, number, of),
            ("lowest ? of ?", [number, of]) => self.range_of(Which::Lowest, number, of),
            ("middle ? of ?", [number, of]) => self.range_of(Which::Middle, number, of),
            ("highest ? of ? and ?" | "highest ? of ? and ? and ?", [number, pools @ ..]) => {
                self.of_several("keepHighest", number, pools)
            }
            ("lowest ? of ? and ?" | "lowest ? of ? and ? and ?", [number, pools @ ..]) => {
                self.of_several("keepLowest", number, pools)
            }
            ("? contains ?", [of, number]) => self.contains(of, number),
            ("count ? in ?", [counted, of]) => self.count(counted, of),
            ("explode ?", [of]) => self.explode(of),
            ("maximum of ?", [of]) => self.maximum(of).map(Value::Number),
            ("sort ?" | "reverse ?", [of]) => self.reordered(name == "sort ?", of),
            _ => {
                let message = format!("[{name}] has no translation");
                let help = "write it as a function of the program";
                Err(untranslated(call.span, &message, help).into())
            }
        }
    }

    fn better(&mut self, function: &str, one: &Expr, two: &Expr) -> Result<Value, Failure> {
        let (one, two) = (self.value(one)?, self.value(two)?);
        let code = Code::call(function, &[&one.total(), &two.total()]);
        Ok(expanded(code, &[&one, &two]))
    }

    /// `[highest N of D]` and the like.
    fn range_of(&mut self, which: Which, number: &Expr, of: &Expr) -> Result<Value, Failure> {
        let wanted = self.value(number)?;
        let dice = match self.value(of)? {
            Value::Dice(dice) => dice,
            other => Dice::single(other.total()),
        };
        let number = wanted.total().int();
        let known = number.known().map(|number| number.max(0));
        let count = dice.count.as_ref().and_then(Code::known);
        match (known, count) {
            (Some(0), _) => return Ok(Value::Dice(Dice::single(Code::number(0)))),
            (Some(number), Some(count)) if number >= count => {
                return Ok(Value::Dice(Dice::single(dice.total())));
            }
            _ => {}
        }
        if let (Some(number), Some(count)) = (known, count)
            && dice.has_notation()
            && which != Which::Middle
            && number < count
        {
            let kept = keep(&dice, which == Which::Highest, number);
            return Ok(Value::Dice(Dice::single(kept)));
        }
        let faces = dice.faces().ok_or_else(|| several(of))?;
        let code = match which {
            Which::Highest => Code::call("keepHighest", &[&faces, &number]),
            Which::Lowest => Code::call("keepLowest", &[&faces, &number]),
            Which::Middle => {
                let sorted = sorted(&faces, false);
                self.script.help(Helper::Middle, &[&number, &sorted])
            }
        };
        Ok(Value::Dice(Dice::single(code)))
    }

    /// `[highest N of A and B]`: of all dice together.
    fn of_several(
        &mut self,
        function: &str,
        number: &Expr,
        pools: &[Expr],
    ) -> Result<Value, Failure> {
        let number = self.value(number)?;
        let mut all: Option<Code> = None;
        for pool in pools {
            let list = match self.value(pool)? {
                Value::Sequence(list) => list.code(),
                Value::Dice(dice) => dice.faces().ok_or_else(|| several(pool))?,
                other => {
                    let total = other.total().int();
                    Code::atom(format!("[{},]", total.text()), &[&total])
                }
            };
            all = Some(match all {
                None => list,
                Some(all) => Code::binary(Level::Sum, "+", &all, &list),
            });
        }
        let all = all.unwrap_or_else(|| List::Known(Vec::new()).code());
        let code = Code::call(function, &[&all, &number.total()]);
        Ok(Value::Dice(Dice::single(code)))
    }

    fn contains(&mut self, of: &Expr, number: &Expr) -> Result<Value, Failure> {
        let (of, number) = (self.faces(of)?, self.value(number)?);
        let code = match &of {
            (Value::Number(one), _) => compared(CompareOp::Equal, one, &number.total()),
            (_, list) => Code::call("contains", &[list, &number.total()]).marked_truth(),
        };
        // The first parameter takes sequences as they are.
        let of = match of.0 {
            Value::Sequence(list) => Value::Number(list.code()),
            other => other,
        };
        Ok(expanded(code, &[&of, &number]))
    }

    /// A value, and a list of its elements, or of the faces of a roll.
    fn faces(&mut self, of: &Expr) -> Result<(Value, Code), Failure> {
        let value = self.value(of)?;
        let list = match &value {
            Value::Sequence(list) => list.code(),
            Value::Dice(dice) => dice.faces().ok_or_else(|| several(of))?,
            other => {
                let total = other.total().int();
                Code::atom(format!("[{},]", total.text()), &[&total])
            }
        };
        Ok((value, list))
    }

    /// `[count V in S]`.
    fn count(&mut self, counted: &Expr, of: &Expr) -> Result<Value, Failure> {
        let counted = match self.value(counted)? {
            Value::Number(code) => match code.known() {
                Some(number) => List::Known(vec![number]),
                None => List::Code(Code::atom(format!("[{},]", code.int().text()), &[&code])),
            },
            Value::Sequence(list) => list,
            Value::Dice(_) | Value::Rolled(_) => {
                let message = "dice are counted here";
                let help = "put this into a function with a parameter N:n, and call it with them";
                return Err(untranslated(counted.span, message, help).into());
            }
        };
        let (value, list) = self.faces(of)?;
        if let (List::Known(counted), Value::Dice(dice)) = (&counted, &value)
            && let Some(code) = successes(counted, dice)
        {
            return Ok(Value::of(code, &[&value]));
        }
        let face = free("face", &[&list, &counted.code()]);
        let mut distinct = match &counted {
            List::Known(counted) => counted.clone(),
            List::Code(_) => Vec::new(),
        };
        distinct.sort_unstable();
        distinct.dedup();
        let is_distinct =
            matches!(&counted, List::Known(counted) if counted.len() == distinct.len());
        let text = match distinct.as_slice() {
            [one] if is_distinct => format!("count({face} == {one} for {face} : {})", list.text()),
            _ if is_distinct => {
                let counted = counted.code();
                let text = counted.text();
                format!(
                    "count(contains({text}, {face}) for {face} : {})",
                    list.text()
                )
            }
            _ => {
                let counted = counted.code();
                let value = free("value", &[&list, &counted]);
                let inner = format!("count({value} == {face} for {value} : {})", counted.text());
                format!("sum({inner} for {face} : {})", list.text())
            }
        };
        let code = Code::atom(text, &[&list, &counted.code()]);
        Ok(Value::of(code, &[&value]))
    }

    /// `[explode D]`: a function that rolls again.
    fn explode(&mut self, of: &Expr) -> Result<Value, Failure> {
        let value = self.value(of)?;
        let total = value.total().int();
        let top = self.maximum_of(&value, of)?;
        if total.is_rolled() {
            return Err(mixed(of).into());
        }
        let reads = total.reads().union(top.reads()).cloned();
        let reads: std::collections::BTreeSet<String> = reads.collect();
        let of_list = |name: &str| self.scope.as_ref().is_some_and(|scope| scope.is_list(name));
        let parameters = reads.iter().map(|name| {
            let of = if of_list(name) { "int list" } else { "int" };
            format!("{name}: {of}")
        });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let depth = self.settings.explode_depth;
        let (total, top) = (total.text(), top.within(Level::Sum));
        let name = self.script.shared(
            "explode",
            format!(
                "({parameters}) : int {{
                total = 0;
                repeat ({depth}) {{
                    result = {total};
                    total += result;
                    if (result < {top}) {{ return total; }}
                }}
                return total + {total};
            }}"
            ),
            &format!(
                "Rolls again and adds, at most {depth} times, while the result is the greatest."
            ),
        );
        let passed: Vec<Code> = reads.iter().map(|name| Code::local(name)).collect();
        let code = Code::call(&name, &passed.iter().collect::<Vec<_>>());
        Ok(Value::Dice(Dice::single(code)))
    }

    fn maximum(&mut self, of: &Expr) -> Result<Code, Failure> {
        let value = self.value(of)?;
        self.maximum_of(&value, of)
    }

    /// The greatest result of dice, or the number.
    fn maximum_of(&self, value: &Value, of: &Expr) -> Result<Code, Failure> {
        if let Value::Dice(Dice {
            count: Some(count),
            face: Face::Sides(sides),
            ..
        }) = value
        {
            return Ok(match (count.known(), count.known().zip(sides.known())) {
                (_, Some((count, sides))) if count.checked_mul(sides).is_some() => {
                    Code::number(count * sides)
                }
                (Some(1), _) => sides.clone(),
                _ => Code::binary(Level::Product, "*", count, sides),
            });
        }
        if let Value::Number(code) = value {
            return Ok(code.int());
        }
        let seen = self.facts.of(of);
        match seen.filter(|seen| !seen.kinds.sequence && seen.least_top == seen.most) {
            Some(seen) => Ok(Code::number(seen.most)),
            None => {
                let message = "the greatest result of these dice is not the same in all calls";
                let help = "no script can ask for it: give it as a parameter";
                Err(untranslated(of.span, message, help).into())
            }
        }
    }

    fn reordered(&mut self, is_sorted: bool, of: &Expr) -> Result<Value, Failure> {
        let value = self.value(of)?;
        let lowest_first = self.settings.lowest_first;
        Ok(match value {
            Value::Dice(dice) => Value::Dice(Dice::single(dice.total())),
            Value::Rolled(_) => return Err(mixed(of).into()),
            Value::Number(code) => {
                let code = code.int();
                let text = format!("[{},]", code.text());
                Value::Sequence(List::Code(Code::atom(text, &[&code])))
            }
            Value::Sequence(List::Known(mut elements)) => {
                match (is_sorted, lowest_first) {
                    (false, _) => elements.reverse(),
                    (true, true) => elements.sort_unstable(),
                    (true, false) => elements.sort_unstable_by(|one, two| two.cmp(one)),
                }
                Value::Sequence(List::Known(elements))
            }
            Value::Sequence(List::Code(code)) => Value::Sequence(List::Code(match is_sorted {
                true => sorted(&code, lowest_first),
                false => self.script.help(Helper::Reversed, &[&code]),
            })),
        })
    }
}

/// The result of a function with parameters of numbers: a sequence makes it a die, too.
fn expanded(code: Code, operands: &[&Value]) -> Value {
    match operands.iter().any(|one| matches!(one, Value::Sequence(_))) {
        true => Value::Dice(Dice::single(code)),
        false => Value::of(code, operands),
    }
}

/// Dice that show one of the highest faces, counted by the notation.
fn successes(counted: &[i64], dice: &Dice) -> Option<Code> {
    let Face::Sides(sides) = &dice.face else {
        return None;
    };
    let least = *counted.iter().min()?;
    let mut sorted = counted.to_vec();
    sorted.sort_unstable();
    let is_end = sorted.iter().copied().eq(least..=sides.known()?);
    let count = dice.count.as_ref()?;
    (dice.has_notation() && is_end).then(|| dice.notation(count, &format!(" count>={least}")))
}
