//! Definitions: imports, constants, types, functions and rolls.

use super::Parser;
use crate::front::script::ast::{
    Const, Field, Function, Import, Item, ItemKind, Name, Node, Param, Roll, Script, Type, TypeDef,
    TypeName,
};
use crate::front::script::signs::Sign;
use crate::front::script::token::TokenKind;
use crate::front::script::words::Keyword;
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// The whole text.
    pub(super) fn script(&mut self) -> Script {
        let mut items = Vec::new();
        while self.cursor.peek().is_some() {
            let before = self.cursor.taken();
            items.extend(self.item());
            if self.cursor.taken() == before {
                self.cursor.bump();
            }
        }
        Script {
            items,
            files: Vec::new(),
        }
    }

    fn item(&mut self) -> Option<Item> {
        let start = self.cursor.here();
        let kind = match self.item_keyword()? {
            Keyword::Import => self.import().map(ItemKind::Import),
            Keyword::Const => self.constant().map(ItemKind::Const),
            Keyword::Deftype => self.type_def().map(ItemKind::Type),
            Keyword::Enum => self.enum_def(false).map(ItemKind::Enum),
            Keyword::Flags => self.enum_def(true).map(ItemKind::Enum),
            Keyword::Deffun => self.function().map(ItemKind::Function),
            Keyword::Table => self.table().map(ItemKind::Table),
            _ => self.roll().map(ItemKind::Roll),
        };
        let kind = kind.or_else(|| {
            self.skip_to_item();
            None
        })?;
        Some(Item::new(kind, start.to(self.cursor.last())))
    }

    /// Takes the keyword of a definition, or reports what is there instead.
    fn item_keyword(&mut self) -> Option<Keyword> {
        if let Some(keyword) = self.cursor.keyword()
            && keyword.is_item()
        {
            self.cursor.bump();
            return Some(keyword);
        }
        if let Some(word) = self.cursor.word()
            && let Some(keyword) = Keyword::item(word)
        {
            if word != keyword.as_str() {
                self.small_letters(self.cursor.here(), keyword.as_str());
            }
            self.cursor.bump();
            return Some(keyword);
        }
        // An empty statement, such as one after the brace of a definition.
        if self.cursor.take(Sign::Semicolon).is_some() {
            return None;
        }
        if self.cursor.is(Sign::CloseBrace) {
            self.unopened("}");
            self.cursor.bump();
            return None;
        }
        if let Some(near) = self.cursor.word().and_then(Keyword::near_item) {
            self.misspelt(self.cursor.here(), near.as_str());
            self.cursor.bump();
            return Some(near);
        }
        self.not_an_item();
        self.skip_to_item();
        None
    }

    /// Skips to what begins a definition, at least one token.
    fn skip_to_item(&mut self) {
        while self.cursor.peek().is_some() {
            if self.cursor.begins_item() {
                return;
            }
            self.cursor.bump();
        }
    }

    fn import(&mut self) -> Option<Import> {
        const HELP: &str = "write `import \"file.dice\";` or `import std.NAME;`";
        let import = match self.cursor.kind() {
            Some(TokenKind::Text(file)) => {
                let span = self.cursor.here();
                self.cursor.bump();
                Import::File(Node::new(file.clone(), span))
            }
            _ if self.cursor.word() == Some("std") => {
                self.cursor.bump();
                self.require(Sign::Dot, '.', HELP);
                Import::Std(self.name("a library")?)
            }
            _ => {
                self.expected("a file or a library", HELP);
                return None;
            }
        };
        self.semicolon();
        self.imports.push(import.prefix().to_owned());
        Some(import)
    }

    fn constant(&mut self) -> Option<Const> {
        let name = self.name("a constant")?;
        self.require(Sign::Assign, '=', "write `const NAME = value;`");
        let value = self.expression();
        self.semicolon();
        Some(Const { name, value })
    }

    fn type_def(&mut self) -> Option<TypeDef> {
        let name = self.name("a type")?;
        let help = "put its fields in braces: `deftype name { field: int, }`";
        let opener = self.require(Sign::OpenBrace, '{', help);
        let mut fields = Vec::new();
        self.until_closing_brace(opener, Self::ends_block, |parser| {
            match parser.field() {
                Some(field) => fields.push(field),
                None => parser.skip_to_separator(),
            }
            true
        });
        let fields = Node::new(fields, opener.to(self.cursor.last()));
        Some(TypeDef { name, fields })
    }

    /// Whether the text or the definition ends here, though a brace is open.
    pub(super) fn ends_block(&self) -> bool {
        self.cursor.peek().is_none() || self.cursor.begins_item()
    }

    fn field(&mut self) -> Option<Node<Field>> {
        let start = self.cursor.here();
        let name = self.name("a field")?;
        self.require(Sign::Colon, ':', "a field has a type: `name: int`");
        let ty = self.ty()?;
        let default = self.cursor.take(Sign::Assign).map(|_| self.expression());
        let semicolon = self.cursor.is(Sign::Semicolon);
        if self.cursor.take(Sign::Comma).is_none() && !self.cursor.is(Sign::CloseBrace) {
            self.separator_missing(',', "fields are separated by commas");
            if semicolon {
                self.cursor.bump();
            }
        }
        let field = Field { name, ty, default };
        Some(Node::new(field, start.to(self.cursor.last())))
    }

    /// Skips past the next comma, or to a closing brace or a definition.
    pub(super) fn skip_to_separator(&mut self) {
        while !self.ends_block() && !self.cursor.is(Sign::CloseBrace) {
            if self.cursor.take(Sign::Comma).is_some() {
                return;
            }
            self.cursor.bump();
        }
    }

    pub(super) fn ty(&mut self) -> Option<Type> {
        if let Some(list) = self.list_around_type().or_else(|| self.type_in_brackets()) {
            return Some(list);
        }
        let span = self.cursor.here();
        let Some(word) = self.cursor.word() else {
            self.expected(
                "a type",
                "types are `int`, `bool`, `string`, `int list`, and your own",
            );
            return None;
        };
        self.cursor.bump();
        let name = self.type_name(word, span);
        let mut lists = 0;
        while let Some(word) = self.cursor.word()
            && word.eq_ignore_ascii_case("list")
        {
            if word != "list" {
                self.small_letters(self.cursor.here(), "list");
            }
            self.cursor.bump();
            lists += 1;
        }
        lists += self.brackets_after_type(span.to(self.cursor.last()));
        Some(Type::new((name, lists), span.to(self.cursor.last())))
    }

    pub(super) fn type_name(&mut self, word: &str, span: Span) -> TypeName {
        let own = [
            ("int", TypeName::Int),
            ("float", TypeName::Float),
            ("bool", TypeName::Bool),
            ("string", TypeName::Text),
        ];
        for (right, name) in own {
            if word.eq_ignore_ascii_case(right) {
                if word != right {
                    self.small_letters(span, right);
                }
                return name;
            }
        }
        TypeName::Named(word.to_owned())
    }

    fn function(&mut self) -> Option<Function> {
        let name = self.name("a function")?;
        let params = self.params()?;
        let result = match self.cursor.take(Sign::Colon) {
            Some(_) => Some(self.ty()?),
            None => None,
        };
        let body = self.block()?;
        Some(Function {
            name,
            params,
            result,
            body,
        })
    }

    fn roll(&mut self) -> Option<Roll> {
        let span = self.cursor.here();
        let label = match self.cursor.kind() {
            Some(TokenKind::Text(label)) => {
                self.cursor.bump();
                label.clone()
            }
            _ => {
                self.expected(
                    "the roll's label",
                    "write `defroll \"Attack\" attack(...) { ... }`",
                );
                String::new()
            }
        };
        let label = Node::new(label, span);
        let name: Name = self.name("a roll")?;
        let params = self.params()?;
        self.type_of_roll();
        let body = self.block()?;
        Some(Roll {
            label,
            name,
            params,
            body,
        })
    }

    fn params(&mut self) -> Option<Vec<Param>> {
        const HELP: &str = "put parameters in parentheses: `(name: type, ...)`, or `()` for none";
        let opener = self.require(Sign::Open, '(', HELP);
        let mut params = Vec::new();
        while self.cursor.take(Sign::Close).is_none() {
            if self.ends_block() || self.cursor.is(Sign::OpenBrace) {
                self.unclosed(opener);
                break;
            }
            let name = self.name("a parameter")?;
            self.require(Sign::Colon, ':', "a parameter has a type: `name: int`");
            let ty = self.ty()?;
            let default = self.cursor.take(Sign::Assign).map(|_| self.expression());
            params.push(Param { name, ty, default });
            let ends = self.cursor.is(Sign::Close) || self.cursor.is(Sign::OpenBrace);
            if self.cursor.take(Sign::Comma).is_none() && !ends {
                self.separator_missing(',', "parameters are separated by commas");
            }
        }
        Some(params)
    }
}
