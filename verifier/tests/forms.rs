//! Simplification of typical C expressions, and evaluation of deep or heavily shared expressions.

use clew_verifier::expr::eval::{Env, Undefined, evaluate};
use clew_verifier::expr::{BinaryOp, Cell, Expr, FloatFormat, MemorySort, Node, Pool, Sort, UnaryOp, Value, Var};

/// A pool and a supply of variables.
#[derive(Default)]
struct Builder {
    pool: Pool,
    vars: u32,
}

impl Builder {
    fn var(&mut self, sort: Sort) -> Expr {
        self.vars += 1;
        self.pool.var(Var(self.vars - 1), sort)
    }

    fn bits(&mut self, width: u16) -> Expr {
        self.var(Sort::Bits(width))
    }

    fn number(&mut self, width: u16, number: i128) -> Expr {
        self.pool.bits(width, number as u128)
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.pool.binary(op, a, b)
    }
}

struct Constant(u128);

impl Env for Constant {
    type Stop = Undefined;

    fn var(&mut self, _: Var) -> Result<Value, Undefined> {
        Ok(Value::bits(32, self.0))
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Undefined> {
        Ok(Value::bits(8, self.0))
    }
}

#[test]
fn a_comparison_widened_to_int_and_tested_is_the_comparison() {
    let mut b = Builder::default();
    let (x, y) = (b.bits(32), b.bits(32));
    let less = b.binary(BinaryOp::SignedLess, x, y);
    let int = b.pool.bool_to_bits(less, 8);
    let int = b.pool.zero_extend(int, 32);
    let zero = b.number(32, 0);
    let is_zero = b.pool.eq(int, zero);
    assert_eq!(b.pool.not(is_zero), less);
    let more_or_equal = b.binary(BinaryOp::SignedLessEq, y, x);
    assert_eq!(is_zero, more_or_equal);
}

#[test]
fn widened_operands_are_compared_narrow() {
    let mut b = Builder::default();
    let (x, y) = (b.bits(8), b.bits(8));
    let (wide_x, wide_y) = (b.pool.zero_extend(x, 32), b.pool.zero_extend(y, 32));
    let narrow = b.binary(BinaryOp::UnsignedLess, x, y);
    assert_eq!(b.binary(BinaryOp::SignedLess, wide_x, wide_y), narrow);
    let (ten, narrow_ten) = (b.number(32, 10), b.number(8, 10));
    let narrow = b.binary(BinaryOp::UnsignedLess, x, narrow_ten);
    assert_eq!(b.binary(BinaryOp::SignedLess, wide_x, ten), narrow);
    let large = b.number(32, 300);
    let (yes, no) = (b.pool.bool(true), b.pool.bool(false));
    assert_eq!(b.binary(BinaryOp::SignedLess, wide_x, large), yes);
    assert_eq!(b.pool.eq(wide_x, large), no);
    let (signed_x, minus, narrow_minus) = (b.pool.sign_extend(x, 32), b.number(32, -3), b.number(8, -3));
    let narrow = b.pool.eq(x, narrow_minus);
    assert_eq!(b.pool.eq(signed_x, minus), narrow);
}

#[test]
fn sums_gather_their_constants() {
    let mut b = Builder::default();
    let x = b.bits(32);
    let (one, two, three) = (b.number(32, 1), b.number(32, 2), b.number(32, 3));
    let sum = b.pool.add(one, x);
    let sum = b.pool.add(sum, two);
    assert_eq!(b.pool.node(sum), Node::Binary(BinaryOp::Add, x, three));
    assert_eq!(b.binary(BinaryOp::Sub, sum, three), x);
    let five = b.number(32, 5);
    let equal = b.pool.eq(x, two);
    assert_eq!(b.pool.eq(sum, five), equal);
    assert_eq!(b.binary(BinaryOp::Sub, sum, x), three);
}

#[test]
fn bitwise_operators_on_truth_values_are_logic() {
    let mut b = Builder::default();
    let (p, q) = (b.var(Sort::Bool), b.var(Sort::Bool));
    let (not_p, not_q) = (b.pool.not(p), b.pool.not(q));
    let (x, y) = (b.pool.bool_to_bits(not_p, 32), b.pool.bool_to_bits(not_q, 32));
    let both = b.binary(BinaryOp::BitAnd, x, y);
    let zero = b.number(32, 0);
    let test = b.pool.eq(both, zero);
    let test = b.pool.not(test);
    assert_eq!(b.pool.and(not_p, not_q), test);
}

#[test]
fn parts_of_one_expression_join() {
    let mut b = Builder::default();
    let x = b.bits(32);
    let mut whole = b.pool.extract(x, 0, 8);
    for byte in 1..4 {
        let part = b.pool.extract(x, 8 * byte, 8);
        whole = b.binary(BinaryOp::Concat, part, whole);
    }
    assert_eq!(whole, x);
    let float = b.pool.unary(UnaryOp::BitsToFloat(FloatFormat::Single), x);
    assert_eq!(b.pool.unary(UnaryOp::FloatToBits, float), x);
}

#[test]
fn reads_look_through_writes() {
    let mut b = Builder::default();
    let memory = b.var(Sort::Memory(MemorySort { address: 64, cell: Cell::Bits(8) }));
    let (p, x, y) = (b.bits(64), b.bits(32), b.bits(8));
    let (four, six) = (b.number(64, 4), b.number(64, 6));
    let (next, inside) = (b.pool.add(p, four), b.pool.add(p, six));
    let written = b.pool.write(memory, next, x);
    let written = b.pool.write(written, p, y);
    assert_eq!(b.pool.read(written, next, 4), x);
    assert_eq!(b.pool.read(written, p, 1), y);
    let part = b.pool.extract(x, 16, 8);
    assert_eq!(b.pool.read(written, inside, 1), part);
}

#[test]
fn divisions_that_may_crash_stay() {
    let mut b = Builder::default();
    let (x, y, zero) = (b.bits(32), b.bits(32), b.number(32, 0));
    let quotient = b.binary(BinaryOp::UnsignedDiv, x, y);
    let product = b.binary(BinaryOp::Mul, quotient, zero);
    assert!(b.pool.as_const(product).is_none());
    assert_eq!(evaluate(&b.pool, product, &mut Constant(0)), Err(Undefined::DivisionByZero));
    let three = b.number(32, 3);
    let safe = b.binary(BinaryOp::UnsignedDiv, x, three);
    assert_eq!(b.binary(BinaryOp::Mul, safe, zero), zero);
    // Logical operators would skip the division where `!p` holds; C's bitwise operators do not.
    let (p, same) = (b.pool.eq(x, three), b.pool.eq(quotient, three));
    let (left, right) = (b.pool.bool_to_bits(p, 32), b.pool.bool_to_bits(same, 32));
    let both = b.binary(BinaryOp::BitAnd, left, right);
    assert_eq!(evaluate(&b.pool, both, &mut Constant(0)), Err(Undefined::DivisionByZero));
}

#[test]
fn a_guard_keeps_its_division_from_being_evaluated() {
    let mut b = Builder::default();
    let (x, zero) = (b.bits(32), b.number(32, 0));
    let quotient = b.binary(BinaryOp::UnsignedDiv, x, x);
    let is_one = {
        let one = b.number(32, 1);
        b.pool.eq(quotient, one)
    };
    let is_zero = b.pool.eq(x, zero);
    let guard = b.pool.not(is_zero);
    let guarded = b.pool.and(guard, is_one);
    assert_eq!(evaluate(&b.pool, guarded, &mut Constant(0)), Ok(Value::Bool(false)));
    assert_eq!(evaluate(&b.pool, guarded, &mut Constant(7)), Ok(Value::Bool(true)));
    assert_eq!(evaluate(&b.pool, is_one, &mut Constant(0)), Err(Undefined::DivisionByZero));
}

#[test]
fn deep_expressions_are_evaluated() {
    let mut b = Builder::default();
    let x = b.bits(32);
    let mut sum = x;
    for _ in 0..100_000 {
        let inverted = b.pool.unary(UnaryOp::BitNot, sum);
        sum = b.pool.add(inverted, x);
    }
    // `~s + x` is `x - s - 1`: starting from 3, it alternates between -1 and 3.
    assert_eq!(evaluate(&b.pool, sum, &mut Constant(3)), Ok(Value::bits(32, 3)));
}

#[test]
fn shared_subexpressions_are_evaluated_once() {
    let mut b = Builder::default();
    let x = b.bits(32);
    let mut sum = x;
    for _ in 0..200 {
        let square = b.binary(BinaryOp::Mul, sum, sum);
        sum = b.pool.add(square, sum);
    }
    assert_eq!(evaluate(&b.pool, sum, &mut Constant(0)), Ok(Value::bits(32, 0)));
}
