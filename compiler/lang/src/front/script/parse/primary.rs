//! Operands: numbers, texts, names, calls, records, dice.

use super::Parser;
use super::comprehension::Items;
use crate::front::notation::{AstKind, Function, begins_modifiers, parse_modifiers};
use crate::front::script::ast::{Arguments, Expr, ExprKind, Name};
use crate::front::script::signs::Sign;
use crate::front::script::token::{Token, TokenKind};
use crate::front::script::words::Keyword;
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// An operand with the fields and elements after it.
    pub(super) fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        loop {
            expr = if self.cursor.take(Sign::Dot).is_some() {
                let Some(name) = self.name("a field") else {
                    return expr;
                };
                let span = expr.span.to(name.span);
                self.node(ExprKind::Field(Box::new(expr), name), span)
            } else if let Some(opener) = self.cursor.take(Sign::OpenBracket) {
                self.index(expr, opener)
            } else if let Some(name) = self.prefixed(&expr) {
                self.imply_import(&expr);
                self.call(name)
            } else if self.cursor.is(Sign::Open) && expr.kind != ExprKind::Error {
                let opener = self.cursor.here();
                self.cursor.bump();
                self.items(opener, Sign::Close);
                self.not_a_function(&expr, opener);
                Expr::new(ExprKind::Error, expr.span.to(self.cursor.last()))
            } else {
                return expr;
            };
        }
    }

    /// An index after `list`; its bracket is taken.
    fn index(&mut self, list: Expr, opener: Span) -> Expr {
        let start = list.span;
        if self.cursor.is(Sign::Colon) {
            return self.slice_with_colon(&list, opener, None);
        }
        let index = self.nested(opener, Self::expression);
        let index = index.unwrap_or(Expr::new(ExprKind::Error, opener));
        if self.cursor.is(Sign::Colon) {
            return self.slice_with_colon(&list, opener, Some(index));
        }
        let last = match self.cursor.take(Sign::DotDot) {
            Some(dots) => self.nested(dots, Self::expression),
            None => None,
        };
        if self.cursor.take(Sign::CloseBracket).is_none() {
            self.unclosed(opener);
        }
        let kind = match last {
            Some(last) => ExprKind::Slice(Box::new([list, index, last])),
            None => ExprKind::Index(Box::new(list), Box::new(index)),
        };
        self.node(kind, start.to(self.cursor.last()))
    }

    fn primary(&mut self) -> Expr {
        let Some(token) = self.cursor.peek() else {
            return self.value_missing();
        };
        let kind = match &token.kind {
            TokenKind::Int(value) => ExprKind::Int(*value),
            TokenKind::Float(value) => ExprKind::Float(*value),
            TokenKind::Text(text) => ExprKind::Text(text.clone()),
            TokenKind::Resource(name) => ExprKind::Resource(name.clone()),
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Broken => ExprKind::Error,
            TokenKind::Word if self.begins_match() => return self.match_value(),
            TokenKind::Word => return self.named(token),
            TokenKind::Sign(Sign::Open) => return self.parenthesis(token.span),
            TokenKind::Sign(Sign::OpenBracket) => return self.list(token.span),
            TokenKind::Dice { index, .. } => {
                self.cursor.bump();
                return self.rolled(*index, token.span);
            }
            TokenKind::Keyword(Keyword::If) if self.begins_if_value() => return self.if_value(),
            TokenKind::Keyword(_) | TokenKind::Sign(_) => return self.value_missing(),
        };
        self.cursor.bump();
        Expr::new(kind, token.span)
    }

    /// The dice or the group of this index.
    fn rolled(&mut self, index: usize, span: Span) -> Expr {
        let dice = self.dice;
        let parsed = &dice[index];
        for found in parsed.diagnostics.iter() {
            self.in_dice(found);
        }
        if parsed.ast.kind == AstKind::Error || parsed.diagnostics.has_errors() {
            return Expr::new(ExprKind::Error, span);
        }
        self.node(ExprKind::Dice(Box::new(parsed.ast.clone())), span)
    }

    /// The dice that `count` counts, if they follow at once.
    fn counted(&mut self, count: Expr) -> Expr {
        let Some(token) = self.cursor.peek() else {
            return count;
        };
        let TokenKind::Dice {
            index,
            counted: true,
        } = token.kind
        else {
            return count;
        };
        self.cursor.bump();
        let span = count.span.to(token.span);
        let dice = self.rolled(index, token.span);
        let (Some(count), ExprKind::Dice(dice)) = (self.count(&count), dice.kind) else {
            return Expr::new(ExprKind::Error, span);
        };
        self.node(ExprKind::Dice(Box::new(dice.counted(count))), span)
    }

    /// Something in parentheses, and the dice that it counts.
    fn parenthesis(&mut self, opener: Span) -> Expr {
        self.cursor.bump();
        let is_tuple = std::mem::take(&mut self.tuple);
        let records = std::mem::replace(&mut self.records, true);
        let inner = self.nested(opener, Self::expression);
        self.records = records;
        let inner = inner.unwrap_or(Expr::new(ExprKind::Error, opener));
        if is_tuple && self.cursor.take(Sign::Comma).is_some() {
            return self.tuple(opener, inner);
        }
        if self.cursor.take(Sign::Close).is_none() {
            self.unclosed(opener);
            return inner;
        }
        let kind = ExprKind::Paren(Box::new(inner));
        let expr = self.node(kind, opener.to(self.cursor.last()));
        self.counted(expr)
    }

    /// A name, a call or a record.
    fn named(&mut self, token: &Token) -> Expr {
        let word = self.cursor.slice(token.span);
        self.cursor.bump();
        if self.cursor.is(Sign::Open) {
            return self.call(Name::new(word.to_owned(), token.span));
        }
        if self.records && self.cursor.is(Sign::OpenBrace) {
            let name = Name::new(word.to_owned(), token.span);
            return self.record(name);
        }
        Expr::new(ExprKind::Name(word.to_owned()), token.span)
    }

    /// `dnd.hits` before a parenthesis, if `dnd` is imported: the name of a function.
    fn prefixed(&self, expr: &Expr) -> Option<Name> {
        let ExprKind::Field(owner, name) = &expr.kind else {
            return None;
        };
        let ExprKind::Name(prefix) = &owner.kind else {
            return None;
        };
        let is_imported = self.rule.is_some() || self.imports.contains(prefix);
        let is_call = self.cursor.is(Sign::Open) && is_imported;
        is_call.then(|| Name::new(format!("{prefix}.{}", name.kind), expr.span))
    }

    /// Notes the library of a function that a compound rule calls: its prefix imports it.
    fn imply_import(&mut self, expr: &Expr) {
        let ExprKind::Field(owner, _) = &expr.kind else {
            return;
        };
        let ExprKind::Name(prefix) = &owner.kind else {
            return;
        };
        let library = Name::new(prefix.clone(), owner.span);
        if self.rule.is_some() && !self.implied.contains(&library) {
            self.implied.push(library);
        }
    }

    /// Whether `if(condition, a, b)` begins here, rather than a statement.
    fn begins_if_value(&self) -> bool {
        self.cursor.keyword() == Some(Keyword::If)
            && self.cursor.second_is(Sign::Open)
            && !self.cursor.block_follows_parenthesis()
    }

    /// `if(condition, a, b)`: the same as `condition ? a : b`.
    fn if_value(&mut self) -> Expr {
        let start = self.cursor.here();
        self.cursor.bump();
        let opener = self.cursor.here();
        self.cursor.bump();
        let items = self.items(opener, Sign::Close);
        let span = start.to(self.cursor.last());
        let Items::Values(arguments) = items else {
            return Expr::new(ExprKind::Error, span);
        };
        match (
            <[Expr; 3]>::try_from(arguments.values),
            &arguments.named[..],
        ) {
            (Ok(parts), []) => {
                let choice = self.node(ExprKind::Choose(Box::new(parts)), span);
                self.node(ExprKind::Paren(Box::new(choice)), span)
            }
            _ => {
                self.if_without_sides(span);
                Expr::new(ExprKind::Error, span)
            }
        }
    }

    /// A call; its parenthesis is next.
    fn call(&mut self, name: Name) -> Expr {
        let opener = self.cursor.here();
        self.cursor.bump();
        let start = name.span;
        // Functions of numbers take what dice come to, all others may take dice.
        let takes_dice = Function::named(&name.kind).is_none();
        let outer = std::mem::replace(&mut self.takes_dice, takes_dice);
        let items = self.items(opener, Sign::Close);
        self.takes_dice = outer;
        let is_critical = name.kind == "critical";
        let kind = match items {
            Items::Values(arguments) => match self.modified_dice(&name, arguments) {
                Ok(kind) => kind,
                Err(arguments) => ExprKind::Call(name, arguments),
            },
            Items::Each(parts) => ExprKind::Gather(name, parts),
            Items::Copies(_) | Items::Broken => ExprKind::Error,
        };
        let call = self.node(kind, start.to(self.cursor.last()));
        if is_critical && self.rule.is_some() && !self.takes_dice {
            return self.rolled_call(call);
        }
        self.counted(call)
    }

    /// The modifiers after `d(count, sides)`, if there are any; otherwise the arguments again.
    fn modified_dice(&mut self, name: &Name, arguments: Arguments) -> Result<ExprKind, Arguments> {
        let is_dice = name.kind == "d" && arguments.named.is_empty();
        let begin = self.cursor.peek().filter(|token| !token.first_on_line);
        let Some(begin) = begin.filter(|_| is_dice) else {
            return Err(arguments);
        };
        let text = self.cursor.text();
        if !begins_modifiers(&text[begin.span.range().start..]) {
            return Err(arguments);
        }
        let parts: [Expr; 2] = match arguments.values.try_into() {
            Ok(parts) => parts,
            Err(values) => {
                return Err(Arguments {
                    values,
                    ..arguments
                });
            }
        };
        let dialect = self.rule.unwrap_or_default();
        let (dice, end) = parse_modifiers(text, begin.span.start, dialect, self.limits);
        for found in dice.diagnostics.iter() {
            self.in_dice(found);
        }
        self.cursor.skip_before(end);
        Ok(match dice.diagnostics.has_errors() {
            true => ExprKind::Error,
            false => ExprKind::DiceCall(Box::new(parts), Box::new(dice.ast)),
        })
    }

    /// `roll(...)` of dice that a rule gives.
    fn rolled_call(&mut self, dice: Expr) -> Expr {
        let span = dice.span;
        let arguments = Arguments {
            values: vec![dice],
            named: Vec::new(),
        };
        let roll = Name::new("roll".to_owned(), span);
        self.node(ExprKind::Call(roll, arguments), span)
    }

    /// `[a, b]`; its bracket is next.
    fn list(&mut self, opener: Span) -> Expr {
        self.cursor.bump();
        let kind = match self.items(opener, Sign::CloseBracket) {
            Items::Values(items) => ExprKind::List(items.values),
            Items::Each(parts) => ExprKind::ListOf(parts),
            Items::Copies(parts) => ExprKind::Copies(parts),
            Items::Broken => ExprKind::Error,
        };
        self.node(kind, opener.to(self.cursor.last()))
    }

    /// The arguments of a call or the elements of a list, up to `closer`; what opens them is taken.
    fn items(&mut self, opener: Span, closer: Sign) -> Items {
        let records = std::mem::replace(&mut self.records, true);
        let items = self.nested(opener, |parser| {
            let mut arguments = Arguments::default();
            while parser.cursor.take(closer).is_none() {
                if parser.ends_list() {
                    parser.unclosed(opener);
                    break;
                }
                let before = parser.cursor.taken();
                let name = parser.argument_name(closer);
                let value = parser.expression();
                let is_first = name.is_none() && arguments.all().next().is_none();
                if is_first && parser.goes_through() {
                    return parser.comprehension(value, opener, closer);
                }
                if is_first
                    && closer == Sign::CloseBracket
                    && parser.cursor.take(Sign::Semicolon).is_some()
                {
                    return parser.copies(value, opener);
                }
                let value = parser.range(value);
                if !parser.argument(name, value, &mut arguments) {
                    return parser.skip_items(closer);
                }
                if !parser.list_goes_on(opener, closer) {
                    break;
                }
                if parser.cursor.taken() == before {
                    parser.cursor.bump();
                }
            }
            Items::Values(arguments)
        });
        self.records = records;
        items.unwrap_or(Items::Values(Arguments::default()))
    }

    /// Takes `name:` before an argument.
    fn argument_name(&mut self, closer: Sign) -> Option<Name> {
        let is_named = closer == Sign::Close && self.cursor.second_is(Sign::Colon);
        let word = self.cursor.word().filter(|_| is_named)?;
        let name = Name::new(word.to_owned(), self.cursor.here());
        self.cursor.bump();
        self.cursor.bump();
        Some(name)
    }

    /// Adds an argument; those with names are the last ones. `false` if it has none after them.
    fn argument(&mut self, name: Option<Name>, value: Expr, arguments: &mut Arguments) -> bool {
        match (name, arguments.named.last()) {
            (Some(name), _) => arguments.named.push((name, value)),
            (None, Some((before, _))) => {
                if value.kind != ExprKind::Error {
                    self.argument_without_name(before.span, value.span);
                }
                return false;
            }
            (None, None) => arguments.values.push(value),
        }
        true
    }

    /// Skips the rest of a list of which a part is wrong.
    fn skip_items(&mut self, closer: Sign) -> Items {
        while self.cursor.take(closer).is_none() && !self.ends_list() {
            self.cursor.bump();
        }
        Items::Broken
    }

    /// A value, or the range that begins with it.
    fn range(&mut self, first: Expr) -> Expr {
        if self.cursor.take(Sign::DotDot).is_none() {
            return first;
        }
        let last = self.expression();
        let span = first.span.to(last.span);
        self.node(ExprKind::Range(Box::new([first, last])), span)
    }

    /// The parts of a result in parentheses, after the comma that follows the first one.
    fn tuple(&mut self, opener: Span, first: Expr) -> Expr {
        let others = match self.items(opener, Sign::Close) {
            Items::Values(arguments) if arguments.named.is_empty() => arguments.values,
            _ => return Expr::new(ExprKind::Error, opener.to(self.cursor.last())),
        };
        let parts = std::iter::once(first).chain(others);
        let parts = parts.map(|value| (None, value)).collect();
        self.node(ExprKind::Parts(parts), opener.to(self.cursor.last()))
    }

    /// The parts of a result; their brace is next.
    pub(super) fn parts(&mut self) -> Expr {
        let opener = self.cursor.here();
        let fields = self.fields().into_iter();
        let parts = fields.map(|(name, value)| (Some(name), value)).collect();
        self.node(ExprKind::Parts(parts), opener.to(self.cursor.last()))
    }

    /// A record of the type `name`; its brace is next.
    fn record(&mut self, name: Name) -> Expr {
        let fields = self.fields();
        let span = name.span.to(self.cursor.last());
        self.node(ExprKind::Record(name, fields), span)
    }

    /// `field: value`, several of them, in the braces that are next.
    fn fields(&mut self) -> Vec<(Name, Expr)> {
        let opener = self.cursor.here();
        self.cursor.bump();
        let fields = self.nested(opener, |parser| {
            let mut fields = Vec::new();
            parser.until_closing_brace(opener, Self::ends_list, |parser| {
                let field = parser.name("a field");
                if field.is_some() {
                    parser.require(Sign::Colon, ':', "write `field: value`");
                }
                let value = parser.expression();
                fields.extend(field.map(|field| (field, value)));
                parser.list_goes_on(opener, Sign::CloseBrace)
            });
            fields
        });
        fields.unwrap_or_default()
    }

    /// Whether a list ends here although it is not closed.
    fn ends_list(&self) -> bool {
        let keyword = self
            .cursor
            .keyword()
            .is_some_and(|keyword| !keyword.is_value());
        let sign = [Sign::Semicolon, Sign::OpenBrace, Sign::CloseBrace];
        let keyword = keyword && !self.begins_if_value();
        keyword || self.cursor.peek().is_none() || sign.iter().any(|sign| self.cursor.is(*sign))
    }

    /// Takes what follows a part of a list: a comma or the end. If it is neither, returns whether
    /// the list continues.
    fn list_goes_on(&mut self, opener: Span, closer: Sign) -> bool {
        if self.cursor.take(Sign::Comma).is_some() || self.cursor.is(closer) || self.ends_list() {
            return true;
        }
        if self.cursor.peek().is_some_and(|token| token.first_on_line) {
            self.unclosed(opener);
            return false;
        }
        self.operator_missing();
        true
    }
}
