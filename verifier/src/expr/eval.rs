//! Evaluation: the concrete meaning of every operator and expression.
//!
//! This is the reference: simplification, the SMT encoding and the abstract domains must agree with it.

use std::cmp::Ordering;
use std::fmt;

use rustc_hash::FxHashMap;

use super::value::{mask, signed};
use super::{BinaryOp, Cell, Expr, FloatFormat, MemorySort, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var, float};

/// Why an operator has no value for its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// The divisor is 0.
    DivisionByZero,
    /// The smallest number of the width is divided by -1.
    DivisionOverflow,
    /// The shift distance is at least the width.
    ShiftTooFar,
    /// A float is a NaN or out of range of the integer type.
    FloatToInteger,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undefined::DivisionByZero => "division by zero",
            Undefined::DivisionOverflow => "the quotient of a division overflows",
            Undefined::ShiftTooFar => "shift by at least the width of the operand",
            Undefined::FloatToInteger => "a float that does not fit is converted to an integer",
        })
    }
}

impl std::error::Error for Undefined {}

#[cold]
fn mismatch(op: impl fmt::Debug, values: &[Value]) -> ! {
    panic!("{op:?} does not apply to {values:?}: the constructors of expressions check sorts")
}

/// `op a`.
///
/// # Panics
/// If `op` does not accept the sort of the argument. The same holds for [`binary`] and [`ternary`].
pub fn unary(op: UnaryOp, a: Value) -> Result<Value, Undefined> {
    match a {
        Value::Bool(a) if op == UnaryOp::Not => Ok(Value::Bool(!a)),
        Value::Bits { width, bits } => unary_bits(op, width, bits),
        Value::Float { format, bits } => unary_float(op, format, bits),
        _ => mismatch(op, &[a]),
    }
}

fn unary_bits(op: UnaryOp, width: u16, bits: u128) -> Result<Value, Undefined> {
    use UnaryOp::*;
    let unused = 128 - u32::from(width);
    Ok(match op {
        BitNot => Value::bits(width, !bits),
        Neg => Value::bits(width, bits.wrapping_neg()),
        Extract { low, width } => Value::bits(width, bits >> low),
        ZeroExtend(wide) => Value::bits(wide, bits),
        SignExtend(wide) => Value::bits(wide, signed(width, bits) as u128),
        PopCount => Value::bits(width, bits.count_ones().into()),
        LeadingZeros => Value::bits(width, (bits.leading_zeros() - unused).into()),
        TrailingZeros => Value::bits(width, bits.trailing_zeros().min(width.into()).into()),
        ByteSwap => Value::bits(width, bits.swap_bytes() >> unused),
        BitReverse => Value::bits(width, bits.reverse_bits() >> unused),
        SignedToFloat(format) => {
            let number = signed(width, bits);
            Value::float(format, float::from_integer(format, number < 0, number.unsigned_abs()))
        }
        UnsignedToFloat(format) => Value::float(format, float::from_integer(format, false, bits)),
        BitsToFloat(format) => Value::float(format, bits),
        _ => mismatch(op, &[Value::bits(width, bits)]),
    })
}

fn unary_float(op: UnaryOp, format: FloatFormat, bits: u128) -> Result<Value, Undefined> {
    use UnaryOp::*;
    let integer = |width, is_signed| match float::to_integer(format, bits, width, is_signed) {
        Some(result) => Ok(Value::bits(width, result)),
        None => Err(Undefined::FloatToInteger),
    };
    Ok(match op {
        FloatNeg => Value::float(format, float::negate(format, bits)),
        FloatAbs => Value::float(format, float::absolute(format, bits)),
        FloatSqrt => Value::float(format, float::sqrt(format, bits)),
        FloatRound(rounding) => Value::float(format, float::round_to_integral(format, rounding, bits)),
        FloatIsNan => Value::Bool(float::is_nan(format, bits)),
        FloatIsInfinite => Value::Bool(float::is_infinite(format, bits)),
        FloatSignBit => Value::Bool(float::is_negative(format, bits)),
        FloatIsSubnormal => Value::Bool(float::is_subnormal(format, bits)),
        FloatToFloat(to) => Value::float(to, float::convert(format, to, bits)),
        FloatToSigned(width) => integer(width, true)?,
        FloatToUnsigned(width) => integer(width, false)?,
        FloatToBits => Value::bits(format.bits(), bits),
        FloatMath(function) => match function.apply(format, [bits]) {
            Some(result) => Value::float(format, result),
            None => mismatch(op, &[Value::float(format, bits)]),
        },
        _ => mismatch(op, &[Value::float(format, bits)]),
    })
}

/// `a op b`.
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, Undefined> {
    match (a, b) {
        (Value::Bits { width, bits: a }, Value::Bits { width: low_width, bits: b }) => match op {
            BinaryOp::Concat => Ok(Value::bits(width + low_width, a << low_width | b)),
            _ => binary_bits(op, width, a, b),
        },
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match op {
            BinaryOp::Eq => a == b,
            BinaryOp::And => a && b,
            BinaryOp::Or => a || b,
            _ => mismatch(op, &[Value::Bool(a), Value::Bool(b)]),
        })),
        (Value::Float { format, bits: x }, Value::Float { bits: y, .. }) => Ok(match op {
            BinaryOp::Eq => Value::Bool(x == y),
            BinaryOp::FloatEq => Value::Bool(float::compare(format, x, y) == Some(Ordering::Equal)),
            BinaryOp::FloatLess => Value::Bool(float::compare(format, x, y) == Some(Ordering::Less)),
            BinaryOp::FloatLessEq => {
                Value::Bool(matches!(float::compare(format, x, y), Some(Ordering::Less | Ordering::Equal)))
            }
            _ => match float::binary(op, format, x, y) {
                Some(result) => Value::float(format, result),
                None => mismatch(op, &[a, b]),
            },
        }),
        _ => mismatch(op, &[a, b]),
    }
}

fn binary_bits(op: BinaryOp, width: u16, a: u128, b: u128) -> Result<Value, Undefined> {
    use BinaryOp::*;
    let (sa, sb) = (signed(width, a), signed(width, b));
    // Whether a signed result is out of range of the width; `None` exceeds even 128 bits.
    let overflows = |result: Option<i128>| result.is_none_or(|r| signed(width, r as u128) != r);
    let distance = || if b < u128::from(width) { Ok(b as u32) } else { Err(Undefined::ShiftTooFar) };
    let divisor = || if b == 0 { Err(Undefined::DivisionByZero) } else { Ok(()) };
    let signed_divisor = || match sb {
        0 => Err(Undefined::DivisionByZero),
        -1 if a == 1 << (width - 1) => Err(Undefined::DivisionOverflow),
        _ => Ok(()),
    };
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UnsignedDiv => divisor().map(|()| a / b)?,
        UnsignedRem => divisor().map(|()| a % b)?,
        SignedDiv => signed_divisor().map(|()| (sa / sb) as u128)?,
        SignedRem => signed_divisor().map(|()| (sa % sb) as u128)?,
        ShiftLeft => a << distance()?,
        ShiftRight => a >> distance()?,
        ShiftRightSigned => (sa >> distance()?) as u128,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        _ => {
            return Ok(Value::Bool(match op {
                Eq => a == b,
                UnsignedLess => a < b,
                UnsignedLessEq => a <= b,
                SignedLess => sa < sb,
                SignedLessEq => sa <= sb,
                SignedAddOverflows => overflows(sa.checked_add(sb)),
                SignedSubOverflows => overflows(sa.checked_sub(sb)),
                SignedMulOverflows => overflows(sa.checked_mul(sb)),
                UnsignedAddOverflows => a.checked_add(b).is_none_or(|r| r > mask(width)),
                UnsignedSubOverflows => a < b,
                UnsignedMulOverflows => a.checked_mul(b).is_none_or(|r| r > mask(width)),
                _ => mismatch(op, &[Value::bits(width, a), Value::bits(width, b)]),
            }));
        }
    };
    Ok(Value::bits(width, result))
}

/// `op(a, b, c)`.
pub fn ternary(op: TernaryOp, a: Value, b: Value, c: Value) -> Result<Value, Undefined> {
    match (op, a, b, c) {
        (TernaryOp::Ite, Value::Bool(condition), ..) => Ok(if condition { b } else { c }),
        (
            TernaryOp::FloatFma,
            Value::Float { format, bits: a },
            Value::Float { bits: b, .. },
            Value::Float { bits: c, .. },
        ) => Ok(Value::float(format, float::fma(format, a, b, c))),
        _ => mismatch(op, &[a, b, c]),
    }
}

/// The environment of an evaluation: values of variables and contents of memories.
///
/// Answers must not depend on the number or order of requests.
pub trait Env {
    /// Why evaluation stops without a value: an undefined operator, or something that the environment lacks.
    type Stop: From<Undefined>;

    /// The value of a scalar variable.
    fn var(&mut self, var: Var) -> Result<Value, Self::Stop>;

    /// The contents of `cells` adjacent cells of a memory variable of sort `sort`, starting at `address`. The first
    /// cell is in the lowest bits.
    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Self::Stop>;

    /// The value to use for `expr`, whose operator is undefined for its arguments. By default, evaluation stops.
    fn undefined(&mut self, _expr: Expr, undefined: Undefined) -> Result<Value, Self::Stop> {
        Err(undefined.into())
    }
}

/// The value of a scalar expression.
///
/// Lazy where C is. Only the chosen branch of a conditional is evaluated, the second argument of `&&` and `||` only if
/// needed, and of a written memory only the cells that are read.
pub fn evaluate<E: Env + ?Sized>(pool: &Pool, expr: Expr, env: &mut E) -> Result<Value, E::Stop> {
    let mut quick = Quick { steps: QUICK_STEPS, depth: QUICK_DEPTH };
    match quick.value(pool, expr, env) {
        Ok(value) => Ok(value),
        Err(Pause::Stop(stop)) => Err(stop),
        Err(Pause::For(_)) => evaluate_large(pool, expr, env),
    }
}

/// Bounds of the recursive evaluation. Larger expressions restart with an explicit stack and a table of values.
const QUICK_STEPS: u32 = 2000;
const QUICK_DEPTH: u32 = 100;

/// Why an evaluation step yields no value.
enum Pause<S> {
    /// There is none.
    Stop(S),
    /// The value of this expression is needed first.
    For(Expr),
}

/// How an evaluation step obtains the values of subexpressions.
trait Subvalues<E: Env + ?Sized> {
    fn value(&mut self, pool: &Pool, expr: Expr, env: &mut E) -> Result<Value, Pause<E::Stop>>;
}

/// By recursion within bounds.
struct Quick {
    steps: u32,
    depth: u32,
}

impl<E: Env + ?Sized> Subvalues<E> for Quick {
    fn value(&mut self, pool: &Pool, expr: Expr, env: &mut E) -> Result<Value, Pause<E::Stop>> {
        if self.steps == 0 || self.depth == 0 {
            return Err(Pause::For(expr));
        }
        self.steps -= 1;
        self.depth -= 1;
        let result = step(pool, expr, env, self);
        self.depth += 1;
        result
    }
}

/// From a table of known values.
impl<E: Env + ?Sized> Subvalues<E> for FxHashMap<Expr, Value> {
    fn value(&mut self, pool: &Pool, expr: Expr, _: &mut E) -> Result<Value, Pause<E::Stop>> {
        pool.as_const(expr).or_else(|| self.get(&expr).copied()).ok_or(Pause::For(expr))
    }
}

/// Evaluates each subexpression once with an explicit stack: for deep expressions and for those with much sharing.
fn evaluate_large<E: Env + ?Sized>(pool: &Pool, expr: Expr, env: &mut E) -> Result<Value, E::Stop> {
    let mut known = FxHashMap::default();
    let mut parents = vec![];
    let mut current = expr;
    loop {
        match step(pool, current, env, &mut known) {
            Ok(value) => match parents.pop() {
                Some(parent) => {
                    known.insert(current, value);
                    current = parent;
                }
                None => return Ok(value),
            },
            Err(Pause::For(child)) => parents.push(std::mem::replace(&mut current, child)),
            Err(Pause::Stop(stop)) => return Err(stop),
        }
    }
}

/// The value of `expr`, computed from its subexpressions.
#[inline]
fn step<E: Env + ?Sized, T: Subvalues<E>>(
    pool: &Pool,
    expr: Expr,
    env: &mut E,
    sub: &mut T,
) -> Result<Value, Pause<E::Stop>> {
    let result = match pool.node(expr) {
        Node::Const(value) => return Ok(value),
        Node::Var(var) => return env.var(var).map_err(Pause::Stop),
        Node::Unary(op, a) => unary(op, sub.value(pool, a, env)?),
        Node::Binary(op, a, b) => {
            let first = sub.value(pool, a, env)?;
            match (op, first) {
                (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => return Ok(first),
                (BinaryOp::And | BinaryOp::Or, _) => return sub.value(pool, b, env),
                _ => binary(op, first, sub.value(pool, b, env)?),
            }
        }
        Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
            let chosen = if sub.value(pool, condition, env)?.is_true() { then } else { otherwise };
            return sub.value(pool, chosen, env);
        }
        Node::Ternary(op, a, b, c) => {
            let (a, b, c) = (sub.value(pool, a, env)?, sub.value(pool, b, env)?, sub.value(pool, c, env)?);
            ternary(op, a, b, c)
        }
        Node::Read { memory, address, cells } => {
            let address = sub.value(pool, address, env)?.raw();
            return read(pool, memory, address, cells, env, sub);
        }
        Node::Write { .. } => panic!("the value of a memory is asked for"),
    };
    result.or_else(|undefined| env.undefined(expr, undefined).map_err(Pause::Stop))
}

/// Cells of `memory` starting at `address`: from the latest write that covers them, or from the base variable.
fn read<E: Env + ?Sized, T: Subvalues<E>>(
    pool: &Pool,
    mut memory: Expr,
    address: u128,
    cells: u16,
    env: &mut E,
    sub: &mut T,
) -> Result<Value, Pause<E::Stop>> {
    let Sort::Memory(sort) = pool.sort(memory) else { panic!("a memory is expected") };
    loop {
        match pool.node(memory) {
            Node::Var(var) => return env.read(var, sort, address, cells).map_err(Pause::Stop),
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                memory = if sub.value(pool, condition, env)?.is_true() { then } else { otherwise };
            }
            Node::Write { memory: below, address: written, value } => {
                let written = sub.value(pool, written, env)?.raw();
                match overlap(sort, (address, cells), (written, written_cells(pool, sort, value))) {
                    Overlap::None => memory = below,
                    Overlap::Inside(0) if pool.sort(value) == read_sort(sort, cells) => {
                        return sub.value(pool, value, env);
                    }
                    Overlap::Inside(first) => {
                        let Sort::Bits(width) = read_sort(sort, cells) else { panic!("floats are cells of their own") };
                        let value = sub.value(pool, value, env)?.raw();
                        return Ok(Value::bits(width, value >> (first * width / cells)));
                    }
                    Overlap::Partial => return read_apart(pool, memory, address, cells, env, sub),
                }
            }
            node => panic!("not a memory: {node:?}"),
        }
    }
}

/// Reads cell by cell: several writes may contribute.
fn read_apart<E: Env + ?Sized, T: Subvalues<E>>(
    pool: &Pool,
    memory: Expr,
    address: u128,
    cells: u16,
    env: &mut E,
    sub: &mut T,
) -> Result<Value, Pause<E::Stop>> {
    let Sort::Memory(sort) = pool.sort(memory) else { panic!("a memory is expected") };
    let Cell::Bits(width) = sort.cell else { panic!("floats are read one by one") };
    let mut bits = 0;
    for cell in 0..cells {
        let address = cell_address(sort, address, cell);
        bits |= read(pool, memory, address, 1, env, sub)?.raw() << (cell * width);
    }
    Ok(Value::bits(cells * width, bits))
}

/// How the cells that are read relate to those that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// Disjoint.
    None,
    /// All cells that are read are written; the first one has this position among the written cells.
    Inside(u16),
    /// Some but not all cells that are read are written.
    Partial,
}

/// Compares two ranges, each an address and a number of cells. Addresses wrap around.
pub(crate) fn overlap(sort: MemorySort, read: (u128, u16), written: (u128, u16)) -> Overlap {
    let position = |cell| {
        let address = cell_address(sort, read.0, cell);
        (0..written.1).find(|&other| cell_address(sort, written.0, other) == address)
    };
    let first = position(0);
    match first {
        Some(start) if (1..read.1).all(|cell| position(cell) == Some(start + cell)) => Overlap::Inside(start),
        None if (1..read.1).all(|cell| position(cell).is_none()) => Overlap::None,
        _ => Overlap::Partial,
    }
}

/// The address of cell number `cell`, counting from `base`. Addresses wrap around.
pub fn cell_address(sort: MemorySort, base: u128, cell: u16) -> u128 {
    base.wrapping_add(u128::from(cell) * u128::from(sort.cell.bytes())) & mask(sort.address)
}

/// The number of cells that `value` fills.
pub fn written_cells(pool: &Pool, sort: MemorySort, value: Expr) -> u16 {
    match (sort.cell, pool.sort(value)) {
        (Cell::Bits(cell), Sort::Bits(width)) => width / cell,
        _ => 1,
    }
}

/// The sort of the contents of `cells` adjacent cells.
pub const fn read_sort(sort: MemorySort, cells: u16) -> Sort {
    match sort.cell {
        Cell::Bits(width) => Sort::Bits(width * cells),
        Cell::Float(format) => Sort::Float(format),
    }
}
