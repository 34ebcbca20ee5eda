//! Trees as text: with as few parentheses as section 3 allows, and with any space between tokens
//! that section 1 allows.

use super::ast::{
    Block, Expr, Function, Header, LOOSEST, OPERATORS, Part, Piece, Setting, Statement,
};
use arbitrary::{Result, Unstructured};

/// The tokens of a program.
pub fn tokens(program: &Block) -> Vec<String> {
    let mut printer = Printer::default();
    program
        .iter()
        .for_each(|statement| printer.statement(statement));
    printer.tokens
}

/// Tokens with a space between each two of them.
pub fn spaced(tokens: &[String]) -> String {
    tokens.join(" ")
}

/// Tokens with nothing, space, line ends or comments between them, as bytes have it.
pub fn styled(tokens: &[String], bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    let is_plain = bytes.ratio(1, 2)?;
    for token in tokens {
        let needs = touches(&text, token);
        let space = match bytes.int_in_range(0..=if is_plain { 9 } else { 20 })? {
            0..=9 if needs || is_plain => " ",
            0..=9 => "",
            10..=13 => " ",
            14 | 15 => "\n",
            16 => "\r\n",
            17 => "\t",
            18 => "  ",
            19 => "\\ output 7 \\",
            _ => "\\\\",
        };
        text.push_str(space);
        text.push_str(token);
    }
    Ok(text)
}

/// Whether a token would become one with the end of the text.
fn touches(text: &str, token: &str) -> bool {
    let kind = |c: char| match c {
        'a'..='z' => 1,
        'A'..='Z' | '_' => 2,
        '0'..='9' => 3,
        _ => 0,
    };
    let last = text.chars().last().map_or(0, kind);
    let first = token.chars().next().map_or(0, kind);
    last == first && last != 0
}

#[derive(Default)]
struct Printer {
    tokens: Vec<String>,
}

impl Printer {
    fn put(&mut self, token: &str) {
        self.tokens.push(token.to_owned());
    }

    fn block(&mut self, block: &Block) {
        self.put("{");
        block.iter().for_each(|statement| self.statement(statement));
        self.put("}");
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(variable, value) => {
                self.put(variable);
                self.put(":");
                self.expr(value, LOOSEST);
            }
            Statement::If(arms, otherwise) => {
                for (place, (condition, block)) in arms.iter().enumerate() {
                    if place > 0 {
                        self.put("else");
                    }
                    self.put("if");
                    self.expr(condition, LOOSEST);
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.put("else");
                    self.block(block);
                }
            }
            Statement::Loop(variable, over, body) => {
                self.put("loop");
                self.put(variable);
                self.put("over");
                self.expr(over, LOOSEST);
                self.block(body);
            }
            Statement::Output(value, name) => {
                self.put("output");
                self.expr(value, LOOSEST);
                if let Some(name) = name {
                    self.put("named");
                    self.put(&format!("\"{name}\""));
                }
            }
            Statement::Set(key, value) => {
                self.put("set");
                self.put(&format!("\"{key}\""));
                self.put("to");
                match value {
                    Setting::Text(text) => self.put(&format!("\"{text}\"")),
                    Setting::Value(value) => self.expr(value, LOOSEST),
                }
            }
            Statement::Function(function) => self.function(function),
            Statement::Result(value) => {
                self.put("result");
                self.put(":");
                self.expr(value, LOOSEST);
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.put("function");
        self.put(":");
        for part in &function.header {
            match part {
                Header::Word(word) => self.put(word),
                Header::Parameter(name, of) => {
                    self.put(name);
                    if !of.is_empty() {
                        self.put(":");
                        self.put(of);
                    }
                }
            }
        }
        self.block(&function.body);
    }

    /// An expression where operators of this level and tighter ones need no parentheses.
    fn expr(&mut self, expr: &Expr, loosest: u8) {
        let level = level(expr);
        if level > loosest {
            self.put("(");
            self.expr(expr, LOOSEST);
            self.put(")");
            return;
        }
        match expr {
            Expr::Number(number) => self.put(&number.to_string()),
            Expr::Variable(name) => self.put(name),
            Expr::Prefix(operator, inner) => {
                self.put(operator);
                self.expr(inner, level);
            }
            Expr::Binary(operator, left, right) => {
                self.expr(left, level);
                self.put(operator);
                self.expr(right, level - 1);
            }
            Expr::Sequence(parts) => self.sequence(parts),
            Expr::Call(pieces) => self.call(pieces),
        }
    }

    fn sequence(&mut self, parts: &[Part]) {
        self.put("{");
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                self.put(",");
            }
            self.expr(&part.from, LOOSEST);
            if let Some(to) = &part.to {
                self.put("..");
                self.expr(to, LOOSEST);
            }
            if let Some(times) = &part.times {
                self.put(":");
                self.expr(times, LOOSEST);
            }
        }
        self.put("}");
    }

    /// An argument goes on as far as an expression can, so the next one may need parentheses.
    fn call(&mut self, pieces: &[Piece]) {
        self.put("[");
        let mut is_after_argument = false;
        for piece in pieces {
            match piece {
                Piece::Word(word) => self.put(word),
                Piece::Argument(argument) => {
                    let start = self.tokens.len();
                    self.expr(argument, LOOSEST);
                    let goes_on = matches!(self.tokens[start].as_str(), "+" | "-" | "d");
                    if is_after_argument && goes_on {
                        self.tokens.insert(start, "(".to_owned());
                        self.put(")");
                    }
                }
            }
            is_after_argument = matches!(piece, Piece::Argument(_));
        }
        self.put("]");
    }
}

/// The level of an expression; that of operators before a value is 1.
fn level(expr: &Expr) -> u8 {
    match expr {
        Expr::Prefix(..) => 1,
        Expr::Binary(operator, ..) => {
            let found = OPERATORS.iter().find(|(known, _)| known == operator);
            found.expect("an operator").1
        }
        _ => 0,
    }
}
