//! Statements (section 2).

use super::Parser;
use crate::ast::{Block, Function, Name, Parameter, Setting, SettingValue, Statement, Type};
use crate::token::{Sign, TokenKind};
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Program,
    Function,
}

impl Parser<'_> {
    /// All statements of the program.
    pub(super) fn program(&mut self) -> Result<Block, Diagnostic> {
        let mut block = Vec::new();
        while self.peek().is_some() {
            block.push(self.statement(Within::Program)?);
        }
        Ok(block)
    }

    /// A block in braces.
    fn block(&mut self, within: Within, of: &str) -> Result<Block, Diagnostic> {
        let open = self.here();
        if !self.take(Sign::OpenBrace) {
            let message = format!("a `{{` is missing, which begins the block of the {of}");
            let found = Diagnostic::error(Code::AnyDiceStatement, open, message);
            return Err(found.help(match self.peek() {
                Some(TokenKind::Word("and")) => "write & for and",
                Some(TokenKind::Word("or")) => "write | for or",
                _ => "blocks stand in braces: { ... }",
            }));
        }
        self.nested(|parser| parser.rest_of_block(within, open))
    }

    fn rest_of_block(&mut self, within: Within, open: Span) -> Result<Block, Diagnostic> {
        let mut block = Vec::new();
        loop {
            if self.take(Sign::CloseBrace) {
                return Ok(block);
            }
            if self.peek().is_none() || matches!(block.last(), Some(Statement::Result(_))) {
                self.close(Sign::CloseBrace, "}", open, "block")?;
            }
            block.push(self.statement(within)?);
        }
    }

    fn statement(&mut self, within: Within) -> Result<Statement, Diagnostic> {
        let start = self.here();
        let (Some(first), second) = (self.peek(), self.peek_second()) else {
            return Err(self.no_statement(within));
        };
        let is_colon = second == Some(TokenKind::Sign(Sign::Colon));
        match first {
            TokenKind::Variable(name) if is_colon => {
                self.place += 2;
                let variable = self.names.variable(name);
                let value = self.expression("after the colon")?;
                Ok(Statement::Assign(variable, value))
            }
            TokenKind::Word("result") if is_colon => {
                self.place += 2;
                self.only_in(
                    within == Within::Function,
                    start,
                    "`result` ends a call of a function",
                )?;
                Ok(Statement::Result(self.expression("after `result:`")?))
            }
            TokenKind::Word("function") if is_colon => {
                self.place += 2;
                self.only_in(
                    within == Within::Program,
                    start,
                    "functions are defined outside of functions",
                )?;
                self.function(start)
            }
            TokenKind::Word("if") => {
                self.bump();
                self.condition(within)
            }
            TokenKind::Word("loop") => {
                self.bump();
                self.repetition(within)
            }
            TokenKind::Word("output") => {
                self.bump();
                self.only_in(
                    within == Within::Program,
                    start,
                    "outputs stand outside of functions",
                )?;
                self.output()
            }
            TokenKind::Word("set") => {
                self.bump();
                self.only_in(
                    within == Within::Program,
                    start,
                    "settings stand outside of functions",
                )?;
                self.setting()
            }
            _ => Err(self.no_statement(within)),
        }
    }

    fn only_in(&self, is_right: bool, span: Span, rule: &str) -> Result<(), Diagnostic> {
        match is_right {
            true => Ok(()),
            false => {
                let found = Diagnostic::error(Code::AnyDiceMisplaced, span, rule);
                Err(found.help("move this statement"))
            }
        }
    }

    /// The conditions of an `if`, after the word.
    fn condition(&mut self, within: Within) -> Result<Statement, Diagnostic> {
        let mut arms = Vec::new();
        loop {
            let condition = self.expression("after `if`")?;
            arms.push((condition, self.block(within, "condition")?));
            if !self.take_word("else") {
                return Ok(Statement::If(arms, None));
            }
            if !self.take_word("if") {
                let otherwise = self.block(within, "`else`")?;
                return Ok(Statement::If(arms, Some(otherwise)));
            }
        }
    }

    /// A loop, after the word.
    fn repetition(&mut self, within: Within) -> Result<Statement, Diagnostic> {
        let Some(TokenKind::Variable(name)) = self.peek() else {
            let message = "the variable of the loop is missing";
            let found = Diagnostic::error(Code::AnyDiceStatement, self.here(), message);
            return Err(found.help("write loop N over {1..6} { ... }"));
        };
        self.bump();
        let variable = self.names.variable(name);
        if !self.take_word("over") {
            let message = "`over` is missing";
            let found = Diagnostic::error(Code::AnyDiceStatement, self.here(), message);
            return Err(found.help(format!("write loop {name} over {{1..6}} {{ ... }}")));
        }
        let over = self.expression("after `over`")?;
        let body = self.block(within, "loop")?;
        Ok(Statement::Loop(variable, over, body))
    }

    /// An output, after the word.
    fn output(&mut self) -> Result<Statement, Diagnostic> {
        let value = self.expression("after `output`")?;
        let name = self.named()?;
        Ok(Statement::Output(value, name))
    }

    fn named(&mut self) -> Result<Option<Name>, Diagnostic> {
        if !self.take_word("named") {
            return Ok(None);
        }
        let span = self.here();
        let Some(TokenKind::Text(text)) = self.peek() else {
            let message = "the name is missing after `named`";
            let found = Diagnostic::error(Code::AnyDiceStatement, span, message);
            return Err(found.help("write a text between double quotes"));
        };
        self.bump();
        Ok(Some(self.name(text, span)))
    }

    /// A setting, after the word.
    fn setting(&mut self) -> Result<Statement, Diagnostic> {
        let key_span = self.here();
        let Some(TokenKind::Text(key)) = self.peek() else {
            let message = "the name of a setting is missing after `set`";
            let found = Diagnostic::error(Code::AnyDiceStatement, key_span, message);
            return Err(found.help("write set \"explode depth\" to 4"));
        };
        self.bump();
        if !self.take_word("to") {
            let message = "`to` is missing";
            let found = Diagnostic::error(Code::AnyDiceStatement, self.here(), message);
            return Err(found.help(format!("write set \"{key}\" to ...")));
        }
        let span = self.here();
        let value = match self.peek() {
            Some(TokenKind::Text(text)) => {
                self.bump();
                SettingValue::Text(text.to_owned(), span)
            }
            _ => SettingValue::Number(self.expression("after `to`")?),
        };
        Ok(Statement::Set(Setting {
            key: key.to_owned(),
            key_span,
            value,
        }))
    }

    /// A definition, after `function:`.
    fn function(&mut self, start: Span) -> Result<Statement, Diagnostic> {
        let mut signature: Vec<&str> = Vec::new();
        let mut parameters = Vec::new();
        while self.peek() != Some(TokenKind::Sign(Sign::OpenBrace)) {
            match self.peek() {
                Some(TokenKind::Word(word)) => {
                    signature.push(word);
                    self.bump();
                }
                Some(TokenKind::Variable(name)) => {
                    self.bump();
                    signature.push("?");
                    let variable = self.names.variable(name);
                    let of = self.parameter_type()?;
                    parameters.push(Parameter { variable, of });
                }
                _ => {
                    let message = "the name of a function has words and parameters only";
                    let found = Diagnostic::error(Code::AnyDiceStatement, self.here(), message);
                    return Err(found.help("write function: roll N:n of D:d { result: NdD }"));
                }
            }
        }
        let signature = self.names.signature(&signature.join(" "));
        let span = start.to(self.before());
        let body = self.block(Within::Function, "function")?;
        let id = self.functions;
        self.functions += 1;
        Ok(Statement::Function(Arc::new(Function {
            signature,
            parameters,
            body,
            span,
            id,
        })))
    }

    fn parameter_type(&mut self) -> Result<Type, Diagnostic> {
        if !self.take(Sign::Colon) {
            return Ok(Type::Any);
        }
        let of = match self.peek() {
            Some(TokenKind::Word("n")) => Type::Number,
            Some(TokenKind::Word("s")) => Type::Sequence,
            Some(TokenKind::Word("d")) => Type::Dice,
            Some(TokenKind::Sign(Sign::Question)) => Type::Any,
            _ => {
                let message = "the type of the parameter is missing after the colon";
                let found = Diagnostic::error(Code::AnyDiceStatement, self.here(), message);
                return Err(found.help(
                    "types are n (a number), s (a sequence) and d (dice); or leave the colon out",
                ));
            }
        };
        self.bump();
        Ok(of)
    }

    /// The error where a statement is wanted.
    fn no_statement(&self, within: Within) -> Diagnostic {
        let span = self.here();
        if self.peek() == Some(TokenKind::Word("legacy")) {
            let message = "the older notation of `legacy` is not part of dicec";
            let found = Diagnostic::error(Code::AnyDiceLegacy, span, message);
            return found.help("write it in AnyDice's language: output [highest 4 of 8d6]");
        }
        let message = match within {
            Within::Program => "no statement begins like this",
            Within::Function => "no statement of a function begins like this",
        };
        let found = Diagnostic::error(Code::AnyDiceStatement, span, message);
        found.help(self.hint(within == Within::Function))
    }
}
