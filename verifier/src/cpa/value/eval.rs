//! Evaluation with unknown values: `exp/v` of paper 000, bit-precise.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::words::{Words, is_narrow};
use crate::cfa::{AddressSpace, Program};
use crate::expr::eval::{self, Overlap, Undefined};
use crate::expr::narrow::{self, cut, signed};
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var};
use crate::facts::sums::{Becomes, Shifted, Told};
use crate::facts::{Facts, Sums};
use crate::tuning;

/// The known values that an evaluation may use.
pub trait Known {
    /// The word of a scalar variable, if it is known.
    fn scalar(&mut self, var: Var) -> Option<u64>;

    /// The word of a cell of a memory, if it is known.
    fn cell(&mut self, memory: Var, address: u64) -> Option<u64>;

    /// The number of reads recorded so far.
    fn reads(&self) -> u32 {
        0
    }

    /// Discards reads that did not contribute to the result.
    fn discard(&mut self, _reads: Range<u32>) {}
}

/// What evaluation needs of the program, computed once.
#[derive(Debug)]
pub struct Semantics<'p> {
    /// The program.
    pub program: &'p Program,
    /// Encoding of values as words.
    pub words: Words,
    /// The sums whose values are tracked.
    pub sums: Rc<Sums>,
    /// The number of nodes of each expression as a tree.
    sizes: Vec<u32>,
    checks_accesses: bool,
    /// Limits of evaluation, of operations on cells, and of recordings.
    pub tuning: tuning::Value,
}

impl<'p> Semantics<'p> {
    /// Prepares the program of `facts`.
    pub fn new(facts: &Facts<'p>) -> Semantics<'p> {
        let program = facts.program;
        let mut sizes: Vec<u32> = Vec::with_capacity(program.pool.len());
        for expr in program.pool.exprs() {
            sizes.push(program.pool.children(expr).fold(1, |sum: u32, c| sum.saturating_add(sizes[c.index()])));
        }
        let checks_accesses = program.address_space.is_declared();
        Semantics {
            program,
            words: Words::default(),
            sums: facts.sums(),
            sizes,
            checks_accesses,
            tuning: facts.tuning.value,
        }
    }

    /// Whether an object can be at `address`. The current ends of heap and stack are ignored.
    pub fn is_valid(&self, address: u64) -> bool {
        let space = &self.program.address_space;
        !self.checks_accesses
            || address >= AddressSpace::NULL_PAGE
                && (space.fixed.contains(&address)
                    || space.outside.contains(&address)
                    || space.heap_top.is_some() && address >= space.heap_base
                    || space.stack_top.is_some() && address >= space.stack_base)
    }
}

/// An evaluation in progress.
pub struct Evaluator<'a, 'p, K> {
    semantics: &'a Semantics<'p>,
    pool: &'p Pool,
    /// The known values.
    pub known: &'a mut K,
    /// Whether the program has crashed.
    pub crashed: bool,
    memo: FxHashMap<Expr, Option<u128>>,
}

fn value(sort: Sort, raw: u128) -> Value {
    Value::from_raw(sort, raw).expect("scalar sorts have values")
}

impl<'a, 'p, K: Known> Evaluator<'a, 'p, K> {
    /// An evaluation over `known`.
    pub fn new(semantics: &'a Semantics<'p>, known: &'a mut K) -> Evaluator<'a, 'p, K> {
        Evaluator { semantics, pool: &semantics.program.pool, known, crashed: false, memo: FxHashMap::default() }
    }

    /// The semantics of the program.
    pub fn semantics(&self) -> &'a Semantics<'p> {
        self.semantics
    }

    /// The word of a scalar expression, if known.
    #[inline]
    pub fn word(&mut self, expr: Expr) -> Option<u64> {
        let sort = self.pool.sort(expr);
        if is_narrow(sort) {
            self.narrow(expr)
        } else {
            self.general(expr).map(|raw| self.semantics.words.word(sort, raw))
        }
    }

    /// The raw value of a scalar expression, if known.
    #[inline]
    pub fn raw(&mut self, expr: Expr) -> Option<u128> {
        if is_narrow(self.pool.sort(expr)) { self.narrow(expr).map(u128::from) } else { self.general(expr) }
    }

    /// A truth value.
    #[inline]
    pub fn truth(&mut self, expr: Expr) -> Option<bool> {
        self.narrow(expr).map(|raw| raw == 1)
    }

    /// Evaluates an expression that the program may not evaluate: a crash in it does not count.
    pub fn maybe(&mut self, expr: Expr) -> Option<u128> {
        let crashed = self.crashed;
        let result = self.raw(expr);
        self.crashed = crashed;
        result
    }

    /// Fast path for common operators on values that fit a word.
    fn narrow(&mut self, expr: Expr) -> Option<u64> {
        let pool = self.pool;
        match pool.node(expr) {
            Node::Const(value) => Some(value.raw() as u64),
            Node::Var(var) => self.known.scalar(var),
            _ if self.semantics.sizes[expr.index()] > self.semantics.tuning.max_unshared => {
                self.general(expr).map(|raw| raw as u64)
            }
            Node::Unary(UnaryOp::Not, a) => self.narrow(a).map(|a| a ^ 1),
            Node::Unary(UnaryOp::ZeroExtend(_), a) => self.narrow(a),
            Node::Unary(UnaryOp::SignExtend(_), a) => {
                self.narrow(a).map(|raw| cut(pool.sort(expr), signed(pool.sort(a), raw) as u64))
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.logical(op, a, b),
            Node::Binary(op, a, b) if matches!(pool.sort(a), Sort::Bits(..=64)) && op != BinaryOp::Concat => {
                let reads = self.known.reads();
                let (sort, first, second) = (pool.sort(a), self.narrow(a), self.narrow(b));
                match (first, second) {
                    (Some(a), Some(b)) => self.binary(op, sort, a, b),
                    _ => absorbed(op, sort, first, second).or_else(|| self.told(expr, reads)),
                }
            }
            _ => self.general(expr).map(|raw| raw as u64),
        }
    }

    /// The value of an operator with unknown operands in terms of a sum. Reads of the operands are then discarded.
    fn told(&mut self, expr: Expr, reads: u32) -> Option<u64> {
        let told = self.semantics.sums.told(expr)?;
        let of = told.shifted();
        let before = self.known.reads();
        let word = match of.of {
            None => of.constant,
            Some(sum) => of.value(self.known.scalar(sum)?),
        };
        self.known.discard(reads..before);
        match told {
            Told::Value(_) => Some(word),
            Told::Difference(BinaryOp::Eq, _) => Some((word == 0).into()),
            // Sums wrap around, so a nonzero difference does not determine the order.
            Told::Difference(op, _) => {
                (word == 0).then(|| matches!(op, BinaryOp::UnsignedLessEq | BinaryOp::SignedLessEq).into())
            }
        }
    }

    /// The new value of a sum.
    pub fn sum(&mut self, becomes: &Becomes) -> Option<u64> {
        match becomes {
            Becomes::Shifted(shifted) => self.shifted(shifted),
            Becomes::Computed { factor, value, others } => {
                let first = self.word(*value)?.wrapping_mul(*factor);
                let rest = self.multiples(others)?;
                Some(cut(self.pool.sort(*value), first.wrapping_add(rest)))
            }
            Becomes::Unknown => None,
        }
    }

    fn shifted(&mut self, shifted: &Shifted) -> Option<u64> {
        let Some(of) = shifted.of else { return Some(shifted.constant) };
        let word = match (self.known.scalar(of), self.semantics.sums.parts(of)) {
            (Some(word), _) => word,
            (None, parts) => cut(shifted.sort, self.multiples(parts?)?),
        };
        Some(shifted.value(word))
    }

    /// The sum of multiples of variables, if all are known.
    fn multiples(&mut self, parts: &[(Var, u64)]) -> Option<u64> {
        let reads = self.known.reads();
        let mut sum = 0_u64;
        for &(var, factor) in parts {
            let Some(word) = self.known.scalar(var) else {
                self.known.discard(reads..self.known.reads());
                return None;
            };
            sum = sum.wrapping_add(word.wrapping_mul(factor));
        }
        Some(sum)
    }

    /// `&&` and `||`: one operand may decide.
    fn logical(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<u64> {
        let decisive = u64::from(op == BinaryOp::Or);
        match self.narrow(a) {
            Some(first) if first == decisive => Some(decisive),
            Some(_) => self.narrow(b),
            None => self.maybe(b).map(|raw| raw as u64).filter(|&second| second == decisive),
        }
    }

    #[inline]
    fn binary(&mut self, op: BinaryOp, sort: Sort, a: u64, b: u64) -> Option<u64> {
        narrow::binary(op, sort, a, b).or_else(|| {
            let result = eval::binary(op, value(sort, a.into()), value(sort, b.into()));
            self.defined(result).map(|raw| raw as u64)
        })
    }

    /// The result of an operator. An undefined division crashes the program; other undefined results are unknown.
    fn defined(&mut self, result: Result<Value, Undefined>) -> Option<u128> {
        match result {
            Ok(value) => Some(value.raw()),
            Err(Undefined::DivisionByZero | Undefined::DivisionOverflow) => {
                self.crashed = true;
                None
            }
            Err(Undefined::ShiftTooFar | Undefined::FloatToInteger) => None,
        }
    }

    /// All operators on all sorts.
    fn general(&mut self, expr: Expr) -> Option<u128> {
        let is_large = self.semantics.sizes[expr.index()] > self.semantics.tuning.max_unshared;
        if is_large && let Some(&result) = self.memo.get(&expr) {
            return result;
        }
        let result = self.any(expr);
        if is_large {
            self.memo.insert(expr, result);
        }
        result
    }

    fn any(&mut self, expr: Expr) -> Option<u128> {
        let pool = self.pool;
        match pool.node(expr) {
            Node::Const(value) => Some(value.raw()),
            Node::Var(var) => self.known.scalar(var).map(|word| self.semantics.words.raw(pool.sort(expr), word)),
            Node::Unary(op, a) => {
                let raw = self.raw(a)?;
                self.defined(eval::unary(op, value(pool.sort(a), raw)))
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.logical(op, a, b).map(u128::from),
            Node::Binary(op, a, b) => {
                let (first, second) = (self.raw(a), self.raw(b));
                self.defined(eval::binary(op, value(pool.sort(a), first?), value(pool.sort(b), second?)))
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => match self.truth(condition) {
                Some(holds) => self.raw(if holds { then } else { otherwise }),
                None => {
                    let first = self.maybe(then)?;
                    self.maybe(otherwise).filter(|&second| second == first)
                }
            },
            Node::Ternary(op, a, b, c) => {
                let (x, y, z) = (self.raw(a), self.raw(b), self.raw(c));
                let result =
                    eval::ternary(op, value(pool.sort(a), x?), value(pool.sort(b), y?), value(pool.sort(c), z?));
                self.defined(result)
            }
            Node::Read { memory, address, cells } => {
                let address = self.raw(address)?;
                self.access(address as u64);
                self.read(memory, address, cells)
            }
            Node::Write { .. } => panic!("the value of a memory is asked for"),
        }
    }

    /// An access to memory at `address`, which crashes the program if that is invalid.
    pub fn access(&mut self, address: u64) {
        self.crashed |= !self.semantics.is_valid(address);
    }

    /// Cells of `memory` starting at `address`: from the latest write that covers them, or from the base variable.
    fn read(&mut self, mut memory: Expr, address: u128, cells: u16) -> Option<u128> {
        let pool = self.pool;
        let Sort::Memory(sort) = pool.sort(memory) else { panic!("a memory is expected") };
        loop {
            match pool.node(memory) {
                Node::Var(var) => return self.read_variable(var, sort, address, cells),
                Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                    memory = if self.truth(condition)? { then } else { otherwise };
                }
                Node::Write { memory: below, address: written, value } => {
                    let written = self.raw(written)?;
                    match eval::overlap(sort, (address, cells), (written, eval::written_cells(pool, sort, value))) {
                        Overlap::None => memory = below,
                        Overlap::Inside(first) => {
                            let width = match sort.cell {
                                Cell::Bits(width) => width,
                                Cell::Float(_) => return self.raw(value),
                            };
                            return self.raw(value).map(|raw| Value::bits(cells * width, raw >> (first * width)).raw());
                        }
                        Overlap::Partial => return None,
                    }
                }
                node => panic!("not a memory: {node:?}"),
            }
        }
    }

    fn read_variable(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Option<u128> {
        let words = &self.semantics.words;
        let cell_sort = sort.cell.sort();
        if cells == 1 {
            return self.known.cell(memory, address as u64).map(|word| words.raw(cell_sort, word));
        }
        let Cell::Bits(width) = sort.cell else { panic!("floats are read one by one") };
        let mut raw = 0;
        for i in 0..cells {
            let word = self.known.cell(memory, eval::cell_address(sort, address, i) as u64)?;
            raw |= words.raw(cell_sort, word) << (i * width);
        }
        Some(raw)
    }
}

/// The result of an operator if one operand determines it.
fn absorbed(op: BinaryOp, sort: Sort, a: Option<u64>, b: Option<u64>) -> Option<u64> {
    use BinaryOp::*;
    let all = cut(sort, u64::MAX);
    match (op, a, b) {
        (Mul | BitAnd, Some(0), _) | (Mul | BitAnd, _, Some(0)) => Some(0),
        (BitOr, Some(x), _) | (BitOr, _, Some(x)) if x == all => Some(all),
        (UnsignedLess, _, Some(0)) => Some(0),
        (UnsignedLess, Some(x), _) if x == all => Some(0),
        (UnsignedLessEq, Some(0), _) => Some(1),
        (UnsignedLessEq, _, Some(x)) if x == all => Some(1),
        _ => None,
    }
}
