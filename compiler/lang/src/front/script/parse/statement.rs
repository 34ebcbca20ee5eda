//! Statements and blocks.

use super::Parser;
use crate::front::script::ast::{AssignOp, Block, Expr, ExprKind, Stmt, StmtKind};
use crate::front::script::signs::Sign;
use crate::front::script::token::TokenKind;
use crate::front::script::words::Keyword;
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// Statements in braces.
    pub(super) fn block(&mut self) -> Option<Block> {
        let opener = self.cursor.here();
        if self.cursor.take(Sign::OpenBrace).is_none() {
            return self.block_without_braces();
        }
        let statements = self.nested(opener, |parser| {
            let mut statements = Vec::new();
            let ends = |parser: &Self| {
                parser.ends_block() && parser.cursor.keyword() != Some(Keyword::Const)
            };
            parser.until_closing_brace(opener, ends, |parser| {
                statements.extend(parser.statement());
                true
            });
            statements
        })?;
        Some(Block::new(statements, opener.to(self.cursor.last())))
    }

    /// A single statement where a block is required.
    fn block_without_braces(&mut self) -> Option<Block> {
        let start = self.cursor.here();
        self.expected("`{`", "put statements in braces, even a single one");
        if self.ends_block() {
            return None;
        }
        let statement = self.nested(start, Self::statement)?;
        Some(Block::new(statement.into_iter().collect(), start))
    }

    fn statement(&mut self) -> Option<Stmt> {
        let start = self.cursor.here();
        if self.cursor.take(Sign::Semicolon).is_some() {
            return None;
        }
        let kind = match self.statement_keyword() {
            _ if self.begins_repeat() => {
                self.cursor.bump();
                let count = self.condition();
                StmtKind::Repeat(count, self.block()?)
            }
            Some(keyword) if !keyword.is_value() => self.keyword_statement(keyword, start)?,
            _ => self.plain_statement(),
        };
        Some(Stmt::new(kind, start.to(self.cursor.last())))
    }

    /// Whether a `repeat` begins here, rather than a call of a function of this name.
    fn begins_repeat(&self) -> bool {
        let word = self.cursor.word();
        word.is_some_and(|word| word.eq_ignore_ascii_case("repeat"))
            && self.cursor.second_is(Sign::Open)
            && self.cursor.block_follows_parenthesis()
    }

    /// The keyword that a statement begins with; a typo in it is reported.
    fn statement_keyword(&mut self) -> Option<Keyword> {
        if self.begins_match() {
            return Some(Keyword::Match);
        }
        if let Some(word) = self.cursor.word() {
            // A name begins a statement only if a token follows that cannot follow a keyword. Near
            // words are looked for after that, because most statements begin with a name.
            let near = self.may_be_keyword().then(|| Keyword::near_statement(word));
            let near = near
                .flatten()
                .filter(|near| self.is_misspelt_keyword(*near))?;
            self.misspelt(self.cursor.here(), near.as_str());
            return Some(near);
        }
        self.cursor.keyword()
    }

    fn keyword_statement(&mut self, keyword: Keyword, start: Span) -> Option<StmtKind> {
        self.cursor.bump();
        match keyword {
            Keyword::If => self.branches(),
            Keyword::While => {
                let condition = self.condition();
                Some(StmtKind::While(condition, self.block()?))
            }
            Keyword::For => self.for_each(),
            Keyword::Match => {
                let parts = self.match_of(false, Self::block)?;
                Some(StmtKind::Match(Box::new(parts)))
            }
            Keyword::Break => Some(self.ended(StmtKind::Break)),
            Keyword::Continue => Some(self.ended(StmtKind::Continue)),
            Keyword::Return => {
                let value = match self.cursor.is(Sign::OpenBrace) {
                    true => Some(self.parts()),
                    false => self.starts_value().then(|| {
                        self.tuple = self.cursor.is(Sign::Open);
                        self.expression()
                    }),
                };
                Some(self.ended(StmtKind::Return(value)))
            }
            Keyword::Else => {
                self.else_alone(start);
                self.block();
                None
            }
            _ => {
                self.item_in_block(start);
                self.skip_statement();
                None
            }
        }
    }

    /// Whether a value can begin here; one on a new line belongs to the next statement.
    fn starts_value(&self) -> bool {
        let Some(token) = self.cursor.peek() else {
            return false;
        };
        match &token.kind {
            _ if token.first_on_line => false,
            TokenKind::Sign(sign) => {
                use Sign::{Dash, Minus, Not, Open, OpenBracket};
                matches!(sign, Open | OpenBracket | Minus | Dash | Not)
            }
            TokenKind::Keyword(keyword) => keyword.is_value(),
            _ => true,
        }
    }

    /// A statement that ends with its semicolon.
    fn ended(&mut self, kind: StmtKind) -> StmtKind {
        self.semicolon();
        kind
    }

    /// `if` with its branches; the keyword is taken.
    fn branches(&mut self) -> Option<StmtKind> {
        let condition = self.condition();
        let mut branches = vec![(condition, self.block()?)];
        while self.cursor.keyword() == Some(Keyword::Else) {
            self.cursor.bump();
            if self.cursor.keyword() != Some(Keyword::If) {
                let otherwise = self.block()?;
                return Some(StmtKind::If(branches, Some(otherwise)));
            }
            self.cursor.bump();
            let condition = self.condition();
            branches.push((condition, self.block()?));
        }
        Some(StmtKind::If(branches, None))
    }

    fn for_each(&mut self) -> Option<StmtKind> {
        const HELP: &str = "write `for (x : list) { ... }` or `for (i : 1..n) { ... }`";
        let Some(opener) = self.cursor.take(Sign::Open) else {
            self.expected("`(`", HELP);
            self.skip_to_brace();
            self.block();
            return None;
        };
        if let Some(counted) = self.counted_loop() {
            return Some(counted);
        }
        let name = match self.variable_of_loop() {
            Some(name) => name,
            None => {
                let name = self.name("the loop's variable")?;
                self.require(Sign::Colon, ':', HELP);
                name
            }
        };
        let list = self.expression();
        let last = self.cursor.take(Sign::DotDot).map(|_| self.expression());
        if self.cursor.take(Sign::Close).is_none() {
            self.unclosed(opener);
        }
        let body = self.block()?;
        Some(match last {
            Some(last) => StmtKind::Count(name, Box::new([list, last]), body),
            None => StmtKind::For(name, list, body),
        })
    }

    /// An expression in parentheses.
    pub(super) fn condition(&mut self) -> Expr {
        let Some(opener) = self.cursor.take(Sign::Open) else {
            self.expected("`(`", "put the condition in parentheses");
            self.records = false;
            let condition = self.expression();
            self.records = true;
            return condition;
        };
        let condition = self.expression();
        if self.cursor.take(Sign::Close).is_none() {
            self.unclosed(opener);
            self.skip_to_brace();
        }
        condition
    }

    /// Skips to the brace after a broken condition, if it is on the same line.
    fn skip_to_brace(&mut self) {
        while let Some(token) = self.cursor.peek()
            && !token.first_on_line
            && !self.cursor.is(Sign::OpenBrace)
            && !self.cursor.is(Sign::Semicolon)
        {
            self.cursor.bump();
        }
    }

    /// An assignment or an expression. `let x = e;` is `x = e;`.
    fn plain_statement(&mut self) -> StmtKind {
        let word = self.cursor.here();
        if !self.cursor.is_word_before_operand("let") {
            let ty = self.type_of_variable();
            let kind = self.assignment_or_expression();
            if let Some(ty) = ty {
                self.typed_variable(ty);
            }
            return kind;
        }
        self.cursor.bump();
        let kind = self.assignment_or_expression();
        let assigns = |kind: &StmtKind| match kind {
            StmtKind::Assign(target, AssignOp::Set, _) => matches!(target.kind, ExprKind::Name(_)),
            _ => false,
        };
        if !assigns(&kind) {
            self.let_without_value(word);
        }
        kind
    }

    fn assignment_or_expression(&mut self) -> StmtKind {
        let target = self.expression_before_assignment();
        let op = match self.cursor.kind() {
            Some(TokenKind::Sign(sign)) => *sign,
            _ => return self.ended(StmtKind::Expr(target)),
        };
        if let Some(up) = self.step(op) {
            self.cursor.bump();
            self.judge_target(&target);
            return self.ended(StmtKind::Step(target, up));
        }
        let Some(op) = assignment(op) else {
            return self.ended(StmtKind::Expr(target));
        };
        self.cursor.bump();
        self.judge_target(&target);
        let value = self.expression();
        self.ended(StmtKind::Assign(target, op, value))
    }

    /// Whether a sign is `++` (true) or `--` (false); word processors make a dash of the latter.
    fn step(&self, sign: Sign) -> Option<bool> {
        match sign {
            Sign::Increment => Some(true),
            Sign::Decrement | Sign::Dash => Some(false),
            _ => None,
        }
    }

    /// Only variables, fields and elements can be assigned to.
    fn judge_target(&mut self, target: &Expr) {
        let mut root = target;
        while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &root.kind {
            root = inner;
        }
        if !matches!(root.kind, ExprKind::Name(_) | ExprKind::Error) {
            self.bad_target(target.span);
        }
    }

    /// The `;` after a statement; if it is missing, the rest of the statement is skipped.
    pub(super) fn semicolon(&mut self) {
        if self.cursor.take(Sign::Semicolon).is_some() {
            return;
        }
        let next = self.cursor.peek();
        let ends = next.is_none_or(|token| token.first_on_line) || self.cursor.is(Sign::CloseBrace);
        let begins = self
            .cursor
            .keyword()
            .is_some_and(|keyword| !keyword.is_value());
        let unclosed = self.unclosed_at == Some(self.cursor.taken());
        if ends && (unclosed || self.cursor.last_is_broken()) {
            return;
        }
        if ends || begins {
            self.separator_missing(';', "every statement ends with `;`");
            return;
        }
        self.operator_missing();
        self.skip_statement();
    }

    /// Skips past the next `;`, or to what begins or ends something.
    fn skip_statement(&mut self) {
        while let Some(token) = self.cursor.peek() {
            if self.cursor.take(Sign::Semicolon).is_some() {
                return;
            }
            let begins = self
                .cursor
                .keyword()
                .is_some_and(|keyword| !keyword.is_value());
            let brace = self.cursor.is(Sign::CloseBrace) || self.cursor.is(Sign::OpenBrace);
            if begins || brace || token.first_on_line {
                return;
            }
            self.cursor.bump();
        }
    }
}

fn assignment(sign: Sign) -> Option<AssignOp> {
    Some(match sign {
        Sign::Assign => AssignOp::Set,
        Sign::AddAssign => AssignOp::Add,
        Sign::SubAssign => AssignOp::Sub,
        Sign::MulAssign => AssignOp::Mul,
        Sign::DivAssign => AssignOp::Div,
        _ => return None,
    })
}
