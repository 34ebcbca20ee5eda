//! Messages about dice, groups and what follows them.

use crate::front::notation::ast::pool::{Die, Explosion, Modifier, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::parse::Parser;
use crate::front::notation::words::long_words;
use crate::syntax::{Code, Diagnostic, nearest};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// `first` are dice outside parentheses, and a `d` follows with its sides, up to `end`.
    pub(in crate::front::notation::parse) fn ambiguous_dice(
        &mut self,
        first: Span,
        letter: Span,
        die: &Die,
        end: Span,
    ) {
        let (span, rest) = (first.to(end), self.cursor.slice(letter.to(end)));
        let first = self.cursor.slice(first);
        let drop = match die {
            Die::Sides(_) => format!("to drop the lowest, write `{first}dl{}`; ", &rest[1..]),
            Die::Percent | Die::Fate | Die::Faces(_) => String::new(),
        };
        let help =
            format!("{drop}to roll as many dice as the first ones show, write `({first}){rest}`");
        self.cursor.report(
            Diagnostic::error(Code::AmbiguousDice, span, "these dice follow one another")
                .help(help),
        );
    }

    /// A modifier's value is followed by a `d`.
    pub(in crate::front::notation::parse) fn rolled_value(
        &mut self,
        value: Span,
        letter: Span,
        die: &Die,
        end: Span,
    ) {
        let (number, rest) = (self.cursor.slice(value), self.cursor.slice(letter.to(end)));
        let before = self.cursor.slice(Span::new(0, value.start)).trim_end();
        let signs = ['=', '<', '>', '!', '≤', '≥', '≠'];
        let word_before = before.trim_end_matches(signs).trim_end();
        let otherwise = match die {
            // A comparison of single dice has a word or a sign before it.
            _ if before.ends_with(signs) && !word_before.ends_with(char::is_alphabetic) => {
                "; to compare two totals, put spaces around the comparison".to_owned()
            }
            _ if before.ends_with(signs) => String::new(),
            Die::Sides(_) => format!("; to drop the lowest, write `{number}dl{}`", &rest[1..]),
            Die::Percent | Die::Fate | Die::Faces(_) => String::new(),
        };
        let help =
            format!("put a number that is rolled in parentheses: `({number}{rest})`{otherwise}");
        self.cursor.report(
            Diagnostic::error(
                Code::AmbiguousDice,
                value.to(end),
                "it is not clear what these dice belong to",
            )
            .help(help),
        );
    }

    pub(in crate::front::notation::parse) fn missing_value(&mut self) -> Ast {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::ExpectedOperand, span, "a number is missing here").help(
                "write a number, a [resource] or something in parentheses, as in `4d6kh3` or `4d6kh(1d4)`",
            ),
        );
        Ast::new(AstKind::Error, span)
    }

    /// A value with a sign and without parentheses.
    pub(in crate::front::notation::parse) fn negative_value(&mut self, span: Span) {
        let help = format!("write `({})`", self.cursor.slice(span));
        self.cursor.report(
            Diagnostic::error(
                Code::ExpectedOperand,
                span,
                "a negative number needs parentheses here",
            )
            .help(help),
        );
    }

    /// `r1`, or only `r`. `threshold` is what follows it.
    pub(in crate::front::notation::parse) fn missing_comparison(
        &mut self,
        word: Span,
        threshold: &Ast,
    ) {
        let found = self.cursor.slice(word);
        let help = if threshold.span == word {
            format!("say which dice are meant, as in `{found}<2`")
        } else {
            let number = self.cursor.slice(threshold.span);
            let once = match found {
                "r" | "R" => format!("; `ro={number}` rerolls once"),
                _ => String::new(),
            };
            format!("write `{found}={number}` for this number only, or `{found}<={number}`{once}")
        };
        self.cursor.report(
            Diagnostic::error(
                Code::NeedsComparison,
                word.to(threshold.span),
                format!("`{found}` needs a comparison"),
            )
            .help(help),
        );
    }

    /// `(1+2) >= 3`.
    pub(in crate::front::notation::parse) fn constant_check(&mut self, span: Span) {
        self.cursor.report(
            Diagnostic::error(
                Code::ConstantCheck,
                span,
                "nothing is rolled in this comparison",
            )
            .help("compare a roll, as in `1d20+5 >= 15`, or count dice, as in `5d10>=8`"),
        );
    }

    /// `!6`.
    pub(in crate::front::notation::parse) fn explosion_without_comparison(
        &mut self,
        explosion: Explosion,
        sign: Span,
        value: Span,
    ) {
        let number = self.cursor.slice(value);
        let equal = match (explosion, self.dialect) {
            (Explosion::Extra, Dialect::Rulebook) => "!==".to_owned(),
            _ => format!("{explosion}="),
        };
        let help = format!(
            "write `{equal}{number}` for this number only, or `{explosion}>={number}`; `{explosion}` without a number means the die's highest face"
        );
        self.cursor.report(
            Diagnostic::error(
                Code::NeedsComparison,
                sign.to(value),
                format!("`{explosion}` needs a comparison before a number"),
            )
            .help(help),
        );
    }

    /// `adv` or `dis` after other than one die.
    pub(in crate::front::notation::parse) fn edge_of_several(
        &mut self,
        word: Span,
        advantage: bool,
    ) {
        let found = self.cursor.slice(word);
        let keep = if advantage { "kh1" } else { "kl1" };
        let message = format!("`{found}` is for a single die, which is rolled twice");
        self.cursor.report(
            Diagnostic::error(Code::UnknownModifier, word, message)
                .help(format!("write out what is kept, as in `2d20{keep}`")),
        );
    }

    /// A word directly after dice that is not a modifier, and its value.
    pub(in crate::front::notation::parse) fn unknown_modifier(
        &mut self,
        word: Span,
        value: Option<Span>,
    ) {
        let found = self.cursor.slice(word);
        let whole = value.map_or(word, |value| word.to(value));
        let rest = self.cursor.slice(Span::new(word.end, whole.end));
        let help = match nearest(found, long_words()) {
            Some(near) => format!("did you mean `{near}{rest}`?"),
            None => {
                "dice can be followed by: kh kl km dh dl, ! !! !p, r ro, min max, count, double, fail, s sa sd"
                    .to_owned()
            }
        };
        self.cursor.report(
            Diagnostic::error(
                Code::UnknownModifier,
                whole,
                format!("`{found}` does nothing to dice"),
            )
            .help(help),
        );
    }

    /// Modifiers after something that is not a pool; `first` is the first one, `all` are all of
    /// them. `for_groups`: a group can have them.
    pub(in crate::front::notation::parse) fn not_a_pool(
        &mut self,
        left: &Ast,
        first: Span,
        all: Span,
        for_groups: bool,
    ) {
        let (found, rest) = (self.cursor.slice(first), self.cursor.slice(all));
        let written = self.cursor.slice(left.span);
        let inner = written
            .strip_prefix('(')
            .and_then(|inner| inner.strip_suffix(')'));
        let fails = found.eq_ignore_ascii_case("f") || found.eq_ignore_ascii_case("fail");
        let help = match (inner, &left.kind) {
            _ if fails && self.dialect == Dialect::Rulebook => {
                "to count dice, write `10d10 count>=6 fail=1`".to_owned()
            }
            (_, AstKind::Labelled(label, term)) => {
                let term = self.cursor.slice(term.span);
                format!("a label comes last: `{term}{rest}[{label}]`")
            }
            (Some(inner), AstKind::Dice(_)) if for_groups => {
                format!("write `{inner}{rest}` or `{{{inner}}}{rest}`")
            }
            (Some(inner), AstKind::Dice(_)) => format!("write `{inner}{rest}`"),
            (Some(inner), _) if for_groups => {
                format!("write the dice in braces: `{{{inner}}}{rest}`")
            }
            _ => format!("put it directly after dice, as in `2d6{rest}`"),
        };
        self.cursor.report(
            Diagnostic::error(
                Code::NotAPool,
                all,
                format!("`{found}` works on dice, and there are none right before it"),
            )
            .help(help),
        );
    }

    pub(in crate::front::notation::parse) fn not_for_groups(&mut self, span: Span) {
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::NotForGroups,
                span,
                format!("`{found}` works on dice, not on a group"),
            )
            .help(
                "put it after the dice in the braces; a group can keep, drop and count, and last \
                 be rolled again, as in `{4d6kh3}r<8`",
            ),
        );
    }

    pub(in crate::front::notation::parse) fn subtracted_dice(&mut self, span: Span) {
        self.cursor.report(
            Diagnostic::error(
                Code::SubtractedDice,
                span,
                "subtracted dice cannot be kept or dropped with the others",
            )
            .help("subtract them after the braces: `{2d6+1d8}kh2 - 1d4`"),
        );
    }

    /// Reports all but the first of modifiers that can occur only once.
    pub(in crate::front::notation::parse) fn only_one<'m>(
        &mut self,
        code: Code,
        mut same: impl Iterator<Item = &'m Modifier>,
    ) {
        let Some(first) = same.next() else {
            return;
        };
        let (message, help) = if code == Code::SecondExplosion {
            (
                "these dice explode already",
                "use only one `!`, `!!` or `!p`, with its comparison directly after it",
            )
        } else {
            (
                "these dice are counted already",
                "list several numbers in braces, as in `5d6 count={5,6}`, or roll twice: `{5d6 \
                 count=6} + {5d6 count=5}`",
            )
        };
        for second in same {
            self.cursor.report(
                Diagnostic::error(code, second.span, message)
                    .label(first.span, "the first one")
                    .help(help),
            );
        }
    }

    /// `fail=1` or `double=10` without a count.
    pub(in crate::front::notation::parse) fn count_missing(&mut self, modifier: &Modifier) {
        let fails = matches!(modifier.kind, ModifierKind::Failure(_));
        let (message, success) = match (fails, self.dialect) {
            (true, Dialect::Rulebook) => (
                "failures are taken from a count of successes, and there is none",
                "10d10 count>=6 fail=1",
            ),
            (true, Dialect::Notation) => (
                "failures are taken from a count of successes, and there is none",
                "10d10>=6f1",
            ),
            (false, _) => (
                "this doubles successes of a count, and there is none",
                "8d10 count>=8 double=10",
            ),
        };
        self.cursor.report(
            Diagnostic::error(Code::BadCount, modifier.span, message)
                .help(format!("say which dice succeed, as in `{success}`")),
        );
    }

    /// The middle of a number of dice that is not known before they are rolled.
    pub(in crate::front::notation::parse) fn unknown_middle(&mut self, span: Span) {
        let message = "the middle is known only for a number of dice that is known before the roll";
        let help = "write the number of dice as a number or a [resource], and keep the middle \
                    before other dice are added or dropped, as in `5d6km1`";
        self.cursor
            .report(Diagnostic::error(Code::UnknownMiddle, span, message).help(help));
    }

    /// `{5d6}km1`: a group of one keeps dice, whose number may be that of several pools.
    pub(in crate::front::notation::parse) fn middle_of_one(&mut self, member: &Ast, span: Span) {
        let (dice, middle) = (self.cursor.slice(member.span), self.cursor.slice(span));
        let help = match &member.unwrapped().kind {
            AstKind::Dice(pool) if pool.modifiers.is_empty() => {
                format!("write `{dice}{middle}`")
            }
            _ => format!("list the rolls one by one, as in `{{2d6, 2d6, 2d6}}{middle}`"),
        };
        let message = "the middle of a group is that of several rolls";
        self.cursor
            .report(Diagnostic::error(Code::UnknownMiddle, span, message).help(help));
    }
}
