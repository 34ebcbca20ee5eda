//! Functions and calls.

use super::expr::binary;
use super::{Kind, Maker, NAMES};
use crate::anydice::ast::{Expr, Function, Header, Piece, Statement};
use arbitrary::Result;
use std::rc::Rc;

/// A part of a signature: a word, or a parameter with its type and the kind that is meant for it.
#[derive(Clone, Copy, Debug)]
enum Place {
    Word(&'static str),
    Parameter(&'static str, Kind),
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    places: Vec<Place>,
    /// The kind of its result, without an expansion.
    result: Kind,
}

/// The shapes of names; a dot is a parameter. Keywords can be words, and the library's functions
/// can be replaced.
const SHAPES: [&str; 11] = [
    "f .",
    "f .",
    "f . .",
    "f . .",
    "g . to .",
    ". over",
    "h",
    "",
    "absolute .",
    "set .",
    "f . . .",
];

/// The functions of the library, with the results that they have for numbers and sequences.
const LIBRARY: [(&[Place], Kind); 16] = {
    use Kind::{Dice as D, Number as N, Sequence as S};
    use Place::{Parameter as P, Word as W};
    [
        (&[W("absolute"), P("n", N)], N),
        (&[P("s", S), W("contains"), P("n", N)], N),
        (&[W("count"), P("s", S), W("in"), P("s", S)], N),
        (&[W("explode"), P("d", D)], D),
        (&[W("highest"), P("n", N), W("of"), P("d", D)], D),
        (&[W("lowest"), P("n", N), W("of"), P("d", D)], D),
        (&[W("middle"), P("n", N), W("of"), P("d", D)], D),
        (&[W("highest"), W("of"), P("n", N), W("and"), P("n", N)], N),
        (&[W("lowest"), W("of"), P("n", N), W("and"), P("n", N)], N),
        (
            &[
                W("highest"),
                P("n", N),
                W("of"),
                P("", D),
                W("and"),
                P("", D),
            ],
            D,
        ),
        (
            &[
                W("lowest"),
                P("n", N),
                W("of"),
                P("", D),
                W("and"),
                P("", S),
            ],
            D,
        ),
        (
            &[
                W("lowest"),
                P("n", N),
                W("of"),
                P("", D),
                W("and"),
                P("", D),
                W("and"),
                P("", D),
            ],
            D,
        ),
        (
            &[
                W("highest"),
                P("n", N),
                W("of"),
                P("", D),
                W("and"),
                P("", N),
                W("and"),
                P("", D),
            ],
            D,
        ),
        (&[W("maximum"), W("of"), P("d", D)], N),
        (&[W("reverse"), P("s", S)], S),
        (&[W("sort"), P("s", S)], S),
    ]
};

impl Maker<'_, '_> {
    /// A definition. The body sees the global variables, and often calls the function itself.
    pub(super) fn function(&mut self) -> Result<Statement> {
        let shape = *self.bytes.choose(&SHAPES)?;
        let mut header = Vec::new();
        let mut places = Vec::new();
        let (before, result_before) = (self.known.clone(), self.result);
        for word in shape.split(' ').filter(|word| !word.is_empty()) {
            if word != "." {
                header.push(Header::Word(word.to_owned()));
                places.push(Place::Word(word));
                continue;
            }
            let of = *self
                .bytes
                .choose(&["n", "n", "n", "s", "s", "d", "?", ""])?;
            let kind = match of {
                "n" => Kind::Number,
                "s" => Kind::Sequence,
                "d" => Kind::Dice,
                _ => self.kind()?,
            };
            let name = *self.bytes.choose(&NAMES)?;
            header.push(Header::Parameter(name.to_owned(), of));
            places.push(Place::Parameter(of, kind));
        }
        let named = header.iter().zip(&places).rev();
        for pair in named.collect::<Vec<_>>() {
            if let (Header::Parameter(name, _), Place::Parameter(_, kind)) = pair {
                self.knows(name, *kind);
            }
        }
        let result = self.kind()?;
        self.functions.push(Signature { places, result });
        self.result = Some(result);
        let mut body = match self.one_in(4)? {
            true => self.descent(&header)?,
            false => Vec::new(),
        };
        body.extend(self.block(2)?);
        if !matches!(body.last(), Some(Statement::Result(_))) && !self.one_in(8)? {
            body.push(self.result(result)?);
        }
        (self.known, self.result) = (before, result_before);
        Ok(Statement::Function(Rc::new(Function { header, body })))
    }

    /// A definition of a function that asks a roll for this and that.
    pub(super) fn function_of_rolls(&mut self) -> Result<Statement> {
        let (before, result_before) = (self.known.clone(), self.result);
        let roll = self.name()?;
        let word = *self.bytes.choose(&["f", "g", "r"])?;
        let mut header = vec![Header::Word(word.to_owned())];
        let mut places = vec![Place::Word(word)];
        let mut parameters = vec![(roll.clone(), "s", Kind::Sequence)];
        if self.bytes.ratio(1, 2)? {
            let name = self.name()?;
            let (of, kind) = *self.bytes.choose(&[
                ("n", Kind::Number),
                ("n", Kind::Number),
                ("s", Kind::Sequence),
                ("d", Kind::Dice),
                ("?", Kind::Number),
            ])?;
            parameters.insert(self.bytes.int_in_range(0..=1)?, (name, of, kind));
        }
        for (name, of, kind) in parameters {
            self.knows(&name, kind);
            header.push(Header::Parameter(name, of));
            places.push(Place::Parameter(of, kind));
        }
        let result =
            *self
                .bytes
                .choose(&[Kind::Number, Kind::Number, Kind::Sequence, Kind::Dice])?;
        self.result = Some(result);
        self.roll = Some(roll);
        let mut body = self.block(1)?;
        if !matches!(body.last(), Some(Statement::Result(_))) {
            body.push(self.result(result)?);
        }
        self.functions.push(Signature { places, result });
        (self.known, self.result, self.roll) = (before, result_before, None);
        Ok(Statement::Function(Rc::new(Function { header, body })))
    }

    /// The start of a function that calls itself: where a parameter is small it ends, and
    /// otherwise goes on with a smaller one.
    fn descent(&mut self, header: &[Header]) -> Result<Vec<Statement>> {
        let counter = header.iter().find_map(|part| match part {
            Header::Parameter(name, "n") => Some(Expr::Variable(name.clone())),
            _ => None,
        });
        let (Some(counter), Some(kind)) = (counter, self.result) else {
            return Ok(Vec::new());
        };
        let is_small = binary(
            "<",
            counter.clone(),
            Expr::Number(self.bytes.int_in_range(1..=3)?),
        );
        let end = Statement::If(vec![(is_small, vec![self.result(kind)?])], None);
        let less = binary("-", counter, self.leaf(Kind::Number)?);
        let mut pieces = Vec::new();
        for part in header {
            pieces.push(match part {
                Header::Word(word) => Piece::Word(word.clone()),
                Header::Parameter(_, "n") => Piece::Argument(less.clone()),
                Header::Parameter(name, _) => Piece::Argument(Expr::Variable(name.clone())),
            });
        }
        let name = self.name()?;
        self.knows(&name, kind);
        Ok(vec![end, Statement::Assign(name, Expr::Call(pieces))])
    }

    /// A call that has this kind, or nothing if none was found quickly.
    pub(super) fn call(&mut self, kind: Kind, depth: u32) -> Result<Option<Expr>> {
        if !self.functions.is_empty() && self.bytes.ratio(1, 2)? {
            return self.own_call(kind, depth);
        }
        let (places, result) = *self.bytes.choose(&LIBRARY)?;
        self.call_of(places, result, kind, depth)
    }

    /// [`call`](Self::call) of a function of the program.
    pub(super) fn own_call(&mut self, kind: Kind, depth: u32) -> Result<Option<Expr>> {
        let signature = self.bytes.choose(&self.functions)?.clone();
        self.call_of(&signature.places, signature.result, kind, depth)
    }

    fn call_of(
        &mut self,
        places: &[Place],
        result: Kind,
        kind: Kind,
        depth: u32,
    ) -> Result<Option<Expr>> {
        let has_expanded = places
            .iter()
            .any(|place| matches!(place, Place::Parameter("n" | "s", _)));
        match (result == kind, kind == Kind::Dice && has_expanded) {
            (true, _) | (_, true) => {}
            (false, false) => return Ok(None),
        }
        let mut must_expand = result != kind;
        let mut pieces = Vec::new();
        for &place in places {
            let (of, meant) = match place {
                Place::Word(word) => {
                    pieces.push(Piece::Word(word.to_owned()));
                    continue;
                }
                Place::Parameter(of, meant) => (of, meant),
            };
            let given = match of {
                "n" | "s" if must_expand || (kind == Kind::Dice && self.bytes.ratio(1, 2)?) => {
                    must_expand = false;
                    Kind::Dice
                }
                "n" if kind == Kind::Dice && self.one_in(6)? => Kind::Sequence,
                "s" | "d" if self.one_in(6)? => Kind::Number,
                "d" if self.one_in(6)? => Kind::Sequence,
                _ => meant,
            };
            pieces.push(Piece::Argument(match (of, given) {
                ("s", Kind::Dice) if self.bytes.ratio(1, 2)? => self.many_rolls()?,
                _ => self.expr(given, depth)?,
            }));
        }
        Ok(Some(Expr::Call(pieces)))
    }
}
