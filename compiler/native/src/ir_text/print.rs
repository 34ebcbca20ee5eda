//! Prints the functions of the textual IR. [`super::parse`] reads compact functions back unchanged.
//!
//! ```text
//! function i64
//! resource 0 "Strength"
//!
//! block0:
//!     v0 = pool 2 6 @0..3
//!     v1 = resource 0 @6..16
//!     v2 = iadd v0, v1 @0..16
//!     v3 = iconst 0
//!     v4 = imax v2, v3
//!     return v4
//! ```

use super::quote::quoted;
use super::step;
use crate::ir::{Function, Imm, Target, Terminator, Value};
use dicec_runtime::span::Span;
use std::fmt;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "function {}", self.result)?;
        for (slot, name) in self.resources.iter().enumerate() {
            writeln!(f, "resource {slot} {}", quoted(&name.to_string()))?;
        }
        for (pool, faces) in &self.pools {
            write!(f, "{pool}")?;
            if !faces.is_empty() {
                let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
                write!(f, " {{{}}}", faces.join(", "))?;
            }
            writeln!(f)?;
        }
        for (draw, data) in &self.draws {
            write!(f, "{draw} {{\n{}}}\n", data.code())?;
        }
        for (block, data) in &self.blocks {
            write!(f, "\n{block}")?;
            if !data.params.is_empty() {
                let params = data.params.iter();
                let typed = params.map(|&param| format!("{param}: {}", self.value_type(param)));
                write!(f, "({})", typed.collect::<Vec<_>>().join(", "))?;
            }
            writeln!(f, ":")?;
            for &inst in &data.insts {
                let inst = &self.insts[inst];
                write!(f, "    {} = {}{}", inst.result, inst.op, inst.imm)?;
                write_values(f, " ", &inst.args)?;
                if inst.span != Span::default() {
                    write!(f, " @{}", inst.span)?;
                }
                writeln!(f)?;
            }
            if let Some(terminator) = &data.terminator {
                writeln!(f, "    {terminator}")?;
            }
        }
        Ok(())
    }
}

/// With a space before it, or nothing.
impl fmt::Display for Imm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Imm::None => Ok(()),
            Imm::Int(value) => write!(f, " {value}"),
            Imm::Float(value) if value.is_finite() => write!(f, " {value:?}"),
            // Infinities and NaNs are printed as bits, because a name would lose the payload.
            Imm::Float(value) => write!(f, " {:#018x}", value.to_bits()),
            Imm::Bool(value) => write!(f, " {value}"),
            Imm::Slot(number) | Imm::Limit(number) => write!(f, " {number}"),
            Imm::Dice { count, sides } => write!(f, " {count} {sides}"),
            Imm::Draw(draw) => write!(f, " {draw}"),
            Imm::Step(pool, step) => {
                write!(f, " {pool}")?;
                step::write(f, step)
            }
            Imm::Field(field) => write!(f, " {field}"),
            Imm::List(kind) => write!(f, " {kind}"),
            Imm::Site(number) | Imm::Stat(number) => write!(f, " {number}"),
            Imm::Call(function, deeper) => write!(f, " {function} {deeper}"),
        }
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(target) => write!(f, "jump {target}"),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => write!(f, "branch {condition}, {then}, {otherwise}"),
            Terminator::Return(value) => write!(f, "return {value}"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if self.args.is_empty() {
            return Ok(());
        }
        write_values(f, "(", &self.args)?;
        write!(f, ")")
    }
}

fn write_values(f: &mut fmt::Formatter<'_>, before: &str, values: &[Value]) -> fmt::Result {
    for (index, value) in values.iter().enumerate() {
        write!(f, "{}{value}", if index == 0 { before } else { ", " })?;
    }
    Ok(())
}
