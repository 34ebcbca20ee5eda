//! Resources that are dice: if a rule has `[Damage]`, the dice replace it, as if in parentheses.
//! Each mention rolls its own dice.
//!
//! The text is replaced before it is parsed, so every stage sees a rule without such resources.

use super::frame::Frame;
use super::notation::{Dialect, parse, resource_name};
use crate::syntax::{Code, Diagnostic, Diagnostics, SourceLimits};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// How deep dice may be made of resources that are dice themselves.
const MAX_DEPTH: usize = 8;

/// Whether the text of a resource is an expression rather than a number: it begins with dice, after
/// signs, parentheses and numbers, or names a resource.
pub fn is_dice(text: &str) -> bool {
    let operand = |c: char| !(c.is_ascii_digit() || c.is_whitespace() || "+-*/({".contains(c));
    let dice = text.find(operand).map_or("", |at| &text[at..]);
    let sides = dice.strip_prefix(['d', 'D']);
    let is_die = |sides: &str| !sides.starts_with(char::is_alphabetic) || sides.starts_with('F');
    text.contains('[') || sides.is_some_and(is_die)
}

/// Whether the text of a resource is an expression in rules: dice, or a decimal, which the notation
/// dialect has.
pub fn is_expression(text: &str) -> bool {
    let number = text.trim();
    let parts = number.strip_prefix('-').unwrap_or(number).split_once('.');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    is_dice(text) || parts.is_some_and(|(before, after)| digits(before) && digits(after))
}

/// The dice of resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiceResources(FxHashMap<ResourceName, String>);

impl DiceResources {
    /// Sets the dice of a resource, such as `2d6+5` or `1d8 + [Strength]`, replacing earlier ones.
    ///
    /// # Errors
    /// All errors in the text of the dice.
    pub fn set(
        &mut self,
        name: ResourceName,
        dice: &str,
        dialect: Dialect,
        limits: SourceLimits,
    ) -> Result<(), Diagnostics> {
        let parsed = parse(dice, dialect, limits);
        if parsed.diagnostics.has_errors() {
            return Err(parsed.diagnostics);
        }
        let rule = &dice[Frame::of(dice).rule.range()];
        self.0.insert(name, rule.trim().to_owned());
        Ok(())
    }

    /// Makes it a resource that is a number again.
    pub fn remove(&mut self, name: &ResourceName) {
        self.0.remove(name);
    }

    /// The rule with the dice in place of the resources.
    ///
    /// # Errors
    /// Dice that refer to each other in a cycle, or a rule that gets longer than `limits` allow.
    pub fn expand<'t>(
        &self,
        rule: &'t str,
        limits: SourceLimits,
    ) -> Result<Cow<'t, str>, Diagnostics> {
        let mut text = Cow::Borrowed(rule);
        for _ in 0..=MAX_DEPTH {
            match self.expand_once(&text) {
                None => return Ok(text),
                Some(expanded) if expanded.len() > limits.bytes as usize => break,
                Some(expanded) => text = Cow::Owned(expanded),
            }
        }
        let span = mentions(rule).find(|span| self.of(rule, *span).is_some());
        let span = span.unwrap_or_default();
        let message = "the dice that this resource stands for never end";
        let found = Diagnostic::error(Code::NestedTooDeep, span, message);
        Err(found
            .help("dice may name other resources, but not in a circle")
            .into())
    }

    /// The rule with the dice in place of each resource that it mentions; `None` if it mentions
    /// none that is dice.
    fn expand_once(&self, rule: &str) -> Option<String> {
        let (mut expanded, mut end) = (String::new(), 0);
        for span in mentions(rule) {
            if let Some(dice) = self.of(rule, span) {
                expanded += &rule[end..span.range().start];
                expanded += &format!("({dice})");
                end = span.range().end;
            }
        }
        (end > 0).then(|| expanded + &rule[end..])
    }

    /// The dice that the resource at a span is.
    fn of(&self, rule: &str, span: Span) -> Option<&str> {
        let name = resource_name(&rule[span.range()]);
        self.0.get(&name).map(String::as_str)
    }
}

/// The spans of the resources that a rule mentions, outside of its texts.
fn mentions(rule: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &rule[at..];
            let start = at + rest.find(['[', '@', '"'])?;
            let rest = &rule[start..];
            let end = match rest.as_bytes() {
                [b'"', ..] => rest[1..].find('"').map(|end| end + 2),
                [b'[', ..] => rest.find(']').map(|end| end + 1),
                [b'@', b'{', ..] => rest.find('}').map(|end| end + 1),
                _ => {
                    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
                    let end = rest[1..].find(|c| !name(c));
                    Some(end.map_or(rest.len(), |end| end + 1))
                }
            };
            at = start + end?;
            if !rest.starts_with('"') {
                // The caller bounds texts below 4 GiB.
                return Some(Span::new(start as u32, at as u32));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(given: &[(&str, &str)]) -> DiceResources {
        let mut resources = DiceResources::default();
        for (name, dice) in given {
            let name = ResourceName::parse(name);
            let set = resources.set(name, dice, Dialect::Rulebook, SourceLimits::default());
            set.expect("dice");
        }
        resources
    }

    #[test]
    fn dice_stand_in_place_of_resources() {
        let resources = dice(&[
            ("Damage", "2d6+[Bonus] # fire"),
            ("Bonus", "1d4"),
            ("Target Soak", "d3"),
        ]);
        let limits = SourceLimits::default();
        for (rule, expanded) in [
            ("[Damage] * 2", "(2d6+(1d4)) * 2"),
            ("1d6 + [Strength]", "1d6 + [Strength]"),
            ("@Bonus - [Target Soak]", "(1d4) - (d3)"),
            ("@{Bonus}+@Bonus.x", "(1d4)+@Bonus.x"),
            (
                "1d6 > 3 ? \"[Bonus]\" : \"\"",
                "1d6 > 3 ? \"[Bonus]\" : \"\"",
            ),
            ("[Bonus", "[Bonus"),
        ] {
            assert_eq!(resources.expand(rule, limits).expect("an end"), expanded);
        }
    }

    #[test]
    fn circles_and_mistakes_are_refused() {
        let limits = SourceLimits::default();
        let resources = dice(&[("A", "1d6 + [B]"), ("B", "[A] + [A]")]);
        let found = resources.expand("2 + [A]", limits).expect_err("no end");
        let first = found.errors().next().expect("one error");
        assert_eq!(
            (first.code, first.span),
            (Code::NestedTooDeep, Span::new(4, 7))
        );
        let name = ResourceName::parse("C");
        let wrong = DiceResources::default().set(name, "2d", Dialect::Rulebook, limits);
        assert!(wrong.is_err());
    }
}
