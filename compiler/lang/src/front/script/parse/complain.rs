//! The messages of the script's parser.

use super::Parser;
use crate::front::script::ast::{BinaryOp, Expr, ExprKind};
use crate::front::script::signs::Sign;
use crate::front::script::token::TokenKind;
use crate::front::script::words::Keyword;
use crate::syntax::{Code, Diagnostic, nested_too_deep, second_versus, too_high};
use dicec_runtime::span::Span;

/// What is missing.
impl Parser<'_> {
    /// Something that is required here is missing.
    pub(super) fn expected(&mut self, what: &str, help: &str) {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::Expected, span, format!("{what} is missing here")).help(help),
        );
    }

    pub(super) fn name_missing(&mut self, what: &str) {
        let help = match self.cursor.kind() {
            Some(TokenKind::Keyword(_)) => "this word is part of the language; choose another name",
            Some(TokenKind::Dice { .. }) => {
                "this reads as dice; begin the name with another letter"
            }
            _ => "a name is a letter, then letters, digits and `_`",
        };
        self.expected(&format!("the name of {what}"), help);
    }

    pub(super) fn separator_missing(&mut self, separator: char, help: &str) {
        let span = self.cursor.behind();
        self.cursor.report(
            Diagnostic::error(
                Code::MissingSeparator,
                span,
                format!("a `{separator}` is missing here"),
            )
            .help(help),
        );
    }

    /// Two values follow each other.
    pub(super) fn operator_missing(&mut self) {
        let span = self.cursor.here();
        let found = self.cursor.slice(span);
        let found = found.lines().next().unwrap_or_default();
        self.cursor.report(
            Diagnostic::error(
                Code::Trailing,
                span,
                format!("an operator, `,` or `;` is missing before `{found}`"),
            )
            .help("a name has no spaces; values are joined by operators such as `+`"),
        );
    }

    /// An operand is missing; what ends something is left where it is.
    pub(super) fn value_missing(&mut self) -> Expr {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::ExpectedOperand, span, "a value is missing here")
                .help("write a number, dice, a \"text\", a name or a call"),
        );
        let ends = match self.cursor.kind() {
            // All other signs end something, or are operators, which are read next.
            Some(TokenKind::Sign(sign)) => !matches!(sign, Sign::Question | Sign::Dot),
            Some(TokenKind::Keyword(_)) | None => true,
            _ => false,
        };
        if !ends {
            self.cursor.bump();
        }
        Expr::new(ExprKind::Error, span)
    }

    /// The bracket at `opener` is not closed where it has to be; those around it are not reported
    /// as well.
    pub(super) fn unclosed(&mut self, opener: Span) {
        let here = Some(self.cursor.taken());
        if self.unclosed_at == here {
            return;
        }
        self.unclosed_at = here;
        // A text without its end may hold what closes this.
        if self.cursor.last_is_broken() {
            return;
        }
        let open = self.cursor.slice(opener);
        let close = match open {
            "{" => '}',
            "[" => ']',
            "(" => ')',
            // It was missing itself, and reported.
            _ => return,
        };
        let found = self.cursor.here();
        let mut diagnostic = Diagnostic::error(
            Code::Unclosed,
            opener,
            format!("this `{open}` is never closed"),
        )
        .help(format!("put `{close}` where it should end"));
        if self.cursor.peek().is_some() {
            diagnostic = diagnostic.label(found, "it has to end before this");
        }
        self.cursor.report(diagnostic);
    }
}

/// Misplaced text.
impl Parser<'_> {
    pub(super) fn unopened(&mut self, closer: &str) {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(
                Code::Unopened,
                span,
                format!("this `{closer}` closes nothing"),
            )
            .help("remove it, or look for a `{` that is missing before"),
        );
    }

    pub(super) fn not_an_item(&mut self) {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::Misplaced, span, "a definition is expected here").help(
                "statements belong in a function or roll: `defroll \"Attack\" attack() { ... }`",
            ),
        );
    }

    pub(super) fn item_in_block(&mut self, keyword: Span) {
        let found = self.cursor.slice(keyword);
        self.cursor.report(
            Diagnostic::error(
                Code::Misplaced,
                keyword,
                format!("`{found}` is not allowed inside a function"),
            )
            .help("put it before the function"),
        );
    }

    pub(super) fn else_alone(&mut self, keyword: Span) {
        self.cursor.report(
            Diagnostic::error(Code::Misplaced, keyword, "this `else` belongs to no `if`")
                .help("put it directly after the `}` of an `if`"),
        );
    }

    /// Something else than a name was called; `opener` is the parenthesis of its arguments.
    pub(super) fn not_a_function(&mut self, callee: &Expr, opener: Span) {
        if let ExprKind::Field(whole, name) = &callee.kind {
            self.method(whole, name, opener);
            return;
        }
        let help = "to multiply, write `*` before the parenthesis";
        let message = "only a function's name can be called";
        self.cursor
            .report(Diagnostic::error(Code::Trailing, callee.span, message).help(help));
    }

    pub(super) fn bad_target(&mut self, target: Span) {
        let written = self.cursor.slice(target);
        let sides = written.strip_prefix(['d', 'D']).unwrap_or_default();
        let is_die = sides.starts_with(|c: char| c.is_ascii_digit())
            && sides.chars().all(char::is_alphanumeric);
        let (message, help) = if is_die {
            (
                format!("`{written}` is a die, and cannot be changed"),
                "a name cannot begin like dice do; begin it with another letter",
            )
        } else {
            (
                "this cannot be changed".to_owned(),
                "variables can, and so can fields and elements: `x`, `target.hp`, `xs[0]`",
            )
        };
        self.cursor
            .report(Diagnostic::error(Code::BadTarget, target, message).help(help));
    }

    /// A `let` before something else than `name = e`.
    pub(super) fn let_without_value(&mut self, word: Span) {
        self.cursor.report(
            Diagnostic::error(
                Code::Misplaced,
                word,
                "`let` gives a variable its value, and there is no `name = value` here",
            )
            .help("write `let x = 1;`, or `x = 1;` for short"),
        );
    }

    /// An argument without a name after one with a name.
    pub(super) fn argument_without_name(&mut self, named: Span, value: Span) {
        let message = "this argument needs a name, as the one before it has one";
        let found = Diagnostic::error(Code::Misplaced, value, message)
            .label(named, "the first ones have none, the last ones do")
            .help("write `name: value`, or put it before those with names");
        self.cursor.report(found);
    }

    pub(super) fn assignment_as_value(&mut self) {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(
                Code::AssignmentAsValue,
                span,
                "`=` assigns, and a value is wanted here",
            )
            .help("to compare, write `==`"),
        );
    }

    /// `if(...)` in a value, with other than three arguments.
    pub(super) fn if_without_sides(&mut self, span: Span) {
        let message = "`if` in a value takes a condition and the two values to choose from";
        let found = Diagnostic::error(Code::WrongArguments, span, message);
        let help = "write `if(condition, a, b)`, or `condition ? a : b`";
        self.cursor.report(found.help(help));
    }

    /// A second operator of a kind that cannot be chained.
    pub(super) fn chained(&mut self, op: BinaryOp) {
        let span = self.cursor.here();
        let diagnostic = match op {
            BinaryOp::Versus(against) => second_versus(span, against),
            _ => Diagnostic::error(
                Code::ChainedComparison,
                span,
                "a comparison is between two values only",
            )
            .help("join two comparisons: `a < b && b < c`"),
        };
        self.cursor.report(diagnostic);
    }
}

/// Words.
impl Parser<'_> {
    /// Whether what follows the next token, a word, can follow the keyword of a statement: these
    /// three stand for all, as the others are followed by what follows `if`.
    pub(super) fn may_be_keyword(&self) -> bool {
        [Keyword::Else, Keyword::Return, Keyword::If]
            .into_iter()
            .any(|keyword| self.is_misspelt_keyword(keyword))
    }

    /// The next token is a word that looks like `near`. Returns whether what follows shows that
    /// this was meant.
    pub(super) fn is_misspelt_keyword(&self, near: Keyword) -> bool {
        match near {
            // A call is not followed by a block, and `else` is not a call.
            Keyword::Else => self.cursor.second_is(Sign::OpenBrace),
            Keyword::Return => self.cursor.second_begins_value(),
            _ => self.cursor.second_is(Sign::Open) && self.cursor.block_follows_parenthesis(),
        }
    }

    /// A word that was likely meant to be a keyword, and is read as it.
    pub(super) fn misspelt(&mut self, span: Span, near: &str) {
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::Misspelt,
                span,
                format!("the word `{found}` means nothing here"),
            )
            .help(format!("did you mean `{near}`?")),
        );
    }

    /// A word of the language with wrong capitals.
    pub(super) fn small_letters(&mut self, span: Span, right: &str) {
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::Misspelt,
                span,
                format!("`{found}` is written in small letters"),
            )
            .help(format!("write `{right}`")),
        );
    }

    /// `in` instead of a colon.
    pub(super) fn in_for_colon(&mut self, help: &str) {
        let span = self.cursor.here();
        let message = "elements are taken from a list by `:`, not by `in`";
        self.cursor
            .report(Diagnostic::error(Code::Misspelt, span, message).help(help));
    }

    /// What the notation's parser found in dice.
    pub(super) fn in_dice(&mut self, found: &Diagnostic) {
        match found.code {
            Code::UnknownWord | Code::UnknownFunction => self.not_in_dice(found.span),
            _ => self.cursor.report(found.clone()),
        }
    }

    /// A part of dice that has a meaning only in a script.
    pub(super) fn not_in_dice(&mut self, span: Span) {
        let word = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::VariableInDice,
                span,
                format!("`{word}` is not allowed inside dice"),
            )
            .help("dice whose count and sides are computed are rolled by `d(count, sides)`"),
        );
    }
}

/// Limits.
impl Parser<'_> {
    pub(super) fn nested_too_deep(&mut self, opener: Span) {
        let finding = nested_too_deep(opener, self.limits, "make a function of a part");
        self.cursor.give_up(finding);
    }

    pub(super) fn too_high(&mut self, span: Span) {
        let instead = "give parts of it a name: `part = ...;`";
        self.cursor.give_up(too_high(span, instead));
    }
}
