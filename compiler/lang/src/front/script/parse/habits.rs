//! Habits from other languages: `for (i = 0; i < 5; i++)`, `for (x in xs)`, `int x = 5`, `int[]`,
//! `xs.append(4)`, `xs[1:3]`. Each is one error with the spelling of this language; the rest is
//! parsed as if it was correct.

use super::Parser;
use crate::front::script::ast::{Expr, ExprKind, Name, StmtKind, Type};
use crate::front::script::signs::Sign;
use crate::front::script::token::{Input, TokenKind, word};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::span::Span;
use winnow::Parser as _;

/// A text longer than this is not repeated in a message.
const MAX_BYTES: usize = 60;

/// Names of methods in other languages, and our functions.
const METHODS: [(&str, &str); 6] = [
    ("push", "append"),
    ("add", "append"),
    ("length", "len"),
    ("size", "len"),
    ("includes", "contains"),
    ("randomElement", "pick"),
];

/// Lists.
impl Parser<'_> {
    /// `xs[1:3]`, `xs[1:]`, `xs[:3]`, whose last element is the one before the second number; all
    /// before the colon is taken.
    pub(super) fn slice_with_colon(
        &mut self,
        list: &Expr,
        opener: Span,
        first: Option<Expr>,
    ) -> Expr {
        self.cursor.bump();
        let colon = self.cursor.last();
        let end = match self.cursor.is(Sign::CloseBracket) {
            true => None,
            false => self.nested(colon, Self::expression),
        };
        if self.cursor.take(Sign::CloseBracket).is_none() {
            self.unclosed(opener);
        }
        let list_text = self.cursor.slice(list.span);
        let first = first.map_or("0", |first| self.cursor.slice(first.span));
        let last = match end.map(|end| (self.cursor.slice(end.span), end.kind)) {
            None => format!("len({list_text}) - 1"),
            Some((_, ExprKind::Int(end))) if end > 0 => (end - 1).to_string(),
            Some((text, _)) => match text.strip_prefix('-') {
                Some(back) => format!("len({list_text}) - {back} - 1"),
                None => format!("{text} - 1"),
            },
        };
        let instead = format!("{list_text}[{first}..{last}]");
        let instead = short(&instead).unwrap_or("xs[first..last]").to_owned();
        let span = opener.to(self.cursor.last());
        let message = "a slice goes from its first index to its last, both included";
        self.habit(span, message, &instead);
        Expr::new(ExprKind::Error, list.span.to(span))
    }
}

/// Types of lists.
impl Parser<'_> {
    /// Takes `list(int)` or `list<int>`.
    pub(super) fn list_around_type(&mut self) -> Option<Type> {
        let start = self.cursor.here();
        if !self.cursor.word()?.eq_ignore_ascii_case("list") {
            return None;
        }
        let closer = match self.cursor.sign_at(1)? {
            Sign::Open => Sign::Close,
            Sign::Compare(CompareOp::Less) => Sign::Compare(CompareOp::Greater),
            _ => return None,
        };
        (0..2).for_each(|_| self.cursor.bump());
        let element = self.ty()?;
        self.cursor.take(closer);
        let (name, lists) = element.kind;
        let ty = Type::new((name, lists + 1), start.to(self.cursor.last()));
        self.list_type(ty.span, element.span, 1);
        Some(ty)
    }

    /// Takes `[int]`, which is a resource elsewhere.
    pub(super) fn type_in_brackets(&mut self) -> Option<Type> {
        let whole = self.cursor.here();
        let Some(TokenKind::Resource(_)) = self.cursor.kind() else {
            return None;
        };
        let element = Span::new(whole.start + 1, whole.end - 1);
        let name = self.cursor.slice(whole).strip_prefix('[')?;
        let name = name.strip_suffix(']')?;
        word.parse(Input::new(name)).ok()?;
        self.cursor.bump();
        let name = self.type_name(name, element);
        self.list_type(whole, element, 1);
        Some(Type::new((name, 1), whole))
    }

    /// Takes `[]` after a type; returns the number of pairs of brackets.
    pub(super) fn brackets_after_type(&mut self, ty: Span) -> u32 {
        let mut lists = 0;
        while self.cursor.is(Sign::OpenBracket) && self.cursor.second_is(Sign::CloseBracket) {
            (0..2).for_each(|_| self.cursor.bump());
            lists += 1;
        }
        if lists > 0 {
            self.list_type(ty.to(self.cursor.last()), ty, lists);
        }
        lists
    }

    fn list_type(&mut self, whole: Span, element: Span, lists: u32) {
        let element = short(self.cursor.slice(element)).unwrap_or("int");
        let instead = format!("{element}{}", " list".repeat(lists as usize));
        let message = "the type of a list is that of its elements and `list`";
        self.habit(whole, message, &instead);
    }
}

/// Loops.
impl Parser<'_> {
    /// `for (i = 0; i < 5; i++)`, after its parenthesis.
    pub(super) fn counted_loop(&mut self) -> Option<StmtKind> {
        let [first, condition, step] = self.cursor.parts_of_parenthesis()?;
        let start = self.cursor.slice(first);
        let (target, from) = start.split_once('=')?;
        let from = from.trim_start_matches('=').trim();
        let name = target.trim_end().rsplit([' ', '\t']).next()?;
        let name = name.trim_end_matches(':').to_owned();
        let (condition, step) = (self.cursor.slice(condition), self.cursor.slice(step));
        let instead = match last_of(&name, condition).filter(|_| goes_up(step)) {
            Some(last) => format!("for ({name} : {from}..{last}) {{ ... }}"),
            None => format!("{name} = {from}; while ({condition}) {{ ... }}"),
        };
        let whole = self.cursor.skip_parenthesis(first);
        self.habit(whole, "a loop counts through a range", &instead);
        let name = Name::new(name, first);
        let body = self.block()?;
        let bounds = [
            Expr::new(ExprKind::Int(0), whole),
            Expr::new(ExprKind::Int(0), whole),
        ];
        Some(StmtKind::Count(name, Box::new(bounds), body))
    }

    /// Takes the variable of a loop and the word before the list in the style of other languages:
    /// `x in`, `let x of`, `int x :`.
    pub(super) fn variable_of_loop(&mut self) -> Option<Name> {
        let declared = usize::from(self.cursor.word_at(1).is_some_and(|word| !is_in(word)));
        let name = self.cursor.word_at(declared)?.to_owned();
        let is_in = self.cursor.word_at(declared + 1).is_some_and(is_in);
        let goes_on = is_in || self.cursor.sign_at(declared + 1) == Some(Sign::Colon);
        if !goes_on || declared == 0 && !is_in {
            return None;
        }
        let start = self.cursor.here();
        (0..declared).for_each(|_| self.cursor.bump());
        let name = Name::new(name, self.cursor.here());
        self.cursor.bump();
        let at = start.to(self.cursor.here());
        self.cursor.bump();
        let list = self.cursor.rest_of_parenthesis();
        let list = match self.cursor.slice(list) {
            "" => "list",
            list => short(list).unwrap_or("list"),
        };
        let message = match is_in {
            true => "elements are taken from a list by `:`",
            false => "the variable of a loop has only its name",
        };
        self.habit(
            at,
            message,
            &format!("for ({} : {list}) {{ ... }}", name.kind),
        );
        Some(name)
    }
}

/// Variables, methods and results.
impl Parser<'_> {
    /// Takes the type before a variable: `int x = 5;`. Returns its span.
    pub(super) fn type_of_variable(&mut self) -> Option<Span> {
        self.cursor.word()?;
        let lists = (1..).take_while(|&at| self.cursor.word_at(at) == Some("list"));
        let name = 1 + lists.count();
        self.cursor.word_at(name)?;
        if self.cursor.sign_at(name + 1) != Some(Sign::Assign) {
            return None;
        }
        let start = self.cursor.here();
        (0..name).for_each(|_| self.cursor.bump());
        Some(start.to(self.cursor.last()))
    }

    /// A variable was defined with this type; the statement follows it, up to the last token.
    pub(super) fn typed_variable(&mut self, ty: Span) {
        let statement = Span::new(ty.end, self.cursor.last().end);
        let instead = match short(self.cursor.slice(statement)) {
            Some(statement) => statement.to_owned(),
            None => "x = ...;".to_owned(),
        };
        self.habit(ty, "a variable has no written type", &instead);
    }

    /// `xs.append(4)`: a function is called like a method, with arguments up to the last token.
    pub(super) fn method(&mut self, whole: &Expr, name: &Name, opener: Span) {
        let close = self.cursor.last();
        let arguments = Span::new(opener.end, close.start.max(opener.end));
        let arguments = self.cursor.slice(arguments).trim();
        let mut known = METHODS.iter();
        let ours = known.find(|(theirs, _)| *theirs == name.kind);
        let function = ours.map_or(name.kind.as_str(), |(_, ours)| ours);
        let owner = self.cursor.slice(whole.span);
        let instead = match arguments {
            "" => format!("{function}({owner})"),
            arguments => format!("{function}({owner}, {arguments})"),
        };
        let instead = short(&instead).map_or(format!("{function}(...)"), str::to_owned);
        let span = whole.span.to(name.span);
        let help = format!("what is worked on is the first argument: `{instead}`");
        let message = "only a function's name can be called";
        self.cursor
            .report(Diagnostic::error(Code::Trailing, span, message).help(help));
    }

    /// Takes the type of a roll's result: `defroll "A" a(): int`.
    pub(super) fn type_of_roll(&mut self) -> Option<()> {
        let colon = self.cursor.take(Sign::Colon)?;
        self.ty()?;
        let span = colon.to(self.cursor.last());
        let message = "the type of a roll's result is not written";
        let help = format!(
            "remove `{}`: the type is that of what it returns",
            self.cursor.slice(span)
        );
        self.cursor
            .report(Diagnostic::error(Code::Misplaced, span, message).help(help));
        Some(())
    }

    fn habit(&mut self, span: Span, message: &str, instead: &str) {
        let found = Diagnostic::error(Code::Misspelt, span, message);
        self.cursor.report(found.help(format!("write `{instead}`")));
    }
}

fn is_in(word: &str) -> bool {
    matches!(word, "in" | "of")
}

/// A text on one line that is short enough to be repeated.
fn short(text: &str) -> Option<&str> {
    let text = text.trim();
    (text.len() <= MAX_BYTES && !text.contains('\n')).then_some(text)
}

/// The last number for which a condition such as `i < 5` holds.
fn last_of(name: &str, condition: &str) -> Option<String> {
    let rest = condition.trim().strip_prefix(name)?.trim_start();
    if let Some(last) = rest.strip_prefix("<=") {
        return Some(last.trim().to_owned());
    }
    let end = rest.strip_prefix('<')?.trim();
    Some(match end.parse::<i64>() {
        Ok(number) => number.saturating_sub(1).to_string(),
        Err(_) => format!("{end} - 1"),
    })
}

/// Whether a step adds 1.
fn goes_up(step: &str) -> bool {
    let step: String = step.chars().filter(|c| !c.is_whitespace()).collect();
    step.starts_with("++") || step.ends_with("++") || step.ends_with("+=1") || step.ends_with("+1")
}
