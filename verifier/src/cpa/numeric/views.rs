//! How the bits of each variable are read as a number: with a sign or without.

use crate::cfa::{Op, Program};
use crate::expr::value::{mask, signed};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, UnaryOp, Var};

/// The widest variables that are tracked.
pub const MAX_WIDTH: u16 = 64;
/// The number of nodes of an expression in which variables are looked for.
const MAX_NODES: usize = 64;

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The width in bits.
    pub width: u16,
    /// Whether the uppermost bit is a sign.
    pub is_signed: bool,
}

impl View {
    /// The smallest and the largest number.
    pub fn range(self) -> (i128, i128) {
        match self.is_signed {
            true => (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1),
            false => (0, (1 << self.width) - 1),
        }
    }

    /// The number that these bits are.
    pub fn number(self, bits: u128) -> i128 {
        if self.is_signed { signed(self.width, bits) } else { (bits & mask(self.width)) as i128 }
    }
}

/// The views of all variables; `None` for those that are no integers, or too wide.
///
/// The operations on a variable vote. Variables that are compared with or assigned to each other share their view, so that
/// these operations lose nothing.
pub fn views(program: &Program) -> Vec<Option<View>> {
    let count = program.vars.len();
    let mut votes = Votes { balance: vec![0; count], leader: (0..count).collect() };
    let pool = &program.pool;
    for expr in pool.exprs() {
        votes.expression(pool, expr);
    }
    for edge in &program.edges {
        match &edge.op {
            Op::Assign(var, expr) => votes.unite(linear_vars(pool, *expr).chain([*var])),
            Op::Call { callee, args, .. } => {
                for (&param, &arg) in program.function(*callee).params.iter().zip(args) {
                    votes.unite(linear_vars(pool, arg).chain([param]));
                }
            }
            _ => {}
        }
    }
    let mut balance = vec![0; count];
    for var in 0..count {
        let leader = votes.leader(var);
        balance[leader] += votes.balance[var];
    }
    let view = |var: usize| match program.vars[var].sort {
        Sort::Bool => Some(View { width: 1, is_signed: false }),
        Sort::Bits(width @ 1..=MAX_WIDTH) => Some(View { width, is_signed: balance[votes.leader(var)] >= 0 }),
        _ => None,
    };
    let leaders: Vec<usize> = (0..count).collect();
    leaders.into_iter().map(view).collect()
}

struct Votes {
    /// Votes for a sign, minus those against it.
    balance: Vec<i32>,
    /// Union-find.
    leader: Vec<usize>,
}

impl Votes {
    fn leader(&self, mut var: usize) -> usize {
        while self.leader[var] != var {
            var = self.leader[var];
        }
        var
    }

    fn unite(&mut self, vars: impl Iterator<Item = Var>) {
        let mut first = None;
        for var in vars {
            let leader = self.leader(var.index());
            let first = *first.get_or_insert(leader);
            self.leader[leader] = first;
        }
    }

    fn vote(&mut self, pool: &Pool, expr: Expr, by: i32) {
        linear_vars(pool, expr).for_each(|var| self.balance[var.index()] += by);
    }

    fn expression(&mut self, pool: &Pool, expr: Expr) {
        use BinaryOp::*;
        match pool.node(expr) {
            Node::Unary(UnaryOp::SignExtend(_), a) => self.vote(pool, a, 1),
            Node::Unary(UnaryOp::ZeroExtend(_), a) => self.vote(pool, a, -1),
            Node::Binary(op, a, b) => {
                let by = match op {
                    SignedLess | SignedLessEq | SignedDiv | SignedRem | SignedAddOverflows | SignedSubOverflows
                    | SignedMulOverflows => 1,
                    UnsignedLess | UnsignedLessEq | UnsignedDiv | UnsignedRem | UnsignedAddOverflows
                    | UnsignedSubOverflows | UnsignedMulOverflows => -1,
                    ShiftRightSigned => return self.vote(pool, a, 1),
                    ShiftRight => return self.vote(pool, a, -1),
                    Eq => 0,
                    _ => return,
                };
                self.vote(pool, a, by);
                self.vote(pool, b, by);
                let both: Vec<Var> = linear_vars(pool, a).chain(linear_vars(pool, b)).collect();
                self.unite(both.into_iter());
            }
            _ => {}
        }
    }
}

/// The variables that an expression is a sum of multiples of.
fn linear_vars(pool: &Pool, expr: Expr) -> impl Iterator<Item = Var> + use<> {
    let (mut vars, mut worklist, mut left) = (Vec::new(), vec![expr], MAX_NODES);
    while let Some(expr) = worklist.pop() {
        left -= 1;
        if left == 0 {
            break;
        }
        match pool.node(expr) {
            Node::Var(var) if matches!(pool.sort(expr), Sort::Bits(_)) => vars.push(var),
            Node::Unary(UnaryOp::Neg | UnaryOp::BitNot, a) => worklist.push(a),
            Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => worklist.extend([a, b]),
            Node::Binary(BinaryOp::ShiftLeft, a, _) => worklist.push(a),
            _ => {}
        }
    }
    vars.into_iter()
}
