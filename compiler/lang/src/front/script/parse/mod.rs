//! The parser of scripts, by recursive descent.
//!
//! ```text
//! script     = { item }
//! item       = import | const | deftype | enum | flags | deffun | table | defroll
//! import     = "import" ( text | "std" "." name ) ";"
//! const      = "const" name "=" expression ";"
//! deftype    = "deftype" name "{" [ field { "," field } [ "," ] ] "}"
//! field      = name ":" type [ "=" expression ]
//! enum       = "enum" name "{" [ name { "," name } [ "," ] ] "}"
//! flags      = "flags" name "{" [ name { "," name } [ "," ] ] "}"
//! deffun     = "deffun" name params [ ":" type ] block
//! table      = "table" name [ ":" type ] "{" { patterns ":" expression "," } "}"
//! defroll    = "defroll" text name params block
//! params     = "(" [ param { "," param } [ "," ] ] ")"
//! param      = name ":" type [ "=" expression ]
//! type       = ( "int" | "float" | "bool" | "string" | name ) { "list" }
//!
//! block      = "{" { statement } "}"
//! statement  = "if" condition block { "else" "if" condition block } [ "else" block ]
//!            | "while" condition block
//!            | "for" "(" name ":" expression [ ".." expression ] ")" block
//!            | "repeat" "(" expression ")" block
//!            | "match" condition "{" { patterns ":" block [ "," ] } "}"
//!            | ( "break" | "continue" | "return" [ expression ] ) ";"
//!            | [ "let" ] name "=" expression ";"
//!            | target ( "=" | "+=" | "-=" | "*=" | "/=" ) expression ";"
//!            | target ( "++" | "--" ) ";"
//!            | expression ";"
//! condition  = "(" expression ")"
//! patterns   = "else" | pattern { "," pattern }
//! pattern    = bound [ ( ".." | "-" ) bound | ".." | "+" ] | ".." bound
//! bound      = [ "-" ] int | float | text | "true" | "false" | name { "." name }
//! target     = name { "." name | "[" expression "]" }
//!
//! expression = choice
//! choice     = binary [ "?" choice ":" choice ]
//! binary     = unary { operator unary }
//! unary      = ( "-" | "!" ) unary | "not" binary | postfix
//! postfix    = primary { "." name | "[" expression [ ".." expression ] "]" }
//! primary    = int | float | "true" | "false" | text | name | resource | dice | group
//!            | "(" expression ")"
//!            | [ name "." ] name "(" [ argument { "," argument } [ "," ] ] ")"
//!            | "[" [ expression ( "," | { "," expression } [ "," ] ) ] "]"
//!            | name "(" each ")" | "[" each "]" | "[" expression ";" expression "]"
//!            | name "{" [ name ":" expression { "," name ":" expression } [ "," ] ] "}"
//!            | "match" condition "{" { patterns ":" expression "," } "}"
//! argument   = [ name ":" ] expression
//! each       = expression [ "by" expression [ "descending" ] ]
//!              "for" name ":" expression [ ".." expression ] [ "if" expression ]
//! dice       = [ int | resource | "(" expression ")" | call ] "d" ...    as in the notation
//! group      = "{" ... "}" ...    as in the notation, if an operand is expected
//! text       = '"' characters, with the escapes \n \t \" \\ '"'
//! ```
//!
//! | binds | operators | associates |
//! |---|---|---|
//! | loosest | `?:` | right |
//! | | `\|\|`, `or` | left |
//! | | `&&`, `and` | left |
//! | | `not` before an operand | |
//! | | `== !=` | not at all |
//! | | `< <= > >=` | not at all |
//! | | `vs` | not at all |
//! | | `+ -` | left |
//! | | `* / %` | left |
//! | tightest | `-` and `!` before an operand | |
//!
//! `and`, `or`, `not`, `by`, `descending`, `let`, `repeat`, `match`, `enum`, `flags` and `table`
//! are not reserved: they are operators, parts of `each`, and the beginning of an assignment, a
//! loop, a choice or a definition, where a name cannot be.
//!
//! An error does not end the parse: the rest is parsed as if it were right, so that one run reports
//! several. Every loop takes a token in each iteration. Nesting is bounded by [`SourceLimits`], and
//! with it the recursion; so is the height of expressions.
//!
//! `rule` has compound rules, `item` definitions, `statement` statements and blocks, `expression`
//! operators, `primary` operands, `choice` enums, flags and `match`, `comprehension` values for
//! each element, `count` the counts of dice, `habits` what other languages write, `complain`
//! messages.

mod choice;
mod complain;
mod comprehension;
mod count;
mod expression;
mod habits;
mod item;
mod primary;
mod rule;
mod statement;

use super::ast::{Expr, ExprKind, Name, Script};
use super::cursor::Cursor;
use super::signs::Sign;
use super::token::tokens;
use crate::front::notation::{self, Dialect};
use crate::syntax::{Advice, Code, Diagnostic, Diagnostics, Limit, SourceLimits};
use dicec_runtime::span::Span;

pub(in crate::front::script) use rule::parse_rule;

/// The result of parsing: always a tree, and the findings.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; it is complete only if there are no errors.
    pub script: Script,
    /// The spans of the comments, in order.
    pub comments: Vec<Span>,
    /// The findings.
    pub diagnostics: Diagnostics,
}

/// Parses `text`.
pub fn parse(text: &str, limits: SourceLimits) -> Parsed {
    if text.len() > limits.bytes as usize {
        return too_long(text.len(), 0, limits);
    }
    parse_part(text, Span::new(0, text.len() as u32), limits)
}

/// Parses the file at `part` of a text; all spans are those in the whole text.
pub(in crate::front::script) fn parse_part(text: &str, part: Span, limits: SourceLimits) -> Parsed {
    let length = part.range().len();
    if length > limits.bytes as usize {
        return too_long(length, part.start, limits);
    }
    Parser::run(text, part, None, limits, |parser| parser.script())
}

/// A file of `length` bytes that begins at `start`.
fn too_long(length: usize, start: u32, limits: SourceLimits) -> Parsed {
    let span = Span::new(limits.bytes, limits.bytes).shifted(start);
    let message = format!(
        "this script has {length} bytes; the limit is {}",
        limits.bytes
    );
    Parsed {
        script: Script::default(),
        comments: Vec::new(),
        diagnostics: Diagnostic::error(Code::SourceTooLong, span, message)
            .help("put parts of it into files that it imports")
            .advise(Advice::RaiseLimit(Limit::Source))
            .into(),
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    /// The dice, as the notation's parser reads them.
    dice: &'t [notation::Parsed],
    limits: SourceLimits,
    nesting: u32,
    /// The number of tokens that were taken when something was found to be unclosed: what is around
    /// it is not closed there either.
    unclosed_at: Option<usize>,
    /// Whether a brace after a name begins a record; not in a condition without parentheses.
    records: bool,
    /// Whether the next parenthesis may hold the parts of a result.
    tuple: bool,
    /// Whether the script has a function `not` of its own.
    own_not: bool,
    /// The prefixes of the files and libraries that were imported so far.
    imports: Vec<String>,
    /// The dialect, if this is a compound rule.
    rule: Option<Dialect>,
    /// Whether an operand is an argument that may be dice.
    takes_dice: bool,
    /// The libraries that a compound rule calls functions of, each once.
    implied: Vec<Name>,
    /// The names of a compound rule whose values keep their signs.
    signed: Vec<String>,
}

impl Parser<'_> {
    /// Parses a part of a text: a compound rule in a dialect, or a script.
    fn run(
        text: &str,
        part: Span,
        rule: Option<Dialect>,
        limits: SourceLimits,
        whole: impl FnOnce(&mut Parser<'_>) -> Script,
    ) -> Parsed {
        let mut diagnostics = Diagnostics::new();
        let lexemes = tokens(text, part, rule, limits, &mut diagnostics);
        let cursor = Cursor::new(text, &lexemes.tokens, diagnostics);
        let mut parser = Parser {
            own_not: cursor.defines_function("not"),
            cursor,
            dice: &lexemes.dice,
            limits,
            nesting: 0,
            unclosed_at: None,
            records: true,
            tuple: false,
            imports: Vec::new(),
            rule,
            takes_dice: false,
            implied: Vec::new(),
            signed: Vec::new(),
        };
        let script = whole(&mut parser);
        Parsed {
            script,
            comments: lexemes.comments,
            diagnostics: parser.cursor.into_diagnostics(),
        }
    }

    /// Runs `inner` one level deeper, or gives up at the limit.
    fn nested<T>(&mut self, opener: Span, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.nesting == self.limits.nesting {
            self.nested_too_deep(opener);
            return None;
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        Some(result)
    }

    /// Parses what is in braces up to the closing one, part by part; the opening one is taken, and
    /// `ends` tells that the closing one is missing. `part` returns whether another one may follow.
    fn until_closing_brace(
        &mut self,
        opener: Span,
        ends: impl Fn(&Self) -> bool,
        mut part: impl FnMut(&mut Self) -> bool,
    ) {
        while self.cursor.take(Sign::CloseBrace).is_none() {
            if ends(self) {
                self.unclosed(opener);
                break;
            }
            let before = self.cursor.taken();
            if !part(self) {
                break;
            }
            if self.cursor.taken() == before {
                self.cursor.bump();
            }
        }
    }

    /// An expression of this kind, or an error if it grows too high.
    fn node(&mut self, kind: ExprKind, span: Span) -> Expr {
        let expr = Expr::new(kind, span);
        if expr.height() > SourceLimits::HEIGHT {
            self.too_high(span);
            return Expr::new(ExprKind::Error, span);
        }
        expr
    }

    /// Takes a required sign; `help` says what for. Returns its span, or where it should be.
    fn require(&mut self, sign: Sign, shown: char, help: &str) -> Span {
        match self.cursor.take(sign) {
            Some(span) => span,
            None => {
                self.expected(&format!("`{shown}`"), help);
                self.cursor.behind()
            }
        }
    }

    /// Takes a required name; `what` it names.
    fn name(&mut self, what: &str) -> Option<Name> {
        let span = self.cursor.here();
        if let Some(word) = self.cursor.word() {
            self.cursor.bump();
            return Some(Name::new(word.to_owned(), span));
        }
        self.name_missing(what);
        None
    }
}
