//! Text as trees: a second reading of sections 1 to 3, so that the parser is held against it.

use super::ast::{
    Block, Expr, Function, Header, LOOSEST, OPERATORS, PREFIXES, Part, Piece, Setting, Statement,
};
use std::rc::Rc;

/// A text that is not a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAProgram;

type Read<T> = Result<T, NotAProgram>;

/// The program that a text is.
///
/// # Errors
/// It is not a program.
pub fn read(text: &str) -> Read<Block> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        place: 0,
    };
    let mut program = Vec::new();
    while reader.place < reader.tokens.len() {
        program.push(reader.statement(false)?);
    }
    Ok(program)
}

/// The tokens of a text; a text between quotes keeps the first of them.
///
/// # Errors
/// It has a character without a meaning, or a comment or text without an end.
pub fn tokens(text: &str) -> Read<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let length = match first {
            ' ' | '\t' | '\r' | '\n' => {
                rest = &rest[1..];
                continue;
            }
            '\\' => {
                let end = rest[1..].find('\\').ok_or(NotAProgram)?;
                rest = &rest[end + 2..];
                continue;
            }
            '"' => {
                let end = rest[1..].find('"').ok_or(NotAProgram)?;
                tokens.push(rest[..=end].to_owned());
                rest = &rest[end + 2..];
                continue;
            }
            '0'..='9' => same(&|c| c.is_ascii_digit()),
            'a'..='z' => same(&|c| c.is_ascii_lowercase()),
            'A'..='Z' | '_' => same(&|c| c.is_ascii_uppercase() || c == '_'),
            _ if ["!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) => 2,
            _ if "+-*/^@<>=&|!#(){}[],:.?".contains(first) => 1,
            _ => return Err(NotAProgram),
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<String>,
    place: usize,
}

impl Reader {
    fn peek(&self) -> &str {
        self.tokens.get(self.place).map_or("", String::as_str)
    }

    fn is(&self, of: impl Fn(char) -> bool) -> bool {
        self.peek().chars().next().is_some_and(of)
    }

    fn is_word(&self) -> bool {
        self.is(|c| c.is_ascii_lowercase())
    }

    fn take(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.place += usize::from(is_next);
        is_next
    }

    fn want(&mut self, token: &str) -> Read<()> {
        self.take(token).then_some(()).ok_or(NotAProgram)
    }

    fn bump(&mut self) -> String {
        let token = self.peek().to_owned();
        self.place += 1;
        token
    }

    fn variable(&mut self) -> Read<String> {
        match self.is(|c| c.is_ascii_uppercase() || c == '_') {
            true => Ok(self.bump()),
            false => Err(NotAProgram),
        }
    }

    fn text(&mut self) -> Read<String> {
        match self.is(|c| c == '"') {
            true => Ok(self.bump()[1..].to_owned()),
            false => Err(NotAProgram),
        }
    }

    fn block(&mut self, is_function: bool) -> Read<Block> {
        self.want("{")?;
        let mut block = Vec::new();
        while !self.take("}") {
            if matches!(block.last(), Some(Statement::Result(_))) {
                return Err(NotAProgram);
            }
            block.push(self.statement(is_function)?);
        }
        Ok(block)
    }

    fn statement(&mut self, is_function: bool) -> Read<Statement> {
        if self.take("if") {
            return self.condition(is_function);
        }
        if self.take("loop") {
            let variable = self.variable()?;
            self.want("over")?;
            let over = self.expr()?;
            return Ok(Statement::Loop(variable, over, self.block(is_function)?));
        }
        if is_function && self.take("result") {
            self.want(":")?;
            return Ok(Statement::Result(self.expr()?));
        }
        if !is_function && self.take("output") {
            let value = self.expr()?;
            let name = self.take("named").then(|| self.text()).transpose()?;
            return Ok(Statement::Output(value, name));
        }
        if !is_function && self.take("set") {
            let key = self.text()?;
            self.want("to")?;
            let value = match self.text() {
                Ok(text) => Setting::Text(text),
                Err(_) => Setting::Value(self.expr()?),
            };
            return Ok(Statement::Set(key, value));
        }
        if !is_function && self.take("function") {
            self.want(":")?;
            return self.function();
        }
        let variable = self.variable()?;
        self.want(":")?;
        Ok(Statement::Assign(variable, self.expr()?))
    }

    fn condition(&mut self, is_function: bool) -> Read<Statement> {
        let mut arms = Vec::new();
        loop {
            let condition = self.expr()?;
            arms.push((condition, self.block(is_function)?));
            if !self.take("else") {
                return Ok(Statement::If(arms, None));
            }
            if !self.take("if") {
                return Ok(Statement::If(arms, Some(self.block(is_function)?)));
            }
        }
    }

    fn function(&mut self) -> Read<Statement> {
        let mut header = Vec::new();
        while self.peek() != "{" {
            if self.is_word() {
                header.push(Header::Word(self.bump()));
                continue;
            }
            let name = self.variable()?;
            let of = match self.take(":") {
                false => "",
                true => {
                    let of = self.bump();
                    let known = ["n", "s", "d", "?"].into_iter().find(|known| **known == of);
                    known.ok_or(NotAProgram)?
                }
            };
            header.push(Header::Parameter(name, of));
        }
        let body = self.block(true)?;
        Ok(Statement::Function(Rc::new(Function { header, body })))
    }

    fn expr(&mut self) -> Read<Expr> {
        self.level(LOOSEST)
    }

    /// Operators of this level, and tighter ones.
    fn level(&mut self, level: u8) -> Read<Expr> {
        if level == 1 {
            return self.prefix();
        }
        let mut left = self.level(level - 1)?;
        loop {
            let mut here = OPERATORS.iter().filter(|(_, of)| *of == level);
            let Some((operator, _)) = here.find(|(sign, _)| *sign == self.peek()) else {
                return Ok(left);
            };
            self.place += 1;
            let right = self.level(level - 1)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
    }

    fn prefix(&mut self) -> Read<Expr> {
        let found = PREFIXES.into_iter().find(|sign| *sign == self.peek());
        let Some(operator) = found else {
            return self.atom();
        };
        self.place += 1;
        Ok(Expr::Prefix(operator, Box::new(self.prefix()?)))
    }

    fn atom(&mut self) -> Read<Expr> {
        if self.is(|c| c.is_ascii_digit()) {
            let number = self.bump().parse();
            return number.map(Expr::Number).map_err(|_| NotAProgram);
        }
        if self.take("(") {
            let inner = self.expr()?;
            self.want(")")?;
            return Ok(inner);
        }
        if self.take("{") {
            return self.sequence();
        }
        if self.take("[") {
            let mut pieces = Vec::new();
            while !self.take("]") {
                pieces.push(match self.is_word() && self.peek() != "d" {
                    true => Piece::Word(self.bump()),
                    false => Piece::Argument(self.expr()?),
                });
            }
            return Ok(Expr::Call(pieces));
        }
        Ok(Expr::Variable(self.variable()?))
    }

    fn sequence(&mut self) -> Read<Expr> {
        let mut parts = Vec::new();
        if self.take("}") {
            return Ok(Expr::Sequence(parts));
        }
        loop {
            let from = self.expr()?;
            let mut to = None;
            if self.take(".") {
                self.want(".")?;
                to = Some(self.expr()?);
            }
            let times = self.take(":").then(|| self.expr()).transpose()?;
            parts.push(Part { from, to, times });
            if !self.take(",") {
                self.want("}")?;
                return Ok(Expr::Sequence(parts));
            }
        }
    }
}
