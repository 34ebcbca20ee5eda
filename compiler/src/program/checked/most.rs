//! Static bounds on the number of lines and notes in a trial: those outside of loops, once for each
//! path that reaches them. With a bound, the number of trials with a line also bounds the mean from
//! below.

use dicec_lang::hir::{Block, Expr, ExprKind, FunctionId, Module, StatName, Stmt, StmtKind};

/// No bound.
const ENDLESS: u64 = u64::MAX;

/// The maximum numbers in a trial; `None` if there is no bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::program) struct Most {
    /// Of all lines together.
    pub(super) lines: Option<u64>,
    /// Of the notes of each statistic with a known name; [`Most::named`] counts further ones.
    pub(super) stats: Vec<Option<u64>>,
    /// Of the notes under all names that are joined at run time.
    pub(super) named: Option<u64>,
}

/// Counts that grow.
#[derive(Clone, Debug, PartialEq)]
struct Counts {
    lines: u64,
    stats: Vec<u64>,
    named: u64,
}

impl Most {
    /// The bounds for a roll with this body.
    pub(super) fn of(module: &Module, function: FunctionId) -> Self {
        let mut walk = Walk {
            module,
            known: vec![Known::Not; module.functions.len()],
        };
        let mut counts = walk.none();
        walk.function(function, &mut counts);
        let bound = |count: u64| (count != ENDLESS).then_some(count);
        Self {
            lines: bound(counts.lines),
            // A joined name may be a known one.
            stats: counts
                .stats
                .iter()
                .map(|count| bound(count.saturating_add(counts.named)))
                .collect(),
            named: bound(counts.named),
        }
    }
}

impl Counts {
    fn each(&mut self, other: &Self, with: impl Fn(u64, u64) -> u64) {
        self.lines = with(self.lines, other.lines);
        self.named = with(self.named, other.named);
        for (mine, theirs) in self.stats.iter_mut().zip(&other.stats) {
            *mine = with(*mine, *theirs);
        }
    }

    fn add(&mut self, other: &Self) {
        self.each(other, u64::saturating_add);
    }

    /// The same in a loop.
    fn repeated(mut self) -> Self {
        let none = self.clone();
        self.each(&none, |count, _| if count == 0 { 0 } else { ENDLESS });
        self
    }
}

/// The state of a function in the analysis.
#[derive(Clone)]
enum Known {
    Not,
    /// It is being analysed: a call of it is a recursion.
    Begun,
    Counts(Counts),
}

struct Walk<'m> {
    module: &'m Module,
    known: Vec<Known>,
}

impl Walk<'_> {
    fn none(&self) -> Counts {
        Counts {
            lines: 0,
            stats: vec![0; self.module.stats.len()],
            named: 0,
        }
    }

    fn endless(&self) -> Counts {
        Counts {
            lines: ENDLESS,
            stats: vec![ENDLESS; self.module.stats.len()],
            named: ENDLESS,
        }
    }

    /// Adds the counts of a call of a function.
    fn function(&mut self, function: FunctionId, counts: &mut Counts) {
        if matches!(self.known[function.index()], Known::Begun) {
            counts.add(&self.endless());
            return;
        }
        if matches!(self.known[function.index()], Known::Not) {
            self.known[function.index()] = Known::Begun;
            let mut own = self.none();
            self.block(&self.module.function(function).body, &mut own);
            self.known[function.index()] = Known::Counts(own);
        }
        if let Known::Counts(own) = &self.known[function.index()] {
            counts.add(own);
        }
    }

    fn block(&mut self, block: &Block, counts: &mut Counts) {
        for stmt in block {
            self.stmt(stmt, counts);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, counts: &mut Counts) {
        if let StmtKind::While(condition, body) = &stmt.kind {
            let mut once = self.none();
            self.expr(condition, &mut once);
            self.block(body, &mut once);
            counts.add(&once.repeated());
            return;
        }
        let mut own = Vec::new();
        stmt.each_expr(&mut |expr| own.push(expr));
        for expr in own {
            self.expr(expr, counts);
        }
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                let (mut either, mut other) = (self.none(), self.none());
                self.block(then, &mut either);
                self.block(otherwise, &mut other);
                either.each(&other, u64::max);
                counts.add(&either);
            }
            StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                let mut once = self.none();
                self.block(body, &mut once);
                counts.add(&once.repeated());
            }
            StmtKind::Output(_) => counts.lines = counts.lines.saturating_add(1),
            StmtKind::Stat(StatName::Known(stat), _) => {
                let count = &mut counts.stats[stat.index()];
                *count = count.saturating_add(1);
            }
            StmtKind::Stat(StatName::Text(_), _) => {
                counts.named = counts.named.saturating_add(1);
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr, counts: &mut Counts) {
        match &expr.kind {
            ExprKind::Block(block) => {
                self.block(&block.statements, counts);
                if let Some(value) = &block.value {
                    self.expr(value, counts);
                }
                return;
            }
            ExprKind::Call(function, _) => self.function(*function, counts),
            _ => {}
        }
        for part in expr.parts() {
            self.expr(part, counts);
        }
    }
}
