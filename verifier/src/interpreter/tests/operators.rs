//! The fast evaluation of integers against the definition of the operators, and large expressions.

use super::*;
use crate::expr::eval;

const WIDTHS: [u16; 8] = [1, 7, 8, 31, 32, 33, 63, 64];

fn samples(width: u16) -> Vec<u128> {
    let top = 1u128 << (width - 1);
    [0, 1, 2, 5, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 0x1234_5678_9abc_def0].into()
}

/// The end of a run that computes the expression of sort `sort` that `build` makes of variables with these values.
fn compute(values: &[Value], sort: Sort, build: impl Fn(&mut Script, &[Expr]) -> Expr) -> RunEnd {
    let mut s = Script::new();
    let vars: Vec<_> = values.iter().map(|v| s.local("v", v.sort())).collect();
    for (&var, &value) in vars.iter().zip(values) {
        let value = s.b.pool.constant(value);
        s.assign(var, value);
    }
    let vars: Vec<_> = vars.into_iter().map(|v| s.var(v)).collect();
    let value = build(&mut s, &vars);
    assert_eq!(s.b.pool.sort(value), sort);
    s.give(value);
    run(&s.finish(), &mut ZeroInputs)
}

/// The expected end for an operator with this result. Unknown values are zero.
fn expected(result: Result<Value, Undefined>, sort: Sort, at: u32) -> RunEnd {
    match result {
        Ok(value) => RunEnd::Returned(Some(value)),
        Err(why @ (Undefined::DivisionByZero | Undefined::DivisionOverflow)) => {
            RunEnd::Crash { why: Crash::Division(why), at: EdgeId(at) }
        }
        Err(_) => RunEnd::Returned(Value::from_raw(sort, 0)),
    }
}

#[test]
fn binary_operators_agree_with_their_definition() {
    use BinaryOp::*;
    let arithmetic = [
        Add,
        Sub,
        Mul,
        UnsignedDiv,
        SignedDiv,
        UnsignedRem,
        SignedRem,
        ShiftLeft,
        ShiftRight,
        ShiftRightSigned,
        BitAnd,
        BitOr,
        BitXor,
    ];
    let predicates = [
        Eq,
        UnsignedLess,
        UnsignedLessEq,
        SignedLess,
        SignedLessEq,
        SignedAddOverflows,
        SignedSubOverflows,
        SignedMulOverflows,
        UnsignedAddOverflows,
        UnsignedSubOverflows,
        UnsignedMulOverflows,
    ];
    for width in WIDTHS {
        for (a, b) in samples(width).into_iter().flat_map(|a| samples(width).into_iter().map(move |b| (a, b))) {
            let values = [Value::bits(width, a), Value::bits(width, b)];
            let ops = arithmetic.iter().map(|&op| (op, Sort::Bits(width)));
            for (op, sort) in ops.chain(predicates.iter().map(|&op| (op, Sort::Bool))) {
                let found = compute(&values, sort, |s, v| s.binary(op, v[0], v[1]));
                let result = eval::binary(op, values[0], values[1]);
                assert_eq!(found, expected(result, sort, 2), "{op:?} of {values:?}");
            }
        }
    }
}

#[test]
fn unary_operators_agree_with_their_definition() {
    use UnaryOp::*;
    for width in WIDTHS {
        let mut ops = vec![BitNot, Neg, PopCount, LeadingZeros, TrailingZeros, BitReverse];
        ops.extend((width < 64).then_some(ZeroExtend(64)));
        ops.extend((width < 64).then_some(SignExtend(64)));
        ops.extend((width < 63).then_some(SignExtend(63)));
        ops.extend((width > 1).then_some(Extract { low: width / 2, width: width - width / 2 }));
        ops.extend((width % 16 == 0).then_some(ByteSwap));
        for (op, a) in ops.iter().flat_map(|&op| samples(width).into_iter().map(move |a| (op, a))) {
            let a = Value::bits(width, a);
            let result = eval::unary(op, a);
            let sort = result.map_or(Sort::Bool, Value::sort);
            assert_eq!(
                compute(&[a], sort, |s, v| s.b.pool.unary(op, v[0])),
                expected(result, sort, 1),
                "{op:?} of {a:?}"
            );
        }
    }
}

#[test]
fn conditions_guard_undefined_operators() {
    let values = |b| [Value::bits(32, 10), Value::bits(32, b)];
    let guarded = |s: &mut Script, v: &[Expr]| {
        let (zero, quotient) = (s.int(0), s.binary(BinaryOp::SignedDiv, v[0], v[1]));
        let (is_zero, minus_one) = (s.b.pool.eq(v[1], zero), s.int(-1));
        s.b.pool.ite(is_zero, minus_one, quotient)
    };
    assert_eq!(compute(&values(0), INT, guarded), returned(-1));
    assert_eq!(compute(&values(3), INT, guarded), returned(3));
}

/// A chain of 10,000 operators, each using the previous one twice: too deep for recursion, and 2^10,000 paths.
#[test]
fn large_expressions_need_neither_stack_nor_time() {
    let mut plain = 3u32;
    (0..10_000u32).for_each(|i| plain = (plain ^ i).wrapping_mul(plain));
    let found = compute(&[Value::bits(32, 3)], INT, |s, v| {
        (0..10_000).fold(v[0], |below, i| {
            let i = s.int(i);
            let mixed = s.binary(BinaryOp::BitXor, below, i);
            s.binary(BinaryOp::Mul, mixed, below)
        })
    });
    assert_eq!(found, returned(plain as i32));
}
