//! The messages of the parser.

use super::Parser;
use crate::front::notation::ast::{Ast, AstKind, Function};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::pool::{Die, Explosion, Modifier};
use crate::front::notation::token::{Token, TokenKind};
use crate::front::notation::words::long_words;
use crate::syntax::{Code, Diagnostic, SourceLimits, nearest};
use dicec_runtime::span::Span;

/// What stands where it cannot.
impl Parser<'_> {
    /// Something stands where an operator or the end should be.
    pub(super) fn stray(&mut self, token: &Token) {
        let span = token.span;
        let found = self.cursor.slice(span);
        let diagnostic = match token.kind {
            TokenKind::Word => {
                self.unknown_word(span);
                return;
            }
            TokenKind::Close => Diagnostic::error(Code::Unopened, span, "this `)` closes nothing")
                .help("remove it, or put `(` where it should begin"),
            TokenKind::CloseBrace => {
                Diagnostic::error(Code::Unopened, span, "this `}` closes nothing")
                    .help("remove it, or put `{` where it should begin")
            }
            TokenKind::Comma => {
                Diagnostic::error(Code::StrayCharacter, span, "this `,` separates nothing")
                    .help("what belongs together stands in braces, as in `{2d6, 1d12}kh1`")
            }
            _ => Diagnostic::error(
                Code::Trailing,
                span,
                format!("an operator is missing before `{found}`"),
            )
            .help("put `+`, `-`, `*` or `/` between the two"),
        };
        self.cursor.report(diagnostic);
    }

    /// Reports a word, and what the user may have meant.
    pub(super) fn unknown_word(&mut self, span: Span) {
        let word = self.cursor.slice(span);
        let help = match word {
            "x" | "X" => "to multiply, write `*`".to_owned(),
            "and" | "or" | "not" => "a check compares two expressions, once".to_owned(),
            _ => format!("a resource stands in brackets: `[{word}]`; dice are written `2d6`"),
        };
        self.cursor.report(
            Diagnostic::error(
                Code::UnknownWord,
                span,
                format!("the word `{word}` means nothing here"),
            )
            .help(help),
        );
    }

    pub(super) fn unclosed(&mut self, opener: Span) {
        let open = self.cursor.slice(opener);
        let close = if open == "{" { '}' } else { ')' };
        self.cursor.report(
            Diagnostic::error(
                Code::Unclosed,
                opener,
                format!("this `{open}` is never closed"),
            )
            .help(format!("put `{close}` where it should end")),
        );
    }

    pub(super) fn nested_too_deep(&mut self, opener: Span) {
        let message = format!("nested deeper than {} levels", self.limits.nesting);
        let help = if self.limits.nesting < SourceLimits::NESTING_CEILING {
            "simplify the expression, or raise the limit with --max-nesting"
        } else {
            "simplify the expression"
        };
        self.cursor
            .give_up(Diagnostic::error(Code::NestedTooDeep, opener, message).help(help));
    }

    pub(super) fn too_high(&mut self, span: Span) {
        let message = format!(
            "more than {} operators follow one another here",
            SourceLimits::HEIGHT - 1
        );
        self.cursor.give_up(
            Diagnostic::error(Code::ChainTooLong, span, message)
                .help("group parts of it with parentheses, or add equal dice up: 1d6+1d6 is 2d6"),
        );
    }
}

/// Operators.
impl Parser<'_> {
    /// A comparison behind the `check` just parsed is an error; the rest belongs to it. `first` is the check's operator, `middle` its
    /// right side.
    pub(super) fn refuse_chain(&mut self, check: Span, first: Span, middle: Span) {
        if let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Compare(_))
        {
            let help = format!(
                "make two checks of it: `{}` and `{} {} ...`",
                self.cursor.slice(check),
                self.cursor.slice(middle),
                self.cursor.slice(token.span),
            );
            self.cursor.give_up(
                Diagnostic::error(
                    Code::ChainedComparison,
                    token.span,
                    "a check compares two expressions only",
                )
                .label(first, "the first comparison")
                .help(help),
            );
        }
    }

    /// A `vs` behind a `vs` is an error; the rest belongs to it.
    pub(super) fn refuse_second_versus(&mut self, first: Span) {
        if let Some(token) = self.cursor.peek()
            && token.kind == TokenKind::Versus
        {
            self.cursor.give_up(
                Diagnostic::error(
                    Code::NestedVersus,
                    token.span,
                    "a roll is held against one class only",
                )
                .label(first, "the first `vs`")
                .help("roll once against each class"),
            );
        }
    }

    /// What the rule book's dialect lacks, as the end of "the rule book's dialect ...".
    pub(super) fn notation_only(&mut self, span: Span, lacks: &str) {
        if self.dialect == Dialect::Notation {
            return;
        }
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::NotationOnly,
                span,
                format!("`{found}` is not possible here: the rule book's dialect {lacks}"),
            )
            .help("to use what virtual tabletops know, add --dialect notation"),
        );
    }

    /// An operator behind a count of successes. `compares`: it is a comparison.
    pub(super) fn count_before_operator(&mut self, count: Span, right: Span, compares: bool) {
        let (counted, whole) = (self.cursor.slice(count), count.to(right));
        let rest = self.cursor.slice(Span::new(count.end, whole.end));
        // In braces, the comparison would count once more.
        let wrapped = if compares {
            format!("({counted})")
        } else {
            format!("{{{counted}}}")
        };
        self.count_is_last(count, format!("{wrapped}{rest}"));
    }

    /// An operator before a count of successes; `left` is its other side, or a sign.
    pub(super) fn count_behind_operator(&mut self, left: Span, count: Span) {
        let counted = self.cursor.slice(count);
        let before = self.cursor.slice(Span::new(left.start, count.start));
        self.count_is_last(count, format!("{before}{{{counted}}}"));
    }

    fn count_is_last(&mut self, count: Span, wrapped: String) {
        let message = format!(
            "`{}` counts dice, and cannot be calculated with as it stands",
            self.cursor.slice(count)
        );
        self.cursor.report(
            Diagnostic::error(Code::CountIsLast, count, message).help(format!(
                "write `{wrapped}`; to compare a total instead, put that in parentheses: `(2d6+3) >= 10`"
            )),
        );
    }
}

/// Dice and what follows them.
impl Parser<'_> {
    /// `first` are dice outside parentheses, and a `d` follows with its sides, up to `end`.
    pub(super) fn ambiguous_dice(&mut self, first: Span, letter: Span, die: &Die, end: Span) {
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
    pub(super) fn rolled_value(&mut self, value: Span, letter: Span, die: &Die, end: Span) {
        let (number, rest) = (self.cursor.slice(value), self.cursor.slice(letter.to(end)));
        let before = self.cursor.slice(Span::new(0, value.start)).trim_end();
        let otherwise = match die {
            _ if before.ends_with(['=', '<', '>', '≤', '≥', '≠']) => {
                "; to compare two totals, put the left one in parentheses instead".to_owned()
            }
            Die::Sides(_) => format!("; to drop the lowest, write `dl{}`", &rest[1..]),
            Die::Percent | Die::Fate | Die::Faces(_) => String::new(),
        };
        let help =
            format!("a number that is rolled stands in parentheses: `({number}{rest})`{otherwise}");
        self.cursor.report(
            Diagnostic::error(
                Code::AmbiguousDice,
                value.to(end),
                "it is not clear what these dice belong to",
            )
            .help(help),
        );
    }

    pub(super) fn missing_value(&mut self) -> Ast {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::ExpectedOperand, span, "a number is missing here").help(
                "write a number, a [resource] or something in parentheses, as in `4d6kh3` or `4d6kh(1d4)`",
            ),
        );
        Ast::new(AstKind::Error, span)
    }

    /// A value with a sign and without parentheses.
    pub(super) fn negative_value(&mut self, span: Span) {
        let help = format!("write `({})`", self.cursor.slice(span));
        self.cursor.report(
            Diagnostic::error(
                Code::ExpectedOperand,
                span,
                "a negative number stands in parentheses here",
            )
            .help(help),
        );
    }

    /// `r1`, or `r` alone. `threshold` is what follows it.
    pub(super) fn missing_comparison(&mut self, word: Span, threshold: &Ast) {
        let found = self.cursor.slice(word);
        let help = if threshold.span == word {
            format!("say which dice are meant, as in `{found}<2`")
        } else {
            let number = self.cursor.slice(threshold.span);
            format!("write `{found}={number}` for this number alone, or `{found}<={number}`")
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

    /// `!6`.
    pub(super) fn explosion_without_comparison(
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
            "write `{equal}{number}` for this number alone, or `{explosion}>={number}`; `{explosion}` alone means the die's highest"
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

    /// A word directly behind dice that is no modifier, and its value.
    pub(super) fn unknown_modifier(&mut self, word: Span, value: Option<Span>) {
        let found = self.cursor.slice(word);
        let whole = value.map_or(word, |value| word.to(value));
        let rest = self.cursor.slice(Span::new(word.end, whole.end));
        let help = match nearest(found, long_words()) {
            Some(near) => format!("did you mean `{near}{rest}`?"),
            None => "behind dice stand: kh kl dh dl, ! !! !p, r ro, min max, count, fail, s sa sd"
                .to_owned(),
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

    /// Modifiers behind something that is no pool; `first` is the first one, `all` are all of them.
    pub(super) fn not_a_pool(&mut self, left: &Ast, first: Span, all: Span) {
        let (found, rest) = (self.cursor.slice(first), self.cursor.slice(all));
        let written = self.cursor.slice(left.span);
        let inner = written
            .strip_prefix('(')
            .and_then(|inner| inner.strip_suffix(')'));
        let fails = found.eq_ignore_ascii_case("f") || found.eq_ignore_ascii_case("fail");
        let help = match (inner, &left.kind) {
            _ if fails && self.dialect == Dialect::Rulebook => {
                "to count dice, write `10d10 count>=6 fail=1`; `10d10>=6f1` needs --dialect notation"
                    .to_owned()
            }
            (Some(inner), AstKind::Dice(_)) => {
                format!("write `{inner}{rest}` or `{{{inner}}}{rest}`")
            }
            (Some(inner), _) => format!("what it works on stands in braces: `{{{inner}}}{rest}`"),
            (None, _) => format!("dice or braces come first, as in `2d6{rest}`"),
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

    pub(super) fn not_for_groups(&mut self, span: Span) {
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::NotForGroups,
                span,
                format!("`{found}` works on dice, not on a group"),
            )
            .help("put it behind the dice in the braces; a group can keep, drop and count"),
        );
    }

    pub(super) fn subtracted_dice(&mut self, span: Span) {
        self.cursor.report(
            Diagnostic::error(
                Code::SubtractedDice,
                span,
                "dice that are taken away cannot be kept or dropped with the others",
            )
            .help("take them away behind the braces: `{2d6+1d8}kh2 - 1d4`"),
        );
    }

    /// Reports all but the first of modifiers of which there can be one.
    pub(super) fn only_one<'m>(
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
                "one `!`, `!!` or `!p` is possible; put its comparison directly behind it",
            )
        } else {
            (
                "these dice are counted already",
                "put two counts next to each other instead: `5d6count=6 + 5d6count=5`",
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

    pub(super) fn failure_alone(&mut self, span: Span) {
        let success = match self.dialect {
            Dialect::Rulebook => "10d10 count>=6 fail=1",
            Dialect::Notation => "10d10>=6f1",
        };
        self.cursor.report(
            Diagnostic::error(
                Code::BadCount,
                span,
                "failures are taken from a count of successes, and there is none",
            )
            .help(format!("say which dice succeed, as in `{success}`")),
        );
    }
}

/// Functions.
impl Parser<'_> {
    /// A function's name without an opening parenthesis.
    pub(super) fn missing_arguments(&mut self, function: Function, span: Span) {
        let shown = match function.arity() {
            Some(1) => "1d6",
            _ => "1d6, 3",
        };
        self.cursor.report(
            Diagnostic::error(
                Code::ExpectedOperand,
                span,
                format!("`{function}` needs parentheses"),
            )
            .help(format!("write `{function}({shown})`")),
        );
    }

    pub(super) fn unknown_function(&mut self, span: Span) {
        let found = self.cursor.slice(span);
        let help = match nearest(found, Function::ALL.map(Function::name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "there are: {}",
                Function::ALL.map(Function::name).join(", ")
            ),
        };
        self.cursor.report(
            Diagnostic::error(
                Code::UnknownFunction,
                span,
                format!("there is no function `{found}`"),
            )
            .help(help),
        );
    }

    pub(super) fn wrong_arguments(&mut self, function: Function, given: usize, span: Span) {
        let (wanted, shown) = match function.arity() {
            Some(1) => ("1 value", "(1d6)"),
            Some(_) => ("2 values", "(1d6, 2)"),
            None => ("1 value or more", "(1d6, 3)"),
        };
        self.cursor.report(
            Diagnostic::error(
                Code::WrongArguments,
                span,
                format!("`{function}` takes {wanted}, and this is {given}"),
            )
            .help(format!("write it as in `{function}{shown}`")),
        );
    }
}
