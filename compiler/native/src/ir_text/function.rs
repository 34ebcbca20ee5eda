//! Parses the functions of the textual IR, with winnow: first the lines as they are written, then
//! the function that they describe. `module.rs` parses the rest of a module.

use super::lexer::{self, Read, blank_lines, ends, field, unsigned};
use super::{quote, step};
use crate::analysis::fused_draw;
use crate::ir::op::ImmKind;
use crate::ir::{
    Block, BlockData, Draw, Func, Function, Imm, InstData, Op, Target, Terminator, Type, Value,
    ValueDef,
};
use cranelift_entity::PrimaryMap;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use thiserror::Error;
use winnow::ascii::{dec_int, dec_uint, float, hex_uint, space1};
use winnow::combinator::{
    alt, delimited, opt, preceded, repeat, separated, separated_pair, terminated,
};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{literal, take_while};

/// Why a text is not valid IR.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// A line that cannot be parsed.
    #[error("line {line}: cannot read `{text}`")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// The rest of the line.
        text: String,
    },
    /// A value or block that nothing defines.
    #[error("`{0}` is not defined")]
    Undefined(String),
    /// A value or block that is defined twice.
    #[error("`{0}` is defined twice")]
    Redefined(String),
    /// A fused draw whose code cannot be drawn at once, or has no table.
    #[error("`{0}` cannot be drawn at once")]
    NoTable(String),
}

impl ParseError {
    /// The error at the beginning of `rest`.
    pub(super) fn at(text: &str, rest: &str) -> Self {
        let read = text.len() - rest.len();
        let line = rest.trim_start().lines().next();
        ParseError::Syntax {
            line: text[..read].lines().count().max(1),
            text: line.unwrap_or_default().to_owned(),
        }
    }
}

/// A function as written, with the numbers of the text.
pub(super) struct RawFunction {
    result: Type,
    resources: Vec<ResourceName>,
    pools: Vec<Vec<i64>>,
    draws: Vec<RawFunction>,
    blocks: Vec<RawBlock>,
}

struct RawBlock {
    number: u32,
    params: Vec<(u32, Type)>,
    insts: Vec<RawInst>,
    terminator: RawTerminator,
}

struct RawInst {
    result: u32,
    op: Op,
    imm: Imm,
    args: Vec<u32>,
    span: Span,
}

type RawTarget = (u32, Vec<u32>);

enum RawTerminator {
    Jump(RawTarget),
    Branch(u32, RawTarget, RawTarget),
    Return(u32),
}

pub(super) fn raw_function(input: &mut &str) -> Read<RawFunction> {
    function_with(input, |input| {
        let mut draws = Vec::new();
        while input.starts_with("draw") {
            draws.push(draw(input)?);
        }
        Ok(draws)
    })
}

/// The code of a fused draw, which contains no fused draws itself. Draws are numbered in the order
/// of the text.
fn draw(input: &mut &str) -> Read<RawFunction> {
    ("draw", unsigned, " {", ends).parse_next(input)?;
    let code = function_with(input, |_| Ok(Vec::new()))?;
    ('}', ends).parse_next(input)?;
    Ok(code)
}

fn function_with(
    input: &mut &str,
    draws: impl FnOnce(&mut &str) -> Read<Vec<RawFunction>>,
) -> Read<RawFunction> {
    blank_lines(input)?;
    let result = terminated(preceded("function ", ty), ends).parse_next(input)?;
    let resources = repeat(0.., terminated(resource, ends)).parse_next(input)?;
    let pools = repeat(0.., terminated(pool, ends)).parse_next(input)?;
    let draws = draws(input)?;
    // Not `repeat`: an error inside a block has to stay where it is.
    let mut blocks = Vec::new();
    while input.starts_with("block") {
        blocks.push(block(input)?);
    }
    Ok(RawFunction {
        result,
        resources,
        pools,
        draws,
        blocks,
    })
}

fn ty(input: &mut &str) -> Read<Type> {
    alt((
        literal("i64").value(Type::I64),
        literal("f64").value(Type::F64),
        literal("bool").value(Type::Bool),
    ))
    .parse_next(input)
}

fn resource(input: &mut &str) -> Read<ResourceName> {
    preceded(("resource ", unsigned, space1), quote::text)
        .map(|text| ResourceName::parse(&text))
        .parse_next(input)
}

/// A pool's faces. Pools are numbered in the order of the text.
fn pool(input: &mut &str) -> Read<Vec<i64>> {
    let faces = delimited(
        " {",
        separated(1.., dec_int::<_, i64, EmptyError>, ", "),
        '}',
    );
    preceded(("pool", dec_uint::<_, u32, EmptyError>), opt(faces))
        .map(Option::unwrap_or_default)
        .parse_next(input)
}

fn block(input: &mut &str) -> Read<RawBlock> {
    let number = preceded("block", dec_uint).parse_next(input)?;
    let param = separated_pair(value, ": ", ty);
    let params = opt(delimited('(', separated(1.., param, ", "), ')')).parse_next(input)?;
    (':', ends).parse_next(input)?;
    let mut insts = Vec::new();
    while input.starts_with('v') {
        insts.push(inst(input)?);
        ends(input)?;
    }
    let terminator = terminated(terminator, ends).parse_next(input)?;
    Ok(RawBlock {
        number,
        params: params.unwrap_or_default(),
        insts,
        terminator,
    })
}

fn value(input: &mut &str) -> Read<u32> {
    preceded('v', dec_uint).parse_next(input)
}

fn inst(input: &mut &str) -> Read<RawInst> {
    let result = terminated(value, " = ").parse_next(input)?;
    let name = take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_');
    let op = name.verify_map(Op::from_name).parse_next(input)?;
    let imm = imm(op, input)?;
    let args: Option<Vec<u32>> =
        opt(preceded(' ', separated(1.., value, ", "))).parse_next(input)?;
    let span = separated_pair(dec_uint, "..", dec_uint).map(|(start, end)| Span::new(start, end));
    let span = opt(preceded(" @", span)).parse_next(input)?;
    Ok(RawInst {
        result,
        op,
        imm,
        args: args.unwrap_or_default(),
        span: span.unwrap_or_default(),
    })
}

fn imm(op: Op, input: &mut &str) -> Read<Imm> {
    let kind = op.info().imm;
    if kind == ImmKind::None {
        return Ok(Imm::None);
    }
    ' '.parse_next(input)?;
    match kind {
        ImmKind::None => Ok(Imm::None),
        ImmKind::Int => dec_int.map(Imm::Int).parse_next(input),
        ImmKind::Float => {
            let bits = preceded("0x", hex_uint.map(f64::from_bits));
            alt((bits, float)).map(Imm::Float).parse_next(input)
        }
        ImmKind::Bool => {
            let truth = alt((literal("true").value(true), literal("false").value(false)));
            { truth }.map(Imm::Bool).parse_next(input)
        }
        ImmKind::Slot => dec_uint.map(Imm::Slot).parse_next(input),
        ImmKind::Limit => dec_uint.map(Imm::Limit).parse_next(input),
        ImmKind::Draw => preceded("draw", unsigned)
            .map(|draw| Imm::Draw(Draw::from_u32(draw)))
            .parse_next(input),
        ImmKind::Step => step::read(op, input),
        ImmKind::Field => field.map(Imm::Field).parse_next(input),
        ImmKind::List => lexer::kind.map(Imm::List).parse_next(input),
        ImmKind::Site => unsigned.map(Imm::Site).parse_next(input),
        ImmKind::Stat => unsigned.map(Imm::Stat).parse_next(input),
        ImmKind::Call => (preceded("fn", unsigned), preceded(' ', unsigned))
            .map(|(function, deeper)| Imm::Call(Func::from_u32(function), deeper))
            .parse_next(input),
        ImmKind::Dice => separated_pair(dec_uint, ' ', dec_uint)
            .map(|(count, sides)| Imm::Dice { count, sides })
            .parse_next(input),
    }
}

fn target(input: &mut &str) -> Read<RawTarget> {
    let args = opt(delimited('(', separated(1.., value, ", "), ')'));
    (
        preceded("block", dec_uint),
        args.map(Option::unwrap_or_default),
    )
        .parse_next(input)
}

fn terminator(input: &mut &str) -> Read<RawTerminator> {
    alt((
        preceded("jump ", target).map(RawTerminator::Jump),
        preceded("return ", value).map(RawTerminator::Return),
        preceded("branch ", (value, ", ", target, ", ", target)).map(
            |(condition, _, then, _, otherwise)| RawTerminator::Branch(condition, then, otherwise),
        ),
    ))
    .parse_next(input)
}

impl RawFunction {
    pub(super) fn build(self) -> Result<Function, ParseError> {
        let names = Names::new(&self.blocks)?;
        let mut draws = PrimaryMap::new();
        for raw in self.draws {
            let draw: Draw = draws.next_key();
            let data = fused_draw(raw.build()?);
            let data = data.ok_or_else(|| ParseError::NoTable(draw.to_string()))?;
            draws.push(Arc::new(data));
        }
        let mut function = Function {
            result: self.result,
            resources: self.resources,
            pools: self.pools.into_iter().collect(),
            draws,
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
        };
        for raw in self.blocks {
            let block = function.blocks.next_key();
            let mut data = BlockData::default();
            for (_, ty) in &raw.params {
                let param = function.values.push((*ty, ValueDef::Param(block)));
                data.params.push(param);
            }
            for raw in raw.insts {
                let inst = function.insts.next_key();
                let entry = (raw.op.info().result, ValueDef::Result(inst));
                data.insts.push(function.insts.push(InstData {
                    op: raw.op,
                    args: names.values(&raw.args)?,
                    imm: raw.imm,
                    result: function.values.push(entry),
                    span: raw.span,
                }));
            }
            data.terminator = Some(names.terminator(&raw.terminator)?);
            function.blocks.push(data);
        }
        Ok(function)
    }
}

/// The entities for the text's numbers: they are renumbered in the order of their definitions.
struct Names {
    blocks: FxHashMap<u32, Block>,
    values: FxHashMap<u32, Value>,
}

impl Names {
    fn new(blocks: &[RawBlock]) -> Result<Self, ParseError> {
        let mut names = Self {
            blocks: FxHashMap::default(),
            values: FxHashMap::default(),
        };
        for raw in blocks {
            let block = Block::from_u32(names.blocks.len() as u32);
            if names.blocks.insert(raw.number, block).is_some() {
                return Err(ParseError::Redefined(format!("block{}", raw.number)));
            }
            let params = raw.params.iter().map(|(number, _)| *number);
            for number in params.chain(raw.insts.iter().map(|inst| inst.result)) {
                let value = Value::from_u32(names.values.len() as u32);
                if names.values.insert(number, value).is_some() {
                    return Err(ParseError::Redefined(format!("v{number}")));
                }
            }
        }
        Ok(names)
    }

    fn value(&self, number: u32) -> Result<Value, ParseError> {
        let value = self.values.get(&number).copied();
        value.ok_or_else(|| ParseError::Undefined(format!("v{number}")))
    }

    fn values(&self, numbers: &[u32]) -> Result<Vec<Value>, ParseError> {
        numbers.iter().map(|&number| self.value(number)).collect()
    }

    fn target(&self, (block, args): &RawTarget) -> Result<Target, ParseError> {
        let known = self.blocks.get(block).copied();
        Ok(Target {
            block: known.ok_or_else(|| ParseError::Undefined(format!("block{block}")))?,
            args: self.values(args)?,
        })
    }

    fn terminator(&self, raw: &RawTerminator) -> Result<Terminator, ParseError> {
        Ok(match raw {
            RawTerminator::Jump(target) => Terminator::Jump(self.target(target)?),
            RawTerminator::Branch(condition, then, otherwise) => Terminator::Branch {
                condition: self.value(*condition)?,
                then: self.target(then)?,
                otherwise: self.target(otherwise)?,
            },
            RawTerminator::Return(value) => Terminator::Return(self.value(*value)?),
        })
    }
}
