//! Random functions with branches and loops that vector forms accept: small numbers, dice of
//! constant pools, statistics, fuel.

use arbitrary::{Result, Unstructured};
use dicec_native::ir::{
    Block, Func, FunctionBuilder, Imm, Module, Op, Tables, Type, Value, verify,
};
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::script::Site;
use std::sync::Arc;

/// How many variables a program has.
const VARIABLES: usize = 3;

/// How deep statements nest.
const DEPTH: usize = 4;

/// A module with one function, for empty arguments.
///
/// # Errors
/// There are too few bytes.
pub fn flow_case(u: &mut Unstructured<'_>) -> Result<Module> {
    // Within the cells of a statistic, beyond them, and beyond lanes of 16 bits.
    let bound = *u.choose(&[100, 900, 60_000])?;
    let mut flow = Flow {
        b: FunctionBuilder::new(Type::I64, Vec::new()),
        bound,
        loops: Vec::new(),
        left: 40,
    };
    let first = flow.number(u)?;
    let mut variables = [first; VARIABLES];
    for variable in &mut variables[1..] {
        *variable = flow.number(u)?;
    }
    if let Some(last) = flow.statements(u, variables, DEPTH)? {
        flow.b.ret(last[0]);
    }
    let module = Module {
        functions: [flow.b.finish()].into_iter().collect(),
        tables: tables(u)?,
    };
    let mut module = module;
    let trial = &mut module.functions[Func::from_u32(0)];
    trial.compact();
    assert_eq!(verify(&module), Ok(()), "{module}");
    Ok(module)
}

fn tables(u: &mut Unstructured<'_>) -> Result<Tables> {
    let long = if u.ratio(1, 8)? { 4095 } else { 5 };
    let site = |before: &str, joined| Site {
        before: before.to_owned(),
        after: String::new(),
        joined,
    };
    Ok(Tables {
        limits: ScriptLimits {
            fuel: *u.choose(&[3, 6, 20, 1000, 1_000_000])?,
            ..ScriptLimits::default()
        },
        texts: ["a".to_owned(), "b".repeat(long)].into(),
        sites: [site("", false), site("=> ", true)].into(),
        stats: vec!["first".to_owned(), "second".to_owned()],
        known: Some(Arc::from([2, 0])),
        ..Tables::default()
    })
}

type Variables = [Value; VARIABLES];

/// A loop that is being generated.
#[derive(Clone, Copy)]
struct Around {
    header: Block,
    exit: Block,
    /// Whether the exit takes the variables; otherwise they have the values of the loop's header
    /// after the loop.
    brings: bool,
}

struct Flow {
    b: FunctionBuilder,
    bound: i64,
    loops: Vec<Around>,
    /// How many statements may still come.
    left: usize,
}

impl Flow {
    /// Generates statements; returns the variables after them, if control reaches their end.
    fn statements(
        &mut self,
        u: &mut Unstructured<'_>,
        mut variables: Variables,
        depth: usize,
    ) -> Result<Option<Variables>> {
        for _ in 0..u.int_in_range(1..=4)? {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            match self.statement(u, variables, depth)? {
                Some(next) => variables = next,
                None => return Ok(None),
            }
        }
        Ok(Some(variables))
    }

    fn statement(
        &mut self,
        u: &mut Unstructured<'_>,
        mut variables: Variables,
        depth: usize,
    ) -> Result<Option<Variables>> {
        let kinds = if depth > 0 { 12 } else { 6 };
        match u.int_in_range(0..=kinds)? {
            0..=2 => {
                let place = u.choose_index(VARIABLES)?;
                variables[place] = self.expression(u, &variables)?;
            }
            3 => self.note(u, &variables)?,
            4 => {
                self.b.inst(Op::Fuel, &[], Imm::Int(1));
            }
            5 => return self.leave(u, &variables),
            6 | 7 => {
                // Long straight-line code is not interesting.
                variables[0] = self.pool(u)?;
            }
            8..=10 => return self.branch(u, variables, depth - 1),
            _ => return self.repeat(u, variables, depth - 1).map(Some),
        }
        Ok(Some(variables))
    }

    /// The end of an iteration, of a loop, or of the trial.
    fn leave(
        &mut self,
        u: &mut Unstructured<'_>,
        variables: &Variables,
    ) -> Result<Option<Variables>> {
        if self.loops.is_empty() || u.ratio(1, 4)? {
            let result = *u.choose(variables)?;
            self.b.ret(result);
            return Ok(None);
        }
        let around = *u.choose(&self.loops)?;
        if u.ratio(1, 2)? {
            self.b.jump(around.header, variables);
        } else {
            let args = if around.brings { &variables[..] } else { &[] };
            self.b.jump(around.exit, args);
        }
        Ok(None)
    }

    fn branch(
        &mut self,
        u: &mut Unstructured<'_>,
        variables: Variables,
        depth: usize,
    ) -> Result<Option<Variables>> {
        let condition = self.condition(u, &variables)?;
        let [then, otherwise] = [(); 2].map(|()| self.b.block(&[]));
        self.b.branch(condition, (then, &[]), (otherwise, &[]));
        self.b.switch_to(then);
        let yes = self.statements(u, variables, depth)?;
        let meet = self.b.block(&[Type::I64; VARIABLES]);
        if let Some(yes) = yes {
            self.b.jump(meet, &yes);
        }
        self.b.switch_to(otherwise);
        let no = if u.ratio(1, 2)? {
            Some(variables)
        } else {
            self.statements(u, variables, depth)?
        };
        match (yes, no) {
            (None, None) => return Ok(None),
            (None, no) => return Ok(no),
            (_, Some(no)) => self.b.jump(meet, &no),
            (Some(_), None) => {}
        }
        self.b.switch_to(meet);
        Ok(Some(std::array::from_fn(|index| self.b.param(meet, index))))
    }

    /// A loop that continues with a certain chance after each iteration.
    fn repeat(
        &mut self,
        u: &mut Unstructured<'_>,
        variables: Variables,
        depth: usize,
    ) -> Result<Variables> {
        let brings = u.ratio(1, 2)?;
        let header = self.b.block(&[Type::I64; VARIABLES]);
        let body = self.b.block(&[]);
        let exit = self
            .b
            .block(if brings { &[Type::I64; VARIABLES] } else { &[] });
        self.b.jump(header, &variables);
        self.b.switch_to(header);
        let here: Variables = std::array::from_fn(|index| self.b.param(header, index));
        self.b.inst(Op::Fuel, &[], Imm::Int(1));
        let die = self.pool_of(1, 6);
        let most = self.b.iconst(u.int_in_range(1..=5)?);
        let goes_on = self.b.inst(Op::Ile, &[die, most], Imm::None);
        let args = if brings { &here[..] } else { &[] };
        self.b.branch(goes_on, (body, &[]), (exit, args));
        self.b.switch_to(body);
        self.loops.push(Around {
            header,
            exit,
            brings,
        });
        if let Some(next) = self.statements(u, here, depth)? {
            self.b.jump(header, &next);
        }
        self.loops.pop();
        self.b.switch_to(exit);
        let mut behind = if brings {
            std::array::from_fn(|index| self.b.param(exit, index))
        } else {
            here
        };
        if u.ratio(1, 2)? {
            // The values of the last iteration.
            behind[0] = die;
        }
        Ok(behind)
    }

    fn note(&mut self, u: &mut Unstructured<'_>, variables: &Variables) -> Result<()> {
        let place = u.int_in_range(0..=1)?;
        if u.ratio(1, 2)? {
            let value = *u.choose(variables)?;
            self.b.inst(Op::Stat, &[value], Imm::Stat(place));
            return Ok(());
        }
        let mut text = self.b.iconst(u.int_in_range(0..=1)?);
        if u.ratio(1, 2)? {
            let condition = self.condition(u, variables)?;
            let other = self.b.iconst(0);
            text = self
                .b
                .inst(Op::Select, &[condition, text, other], Imm::None);
        }
        self.b.inst(Op::Output, &[text], Imm::Site(place));
        Ok(())
    }

    fn condition(&mut self, u: &mut Unstructured<'_>, variables: &Variables) -> Result<Value> {
        let op = *u.choose(&[Op::Ilt, Op::Ile, Op::Igt, Op::Ige, Op::Ieq, Op::Ine])?;
        let (a, b) = (*u.choose(variables)?, self.number(u)?);
        let mut condition = self.b.inst(op, &[a, b], Imm::None);
        if u.ratio(1, 4)? {
            condition = self.b.inst(Op::Not, &[condition], Imm::None);
        }
        Ok(condition)
    }

    /// A number of the program's size.
    fn expression(&mut self, u: &mut Unstructured<'_>, variables: &Variables) -> Result<Value> {
        let (a, b) = (*u.choose(variables)?, self.number(u)?);
        let op = *u.choose(&[Op::IaddWrap, Op::IsubWrap, Op::ImulWrap, Op::Imin, Op::Imax])?;
        let value = self.b.inst(op, &[a, b], Imm::None);
        let [low, high] = [-self.bound, self.bound].map(|end| self.b.iconst(end));
        let value = self.b.inst(Op::Imin, &[value, high], Imm::None);
        Ok(self.b.inst(Op::Imax, &[value, low], Imm::None))
    }

    fn number(&mut self, u: &mut Unstructured<'_>) -> Result<Value> {
        if u.ratio(1, 3)? {
            let most = if u.ratio(1, 3)? { self.bound } else { 9 };
            Ok(self.b.iconst(u.int_in_range(-most..=most)?))
        } else {
            self.pool(u)
        }
    }

    fn pool(&mut self, u: &mut Unstructured<'_>) -> Result<Value> {
        let count = u.int_in_range(1..=3)?;
        // Most words of the last one are rejected and redrawn one by one.
        let sides = *u.choose(&[2, 3, 6, 20, 1000])?;
        Ok(self.pool_of(count, sides))
    }

    fn pool_of(&mut self, count: u32, sides: u32) -> Value {
        self.b.inst(Op::Pool, &[], Imm::Dice { count, sides })
    }
}
