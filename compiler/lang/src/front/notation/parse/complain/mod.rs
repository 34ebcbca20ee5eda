//! The messages of the parser: misplaced text, operators, functions; those about dice are in
//! [`dice`].

mod dice;

use super::Parser;
use super::expression::Power;
use crate::front::notation::ast::Function;
use crate::front::notation::dialect::Dialect;
use crate::front::notation::subtotals::{MAX_LABELS, Misplaced};
use crate::front::notation::token::{Token, TokenKind};
use crate::syntax::{Advice, Code, Diagnostic, nearest, nested_too_deep, second_versus, too_high};
use dicec_runtime::against::Against;
use dicec_runtime::span::Span;

/// Misplaced text.
impl Parser<'_> {
    /// Something else where an operator or the end is expected.
    pub(super) fn stray(&mut self, token: Token) {
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
                    .help("put rolls that belong together in braces, as in `{2d6, 1d12}kh1`")
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
            "adv" | "dis" | "advantage" | "disadvantage" => {
                format!("write it after the die: `1d20 {word} + 5`")
            }
            "and" | "or" | "not" => "a check compares two expressions, once".to_owned(),
            _ => format!("write a resource in brackets: `[{word}]`; dice are written `2d6`"),
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
        let finding = nested_too_deep(opener, self.limits, "simplify the expression");
        self.cursor.give_up(finding);
    }

    pub(super) fn too_high(&mut self, span: Span) {
        let instead = "group parts of it with parentheses, or add equal dice up: 1d6+1d6 is 2d6";
        self.cursor.give_up(too_high(span, instead));
    }
}

/// Operators.
impl Parser<'_> {
    /// A comparison after the `check` just parsed is an error; the rest belongs to it. `first` is
    /// the check's operator, `middle` its right side.
    pub(super) fn refuse_chain(&mut self, check: Span, first: Span, middle: Span) {
        if let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Compare(_))
        {
            self.cursor.bump();
            let right = self.expression(Power::Sum).ast.span;
            let left = Span::new(check.start, first.start);
            let spans = [middle, left, first, token.span, right];
            let [middle, left, first_op, op, right] = spans.map(|span| self.cursor.slice(span));
            let help = format!(
                "name the middle, and make two checks: `let x = {middle}; {} {first_op} x and x {op} \
                 {right}`",
                left.trim_end(),
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

    /// A `vs` or `under` after another is an error; the rest belongs to it.
    pub(super) fn refuse_second_versus(&mut self, against: Against, first: Span) {
        if let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Versus(_))
        {
            let found = second_versus(token.span, against);
            let label = format!("the first `{}`", against.word());
            self.cursor.give_up(found.label(first, label));
        }
    }

    /// A construct that the rule book's dialect lacks, as the end of "the rule book's dialect ...".
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
            .advise(Advice::UseNotation),
        );
    }

    /// An operator after a count of successes. `compares`: it is a comparison.
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
            "`{}` counts dice, and cannot be part of a calculation like this",
            self.cursor.slice(count)
        );
        self.cursor.report(
            Diagnostic::error(Code::CountIsLast, count, message).help(format!(
                "write `{wrapped}`; to compare a total instead, put that in parentheses: `(2d6+3) >= \
                 10`, or spaces around the comparison if dice are on its right"
            )),
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
        self.cursor.report(wrong_arguments(function, given, span));
    }
}

/// A call with another number of arguments than the function takes.
pub(in crate::front) fn wrong_arguments(
    function: Function,
    given: usize,
    span: Span,
) -> Diagnostic {
    let (wanted, shown) = match function.arity() {
        Some(1) => ("1 value", "(1d6)"),
        Some(_) => ("2 values", "(1d6, 2)"),
        None => ("1 value or more", "(1d6, 3)"),
    };
    Diagnostic::error(
        Code::WrongArguments,
        span,
        format!("`{function}` takes {wanted}, and this is {given}"),
    )
    .help(format!("write it as in `{function}{shown}`"))
}

/// A group that is rolled again within dice, a group, a `vs`, or with a label.
pub(super) fn misplaced_reroll(span: Span) -> Diagnostic {
    let message = "a group that is rolled again is a term of its own";
    Diagnostic::error(Code::NotForGroups, span, message)
        .help("add it to others, or compare it, as in `{4d6kh3}r<8 + 2`")
}

/// What is wrong with a label of a term.
pub(super) fn misplaced_label(misplaced: Misplaced) -> Diagnostic {
    let (span, message, help) = match misplaced {
        Misplaced::NotATerm(span) => (
            span,
            "this label is not at a term of the total".to_owned(),
            "a label says what a term of a sum is for: `2d6[fire] + 1d8[cold]`; label the whole \
             term, as in `floor(2d6 / 2)[fire]`",
        ),
        Misplaced::Twice(span) => (
            span,
            "this term has two labels".to_owned(),
            "give it one: what it contributes counts for one label",
        ),
        Misplaced::InScript(span) => (
            span,
            "dice among conditions and names have no labels".to_owned(),
            "leave the label out, or write a comment after the rule, as in `# fire`",
        ),
        Misplaced::TooMany(span) => (
            span,
            format!("a rule has at most {MAX_LABELS} different labels"),
            "leave some of them out",
        ),
    };
    Diagnostic::error(Code::MisplacedLabel, span, message).help(help)
}
