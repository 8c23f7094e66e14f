//! Every operator on intervals over-approximates the concrete one; the lattice operations keep all members.

mod small;

use clew_verifier::cpa::interval::bounds::{Interval, binary, unary};
use clew_verifier::expr::{BinaryOp, UnaryOp, Value, eval};
use small::Random;

const WIDTHS: [u16; 4] = [1, 3, 4, 5];
const ROUNDS: u64 = 4000;

const BINARY: [BinaryOp; 24] = {
    use BinaryOp::*;
    [
        Eq,
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
        Concat,
        UnsignedLess,
        UnsignedLessEq,
        SignedLess,
        SignedLessEq,
        SignedAddOverflows,
        SignedSubOverflows,
        SignedMulOverflows,
        UnsignedAddOverflows,
        UnsignedMulOverflows,
    ]
};

fn some_interval(random: &mut Random, width: u16) -> Interval {
    let mut any = || random.below(1 << width) as u128;
    let first = Interval::constant(width, any());
    let members = [any(), any()].map(|bits| Interval::constant(width, bits));
    match any() % 4 {
        0 => first,
        1 => first.join(&members[0]),
        2 => Interval::full(width),
        _ => first.join(&members[0]).join(&members[1]),
    }
}

fn members(interval: Interval) -> Vec<u128> {
    (0..1u128 << interval.width()).filter(|&bits| interval.contains(bits)).collect()
}

/// Truth values are of another sort than bit-vectors of one bit.
fn width_of(value: Value) -> u16 {
    match value {
        Value::Bits { width, .. } => width,
        _ => 1,
    }
}

#[test]
fn operators_on_two_arguments() {
    let mut random = Random::new(1);
    for round in 0..ROUNDS {
        let width = WIDTHS[round as usize % WIDTHS.len()];
        let (a, b) = (some_interval(&mut random, width), some_interval(&mut random, width));
        for op in BINARY {
            let results: Vec<_> = members(a)
                .into_iter()
                .flat_map(|x| members(b).into_iter().map(move |y| (x, y)))
                .map(|(x, y)| (x, y, eval::binary(op, Value::bits(width, x), Value::bits(width, y))))
                .collect();
            let defined = results.iter().find_map(|(.., result)| result.as_ref().ok());
            let Some(result_width) = defined.map(|&value| width_of(value)) else { continue };
            let abstracted = binary(op, a, b, result_width);
            for (x, y, result) in results {
                match result {
                    Ok(value) => {
                        assert!(abstracted.contains(value.raw()), "{op:?} {x} {y}: {value:?} is not in {abstracted:?}")
                    }
                    Err(_) => assert!(abstracted.is_full(), "{op:?} {x} {y} has no value: {abstracted:?}"),
                }
            }
        }
    }
}

#[test]
fn operators_on_one_argument() {
    let mut random = Random::new(2);
    for round in 0..ROUNDS {
        let width = WIDTHS[round as usize % WIDTHS.len()];
        let a = some_interval(&mut random, width);
        let low = random.below(width.into()) as u16;
        let extract = UnaryOp::Extract { low, width: 1 + random.below((width - low).into()) as u16 };
        use UnaryOp::*;
        let ops = [BitNot, Neg, extract, ZeroExtend(8), SignExtend(8), PopCount, LeadingZeros, TrailingZeros];
        for op in ops {
            for x in members(a) {
                let value = eval::unary(op, Value::bits(width, x)).expect("these always have a value");
                let abstracted = unary(op, a, width_of(value));
                assert!(abstracted.contains(value.raw()), "{op:?} {x}: {value:?} is not in {abstracted:?}");
            }
        }
    }
}

#[test]
fn lattice() {
    let mut random = Random::new(3);
    for round in 0..ROUNDS {
        let width = WIDTHS[round as usize % WIDTHS.len()];
        let (a, b) = (some_interval(&mut random, width), some_interval(&mut random, width));
        let (join, meet) = (a.join(&b), a.meet(&b));
        assert!(join.includes(&a) && join.includes(&b));
        assert_eq!(a.includes(&b), members(b).iter().all(|&bits| a.contains(bits)) && a.join(&b) == a);
        for bits in 0..1u128 << width {
            let both = a.contains(bits) && b.contains(bits);
            assert!(!both || meet.is_some_and(|meet| meet.contains(bits)), "{bits} in {a:?} and {b:?}");
        }
        let mut thresholds: Vec<i128> = (0..3).map(|_| random.below(40) as i128 - 20).collect();
        thresholds.sort_unstable();
        let (mut widened, mut steps) = (a, 0);
        loop {
            let next = widened.widen(&widened.join(&some_interval(&mut random, width)), &thresholds);
            assert!(next.includes(&widened));
            if next.is_full() || steps > 200 {
                break;
            }
            widened = next;
            steps += 1;
        }
        assert!(widened.widen(&widened.join(&b), &thresholds).includes(&b));
    }
}

#[test]
fn bounds_of_both_readings() {
    let negative = Interval::signed(8, -3, -1).expect("not empty");
    assert_eq!(negative.unsigned_bounds(), (253, 255));
    assert_eq!(Interval::modulo(8, 250, 260), Interval::signed(8, -6, 4).expect("not empty"));
    assert_eq!(Interval::modulo(8, 0, 256), Interval::full(8));
    assert!(Interval::unsigned(8, 3, 2).is_none());
    let byte = Interval::unsigned(8, 0, 9).expect("not empty");
    assert_eq!(binary(BinaryOp::Add, byte, Interval::constant(8, 255), 8).signed_bounds(), (-1, 8));
}
