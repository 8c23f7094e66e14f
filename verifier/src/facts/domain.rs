//! Domain types: how variables are used, regardless of their declared types (paper 003, Section 5).
//!
//! In C, flags, states of a machine, sums and loop counters may all be `int`. They differ in how well a domain can
//! track them, and the operations of the program show the difference.

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashSet;

use crate::cfa::program::{LocId, Op, Program};
use crate::expr::{BinaryOp, Expr, Node, Sort, TernaryOp, UnaryOp, Value, Var};
use crate::tuning::Weight;

/// How a variable, or the cells of a memory, are used. Later ones are harder to track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DomainType {
    /// Only assigned 0 and 1, and only compared with them.
    Boolean,
    /// Only compared for equality.
    Equality,
    /// Used in or assigned from arithmetic, or compared by order.
    Arithmetic,
    /// Used in or assigned from bitwise operations.
    Bits,
    /// Incremented or decremented by a constant in a loop.
    Counter,
}

impl DomainType {
    /// The cost of tracking, for comparing sets of variables: the logarithm of the paper's score, so that sums of
    /// weights correspond to products of scores. A counter outweighs several others, because tracking it unrolls a
    /// loop.
    pub fn weight(self, weights: &Weight) -> u64 {
        match self {
            DomainType::Boolean => weights.boolean,
            DomainType::Equality => weights.equality,
            DomainType::Arithmetic => weights.arithmetic,
            DomainType::Bits => weights.bits,
            DomainType::Counter => weights.counter,
        }
    }
}

/// The domain types of all variables of a program.
#[derive(Clone, Debug)]
pub struct DomainTypes {
    types: Vec<DomainType>,
}

impl DomainTypes {
    /// Classifies the variables of `program`. `is_in_loop`: whether a location is in a loop.
    pub fn new(program: &Program, is_in_loop: impl Fn(LocId) -> bool) -> DomainTypes {
        let mut usage = Usage::new(program);
        for edge in &program.edges {
            usage.operation(&edge.op, program.location(edge.from).function.index());
        }
        let mut types = usage.types();
        for edge in program.edges.iter().filter(|e| is_in_loop(e.from)) {
            if let Some(counter) = counted(program, &edge.op) {
                types[counter.index()] = DomainType::Counter;
            }
        }
        DomainTypes { types }
    }

    /// The domain type of `var`.
    pub fn of(&self, var: Var) -> DomainType {
        self.types[var.index()]
    }
}

/// The variable, or the memory of the cell, that an operation changes by a constant.
fn counted(program: &Program, op: &Op) -> Option<Var> {
    let pool = &program.pool;
    let changed = |value: Expr| match pool.node(value) {
        Node::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if pool.as_const(b).is_some() => Some(pool.node(a)),
        _ => None,
    };
    match *op {
        Op::Assign(var, value) => (changed(value)? == Node::Var(var)).then_some(var),
        Op::Store { memory, address, value } => match changed(value)? {
            Node::Read { memory: from, address: read, .. } => {
                (pool.node(from) == Node::Var(memory) && read == address).then_some(memory)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The observed uses of variables. The results of functions count as additional variables after those of the program.
struct Usage<'p> {
    program: &'p Program,
    /// Variables that are copied to each other have the same domain type.
    classes: UnionFind<usize>,
    seen: Vec<DomainType>,
    visited: FxHashSet<(Expr, DomainType)>,
}

impl<'p> Usage<'p> {
    fn new(program: &'p Program) -> Self {
        let count = program.vars.len() + program.functions.len();
        Usage {
            program,
            classes: UnionFind::new(count),
            seen: vec![DomainType::Boolean; count],
            visited: FxHashSet::default(),
        }
    }

    fn types(self) -> Vec<DomainType> {
        let mut of_classes = vec![DomainType::Boolean; self.seen.len()];
        for (index, &seen) in self.seen.iter().enumerate() {
            let all = &mut of_classes[self.classes.find(index)];
            *all = seen.max(*all);
        }
        (0..self.program.vars.len()).map(|var| of_classes[self.classes.find(var)]).collect()
    }

    fn raise(&mut self, index: usize, to: DomainType) {
        self.seen[index] = self.seen[index].max(to);
    }

    fn operation(&mut self, op: &Op, function: usize) {
        match op {
            Op::Assign(var, value) => self.flows(var.index(), *value),
            Op::Assume(condition) => self.uses(*condition, DomainType::Boolean),
            Op::Havoc(var, _) => {
                if self.program.var(*var).sort != Sort::Bool {
                    self.raise(var.index(), DomainType::Equality);
                }
            }
            Op::Store { memory, address, value } => {
                self.uses(*address, DomainType::Arithmetic);
                self.flows(memory.index(), *value);
            }
            Op::Fill { memory, byte, .. } => self.flows(memory.index(), *byte),
            Op::Forget { memory, .. } | Op::Initialize { memory, .. } => {
                self.raise(memory.index(), DomainType::Equality);
            }
            Op::Copy { target, source, .. } => {
                self.classes.union(target.index(), source.index());
            }
            Op::Call { callee, args, result } => {
                let params = &self.program.function(*callee).params;
                for (param, arg) in params.iter().zip(args) {
                    self.flows(param.index(), *arg);
                }
                if let Some(result) = result {
                    self.classes.union(result.index(), self.program.vars.len() + callee.index());
                }
            }
            Op::Return(Some(value)) => self.flows(self.program.vars.len() + function, *value),
            Op::Return(None) | Op::Skip | Op::Unsupported(_) => {}
        }
    }

    /// Records that `value` is assigned to `target`.
    fn flows(&mut self, target: usize, value: Expr) {
        let pool = &self.program.pool;
        match pool.node(value) {
            Node::Const(constant) => {
                if !is_truth_value(constant) {
                    self.raise(target, DomainType::Equality);
                }
            }
            Node::Var(var) => {
                self.classes.union(target, var.index());
            }
            Node::Read { memory, address, .. } => {
                self.uses(address, DomainType::Arithmetic);
                self.flows(target, memory);
            }
            Node::Write { memory, address, value } => {
                self.uses(address, DomainType::Arithmetic);
                self.flows(target, memory);
                self.flows(target, value);
            }
            Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { low: 0, .. }, inner) => {
                self.flows(target, inner);
            }
            Node::Ternary(TernaryOp::Ite, condition, yes, no) => {
                self.uses(condition, DomainType::Boolean);
                self.flows(target, yes);
                self.flows(target, no);
            }
            _ => {
                if pool.sort(value) != Sort::Bool {
                    self.raise(target, self.operator(value));
                }
                self.uses(value, DomainType::Boolean);
            }
        }
    }

    /// Records a use of the value of `expr` that requires domain type `as_a`.
    fn uses(&mut self, expr: Expr, as_a: DomainType) {
        if !self.visited.insert((expr, as_a)) {
            return;
        }
        let pool = &self.program.pool;
        match pool.node(expr) {
            Node::Const(_) => {}
            Node::Var(var) => self.raise(var.index(), as_a),
            Node::Read { memory, address, .. } => {
                self.uses(address, DomainType::Arithmetic);
                self.uses(memory, as_a);
            }
            Node::Write { memory, address, value } => {
                self.uses(address, DomainType::Arithmetic);
                self.uses(memory, as_a);
                self.uses(value, as_a);
            }
            Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { low: 0, .. }, inner) => {
                self.uses(inner, as_a);
            }
            Node::Ternary(TernaryOp::Ite, condition, yes, no) => {
                self.uses(condition, DomainType::Boolean);
                self.uses(yes, as_a);
                self.uses(no, as_a);
            }
            _ => {
                let operand = self.operator(expr);
                for child in pool.children(expr).collect::<Vec<_>>() {
                    self.uses(child, operand);
                }
            }
        }
    }

    /// The domain type that an operator implies for its operands and its result.
    fn operator(&self, expr: Expr) -> DomainType {
        let pool = &self.program.pool;
        match pool.node(expr) {
            Node::Unary(UnaryOp::Not, _) | Node::Binary(BinaryOp::And | BinaryOp::Or, ..) => DomainType::Boolean,
            Node::Binary(BinaryOp::Eq, a, b) => {
                let constant = pool.as_const(a).or_else(|| pool.as_const(b));
                if pool.sort(a) == Sort::Bool || constant.is_some_and(is_truth_value) {
                    DomainType::Boolean
                } else {
                    DomainType::Equality
                }
            }
            Node::Unary(
                UnaryOp::BitNot
                | UnaryOp::Extract { .. }
                | UnaryOp::PopCount
                | UnaryOp::LeadingZeros
                | UnaryOp::TrailingZeros
                | UnaryOp::ByteSwap
                | UnaryOp::BitReverse
                | UnaryOp::FloatToBits
                | UnaryOp::BitsToFloat(_),
                _,
            )
            | Node::Binary(
                BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::ShiftRightSigned
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::Concat,
                ..,
            ) => DomainType::Bits,
            _ => DomainType::Arithmetic,
        }
    }
}

fn is_truth_value(constant: Value) -> bool {
    match constant {
        Value::Bool(_) => true,
        Value::Bits { bits, .. } => bits <= 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{Havoc, ProgramBuilder, Scope, SourceId};

    #[test]
    fn variables_are_classified_by_their_uses() {
        const NOWHERE: SourceId = SourceId::NONE;
        let int = Sort::Bits(32);
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let [flag, state, sum, mask, count, copy] =
            ["flag", "state", "sum", "mask", "count", "copy"].map(|name| b.add_temporary(name, int, Scope::Local(f)));
        let one = b.pool.bits(32, 1);
        let seven = b.pool.bits(32, 7);
        let head = b.function(f).entry;
        let values = [flag, state, sum, mask, count].map(|var| b.read(var));
        let flagged = b.pool.eq(values[0], one);
        let mut at = b.add_step(head, Op::Assume(flagged), NOWHERE);
        let mut step = |b: &mut ProgramBuilder, op| at = b.add_step(at, op, NOWHERE);
        step(&mut b, Op::Assign(flag, one));
        step(&mut b, Op::Assign(state, seven));
        step(&mut b, Op::Havoc(sum, Havoc::Input));
        let is_seven = b.pool.eq(values[1], seven);
        step(&mut b, Op::Assume(is_seven));
        step(&mut b, Op::Assign(copy, values[1]));
        let masked = b.pool.binary(BinaryOp::BitAnd, values[3], seven);
        step(&mut b, Op::Assign(mask, masked));
        let doubled = b.pool.binary(BinaryOp::Mul, values[2], seven);
        step(&mut b, Op::Assign(sum, doubled));
        let next = b.pool.binary(BinaryOp::Add, values[4], one);
        b.add_edge(at, Op::Assign(count, next), head, NOWHERE);
        let program = b.finish(f);
        let types = DomainTypes::new(&program, |_| true);
        use DomainType::*;
        let found = [flag, state, sum, mask, count, copy].map(|var| types.of(var));
        assert_eq!(found, [Boolean, Equality, Arithmetic, Bits, Counter, Equality]);
    }
}
